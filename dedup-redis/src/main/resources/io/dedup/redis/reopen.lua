-- Lets a key run again by hand: leaves a tombstone, unless a claim is live or there is nothing.
--
-- Request o: note
-- Replies:   K applied
--            Z fenced, see record.lua

verbs.o = function(found, bytes)
  if not found or not found.live then
    return fenced(nil)
  end
  if found.state == PROCESSING and found.busy_until > now then
    return fenced(found)
  end
  by_hand(found, sub(bytes, 2))
  found.token = next_token(found, 0)
  found.state = RELEASED
  return 'K', stored(found)
end
