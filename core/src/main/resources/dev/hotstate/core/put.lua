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

local ids = {}
for i = 3, #ARGV, 2 do
  ids[#ids + 1] = ARGV[i]
end
local notes = redis.call('HMGET', fences, unpack(ids))

local free, held = {}, {}
for i, id in ipairs(ids) do
  local at = due_ms(ARGV[2 * i + 2], now)
  if notes[i] then
    local fence, wish = held_by(notes[i])
    held[#held + 1] = id
    held[#held + 1] = fence .. ' ' .. string.format('%.0f', math.min(at, wish or at))
  else
    free[#free + 1] = at
    free[#free + 1] = id
  end
end
if #free > 0 then
  redis.call('ZADD', schedule, unpack(free))
end
if #held > 0 then
  redis.call('HSET', fences, unpack(held))
end
return {'PUT', #free / 2, #held / 2}
