-- spend: takes units from a counter that has them. Answers when all is there again, the bytes of its slot, and how long
-- the key must live for it (ms; 0 where it is sure to).
-- Two milliseconds more, because a lifetime counts from the last whole one before the script began. A bucket's end moves
-- with every call, so it asks for twice as long and a second: then few calls have to.
local function spend(label, kind, span, drain, units, now, first, second, third, kept)
  local reset, lives = 0, 0
  if kind == 'b' then
    first, second, third = now, first + units * span, span
    reset = math.ceil(second / drain)
  else
    second = second + units
    reset = first + (kind == 's' and 2 or 1) * span - now
  end
  if now + reset > kept then
    lives = math.ceil(reset / 1000) + 2
    if kind == 'b' then
      lives = 2 * lives + 1000
    end
    kept = now + (lives - 2) * 1000
  end
  return reset, struct.pack('<c11dddd', label, first, second, third, kept), lives
end
