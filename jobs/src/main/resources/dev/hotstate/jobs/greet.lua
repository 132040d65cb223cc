#!lua
-- Notes that a worker asked for tasks, and forgets those that have not for a while.
-- KEYS  incarnation, workers
-- ARGV  pass, now, worker and its queues, forget_ms
-- REPLY GREETED
-- REPLY REBUILDING
-- COST  O(log n)
--@include clock
--@include guard
local incarnation, workers = KEYS[1], KEYS[2]
local pass, now, worker, forget = ARGV[1], now_us(ARGV[2]), ARGV[3], ARGV[4] + 0
local now_ms = math.floor(now / 1000)

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end
redis.call('ZADD', workers, now_ms, worker)
redis.call('ZREMRANGEBYSCORE', workers, '-inf', now_ms - forget)
redis.call('ZREMRANGEBYRANK', workers, 0, -10001)
return {'GREETED'}
