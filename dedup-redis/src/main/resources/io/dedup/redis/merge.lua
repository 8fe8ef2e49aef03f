-- Takes over the copy of a record from another store: the table's merge.
--
-- Request m: the record
-- Replies:   Y the record changed
--            U it did not

local function id_of(record)
  return sub(record.text, record.brought_at, record.fingerprint_at - 1)
end

local function is_tombstone(record)
  return record.state == RELEASED and id_of(record) == NO_CLAIM
end

local STAGE = { [ISSUED] = 0, [PROCESSING] = 0, [RELEASED] = 1, [FAILED] = 1, [SUCCEEDED] = 2 }

-- Of two copies of one claim, whether the incoming one was made later. It never goes back in any of these.
local function is_later_copy(incoming, found)
  if STAGE[incoming.state] ~= STAGE[found.state] then
    return STAGE[incoming.state] > STAGE[found.state]
  end
  if incoming.busy_until ~= found.busy_until then
    return incoming.busy_until > found.busy_until
  end
  if incoming.start ~= found.start then
    return incoming.start > found.start
  end
  return incoming.result and not found.result
end

-- What is done wins over what is not, whatever the tokens; a tombstone undoes it, if its token is higher.
local function wins(incoming, found)
  local incoming_done, found_done = incoming.state == SUCCEEDED, found.state == SUCCEEDED
  if incoming_done and not found_done and not is_tombstone(found) then
    return true
  end
  if found_done and not incoming_done and not is_tombstone(incoming) then
    return false
  end
  if incoming.token == found.token then
    -- A tombstone has no claim: it stays against an equal token, and never comes back by one.
    return id_of(incoming) == id_of(found) and id_of(found) ~= NO_CLAIM and is_later_copy(incoming, found)
  end
  return incoming.token > found.token
end

verbs.m = function(found, bytes)
  local incoming = assert(decode(sub(bytes, 2)))
  if not incoming.live then
    return 'U'
  end
  if not found or not found.live then
    return 'Y', stored(incoming)
  end
  local incoming_wins = wins(incoming, found)
  local token = max(incoming.token, found.token)
  local expires = found.expires
  if incoming.state == SUCCEEDED and found.state == SUCCEEDED then
    expires = max(incoming.expires, found.expires)
  elseif incoming_wins then
    expires = incoming.expires
  end
  if not incoming_wins and expires == found.expires and token == found.token then
    return 'U'
  end
  local to = incoming_wins and incoming or found
  to.expires = expires
  to.token = token -- never smaller, so that the next claim's exceeds both
  return 'Y', stored(to)
end
