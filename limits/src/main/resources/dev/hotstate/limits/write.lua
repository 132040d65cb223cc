-- write: puts slots that stand side by side into a subject's key, and has it live so long (ms; 0: it does anyway).
-- Where that was the last of them, and the key has more than it `had`, slots whose time is over go: each time that their
-- number reaches or passes a power of two, from eight on. So a key has at most twice the slots that count, or seven.
local function write(key, had, at, slots, lives, now, is_last)
  if had == 0 then
    redis.call('SET', key, slots, 'PX', lives)
    return
  end
  local has = redis.call('SETRANGE', key, at == 0 and '0' or at, slots)
  if lives > 0 then
    redis.call('PEXPIRE', key, lives, 'GT')
  end
  if is_last and has > had and has >= 8 * 43
    and select(2, math.frexp(has / 43)) > select(2, math.frexp(had / 43)) then
    local value, left = redis.call('GET', key), {}
    for from = 1, has, 43 do
      local _, _, _, _, kept = struct.unpack('<c11dddd', value, from)
      if kept > now then
        left[#left + 1] = string.sub(value, from, from + 42)
      end
    end
    redis.call('SET', key, table.concat(left), 'KEEPTTL')
  end
end
