-- advance_again: an attempt has failed and another one comes: at once, or after a pause that doubles with each.
-- Made only where it may be needed: when all endings are of tasks that completed, nothing comes again.
local fails, again, kept_log, paused = looks, nil, nil, 0
for i = 13, permits_from - 1, 4 do
  fails = fails or string.byte(args[i]) ~= COMPLETED
end
if fails then
  -- What an attempt has logged is the task's: also where a later one logs nothing.
  kept_log = function(text, attempt)
    local _, _, _, logged = attempt_of(attempt)
    return logged == '1' and string.gsub(text, '^(%d+ %d+ %d+ %d+ %d+ )([^l])', '%1l%2') or text
  end
  again = function(job, task, member, key, attempt, error, pauses, by)
    local _, retries = attempt_of(attempt)
    local text = call('HGET', key, 'kit')
    local made = format('%d', retries + 1)
    local backoff = read_kit(text).backoff
    text = made .. sub(kept_log(text, attempt), find(text, ' ', 1, true), -1)
    local over = '-' .. at .. sub(attempt, find(attempt, ' ', 1, true), -1)
    archived(member, job.epoch, 'DELAYED', over, error, '')
    local more = {'kit', text, 'retry_count', made, 'error', error}
    job.RUNNING, job.changed = job.RUNNING - 1, true
    if pauses then
      -- One chance a call, spread over those that fail together (by the golden ratio), or they would come back together.
      local chance = (match(args[9], ' (.*)$') + paused * 0.6180339887) % 1
      paused = paused + 1
      local due = now_ms + math.floor(math.min(backoff * 2 ^ retries, 3600000) * (1 - chance / 4))
      job.DELAYED = job.DELAYED + 1
      change(member, key, 'DELAYED', over, more, by)
      soonest = math.min(soonest, due)
      arrive[#arrive + 1] = due
      arrive[#arrive + 1] = member
    else
      job.READY = job.READY + 1
      change(member, key, 'READY', over, more, by)
      ready(job, task, member, key, text, false, false)
    end
  end
end
