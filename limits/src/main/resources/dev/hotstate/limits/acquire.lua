#!lua
-- Decides calls that travel together, each for itself and in their order: a call spends its cost from every one of its
-- counters, or from none. All of them are read and judged first, then all are written; a denial writes nothing. A rule
-- in shadow denies nothing and, where it would, is not spent. A call that breaks says so in its place; the others go on.
-- A check may want more than the cost, for others: it gets what is there up to that, in whole multiples of the cost.
-- KEYS  counters…
-- ARGV  now, rules, then for each rule: kind, size, span (window in us, or a bucket's token), drain, shadow; then for
--       each call: cost, checks, and for each of these (a counter each): rule (from 1), want
-- REPLY DECIDED then for each call: 1 (allowed), 0 (denied), or what broke and nothing more; for each of its checks:
--       remaining, reset_after_us, retry_after_us (0: it fits), and where it wanted more: taken, stamp (see refund)
-- COST  O(1) a counter, a few us; of a log O((cost + what is out of sight) log n)
--@include clock
--@include window
--@include bucket
--@include log
--@include standing
--@include spend
-- Much of a decision's time would go into turning texts into numbers: each is turned once, by arithmetic, which costs
-- half of tonumber.
local now, rules, reply = now_us(ARGV[1]), {}, {'DECIDED', 0, 0, 0, 0}
local calls = 5 * ARGV[2] + 3
for at = 3, calls - 5, 5 do
  rules[#rules + 1] = {ARGV[at], ARGV[at + 1] + 0, ARGV[at + 2] + 0, ARGV[at + 3] + 0, ARGV[at + 4] == '1'}
end

-- Judges a check and those after it, and on the way back, when all are judged, spends it: what it knows of its counter
-- waits in locals, which cost much less than tables. Answers whether the call is allowed, and where its reply ends.
local function decide(call, cost, check, checks, counters, to, allowed)
  local rule, want, key = rules[ARGV[call + 2 * check] + 0], ARGV[call + 2 * check + 1], KEYS[counters + check]
  local kind, span, drain = rule[1], rule[3], rule[4]
  local room, retry, reset, state, second, third = standing_of(key, kind, rule[2], span, drain, cost, now)
  local fits, more, last = room >= cost, want ~= ARGV[call], to + 3
  allowed = allowed and (fits or rule[5])
  reply[to], reply[to + 1], reply[to + 2] = room > 0 and room or 0, reset, retry
  if more then
    reply[to + 3], reply[to + 4], last = 0, (kind == 'f' or kind == 's') and state or now, to + 5
  end
  if check < checks then
    allowed, last = decide(call, cost, check + 1, checks, counters, last, allowed)
  end

  if allowed and fits then
    local taken = cost
    if more then
      taken = math.min(room, want + 0)
      taken = taken - taken % cost
      reply[to + 3] = taken
    end
    reply[to] = room - taken
    reply[to + 1] = spend(key, kind, span, drain, taken, now, reset, state, second, third)
  end
  return allowed, last
end

local call, counters, to, ends = calls, 0, 2, #ARGV
while call < ends do
  local checks = ARGV[call + 1] + 0
  reply[to] = 0
  local whole, allowed, last = pcall(decide, call, ARGV[call] + 0, 1, checks, counters, to + 1, true)
  if not whole then
    for i = #reply, to + 1, -1 do
      reply[i] = nil
    end
    reply[to], last = type(allowed) == 'table' and allowed.err or tostring(allowed), to + 1
  elseif allowed then
    reply[to] = 1
  end
  call, counters, to = call + 2 + 2 * checks, counters + checks, last
end
return reply
