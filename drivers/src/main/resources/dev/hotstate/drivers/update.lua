#!lua
-- Takes fixes of drivers of this region, each driver at most once: position and sign of life of those that are newer than
-- the last. One that was OFFLINE by silence is AVAILABLE again; BUSY, reserved and OFFLINE by choice stay what they are.
-- KEYS  incarnation, geo, status, online, fix, profile, reserved, leases, moved, moves, counts
-- ARGV  pass, now, heartbeat_ms, enter (1: one that is not known here is new), fixes as id, seq (or -), at (us of 16 digits,
--       or -), cell, heading and speed (or - -)…
-- REPLY UPDATED now_us, a letter for each fix, facts for each joined by commas, the fix's number from 0 and its at (us) where
--       it had none and was put after the last one rather than at now…
--       taken, it is: A available, R reserved, B busy, C offline by choice, K available again, E new here; facts: since (ms),
--       epoch and version. Not newer, it is: a r b c o; F from the future; X not known here; facts: nothing. M moved away;
--       facts: region and epoch
-- REPLY REBUILDING
-- COST  O(n log N) for n fixes; n is at most 500, about 2 ms
--@include clock
--@include guard
--@include fix
--@include place
--@include order
local pass, now, heartbeat, enter = ARGV[1], now_us(ARGV[2]), tonumber(ARGV[3]), ARGV[4] == '1'
if not admitted(KEYS[1], pass, now) then
  return {'REBUILDING'}
end

local argv, sub, match = ARGV, string.sub, string.match
local now_ms = math.floor(now / 1000)
local seen, ends = string.format('%.0f', now_ms), string.format('%.0f', now_ms + heartbeat)
local now_text, latest = string.format('%016.0f', now), now + AHEAD

local ids, n = {}, 0
for i = 5, #argv, 5 do
  n = n + 1
  ids[n] = argv[i]
end
local known = redis.call('HMGET', FIX, unpack(ids))
local profiles, tombstones

local p, letters, facts, after, taken = places(), {}, {}, {}, 0
for i = 1, n do
  local arg = 5 * i
  local id, seq, at, cell, line = ids[i], argv[arg + 1], argv[arg + 2], argv[arg + 3], known[i]
  local letter, fact
  if not line then
    tombstones = tombstones or redis.call('HMGET', MOVED, unpack(ids))
    if tombstones[i] then
      letter = 'M'
      fact = match(tombstones[i], '^%S+ %d+')
    elseif not enter then
      letter = 'X'
    elseif at ~= '-' and at - latest > 0 then
      letter = 'F'
    else
      letter, fact = 'E', seen .. ' 1 0'
      taken = taken + 1
      add(p.lines, id, fix_line('A', '-', at == '-' and now_text or at, seen, 1, 0, seq, seen, cell, argv[arg + 4]))
      place(p, id, '-', 'A', cell, ends, '')
    end
  else
    local state, last_at = sub(line, 1, 3), sub(line, 4, 19)
    local kept, last_seq = match(line, '^(%d+ %d+ %d+) (%S+)', 21)
    local new_at = newer_at(seq, at, last_seq, last_at, now)
    if not new_at then
      letter = string.lower(sub(state, 1, 1))
    elseif at ~= '-' and at - latest > 0 then
      letter = 'F'
    else
      taken = taken + 1
      letter = sub(state, 1, 1)
      local tags = ''
      if sub(state, 2, 2) == 't' and (letter == 'A' or letter == 'O') then
        profiles = profiles or redis.call('HMGET', PROFILE, unpack(ids))
        tags = tags_of(profiles[i])
      end
      if letter == 'O' then
        letter, state = 'K', 'A' .. sub(state, 2)
        local epoch, version = match(kept, ' (%d+) (%d+)$')
        kept = seen .. ' ' .. epoch .. ' ' .. version
        place(p, id, 'O', 'A', cell, ends, tags)
      elseif letter == 'A' or letter == 'R' then
        place(p, id, letter, letter, cell, ends, tags)
      end
      if at == '-' and new_at ~= now_text then
        add(after, i - 1, new_at)
      end
      add(p.lines, id, state .. new_at .. ' ' .. kept .. ' ' .. (seq == '-' and last_seq or seq) .. ' ' .. seen .. ' '
        .. cell .. ' ' .. argv[arg + 4])
      fact = kept
    end
  end
  letters[i], facts[i] = letter, fact or ''
end

p.counts.updates = taken
placed(p)
return {'UPDATED', string.format('%.0f', now), table.concat(letters), table.concat(facts, ','), after}
