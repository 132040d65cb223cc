#!lua flags=no-writes
-- The reservations whose lease has ended, the first to end first: PostgreSQL knows what became of them.
-- KEYS  incarnation, reserved, leases
-- ARGV  pass, now, max
-- REPLY LAPSED reservations as driver, reservation, fence, until_ms…
-- REPLY REBUILDING
-- COST  O(max log n); max is at most 200
--@include clock
--@include guard
local pass, now, max = ARGV[1], now_us(ARGV[2]), tonumber(ARGV[3])
if not admitted(KEYS[1], pass, now) then
  return {'REBUILDING'}
end
local now_ms = string.format('%.0f', math.floor(now / 1000))
local ids = redis.call('ZRANGE', KEYS[3], '-inf', now_ms, 'BYSCORE', 'LIMIT', 0, max)
local lapsed = {}
if #ids > 0 then
  local notes = redis.call('HMGET', KEYS[2], unpack(ids))
  for i, id in ipairs(ids) do
    local reservation, fence, ends = string.match(notes[i] or '', '^(%S+) (%S+) (%d+)$')
    if reservation then
      local n = #lapsed
      lapsed[n + 1], lapsed[n + 2], lapsed[n + 3], lapsed[n + 4] = id, reservation, fence, ends
    end
  end
end
return {'LAPSED', lapsed}
