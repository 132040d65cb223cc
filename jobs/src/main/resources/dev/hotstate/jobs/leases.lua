#!lua flags=no-writes
-- What workers hold in a partition, the lease that ends first at the head, a page of it.
-- KEYS  incarnation, leases
-- ARGV  from (so many are left out), max
-- REPLY LEASES how many were looked at, tasks as job, task, fence, lane, worker, lease_until…
-- COST  O(max log n); at most 500
--@include base
--@include attempt
--@include kit
local incarnation, leases = KEYS[1], KEYS[2]
local from, max = ARGV[1] + 0, ARGV[2] + 0
local base = base_of(incarnation)

local held = {}
local members = redis.call('ZRANGE', leases, from, from + max - 1, 'WITHSCORES')
for i = 1, #members, 2 do
  local h = redis.call('HMGET', base .. 'task:' .. members[i], 'attempt', 'kit')
  local fence, _, _, _, worker = attempt_of(h[1] or '- 0 0 0 -')
  if string.sub(fence, 1, 1) ~= '-' then
    local id, task = string.match(members[i], '^([^:]+):(.*)$')
    local _, _, _, _, _, _, lane = kit_of(h[2])
    for _, part in ipairs({id, task, fence, lane, worker, members[i + 1]}) do
      held[#held + 1] = part
    end
  end
end
return {'LEASES', #members / 2, held}
