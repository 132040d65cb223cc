#!lua
-- Schedules entries, or moves them. An entry that is held by a claim stays with its holder: the time is noted beside its
-- fence and comes into force when the holder settles it, so a put is never swallowed by a done.
-- KEYS  incarnation, schedule, fences
-- ARGV  pass, now, only_new (1: what is on the schedule stays as it is), pairs of id and due…
-- REPLY PUT scheduled noted
-- REPLY REBUILDING
-- COST  O(m log n) for m pairs; at most 500 of them
--@include clock
--@include guard
--@include fences
--@include due
local incarnation, schedule, fences = KEYS[1], KEYS[2], KEYS[3]
local pass, now, only_new = ARGV[1], now_us(ARGV[2]), ARGV[3] == '1'

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end

local ids = {}
for i = 4, #ARGV, 2 do
  ids[#ids + 1] = ARGV[i]
end
local notes = redis.call('HMGET', fences, unpack(ids))

local free, held = {}, {}
for i, id in ipairs(ids) do
  local at = due_ms(ARGV[2 * i + 3], now)
  if notes[i] and not only_new then
    local fence, wish = held_by(notes[i])
    held[#held + 1] = id
    held[#held + 1] = fence .. ' ' .. string.format('%.0f', math.min(at, wish or at))
  elseif not notes[i] then
    free[#free + 1] = at
    free[#free + 1] = id
  end
end
local scheduled = #free / 2
if #free > 0 then
  if only_new then
    scheduled = redis.call('ZADD', schedule, 'NX', unpack(free))
  else
    redis.call('ZADD', schedule, unpack(free))
  end
end
if #held > 0 then
  redis.call('HSET', fences, unpack(held))
end
return {'PUT', scheduled, #held / 2}
