#!lua flags=no-writes
-- Which of some tasks of a job nothing will ever move on: one that is ready but in no ready set, that runs but is neither held
-- nor lapsed, that is delayed but in no set either; and with an empty id the job itself, where tasks wait, none of them moves,
-- and no step is left to be taken. Of a job that is paused, that has ended or that has steps left, none is.
-- KEYS  incarnation, job, steps, leases, delayed, lapsed
-- ARGV  id, tasks…
-- REPLY CHECKED tasks that are stuck…
-- COST  O(m log n) for m tasks; at most 500 of them, and the first 1,000 steps
--@include base
--@include progress
--@include kit
local incarnation, job, steps = KEYS[1], KEYS[2], KEYS[3]
local sets, id = {leases = KEYS[4], delayed = KEYS[5], lapsed = KEYS[6]}, ARGV[1]
local base, call = base_of(incarnation), redis.call

local known = call('HGET', job, 'progress')
local p = known and progress_of(known)
if not p or p.status ~= 'RUNNING' and p.status ~= 'PENDING' or call('ZSCORE', sets.delayed, id .. ':') then
  return {'CHECKED', {}}
end
local first = call('LRANGE', steps, 0, 999)
for i = 1, #first do
  if string.sub(first[i], 1, #id + 1) == id .. ':' then
    return {'CHECKED', {}}
  end
end
local stuck = {}
if #first < 1000 and p.open > 0 and p.READY + p.RUNNING + p.DELAYED == 0 then
  stuck[1] = ''
end
for i = 2, #ARGV do
  local member = id .. ':' .. ARGV[i]
  local h = call('HMGET', base .. 'task:' .. member, 'status', 'kit')
  local moves = true
  if h[1] == 'READY' then
    local _, _, _, _, _, _, lane = kit_of(h[2])
    moves = call('ZSCORE', base .. 'ready:' .. lane, member)
  elseif h[1] == 'RUNNING' then
    moves = call('ZSCORE', sets.leases, member) or call('ZSCORE', sets.lapsed, member)
  elseif h[1] == 'DELAYED' then
    moves = call('ZSCORE', sets.delayed, member)
  end
  if not moves then
    stuck[#stuck + 1] = ARGV[i]
  end
end
return {'CHECKED', stuck}
