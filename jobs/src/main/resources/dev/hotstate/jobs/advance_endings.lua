-- advance_endings: each ending whose fence is still the task's counts.
local verdicts, freed, over_now = {nil}, {}, '-' .. at
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
  local verdict, letter = 'D', 'D'
  if settles then
    unlapse[#unlapse + 1] = member
    if attempt and sub(attempt, 1, 1) == '?' then
      attempt = sub(attempt, 2)
    end
  end
  if not job or not attempt and call('EXISTS', key) == 0 then
    verdict, letter = 'U', 'U'
  elseif not attempt or sub(attempt, 1, #fence) ~= fence or not job.live or planned[member]
    or settles and not call('ZSCORE', lapsed, member) then
    -- Whether this very ending has counted before: who was not answered tells it again.
    local n = planned[member]
    local before = (n and plan[n + 4] or call('HGET', key, 'ended')) == by
    verdict, letter = 'S', before and 'R' or 'S'
  end
  verdicts[(i - 7) / 4] = letter
  if verdict == 'D' then
    leaves = leaves + 1
    leave[leaves] = member
    if find(attempt, ' p:', 1, true) then
      local _, _, _, _, _, permit = attempt_of(attempt)
      freed[#freed + 1] = match(read_kit(call('HGET', key, 'kit')).lane, '^[^:]+') .. ' ' .. permit
    end
    local over = over_now .. sub(attempt, #fence)
    if kind == 'c' or kind == 'p' then
      job.RUNNING, job.SUCCEEDED = job.RUNNING - 1, job.SUCCEEDED + 1
      change(member, key, 'SUCCEEDED', over, nil, by)
      archived(member, job.epoch, 'SUCCEEDED', over, '', text)
      if text ~= '' then
        local given = job.given
        if given then
          given[#given + 1] = task
          given[#given + 1] = text
        else
          job.given, job.results = {task, text}, '1'
          unreads = unreads + 1
          unread[unreads] = job.dag .. 'results'
        end
      end
      ended(job, task, 'SUCCEEDED', text)
    elseif kind == 'r' then
      job.RUNNING, job.READY, job.changed = job.RUNNING - 1, job.READY + 1, true
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
        job.RUNNING, job.FAILED = job.RUNNING - 1, job.FAILED + 1
        change(member, key, 'FAILED', over, {'error', text}, by)
        archived(member, job.epoch, 'FAILED', over, text, '')
        ended(job, task, 'FAILED', false)
      end
    end
  end
end
