#!lua
-- Takes entries off the schedule, held or not; a holder's fence is stale from then on.
-- KEYS  incarnation, schedule, fences
-- ARGV  pass, now, ids…
-- REPLY DROPPED how many were there
-- REPLY REBUILDING
-- COST  O(m log n) for m ids; at most 500 of them
--@include clock
--@include guard
local incarnation, schedule, fences = KEYS[1], KEYS[2], KEYS[3]
local pass, now = ARGV[1], now_us(ARGV[2])

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end

local dropped = 0
for i = 3, #ARGV do
  dropped = dropped + redis.call('ZREM', schedule, ARGV[i])
  redis.call('HDEL', fences, ARGV[i])
end
return {'DROPPED', dropped}
