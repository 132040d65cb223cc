#!lua
-- Brings a piece of a job: its hash, tasks and graph; the piece that opens it makes it run. Until then it is LOADING and
-- nothing of it can be claimed. A piece may come again, and from several at once; of a job that is open nothing changes,
-- unless the piece is of a later epoch: then the first such piece takes the place of all that was there.
-- A job that comes whole, in one piece, has its first tasks ready at once; else that is left to the next calls that
-- advance the partition (the step START), as the work of a call is bounded.
-- KEYS  incarnation, job, edges, roots, visited, dependents, pending, triggers, results, parked, steps, delayed, archive, waiting, lanes
-- ARGV  pass, now, id, epoch, opens (1: this is the last piece), whole (1: and the first), start_ms (empty: now), status,
--       name, created_by, created_at, tasks, open, succeeded, failed, skipped, ruled, how many shapes, how many tasks,
--       shapes as max_retries, queue, run, priority, backoff, timeout, trigger, spec…,
--       tasks as id, name, shape, status, retry_count, needs, pending, dependents, input, result…,
--       further parts of dependents as field, ids…
-- REPLY LOADED waiting (1: somebody waits for tasks), lanes that were empty and are not any more as queue:run…
-- REPLY ALREADY
-- REPLY REBUILDING
-- COST  O(n) for n tasks; at most 500 of them, and about 2 ms
--@include clock
--@include guard
--@include base
--@include told
local incarnation, job, edges, roots, visited, dependents = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local pending, triggers, results, parked, steps = KEYS[7], KEYS[8], KEYS[9], KEYS[10], KEYS[11]
local delayed, archive, waiting, lanes = KEYS[12], KEYS[13], KEYS[14], KEYS[15]
local pass, now, id, epoch, opens, whole = ARGV[1], now_us(ARGV[2]), ARGV[3], ARGV[4], ARGV[5] == '1', ARGV[6] == '1'
local start, status, open, failed = ARGV[7], ARGV[8], ARGV[13] + 0, ARGV[15] + 0
local now_ms = math.floor(now / 1000)
local at = string.format('%d', now_ms)
local base = base_of(incarnation)

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end
local known = redis.call('HMGET', job, 'status', 'epoch')
local anew = not known[1] or tonumber(known[2]) < tonumber(epoch)
if not anew and (known[1] ~= 'LOADING' or known[2] ~= epoch) then
  return {'ALREADY'}
end

local shapes, from = {}, 20
for i = 1, ARGV[18] + 0 do
  shapes[i] = from
  from = from + 8
end
local first, count = from, ARGV[19] + 0
local begins = opens and whole and start == '' and open > 0

