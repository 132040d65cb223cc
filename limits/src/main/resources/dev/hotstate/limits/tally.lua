#!lua
-- Adds what one instance counted since its last flush to the ten seconds and the ten minutes that Redis is in. The
-- caller cannot know them, so it names the ten seconds it was told last and passes their keys; once others have begun,
-- nothing is added and it is told those.
-- KEYS  rate, top
-- ARGV  now, slot, slot_us, rate_ttl_ms, top_ttl_ms, top_most, fields, then a field and its count…, a member and its count…
-- REPLY ADDED slot
-- REPLY MOVED slot
-- COST  O(fields + members log top_most); at most 3,000 and 1,000 of them, and in most seconds a few
--@include clock
local rate, top = KEYS[1], KEYS[2]
local now, named, slot_us = now_us(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local rate_ttl, top_ttl, most, fields = ARGV[4], ARGV[5], tonumber(ARGV[6]), tonumber(ARGV[7])
local first_member = 8 + 2 * fields

local slot = math.floor(now / slot_us)
local told = string.format('%.0f', slot)
if slot ~= named then
  return {'MOVED', told}
end

for i = 8, first_member - 1, 2 do
  redis.call('HINCRBY', rate, ARGV[i], ARGV[i + 1])
end
redis.call('PEXPIRE', rate, rate_ttl)
if first_member <= #ARGV then
  for i = first_member, #ARGV, 2 do
    redis.call('ZINCRBY', top, ARGV[i + 1], ARGV[i])
  end
  redis.call('ZREMRANGEBYRANK', top, 0, -most - 1)
  redis.call('PEXPIRE', top, top_ttl)
end
return {'ADDED', told}
