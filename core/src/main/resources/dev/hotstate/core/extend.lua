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

local kept = {}
for i = 4, #ARGV, 2 do
  local id = ARGV[i]
  local note = redis.call('HGET', fences, id)
  local valid = note and held_by(note) == ARGV[i + 1]
  if valid then
    redis.call('ZADD', schedule, math.floor(now / 1000) + lease, id)
  end
  kept[#kept + 1] = valid and 1 or 0
end
return {'EXTENDED', kept}
