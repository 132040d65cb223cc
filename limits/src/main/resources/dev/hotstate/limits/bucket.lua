-- bucket: how a token bucket stands, written as "b <last> <level> <token>": it leaks `drain` a microsecond, and a unit
-- fills it by `token`, so all is in integers. The level of a rule that had another token is converted, rounded up.
-- A time ahead of now (the clock went back) leaks nothing; one ahead by more than all of it is of no use any more.
local function bucket_of(key, burst, token, drain, cost, now)
  local capacity = burst * token
  local last, level, was = string.match(redis.call('GET', key) or '', '^b (%d+) (%d+) (%d+)$')
  last, level, was = tonumber(last) or now, tonumber(level) or 0, tonumber(was) or token
  if was ~= token then
    local whole = math.floor(level / was)
    local rest = level - whole * was
    local filled = math.ceil(rest * token / was)
    if rest * token >= 9007199254740992 then
      -- The one more covers what the roundings of so large a product may lose.
      filled = math.min(token, filled + 1)
    end
    level = whole * token + filled
  end
  level = math.min(level, capacity)

  local elapsed = now - last
  if elapsed >= math.ceil(level / drain) or -elapsed > math.ceil(capacity / drain) then
    level = 0
  elseif elapsed > 0 then
    level = level - elapsed * drain
  end

  local ahead = level > 0 and math.max(0, -elapsed) or 0
  local room, retry = math.floor((capacity - level) / token), 0
  if room < cost then
    retry = ahead + math.ceil((level - (capacity - cost * token)) / drain)
  end
  return {room = room, retry = retry, reset = ahead + math.ceil(level / drain), level = level}
end
