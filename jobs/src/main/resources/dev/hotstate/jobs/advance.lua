#!lua flags=allow-oom
-- Ends attempts and hands out the next tasks, in one call. In this order: endings whose fence is still the task's count;
-- what is due is taken up (delayed tasks and jobs, leases that ran out); those that need a task are told that it ended;
-- of what is ready so much is handed out under a new fence as is wanted.
-- How many are told in a call is bounded: what is left stands in the list of steps, and each call begins with those.
-- A lease that ran out spends an attempt. After the last one the task is kept as lapsed, for PostgreSQL may know that its
-- effects are committed; so is one whose last attempt failed, if it may have effects. After a silence (nobody could reach
-- Redis) leases that ran out meanwhile get a while more.
-- Everything is read and planned first, then written: keys that are derived here are never written unread. Replies of one
-- string, few tables and few numbers made into text are what keeps it fast: each costs as much as a lookup.
-- KEYS  incarnation, leases, delayed, steps, lapsed, archive, waiting, lanes, ready…
-- ARGV  pass, now, worker, max, lease_ms, wait (1: the caller waits if nothing is there), limit (entries of the archive
--       beyond which nothing is handed out), spare_ms, chance (0 to 1), how many endings,
--       endings as job, task, fence and a space, and a letter (c: completed, f: failed, x: failed for good; u, v: the same, but
--       perhaps its effects are committed; r: released; of a lapsed one, p: proved, l: lost) followed by its result or error…,
--       permits, one a task that may be handed out, or none…
-- REPLY ADVANCED now_ms, fence, for each ending a letter (D: done, R: done before by this very claim, S: stale, U: unknown), permits that
--       are free as queue and permit…, what was handed out as "job:task epoch retries last lane until timeout has results" (lane: 1 for the first;
--       has: i, s, is or -; results: how many, and + where some were left out) and after each its input, its spec, its
--       results as task and JSON, the ids of those left out parted by commas…,
--       lanes that have become ready as queue:run…, waiting, due_ms (-1: nothing), more, congested
-- REPLY REBUILDING
-- COST  O((endings + max + 700) log n), and 4 MB of what is handed out
--@include clock
--@include guard
--@include base
--@include progress
--@include attempt
--@include kit
--@include decide
local incarnation, leases, delayed, steps, lapsed = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local archive, waiting, lanes = KEYS[6], KEYS[7], KEYS[8]
local pass, now, worker, max, lease = ARGV[1], now_us(ARGV[2]), ARGV[3], ARGV[4] + 0, ARGV[5] + 0
local wait, limit, spare, chance, endings = ARGV[6] == '1', ARGV[7] + 0, ARGV[8] + 0, ARGV[9] + 0, ARGV[10] + 0
local DUE, TOLD, PART, LINES, SLICE = 100, 500, 250, 250, 16
local now_ms = math.floor(now / 1000)
local at = string.format('%d', now_ms)
local call, sub, find, match, gmatch = redis.call, string.sub, string.find, string.match, string.gmatch

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end
local base = base_of(incarnation)
local task_prefix, ready_prefix = base .. 'task:', base .. 'jobs:ready:'

-- Jobs that were read; the tasks that are to change, as key, status and attempt, and further fields of some; all that
-- happened, as job:task, epoch, state, attempt (of a job, when it began), error, result.
local jobs, read = {}, {}
local plan, planned, changes, further = {}, {}, 0, {}
local happened, events = {at}, 1
local unread, leave, hold, rest, arrive, lapse, unlapse = {}, {}, {}, {}, {}, {}, {}
local leaves, holds = 0, 0

