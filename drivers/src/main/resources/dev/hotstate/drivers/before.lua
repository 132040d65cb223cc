-- before: which of two ids comes first.
-- By bytes, as Java and PostgreSQL's "C" order them. Lua's own < goes by the server's locale, which may be as good.
local PLAIN = 'B' < 'a' and 'a-' < 'a.' and 'a.' < 'a0' and 'a9' < 'aA' and 'aZ' < 'a_' and 'a_' < 'aa' and 'aZb' < 'a_a'
local function before(a, b)
  if PLAIN then
    return a < b
  end
  for i = 1, #a do
    local x, y = string.byte(a, i), string.byte(b, i)
    if x ~= y then
      return y ~= nil and x < y
    end
  end
  return #a < #b
end
