#!lua
-- Spends a cost from every counter, or from none: all are read and judged first, then all are written. A denial writes
-- nothing. A rule in shadow denies nothing and, where it would, is not spent.
-- A check may want more than the cost, to be used later: it gets what is there, up to that.
-- KEYS  counters…
-- ARGV  now, cost, then for each counter: kind, size, span (window in us, or a bucket's token), drain, shadow, want
-- REPLY ALLOWED then for each counter: allowed (0 or 1), taken, remaining, reset_after_us, retry_after_us, window's start
-- REPLY DENIED the same
-- COST  O(1) a counter; of a log O((cost + what is out of sight) log n). At most 16 counters
--@include clock
--@include window
--@include bucket
--@include log
--@include standing
--@include spend
local now, cost = now_us(ARGV[1]), tonumber(ARGV[2])

local standings, allowed = {}, true
for i, key in ipairs(KEYS) do
  local at = 6 * i - 3
  local standing =
    standing_of(key, ARGV[at], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3]), cost, now)
  standings[i] = standing
  allowed = allowed and (standing.room >= cost or ARGV[at + 4] == '1')
end

local reply = {allowed and 'ALLOWED' or 'DENIED'}
for i, key in ipairs(KEYS) do
  local at, standing = 6 * i - 3, standings[i]
  local fits = standing.room >= cost
  local taken, reset = 0, standing.reset
  if allowed and fits then
    taken = math.min(standing.room, tonumber(ARGV[at + 5]))
    reset = spend(key, ARGV[at], tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3]), standing, taken, now)
  end
  local out = 6 * i - 4
  reply[out] = fits and 1 or 0
  reply[out + 1] = taken
  reply[out + 2] = math.max(0, standing.room - taken)
  reply[out + 3] = reset
  reply[out + 4] = standing.retry
  reply[out + 5] = standing.start or 0
end
return reply
