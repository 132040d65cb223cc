#!lua
-- Takes fixes of drivers of this region, each driver at most once: position and sign of life of those that are newer than
-- the last. One that was OFFLINE by silence is AVAILABLE again; BUSY, reserved and OFFLINE by choice stay what they are.
-- KEYS  incarnation, geo, status, online, fix, profile, reserved, leases, moved, moves, counts
-- ARGV  pass, now, heartbeat_ms, enter (1: one that is not known here is new), fixes as id, seq (or -), at (us of 16 digits,
--       or -), cell, heading and speed (or - -)…
-- REPLY UPDATED now_us, a letter for each fix, facts for each joined by commas, the fix's number from 0 and its at (us) where
--       it had none and was put after the last one rather than at now…
--       taken, it is: A available, R reserved, B busy, C offline by choice, K available again, E new here; facts: since (ms),
--       epoch and version, then a bar. Not newer, it is: a r b c o; F from the future; X not known here; facts: nothing. M moved away;
--       facts: region and epoch
-- REPLY REBUILDING
-- COST  O(n log N) for n fixes; n is at most 200, then about 16 million instructions, 2 to 5 ms
--@include clock
--@include guard
--@include fix
--@include place
--@include order
local pass, now, heartbeat, enter = ARGV[1], now_us(ARGV[2]), tonumber(ARGV[3]), ARGV[4] == '1'
if not admitted(KEYS[1], pass, now) then
  return {'REBUILDING'}
end

local argv, sub, find, byte, match = ARGV, string.sub, string.find, string.byte, string.match
local now_ms = math.floor(now / 1000)
local seen, ends = string.format('%.0f', now_ms), string.format('%.0f', now_ms + heartbeat)
local now_text, latest = string.format('%016.0f', now), latest_at(now)
local DASH = byte('-')

local ids, n = {}, 0
for i = 5, #argv, 5 do
  n = n + 1
  ids[n] = argv[i]
end
local known = redis.call('HMGET', FIX, unpack(ids))
local p, profiles, tombstones = places(), nil, nil

-- One that is not known here: its letter and facts, and its line if it is new.
local function stranger(i, seq, at, cell, motion)
  tombstones = tombstones or redis.call('HMGET', MOVED, unpack(ids))
  if tombstones[i] then
    return 'M', match(tombstones[i], '^%S+ %d+')
  elseif not enter then
    return 'X', ''
  elseif at ~= '-' and at > latest then
    return 'F', ''
  end
  place(p, ids[i], '-', 'A', cell, ends, '')
  return 'E', seen .. ' 1 0|', fix_line('A', '-', at == '-' and now_text or at, seen, 1, 0, seq, seen, cell, motion)
end

-- One that is found by its tags as well. Many have the same profile: what it means is looked up once.
local sets_of = {}
local function found_by_tags(i, cell)
  profiles = profiles or redis.call('HMGET', PROFILE, unpack(ids))
  local sets = sets_of[profiles[i]]
  if not sets then
    local own = {}
    each_tag(own, tags_of(profiles[i]))
    sets = {}
    for set in pairs(own) do
      p.tagged[set] = p.tagged[set] or {}
      sets[#sets + 1] = p.tagged[set]
    end
    sets_of[profiles[i]] = sets
  end
  for j = 1, #sets do
    add(sets[j], cell, ids[i])
  end
end

-- One that is not simply found where it is now, as most are: its letter, its state and what is kept of its line.
local function special(i, state, kept, cell)
  local was = sub(state, 1, 1)
  if was == 'B' or was == 'C' then
    return was, state, kept
  end
  local tags = ''
  if sub(state, 2, 2) == 't' and was == 'O' then
    profiles = profiles or redis.call('HMGET', PROFILE, unpack(ids))
    tags = tags_of(profiles[i])
  end
  local is = was == 'O' and 'A' or was
  place(p, ids[i], was, is, cell, ends, tags)
  if was ~= 'O' then
    return was, state, kept
  end
  return 'K', 'A' .. sub(state, 2), seen .. match(kept, ' .*$')
end

local letters, facts, after = {}, {}, {}
local cells, beats, found, lines, lined = {}, {}, 0, {}, 0
for i = 1, n do
  local arg, line = 5 * i, known[i]
  local seq, at, cell = argv[arg + 1], argv[arg + 2], argv[arg + 3]
  local letter, fact, new_line
  if not line then
    letter, fact, new_line = stranger(i, seq, at, cell, argv[arg + 4])
  else
    local bar, last_seq = find(line, '|', 21, true), '-'
    if byte(line, bar + 1) ~= DASH then
      last_seq = match(line, '^%d+', bar + 1)
    end
    local new_at = newer_at(seq, at, last_seq, sub(line, 4, 19), now_text)
    if at ~= '-' and at > latest then
      letter, fact = 'F', ''
    elseif not new_at then
      letter, fact = string.lower(sub(line, 1, 1)), ''
    else
      local state, kept = sub(line, 1, 3), sub(line, 21, bar)
      if state == 'A- ' or state == 'At ' then
        letter = 'A'
        cells[found + 1], cells[found + 2] = cell, ids[i]
        beats[found + 1], beats[found + 2] = ends, ids[i]
        found = found + 2
        if state == 'At ' then
          found_by_tags(i, cell)
        end
      else
        letter, state, kept = special(i, state, kept, cell)
      end
      if at == '-' and new_at ~= now_text then
        add(after, i - 1, new_at)
      end
      fact = kept
      new_line = state .. new_at .. ' ' .. kept .. (seq == '-' and last_seq or seq) .. ' ' .. seen .. ' ' .. cell .. ' '
        .. argv[arg + 4]
    end
  end
  if new_line then
    lines[lined + 1], lines[lined + 2] = ids[i], new_line
    lined = lined + 2
  end
  letters[i], facts[i] = letter, fact
end

p.counts.updates = lined / 2
placed(p)
if lined > 0 then
  redis.call('HSET', FIX, unpack(lines, 1, lined))
end
if found > 0 then
  redis.call('ZADD', GEO, unpack(cells, 1, found))
  redis.call('ZADD', ONLINE, unpack(beats, 1, found))
end
return {'UPDATED', string.format('%.0f', now), table.concat(letters), table.concat(facts, ','), after}
