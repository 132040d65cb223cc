-- clock: the time in microseconds. Redis's own, unless a test passes one; never a client's.
local function now_us(given)
  if given ~= '' then
    return tonumber(given)
  end
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end
