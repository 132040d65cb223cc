-- advance_endings: each ending whose fence is still the task's counts. Those that were handed out together have the same fence and
-- attempt: what is to be known of these is worked out once.
local freed, odd, over_now = {}, {}, '-' .. at
local last_by, last_attempt, fence, is_held, over = nil, nil, nil, false, nil
for i = 11, permits_from - 1, 4 do
  local id, task, by, text = args[i], args[i + 1], args[i + 2], args[i + 3]
  local member, kind = id .. ':' .. task, byte(by)
  local key = task_prefix .. member
  local attempt, job = call('HGET', key, 'attempt'), jobs[id]
  if job == nil then
    job = job_of(id)
  end
  local same = by == last_by
  if not same then
    last_by, fence = by, sub(by, 2)
  end
  if kind ~= COMPLETED then
    kind = sub(by, 1, 1)
    if kind == 'p' or kind == 'l' then
      by = false
      if attempt and sub(attempt, 1, 1) == '?' then
        attempt = sub(attempt, 2)
      end
      -- A later attempt that has lapsed as well stays there.
      if not attempt or sub(attempt, 1, 1) == '-' or sub(attempt, 1, #fence) == fence or not job or not job.live then
        unlapse[#unlapse + 1] = member
      end
    end
  end
  if not same or attempt ~= last_attempt then
    last_attempt = attempt
    is_held = attempt and sub(attempt, 1, #fence) == fence
    over = is_held and over_now .. sub(attempt, #fence)
  end
  local frees = true
  if not job or not attempt and call('EXISTS', key) == 0 then
    odd[(i - 7) / 4], frees = 'U', false
  elseif not is_held or not job.live or planned[member]
    or not by and not call('ZSCORE', lapsed, member) then
    -- Whether this very ending has counted before: who was not answered tells it again.
    local n = planned[member]
    local repeated = by and (n and plan[n + 4] or call('HGET', key, 'ended')) == by
    odd[(i - 7) / 4] = repeated and 'R' or 'S'
    -- Of who was not answered, and of a job that was cancelled meanwhile, the permit is free as well.
    frees = attempt and (repeated and find(attempt, '^[-?]') or not job.live and is_held)
  else
    leaves = leaves + 1
    leave[leaves] = member
    if kind == COMPLETED or kind == 'p' then
      planned[member] = changes
      plan[changes + 1] = key
      plan[changes + 2] = 'SUCCEEDED'
      plan[changes + 3] = over
      plan[changes + 4] = by
      changes = changes + 4
      job.done = job.done + 1
      happened[events + 1] = member
      happened[events + 2] = job.epoch
      happened[events + 3] = 'SUCCEEDED'
      happened[events + 4] = over
      happened[events + 5] = ''
      happened[events + 6] = text
      events = events + 6
      if text ~= '' then
        local given = job.given
        if given then
          local n = #given
          given[n + 1] = task
          given[n + 2] = text
        else
          job.given, job.results = {task, text}, '1'
          unreads = unreads + 1
          unread[unreads] = job.dag .. 'results'
        end
      end
      ended(job, task, 'SUCCEEDED', text)
    elseif kind == 'r' then
      job.RUNNING, job.READY, job.changed = job.RUNNING - 1, job.READY + 1, true
      -- It may have lapsed, and the next attempt has not.
      unlapse[#unlapse + 1] = member
      local kit = kept_log(call('HGET', key, 'kit'), attempt)
      change(member, key, 'READY', over, {'kit', kit}, by)
      ready(job, task, member, key, kit, false, false)
    else
      local kit = read_kit(call('HGET', key, 'kit'))
      if (kind == 'f' or kind == 'u') and kit.retries + 0 < kit.most + 0 then
        again(job, task, member, key, attempt, text, true, by)
      elseif kind == 'u' or kind == 'v' then
        lapse[#lapse + 1] = at
        lapse[#lapse + 1] = member
        change(member, key, 'RUNNING', '?' .. attempt, {'error', text}, by)
      else
        job.RUNNING, job.FAILED, job.open = job.RUNNING - 1, job.FAILED + 1, job.open - 1
        job.changed = true
        change(member, key, 'FAILED', over, {'error', text}, by)
        archived(member, job.epoch, 'FAILED', over, text, '')
        ended(job, task, 'FAILED', false)
      end
    end
  end
  if frees and find(attempt, ' p:', 1, true) then
    -- A worker's name may look like one.
    local _, _, _, _, _, permit = attempt_of(attempt)
    if permit then
      freed[#freed + 1] = match(read_kit(call('HGET', key, 'kit')).lane, '^[^:]+') .. ' ' .. permit
    end
  end
end
local verdicts = string.rep('D', endings)
for n, letter in pairs(odd) do
  verdicts = sub(verdicts, 1, n - 1) .. letter .. sub(verdicts, n + 1)
end
