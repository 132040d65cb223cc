-- ready_rank: the score of what is ready: greater priority first, and then the older. Time counts in tens of microseconds since 2026,
-- of which there are 2^46 a priority, so until 2048; with a hundred priorities it is exact.
local PRIORITIES, RANKS, SINCE = 100, 70368744177664, 1767225600000000
local function rank_of(priority, now)
  return string.format('%d', (PRIORITIES - priority) * RANKS + math.floor((now - SINCE) / 10))
end
