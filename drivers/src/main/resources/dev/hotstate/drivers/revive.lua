#!lua
-- Brings a page of drivers back from PostgreSQL, for a rebuild. Whoever was AVAILABLE is OFFLINE by silence until its next
-- fix; BUSY, OFFLINE by choice and reservations stay. A page may come twice.
-- KEYS  incarnation, geo, status, online, fix, profile, reserved, leases, moved, moves, counts
-- ARGV  pass, now, drivers as id, state (F free, B, C), line of fix without its state, reservation (or empty: none), fence,
--       until_ms, rating (or -), tags joined by commas…
-- REPLY REVIVED how many
-- REPLY REBUILDING
-- COST  O(n log N) for n drivers; n is at most 200
--@include clock
--@include guard
--@include fix
--@include place
local pass, now = ARGV[1], now_us(ARGV[2])
if not admitted(KEYS[1], pass, now) then
  return {'REBUILDING'}
end
local EACH = 8
local ids, rated = {}, {}
for i = 3, #ARGV, EACH do
  ids[#ids + 1] = ARGV[i]
end
local known = redis.call('HMGET', FIX, unpack(ids))
local p = places()
for i, id in ipairs(ids) do
  local arg = 3 + EACH * (i - 1)
  local state, reservation, rating, tags = ARGV[arg + 1], ARGV[arg + 3], ARGV[arg + 6], ARGV[arg + 7]
  local was, is = known[i] and string.sub(known[i], 1, 1) or '-', state
  if reservation ~= '' then
    is = 'R'
    hold(p, id, reservation, ARGV[arg + 4], ARGV[arg + 5])
  elseif state == 'F' then
    is = 'O'
  end
  place(p, id, was, is, '-', nil, '')
  add(p.lines, id, is .. (tags == '' and '-' or 't') .. ' ' .. ARGV[arg + 2])
  if tags ~= '' or rating ~= '-' then
    add(rated, id, tags == '' and rating or rating .. ' ' .. tags)
  end
end
placed(p)
if #rated > 0 then
  redis.call('HSET', PROFILE, unpack(rated))
end
return {'REVIVED', #ids}
