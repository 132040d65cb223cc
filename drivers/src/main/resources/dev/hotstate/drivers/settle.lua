#!lua flags=allow-oom
-- Makes drivers of this region what PostgreSQL has decided, where it knows a greater version of that than is here: BUSY,
-- OFFLINE by choice, reserved, or free; and their rating and tags. A free one is AVAILABLE while its heartbeat runs, and
-- with beat 1 it begins now. One that is not known here is entered, without a position.
-- KEYS  incarnation, geo, status, online, fix, profile, reserved, leases, moved, moves, counts
-- ARGV  pass, now, heartbeat_ms, drivers as id, epoch, version, state (F free, B, C), since_ms, beat (1 or 0), reservation (or
--       empty: none), fence, until_ms, rating (or -), tags joined by commas…
-- REPLY SETTLED a letter for each driver, notes as the driver's number from 0 and a value…
--       it is: A available, R reserved, B busy, O offline by silence, C offline by choice
--       = nothing changed: as much was known; M moved away (note: region and epoch)
-- REPLY REBUILDING
-- COST  O(n log N) for n drivers; n is at most 200
--@include clock
--@include guard
--@include fix
--@include place
local pass, now, heartbeat = ARGV[1], now_us(ARGV[2]), tonumber(ARGV[3])
if not admitted(KEYS[1], pass, now) then
  return {'REBUILDING'}
end

local EACH = 11
local now_ms = math.floor(now / 1000)
local now_text, ends = string.format('%.0f', now_ms), string.format('%.0f', now_ms + heartbeat)

local ids = {}
for i = 4, #ARGV, EACH do
  ids[#ids + 1] = ARGV[i]
end
local known = redis.call('HMGET', FIX, unpack(ids))
local tombstones = redis.call('HMGET', MOVED, unpack(ids))
local profiles = redis.call('HMGET', PROFILE, unpack(ids))
local beats = redis.call('ZMSCORE', ONLINE, unpack(ids))

-- What a free driver is now, since when, and the end of its heartbeat where that changes.
local function freed(was, beat, since, before, seen, online)
  if beat then
    return 'A', (was == 'A' or was == 'R') and before or since, ends
  elseif was == 'A' then
    return 'A', before, nil
  elseif was == 'R' then
    local alive = online and tonumber(online) > now_ms
    return alive and 'A' or 'O', alive and before or now_text, nil
  elseif was == 'B' or was == 'C' then
    local alive = seen + heartbeat > now_ms
    return alive and 'A' or 'O', since, alive and string.format('%.0f', seen + heartbeat) or nil
  end
  return 'O', was == '-' and since or before, nil
end

local p, letters, notes, rated, unrated = places(), {}, {}, {}, {}
for i, id in ipairs(ids) do
  local arg = 4 + EACH * (i - 1)
  local epoch, version, truth, since, beat = ARGV[arg + 1], ARGV[arg + 2], ARGV[arg + 3], ARGV[arg + 4], ARGV[arg + 5] == '1'
  local reservation, rating, tags = ARGV[arg + 6], ARGV[arg + 9], ARGV[arg + 10]
  local was, _, at, before, its_epoch, its_version, seq, seen, cell, motion = '-', nil, NO_FIX, since, epoch, -1, '-', '0', '-', '- -'
  if known[i] then
    was, _, at, before, its_epoch, its_version, seq, seen, cell, motion = fix_of(known[i])
  end
  if not known[i] and tombstones[i] then
    letters[i] = 'M'
    add(notes, i - 1, string.match(tombstones[i], '^%S+ %d+'))
  elseif version - its_version <= 0 then
    letters[i] = '='
  else
    local is, new_since, heard = truth, since, nil
    if reservation ~= '' then
      is, new_since = 'R', (was == 'A' or was == 'R') and before or since
      heard = beat and ends or nil
    elseif truth == 'F' then
      is, new_since, heard = freed(was, beat, since, before, seen, beats[i])
    elseif truth == was then
      new_since = before
    end
    if beat then
      seen = now_text
    end
    if epoch - its_epoch > 0 then
      its_epoch = epoch
    end
    place(p, id, was, is, cell, heard, tags, tags_of(profiles[i]))
    if reservation ~= '' then
      hold(p, id, reservation, ARGV[arg + 7], ARGV[arg + 8])
    end
    add(p.lines, id, fix_line(is, tags == '' and '-' or 't', at, new_since, its_epoch, version, seq, seen, cell, motion))
    if tags == '' and rating == '-' then
      add(unrated, id)
    else
      add(rated, id, tags == '' and rating or rating .. ' ' .. tags)
    end
    letters[i] = is
  end
end

placed(p)
if #rated > 0 then
  redis.call('HSET', PROFILE, unpack(rated))
end
if #unrated > 0 then
  redis.call('HDEL', PROFILE, unpack(unrated))
end
return {'SETTLED', table.concat(letters), notes}
