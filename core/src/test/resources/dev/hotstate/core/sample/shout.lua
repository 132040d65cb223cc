-- shout: a text in capitals.
local function shout(text)
  return string.upper(text)
end
