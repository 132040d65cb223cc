-- decide: what the end of one more need means for a task that waits. Needs are counted in one number: those that have not
-- ended + 2^17 times those that failed + 2^34 times those that were skipped (or have succeeded, where one success is
-- enough). Answers the number from now on, and READY or SKIPPED the one time that the rule is decided.
local function decide(rule, count, state)
  if rule == 'all_success' and state == 'SUCCEEDED' and count < 131072 then
    return count - 1, count == 1 and 'READY'
  end
  local skipped = math.floor(count / 17179869184)
  local failed = math.floor(count / 131072) % 131072
  local last = count % 131072 == 1
  local good, bad = state == 'SUCCEEDED', state == 'FAILED'
  if bad then
    count = count + 131072
  elseif rule == 'one_success' and good or rule ~= 'one_success' and not good then
    count = count + 17179869184
  end
  count = count - 1

  if rule == 'all_success' then
    if not good then
      return count, failed + skipped == 0 and 'SKIPPED'
    end
    return count, last and failed + skipped == 0 and 'READY'
  elseif rule == 'all_done' then
    return count, last and 'READY'
  elseif rule == 'none_failed' then
    if bad then
      return count, failed == 0 and 'SKIPPED'
    end
    return count, last and failed == 0 and 'READY'
  elseif rule == 'one_failed' then
    if bad then
      return count, failed == 0 and 'READY'
    end
    return count, last and failed == 0 and 'SKIPPED'
  end
  local succeeded = skipped
  if good then
    return count, succeeded == 0 and 'READY'
  end
  return count, last and succeeded == 0 and 'SKIPPED'
end
