-- due: a time in ms, absolute ("1763245555123") or from now on ("+5000").
local function due_ms(text, now)
  if string.sub(text, 1, 1) == '+' then
    return math.floor(now / 1000) + tonumber(string.sub(text, 2))
  end
  return tonumber(text)
end
