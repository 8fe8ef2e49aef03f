-- Settles a key in doubt by hand: PROCESSING, its lease over, and the token that the operator was shown.
--
-- Request v: token 7 | ttl 7, 0 if the effect is not done | length of the note 2 | note | result as in field r
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
  local to = copy_of(found)
  by_hand(to, note)
  to.token = next_token(found, 0)
  if ttl > 0 then
    local result = sub(bytes, rest)
    to.state = SUCCEEDED
    to.result = result ~= '' and result
    to.expires = now + ttl
  else
    to.state = RELEASED
  end
  return 'K', to
end
