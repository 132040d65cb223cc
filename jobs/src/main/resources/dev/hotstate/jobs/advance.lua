#!lua
-- Ends attempts and hands out the next tasks, in one call. In this order: endings whose fence is still the task's count;
-- what is due is taken up (delayed tasks and jobs, leases that ran out); those that need a task are told that it ended;
-- of what is ready so much is handed out under a new fence as is wanted.
-- How many are told in a call is bounded: what is left stands in the list of steps, and each call begins with those.
-- A lease that ran out spends an attempt. After the last one the task is kept as lapsed, for PostgreSQL may know that its
-- effects are committed. After a silence (nobody could reach Redis) leases that ran out meanwhile get a while more.
-- Everything is read and planned first, then written: keys that are derived here are never written unread.
-- KEYS  incarnation, leases, delayed, steps, lapsed, archive, waiting, lanes, ready…
-- ARGV  pass, now, worker, max, lease_ms, wait (1: the caller waits if nothing is there), limit (entries of the archive
--       beyond which nothing is handed out), spare_ms, chance (0 to 1), how many endings,
--       endings as job, task, fence, kind (completed, failed, fatal, released, proved, lost), result or error…,
--       permits, one a task that may be handed out, or none…
-- REPLY ADVANCED now_ms fence, for each ending DONE STALE or UNKNOWN and its queue and permit, what was handed out as job, task, epoch,
--       attempt, last, lane (1 for the first), spec, input, lease_until, timeout, how many results, results as task and
--       JSON…, lanes that have become ready as queue:run, waiting, due_ms (-1: nothing), more, congested
-- REPLY REBUILDING
-- COST  O((endings + max + 700) log n): some 10 us a task, and at most 5 ms
--@include clock
--@include guard
--@include base
--@include told
--@include decide
local incarnation, leases, delayed, steps, lapsed = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local archive, waiting, lanes = KEYS[6], KEYS[7], KEYS[8]
local pass, now, worker, max, lease = ARGV[1], now_us(ARGV[2]), ARGV[3], ARGV[4] + 0, ARGV[5] + 0
local wait, limit, spare, chance, endings = ARGV[6] == '1', ARGV[7] + 0, ARGV[8] + 0, ARGV[9] + 0, ARGV[10] + 0
local DUE, TOLD, PART, LINES, SLICE = 100, 500, 250, 250, 16
local now_ms = math.floor(now / 1000)
local at = string.format('%d', now_ms)
local base = base_of(incarnation)
local call, sub, find, insert = redis.call, string.sub, string.find, table.insert

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end

-- What was read of jobs, what tasks are to become, and all else that is to be written.
local jobs, changes, changed, unread, happened = {}, {}, {}, {}, {}
local leave, hold, rest, arrive, lapse, unlapse = {}, {}, {}, {}, {}, {}
local agenda, later = {}, {}
local lane_of, fresh = {}, {}

