-- fences: how a held entry is written beside the schedule: its fence, then the time it was put for meanwhile, if any.
local function held_by(note)
  local fence, wish = string.match(note, '^(%S+) ?(%S*)$')
  return fence, tonumber(wish)
end
