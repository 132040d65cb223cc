#!lua flags=no-writes
-- What workers hold in a partition, the lease that ends first at the head.
-- KEYS  incarnation, leases
-- ARGV  max
-- REPLY LEASES tasks as job, task, fence, queue, run, worker, lease_until…
-- COST  O(max)
--@include base
local incarnation, leases = KEYS[1], KEYS[2]
local max = ARGV[1] + 0
local base = base_of(incarnation)

local held = {}
local members = redis.call('ZRANGE', leases, 0, max - 1, 'WITHSCORES')
for i = 1, #members, 2 do
  local h = redis.call('HMGET', base .. 'task:' .. members[i], 'status', 'fence', 'queue', 'run', 'worker')
  if h[1] == 'RUNNING' then
    local id, task = string.match(members[i], '^([^:]+):(.*)$')
    for _, part in ipairs({id, task, h[2], h[3], h[4], h[5], members[i + 1]}) do
      held[#held + 1] = part
    end
  end
end
return {'LEASES', held}