local function job_of(id)
  local job = jobs[id]
  if job == nil then
    local name = base .. 'job:' .. id
    local h = call('HMGET', name, 'status', 'epoch', 'open', 'succeeded', 'failed', 'skipped', 'ready', 'running',
      'delayed', 'ruled', 'results', 'started_at')
    local status = h[1]
    if status and status ~= 'LOADING' then
      job = {
        id = id, name = name, dag = base .. 'dag:' .. id .. ':', status = status, epoch = h[2], ruled = h[10] == '1',
        results = h[11] == '1', started_at = h[12],
        live = status == 'RUNNING' or status == 'PENDING' or status == 'PAUSED',
        open = h[3] + 0, SUCCEEDED = h[4] + 0, FAILED = h[5] + 0, SKIPPED = h[6] + 0, READY = h[7] + 0,
        RUNNING = h[8] + 0, DELAYED = h[9] + 0, WAITING = 0, visited = {}, given = {}, counts = {}, park = {}, unpark = {},
        made = {}
      }
    else
      job = false
    end
    jobs[id] = job
    if job then
      jobs[#jobs + 1] = job
    end
  end
  return job
end

local function change(member, fields)
  local known = changes[member]
  if known then
    for i = 1, #fields do
      known[#known + 1] = fields[i]
    end
  else
    changes[member] = fields
    changed[#changed + 1] = member
  end
end

local function moved(job, from, to)
  job[from] = job[from] - 1
  job[to] = job[to] + 1
  job.changed = true
end

local function split(member)
  local colon = find(member, ':', 1, true)
  return sub(member, 1, colon - 1), sub(member, colon + 1)
end

local function archived(member, ...)
  happened[#happened + 1] = member
  happened[#happened + 1] = told(...)
end

-- A task has ended: it counts, and those that need it are to be told.
local function ended(job, task, state)
  job.open = job.open - 1
  job.visited[#job.visited + 1] = task
  agenda[#agenda + 1] = {job, task, 0, state}
end

-- A task may be handed out. It gets a score that keeps the order in which tasks of one call became ready.
local order = 0
local function ready(job, task, member, queue, run, priority)
  if job.status == 'PAUSED' then
    job.park[#job.park + 1] = task
    change(member, {'status', 'READY'})
    return
  end
  local lane = queue .. ':' .. run
  local list = fresh[lane]
  if not list then
    list = {}
    fresh[lane] = list
    lane_of[#lane_of + 1] = lane
  end
  order = order + 1
  list[#list + 1] = {(9 - priority) * 562949953421312 + now - 1767225600000000 + order, member, job, task}
end

local function again(job, task, member, h, error, backoff)
  local attempt = h[3] + 1
  moved(job, 'RUNNING', 'DELAYED')
  change(member, {'status', 'DELAYED', 'retry_count', attempt, 'error', error, 'finished_at', at})
  archived(member, job.epoch, attempt, 'DELAYED', at, h[5], h[6], h[7] and '1' or '0', error, '')
  local pause = math.min(backoff * 2 ^ h[3], 3600000)
  arrive[#arrive + 1] = now_ms + math.floor(pause * (1 - chance / 4))
  arrive[#arrive + 1] = member
end

-- Endings.
local verdicts, permits_from = {}, 11 + 5 * endings
for i = 11, permits_from - 1, 5 do
  local id, task, fence, kind, text = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3], ARGV[i + 4]
  local member = id .. ':' .. task
  local h = call('HMGET', base .. 'task:' .. member, 'status', 'fence', 'retry_count', 'max_retries', 'started_at',
    'worker', 'log_count', 'permit', 'queue', 'run', 'priority', 'backoff')
  local job = job_of(id)
  local verdict = 'DONE'
  if not h[1] or not job then
    verdict = 'UNKNOWN'
  elseif h[1] ~= 'RUNNING' or h[2] ~= fence or not job.live or changes[member] then
    verdict = 'STALE'
  end
  if kind == 'proved' or kind == 'lost' then
    unlapse[#unlapse + 1] = member
    if verdict == 'DONE' and not call('ZSCORE', lapsed, member) then
      verdict = 'STALE'
    end
  end
  if verdict == 'DONE' then
    leave[#leave + 1] = member
    local logged = h[7] and '1' or '0'
    if kind == 'completed' or kind == 'proved' then
      moved(job, 'RUNNING', 'SUCCEEDED')
      change(member, {'status', 'SUCCEEDED', 'finished_at', at})
      archived(member, job.epoch, h[3] + 1, 'SUCCEEDED', at, h[5], h[6], logged, '', text)
      if text ~= '' then
        job.given[#job.given + 1] = task
        job.given[#job.given + 1] = text
      end
      ended(job, task, 'SUCCEEDED')
    elseif kind == 'released' then
      moved(job, 'RUNNING', 'READY')
      ready(job, task, member, h[9], h[10], h[11])
    elseif kind == 'failed' and h[3] + 0 < h[4] + 0 then
      again(job, task, member, h, text, h[12])
    else
      moved(job, 'RUNNING', 'FAILED')
      change(member, {'status', 'FAILED', 'finished_at', at, 'error', text})
      archived(member, job.epoch, h[3] + 1, 'FAILED', at, h[5], h[6], logged, text, '')
      ended(job, task, 'FAILED')
    end
  end
  verdicts[#verdicts + 1] = verdict
  verdicts[#verdicts + 1] = verdict == 'DONE' and h[8] and h[9] .. ' ' .. h[8] or ''
end
local own = agenda
agenda = {}

-- What is due: delayed tasks, and jobs that begin now.
for _, member in ipairs(call('ZRANGE', delayed, '-inf', now_ms, 'BYSCORE', 'LIMIT', 0, DUE)) do
  rest[#rest + 1] = member
  local id, task = split(member)
  local job = job_of(id)
  if job and job.live then
    if task == '' then
      agenda[#agenda + 1] = {job, '', 0, 'START'}
    else
      local h = call('HMGET', base .. 'task:' .. member, 'status', 'queue', 'run', 'priority')
      if h[1] == 'DELAYED' then
        moved(job, 'DELAYED', 'READY')
        ready(job, task, member, h[2], h[3], h[4])
      end
    end
  end
end

-- Leases that ran out.
local over = call('ZRANGE', leases, '-inf', now_ms, 'BYSCORE', 'LIMIT', 0, DUE, 'WITHSCORES')
local state = (#over > 0 or max > 0) and call('HMGET', incarnation, 'fence', 'resumed') or {}
local resumed = math.floor((tonumber(state[2]) or 0) / 1000)
for i = 1, #over, 2 do
  local member = over[i]
  local id, task = split(member)
  local job = job_of(id)
  local h = call('HMGET', base .. 'task:' .. member, 'status', 'fence', 'retry_count', 'max_retries', 'started_at',
    'worker', 'log_count', 'timeout', 'queue', 'run', 'priority', 'backoff')
  if changes[member] then
    -- It has just ended.
  elseif not job or not job.live or h[1] ~= 'RUNNING' then
    leave[#leave + 1] = member
  elseif now_ms < resumed + spare and tonumber(over[i + 1]) <= resumed then
    hold[#hold + 1] = resumed + spare
    hold[#hold + 1] = member
  else
    local late = h[5] + h[8] <= now_ms
    local error = late and 'timed out' or 'lease ran out'
    leave[#leave + 1] = member
    if h[3] + 0 >= h[4] + 0 then
      lapse[#lapse + 1] = now_ms
      lapse[#lapse + 1] = member
      change(member, {'error', error})
    elseif late then
      again(job, task, member, h, error, h[12])
    else
      local attempt = h[3] + 1
      moved(job, 'RUNNING', 'READY')
      change(member, {'retry_count', attempt, 'error', error, 'finished_at', at})
      archived(member, job.epoch, attempt, 'DELAYED', at, h[5], h[6], h[7] and '1' or '0', error, '')
      ready(job, task, member, h[9], h[10], h[11])
    end
  end
end

-- Steps that earlier calls left.
local left = call('LRANGE', steps, 0, LINES - 1)
for _, line in ipairs(left) do
  local id, task, part, what, epoch = string.match(line, '^([^:]+):(%S*) (%d+) (%S+) (%d+)$')
  local job = job_of(id)
  if job and job.live and job.epoch == epoch then
    agenda[#agenda + 1] = {job, task, part + 0, what}
  end
end
for i = 1, #own do
  agenda[#agenda + 1] = own[i]
end

-- Tells dependents, in rounds: what is skipped in one is told to its own dependents in the next. One reading of
-- dependents, of counts and of rules a job and round.
local budget = TOLD
while #agenda > 0 do
  if budget <= 0 then
    for i = 1, #agenda do
      later[#later + 1] = agenda[i]
    end
    break
  end
  local round, by_job, in_order = agenda, {}, {}
  agenda = {}
  for i = 1, #round do
    local item = round[i]
    local items = by_job[item[1]]
    if not items then
      items = {}
      by_job[item[1]] = items
      in_order[#in_order + 1] = items
    end
    items[#items + 1] = item
  end
  for _, items in ipairs(in_order) do
    local job = items[1][1]
    local told_to, asked, seen = {}, {}, {}
    for from = 1, #items, SLICE do
      local fields, parts = {}, {}
      for i = from, math.min(from + SLICE - 1, #items) do
        local item = items[i]
        fields[#fields + 1] = item[3] > 0 and item[2] .. ',' .. item[3] or item[2]
      end
      if budget > 0 then
        parts = call('HMGET', job.dag .. 'dependents', unpack(fields))
      end
      for i = 1, #fields do
        local item = items[from + i - 1]
        local what = item[4]
        if budget <= 0 then
          later[#later + 1] = item
        elseif what == 'PARKED' then
          if job.status ~= 'PAUSED' then
            local parked = call('SRANDMEMBER', job.dag .. 'parked', PART)
            for _, task in ipairs(parked) do
              told_to[#told_to + 1] = {task, what}
              job.unpark[#job.unpark + 1] = task
            end
            budget = budget - #parked
            if #parked == PART then
              later[#later + 1] = item
            end
          end
        elseif parts[i] then
          local n = 0
          for task in string.gmatch(parts[i], '[^,]+') do
            n = n + 1
            told_to[#told_to + 1] = {task, what}
            if what ~= 'START' and job.counts[task] == nil and not seen[task] then
              seen[task] = true
              asked[#asked + 1] = task
            end
          end
          budget = budget - n
          if n == PART then
            agenda[#agenda + 1] = {job, item[2], item[3] + 1, what}
          end
        end
      end
    end
    if #asked > 0 then
      local counts = call('HMGET', job.dag .. 'pending', unpack(asked))
      local rules = job.ruled and call('HMGET', job.dag .. 'triggers', unpack(asked)) or {}
      for i, task in ipairs(asked) do
        job.counts[task] = counts[i] and {tonumber(counts[i]), rules[i] or 'all_success'} or false
      end
    end
    for _, one in ipairs(told_to) do
      local task, what = one[1], one[2]
      local verdict = 'READY'
      if what ~= 'START' and what ~= 'PARKED' then
        local count = job.counts[task]
        verdict = false
        if count then
          count[1], verdict = decide(count[2], count[1], what)
          count.changed = true
        end
      end
      if verdict == 'READY' then
        local member = job.id .. ':' .. task
        local h = call('HMGET', base .. 'task:' .. member, 'queue', 'run', 'priority', 'status')
        if not job.made[task] and (h[4] == 'WAITING' or h[4] == 'READY' and what == 'PARKED') then
          job.made[task] = true
          if what ~= 'PARKED' then
            job.READY = job.READY + 1
            job.changed = true
          end
          ready(job, task, member, h[1], h[2], h[3])
        end
      elseif verdict == 'SKIPPED' then
        local member = job.id .. ':' .. task
        unread[#unread + 1] = base .. 'task:' .. member
        moved(job, 'WAITING', 'SKIPPED')
        change(member, {'status', 'SKIPPED', 'finished_at', at})
        archived(member, job.epoch, '0', 'SKIPPED', at, nil, nil, '0', '', '')
        ended(job, task, 'SKIPPED')
      end
    end
  end
end

-- Hands out: of each lane what was there and what has just become ready, in order.
local handed, gone, more, congested, fence, count = {}, {}, 0, 0, '', 0
if max > 0 then
  congested = call('XLEN', archive) > limit and 1 or 0
  count = math.max((tonumber(state[1]) or 0) + 1, now)
  fence = string.match(pass, '^%d+') .. '-' .. string.format('%.0f', count)
end
local room = congested == 1 and 0 or max
local taken = 0
local lane_prefix = string.len(base) + string.len('jobs:ready:') + 1

-- True where the task was handed out; else it is dropped, or parked because its job is paused.
local function hand_out(job, task, member, lane, known)
  local h = call('HMGET', base .. 'task:' .. member, 'status', 'retry_count', 'max_retries', 'timeout', 'input', 'spec')
  if not known and h[1] ~= 'READY' then
    return false
  end
  local retries = h[2] + 0
  local planned = changes[member]
  if planned then
    for i = 1, #planned, 2 do
      if planned[i] == 'retry_count' then
        retries = planned[i + 1]
      end
    end
  end
  local length = math.min(lease, h[4] + 0)
  hold[#hold + 1] = now_ms + length
  hold[#hold + 1] = member
  moved(job, 'READY', 'RUNNING')
  if job.status == 'PENDING' then
    job.status, job.started_at, job.begun = 'RUNNING', at, true
    archived(job.id .. ':', job.epoch, '0', 'RUNNING', at, at, nil, '0', '', '')
  end
  local fields = {'status', 'RUNNING', 'fence', fence, 'worker', worker, 'started_at', at}
  local permit = ARGV[permits_from + taken]
  if permit then
    fields[9], fields[10] = 'permit', permit
  end
  change(member, fields)
  taken = taken + 1
  local n = #handed
  handed[n + 1], handed[n + 2], handed[n + 3], handed[n + 4] = job.id, task, job.epoch, retries + 1
  handed[n + 5], handed[n + 6] = retries >= h[3] + 0 and 1 or 0, lane
  handed[n + 7], handed[n + 8], handed[n + 9], handed[n + 10] = h[6] or '', h[5] or '', now_ms + length, h[4]
  handed[n + 11] = 0
  if job.results or #job.given > 0 then
    local ids, bytes, found = {}, 0, 0
    for need in string.gmatch(call('HGET', job.dag .. 'edges', task) or '', '[^,]+') do
      ids[#ids + 1] = need
      if #ids == 1000 then
        break
      end
    end
    if #ids > 0 then
      local values = call('HMGET', job.dag .. 'results', unpack(ids))
      local just = {}
      for i = 1, #job.given, 2 do
        just[job.given[i]] = job.given[i + 1]
      end
      for i, need in ipairs(ids) do
        local value = just[need] or values[i]
        if value and bytes + string.len(value) <= 1048576 then
          bytes, found = bytes + string.len(value), found + 1
          handed[#handed + 1] = need
          handed[#handed + 1] = value
        end
      end
    end
    handed[n + 11] = found
  end
  return true
end

for k = 9, #KEYS do
  if room <= 0 then
    break
  end
  local lane = sub(KEYS[k], lane_prefix)
  local list = fresh[lane] or {}
  if #list > 1 then
    table.sort(list, function(a, b) return a[1] < b[1] end)
  end
  local drop, next_fresh, offset, rounds = {}, 1, 0, 0
  repeat
    local window = room + 8
    local there = call('ZRANGE', KEYS[k], offset, offset + window - 1, 'WITHSCORES')
    local i = 1
    while room > 0 and (there[i] or list[next_fresh]) do
      local new = list[next_fresh]
      if new and not (there[i] and tonumber(there[i + 1]) <= new[1]) then
        hand_out(new[3], new[4], new[2], k - 8, true)
        next_fresh = next_fresh + 1
        room = room - 1
      else
        local member = there[i]
        local id, task = split(member)
        local job = job_of(id)
        drop[#drop + 1] = member
        if job and job.status == 'PAUSED' then
          job.park[#job.park + 1] = task
        elseif job and job.live and hand_out(job, task, member, k - 8, false) then
          room = room - 1
        end
        i = i + 2
      end
    end
    offset = offset + window
    rounds = rounds + 1
    if there[2 * window] == nil then
      rounds = 9
    end
  until room == 0 or rounds >= 3
  if room > 0 and rounds == 3 then
    more = 1
  end
  if #drop > 0 then
    gone[#gone + 1] = {KEYS[k], drop}
  end
  if next_fresh > 1 then
    local kept = {}
    for i = next_fresh, #list do
      kept[#kept + 1] = list[i]
    end
    fresh[lane] = kept
  end
end

-- The last reading: which lanes were empty, and all that is written below and was not read above.
local depths = {}
for _, lane in ipairs(lane_of) do
  depths[lane] = call('ZCARD', base .. 'jobs:ready:' .. lane)
end
for _, job in ipairs(jobs) do
  if #job.visited > 0 then
    unread[#unread + 1] = job.dag .. 'visited'
  end
  if #job.given > 0 then
    unread[#unread + 1] = job.dag .. 'results'
  end
  if #job.park + #job.unpark > 0 then
    unread[#unread + 1] = job.dag .. 'parked'
  end
end
if #unread > 0 then
  call('EXISTS', unpack(unread))
end

-- From here on it is written.
for _, lane in ipairs(lane_of) do
  for _, new in ipairs(fresh[lane]) do
    change(new[2], {'status', 'READY'})
  end
end
for _, member in ipairs(changed) do
  call('HSET', base .. 'task:' .. member, unpack(changes[member]))
end
for _, one in ipairs(gone) do
  call('ZREM', one[1], unpack(one[2]))
end
local woken = {}
for _, lane in ipairs(lane_of) do
  local scores = {}
  for _, new in ipairs(fresh[lane]) do
    scores[#scores + 1] = new[1]
    scores[#scores + 1] = new[2]
  end
  if #scores > 0 then
    call('ZADD', base .. 'jobs:ready:' .. lane, unpack(scores))
    if depths[lane] == 0 then
      woken[#woken + 1] = lane
      call('ZADD', lanes, now_ms, lane)
      call('ZREMRANGEBYRANK', lanes, 0, -1001)
    end
  end
end
for _, job in ipairs(jobs) do
  if #job.visited > 0 then
    call('SADD', job.dag .. 'visited', unpack(job.visited))
  end
  if #job.given > 0 then
    call('HSET', job.dag .. 'results', unpack(job.given))
  end
  if #job.unpark > 0 then
    call('SREM', job.dag .. 'parked', unpack(job.unpark))
  end
  if #job.park > 0 then
    call('SADD', job.dag .. 'parked', unpack(job.park))
  end
  local counts = {}
  for task, now_left in pairs(job.counts) do
    if now_left and now_left.changed then
      counts[#counts + 1] = task
      counts[#counts + 1] = now_left[1]
    end
  end
  if #counts > 0 then
    call('HSET', job.dag .. 'pending', unpack(counts))
  end
  if job.changed then
    local fields = {
      'open', job.open, 'succeeded', job.SUCCEEDED, 'failed', job.FAILED, 'skipped', job.SKIPPED, 'ready', job.READY,
      'running', job.RUNNING, 'delayed', job.DELAYED
    }
    if job.begun then
      insert(fields, 'started_at')
      insert(fields, at)
    end
    if #job.given > 0 then
      insert(fields, 'results')
      insert(fields, 1)
    end
    if job.open == 0 then
      job.status = job.FAILED > 0 and 'FAILED' or 'SUCCEEDED'
      insert(fields, 'finished_at')
      insert(fields, at)
      archived(job.id .. ':', job.epoch, '0', job.status, at, job.started_at or nil, nil, '0', '', '')
    end
    if job.begun or job.open == 0 then
      insert(fields, 'status')
      insert(fields, job.status)
    end
    call('HSET', job.name, unpack(fields))
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
if #left > 0 then
  call('LTRIM', steps, #left, -1)
end
if #later > 0 then
  local lines = {}
  for i, item in ipairs(later) do
    lines[i] = item[1].id .. ':' .. item[2] .. ' ' .. item[3] .. ' ' .. item[4] .. ' ' .. item[1].epoch
  end
  call('RPUSH', steps, unpack(lines))
end
if taken > 0 then
  call('HSET', incarnation, 'fence', count)
end
if #happened > 0 then
  call('XADD', archive, '*', unpack(happened))
end

-- What is worth knowing when nothing was handed out: who else is ready, and when something is due.
local due = (#later > 0 or #left == LINES) and 0 or -1
if taken == 0 then
  if max == 0 then
    for k = 9, #KEYS do
      if call('EXISTS', KEYS[k]) == 1 then
        woken[#woken + 1] = sub(KEYS[k], lane_prefix)
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
return {'ADVANCED', now_ms, fence, verdicts, handed, woken, waited, due, more, congested}
