#!lua
-- Decides calls that travel together, each for itself and in their order: a call spends its cost from every one of its
-- counters, or from none. All of them are read and judged first, then all are written; a denial spends nothing. It only
-- has, once, a counter live for as long as it counts, where its rule came to a longer window since.
-- A rule in shadow denies nothing and, where it would, is not spent; it alone may be asked for more than its size, which
-- never fits. A call that breaks says so in its place; the others go on.
-- A check may want more than the cost, for others: it gets what is there up to that, in whole multiples of the cost.
-- KEYS  counters…
-- ARGV  now, shapes, then for each shape: keys, checks, for each check: kind (f, s: fixed, sliding window; b: token
--       bucket; l: log), size, span (window in us, or a bucket's token), drain, shadow, label, joins (1: its key is that
--       of the check before); then for each call: its shape (where it begins in ARGV), which costs 1; or that negative,
--       cost, and what each check wants
-- REPLY DECIDED then for each call: 1 (allowed), 0 (denied), or what broke and nothing more; for each of its checks:
--       remaining, reset_after_us, retry_after_us (0: it fits), and where it wanted more: taken, stamp (see refund)
-- COST  O(1) a counter, a few us, and 43 bytes read for each rule that its subject met lately; of a log
--       O((cost + what is out of sight) log n)
--@include clock
--@include value_of
--@include slot_of
--@include window
--@include bucket
--@include log
--@include spend
--@include spend_log
--@include write
--@include outlive
--@include outlive_log
local now, reply, call = now_us(ARGV[1]), {'DECIDED', 0, 0, 0, 0}, 3

-- Judges a check and those after it, and on the way back, when all are judged, spends it: what it knows of its counter
-- waits in locals, which cost much less than tables. Room is what could be spent now, retry when the cost could be, reset
-- when all is there again. Slots of one key that stand side by side are written at once.
-- Answers whether the call is allowed, where its reply ends, and slots of its key that are not written yet.
local function decide(check, last, cost, wants, counter, key, value, guess, size, to, allowed)
  local ARGV = ARGV
  local kind, limit, span, drain, joins = ARGV[check], ARGV[check + 1], ARGV[check + 2], ARGV[check + 3], ARGV[check + 6]
  local room, retry, reset, at, first, second, third, kept
  local asked = cost > limit and limit or cost
  if joins == '0' then
    counter = counter + 1
    key = KEYS[counter]
  end
  if kind == 'l' then
    room, retry, reset, first, second, third = log_of(key, limit, span, asked, now)
  else
    if joins == '0' then
      value, guess = value_of(key), 0
      size = #value
    end
    at, first, second, third, kept = slot_of(value, ARGV[check + 5], guess)
    if not at then
      at, kept, size = size, 0, asked == cost and size + 43 or size
    end
    guess = at + 43
    if kind == 'b' then
      room, retry, reset, first = bucket_of(first, second, third, limit, span, drain, asked, now)
    else
      room, retry, reset, first, second, third = window_of(first, second, third, kind == 's', limit, span, asked, now)
    end
  end

  local fits, want, next = room >= cost, cost, to + 3
  allowed = allowed and (fits or ARGV[check + 4] == '1')
  reply[to], reply[to + 1], reply[to + 2] = room > 0 and room or 0, reset, (fits or retry > 0) and retry or 1
  if wants then
    wants = wants + 1
    want = ARGV[wants] + 0
    if want > cost then
      reply[to + 3], reply[to + 4], next = 0, (kind == 'f' or kind == 's') and first or now, to + 5
    end
  end
  local slots, from, lives
  if check < last then
    allowed, next, slots, from, lives =
      decide(check + 7, last, cost, wants, counter, key, value, guess, size, next, allowed)
  end

  if allowed and fits then
    local taken = cost
    if want > cost then
      taken = math.min(room, want)
      taken = taken - taken % cost
      reply[to + 3] = taken
    end
    reply[to] = room - taken
    if kind == 'l' then
      reply[to + 1] = spend_log(key, span, taken, now, reset, first, second, third)
    else
      local mine, needs
      reply[to + 1], mine, needs = spend(ARGV[check + 5], kind, span, drain, taken, now, first, second, third, kept)
      if from == guess then
        mine, needs = mine .. slots, needs > lives and needs or lives
      elseif slots then
        write(key, #value, from, slots, lives, now, false)
      end
      slots, from, lives = mine, at, needs
    end
  elseif reset > 0 then
    if kind == 'l' then
      outlive_log(key, reset)
    elseif now + reset > kept then
      outlive(key, at, reset, now)
    end
  end
  if slots and joins == '0' then
    write(key, #value, from, slots, lives, now, true)
    slots = nil
  end
  return allowed, next, slots, from, lives
end

-- Much of a decision's time would go into turning texts into numbers: each is turned once, by arithmetic, which costs
-- half of tonumber.
for _ = 1, ARGV[2] do
  local checks = ARGV[call + 1] + 0
  ARGV[call], ARGV[call + 1] = ARGV[call] + 0, checks
  for check = call + 2, call + 7 * checks, 7 do
    ARGV[check + 1], ARGV[check + 2], ARGV[check + 3] = ARGV[check + 1] + 0, ARGV[check + 2] + 0, ARGV[check + 3] + 0
  end
  call = call + 2 + 7 * checks
end

local to, counters, ends = 2, 0, #ARGV
while call <= ends do
  local shape, cost, wants = ARGV[call] + 0, 1
  if shape < 0 then
    shape, cost, wants = -shape, ARGV[call + 1] + 0, call + 1
    call = wants + ARGV[shape + 1]
  end
  reply[to] = 0
  local whole, allowed, next =
    pcall(decide, shape + 2, shape + 7 * ARGV[shape + 1] - 5, cost, wants, counters, nil, nil, nil, nil, to + 1, true)
  if not whole then
    for i = #reply, to + 1, -1 do
      reply[i] = nil
    end
    reply[to], next = type(allowed) == 'table' and allowed.err or tostring(allowed), to + 1
  elseif allowed then
    reply[to] = 1
  end
  call, counters, to = call + 1, counters + ARGV[shape], next
end
return reply
