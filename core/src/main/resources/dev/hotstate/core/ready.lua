#!lua
-- Ends a rebuild: the partition is whole, and admits those who hold its number.
-- KEYS  incarnation
-- ARGV  pass, now, hold_us
-- REPLY READY beat
-- REPLY REFUSED pass, empty when there is none (the rebuilder was replaced, or Redis was lost again)
-- COST  O(1)
--@include clock
--@include process
local incarnation = KEYS[1]
local pass, now, hold = ARGV[1], now_us(ARGV[2]), tonumber(ARGV[3])

local held = redis.call('HMGET', incarnation, 'pass', 'run_id')
local run_id = process()
if held[1] ~= pass or held[2] ~= run_id then
  return {'REFUSED', held[1] or ''}
end
redis.call('HSET', incarnation, 'pass', string.match(pass, '^%d+'), 'beat', now, 'until', now + hold)
redis.call('HDEL', incarnation, 'cursor')
return {'READY', string.format('%.0f', now)}
