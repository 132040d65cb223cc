-- attempt: the last attempt of a task, as it stands in one field of its hash: the fence, or - and when it ended (ms); retries
-- before it; when it began (ms); 1 once it has logged; its worker; and where it has one, p: and its permit.
-- Answers the first word, retries, when it began, whether it has logged, its worker, and its permit or nothing.
local function attempt_of(text)
  local first, retries, started, logged, worker, rest = string.match(text, '^(%S+) (%d+) (%d+) (%d) (%S+)(.*)$')
  return first, retries, started, logged, worker, rest ~= '' and string.sub(rest, 4) or nil
end
