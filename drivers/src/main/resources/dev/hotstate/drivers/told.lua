-- told: what the caller is told of the drivers that were found: id, mm, cell, fix and profile ('' where there is none) of
-- each. Texts go as they are stored; Java takes them apart.
local function told(found, fix, profile)
  if #found == 0 then
    return {}
  end
  local ids, drivers = {}, {}
  for i, driver in ipairs(found) do
    ids[i] = driver[1]
  end
  local fixes, profiles = redis.call('HMGET', fix, unpack(ids)), redis.call('HMGET', profile, unpack(ids))
  for i, driver in ipairs(found) do
    drivers[5 * i - 4], drivers[5 * i - 3], drivers[5 * i - 2] = ids[i], driver[2], driver[3]
    drivers[5 * i - 1], drivers[5 * i] = fixes[i] or '', profiles[i] or ''
  end
  return drivers
end
