-- advance_hand_out: what is handed out, and under which fence; nothing while the archive is too long.
local handed, handed_n, gone, more, congested, fence, count = {}, 0, {}, 0, 0, '', ''
local room, taken, spent, MOST_BYTES, depths = max, 0, 0, 4194304, {}
if max > 0 then
  if call('XLEN', archive) > args[7] + 0 then
    congested, room = 1, 0
  end
  count = format('%d', math.max((held[3] or 0) + 1, now))
  fence = match(pass, '^%d+') .. '-' .. count
end
