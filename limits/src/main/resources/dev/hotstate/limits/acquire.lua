#!lua
-- Decides calls that travel together, each for itself and in their order: a call spends its cost from every one of its
-- counters, or from none. All of them are read and judged first, then all are written; a denial writes nothing. A rule
-- in shadow denies nothing and, where it would, is not spent. One that breaks says so in its place; the others go on.
-- A check may want more than the cost, for others: it gets what is there up to that, in whole multiples of the cost.
-- KEYS  counters…
-- ARGV  now, rules, then for each rule: kind, size, span (window in us, or a bucket's token), drain, shadow; then for
--       each call: cost, checks, and for each of these (one counter each): rule (from 1), want
-- REPLY DECIDED then for each call: 1 (allowed), 0 (denied), or what broke and nothing more; for each of its checks:
--       remaining, reset_after_us, retry_after_us (0: it fits), and where it wanted more: taken, window's start
-- COST  O(1) a counter, a few us; of a log O((cost + what is out of sight) log n). At most 256 counters
--@include clock
--@include window
--@include bucket
--@include log
--@include standing
--@include spend
-- Much of a decision's time would go into turning texts into numbers: each is turned once, by arithmetic, which costs
-- half of tonumber.
local now, rules = now_us(ARGV[1]), ARGV[2] + 0
local kinds, sizes, spans, drains, shadows = {}, {}, {}, {}, {}
for r = 1, rules do
  local at = 5 * r - 2
  kinds[r], sizes[r], spans[r], drains[r] = ARGV[at], ARGV[at + 1] + 0, ARGV[at + 2] + 0, ARGV[at + 3] + 0
  shadows[r] = ARGV[at + 4] == '1'
end

-- What the counters hold, but for logs: read at once, and kept up to date where calls share a counter.
local held, texts = {}, redis.call('MGET', unpack(KEYS))
for i, key in ipairs(KEYS) do
  held[key] = texts[i] or ''
end

local reply, out = {'DECIDED'}, 1
local rooms, retries, resets, states, seconds, thirds = {}, {}, {}, {}, {}, {}
local function decide(at, first, checks)
  local cost, allowed = ARGV[at] + 0, true
  for i = 1, checks do
    local rule, key = ARGV[at + 2 * i] + 0, KEYS[first + i]
    local room
    room, retries[i], resets[i], states[i], seconds[i], thirds[i] =
      standing_of(key, held[key], kinds[rule], sizes[rule], spans[rule], drains[rule], cost, now)
    rooms[i] = room
    if room < cost and not shadows[rule] then
      allowed = false
    end
  end

  local to = out + 1
  reply[to] = allowed and 1 or 0
  for i = 1, checks do
    local rule, key, want = ARGV[at + 2 * i] + 0, KEYS[first + i], ARGV[at + 2 * i + 1]
    local room, reset, taken = rooms[i], resets[i], 0
    if allowed and room >= cost then
      taken = cost
      if want ~= ARGV[at] then
        taken = math.min(room, want + 0)
        taken = taken - taken % cost
      end
      reset, held[key] =
        spend(key, kinds[rule], spans[rule], drains[rule], taken, now, reset, states[i], seconds[i], thirds[i])
      room = room - taken
    end
    reply[to + 1] = room > 0 and room or 0
    reply[to + 2] = reset
    reply[to + 3] = retries[i]
    to = to + 3
    if want ~= ARGV[at] then
      reply[to + 1] = taken
      reply[to + 2] = (kinds[rule] == 'f' or kinds[rule] == 's') and states[i] or 0
      to = to + 2
    end
  end
  out = to
end

local at, first, last = 5 * rules + 3, 0, #ARGV
while at < last do
  local checks = ARGV[at + 1] + 0
  local whole, reason = pcall(decide, at, first, checks)
  if not whole then
    for i = #reply, out + 1, -1 do
      reply[i] = nil
    end
    out = out + 1
    reply[out] = type(reason) == 'table' and reason.err or tostring(reason)
  end
  at, first = at + 2 + 2 * checks, first + checks
end
return reply
