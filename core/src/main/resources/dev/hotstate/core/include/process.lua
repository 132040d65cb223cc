-- process: which Redis process answers, and whose history its data continues.
-- A restart and a failover both change the first; a failover leaves the old history's name in the third.
local function process()
  local info = redis.call('INFO', 'server') .. redis.call('INFO', 'replication')
  return string.match(info, 'run_id:(%w+)'), string.match(info, 'master_replid:(%w+)'),
    string.match(info, 'master_replid2:(%w+)')
end
