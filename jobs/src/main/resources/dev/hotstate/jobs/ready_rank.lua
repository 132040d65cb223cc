-- ready_rank: the score of what is ready: greater priority first; of one priority what finishes a job that is under way, and then the
-- rest; of each the older. Time counts in twenties of microseconds since 2026, of which there are 2^45 in each of these groups, so
-- until 2048; with a hundred priorities it is exact.
local PRIORITIES, RANKS, SINCE, TICK = 100, 35184372088832, 1767225600000000, 20
local function group_of(priority, finishes)
  return 2 * (PRIORITIES - priority) + (finishes and 0 or 1)
end
local function rank_of(group, now)
  return string.format('%d', group * RANKS + math.floor((now - SINCE) / TICK))
end
