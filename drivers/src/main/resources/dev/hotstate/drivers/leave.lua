#!lua
-- Lets a driver go to another region, where a fix says that it is, if that is newer than the last: it is taken out of this
-- one, and a tombstone says where it went, by which epoch, and as what. BUSY and reserved ones stay and are only moved.
-- Without a fix whoever is free is sent away, and nothing is heard of anybody.
-- KEYS  incarnation, geo, status, online, fix, profile, reserved, leases, moved, moves, counts
-- ARGV  pass, now, heartbeat_ms, id, seq (or -), at (us of 16 digits, or -), cell (- where there is no fix), heading and
--       speed, region
-- REPLY LEFT region, epoch, its line of fix, its line of profile (empty: none)
-- REPLY MOVED region, epoch, fix, profile: it had left before, perhaps for elsewhere
-- REPLY HELD now_us, state (R or B), since (ms), epoch, version, at: it stays, and the fix was taken
-- REPLY IGNORED state: the fix is not newer, or there is none and it is held
-- REPLY FUTURE now_us
-- REPLY ABSENT
-- REPLY REBUILDING
-- COST  O(log N)
--@include clock
--@include guard
--@include fix
--@include place
--@include order
--@include tombstone
local pass, now, heartbeat, id, seq, at, cell, motion, region =
  ARGV[1], now_us(ARGV[2]), tonumber(ARGV[3]), ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9]
if not admitted(KEYS[1], pass, now) then
  return {'REBUILDING'}
end

local now_ms, now_text = math.floor(now / 1000), string.format('%.0f', now)
local line = redis.call('HGET', FIX, id)
if not line then
  local stone = redis.call('HGET', MOVED, id)
  if not stone then
    return {'ABSENT'}
  end
  return {'MOVED', tombstone_of(stone)}
end
local state, tagged, last_at, since, epoch, version, last_seq = fix_of(line)
local new_at = newer_at(seq, at, last_seq, last_at, string.format('%016.0f', now))
local held = state == 'B' or state == 'R'
if at ~= '-' and at > latest_at(now) then
  return {'FUTURE', now_text}
elseif not new_at or held and cell == '-' then
  return {'IGNORED', state}
end

local p = places()
if held then
  local seen = string.format('%.0f', now_ms)
  place(p, id, state, state, cell, string.format('%.0f', now_ms + heartbeat), '')
  add(p.lines, id, fix_line(state, tagged, new_at, since, epoch, version, seq == '-' and last_seq or seq, seen, cell, motion))
  p.counts.updates = 1
  placed(p)
  return {'HELD', now_text, state, since, epoch, version, new_at}
end

local profile = redis.call('HGET', PROFILE, id) or ''
local next_epoch = string.format('%.0f', epoch + 1)
gone(p, id, state, tags_of(profile))
placed(p)
redis.call('HSET', MOVED, id, tombstone(region, next_epoch, line, profile))
redis.call('ZADD', MOVES, string.format('%.0f', now_ms), id)
return {'LEFT', region, next_epoch, line, profile}
