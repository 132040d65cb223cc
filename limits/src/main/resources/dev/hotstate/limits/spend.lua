-- spend: takes units from a counter that has them, and sets its lifetime: until all is there again. Answers that time.
-- Two milliseconds more, because a lifetime counts from the last whole one before the script began.
local function lifetime(reset)
  return string.format('%d', math.ceil(reset / 1000) + 2)
end

local function add_entries(key, now, first, units)
  local at = string.format('%d', now)
  for from = first, first + units - 1, 1000 do
    local entries = {}
    for number = from, math.min(from + 999, first + units - 1) do
      entries[#entries + 1] = at
      entries[#entries + 1] = string.format('%s-%05d', at, number)
    end
    redis.call('ZADD', key, unpack(entries))
  end
end

local function spend(key, kind, span, drain, units, now, reset, state, second, third)
  if kind == 'b' then
    local level = state + units * span
    reset = math.ceil(level / drain)
    redis.call('SET', key, string.format('b %d %d %d', now, level, span), 'PX', lifetime(reset))
  elseif kind == 'l' then
    reset = math.max(span, reset)
    if state then
      redis.call('ZREMRANGEBYSCORE', key, '-inf', state)
    end
    if third then
      redis.call('ZREMRANGEBYSCORE', key, '(' .. third, '+inf')
    end
    add_entries(key, now, second, units)
    redis.call('PEXPIRE', key, lifetime(reset))
  else
    reset = state + (kind == 's' and 2 or 1) * span - now
    redis.call('SET', key, string.format('w %d %d %d', state, second + units, third), 'PX', lifetime(reset))
  end
  return reset
end
