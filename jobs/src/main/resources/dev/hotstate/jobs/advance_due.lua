-- advance_due: what is due is taken up, so many at a time: delayed tasks, jobs that begin now, leases that ran out, and what
-- steps earlier calls left. For a while after a silence no lease is over: one that ended meanwhile could not be extended, nor
-- could one that ends just after.
local LINES, lines = 250, 0
if looks then
  local DUE, spare = '100', match(args[9], '^%d+') + 0
  for _, member in ipairs(call('ZRANGE', delayed, '-inf', at, 'BYSCORE', 'LIMIT', '0', DUE)) do
    rest[#rest + 1] = member
    local id, task = match(member, '^([^:]+):(.*)$')
    local job = job_of(id)
    if job and job.live then
      if task == '' then
        tell(job, '', 0, 'START', false)
      else
        local key = task_prefix .. member
        local h = call('HMGET', key, 'status', 'kit')
        if h[1] == 'DELAYED' then
          job.DELAYED, job.READY, job.changed = job.DELAYED - 1, job.READY + 1, true
          ready(job, task, member, key, h[2], false, false)
        end
      end
    end
  end

  local over = call('ZRANGE', leases, '-inf', at, 'BYSCORE', 'LIMIT', '0', DUE)
  local resumed = #over > 0 and math.floor((tonumber(call('HGET', incarnation, 'resumed') or nil) or 0) / 1000)
  for i = 1, #over do
    local member = over[i]
    local id, task = match(member, '^([^:]+):(.*)$')
    local job = job_of(id)
    local key = task_prefix .. member
    local h = call('HMGET', key, 'attempt', 'kit')
    local fence, retries, started, _, _, permit = attempt_of(h[1] or '- 0 0 0 -')
    local runs = job and job.live and sub(fence, 1, 1) ~= '-'
    local spared = runs and now_ms < resumed + spare
    if spared then
      hold[holds + 1] = resumed + spare
      hold[holds + 2] = member
      holds = holds + 2
    else
      leaves = leaves + 1
      leave[leaves] = member
      if permit then
        freed[#freed + 1] = match(read_kit(h[2]).lane, '^[^:]+') .. ' ' .. permit
      end
    end
    if runs and not spared then
      local kit = read_kit(h[2])
      local late = started + kit.timeout <= now_ms
      local error = late and 'timed out' or 'lease ran out'
      if retries + 0 >= kit.most + 0 then
        lapse[#lapse + 1] = at
        lapse[#lapse + 1] = member
        change(member, key, 'RUNNING', nil, {'error', error})
      else
        again(job, task, member, key, h[1], error, late)
      end
    end
  end

  for _, line in ipairs(call('LRANGE', steps, '0', LINES - 1)) do
    lines = lines + 1
    local id, task, part, what, epoch = match(line, '^([^:]+):(%S*) (%d+) (%S+) (%d+)$')
    local job = job_of(id)
    if job and job.live and job.epoch == epoch then
      tell(job, task, part + 0, what, false)
    end
  end
end
