-- slot_of: where a subject's key has what one rule counts. The key has a slot for each rule that the subject met lately,
-- 43 bytes: the rule's label (its kind and name), three figures, and the time (us) until which the key is sure to live.
-- Answers where the slot begins, and its four figures; nothing where there is none. It is looked for at `guess` first.
local function slot_of(value, label, guess)
  if guess < #value then
    local found, first, second, third, kept = struct.unpack('<c11dddd', value, guess + 1)
    if found == label then
      return guess, first, second, third, kept
    end
  end
  local at = string.find(value, label, 1, true)
  while at and at % 43 ~= 1 do
    at = string.find(value, label, at + 1, true)
  end
  if at then
    return at - 1, select(2, struct.unpack('<c11dddd', value, at))
  end
end
