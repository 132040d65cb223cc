#!lua
-- Brings a piece of a job: its hash, tasks and graph; the piece that opens it makes it run. Until then it is LOADING and
-- nothing of it can be claimed. A piece may come again, and from several at once; of a job that is open nothing changes,
-- unless the piece is of a later epoch: then the first such piece takes the place of all that was there.
-- A job that comes whole, in one piece, has its first tasks ready at once; else that is left to the next calls that
-- advance the partition (the step START), as the work of a call is bounded.
-- KEYS  incarnation, job, edges, roots, visited, dependents, pending, triggers, results, parked, steps, delayed, leases, lapsed, archive, waiting, lanes
-- ARGV  pass, now, id, epoch, opens (1: this is the last piece), whole (1: and the first), start_ms (empty: now), status,
--       name, created_by, created_at, tasks, open, succeeded, failed, skipped, ruled, how many shapes, how many tasks,
--       shapes as max_retries, lane, priority, timeout, backoff, trigger, spec…,
--       tasks as id, name, shape, status, retry_count, needs, pending, dependents, input, result…,
--       further parts of dependents as field, ids…
-- REPLY LOADED waiting (1: somebody waits for tasks), lanes that were empty and are not any more as queue:run…
-- REPLY ALREADY
-- REPLY REBUILDING
-- COST  O(n) for n tasks; at most 500 of them, and about 3 ms
--@include clock
--@include guard
--@include base
--@include progress
--@include ready_rank
local incarnation, job, edges, roots, visited, dependents = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local pending, triggers, results, parked, steps = KEYS[7], KEYS[8], KEYS[9], KEYS[10], KEYS[11]
local delayed, leases, lapsed, archive, waiting, lanes = KEYS[12], KEYS[13], KEYS[14], KEYS[15], KEYS[16], KEYS[17]
local pass, now, id, epoch, opens, whole = ARGV[1], now_us(ARGV[2]), ARGV[3], ARGV[4], ARGV[5] == '1', ARGV[6] == '1'
local start, status, open, failed = ARGV[7], ARGV[8], ARGV[13] + 0, ARGV[15] + 0
local SHAPE, TASK = 7, 10
local now_ms = math.floor(now / 1000)
local at = string.format('%d', now_ms)
local base = base_of(incarnation)
local call = redis.call

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end
local known = call('HGET', job, 'progress')
local before = known and progress_of(known)
local anew = not before or tonumber(before.epoch) < tonumber(epoch)
if not anew and (before.status ~= 'LOADING' or before.epoch ~= epoch) then
  return {'ALREADY'}
end

local shapes, first = {}, 20
for i = 1, ARGV[18] + 0 do
  shapes[i] = first
  first = first + SHAPE
end
local count = ARGV[19] + 0
local begins = opens and whole and start == '' and open > 0
local again = epoch ~= '1' and count > 0

local names, logs, members = {}, {}, {}
for i = 1, count do
  local member = id .. ':' .. ARGV[first + TASK * (i - 1)]
  names[i] = base .. 'task:' .. member
  if again then
    members[i], logs[i] = member, names[i] .. ':logs'
  end
end
local there = count > 0 and call('EXISTS', unpack(names)) > 0
local logged = again and call('EXISTS', unpack(logs)) > 0
local depths, prefix = {}, base .. 'ready:'
if begins or again then
  for i = 1, #shapes do
    local lane = ARGV[shapes[i] + 1]
    depths[lane] = depths[lane] or call('ZCARD', prefix .. lane)
  end
end
local waited, wakes = begins and call('EXISTS', waiting) or 0, 0
for _ in pairs(begins and depths or {}) do
  wakes = wakes + 1
end
--@include lanes_read

if anew then
  call('UNLINK', job, edges, roots, visited, dependents, pending, triggers, results, parked)
end
if there then
  call('UNLINK', unpack(names))
end
if logged then
  call('UNLINK', unpack(logs))
end
if again then
  -- What an earlier epoch left in the sets would be taken for this one's.
  call('ZREM', leases, unpack(members))
  call('ZREM', delayed, id .. ':', unpack(members))
  call('ZREM', lapsed, unpack(members))
  for lane, depth in pairs(depths) do
    if depth > 0 then
      depths[lane] = depth - call('ZREM', prefix .. lane, unpack(members))
    end
  end
end

