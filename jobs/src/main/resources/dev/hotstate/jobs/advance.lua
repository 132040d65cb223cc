#!lua
-- Ends attempts and hands out the next tasks, in one call. In this order: endings whose fence is still the task's count;
-- what is due is taken up (delayed tasks and jobs, leases that ran out); those that need a task are told that it ended;
-- of what is ready so much is handed out under a new fence as is wanted.
-- How many are told in a call is bounded: what is left stands in the list of steps, and each call begins with those.
-- A lease that ran out spends an attempt. After the last one the task is kept as lapsed, for PostgreSQL may know that its
-- effects are committed. After a silence (nobody could reach Redis) leases that ran out meanwhile get a while more.
-- Everything is read and planned first, then written: keys that are derived here are never written unread. Replies of one
-- string, few tables and few numbers made into text are what keeps it fast: each costs as much as a lookup.
-- KEYS  incarnation, leases, delayed, steps, lapsed, archive, waiting, lanes, ready…
-- ARGV  pass, now, worker, max, lease_ms, wait (1: the caller waits if nothing is there), limit (entries of the archive
--       beyond which nothing is handed out), spare_ms, chance (0 to 1), how many endings,
--       endings as job, task, fence, kind (completed, failed, fatal, released, proved, lost), result or error…,
--       permits, one a task that may be handed out, or none…
-- REPLY ADVANCED now_ms, fence, for each ending a letter (D: done, S: stale, U: unknown), permits that are free as queue and
--       permit…, what was handed out as "job task epoch retries last lane until timeout has results" (lane: 1 for the first;
--       has: i, s, is or -; results: how many) and after each its input, its spec, its results as task and JSON…,
--       lanes that have become ready as queue:run…, waiting, due_ms (-1: nothing), more, congested
-- REPLY REBUILDING
-- COST  O((endings + max + 700) log n): some 10 us a task, and at most 5 ms
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

-- Jobs that were read, and the tasks that are to change: the i-th is called so, its status becomes so, its attempt so,
-- and further fields, where there are any, so.
local jobs, read = {}, {}
local members, statuses, attempts, further, planned, changes = {}, {}, {}, {}, {}, 0
local happened, unread, leave, hold, rest, arrive, lapse, unlapse = {}, {}, {}, {}, {}, {}, {}, {}

