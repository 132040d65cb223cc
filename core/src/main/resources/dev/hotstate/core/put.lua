#!lua
-- Schedules entries, or moves them. An entry that is held by a claim stays with its holder: the time is noted beside its
-- fence and comes into force when the holder settles it, so a put is never swallowed by a done.
-- KEYS  incarnation, schedule, fences
-- ARGV  pass, now, pairs of id and due…
-- REPLY PUT scheduled noted
-- REPLY REBUILDING
-- COST  O(m log n) for m pairs; at most 500 of them
--@include clock
--@include guard
--@include fences
--@include due
local incarnation, schedule, fences = KEYS[1], KEYS[2], KEYS[3]
local pass, now = ARGV[1], now_us(ARGV[2])

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end

local scheduled, noted = 0, 0
for i = 3, #ARGV, 2 do
  local id, at = ARGV[i], due_ms(ARGV[i + 1], now)
  local note = redis.call('HGET', fences, id)
  if note then
    local fence, wish = held_by(note)
    redis.call('HSET', fences, id, fence .. ' ' .. string.format('%.0f', math.min(at, wish or at)))
    noted = noted + 1
  else
    redis.call('ZADD', schedule, at, id)
    scheduled = scheduled + 1
  end
end
return {'PUT', scheduled, noted}
