#!lua
-- Moves monitors into maintenance or out of it in the index of states; their outcomes stay as they are. What comes out of it
-- and failed last is due at once: nothing of that has counted, and its turn may be far.
-- KEYS  incarnation, states, schedule, fences, status and incident and retry of each…
-- ARGV  pass, now, maintenance, four for each: id, failure_threshold, stale_after_ms, asked (1: it can be checked at any time)
-- REPLY COVERED how many are on the index
-- REPLY REBUILDING
-- COST  O(m log n) for m monitors; at most 100 of them
--@include clock
--@include guard
--@include rank
local OWN_KEYS, OWN_ARGS = 3, 4
local incarnation, states, schedule, fences = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local pass, now, covered = ARGV[1], now_us(ARGV[2]), ARGV[3] == '1'

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end
local scores = {}
for i = 0, (#ARGV - 3) / OWN_ARGS - 1 do
  local arg, own = 3 + OWN_ARGS * i, 4 + OWN_KEYS * i
  local id, threshold, stale_after, asked = ARGV[arg + 1], ARGV[arg + 2] + 0, ARGV[arg + 3] + 0, ARGV[arg + 4] == '1'
  local status, incident, retry = KEYS[own + 1], KEYS[own + 2], KEYS[own + 3]
  if redis.call('ZSCORE', states, id) then
    local last = redis.call('HMGET', status, 'checked_at', 'ok')
    local failures = (redis.call('HGET', incident, 'failure_count') or 0) + 0
    local failed = last[2] == '0'
    local failing = failed or redis.call('EXISTS', retry) == 1
    scores[#scores + 1] = standing(covered, last[1], failures, threshold, failing, stale_after)
    scores[#scores + 1] = id
    if failed and asked and not covered and redis.call('HEXISTS', fences, id) == 0 then
      redis.call('ZADD', schedule, 'XX', 'LT', string.format('%d', math.floor(now / 1000)), id)
    end
  end
end
if #scores > 0 then
  redis.call('ZADD', states, unpack(scores))
end
return {'COVERED', #scores / 2}
