#!lua
-- Moves the end of leases, for those whose fence is still the last one. The fence stays as it is.
-- KEYS  incarnation, schedule, fences
-- ARGV  pass, now, lease_ms, pairs of id and fence…
-- REPLY EXTENDED for each pair 1, or 0 where the fence is stale and nothing changed
-- REPLY REBUILDING
-- COST  O(m log n) for m pairs; at most 500 of them
--@include clock
--@include guard
--@include fences
local incarnation, schedule, fences = KEYS[1], KEYS[2], KEYS[3]
local pass, now, lease = ARGV[1], now_us(ARGV[2]), tonumber(ARGV[3])

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end

local ids = {}
for i = 4, #ARGV, 2 do
  ids[#ids + 1] = ARGV[i]
end
local notes = redis.call('HMGET', fences, unpack(ids))

local lease_end = string.format('%.0f', math.floor(now / 1000) + lease)
local kept, ends = {}, {}
for i, id in ipairs(ids) do
  local valid = notes[i] and held_by(notes[i]) == ARGV[2 * i + 3]
  if valid then
    ends[#ends + 1] = lease_end
    ends[#ends + 1] = id
  end
  kept[i] = valid and 1 or 0
end
if #ends > 0 then
  redis.call('ZADD', schedule, unpack(ends))
end
return {'EXTENDED', kept}
