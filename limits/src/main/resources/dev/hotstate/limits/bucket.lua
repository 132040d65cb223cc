-- bucket: how a token bucket stands: when it was last spent from, its level then, and the token of its rule then. It
-- leaks `drain` a microsecond, and a unit fills it by `token`, so all is in integers. The level of a rule that had
-- another token is converted, rounded up.
-- A time ahead of now (the clock went back) leaks nothing; one ahead by more than all of it is of no use any more.
-- Answers room, retry, reset (see acquire) and the level.
local function bucket_of(last, level, was, burst, token, drain, cost, now)
  if not last then
    return burst, 0, 0, 0
  end
  local capacity = burst * token
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
  if level > capacity then
    level = capacity
  end

  local elapsed, ahead = now - last, 0
  if elapsed >= math.ceil(level / drain) or -elapsed > math.ceil(capacity / drain) then
    return burst, 0, 0, 0
  elseif elapsed > 0 then
    level = level - elapsed * drain
  else
    ahead = -elapsed
  end

  local room, retry = math.floor((capacity - level) / token), 0
  if room < cost then
    retry = ahead + math.ceil((level - (capacity - cost * token)) / drain)
  end
  return room, retry, ahead + math.ceil(level / drain), level
end
