#!lua
-- Adds what one instance counted since its last flush to the ten seconds and the ten minutes that Redis is in. The
-- caller cannot know them, so it names the ten seconds it was told last and passes their keys; once others have begun,
-- nothing is added and it is told those.
-- KEYS  rate, top
-- ARGV  now, slot, slot_us, rate_ttl_ms, top_ttl_ms, top_most, then rate or top, a field or member, its count…
-- REPLY ADDED slot
-- REPLY MOVED slot
-- COST  O(counts log top_most); at most 250 counts a call, so Redis is held for about a millisecond at most
--@include clock
local rate, top = KEYS[1], KEYS[2]
local now, named, slot_us = now_us(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local rate_ttl, top_ttl, most = ARGV[4], ARGV[5], tonumber(ARGV[6])

local slot = math.floor(now / slot_us)
local told = string.format('%.0f', slot)
if slot ~= named then
  return {'MOVED', told}
end

for i = 7, #ARGV, 3 do
  local name, count = ARGV[i + 1], ARGV[i + 2]
  if ARGV[i] == 'rate' then
    redis.call('HINCRBY', rate, name, count)
  else
    redis.call('ZINCRBY', top, count, name)
  end
end
redis.call('ZREMRANGEBYRANK', top, 0, -most - 1)
redis.call('PEXPIRE', rate, rate_ttl)
redis.call('PEXPIRE', top, top_ttl)
return {'ADDED', told}
