-- value_of: the slots of a subject's key. A value of another length was not written here, and counts as nothing.
local function value_of(key)
  local value = redis.call('GET', key)
  return value and #value % 43 == 0 and value or ''
end
