#!lua flags=allow-oom
-- Looks whether a partition is still the one its pass was given for, and if so lets it beat: the beat grows, and scripts
-- are admitted for another while. A beat that comes after the last one ran out marks the end of a silence.
-- KEYS  incarnation
-- ARGV  pass, now, seen (the last beat anyone saw), hold_us, adopt (1: the partition moved here whole), owner
-- REPLY BEATING beat
-- REPLY LOST there is nothing here
-- REPLY OTHER pass (this incarnation is not the caller's, or not ready)
-- REPLY STRANGER owner (another installation keeps its state here, and lives)
-- REPLY BACK beat (it is older than the one that was seen)
-- REPLY CHANGED run_id, repl_id then; repl_id, repl_id2 now (another process answers)
-- COST  O(1), some 20 microseconds for INFO
--@include clock
--@include process
local incarnation = KEYS[1]
local pass, now, seen, hold, adopt = ARGV[1], now_us(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5] == '1'
local owner = ARGV[6]

local held = redis.call('HMGET', incarnation, 'pass', 'beat', 'until', 'run_id', 'repl_id', 'owner')
if not held[1] then
  return {'LOST'}
end
if held[6] and held[6] ~= owner and tonumber(held[3] or 0) > now then
  return {'STRANGER', held[6]}
end
if held[1] ~= pass or held[6] and held[6] ~= owner then
  return {'OTHER', held[1]}
end
local last = tonumber(held[2])
if last < seen then
  return {'BACK', held[2]}
end
local run_id, repl_id, repl_id2 = process()
if held[4] ~= run_id and not adopt then
  return {'CHANGED', held[4], held[5], repl_id, repl_id2}
end

local beat = math.max(last + 1, now)
redis.call('HSET', incarnation, 'beat', beat, 'until', now + hold, 'run_id', run_id, 'repl_id', repl_id,
  'owner', owner)
if tonumber(held[3]) <= now then
  redis.call('HSET', incarnation, 'resumed', now)
end
return {'BEATING', string.format('%.0f', beat)}
