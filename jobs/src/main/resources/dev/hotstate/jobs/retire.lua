#!lua flags=allow-oom
-- Lets the keys of an ended job go: at once what only counted while it ran, and the job, its graph, its tasks and what they have
-- given and logged so long after its end. Tasks that had not ended are called cancelled from now on, and leave the sets that they
-- are ready, held, delayed or lapsed in. Of a job that has not ended, or that runs again, nothing changes. Of one that came to its
-- end by itself all tasks have, so where none has logged they are not looked at.
-- KEYS  incarnation, job, edges, roots, visited, dependents, pending, triggers, results, parked, leases, delayed, lapsed
-- ARGV  pass, now, keep_ms, id, logged (0: none of its tasks has), tasks…
-- REPLY RETIRED
-- REPLY NOT it has not ended, or runs again
-- REPLY GONE there is no such job
-- REPLY REBUILDING
-- COST  O(n) for n tasks; at most 500 of them
--@include clock
--@include guard
--@include base
--@include kit
local incarnation, job, results = KEYS[1], KEYS[2], KEYS[9]
local pass, now, keep, id = ARGV[1], now_us(ARGV[2]), ARGV[3] + 0, ARGV[4]
local base, call = base_of(incarnation), redis.call
local ENDED = {SUCCEEDED = true, FAILED = true, SKIPPED = true, CANCELLED = true}
-- However late it comes: who has just seen the end may still want to see the job.
local LEAST = 60000

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end
local progress = call('HGET', job, 'progress')
if not progress then
  return {'GONE'}
end
local status, given, finished = string.match(progress, '^(%u+) .* (%d) %S+ (%S+)$')
if not ENDED[status] then
  return {'NOT'}
end
local passed = math.floor(now / 1000) - (tonumber(finished) or math.floor(now / 1000))
local left = string.format('%d', math.max(keep - passed, math.min(keep, LEAST)))

local keys, stopped, lanes, prefix = {}, {}, {}, base .. 'task:' .. id .. ':'
if ARGV[5] == '0' and status ~= 'CANCELLED' then
  for i = 6, #ARGV do
    keys[i - 5] = prefix .. ARGV[i]
  end
  if keys[1] then
    call('EXISTS', unpack(keys))
  end
else
  for i = 6, #ARGV do
    local task = prefix .. ARGV[i]
    local h = call('HMGET', task, 'status', 'log_count', 'kit')
    if h[1] then
      keys[#keys + 1] = task
      if h[2] and call('EXISTS', task .. ':logs') == 1 then
        keys[#keys + 1] = task .. ':logs'
      end
      if not ENDED[h[1]] then
        stopped[#stopped + 1] = ARGV[i]
        local _, _, _, _, _, _, lane = kit_of(h[3])
        local ready = base .. 'ready:' .. lane
        if not lanes[ready] then
          lanes[ready] = {}
          call('EXISTS', ready)
        end
        table.insert(lanes[ready], id .. ':' .. ARGV[i])
      end
    end
  end
end
if status == 'CANCELLED' then
  call('ZREM', KEYS[12], id .. ':')
end
for ready, members in pairs(lanes) do
  call('ZREM', ready, unpack(members))
  for i = 11, 13 do
    call('ZREM', KEYS[i], unpack(members))
  end
end
for i = 1, #stopped do
  call('HSET', prefix .. stopped[i], 'status', 'CANCELLED')
end
for i = 1, #keys do
  call('PEXPIRE', keys[i], left)
end
call('PEXPIRE', job, left)
for i = 3, 5 do
  call('PEXPIRE', KEYS[i], left)
end
if given == '1' then
  call('PEXPIRE', results, left)
end
call('UNLINK', KEYS[6], KEYS[7], KEYS[8], KEYS[10])
return {'RETIRED'}
