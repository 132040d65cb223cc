-- lanes_read: of a thousand lanes and more, those of the oldest in which nothing is ready make way for the ones that come (as
-- many as wakes says). One in which something is ready never does, since whoever serves every queue would not find it:
-- it counts as young. Twice as many as come are looked at, so there are never more than twice those that are not empty.
local idle_lanes, busy_lanes = {}, {}
if wakes > 0 and redis.call('ZCARD', lanes) + wakes > 1000 then
  for _, lane in ipairs(redis.call('ZRANGE', lanes, 0, 2 * wakes)) do
    if redis.call('EXISTS', base .. 'ready:' .. lane) == 0 then
      idle_lanes[#idle_lanes + 1] = lane
    else
      busy_lanes[#busy_lanes + 1] = now_ms
      busy_lanes[#busy_lanes + 1] = lane
    end
  end
end
