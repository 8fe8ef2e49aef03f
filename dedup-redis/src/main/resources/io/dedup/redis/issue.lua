-- Hands out a key: an absent one becomes ISSUED, whatever else is there stays as it is.
--
-- Request i: ttl 7
-- Replies:   Y issued and unused now
--            U not

verbs.i = function(found, bytes)
  if found and found.live then
    return found.state == ISSUED and 'Y' or 'U'
  end
  local ttl = unpack_fields('>I7', bytes, 2)
  return 'Y', stored({
    state = ISSUED,
    start = 0,
    taken_over = false,
    token = next_token(found, 0),
    updated = now,
    expires = now + ttl,
    created = now,
    busy_until = now,
    attempts = 0,
    brought = NO_CLAIM .. '\0\0\0\0', -- no fingerprint, origin and owner either
    forced = '',
    error = nil,
    result = nil
  })
end
