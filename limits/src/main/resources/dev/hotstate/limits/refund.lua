#!lua
-- Gives units back to counters that still have them: never below nothing, and never to a counter that is not there.
-- What is oldest goes first (the oldest entries of a log, the previous window before this one): that keeps the bounds,
-- whichever call the units came from. Units with a stamp come back only as far as they still count themselves: of a
-- window while it is that very window, of a log while they are in sight, of a bucket what cannot have leaked meanwhile.
-- KEYS  counters…
-- ARGV  now, then for each counter: kind, span (window in us, or a bucket's token), drain, units, stamp (the window's
--       start, or when a log's or bucket's units were taken; or '')
-- REPLY REFUNDED then for each counter: units given back
-- COST  O(1) a counter; of a log O(units + log n). At most 16 counters
--@include clock
local now = now_us(ARGV[1])

local function refund_bucket(key, units, token_now, drain, stamp)
  local last, level, token = string.match(redis.call('GET', key) or '', '^b (%d+) (%d+) (%d+)$')
  if not last then
    return 0
  end
  local leaked = stamp == '' and 0 or math.max(0, now - stamp) * drain / token_now
  local given = math.min(tonumber(level), math.floor(math.max(0, units - leaked) * token))
  if given == 0 then
    return 0
  elseif given == tonumber(level) then
    redis.call('DEL', key)
  else
    redis.call('SET', key, string.format('b %s %d %s', last, level - given, token), 'KEEPTTL')
  end
  return math.ceil(given / token)
end

local function refund_log(key, span, units, stamp)
  if stamp ~= '' and now - stamp >= span then
    return 0
  end
  local gone = redis.call('ZCOUNT', key, '-inf', string.format('%d', now - span))
  return math.max(0, redis.call('ZREMRANGEBYRANK', key, 0, gone + units - 1) - gone)
end

local function refund_window(key, sliding, span, units, stamp)
  local start, count, previous = string.match(redis.call('GET', key) or '', '^w (%d+) (%d+) (%d+)$')
  if not start then
    return 0
  end
  start, count, previous = tonumber(start), tonumber(count), tonumber(previous)
  if sliding and now >= start + span then
    start, count, previous = start + span, 0, count
  end
  if now >= start + span or stamp ~= '' and tonumber(stamp) ~= start then
    return 0
  end
  local from_previous = sliding and math.min(previous, units) or 0
  local from_count = math.min(count, units - from_previous)
  if from_previous + from_count == 0 then
    return 0
  end
  if count == from_count and (previous == from_previous or not sliding) then
    redis.call('DEL', key)
  else
    redis.call(
      'SET', key, string.format('w %d %d %d', start, count - from_count, previous - from_previous), 'KEEPTTL')
  end
  return from_previous + from_count
end

local reply = {'REFUNDED'}
for i, key in ipairs(KEYS) do
  local at = 5 * i - 3
  local kind, span, drain = ARGV[at], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  local units, stamp = tonumber(ARGV[at + 3]), ARGV[at + 4]
  if kind == 'b' then
    reply[i + 1] = refund_bucket(key, units, span, drain, stamp)
  elseif kind == 'l' then
    reply[i + 1] = refund_log(key, span, units, stamp)
  else
    reply[i + 1] = refund_window(key, kind == 's', span, units, stamp)
  end
end
return reply
