-- fix: a driver's line in the hash fix. What update compares, keeps and replaces stands apart, so that it need not take the
-- line to pieces. First its state with t where it has tags (else -); at (us, always of 16 digits; zeros before the first
-- fix); since (ms, when its status last changed), epoch and version. Then, after a bar: seq (or -), seen (ms), cell (or -),
-- heading and speed (or -).
-- States: A is found once it has a position, R is reserved, B is busy, O is offline by silence, C is offline by choice.
local NO_FIX = '0000000000000000'

-- state, t or -, at, since, epoch, version, seq, seen, cell, heading and speed: all of them texts.
local function fix_of(line)
  return string.match(line, '^(%u)(%S) (%d+) (%d+) (%d+) (%d+)|(%S+) (%d+) (%S+) (%S+ %S+)$')
end

local function fix_line(state, tagged, at, since, epoch, version, seq, seen, cell, motion)
  return state .. tagged .. ' ' .. at .. ' ' .. since .. ' ' .. epoch .. ' ' .. version .. '|' .. seq .. ' ' .. seen .. ' '
    .. cell .. ' ' .. motion
end

-- What is kept of a profile: its rating (or -), then its tags joined by commas, if any.
local function tags_of(profile)
  return profile and string.match(profile, ' (.*)$') or ''
end
