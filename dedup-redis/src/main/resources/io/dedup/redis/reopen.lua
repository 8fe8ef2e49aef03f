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
  local to = copy_of(found)
  by_hand(to, sub(bytes, 2))
  to.token = next_token(found, 0)
  to.state = RELEASED
  return 'K', to
end
