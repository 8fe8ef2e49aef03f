-- Keeps what is done until at least ttl after it was done.
--
-- Request x: ttl 7
-- Replies:   Y the record is kept longer now
--            U nothing changed

verbs.x = function(found, bytes)
  local ttl = unpack_fields('>I7', bytes, 2)
  if not found or not found.live or found.state ~= SUCCEEDED or found.updated + ttl <= found.expires then
    return 'U'
  end
  found.expires = found.updated + ttl
  return 'Y', stored(found)
end
