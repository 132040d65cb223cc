-- kit: what claiming a task takes, in one field of its hash: retries so far and at most, timeout and backoff (ms), priority,
-- what else there is to hand out (i: an input, s: a spec, or -; before that n where it needs no other and o where it needs but
-- one, and before that l where an attempt has logged), and its lane as queue:run.
local function kit_of(text)
  return string.match(text, '^(%d+) (%d+) (%d+) (%d+) (%d+) (%S+) (%S+)$')
end
