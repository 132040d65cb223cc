#!lua
-- Spends a cost from every counter, or from none: all are read and judged first, then all are written. A denial writes
-- nothing. A rule in shadow denies nothing and, where it would, is not spent.
-- A check may want more than the cost, for others: it gets what is there up to that, in whole multiples of the cost.
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
-- A decision is a few microseconds of Redis's time, and much of that is turning texts into numbers: each is turned once,
-- by arithmetic, which costs half of tonumber.
local now, cost = now_us(ARGV[1]), ARGV[2] + 0

local standings, allowed = {}, true
for i, key in ipairs(KEYS) do
  local at = 6 * i - 3
  local kind, size, span, drain = ARGV[at], ARGV[at + 1] + 0, ARGV[at + 2] + 0, ARGV[at + 3] + 0
  local room, retry, reset, state, second, third = standing_of(key, kind, size, span, drain, cost, now)
  standings[i] = {room, retry, reset, span, drain, state, second, third}
  if room < cost and ARGV[at + 4] ~= '1' then
    allowed = false
  end
end

local reply = {allowed and 'ALLOWED' or 'DENIED'}
for i, key in ipairs(KEYS) do
  local at, out = 6 * i - 3, 6 * i - 4
  local room, retry, reset, span, drain, state, second, third = unpack(standings[i], 1, 8)
  local kind, fits, taken = ARGV[at], room >= cost, 0
  if allowed and fits then
    taken = cost
    if ARGV[at + 5] ~= ARGV[2] then
      taken = math.min(room, ARGV[at + 5] + 0)
      taken = taken - taken % cost
    end
    reset = spend(key, kind, span, drain, taken, now, reset, state, second, third)
    room = room - taken
  end
  reply[out] = fits and 1 or 0
  reply[out + 1] = taken
  reply[out + 2] = room > 0 and room or 0
  reply[out + 3] = reset
  reply[out + 4] = retry
  reply[out + 5] = (kind == 'f' or kind == 's') and state or 0
end
return reply
