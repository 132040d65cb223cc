#!lua flags=allow-oom
-- Makes OFFLINE whose heartbeat has ended, the longest silent first. Reserved ones stay so and are no longer counted on.
-- After a silence of ours (nobody could reach Redis, so no fix could come) nobody is swept for the length of a heartbeat.
-- Who sweeps has a lease, which each sweep prolongs; others take over when it ends.
-- KEYS  incarnation, geo, status, online, fix, profile, reserved, leases, moved, moves, counts, sweeper
-- ARGV  pass, now, heartbeat_ms, max, instance, lease_ms
-- REPLY SWEPT now_ms, how many heartbeats had ended, drivers that are OFFLINE now as id, version…
-- REPLY SPARED ms until the next sweep
-- REPLY LEASED ms until the lease of the instance that sweeps ends
-- REPLY REBUILDING
-- COST  O(max log N); max is at most 200
--@include clock
--@include guard
--@include fix
--@include place
local pass, now, heartbeat, max = ARGV[1], now_us(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
if not admitted(KEYS[1], pass, now) then
  return {'REBUILDING'}
end

local now_ms = math.floor(now / 1000)
local sweeper, instance, lease = KEYS[12], ARGV[5], tonumber(ARGV[6])
local holder, ending = string.match(redis.call('GET', sweeper) or '', '^(%S+) (%d+)$')
if holder and holder ~= instance and ending - now_ms > 0 then
  return {'LEASED', string.format('%.0f', ending - now_ms)}
end
redis.call('SET', sweeper, instance .. ' ' .. string.format('%.0f', now_ms + lease), 'PX', lease)

local resumed = redis.call('HGET', KEYS[1], 'resumed')
local spared = resumed and math.floor(resumed / 1000) + heartbeat - now_ms or 0
if spared > 0 then
  return {'SPARED', spared}
end
local since = string.format('%.0f', now_ms)
local ids = redis.call('ZRANGE', ONLINE, '-inf', since, 'BYSCORE', 'LIMIT', 0, max)
if #ids == 0 then
  return {'SWEPT', since, 0, {}}
end

local lines = redis.call('HMGET', FIX, unpack(ids))
local profiles = redis.call('HMGET', PROFILE, unpack(ids))
local p, offline = places(), {}
for i, id in ipairs(ids) do
  local line = lines[i]
  if line and string.sub(line, 1, 1) == 'A' then
    turn(p, id, line, 'O', tags_of(profiles[i]), since)
    add(offline, id, (select(6, fix_of(line))))
  else
    add(p.silent, id)
  end
end
placed(p)
return {'SWEPT', since, #ids, offline}
