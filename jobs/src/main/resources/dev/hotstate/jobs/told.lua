-- told: a transition as it stands in the archive, under <job>:<task>.
local function told(epoch, attempt, state, at, started_at, worker, logged, error, result)
  return table.concat({epoch, attempt, state, at, started_at or '', worker or '', logged, error, result}, '\31')
end
