-- advance_plan: what a call has read and is going to write.
-- Jobs that were read; the tasks that are to change, as key, status, attempt, and the ending that did it, and further fields
-- of some; all that happened, as job:task, epoch, state, attempt (of a job, when it began), error, result.
local jobs, read, reads = {}, {}, 0
local plan, planned, changes, further = {nil, nil, nil, nil, nil, nil, nil, nil}, {}, 0, {}
local happened, events = {at, nil}, 1
-- Keys that are written and were not read; what leaves leases, delayed and lapsed, and what comes there (score, member).
local unread, unreads = {nil, nil}, 0
local leave, leaves, hold, holds = {}, 0, {nil, nil}, 0
local rest, arrive, lapse, unlapse, soonest = {}, {}, {}, {}, 1 / 0

local function job_of(id)
  local job = jobs[id]
  if job == nil then
    local name = base .. 'job:' .. id
    local known = call('HGET', name, 'progress')
    job = known and progress_of(known) or false
    local status = job and job.status
    if status == 'LOADING' then
      job = false
    elseif job then
      job.id, job.name, job.dag = id, name, base .. 'dag:' .. id .. ':'
      job.live = status == 'RUNNING' or status == 'PENDING' or status == 'PAUSED'
      reads = reads + 1
      read[reads] = job
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

local function archived(member, epoch, state, attempt, error, result)
  happened[events + 1] = table.concat({member, epoch, state, attempt, error, result}, '\031')
  events = events + 1
end

-- Those that are to be told: each job has its own queue of task, part, what happened to it, and what it has given just now
-- (or false).
local todo, todos = {}, 0
local function tell(job, task, part, what, given)
  local queue, n = job.queue, job.queued
  if queue then
    queue[n + 1] = task
    queue[n + 2] = part
    queue[n + 3] = what
    queue[n + 4] = given
    job.queued = n + 4
  else
    job.queue, job.queued = {task, part, what, given}, 4
    todos = todos + 1
    todo[todos] = job
  end
end

local function ended(job, task, what, given)
  local visited = job.visited
  if visited then
    visited[#visited + 1] = task
  else
    job.visited = {task}
    unreads = unreads + 1
    unread[unreads] = job.dag .. 'visited'
  end
  tell(job, task, 0, what, given)
end

-- What a kit says is worked out once a call: most tasks of a job have the same.
local kits = {}
local function read_kit(text)
  local kit = kits[text]
  if not kit then
    local retries, most, timeout, backoff, priority, has, lane = kit_of(text)
    local logged, alone, needs = '0', false, true
    if sub(has, 1, 1) == 'l' then
      logged, has = '1', sub(has, 2)
    end
    if sub(has, 1, 1) == 'o' then
      alone, has = true, sub(has, 2)
    elseif sub(has, 1, 1) == 'n' then
      needs, has = false, sub(has, 2)
    end
    kit = {
      retries = retries, most = most, timeout = timeout, backoff = backoff, priority = priority, has = has, lane = lane,
      logged = logged, alone = alone, needs = needs, ends = false, attempt = false, words = false
    }
    kits[text] = kit
  end
  return kit
end

local function park(job, task)
  if not job.park then
    job.park = {}
    unreads = unreads + 1
    unread[unreads] = job.dag .. 'parked'
  end
  job.park[#job.park + 1] = task
end

-- Tasks that have just become ready, by lane and group: as member, job, task, key, kit, who made it so, and what that one
-- has given just now (both false where that is not known).
-- What finishes a job goes first: of one that is under way and has so few tasks left that others do not wait for it long.
local fresh, fresh_lanes, FRESH, FEW = {}, {}, 7, 100
local function ready(job, task, member, key, text, from, given)
  if job.status == 'PAUSED' then
    park(job, task)
    change(member, key, 'READY')
    return
  end
  local kit = read_kit(text)
  local lane, group = kit.lane, group_of(kit.priority, job.status == 'RUNNING' and job.open - job.done <= FEW)
  local lists = fresh[lane]
  if not lists then
    lists = {}
    fresh[lane] = lists
    fresh_lanes[#fresh_lanes + 1] = lane
  end
  local list = lists[group]
  if list then
    local n = #list
    list[n + 1] = member
    list[n + 2] = job
    list[n + 3] = task
    list[n + 4] = key
    list[n + 5] = kit
    list[n + 6] = from
    list[n + 7] = given
  else
    lists[group] = {member, job, task, key, kit, from, given}
  end
end
