#!lua flags=allow-oom
-- Forgets drivers that are OFFLINE by silence and were not heard of for long. BUSY, reserved and OFFLINE by choice are what
-- somebody decided, and a fix must find it: they stay.
-- KEYS  incarnation, geo, status, online, fix, profile, reserved, leases, moved, moves, counts
-- ARGV  pass, now, silent_ms, ids…
-- REPLY FORGOTTEN those of the ids that are not known here any more…
-- REPLY REBUILDING
-- COST  O(n) for n ids; n is at most 200
--@include clock
--@include guard
--@include fix
--@include place
local pass, now, silent = ARGV[1], now_us(ARGV[2]), tonumber(ARGV[3])
if not admitted(KEYS[1], pass, now) then
  return {'REBUILDING'}
end
local ids = {unpack(ARGV, 4)}
local lines = redis.call('HMGET', FIX, unpack(ids))
local before, p, forgotten = math.floor(now / 1000) - silent, places(), {}
for i, id in ipairs(ids) do
  local state, _, _, since, _, _, _, seen = fix_of(lines[i] or '')
  if not state or state == 'O' and (seen == '0' and since or seen) - before <= 0 then
    add(forgotten, id)
    if state then
      gone(p, id, state, '')
    end
  end
end
placed(p)
return {'FORGOTTEN', forgotten}
