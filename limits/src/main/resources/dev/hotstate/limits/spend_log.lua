-- spend_log: adds units to a log that has room for them, and sets its lifetime: until all is there again. Answers that
-- time. Two milliseconds more, because a lifetime counts from the last whole one before the script began.
local function spend_log(key, span, units, now, reset, out, first, last)
  if out then
    redis.call('ZREMRANGEBYSCORE', key, '-inf', out)
  end
  if last then
    redis.call('ZREMRANGEBYSCORE', key, '(' .. last, '+inf')
  end
  local at = string.format('%d', now)
  for from = first, first + units - 1, 1000 do
    local entries = {}
    for number = from, math.min(from + 999, first + units - 1) do
      entries[#entries + 1] = at
      entries[#entries + 1] = string.format('%s-%05d', at, number)
    end
    redis.call('ZADD', key, unpack(entries))
  end
  reset = math.max(span, reset)
  redis.call('PEXPIRE', key, math.ceil(reset / 1000) + 2)
  return reset
end
