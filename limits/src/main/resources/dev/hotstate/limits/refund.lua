#!lua
-- Gives units back to counters that still have them: never below nothing, and never to a counter that is not there.
-- What is oldest goes first (the oldest entries of a log, the previous window before this one): that keeps the bounds,
-- whichever call the units came from. Units with a stamp come back only as far as they still count themselves: of a
-- window while it is that very window, of a log while they are in sight, of a bucket what cannot have leaked meanwhile.
-- KEYS  counters…
-- ARGV  now, then for each counter: kind, span (window in us, or a bucket's token), drain, label, units, stamp (the
--       window's start, or when a log's or bucket's units were taken; or '')
-- REPLY REFUNDED then for each counter: units given back
-- COST  O(1) a counter, and 43 bytes for each rule that its subject met lately; of a log O(units + log n). At most 16
--       counters
--@include clock
--@include value_of
--@include slot_of
local now = now_us(ARGV[1])

-- Writes a slot, or takes it out where nothing is left of it.
local function put(key, value, at, slot)
  if slot then
    redis.call('SETRANGE', key, at, slot)
  elseif #value == 43 then
    redis.call('DEL', key)
  else
    redis.call('SET', key, string.sub(value, 1, at) .. string.sub(value, at + 44), 'KEEPTTL')
  end
end

local function refund_bucket(key, units, token_now, drain, label, stamp)
  local value = value_of(key)
  local at, last, level, token, kept = slot_of(value, label, 0)
  if not at then
    return 0
  end
  local leaked = stamp == '' and 0 or math.max(0, now - stamp) * drain / token_now
  local given = math.min(level, math.floor(math.max(0, units - leaked) * token))
  if given == 0 then
    return 0
  end
  put(key, value, at, given < level and struct.pack('<c11dddd', label, last, level - given, token, kept))
  return math.ceil(given / token)
end

local function refund_log(key, span, units, stamp)
  if stamp ~= '' and now - stamp >= span then
    return 0
  end
  local gone = redis.call('ZCOUNT', key, '-inf', string.format('%d', now - span))
  return math.max(0, redis.call('ZREMRANGEBYRANK', key, 0, gone + units - 1) - gone)
end

local function refund_window(key, sliding, span, label, units, stamp)
  local value = value_of(key)
  local at, start, count, previous, kept = slot_of(value, label, 0)
  if not at then
    return 0
  end
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
  local is_left = count > from_count or sliding and previous > from_previous
  put(key, value, at, is_left
    and struct.pack('<c11dddd', label, start, count - from_count, previous - from_previous, kept))
  return from_previous + from_count
end

local reply = {'REFUNDED'}
for i, key in ipairs(KEYS) do
  local at = 6 * i - 4
  local kind, span, drain, label = ARGV[at], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]), ARGV[at + 3]
  local units, stamp = tonumber(ARGV[at + 4]), ARGV[at + 5]
  if kind == 'b' then
    reply[i + 1] = refund_bucket(key, units, span, drain, label, stamp)
  elseif kind == 'l' then
    reply[i + 1] = refund_log(key, span, units, stamp)
  else
    reply[i + 1] = refund_window(key, kind == 's', span, label, units, stamp)
  end
end
return reply
