-- advance_tell: tells dependents, in rounds: what is skipped in one is told to its own dependents in the next. One reading
-- of dependents (a slice at a time), of counts and of rules a job and round. What is beyond the budget is left for later.
local SLICE, PART, budget = 16, 250, 500
local later, laters, lists = {}, 0, {}
while todos > 0 do
  local round, rounds = todo, todos
  todo, todos = {}, 0
  for r = 1, rounds do
    local job = round[r]
    local queue, queued, dag, counts = job.queue, job.queued, job.dag, job.counts
    job.queue = false
    if job.open == job.done then
      -- All tasks of it have ended: nobody is left to be told.
      queued = 0
    end
    if not counts then
      counts = {}
      job.counts = counts
    end
    -- Who is to be told, and by which entry of the queue; those whose count is not known yet.
    local tasks, by, told, asked, asks = {nil}, {nil}, 0, {nil}, 0
    for from = 1, queued, 4 * SLICE do
      local parts, upto = nil, math.min(from + 4 * SLICE - 1, queued)
      if budget > 0 then
        local fields, n = {}, 0
        for i = from, upto, 4 do
          n = n + 1
          fields[n] = queue[i + 1] > 0 and queue[i] .. ',' .. queue[i + 1] or queue[i]
        end
        if n == 1 then
          parts = fields
          parts[1] = call('HGET', dag .. 'dependents', fields[1])
        else
          parts = call('HMGET', dag .. 'dependents', unpack(fields))
        end
      end
      local k = 0
      for i = from, upto, 4 do
        k = k + 1
        local what, part, ids = queue[i + 2], nil, nil
        if budget <= 0 then
          laters = laters + 1
          later[laters] = job.id .. ':' .. queue[i] .. ' ' .. queue[i + 1] .. ' ' .. what .. ' ' .. job.epoch
        elseif what == 'PARKED' then
          -- Those of a job that was paused again stay where they are.
          if job.status ~= 'PAUSED' then
            ids = call('SRANDMEMBER', dag .. 'parked', PART)
            unreads = unreads + 1
            unread[unreads] = dag .. 'parked'
            job.unpark = job.unpark or {}
            for j = 1, #ids do
              job.unpark[#job.unpark + 1] = ids[j]
            end
            if #ids == PART then
              laters = laters + 1
              later[laters] = job.id .. ': 0 PARKED ' .. job.epoch
            end
          end
        else
          part = parts[k]
          if part and find(part, ',', 1, true) then
            ids = lists[part]
            if not ids then
              ids = {}
              for id in string.gmatch(part, '[^,]+') do
                ids[#ids + 1] = id
              end
              lists[part] = ids
            end
            if #ids == PART then
              tell(job, queue[i], queue[i + 1] + 1, what, queue[i + 3])
            end
          end
        end
        local n = ids and #ids or part and 1 or 0
        for j = 1, n do
          local task = ids and ids[j] or part
          told = told + 1
          tasks[told] = task
          by[told] = i
          if counts[task] == nil and what ~= 'START' and what ~= 'PARKED' then
            counts[task] = false
            asks = asks + 1
            asked[asks] = task
          end
        end
        budget = budget - n
      end
    end

    local rules = job.rules
    if asks == 1 then
      counts[asked[1]] = tonumber(call('HGET', dag .. 'pending', asked[1]) or nil) or false
    elseif asks > 0 then
      for i, count in ipairs(call('HMGET', dag .. 'pending', unpack(asked))) do
        counts[asked[i]] = count and tonumber(count)
      end
    end
    if job.ruled == '1' and asks > 0 then
      rules = rules or {}
      job.rules = rules
      for i, rule in ipairs(call('HMGET', dag .. 'triggers', unpack(asked))) do
        rules[asked[i]] = rule
      end
    end

    for i = 1, told do
      local task, from = tasks[i], by[i]
      local what, count, verdict = queue[from + 2], counts[task], nil
      if what == 'START' or what == 'PARKED' then
        local member, made = job.id .. ':' .. task, job.made or {}
        local h = call('HMGET', task_prefix .. member, 'status', 'kit')
        job.made = made
        if not made[task] and h[1] == (what == 'START' and 'WAITING' or 'READY') then
          made[task] = true
          if what == 'START' then
            job.READY, job.changed = job.READY + 1, true
          end
          ready(job, task, member, task_prefix .. member, h[2], false, false)
        end
      elseif count then
        job.told = true
        count, verdict = decide(rules and rules[task] or 'all_success', count, what)
        counts[task] = count
        if verdict then
          local member = job.id .. ':' .. task
          local key = task_prefix .. member
          if verdict == 'READY' then
            job.READY, job.changed = job.READY + 1, true
            ready(job, task, member, key, call('HGET', key, 'kit'), queue[from], queue[from + 3])
          else
            unreads = unreads + 1
            unread[unreads] = key
            job.SKIPPED, job.open = job.SKIPPED + 1, job.open - 1
            job.changed = true
            change(member, key, 'SKIPPED', nil, {'finished_at', at})
            archived(member, job.epoch, 'SKIPPED', '', '', '')
            ended(job, task, 'SKIPPED', false)
          end
        end
      end
    end
  end
end
