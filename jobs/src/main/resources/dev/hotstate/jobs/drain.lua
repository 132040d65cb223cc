#!lua flags=allow-oom
-- Lets go of what PostgreSQL has of the archive, and answers what comes next, to the one instance that writes it now.
-- KEYS  incarnation, archiver, archive
-- ARGV  pass, now, instance, the id of the last entry that was applied (empty: none), count, lease_ms
-- REPLY DRAINED now_ms, entries that wait, the last id here (empty: none), what happened in each call…
-- REPLY TAKEN another instance is at it
-- REPLY REBUILDING
-- COST  O(count) entries, and those that are let go of; some 2 MB, and ten entries more
--@include clock
--@include guard
local incarnation, archiver, archive = KEYS[1], KEYS[2], KEYS[3]
local pass, now, instance, applied, count, lease = ARGV[1], now_us(ARGV[2]), ARGV[3], ARGV[4], ARGV[5] + 0, ARGV[6]
local TEN, BYTES = 10, 2097152

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end
local holder = redis.call('GET', archiver)
if holder and holder ~= instance then
  return {'TAKEN'}
end
redis.call('SET', archiver, instance, 'PX', lease)
if applied ~= '' then
  local ms, seq = string.match(applied, '^(%d+)-(%d+)$')
  redis.call('XTRIM', archive, 'MINID', '=', ms .. '-' .. string.format('%.0f', seq + 1))
end
local last, calls, bytes, from = '', {}, 0, '-'
while #calls < count and bytes < BYTES do
  local wanted = math.min(TEN, count - #calls)
  local entries = redis.call('XRANGE', archive, from, '+', 'COUNT', wanted)
  for _, entry in ipairs(entries) do
    last = entry[1]
    calls[#calls + 1] = entry[2][2]
    bytes = bytes + #entry[2][2]
  end
  if #entries < wanted then
    break
  end
  from = '(' .. last
end
return {'DRAINED', math.floor(now / 1000), redis.call('XLEN', archive), last, calls}