local function job_of(id)
  local job = jobs[id]
  if job == nil then
    local name = base .. 'job:' .. id
    local known = call('HGET', name, 'progress')
    job = known and progress_of(known) or false
    if job and job.status == 'LOADING' then
      job = false
    elseif job then
      job.id, job.name, job.dag = id, name, base .. 'dag:' .. id .. ':'
      job.live = job.status == 'RUNNING' or job.status == 'PENDING' or job.status == 'PAUSED'
      read[#read + 1] = job
    end
    jobs[id] = job
  end
  return job
end

local function change(member, status, attempt, more)
  local i = planned[member]
  if not i then
    changes = changes + 1
    i = changes
    planned[member], members[i] = i, member
  end
  statuses[i] = status
  attempts[i] = attempt or attempts[i] or false
  further[i] = more or further[i] or false
end

local function moved(job, from, to)
  job[from] = job[from] - 1
  job[to] = job[to] + 1
  job.changed = true
end

local function one_more(retries)
  return retries == '0' and '1' or string.format('%d', retries + 1)
end

local function archived(member, epoch, attempt, state, started, by, logged, error, result)
  local n = #happened
  happened[n + 1] = member
  happened[n + 2] = epoch .. '\031' .. attempt .. '\031' .. state .. '\031' .. at .. '\031' .. started .. '\031' .. by .. '\031'
    .. logged .. '\031' .. error .. '\031' .. result
end

-- Those that are to be told: each job has its own queue of task, part and what happened to it.
local todo = {}
local function tell(job, task, part, what)
  local queue = job.queue
  if not queue then
    queue = {}
    job.queue = queue
    todo[#todo + 1] = job
  end
  local n = #queue
  queue[n + 1], queue[n + 2], queue[n + 3] = task, part, what
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

-- Tasks that have just become ready, by lane and priority: as member, job, task, kit.
local fresh, fresh_lanes = {}, {}
local function ready(job, task, member, kit)
  if job.status == 'PAUSED' then
    park(job, task)
    change(member, 'READY')
    return
  end
  local _, _, _, _, priority, _, lane = kit_of(kit)
  local lists = fresh[lane]
  if not lists then
    lists = {}
    fresh[lane] = lists
    fresh_lanes[#fresh_lanes + 1] = lane
  end
  local list = lists[priority]
  if not list then
    list = {}
    lists[priority] = list
  end
  local n = #list
  list[n + 1], list[n + 2], list[n + 3], list[n + 4] = member, job, task, kit
end

-- An attempt has failed and another one comes: at once, or after a pause that doubles with each.
local function again(job, task, member, attempt, error, pauses)
  local _, retries, started, _, permit, logged, by = attempt_of(attempt)
  local kit = call('HGET', task_prefix .. member, 'kit')
  local _, _, timeout, backoff = kit_of(kit)
  local made = one_more(retries)
  kit = made .. sub(kit, find(kit, ' ', 1, true), -1)
  archived(member, job.epoch, made, 'DELAYED', started, by, logged, error, '')
  local text = '- ' .. retries .. ' ' .. started .. ' ' .. at .. ' ' .. permit .. ' ' .. logged .. ' ' .. by
  local more = {'kit', kit, 'retry_count', made, 'error', error}
  if pauses then
    moved(job, 'RUNNING', 'DELAYED')
    change(member, 'DELAYED', text, more)
    arrive[#arrive + 1] = now_ms + math.floor(math.min(backoff * 2 ^ retries, 3600000) * (1 - chance / 4))
    arrive[#arrive + 1] = member
  else
    moved(job, 'RUNNING', 'READY')
    change(member, 'READY', text, more)
    ready(job, task, member, kit)
  end
end

-- Endings.
local verdicts, freed, permits_from = {}, {}, 11 + 5 * endings
for i = 11, permits_from - 1, 5 do
  local id, task, fence, kind, text = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3], ARGV[i + 4]
  local member = id .. ':' .. task
  local attempt = call('HGET', task_prefix .. member, 'attempt')
  local job = job_of(id)
  local held, retries, started, _, permit, logged, by
  local verdict = 'D'
  if attempt then
    held, retries, started, _, permit, logged, by = attempt_of(attempt)
  elseif not job or call('EXISTS', task_prefix .. member) == 0 then
    verdict = 'U'
  end
  if verdict == 'D' and (held ~= fence or not job or not job.live or planned[member]) then
    verdict = job and 'S' or 'U'
  end
  if kind == 'proved' or kind == 'lost' then
    unlapse[#unlapse + 1] = member
    if verdict == 'D' and not call('ZSCORE', lapsed, member) then
      verdict = 'S'
    end
  end
  verdicts[#verdicts + 1] = verdict
  if verdict == 'D' then
    leave[#leave + 1] = member
    if permit ~= '-' then
      local _, _, _, _, _, _, lane = kit_of(call('HGET', task_prefix .. member, 'kit'))
      freed[#freed + 1] = match(lane, '^[^:]+') .. ' ' .. permit
    end
    local over = '- ' .. retries .. ' ' .. started .. ' ' .. at .. ' - ' .. logged .. ' ' .. by
    if kind == 'completed' or kind == 'proved' then
      moved(job, 'RUNNING', 'SUCCEEDED')
      change(member, 'SUCCEEDED', over)
      archived(member, job.epoch, one_more(retries), 'SUCCEEDED', started, by, logged, '', text)
      if text ~= '' then
        if not job.given then
          job.given, job.results = {}, '1'
          unread[#unread + 1] = job.dag .. 'results'
        end
        job.given[#job.given + 1] = task
        job.given[#job.given + 1] = text
      end
      ended(job, task, 'SUCCEEDED')
    elseif kind == 'released' then
      moved(job, 'RUNNING', 'READY')
      change(member, 'READY', over)
      ready(job, task, member, call('HGET', task_prefix .. member, 'kit'))
    else
      local _, most = kit_of(call('HGET', task_prefix .. member, 'kit'))
      if kind == 'failed' and retries + 0 < most + 0 then
        again(job, task, member, attempt, text, true)
      else
        moved(job, 'RUNNING', 'FAILED')
        change(member, 'FAILED', over, {'error', text})
        archived(member, job.epoch, one_more(retries), 'FAILED', started, by, logged, text, '')
        ended(job, task, 'FAILED')
      end
    end
  end
end
local own = todo
todo = {}
for _, job in ipairs(own) do
  job.own, job.queue = job.queue, nil
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
      local h = call('HMGET', task_prefix .. member, 'status', 'kit')
      if h[1] == 'DELAYED' then
        moved(job, 'DELAYED', 'READY')
        ready(job, task, member, h[2])
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
  local h = call('HMGET', task_prefix .. member, 'attempt', 'kit')
  local fence, retries, started = attempt_of(h[1] or '- 0 0 - - 0 ')
  if planned[member] then
    -- It has just ended.
  elseif not job or not job.live or fence == '-' then
    leave[#leave + 1] = member
  elseif now_ms < resumed + spare and tonumber(over[i + 1]) <= resumed then
    hold[#hold + 1] = resumed + spare
    hold[#hold + 1] = member
  else
    local _, most, timeout = kit_of(h[2])
    local late = started + timeout <= now_ms
    local error = late and 'timed out' or 'lease ran out'
    leave[#leave + 1] = member
    if retries + 0 >= most + 0 then
      lapse[#lapse + 1] = at
      lapse[#lapse + 1] = member
      change(member, 'RUNNING', nil, {'error', error})
    else
      again(job, task, member, h[1], error, late)
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
  job.own = nil
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
  if what == 'START' or what == 'PARKED' then
    local h = call('HMGET', task_prefix .. member, 'status', 'kit')
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
    ready(job, task, member, h[2])
  else
    job.READY = job.READY + 1
    job.changed = true
    ready(job, task, member, call('HGET', task_prefix .. member, 'kit'))
  end
end
local function skip(job, task)
  local member = job.id .. ':' .. task
  unread[#unread + 1] = task_prefix .. member
  moved(job, 'WAITING', 'SKIPPED')
  change(member, 'SKIPPED', nil, {'finished_at', at})
  archived(member, job.epoch, '0', 'SKIPPED', '', '', '0', '', '')
  ended(job, task, 'SKIPPED')
end

while #todo > 0 do
  local round = todo
  todo = {}
  for _, job in ipairs(round) do
    local queue, tasks, whats, asked = job.queue, {}, {}, {}
    job.queue = nil
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
local room, taken, ends = congested == 1 and 0 or max, 0, {}

local function hand_results(job, task)
  local ids, bytes, found = {}, 0, 0
  for need in gmatch(call('HGET', job.dag .. 'edges', task) or '', '[^,]+') do
    ids[#ids + 1] = need
    if #ids == 1000 then
      break
    end
  end
  if #ids == 0 then
    return 0
  end
  local just = {}
  for i = 1, job.given and #job.given or 0, 2 do
    just[job.given[i]] = job.given[i + 1]
  end
  local place = #handed
  for i, value in ipairs(call('HMGET', job.dag .. 'results', unpack(ids))) do
    value = just[ids[i]] or value
    if value and bytes + string.len(value) <= 1048576 then
      bytes, found = bytes + string.len(value), found + 1
      handed[place + 2 * found - 1], handed[place + 2 * found] = ids[i], value
    end
  end
  return found
end

local function hand_out(job, task, member, lane, kit)
  local retries, most, timeout, _, _, has = kit_of(kit)
  local until_ms = ends[timeout]
  if not until_ms then
    until_ms = string.format('%d', now_ms + math.min(lease, timeout + 0))
    ends[timeout] = until_ms
  end
  hold[#hold + 1] = until_ms
  hold[#hold + 1] = member
  moved(job, 'READY', 'RUNNING')
  if job.status == 'PENDING' then
    job.status, job.started, job.turned = 'RUNNING', at, true
    archived(job.id .. ':', job.epoch, '0', 'RUNNING', at, '', '0', '', '')
  end
  local permit = ARGV[permits_from + taken] or '-'
  change(member, 'RUNNING', fence .. ' ' .. retries .. ' ' .. at .. ' - ' .. permit .. ' 0 ' .. worker)
  taken = taken + 1
  room = room - 1
  local place, found = #handed + 1, 0
  handed[place] = ''
  if has ~= '-' then
    local h = call('HMGET', task_prefix .. member, 'input', 'spec')
    if h[1] and has ~= 's' then
      handed[#handed + 1] = h[1]
    end
    if h[2] and has ~= 'i' then
      handed[#handed + 1] = h[2]
    end
  end
  if job.results == '1' then
    found = hand_results(job, task)
  end
  handed[place] = job.id .. ' ' .. task .. ' ' .. job.epoch .. ' ' .. retries .. ' ' .. (retries + 0 >= most + 0 and '1' or '0')
    .. ' ' .. lane .. ' ' .. until_ms .. ' ' .. timeout .. ' ' .. has .. ' ' .. found
end

local function bound(priority)
  return string.format('%.0f', (10 - priority) * 562949953421312 - 1)
end

for k = 9, #KEYS do
  if room <= 0 then
    break
  end
  local key, lane = KEYS[k], k - 8
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
        there = call('ZRANGE', key, from, from + window - 1)
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
        local kit = call('HGET', task_prefix .. member, 'kit')
        if kit then
          hand_out(job, task, member, lane, kit)
        end
      end
    end
  end
  local by_priority = fresh[sub(key, #ready_prefix + 1)]
  if by_priority then
    local order = {}
    for priority in pairs(by_priority) do
      order[#order + 1] = priority
    end
    table.sort(order, function(one, other) return one > other end)
    for _, priority in ipairs(order) do
      take_there(call('ZCOUNT', key, '-inf', bound(priority)))
      local list, n = by_priority[priority], 1
      while room > 0 and list[n] do
        hand_out(list[n + 1], list[n + 2], list[n], lane, list[n + 3])
        n = n + 4
      end
      by_priority[priority] = {unpack(list, n)}
    end
  end
  take_there(1 / 0)
  if #drop > 0 then
    gone[#gone + 1] = key
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
    for n = 1, #list, 4 do
      change(list[n], 'READY')
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
for i = 1, changes do
  local key, status, attempt, others = task_prefix .. members[i], statuses[i], attempts[i], further[i]
  if others then
    if attempt then
      others[#others + 1] = 'attempt'
      others[#others + 1] = attempt
    end
    call('HSET', key, 'status', status, unpack(others))
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
        counts[#counts + 1] = left < 131072 and string.format('%d', left) or string.format('%.0f', left)
      end
    end
    call('HSET', job.dag .. 'pending', unpack(counts))
  end
  if job.changed and job.open == 0 then
    job.status, job.finished, job.turned = job.FAILED > 0 and 'FAILED' or 'SUCCEEDED', at, true
    archived(job.id .. ':', job.epoch, '0', job.status, job.started ~= '-' and job.started or '', '', '0', '', '')
  end
  if job.turned then
    call('HSET', job.name, 'progress', progress_text(job), 'status', job.status)
  elseif job.changed then
    call('HSET', job.name, 'progress', progress_text(job))
  end
end
if #leave > 0 then
  call('ZREM', leases, unpack(leave))
end
if #hold > 0 then
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
if #happened > 0 then
  call('XADD', archive, '*', unpack(happened))
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
