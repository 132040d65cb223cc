#!lua
-- Moves monitors into maintenance or out of it in the index of states; their outcomes stay as they are.
-- KEYS  incarnation, states, status and incident and retry of each…
-- ARGV  pass, now, maintenance, triples of id, failure_threshold, stale_after_ms…
-- REPLY COVERED how many are on the index
-- REPLY REBUILDING
-- COST  O(m log n) for m monitors; at most 100 of them
--@include clock
--@include guard
--@include rank
local incarnation, states = KEYS[1], KEYS[2]
local pass, now, covered = ARGV[1], now_us(ARGV[2]), ARGV[3] == '1'

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end
local scores = {}
for i = 0, (#ARGV - 3) / 3 - 1 do
  local id, threshold, stale_after = ARGV[3 * i + 4], ARGV[3 * i + 5] + 0, ARGV[3 * i + 6] + 0
  local status, incident, retry = KEYS[3 * i + 3], KEYS[3 * i + 4], KEYS[3 * i + 5]
  if redis.call('ZSCORE', states, id) then
    local checked_at = redis.call('HGET', status, 'checked_at')
    local failures = (redis.call('HGET', incident, 'failure_count') or 0) + 0
    local retrying = redis.call('EXISTS', retry) == 1
    scores[#scores + 1] = standing(covered, checked_at, failures, threshold, retrying, stale_after)
    scores[#scores + 1] = id
  end
end
if #scores > 0 then
  redis.call('ZADD', states, unpack(scores))
end
return {'COVERED', #scores / 2}
