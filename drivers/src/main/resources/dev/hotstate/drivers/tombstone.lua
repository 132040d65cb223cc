-- tombstone: what stays of a driver that has left: the region it went to, its epoch there, then its lines of fix and profile
-- as it left, with a semicolon between.
local function tombstone(region, epoch, line, profile)
  return region .. ' ' .. epoch .. ' ' .. line .. ';' .. profile
end

local function tombstone_of(text)
  return string.match(text, '^(%S+) (%d+) ([^;]*);(.*)$')
end
