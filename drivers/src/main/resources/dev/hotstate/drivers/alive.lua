-- alive: of these drivers, for each its line of fix if it can be found: AVAILABLE, and with a heartbeat that has not ended.
-- False for others.
local function alive(fix, online, ids, now_ms)
  local AVAILABLE = 65
  local lines, ends = redis.call('HMGET', fix, unpack(ids)), redis.call('ZMSCORE', online, unpack(ids))
  for i = 1, #ids do
    local line, ending = lines[i], ends[i]
    if line and not (ending and string.byte(line) == AVAILABLE and tonumber(ending) > now_ms) then
      lines[i] = false
    end
  end
  return lines
end
