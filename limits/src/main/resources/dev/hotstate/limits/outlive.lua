-- outlive: has a key live until a counter is all there again that is not spent now, though it counts for longer than its
-- slot is sure of: its rule came to a longer window since it was. Then the slot is sure of it, so this is done once.
local function outlive(key, at, reset, now)
  local lives = math.ceil(reset / 1000)
  redis.call('SETRANGE', key, at + 35, struct.pack('<d', now + lives * 1000))
  redis.call('PEXPIRE', key, lives + 2, 'GT')
end
