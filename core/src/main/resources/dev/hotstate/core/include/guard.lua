-- guard: whether the caller may act on this partition now. Answers false, or what the partition's hash says: its pass, until
-- when it admits, and further fields that are asked for.
-- A pass is "<incarnation>" for a ready partition, or "<incarnation>:<token>" for its one rebuilder. A ready partition
-- must be beating as well: each beat is good for two seconds, so a copy older than that (a snapshot put back, a replica
-- that lagged) admits nobody before somebody has looked at it.
local function admitted(incarnation, pass, now, ...)
  local held = redis.call('HMGET', incarnation, 'pass', 'until', ...)
  if held[1] ~= pass then
    return false
  end
  return (string.find(pass, ':', 1, true) or tonumber(held[2]) > now) and held
end
