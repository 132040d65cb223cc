-- place: carries drivers from one state to another with all that follows from it: who is found (geo and tagged:<tag>), whose
-- heartbeat runs (online), statuses, reservations, counts. Changes are collected by place, hold and gone and written by
-- placed, once, with few commands; it reads the tagged sets before it writes, as they are not among KEYS.
-- Every script that includes it takes its keys in this order.
local GEO, STATUS, ONLINE, FIX, PROFILE = KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local TAGGED = string.sub(GEO, 1, -4) .. 'tagged:'
local RESERVED, LEASES, MOVED, MOVES, COUNTS = KEYS[7], KEYS[8], KEYS[9], KEYS[10], KEYS[11]
local STATUSES = {A = 'AVAILABLE', R = 'AVAILABLE', B = 'BUSY', O = 'OFFLINE', C = 'OFFLINE'}
local COUNTED = {A = 'available', R = 'available', B = 'busy', O = 'offline', C = 'offline'}

local function places()
  return {
    found = {}, unfound = {}, tagged = {}, untagged = {}, online = {}, silent = {}, status = {}, lines = {}, gone = {},
    held = {}, leases = {}, freed = {},
    counts = {available = 0, busy = 0, offline = 0, reserved = 0, updates = 0}
  }
end

local function add(list, one, two)
  local n = #list
  list[n + 1], list[n + 2] = one, two
end

local function each_tag(sets, tags, one, two)
  for tag in string.gmatch(tags, '[^,]+') do
    local set = TAGGED .. tag
    sets[set] = sets[set] or {}
    add(sets[set], one, two)
  end
end

-- From one state ('-': it was not here) to another. Its line must be added to p.lines as well.
-- cell: where it is now, or '-'; ends: the end of its heartbeat (ms), nil leaves that as it is;
-- tags: what it has now; had: what it had, nil where that is the same.
local function place(p, id, was, is, cell, ends, tags, had)
  local counts = p.counts
  if was ~= is then
    if COUNTED[was] ~= COUNTED[is] then
      add(p.status, id, STATUSES[is])
      counts[COUNTED[is]] = counts[COUNTED[is]] + 1
      if was ~= '-' then
        counts[COUNTED[was]] = counts[COUNTED[was]] - 1
      end
    end
    if was == 'R' then
      counts.reserved = counts.reserved - 1
      add(p.freed, id)
    elseif is == 'R' then
      counts.reserved = counts.reserved + 1
    end
  end
  if was == 'A' then
    had = had or tags
    if is ~= 'A' then
      add(p.unfound, id)
    end
    if is ~= 'A' or had ~= tags then
      each_tag(p.untagged, had, id)
    end
  end
  if is == 'A' and cell ~= '-' then
    add(p.found, cell, id)
    each_tag(p.tagged, tags, cell, id)
  end
  if is == 'A' or is == 'R' then
    if ends then
      add(p.online, ends, id)
    end
  elseif was == 'A' or was == 'R' then
    add(p.silent, id)
  end
end

-- Turns a driver from one state to another; where it is and what else is known of it stays. since: nil leaves it.
local function turn(p, id, line, is, tags, since)
  local was, tagged, at, before, epoch, version, seq, seen, cell, motion = fix_of(line)
  place(p, id, was, is, cell, nil, tags)
  add(p.lines, id, fix_line(is, tagged, at, since or before, epoch, version, seq, seen, cell, motion))
end

-- What a driver in state R is held by; ends: of its lease (ms).
local function hold(p, id, reservation, fence, ends)
  add(p.held, id, reservation .. ' ' .. fence .. ' ' .. ends)
  add(p.leases, ends, id)
end

-- Takes a driver out of everything; tags: what it had.
local function gone(p, id, was, tags)
  p.counts[COUNTED[was]] = p.counts[COUNTED[was]] - 1
  add(p.gone, id)
  add(p.silent, id)
  if was == 'R' then
    p.counts.reserved = p.counts.reserved - 1
    add(p.freed, id)
  elseif was == 'A' then
    add(p.unfound, id)
    each_tag(p.untagged, tags, id)
  end
end

local function placed(p)
  local sets = {}
  for set in pairs(p.tagged) do
    sets[#sets + 1] = set
  end
  for set in pairs(p.untagged) do
    sets[#sets + 1] = set
  end
  for i = 1, #sets, 1000 do
    redis.call('EXISTS', unpack(sets, i, math.min(i + 999, #sets)))
  end

  if #p.gone > 0 then
    redis.call('HDEL', FIX, unpack(p.gone))
    redis.call('HDEL', STATUS, unpack(p.gone))
    redis.call('HDEL', PROFILE, unpack(p.gone))
  end
  if #p.unfound > 0 then
    redis.call('ZREM', GEO, unpack(p.unfound))
  end
  for set, ids in pairs(p.untagged) do
    redis.call('ZREM', set, unpack(ids))
  end
  if #p.silent > 0 then
    redis.call('ZREM', ONLINE, unpack(p.silent))
  end
  if #p.freed > 0 then
    redis.call('HDEL', RESERVED, unpack(p.freed))
    redis.call('ZREM', LEASES, unpack(p.freed))
  end
  if #p.lines > 0 then
    redis.call('HSET', FIX, unpack(p.lines))
  end
  if #p.status > 0 then
    redis.call('HSET', STATUS, unpack(p.status))
  end
  if #p.found > 0 then
    redis.call('ZADD', GEO, unpack(p.found))
  end
  for set, entries in pairs(p.tagged) do
    redis.call('ZADD', set, unpack(entries))
  end
  if #p.online > 0 then
    redis.call('ZADD', ONLINE, unpack(p.online))
  end
  if #p.held > 0 then
    redis.call('HSET', RESERVED, unpack(p.held))
    redis.call('ZADD', LEASES, unpack(p.leases))
  end
  for name, change in pairs(p.counts) do
    if change ~= 0 then
      redis.call('HINCRBY', COUNTS, name, change)
    end
  end
end