local names, leftover = {}, {}
for i = 1, count do
  local name = base .. 'task:' .. id .. ':' .. ARGV[first + 10 * (i - 1)]
  names[i] = name
  if epoch ~= '1' then
    leftover[#leftover + 1] = name .. ':logs'
  end
end
local there = count > 0 and redis.call('EXISTS', unpack(names)) > 0
local logs = #leftover > 0 and redis.call('EXISTS', unpack(leftover)) > 0
local depths = {}
if begins then
  for i = 1, #shapes do
    local lane = ARGV[shapes[i] + 1] .. ':' .. ARGV[shapes[i] + 2]
    if not depths[lane] then
      depths[lane] = redis.call('ZCARD', base .. 'jobs:ready:' .. lane)
    end
  end
end
local waited = begins and redis.call('EXISTS', waiting) or 0

if anew then
  redis.call('UNLINK', job, edges, roots, visited, dependents, pending, triggers, results, parked)
end
if there then
  redis.call('UNLINK', unpack(names))
end
if logs then
  redis.call('UNLINK', unpack(leftover))
end

local needs_of, root, ended, told_to, left, rules, given = {}, {}, {}, {}, {}, {}, {}
local ready, ready_count, held_back = {}, 0, {}
for i = 1, count do
  local p = first + 10 * (i - 1)
  local task, s = ARGV[p], shapes[ARGV[p + 2] + 0]
  local state, needs, input, result = ARGV[p + 3], ARGV[p + 5], ARGV[p + 8], ARGV[p + 9]
  if state == 'READY' then
    if begins then
      ready_count = ready_count + 1
      if status == 'PAUSED' then
        held_back[#held_back + 1] = task
      else
        local lane = ARGV[s + 1] .. ':' .. ARGV[s + 2]
        local list = ready[lane]
        if not list then
          list = {}
          ready[lane] = list
        end
        list[#list + 1] = (9 - ARGV[s + 3]) * 562949953421312 + now - 1767225600000000 + ready_count
        list[#list + 1] = id .. ':' .. task
      end
    else
      state = 'WAITING'
    end
  elseif state ~= 'WAITING' then
    ended[#ended + 1] = task
  end
  local fields = {
    'status', state, 'retry_count', ARGV[p + 4], 'max_retries', ARGV[s], 'queue', ARGV[s + 1], 'run', ARGV[s + 2],
    'priority', ARGV[s + 3], 'timeout', ARGV[s + 5], 'backoff', ARGV[s + 4], 'id', task, 'job_id', id, 'name', ARGV[p + 1]
  }
  if input ~= '' then
    fields[#fields + 1] = 'input'
    fields[#fields + 1] = input
  end
  if ARGV[s + 7] ~= '' then
    fields[#fields + 1] = 'spec'
    fields[#fields + 1] = ARGV[s + 7]
  end
  redis.call('HSET', names[i], unpack(fields))

  needs_of[#needs_of + 1] = task
  needs_of[#needs_of + 1] = needs
  if needs == '' then
    root[#root + 1] = task
  end
  if ARGV[p + 6] ~= '' then
    left[#left + 1] = task
    left[#left + 1] = ARGV[p + 6]
  end
  if ARGV[p + 7] ~= '' then
    told_to[#told_to + 1] = task
    told_to[#told_to + 1] = ARGV[p + 7]
  end
  if ARGV[s + 6] ~= 'all_success' then
    rules[#rules + 1] = task
    rules[#rules + 1] = ARGV[s + 6]
  end
  if result ~= '' then
    given[#given + 1] = task
    given[#given + 1] = result
  end
end
for i = first + 10 * count, #ARGV do
  told_to[#told_to + 1] = ARGV[i]
end

for _, hash in ipairs({{edges, needs_of}, {dependents, told_to}, {pending, left}, {triggers, rules}, {results, given}}) do
  if #hash[2] > 0 then
    redis.call('HSET', hash[1], unpack(hash[2]))
  end
end
for _, set in ipairs({{roots, root}, {visited, ended}, {parked, held_back}}) do
  if #set[2] > 0 then
    redis.call('SADD', set[1], unpack(set[2]))
  end
end

local finished = opens and open == 0
if finished then
  status = failed > 0 and 'FAILED' or 'SUCCEEDED'
end
if anew or opens then
  local fields = {
    'id', id, 'name', ARGV[9], 'created_by', ARGV[10], 'created_at', ARGV[11], 'status', opens and status or 'LOADING',
    'epoch', epoch, 'tasks', ARGV[12], 'open', open, 'succeeded', ARGV[14], 'failed', failed, 'skipped', ARGV[16],
    'ready', ready_count, 'running', 0, 'delayed', 0, 'ruled', ARGV[17]
  }
  if finished then
    fields[#fields + 1] = 'finished_at'
    fields[#fields + 1] = at
  end
  redis.call('HSET', job, unpack(fields))
end
if #given > 0 then
  redis.call('HSET', job, 'results', 1)
end

local woken = {}
for lane, list in pairs(ready) do
  redis.call('ZADD', base .. 'jobs:ready:' .. lane, unpack(list))
  if depths[lane] == 0 then
    woken[#woken + 1] = lane
    redis.call('ZADD', lanes, now_ms, lane)
    redis.call('ZREMRANGEBYRANK', lanes, 0, -1001)
  end
end
if opens then
  if not finished and start ~= '' then
    redis.call('ZADD', delayed, start, id .. ':')
  elseif not finished and not begins then
    redis.call('RPUSH', steps, id .. ': 0 START ' .. epoch)
  end
  redis.call('XADD', archive, '*', id .. ':', told(epoch, '0', status, at, nil, nil, '0', '', ''))
end
return {'LOADED', waited, woken}