local function job_of(id)
  local job = jobs[id]
  if job == nil then
    local name = base .. 'job:' .. id
    local known = call('HGET', name, 'progress')
    job = known and progress_of(known) or false
    if job and job.status == 'LOADING' then
      job = false
    elseif job then
      local status = job.status
      job.id = id
      job.name = name
      job.dag = base .. 'dag:' .. id .. ':'
      job.live = status == 'RUNNING' or status == 'PENDING' or status == 'PAUSED'
      read[#read + 1] = job
    end
    jobs[id] = job
  end
  return job
end

local function change(member, key, status, attempt, more, by)
  local i = planned[member]
  if not i then
    i = changes
    changes = changes + 4
    planned[member] = i
    plan[i + 1] = key
  end
  plan[i + 2] = status
  plan[i + 3] = attempt or plan[i + 3] or false
  plan[i + 4] = by or plan[i + 4] or false
  if more then
    further[i] = more
  end
end

local function moved(job, from, to)
  job[from] = job[from] - 1
  job[to] = job[to] + 1
  job.changed = true
end

local function archived(member, epoch, state, attempt, error, result)
  happened[events + 1] = member
  happened[events + 2] = epoch
  happened[events + 3] = state
  happened[events + 4] = attempt
  happened[events + 5] = error
  happened[events + 6] = result
  events = events + 6
end

-- Those that are to be told: each job has its own queue of task, part and what happened to it.
local todo = {}
local function tell(job, task, part, what)
  local queue, n = job.queue, job.queued
  if not queue then
    queue, n = {}, 0
    job.queue = queue
    todo[#todo + 1] = job
  end
  queue[n + 1] = task
  queue[n + 2] = part
  queue[n + 3] = what
  job.queued = n + 3
end

local function ended(job, task, what)
  local visited = job.visited
  if not visited then
    visited = {}
    job.visited = visited
    unread[#unread + 1] = job.dag .. 'visited'
  end
  job.open = job.open - 1
  visited[#visited + 1] = task
  tell(job, task, 0, what)
end

local function park(job, task)
  if not job.park then
    job.park = {}
    unread[#unread + 1] = job.dag .. 'parked'
  end
  job.park[#job.park + 1] = task
end

-- What a kit says is worked out once a call: most tasks of a job have the same.
local kits = {}
local function read_kit(text)
  local kit = kits[text]
  if not kit then
    kit = {}
    kit.retries, kit.most, kit.timeout, kit.backoff, kit.priority, kit.has, kit.lane = kit_of(text)
    kit.logged = '0'
    if sub(kit.has, 1, 1) == 'l' then
      kit.logged, kit.has = '1', sub(kit.has, 2)
    end
    kits[text] = kit
  end
  return kit
end

-- Tasks that have just become ready, by lane and priority: as member, job, task, kit.
local fresh, fresh_lanes = {}, {}
local function ready(job, task, member, key, text)
  if job.status == 'PAUSED' then
    park(job, task)
    change(member, key, 'READY')
    return
  end
  local kit = read_kit(text)
  local lists = fresh[kit.lane]
  if not lists then
    lists = {}
    fresh[kit.lane] = lists
    fresh_lanes[#fresh_lanes + 1] = kit.lane
  end
  local list = lists[kit.priority]
  if not list then
    list = {}
    lists[kit.priority] = list
  end
  local n = #list
  list[n + 1] = member
  list[n + 2] = job
  list[n + 3] = task
  list[n + 4] = key
  list[n + 5] = kit
end

-- What an attempt has logged is the task's: also where a later one logs nothing.
local function kept_log(text, attempt)
  local _, _, _, logged = attempt_of(attempt)
  return logged == '1' and string.gsub(text, '^(%d+ %d+ %d+ %d+ %d )([^l])', '%1l%2') or text
end

-- An attempt has failed and another one comes: at once, or after a pause that doubles with each.
local function again(job, task, member, key, attempt, error, pauses, by)
  local _, retries = attempt_of(attempt)
  local text = call('HGET', key, 'kit')
  local made = text_of(retries + 1)
  local backoff = read_kit(text).backoff
  text = made .. sub(kept_log(text, attempt), find(text, ' ', 1, true), -1)
  local over = '-' .. at .. sub(attempt, find(attempt, ' ', 1, true), -1)
  archived(member, job.epoch, 'DELAYED', over, error, '')
  local more = {'kit', text, 'retry_count', made, 'error', error}
  if pauses then
    moved(job, 'RUNNING', 'DELAYED')
    change(member, key, 'DELAYED', over, more, by)
    arrive[#arrive + 1] = now_ms + math.floor(math.min(backoff * 2 ^ retries, 3600000) * (1 - chance / 4))
    arrive[#arrive + 1] = member
  else
    moved(job, 'RUNNING', 'READY')
    change(member, key, 'READY', over, more, by)
    ready(job, task, member, key, text)
  end
end

-- Whether this very ending has counted before: who was not answered tells it again.
local function has_counted(member, key, by)
  local i = planned[member]
  return (i and plan[i + 4] or call('HGET', key, 'ended')) == by
end

-- Endings.
local verdicts, freed, permits_from, over_now = {}, {}, 11 + 4 * endings, '-' .. at
local verdict_of = 0
for i = 11, permits_from - 1, 4 do
  local id, task, fence, text = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3]
  local kind = text
  if #text > 1 then
    kind, text = sub(text, 1, 1), sub(text, 2)
  else
    text = ''
  end
  local member = id .. ':' .. task
  local key = task_prefix .. member
  local attempt = call('HGET', key, 'attempt')
  local job = job_of(id)
  local settles = kind == 'p' or kind == 'l'
  local by = not settles and kind .. sub(fence, 1, -2) or nil
  local verdict, before = 'D', false
  if settles and attempt and sub(attempt, 1, 1) == '?' then
    attempt = sub(attempt, 2)
  end
  if not job or not attempt and call('EXISTS', key) == 0 then
    verdict = 'U'
  elseif not attempt or find(attempt, fence, 1, true) ~= 1 or not job.live or planned[member] then
    verdict = 'S'
    before = has_counted(member, key, by)
  end
  if settles then
    unlapse[#unlapse + 1] = member
    if verdict == 'D' and not call('ZSCORE', lapsed, member) then
      verdict = 'S'
    end
  end
  verdict_of = verdict_of + 1
  verdicts[verdict_of] = before and 'R' or verdict
  if verdict == 'D' then
    leaves = leaves + 1
    leave[leaves] = member
    if find(attempt, ' p:', 1, true) then
      local _, _, _, _, _, permit = attempt_of(attempt)
      freed[#freed + 1] = match(read_kit(call('HGET', key, 'kit')).lane, '^[^:]+') .. ' ' .. permit
    end
    local over = over_now .. sub(attempt, #fence)
    if kind == 'c' or kind == 'p' then
      moved(job, 'RUNNING', 'SUCCEEDED')
      change(member, key, 'SUCCEEDED', over, nil, by)
      archived(member, job.epoch, 'SUCCEEDED', over, '', text)
      if text ~= '' then
        if not job.given then
          job.given, job.results = {}, '1'
          unread[#unread + 1] = job.dag .. 'results'
        end
        job.given[#job.given + 1] = task
        job.given[#job.given + 1] = text
      end
      ended(job, task, 'SUCCEEDED')
    elseif kind == 'r' then
      moved(job, 'RUNNING', 'READY')
      local kit = kept_log(call('HGET', key, 'kit'), attempt)
      change(member, key, 'READY', over, {'kit', kit}, by)
      ready(job, task, member, key, kit)
    else
      local kit = read_kit(call('HGET', key, 'kit'))
      if (kind == 'f' or kind == 'u') and kit.retries + 0 < kit.most + 0 then
        again(job, task, member, key, attempt, text, true, by)
      elseif kind == 'u' or kind == 'v' then
        lapse[#lapse + 1] = at
        lapse[#lapse + 1] = member
        change(member, key, 'RUNNING', '?' .. attempt, {'error', text}, by)
      else
        moved(job, 'RUNNING', 'FAILED')
        change(member, key, 'FAILED', over, {'error', text}, by)
        archived(member, job.epoch, 'FAILED', over, text, '')
        ended(job, task, 'FAILED')
      end
    end
  end
end
local own = todo
todo = {}
for _, job in ipairs(own) do
  job.own = job.queue
  job.queue = false
end

-- What is due: delayed tasks, and jobs that begin now.
for _, member in ipairs(call('ZRANGE', delayed, '-inf', at, 'BYSCORE', 'LIMIT', 0, DUE)) do
  rest[#rest + 1] = member
  local id, task = match(member, '^([^:]+):(.*)$')
  local job = job_of(id)
  if job and job.live then
    if task == '' then
      tell(job, '', 0, 'START')
    else
      local key = task_prefix .. member
      local h = call('HMGET', key, 'status', 'kit')
      if h[1] == 'DELAYED' then
        moved(job, 'DELAYED', 'READY')
        ready(job, task, member, key, h[2])
      end
    end
  end
end

-- Leases that ran out.
local over = call('ZRANGE', leases, '-inf', at, 'BYSCORE', 'LIMIT', 0, DUE, 'WITHSCORES')
local state = (#over > 0 or max > 0) and call('HMGET', incarnation, 'fence', 'resumed') or {}
local resumed = math.floor((tonumber(state[2]) or 0) / 1000)
for i = 1, #over, 2 do
  local member = over[i]
  local id, task = match(member, '^([^:]+):(.*)$')
  local job = job_of(id)
  local key = task_prefix .. member
  local h = call('HMGET', key, 'attempt', 'kit')
  local fence, retries, started = attempt_of(h[1] or '- 0 0 0 -')
  if planned[member] then
    -- It has just ended.
  elseif not job or not job.live or sub(fence, 1, 1) == '-' then
    leaves = leaves + 1
    leave[leaves] = member
  elseif now_ms < resumed + spare and tonumber(over[i + 1]) <= resumed then
    hold[holds + 1] = resumed + spare
    hold[holds + 2] = member
    holds = holds + 2
  else
    local kit = read_kit(h[2])
    local late = started + kit.timeout <= now_ms
    local error = late and 'timed out' or 'lease ran out'
    leaves = leaves + 1
    leave[leaves] = member
    if retries + 0 >= kit.most + 0 then
      lapse[#lapse + 1] = at
      lapse[#lapse + 1] = member
      change(member, key, 'RUNNING', nil, {'error', error})
    else
      again(job, task, member, key, h[1], error, late)
    end
  end
end

-- Steps that earlier calls left; and then those of this call.
local lines = call('LRANGE', steps, 0, LINES - 1)
for _, line in ipairs(lines) do
  local id, task, part, what, epoch = match(line, '^([^:]+):(%S*) (%d+) (%S+) (%d+)$')
  local job = job_of(id)
  if job and job.live and job.epoch == epoch then
    tell(job, task, part + 0, what)
  end
end
for _, job in ipairs(own) do
  local queue = job.own
  job.own = false
  for i = 1, #queue, 3 do
    tell(job, queue[i], queue[i + 1], queue[i + 2])
  end
end

-- Tells dependents, in rounds: what is skipped in one is told to its own dependents in the next. One reading of
-- dependents (a slice at a time), of counts and of rules a job and round.
local budget, later, lists = TOLD, {}, {}
local function postpone(job, task, part, what)
  later[#later + 1] = job.id .. ':' .. task .. ' ' .. part .. ' ' .. what .. ' ' .. job.epoch
end
local function ids_in(text)
  local ids = lists[text]
  if not ids then
    ids = {}
    for id in gmatch(text, '[^,]+') do
      ids[#ids + 1] = id
    end
    lists[text] = ids
  end
  return ids
end
local function parked_of(job)
  if not job.unpark then
    job.unpark = {}
    unread[#unread + 1] = job.dag .. 'parked'
  end
  local tasks = call('SRANDMEMBER', job.dag .. 'parked', PART)
  for _, task in ipairs(tasks) do
    job.unpark[#job.unpark + 1] = task
  end
  return tasks
end
local function make_ready(job, task, what)
  local member = job.id .. ':' .. task
  local key = task_prefix .. member
  if what == 'START' or what == 'PARKED' then
    local h = call('HMGET', key, 'status', 'kit')
    if not job.made then
      job.made = {}
    end
    if job.made[task] or h[1] ~= (what == 'START' and 'WAITING' or 'READY') then
      return
    end
    job.made[task] = true
    if what == 'START' then
      job.READY = job.READY + 1
      job.changed = true
    end
    ready(job, task, member, key, h[2])
  else
    job.READY = job.READY + 1
    job.changed = true
    ready(job, task, member, key, call('HGET', key, 'kit'))
  end
end
local function skip(job, task)
  local member = job.id .. ':' .. task
  local key = task_prefix .. member
  unread[#unread + 1] = key
  moved(job, 'WAITING', 'SKIPPED')
  change(member, key, 'SKIPPED', nil, {'finished_at', at})
  archived(member, job.epoch, 'SKIPPED', '', '', '')
  ended(job, task, 'SKIPPED')
end

while #todo > 0 do
  local round = todo
  todo = {}
  for _, job in ipairs(round) do
    local queue, tasks, whats, asked = job.queue, {}, {}, {}
    job.queue = false
    if not job.counts then
      job.counts = {}
    end
    local counts = job.counts
    for from = 1, #queue, 3 * SLICE do
      local parts, fields, upto = {}, {}, math.min(from + 3 * SLICE - 1, #queue)
      if budget > 0 then
        for i = from, upto, 3 do
          fields[#fields + 1] = queue[i + 1] > 0 and queue[i] .. ',' .. queue[i + 1] or queue[i]
        end
        if #fields == 1 then
          parts[1] = call('HGET', job.dag .. 'dependents', fields[1])
        else
          parts = call('HMGET', job.dag .. 'dependents', unpack(fields))
        end
      end
      local k = 0
      for i = from, upto, 3 do
        k = k + 1
        local what = queue[i + 2]
        if budget <= 0 then
          postpone(job, queue[i], queue[i + 1], what)
        elseif what == 'PARKED' and job.status == 'PAUSED' then
          -- It was paused again, and they stay where they are.
        elseif what == 'PARKED' or parts[k] then
          local ids = what == 'PARKED' and parked_of(job) or ids_in(parts[k])
          for _, task in ipairs(ids) do
            tasks[#tasks + 1] = task
            whats[#whats + 1] = what
            if counts[task] == nil and what ~= 'START' and what ~= 'PARKED' then
              counts[task] = false
              asked[#asked + 1] = task
            end
          end
          budget = budget - #ids
          if #ids == PART and what == 'PARKED' then
            postpone(job, '', 0, what)
          elseif #ids == PART then
            tell(job, queue[i], queue[i + 1] + 1, what)
          end
        end
      end
    end
    if #asked == 1 then
      counts[asked[1]] = tonumber(call('HGET', job.dag .. 'pending', asked[1]) or nil) or false
    elseif #asked > 0 then
      for i, count in ipairs(call('HMGET', job.dag .. 'pending', unpack(asked))) do
        counts[asked[i]] = count and tonumber(count)
      end
    end
    local rules = job.rules
    if job.ruled == '1' and #asked > 0 then
      rules = rules or {}
      job.rules = rules
      for i, rule in ipairs(call('HMGET', job.dag .. 'triggers', unpack(asked))) do
        rules[asked[i]] = rule
      end
    end
    for i, task in ipairs(tasks) do
      local what = whats[i]
      local count, verdict = counts[task], nil
      if what == 'START' or what == 'PARKED' then
        make_ready(job, task, what)
      elseif count then
        job.told = true
        count, verdict = decide(rules and rules[task] or 'all_success', count, what)
        counts[task] = count
        if verdict == 'READY' then
          make_ready(job, task, what)
        elseif verdict == 'SKIPPED' then
          skip(job, task)
        end
      end
    end
  end
end

-- Hands out: of each lane what was there and what has just become ready, in order.
local handed, gone, more, congested, fence, count = {}, {}, 0, 0, '', 0
if max > 0 then
  congested = call('XLEN', archive) > limit and 1 or 0
  count = math.max((tonumber(state[1]) or 0) + 1, now)
  fence = match(pass, '^%d+') .. '-' .. string.format('%.0f', count)
end
local room, taken, handed_n = congested == 1 and 0 or max, 0, 0
-- Bytes of inputs and results: when so many are handed out, no more tasks are.
local MOST_BYTES, spent = 4194304, 0

-- Results of what a task needs: of the first 1,000 needs, and 1 MB. Read in slices, so that no more than a slice is read
-- beyond that. Which were left out is told, of as many needs again.
local RESULTS, NEEDS = 1048576, 1000
local function hand_results(job, task)
  local ids, n = {}, 0
  for need in gmatch(call('HGET', job.dag .. 'edges', task) or '', '[^,]+') do
    n = n + 1
    ids[n] = need
    if n == 2 * NEEDS then
      break
    end
  end
  local just = job.just
  if not just then
    just = {}
    job.just = just
    for i = 1, job.given and #job.given or 0, 2 do
      just[job.given[i]] = job.given[i + 1]
    end
  end
  local bytes, found, omitted, from, last = 0, 0, {}, 1, math.min(n, NEEDS)
  while from <= last and #omitted == 0 do
    local upto = math.min(from + SLICE - 1, last)
    for i, value in ipairs(call('HMGET', job.dag .. 'results', unpack(ids, from, upto))) do
      local need = ids[from + i - 1]
      value = just[need] or value
      if value and bytes + #value <= RESULTS then
        bytes, found = bytes + #value, found + 1
        handed[handed_n + 1] = need
        handed[handed_n + 2] = value
        handed_n = handed_n + 2
      elseif value then
        omitted[#omitted + 1] = need
      end
    end
    from = upto + 1
  end
  for i = from, n do
    omitted[#omitted + 1] = ids[i]
  end
  spent = spent + bytes
  if #omitted == 0 then
    return text_of(found)
  end
  handed_n = handed_n + 1
  handed[handed_n] = table.concat(omitted, ',', 1, math.min(#omitted, NEEDS))
  return text_of(found) .. '+'
end

local function hand_out(job, task, member, key, lane, kit)
  if not kit.until_ms then
    kit.until_ms = string.format('%d', now_ms + math.min(lease, kit.timeout + 0))
    kit.attempt = fence .. ' ' .. kit.retries .. ' ' .. at .. ' ' .. kit.logged .. ' ' .. worker
    kit.words = ' ' .. kit.retries .. ' ' .. (kit.retries + 0 >= kit.most + 0 and '1' or '0') .. ' ' .. lane .. ' '
      .. kit.until_ms .. ' ' .. kit.timeout .. ' ' .. kit.has .. ' '
  end
  hold[holds + 1] = kit.until_ms
  hold[holds + 2] = member
  holds = holds + 2
  moved(job, 'READY', 'RUNNING')
  if job.status == 'PENDING' then
    job.status, job.started, job.turned = 'RUNNING', at, true
    archived(job.id .. ':', job.epoch, 'RUNNING', at, '', '')
  end
  local permit = ARGV[permits_from + taken]
  change(member, key, 'RUNNING', permit and kit.attempt .. ' p:' .. permit or kit.attempt)
  taken = taken + 1
  room = room - 1
  handed_n = handed_n + 1
  local place, found = handed_n, '0'
  if kit.has ~= '-' then
    local h = call('HMGET', key, 'input', 'spec')
    if kit.has ~= 's' then
      handed_n = handed_n + 1
      handed[handed_n] = h[1]
      spent = spent + #h[1]
    end
    if kit.has ~= 'i' then
      handed_n = handed_n + 1
      handed[handed_n] = h[2]
      spent = spent + #h[2]
    end
  end
  if job.results == '1' then
    found = hand_results(job, task)
  end
  if spent >= MOST_BYTES then
    room = 0
  end
  handed[place] = member .. ' ' .. job.epoch .. kit.words .. found
end

local function bound(priority)
  return string.format('%.0f', (10 - priority) * 562949953421312 - 1)
end

for k = 9, #KEYS do
  if room <= 0 then
    break
  end
  local set, lane = KEYS[k], text_of(k - 8)
  local there, from, next_there, looks, dry, drop = {}, 0, 1, 0, false, {}
  -- Takes from what was there, up to the n-th of it; what is of a paused or ended job makes way.
  local function take_there(upto)
    while room > 0 and from + next_there <= upto do
      local member = there[next_there]
      if not member then
        if dry or looks == 3 then
          more = dry and more or 1
          return
        end
        local window = looks == 0 and room or room + 50
        from = from + #there
        there = call('ZRANGE', set, from, from + window - 1)
        next_there, looks, dry = 1, looks + 1, #there < window
        member = there[1]
        if not member then
          return
        end
      end
      next_there = next_there + 1
      drop[#drop + 1] = member
      local colon = find(member, ':', 1, true)
      local task = sub(member, colon + 1)
      local job = job_of(sub(member, 1, colon - 1))
      if job and job.status == 'PAUSED' then
        park(job, task)
      elseif job and job.live then
        local key = task_prefix .. member
        local text = call('HGET', key, 'kit')
        if text then
          hand_out(job, task, member, key, lane, read_kit(text))
        end
      end
    end
  end
  local by_priority = fresh[sub(set, #ready_prefix + 1)]
  if by_priority then
    local order = {}
    for priority in pairs(by_priority) do
      order[#order + 1] = priority
    end
    table.sort(order, function(one, other) return one > other end)
    for _, priority in ipairs(order) do
      take_there(call('ZCOUNT', set, '-inf', bound(priority)))
      local list, n = by_priority[priority], 1
      while room > 0 and list[n] do
        hand_out(list[n + 1], list[n + 2], list[n], list[n + 3], lane, list[n + 4])
        n = n + 5
      end
      by_priority[priority] = {unpack(list, n)}
    end
  end
  take_there(1 / 0)
  if #drop > 0 then
    gone[#gone + 1] = set
    gone[#gone + 1] = drop
  end
end

-- The last reading: which lanes were empty, and all that is written below and was not read above.
local depths = {}
for i, lane in ipairs(fresh_lanes) do
  depths[i] = call('ZCARD', ready_prefix .. lane)
end
if #unread > 0 then
  call('EXISTS', unpack(unread))
end

-- From here on it is written.
local woken = {}
for i, lane in ipairs(fresh_lanes) do
  local scores = {}
  for priority, list in pairs(fresh[lane]) do
    local score = string.format('%.0f', (9 - priority) * 562949953421312 + now - 1767225600000000)
    for n = 1, #list, 5 do
      change(list[n], list[n + 3], 'READY')
      scores[#scores + 1] = score
      scores[#scores + 1] = list[n]
    end
  end
  if #scores > 0 then
    call('ZADD', ready_prefix .. lane, unpack(scores))
    if depths[i] == 0 then
      woken[#woken + 1] = lane
      call('ZADD', lanes, at, lane)
      call('ZREMRANGEBYRANK', lanes, 0, -1001)
    end
  end
end
for i = 0, changes - 1, 4 do
  local key, status, attempt, by, others = plan[i + 1], plan[i + 2], plan[i + 3], plan[i + 4], further[i]
  if others then
    if by then
      others[#others + 1] = 'ended'
      others[#others + 1] = by
    end
    if attempt then
      others[#others + 1] = 'attempt'
      others[#others + 1] = attempt
    end
    call('HSET', key, 'status', status, unpack(others))
  elseif by then
    call('HSET', key, 'status', status, 'attempt', attempt, 'ended', by)
  elseif attempt then
    call('HSET', key, 'status', status, 'attempt', attempt)
  else
    call('HSET', key, 'status', status)
  end
end
for i = 1, #gone, 2 do
  call('ZREM', gone[i], unpack(gone[i + 1]))
end
for _, job in ipairs(read) do
  if job.visited then
    call('SADD', job.dag .. 'visited', unpack(job.visited))
  end
  if job.given then
    call('HSET', job.dag .. 'results', unpack(job.given))
  end
  if job.unpark and #job.unpark > 0 then
    call('SREM', job.dag .. 'parked', unpack(job.unpark))
  end
  if job.park then
    call('SADD', job.dag .. 'parked', unpack(job.park))
  end
  if job.told then
    local counts = {}
    for task, left in pairs(job.counts) do
      if left then
        counts[#counts + 1] = task
        counts[#counts + 1] = left < 131072 and text_of(left) or string.format('%.0f', left)
      end
    end
    call('HSET', job.dag .. 'pending', unpack(counts))
  end
  if job.changed and job.open == 0 then
    job.status, job.finished, job.turned = job.FAILED > 0 and 'FAILED' or 'SUCCEEDED', at, true
    archived(job.id .. ':', job.epoch, job.status, job.started ~= '-' and job.started or '', '', '')
  end
  if job.turned then
    call('HSET', job.name, 'progress', progress_text(job), 'status', job.status)
  elseif job.changed then
    call('HSET', job.name, 'progress', progress_text(job))
  end
end
if leaves > 0 then
  call('ZREM', leases, unpack(leave))
end
if holds > 0 then
  call('ZADD', leases, unpack(hold))
end
if #rest > 0 then
  call('ZREM', delayed, unpack(rest))
end
if #arrive > 0 then
  call('ZADD', delayed, unpack(arrive))
end
if #unlapse > 0 then
  call('ZREM', lapsed, unpack(unlapse))
end
if #lapse > 0 then
  call('ZADD', lapsed, unpack(lapse))
end
if #lines > 0 then
  call('LTRIM', steps, #lines, -1)
end
if #later > 0 then
  call('RPUSH', steps, unpack(later))
end
if taken > 0 then
  call('HSET', incarnation, 'fence', count)
end
if events > 1 then
  call('XADD', archive, '*', 'happened', table.concat(happened, '\031'))
end

-- What is worth knowing when nothing was handed out: which of the lanes are not empty, and when something is due.
local due = (#later > 0 or #lines == LINES) and 0 or -1
if taken == 0 then
  if max == 0 then
    for k = 9, #KEYS do
      if call('EXISTS', KEYS[k]) == 1 then
        woken[#woken + 1] = sub(KEYS[k], #ready_prefix + 1)
      end
    end
  elseif wait then
    call('SET', waiting, '1', 'PX', 35000)
  end
  if due < 0 then
    local first, lease_end = call('ZRANGE', delayed, 0, 0, 'WITHSCORES')[2], call('ZRANGE', leases, 0, 0, 'WITHSCORES')[2]
    first = math.min(tonumber(first) or 1 / 0, tonumber(lease_end) or 1 / 0)
    due = first < 1 / 0 and math.max(0, first - now_ms) or -1
  end
end
local waited = #woken > 0 and call('EXISTS', waiting) or 0
return {'ADVANCED', at, fence, table.concat(verdicts), freed, handed, woken, waited, due, more, congested}
