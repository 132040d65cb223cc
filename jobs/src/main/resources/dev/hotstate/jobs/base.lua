-- base: what the names of a partition's keys begin with. Keys that a script derives from it are read before its first
-- write: while a slot moves, a write to a key that is not in KEYS fails, and what was written before it would stay.
local function base_of(incarnation)
  return string.sub(incarnation, 1, -string.len('incarnation') - 1)
end
