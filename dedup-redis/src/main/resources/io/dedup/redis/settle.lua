-- Settles a claim: every row of the table's settle. Only the claim that holds the record may, by claim id and token.
--
-- Request s: token 7 | kind 1 | two durations of 7, 0 where the kind has none | length of the claim id 1 | claim id as in a
--            record | text
--            kind S start
--                 N renew: lease, ttl
--                 C complete: ttl; text: the result as in a record, empty for none
--                 A attach; text: the result
--                 F fail: ttl, back-off; text: the error
--                 R release
-- Replies:   K applied
--            Z fenced, see record.lua

local settled_as = { [SUCCEEDED] = 'C', [FAILED] = 'F', [RELEASED] = 'R' }

local function attach(found, result)
  if found.state ~= SUCCEEDED then
    return fenced(found)
  end
  if not found.result then
    found.result = result
    return 'K', found
  end
  if found.result == result then
    return 'K'
  end
  return fenced(found)
end

-- Each changes the record, or returns false if there is nothing to change.
local settlements = {}

settlements.S = function(to)
  if is_started(to) then
    return false
  end
  to.start = STARTED
  to.attempts = to.attempts + 1
  return true
end

settlements.N = function(to, lease, ttl)
  local busy_until = max(to.busy_until, now + lease)
  local expires = max(to.expires, busy_until + ttl)
  local longer = busy_until ~= to.busy_until or expires ~= to.expires
  to.busy_until, to.expires = busy_until, expires
  return longer
end

settlements.C = function(to, ttl, _, result)
  changed(to)
  to.state = SUCCEEDED
  to.attempts = 0
  to.result = result ~= '' and result or nil
  to.expires = now + ttl
  return true
end

settlements.F = function(to, ttl, back_off, text)
  changed(to)
  to.state = FAILED
  to.busy_until = now + back_off
  to.attempts = 0
  to.error = text
  to.expires = now + ttl
  return true
end

settlements.R = function(to)
  changed(to)
  to.state = RELEASED
  -- A release of what was not known to start tells nothing about starts before it.
  if is_started(to) then
    to.attempts = 0
  end
  return true
end

local function settle(found, bytes)
  local token, kind, first, second, id, rest = unpack_fields('>I7c1I7I7Bc0', bytes, 2)
  if not found or not found.live then
    return fenced(nil)
  end
  if found.token ~= token or not has_id(found, id) then
    return fenced(found)
  end
  if kind == 'A' then
    return attach(found, sub(bytes, rest))
  end
  if found.state == PROCESSING then
    return 'K', settlements[kind](found, first, second, sub(bytes, rest)) and found or nil
  end
  if settled_as[found.state] == kind then
    return 'K' -- a copy of the settlement that brought the record into its state
  end
  return fenced(found)
end

verbs.s = function(found, bytes)
  local reply, to = settle(found, bytes)
  if to then
    return reply, stored(to)
  end
  return reply
end

-- The completions of a batch mostly settle claims of one batch, whose records are the same but for what each claim
-- brought. So what becomes of one, if its claim id is the right one, becomes of them all.
local HEAD_BYTES, SETTLED_BYTES = 31, 23
local head_found, settled, completed

-- A claim's record is kept for its lease and the ttl from the claim on, so nearly always until a little after the
-- completed one expires. Leaving that time as it is costs Redis half as much as setting it.
local LATER_MAX = 3600000000

-- Returns the two heads, without and with a result, that the record has when it is completed, and when it expires, nil for
-- a little before Redis forgets it anyway; or nil if the record is not to be completed.
local function completion(text, bytes)
  local found = decode(text)
  local token, kind, ttl = unpack_fields('>I7c1I7', bytes, 2)
  local plain = found and found.brought_at == HEAD_BYTES + 1 and found.settled_at == #text + 1
  if not plain or not found.live or found.token ~= token or found.state ~= PROCESSING or kind ~= 'C' then
    return nil
  end
  local expired = found.expires
  settlements.C(found, ttl, 0, '')
  local later = expired - found.expires
  return {
    plain = head_of(found, 0),
    with_result = head_of(found, RESULT),
    expires = (later < 0 or later > LATER_MAX) and found.expires or nil
  }
end

shortcuts.s = function(text, bytes)
  if not text then
    return nil
  end
  local head, request = sub(text, 1, HEAD_BYTES), sub(bytes, 1, SETTLED_BYTES)
  if head ~= head_found or request ~= settled then
    head_found, settled, completed = head, request, completion(text, bytes)
  end
  local id_bytes = byte(bytes, SETTLED_BYTES + 1)
  local id_at = SETTLED_BYTES + 2
  if not completed
    or sub(text, HEAD_BYTES + 1, HEAD_BYTES + id_bytes) ~= sub(bytes, id_at, id_at + id_bytes - 1) then
    return nil
  end
  local result = sub(bytes, id_at + id_bytes)
  local new_head = result == '' and completed.plain or completed.with_result
  local to = new_head .. sub(text, HEAD_BYTES + 1) .. result
  return 'K', to, completed.expires
end
