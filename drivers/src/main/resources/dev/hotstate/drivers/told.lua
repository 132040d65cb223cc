-- told: what the caller is told of the drivers that were found: id, mm, cell, line of fix and of profile ('' where there is
-- none) of each. Lines go as they are kept; Java takes them apart.
local function told(found, profile)
  if #found == 0 then
    return {}
  end
  local ids, drivers = {}, {}
  for i, driver in ipairs(found) do
    ids[i] = driver[1]
  end
  local profiles = redis.call('HMGET', profile, unpack(ids))
  for i, driver in ipairs(found) do
    local at = 5 * i - 4
    drivers[at], drivers[at + 1], drivers[at + 2] = ids[i], driver[2], driver[3]
    drivers[at + 3], drivers[at + 4] = driver[4], profiles[i] or ''
  end
  return drivers
end
