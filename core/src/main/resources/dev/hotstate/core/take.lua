#!lua
-- Claims one entry now, due or not, held or not: for a caller who will do it himself at once. Whoever held it is refused
-- from now on.
-- KEYS  incarnation, schedule, fences
-- ARGV  pass, now, id, lease_ms
-- REPLY TAKEN fence now_ms due_ms lapsed (1 when another claim was broken)
-- REPLY ABSENT
-- REPLY REBUILDING
-- COST  O(log n)
--@include clock
--@include guard
--@include fences
local incarnation, schedule, fences = KEYS[1], KEYS[2], KEYS[3]
local pass, now, id, lease = ARGV[1], now_us(ARGV[2]), ARGV[3], tonumber(ARGV[4])
local now_ms = math.floor(now / 1000)

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end

local due = redis.call('ZSCORE', schedule, id)
if not due then
  return {'ABSENT'}
end

local note = redis.call('HGET', fences, id)
local _, wish = held_by(note or '-')
local count = math.max((tonumber(redis.call('HGET', incarnation, 'fence')) or 0) + 1, now)
local fence = string.match(pass, '^%d+') .. '-' .. string.format('%.0f', count)

redis.call('ZADD', schedule, now_ms + lease, id)
redis.call('HSET', fences, id, wish and fence .. ' ' .. string.format('%.0f', wish) or fence)
redis.call('HSET', incarnation, 'fence', count)
return {'TAKEN', fence, now_ms, due, note and 1 or 0}