local needs_of, root, ended, told_to, left, rules, given = {}, {}, {}, {}, {}, {}, {}
local ready, ready_count, held_back, scores = {}, 0, {}, {}
for i = 1, count do
  local p = first + TASK * (i - 1)
  local task, s = ARGV[p], shapes[ARGV[p + 2] + 0]
  local state, retries, needs, input, result = ARGV[p + 3], ARGV[p + 4], ARGV[p + 5], ARGV[p + 8], ARGV[p + 9]
  local most, lane, priority, spec = ARGV[s], ARGV[s + 1], ARGV[s + 2], ARGV[s + 6]
  if state == 'READY' then
    if begins then
      ready_count = ready_count + 1
      if status == 'PAUSED' then
        held_back[#held_back + 1] = task
      else
        local list = ready[lane]
        if not list then
          list = {}
          ready[lane] = list
        end
        scores[priority] = scores[priority]
          or rank_of(group_of(priority, false), now)
        list[#list + 1] = scores[priority]
        list[#list + 1] = id .. ':' .. task
      end
    else
      state = 'WAITING'
    end
  elseif state ~= 'WAITING' then
    ended[#ended + 1] = task
  end
  local has = input ~= '' and (spec ~= '' and 'is' or 'i') or spec ~= '' and 's' or '-'
  local alone = needs == '' and 'n' or not string.find(needs, ',', 1, true) and 'o' or ''
  local kit = retries .. ' ' .. most .. ' ' .. ARGV[s + 3] .. ' ' .. ARGV[s + 4] .. ' ' .. priority .. ' ' .. alone .. has .. ' ' .. lane
  if has == '-' then
    call('HSET', names[i], 'status', state, 'kit', kit, 'retry_count', retries, 'max_retries', most, 'id', task, 'job_id', id,
      'name', ARGV[p + 1])
  else
    call('HSET', names[i], 'status', state, 'kit', kit, 'retry_count', retries, 'max_retries', most, 'id', task, 'job_id', id,
      'name', ARGV[p + 1], 'input', input, 'spec', spec)
  end

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
  if ARGV[s + 5] ~= 'all_success' then
    rules[#rules + 1] = task
    rules[#rules + 1] = ARGV[s + 5]
  end
  if result ~= '' then
    given[#given + 1] = task
    given[#given + 1] = result
  end
end
for i = first + TASK * count, #ARGV do
  told_to[#told_to + 1] = ARGV[i]
end

if #needs_of > 0 then
  call('HSET', edges, unpack(needs_of))
end
if #told_to > 0 then
  call('HSET', dependents, unpack(told_to))
end
if #left > 0 then
  call('HSET', pending, unpack(left))
end
if #rules > 0 then
  call('HSET', triggers, unpack(rules))
end
if #given > 0 then
  call('HSET', results, unpack(given))
end
if #root > 0 then
  call('SADD', roots, unpack(root))
end
if #ended > 0 then
  call('SADD', visited, unpack(ended))
end
if #held_back > 0 then
  call('SADD', parked, unpack(held_back))
end

local finished = opens and open == 0
if finished then
  status = failed > 0 and 'FAILED' or 'SUCCEEDED'
elseif not opens then
  status = 'LOADING'
end
local has_results = (#given > 0 or not anew and before.results == '1') and '1' or '0'
local progress = progress_text({
  status = status, epoch = epoch, open = open, SUCCEEDED = ARGV[14] + 0, FAILED = failed, SKIPPED = ARGV[16] + 0,
  READY = ready_count, RUNNING = 0, DELAYED = 0, ruled = ARGV[17], results = has_results, started = '-',
  finished = finished and at or '-'
})
call('HSET', job, 'status', status, 'progress', progress, 'id', id, 'name', ARGV[9], 'created_by', ARGV[10],
  'created_at', ARGV[11], 'tasks', ARGV[12])

--@include lanes_write
local woken = {}
for lane, list in pairs(ready) do
  call('ZADD', prefix .. lane, unpack(list))
  if depths[lane] == 0 then
    woken[#woken + 1] = lane
    call('ZADD', lanes, now_ms, lane)
  end
end
if opens then
  if not finished and start ~= '' then
    call('ZADD', delayed, start, id .. ':')
  elseif not finished and not begins then
    call('RPUSH', steps, id .. ': 0 START ' .. epoch)
  end
  call('XADD', archive, '*', 'happened', table.concat({at, id .. ':', epoch, status, '', '', ''}, '\031'))
end
return {'LOADED', waited, woken}
