-- glance: what stands close by, in most cases all that a search needs: GEOSEARCH in a circle that is just large enough.
-- How large that is, the counts of cells tell: from how many are in the cell around, a radius; from how many are in the four
-- cells around that hold the circle, whether the guess was good. GEOSEARCH looks at no others (its own cells are as large or
-- smaller, and it leaves out those that its circle does not reach), so the counts bound what it may cost; but for high
-- latitudes, where it takes larger cells.
-- Answers {id, cell}… as GEOSEARCH does, nearest first, and the distance (mm) up to which these are all; nothing where it
-- cannot tell: few drivers, great crowds, high latitudes.
-- first: as nearest has it. wanted: how many drivers should be in the circle.
local function glance(set, first, wanted)
  local MOST, CROWD, HALF_WORLD = 58, 1500, 20037726.37
  -- Three bits, each with room for another after it.
  local SPREAD = {[0] = 0, 1, 4, 5, 16, 17, 20, 21}
  local floor = math.floor
  local lat, lon, most = tonumber(ARGV[first]), tonumber(ARGV[first + 1]), ARGV[first + 2] / 1000
  local score, level = tonumber(ARGV[first + 8]), tonumber(ARGV[first + 9])
  if not score or lat > MOST or lat < -MOST then
    return
  end

  local function spread(offset)
    local bits, unit = 0, 1
    while offset > 0 do
      local three = offset % 8
      bits, unit, offset = bits + SPREAD[three] * unit, unit * 64, (offset - three) / 8
    end
    return bits
  end

  local function count(from, width)
    return redis.call('ZCOUNT', set, string.format('%.0f', from), string.format('%.0f', from + width - 1))
  end

  -- On a grid from 0 to 1, and how long its sides are here in metres.
  local y, x = (lat + MOST_LAT) / (2 * MOST_LAT), (lon + 180) / 360
  local height, width = MOST_LAT * RADIANS * DIAMETER, 180 * RADIANS * DIAMETER * math.cos(lat * RADIANS)
  local side = height < width and height or width
  local density = count(score, 4 ^ (26 - level)) * 4 ^ level / (height * width)

  for _ = 1, 3 do
    if density == 0 then
      return
    end
    local radius = math.sqrt(wanted / density / math.pi)
    -- A little less where GEOSEARCH would go over to larger cells.
    local larger = HALF_WORLD / 2 ^ floor(math.log(HALF_WORLD / radius) / math.log(2))
    radius = math.min(radius, larger / 1.1, most)
    level = floor(math.log(side / (2 * radius)) / math.log(2))
    if level < 2 or level > 24 then
      return
    end
    local cells, area = 2 ^ level, 4 ^ (26 - level)
    local row, column = floor(y * cells), floor(x * cells)
    local next_row = y * cells - row < 0.5 and row - 1 or row + 1
    local next_column = x * cells - column < 0.5 and column - 1 or column + 1
    if column == cells or next_column < 0 or next_column == cells then
      return
    end
    local rows, columns = {spread(row), spread(next_row)}, {2 * spread(column), 2 * spread(next_column)}
    local crowd = 0
    for i = 1, 2 do
      for j = 1, 2 do
        crowd = crowd + count((rows[i] + columns[j]) * area, area)
      end
    end
    density = crowd * cells * cells / (4 * height * width)
    if crowd <= CROWD and (radius == most or density * radius * radius * math.pi > wanted * 0.7) then
      local mm = radius == most and tonumber(ARGV[first + 2]) or floor(radius * 1000)
      local near = redis.call('GEOSEARCH', set, 'FROMLONLAT', ARGV[first + 1], ARGV[first], 'BYRADIUS',
        string.format('%.3f', (mm + 1) / 1000), 'm', 'ASC', 'COUNT', 3 * wanted, 'WITHHASH')
      if #near == 3 * wanted then
        mm = distance_mm(lat * RADIANS, lon * RADIANS, corner_of(near[#near][2])) - 2
      end
      return near, mm
    end
  end
end
