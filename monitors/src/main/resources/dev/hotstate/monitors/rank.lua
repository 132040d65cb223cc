-- rank: how a monitor is, as one number that sorts: its rank, and when it becomes stale if nobody looks again (ms).
-- rank 1 maintenance, 2 pending, 3 down, 4 degraded, 5 up. What is paused has none. What fails and does not count is degraded:
-- it is looked at again, or failed last under maintenance, or before Redis was lost or its definition changed.
local RANK = 10000000000000

local function standing(covered, checked_at, failures, threshold, failing, stale_after)
  if covered then
    return RANK
  end
  if not checked_at then
    return 2 * RANK
  end
  local rank = 5
  if failures >= threshold then
    rank = 3
  elseif failures > 0 or failing then
    rank = 4
  end
  return rank * RANK + checked_at + stale_after
end
