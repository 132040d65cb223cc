-- window: how a counter of windows stands: its start, what was spent in it, and in the previous one.
-- A fixed window begins with its first call. Sliding windows follow one another, and of the previous one counts what is
-- still in sight, rounded up. Time is in units of which a window has at most 2^20, so that products stay exact.
-- A start ahead of now (the clock went back) is brought to now; one more than a window ahead is of no use any more.
-- Answers room, retry, reset (see acquire), the start and both counts.
local function window_of(start, count, previous, sliding, limit, span, cost, now)
  if not start then
    return limit, 0, 0, now, 0, 0
  end
  if sliding and now >= start + span and now < start + 2 * span then
    start, count, previous = start + span, 0, count
  elseif now >= start + span or start > now + span then
    return limit, 0, 0, now, 0, 0
  end

  local ends, weight, unit, units = start + span - now, 0, 1, span
  if sliding and (previous > 0 or limit - count < cost) then
    unit = span > 1048576 and math.ceil(span / 1048576) or 1
    units = math.floor(span / unit)
    weight = math.min(previous, math.ceil(previous * math.ceil(math.min(ends, span) / unit) / units))
  end

  local room, retry, reset = limit - weight - count, 0, 0
  if room < cost then
    retry = ends
    if sliding then
      local now_spare, next_spare = limit - count - cost, limit - cost
      local in_sight = now_spare > 0 and math.floor(now_spare * units / previous) or 0
      if in_sight > 0 then
        retry = ends - in_sight * unit
      elseif count > next_spare then
        retry = ends + span - math.floor(next_spare * units / count) * unit
      end
    end
  end
  if count > 0 then
    reset = sliding and ends + span or ends
  elseif sliding and previous > 0 then
    reset = ends
  end
  return room, retry, reset, start > now and now or start, count, previous
end
