#!lua
-- Adds lines to a task's log, under the fence of the attempt that is under way; the last 1,000 lines are kept. Of a job that
-- was retired meanwhile they go with the task. With no lines the fence alone is looked at.
-- KEYS  incarnation, task, logs
-- ARGV  pass, now, fence, lines…
-- REPLY NOTED lines so far, also those that are gone
-- REPLY STALE
-- REPLY REBUILDING
-- COST  O(m) for m lines; at most 1,000 of them
--@include clock
--@include guard
--@include attempt
local incarnation, task, logs = KEYS[1], KEYS[2], KEYS[3]
local pass, now, fence = ARGV[1], now_us(ARGV[2]), ARGV[3]

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end
local attempt = redis.call('HGET', task, 'attempt') or '- 0 0 0 -'
local held, retries, started, logged, worker, permit = attempt_of(attempt)
if held ~= fence then
  return {'STALE'}
end
if #ARGV < 4 then
  return {'NOTED', tonumber(redis.call('HGET', task, 'log_count') or 0)}
end
local left = redis.call('PTTL', task)
local at = string.format('%d ', math.floor(now / 1000))
local lines = {}
for i = 4, #ARGV do
  lines[#lines + 1] = at .. ARGV[i]
end
redis.call('RPUSH', logs, unpack(lines))
redis.call('LTRIM', logs, -1000, -1)
if left > 0 then
  redis.call('PEXPIRE', logs, left)
end
if logged == '0' then
  local words = {held, retries, started, '1', worker, permit and 'p:' .. permit}
  redis.call('HSET', task, 'attempt', table.concat(words, ' '))
end
return {'NOTED', redis.call('HINCRBY', task, 'log_count', #lines)}
