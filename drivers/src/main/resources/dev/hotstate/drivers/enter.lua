#!lua
-- Lets a driver into this region by an epoch: one that has left another (with the lines that its tombstone keeps) or one
-- that is new (without). Then takes the fix, if there is one, as update does. Who is here already by that epoch or a later
-- one, or has left again, is not entered. One that is here only because something was decided of it (it has no fix yet)
-- stays what it is, unless it left with a later version.
-- KEYS  incarnation, geo, status, online, fix, profile, reserved, leases, moved, moves, counts
-- ARGV  pass, now, heartbeat_ms, id, epoch, line of fix (empty: it is new), line of profile (empty: none), id or empty (no
--       fix), seq (or -), at (us of 16 digits, or -), cell, heading and speed
-- REPLY ENTERED now_us, letter, since (ms), version, at: a letter of update's, without a fix that of one not newer
-- REPLY HERE epoch
-- REPLY MOVED region, epoch, fix, profile: it has left again
-- REPLY FUTURE now_us (a new driver with a fix from the future was not entered)
-- REPLY REBUILDING
-- COST  O(log N)
--@include clock
--@include guard
--@include fix
--@include place
--@include order
--@include tombstone
local pass, now, heartbeat, id, epoch, left, profile = ARGV[1], now_us(ARGV[2]), tonumber(ARGV[3]), ARGV[4], ARGV[5], ARGV[6], ARGV[7]
local has_fix, seq, at, cell, motion = ARGV[8] ~= '', ARGV[9], ARGV[10], ARGV[11], ARGV[12]
if not admitted(KEYS[1], pass, now) then
  return {'REBUILDING'}
end
local now_ms = math.floor(now / 1000)
local seen = string.format('%.0f', now_ms)

local stone = redis.call('HGET', MOVED, id)
if stone then
  local region, its_epoch, line, its_profile = tombstone_of(stone)
  if its_epoch - epoch >= 0 then
    return {'MOVED', region, its_epoch, line, its_profile}
  end
end
local was, had = '-', ''
local here = redis.call('HGET', FIX, id)
local state, tagged, last_at, since, _, version, last_seq, last_seen, last_cell, last_motion =
  'O', '-', NO_FIX, seen, epoch, '0', '-', '0', '-', '- -'
if left ~= '' then
  state, tagged, last_at, since, _, version, last_seq, last_seen, last_cell, last_motion = fix_of(left)
end
if here then
  local its, its_tagged, its_at, its_since, its_epoch, its_version, _, its_seen = fix_of(here)
  if its_epoch - epoch > 0 or its_epoch == epoch and its_at ~= NO_FIX then
    return {'HERE', its_epoch}
  end
  was, had = its, redis.call('HGET', PROFILE, id) or ''
  if its_version - version >= 0 then
    state, tagged, since, version, profile = its, its_tagged, its_since, its_version, had
    last_seen = its_seen - last_seen > 0 and its_seen or last_seen
  end
end

local letter, ends = has_fix and state or string.lower(state), string.format('%.0f', last_seen + heartbeat)
if has_fix then
  local new_at = newer_at(seq, at, last_seq, last_at, string.format('%016.0f', now))
  if at ~= '-' and at > latest_at(now) then
    if left == '' and not here then
      return {'FUTURE', string.format('%.0f', now)}
    end
    letter = 'F'
  elseif not new_at then
    letter = string.lower(state)
  else
    last_at, last_seq, last_seen, last_cell, last_motion = new_at, seq == '-' and last_seq or seq, seen, cell, motion
    ends = string.format('%.0f', now_ms + heartbeat)
    if state == 'O' then
      state, since = 'A', seen
      letter = (left == '' and not here) and 'E' or 'K'
    end
  end
end

local p = places()
place(p, id, was, state, last_cell, ends, tags_of(profile), tags_of(had))
add(p.lines, id, fix_line(state, tagged, last_at, since, epoch, version, last_seq, last_seen, last_cell, last_motion))
if letter == 'A' or letter == 'R' or letter == 'B' or letter == 'C' or letter == 'E' or letter == 'K' then
  p.counts.updates = has_fix and 1 or 0
end
placed(p)
if profile ~= '' then
  redis.call('HSET', PROFILE, id, profile)
elseif had ~= '' then
  redis.call('HDEL', PROFILE, id)
end
if stone then
  redis.call('HDEL', MOVED, id)
  redis.call('ZREM', MOVES, id)
end
return {'ENTERED', string.format('%.0f', now), letter, since, version, last_at}
