-- by_cells: exactly the nearest drivers of a GEO set, nearest first, ties by id, however they are spread.
-- A GEO set is ordered by cell, so each cell of the quadtree is a range of scores: counted in O(log n), and split into four
-- ranges. The search keeps a heap of cells, by a lower bound of their distance, and of drivers, by (mm, id). What comes off
-- it first is either a driver, and then no cell can hold a nearer one; or a cell, which is read if it holds few and split
-- if it holds many. So it visits little beyond what it answers.
-- It ends when it has enough, or after so much work; what it has not opened then is told, and the next call goes on there.
--
-- first: as nearest has it. found: what was found before; more is added. after_mm, after_id: drivers up to there were
-- examined. whole: the set is so small that it is read as it is.
-- Answers the cells that are left, and how far it came; nothing where it is at an end.
local function by_cells(set, fix, online, first, now_ms, found, after_mm, after_id, whole)
  local LEAF, FEW, RUN = 24, 48, 64
  local sin, cos, asin, sqrt, floor = math.sin, math.cos, math.asin, math.sqrt, math.floor
  local sub, tonumber = string.sub, tonumber

  local lat, lon = tonumber(ARGV[first]) * RADIANS, tonumber(ARGV[first + 1]) * RADIANS
  local cos_lat = cos(lat)
  local most, limit, budget = tonumber(ARGV[first + 2]), tonumber(ARGV[first + 3]), tonumber(ARGV[first + 4])
  local stop = tonumber(ARGV[first + 7])
  local reach = sin((most + 2) / 1000 / DIAMETER)
  reach = reach * reach

  -- Of each node: a driver's id, or '' for a cell, or the last id read of one that is read in parts; its score, or its
  -- cell's first; the cell's level, nil for a driver; the cell that a driver was read from; the cell's corner on the grid
  -- of 2^26 by 2^26, nil while unknown; how many its parent holds, nil while unknown; where to read on.
  local names, scores, levels, homes, xs, ys, crowds, nexts, lasts = {}, {}, {}, {}, {}, {}, {}, {}, {}
  local nodes = 0
  -- The heap: keys in mm, and their nodes.
  local keys, heap, size = {}, {}, 0

  local function push(key, node)
    size = size + 1
    local at = size
    while at > 1 do
      local up = (at - at % 2) / 2
      local upper = keys[up]
      if upper < key or upper == key and not before(names[node], names[heap[up]]) then
        break
      end
      keys[at], heap[at] = upper, heap[up]
      at = up
    end
    keys[at], heap[at] = key, node
  end

  local function pop()
    local key, node = keys[size], heap[size]
    keys[size], heap[size] = nil, nil
    size = size - 1
    if size == 0 then
      return
    end
    local at, down = 1, 2
    while down <= size do
      local lower = keys[down]
      if down < size then
        local other = keys[down + 1]
        if other < lower or other == lower and before(names[heap[down + 1]], names[heap[down]]) then
          down, lower = down + 1, other
        end
      end
      if key < lower or key == lower and not before(names[heap[down]], names[node]) then
        break
      end
      keys[at], heap[at] = lower, heap[down]
      at, down = down, 2 * down
    end
    keys[at], heap[at] = key, node
  end

  local function add_driver(key, id, score, home)
    if key > after_mm or key == after_mm and before(after_id, id) then
      nodes = nodes + 1
      names[nodes], scores[nodes], homes[nodes] = id, score, home
      push(key, nodes)
    end
  end

  local function corner(cell)
    if not xs[cell] then
      xs[cell], ys[cell] = corner_of(scores[cell])
    end
    return xs[cell], ys[cell]
  end

  -- Adds what a cell holds within the radius; says at which distance the nearest is.
  local function read(cell, members)
    local x0, y0 = corner(cell)
    local base, nearest_mm = scores[cell], most + 1
    for i = 1, #members, 2 do
      local text = members[i + 1]
      local score = #text > 8 and sub(text, 1, -9) * 100000000 + sub(text, -8) or tonumber(text)
      local rest, x, y, unit = score - base, x0 + 0.5, y0 + 0.5, 1
      while rest > 0 do
        local six = rest % 64
        x, y, unit = x + COLUMNS[six] * unit, y + ROWS[six] * unit, unit * 8
        rest = (rest - six) / 64
      end
      local its_lat = (y * LAT_SCALE - MOST_LAT) * RADIANS
      local u, v = sin((its_lat - lat) / 2), sin(((x * LON_SCALE - 180) * RADIANS - lon) / 2)
      local a = u * u + cos_lat * cos(its_lat) * v * v
      if a <= reach then
        local mm = floor(DIAMETER * asin(sqrt(a)) * 1000 + 0.5)
        if mm <= most then
          add_driver(mm, members[i], score, cell)
          if mm < nearest_mm then
            nearest_mm = mm
          end
        end
      end
    end
    return nearest_mm
  end

  -- The four quarters of a cell. The bound takes the least of each part of the haversine by itself, and a millimetre off
  -- for what is lost in rounding; so it holds at any latitude, and across the antimeridian.
  local function split(cell, crowd)
    local x0, y0 = corner(cell)
    local level, base = levels[cell] + 1, scores[cell]
    local half, quarter = 2 ^ (26 - level), 4 ^ (26 - level)
    for row = 0, 1 do
      local y = y0 + row * half
      local south, north = (y * LAT_SCALE - MOST_LAT) * RADIANS, ((y + half) * LAT_SCALE - MOST_LAT) * RADIANS
      local u = lat < south and sin((south - lat) / 2) or lat > north and sin((lat - north) / 2) or 0
      local narrow = -south > north and cos(south) or cos(north)
      for column = 0, 1 do
        local x = x0 + column * half
        local west, east = (x * LON_SCALE - 180) * RADIANS, ((x + half) * LON_SCALE - 180) * RADIANS
        local v = 0
        if lon < west or lon > east then
          local ahead, behind = (west - lon) % 6.283185307179586, (lon - east) % 6.283185307179586
          v = sin((ahead < behind and ahead or behind) / 2)
        end
        local a = u * u + cos_lat * narrow * v * v
        if a <= reach then
          local key = floor(DIAMETER * asin(sqrt(a)) * 1000) - 1
          nodes = nodes + 1
          names[nodes], scores[nodes], levels[nodes] = '', base + (2 * column + row) * quarter, level
          xs[nodes], ys[nodes], crowds[nodes] = x, y, crowd
          push(key > 0 and key or 0, nodes)
        end
      end
    end
  end

  -- Where drivers stand on one spot they are read in parts. Those of one score are in the order of their ids.
  local function read_on(cell, key)
    local at, last = nexts[cell], lasts[cell]
    local ids = redis.call('ZRANGE', set, at, at + RUN - 1 < last and at + RUN - 1 or last)
    for _, id in ipairs(ids) do
      add_driver(key, id, scores[cell], cell)
    end
    if at + RUN <= last then
      nexts[cell], names[cell] = at + RUN, ids[#ids]
      push(key, cell)
    end
    return #ids
  end

  local function begin_run(cell, crowd)
    local key = distance_mm(lat, lon, corner(cell))
    if key > most or key < after_mm then
      return 0
    end
    local low = redis.call('ZCOUNT', set, '-inf', string.format('(%.0f', scores[cell]))
    local high = low + crowd
    lasts[cell] = high - 1
    if key == after_mm then
      while low < high do
        local middle = floor((low + high) / 2)
        if before(after_id, redis.call('ZRANGE', set, middle, middle)[1]) then
          high = middle
        else
          low = middle + 1
        end
      end
    end
    nexts[cell] = low
    return low <= lasts[cell] and read_on(cell, key) or 0
  end

  local batch, checked_mm, checked_id = {}, after_mm < 0 and 0 or after_mm, after_id

  local function check()
    if #batch == 0 then
      return
    end
    local ids = {}
    for i, node in ipairs(batch) do
      ids[i] = names[node]
    end
    local lines = alive(fix, online, ids, now_ms)
    for i, node in ipairs(batch) do
      if lines[i] then
        found[#found + 1] = {ids[i], nexts[node], scores[node], lines[i]}
      end
    end
    local last = batch[#batch]
    checked_mm, checked_id = nexts[last], names[last]
    batch = {}
  end

  if whole then
    nodes, stop = 1, most + 1
    names[1], scores[1], levels[1] = '', 0, 0
    read(1, redis.call('ZRANGE', set, 0, -1, 'WITHSCORES'))
  else
    for i = first + 8, #ARGV, 3 do
      nodes = nodes + 1
      names[nodes], scores[nodes], levels[nodes] = '', tonumber(ARGV[i]), tonumber(ARGV[i + 1])
      push(tonumber(ARGV[i + 2]), nodes)
    end
  end

  local cost, progress = 0, false
  while size > 0 and #found < limit do
    local key, node = keys[1], heap[1]
    local level = levels[node]
    if key >= stop or cost >= budget and progress and not whole then
      break
    end
    pop()
    if not level then
      nexts[node] = key
      batch[#batch + 1] = node
      cost, progress = cost + 2, true
      if #found + #batch == limit then
        check()
      end
    elseif nexts[node] then
      cost = cost + read_on(node, key)
    else
      cost = cost + 4
      local low, crowd, few = scores[node], crowds[node], true
      local high = low + 4 ^ (26 - level) - 1
      if not crowd or crowd > FEW then
        crowd = redis.call('ZCOUNT', set, low, high)
        few = crowd <= LEAF
      end
      if few then
        local members = redis.call('ZRANGE', set, low, high, 'BYSCORE', 'WITHSCORES')
        cost = cost + #members / 2
        progress = read(node, members) > key or progress
      elseif level < 26 then
        split(node, crowd)
        progress = true
      else
        cost = cost + begin_run(node, crowd)
      end
    end
  end
  check()
  if #found >= limit or size == 0 and stop > most then
    return
  end

  local least, rest = {}, {}
  for i = 1, size do
    local cell = homes[heap[i]] or heap[i]
    if not least[cell] or keys[i] < least[cell] then
      least[cell] = keys[i]
    end
  end
  for cell, key in pairs(least) do
    rest[#rest + 1] = string.format('%.0f', scores[cell])
    rest[#rest + 1] = levels[cell]
    rest[#rest + 1] = key
  end
  return rest, checked_mm, checked_id
end
