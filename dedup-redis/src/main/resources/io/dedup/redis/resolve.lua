-- Settles a key in doubt by hand: PROCESSING, its lease over, and the token that the operator was shown.
--
-- Request v: token 7 | ttl 7, 0 if the effect is not done | length of the note 2 | note | result as in a record
-- Replies:   K applied
--            Z fenced, see record.lua

verbs.v = function(found, bytes)
  local token, ttl, note, rest = unpack_fields('>I7I7I2c0', bytes, 2)
  if not found or not found.live then
    return fenced(nil)
  end
  if found.state ~= PROCESSING or found.busy_until > now or found.token ~= token then
    return fenced(found)
  end
  by_hand(found, note)
  found.token = next_token(found, 0)
  if ttl > 0 then
    local result = sub(bytes, rest)
    found.state = SUCCEEDED
    found.result = result ~= '' and result or nil
    found.expires = now + ttl
  else
    found.state = RELEASED
  end
  return 'K', stored(found)
end
