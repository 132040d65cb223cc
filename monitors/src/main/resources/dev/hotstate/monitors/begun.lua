#!lua
-- The job of a push monitor says that it began: it must end within its grace. Whoever was about to miss it is refused.
-- KEYS  incarnation, schedule, fences, status
-- ARGV  pass, now, id, grace_ms, status_ttl_ms
-- REPLY BEGUN
-- REPLY ABSENT
-- REPLY REBUILDING
-- COST  O(log n)
--@include clock
--@include guard
local incarnation, schedule, fences, status = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local pass, now, id, grace, status_ttl = ARGV[1], now_us(ARGV[2]), ARGV[3], ARGV[4] + 0, ARGV[5]
local now_ms = math.floor(now / 1000)

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end
if not redis.call('ZSCORE', schedule, id) then
  return {'ABSENT'}
end
-- The next outcome writes the status anew, without this.
redis.call('HSET', status, 'started_at', string.format('%d', now_ms), 'kind', '')
redis.call('PEXPIRE', status, status_ttl)
redis.call('ZADD', schedule, now_ms + grace, id)
redis.call('HDEL', fences, id)
return {'BEGUN'}
