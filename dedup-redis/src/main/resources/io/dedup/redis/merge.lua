-- Takes over the copy of a record from another store: the table's merge.
--
-- Request m: a record as find.lua replies it, without its letter
-- Replies:   Y the record changed
--            U it did not

local function incoming_record(bytes)
  local head, created, busy_until, attempts, owner, forced, error_text, rest =
    unpack_fields('>c64c7I7I4I2c0Bc0I2c0', bytes, 2)
  local record = decode(head, created, pack('>I7I4', busy_until, attempts), owner, forced, false)
  record.error = error_text ~= '' and sub(error_text, 2) or nil
  local result = sub(bytes, rest)
  record.result = result ~= '' and result
  return record
end

local function is_tombstone(record)
  return record.state == RELEASED and record.id == NO_CLAIM
end

local STAGE = { [ISSUED] = 0, [PROCESSING] = 0, [RELEASED] = 1, [FAILED] = 1, [SUCCEEDED] = 2 }

-- Of two copies of one claim, whether the incoming one was made later. It never goes back in any of these.
local function is_later_copy(incoming, found, key)
  if STAGE[incoming.state] ~= STAGE[found.state] then
    return STAGE[incoming.state] > STAGE[found.state]
  end
  if incoming.busy_until ~= found.busy_until then
    return incoming.busy_until > found.busy_until
  end
  if incoming.start ~= found.start then
    return incoming.start > found.start
  end
  return incoming.result and result_of(key) == ''
end

-- What is done wins over what is not, whatever the tokens; a tombstone undoes it, if its token is higher.
local function wins(incoming, found, key)
  local incoming_done, found_done = incoming.state == SUCCEEDED, found.state == SUCCEEDED
  if incoming_done and not found_done and not is_tombstone(found) then
    return true
  end
  if found_done and not incoming_done and not is_tombstone(incoming) then
    return false
  end
  if incoming.token == found.token then
    -- A tombstone has no claim: it stays against an equal token, and never comes back by one.
    return incoming.id == found.id and found.id ~= NO_CLAIM and is_later_copy(incoming, found, key)
  end
  return incoming.token > found.token
end

verbs.m = function(found, bytes, key)
  local incoming = incoming_record(bytes)
  if not incoming.live then
    return 'U'
  end
  if not found or not found.live then
    return 'Y', incoming
  end
  local incoming_wins = wins(incoming, found, key)
  local token = math.max(incoming.token, found.token)
  local expires = found.expires
  if incoming.state == SUCCEEDED and found.state == SUCCEEDED then
    expires = math.max(incoming.expires, found.expires)
  elseif incoming_wins then
    expires = incoming.expires
  end
  if not incoming_wins and expires == found.expires and token == found.token then
    return 'U'
  end
  local to = incoming_wins and incoming or copy_of(found)
  to.expires = expires
  to.token = token -- never smaller, so that the next claim's exceeds both
  return 'Y', to
end
