-- nearest: exactly the nearest drivers of a GEO set that can be found, nearest first, ties by id.
-- At first it looks at what is close by, by a GEOSEARCH as small as will do; where that is not enough it goes on by cells.
-- It takes its question from ARGV, from place `first` on: lat, lon, radius_mm, limit, budget, after_mm and after_id
-- (drivers up to there were examined before; -1 and nothing at first), stop_mm (the caller knows of cells from there on
-- that it does not pass), then the cells to begin with as score, level, mm, the nearest first.
-- Answers what was found as {id, mm, cell, its line of fix}…; and, where that is not all, the cells that are left, and how
-- far it came.
local function nearest(set, fix, online, first, now_ms)
  local WHOLE, CLOSE_BY = 64, 50
  local found, limit, after_mm, after_id = {}, tonumber(ARGV[first + 3]), tonumber(ARGV[first + 5]), ARGV[first + 6]
  local whole = after_mm < 0 and redis.call('ZCARD', set) <= WHOLE

  -- GEOSEARCH has them in order, but for what is lost in rounding: a millimetre more or less.
  local function close_by(near, reach_mm)
    local lat, lon = ARGV[first] * RADIANS, ARGV[first + 1] * RADIANS
    local ordered, read, checked, last_mm = {}, 0, 0, -1
    while #found < limit and checked < #near do
      local ids, wanted = {}, checked + limit - #found
      while read < #near and (#ordered < wanted or last_mm <= ordered[wanted][2] + 1) do
        read = read + 1
        local id, cell = near[read][1], near[read][2]
        last_mm = distance_mm(lat, lon, corner_of(cell))
        if last_mm <= reach_mm then
          local at = #ordered
          while at > 0 and (ordered[at][2] > last_mm or ordered[at][2] == last_mm and before(id, ordered[at][1])) do
            ordered[at + 1] = ordered[at]
            at = at - 1
          end
          ordered[at + 1] = {id, last_mm, cell}
        end
      end
      for i = checked + 1, math.min(wanted, #ordered) do
        ids[#ids + 1] = ordered[i][1]
      end
      if #ids == 0 then
        return
      end
      local lines = alive(fix, online, ids, now_ms)
      for i, line in ipairs(lines) do
        if line then
          local driver = ordered[checked + i]
          driver[4] = line
          found[#found + 1] = driver
        end
      end
      checked = checked + #ids
    end
  end

  if after_mm < 0 and not whole and limit <= CLOSE_BY then
    local near, reach_mm = glance(set, first, 2 * limit + 10)
    if near then
      close_by(near, reach_mm)
      if #found == limit or reach_mm == tonumber(ARGV[first + 2]) then
        return found
      end
      after_mm, after_id = reach_mm, '~'
    end
  end
  return found, by_cells(set, fix, online, first, now_ms, found, after_mm, after_id, whole)
end
