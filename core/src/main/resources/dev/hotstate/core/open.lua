#!lua
-- Opens a partition's next incarnation for its one rebuilder, or takes it over from a rebuilder that died. From then on
-- the passes of older incarnations and of older rebuilders are refused.
-- KEYS  incarnation
-- ARGV  number, token, now, owner
-- REPLY OPENED nothing of this incarnation was here: begin
-- REPLY RESUMED cursor (an earlier rebuilder's work is here: go on from there; empty: from the start)
-- REPLY READY it was finished already
-- REPLY STRANGER owner (another installation keeps its state here, and lives)
-- REPLY REFUSED pass (a newer incarnation or rebuilder is at work)
-- COST  O(1)
--@include clock
--@include process
local incarnation = KEYS[1]
local number, token, now, owner = tonumber(ARGV[1]), tonumber(ARGV[2]), now_us(ARGV[3]), ARGV[4]
local pass = string.format('%.0f:%.0f', number, token)

local held = redis.call('HMGET', incarnation, 'pass', 'run_id', 'fence', 'cursor', 'owner', 'until')
local strangers = held[5] and held[5] ~= owner
if strangers and tonumber(held[6] or 0) > now then
  return {'STRANGER', held[5]}
end
local run_id, repl_id = process()
if held[1] then
  local held_number, held_token = string.match(held[1], '^(%d+):?(%d*)$')
  held_number, held_token = tonumber(held_number), tonumber(held_token)
  if held_number > number or held_number == number and held_token and held_token > token then
    return {'REFUSED', held[1]}
  end
  if held_number == number and held[2] == run_id and not strangers then
    if not held_token then
      return {'READY'}
    end
    redis.call('HSET', incarnation, 'pass', pass)
    return {'RESUMED', held[4] or ''}
  end
end
redis.call('DEL', incarnation)
redis.call('HSET', incarnation, 'pass', pass, 'run_id', run_id, 'repl_id', repl_id, 'fence', held[3] or 0,
  'owner', owner)
return {'OPENED'}
