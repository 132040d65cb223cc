-- advance_outlook: what is worth knowing now: when something is due, and where nothing was handed out, which of the lanes are not
-- empty, for those who look after them.
local due, waited = -1, 0
if soonest < 1 / 0 then
  due = soonest - now_ms
end
if max == 0 then
  for k = 9, #keys do
    if call('EXISTS', keys[k]) == 1 then
      woken[#woken + 1] = sub(keys[k], #ready_prefix + 1)
    end
  end
elseif taken < max and find(args[6], 'w', 1, true) then
  call('SET', waiting, '1', 'PX', '35000')
end
if taken == 0 and looks then
  local first, lease_end = call('ZRANGE', delayed, '0', '0', 'WITHSCORES')[2], call('ZRANGE', leases, '0', '0', 'WITHSCORES')[2]
  first = math.min(tonumber(first) or 1 / 0, tonumber(lease_end) or 1 / 0)
  due = first < 1 / 0 and math.max(0, first - now_ms) or -1
end
if laters > 0 or lines == LINES then
  due = 0
end
if late then
  more = 1
end
if woken[1] then
  waited = call('EXISTS', waiting)
end
