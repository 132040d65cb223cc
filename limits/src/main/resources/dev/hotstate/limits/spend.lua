-- spend: takes units from a counter that has them, and sets its lifetime: until all is there again. Answers that time.
-- Two milliseconds more, because a lifetime counts from the last whole one before the script began.
local function spend(key, kind, span, drain, standing, units, now)
  local reset
  if kind == 'b' then
    local level = standing.level + units * span
    reset = math.ceil(level / drain)
    redis.call(
      'SET', key, string.format('b %.0f %.0f %.0f', now, level, span), 'PX', math.ceil(reset / 1000) + 2)
  elseif kind == 'l' then
    reset = math.max(span, standing.reset)
    if standing.out then
      redis.call('ZREMRANGEBYSCORE', key, '-inf', standing.out)
    end
    if standing.stray then
      redis.call('ZREMRANGEBYSCORE', key, '(' .. standing.stray, '+inf')
    end
    local at = string.format('%.0f', now)
    for from = standing.next, standing.next + units - 1, 1000 do
      local entries = {}
      for number = from, math.min(from + 999, standing.next + units - 1) do
        entries[#entries + 1] = at
        entries[#entries + 1] = string.format('%s-%05d', at, number)
      end
      redis.call('ZADD', key, unpack(entries))
    end
    redis.call('PEXPIRE', key, math.ceil(reset / 1000) + 2)
  else
    reset = standing.start + (kind == 's' and 2 or 1) * span - now
    redis.call(
      'SET', key, string.format('w %.0f %.0f %.0f', standing.start, standing.count + units, standing.previous),
      'PX', math.ceil(reset / 1000) + 2)
  end
  return reset
end
