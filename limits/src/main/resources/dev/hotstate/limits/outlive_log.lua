-- outlive_log: has a log live until all is there again though nothing is spent now, where its lifetime is of a shorter
-- window that its rule had.
local function outlive_log(key, reset)
  if redis.call('PTTL', key) * 1000 < reset then
    redis.call('PEXPIRE', key, math.ceil(reset / 1000) + 2)
  end
end
