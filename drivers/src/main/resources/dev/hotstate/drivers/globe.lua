-- globe: where a cell is, and how far from somewhere; as the class Cell has it, to the bit.
local MOST_LAT, RADIANS, DIAMETER = 85.05112878, 0.017453292519943295, 2 * 6372797.560856
local LAT_SCALE, LON_SCALE = 2 * MOST_LAT / 67108864, 360 / 67108864
-- Three bits of latitude and three of longitude of six interleaved ones.
local ROWS = {[0] = 0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6, 7, 6, 7, 4, 5, 4, 5, 6, 7, 6, 7,
  0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6, 7, 6, 7, 4, 5, 4, 5, 6, 7, 6, 7}
local COLUMNS = {[0] = 0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3, 0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3,
  4, 4, 5, 5, 4, 4, 5, 5, 6, 6, 7, 7, 6, 6, 7, 7, 4, 4, 5, 5, 4, 4, 5, 5, 6, 6, 7, 7, 6, 6, 7, 7}

-- Its column and row on the grid of 2^26 by 2^26.
local function corner_of(score)
  local x, y, unit = 0, 0, 1
  while score > 0 do
    local six = score % 64
    x, y, unit = x + COLUMNS[six] * unit, y + ROWS[six] * unit, unit * 8
    score = (score - six) / 64
  end
  return x, y
end

-- From a place in radians to the middle of a smallest cell.
local function distance_mm(lat, lon, x, y)
  local its_lat = ((y + 0.5) * LAT_SCALE - MOST_LAT) * RADIANS
  local u = math.sin((its_lat - lat) / 2)
  local v = math.sin((((x + 0.5) * LON_SCALE - 180) * RADIANS - lon) / 2)
  local a = u * u + math.cos(lat) * math.cos(its_lat) * v * v
  return math.floor(DIAMETER * math.asin(math.sqrt(a)) * 1000 + 0.5)
end
