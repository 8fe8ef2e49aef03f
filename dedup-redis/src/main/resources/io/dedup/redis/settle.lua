-- Settles a claim: every row of the table's settle. Only the claim that holds the record may, by claim id and token.
--
-- Request s: claim id 16 | token 7 | kind 1 | two durations of 7, 0 where the kind has none | text
--            kind S start
--                 N renew: lease, ttl
--                 C complete: ttl; text: the result as in field r, empty for none
--                 A attach; text: the result
--                 F fail: ttl, back-off; text: the error
--                 R release
-- Replies:   K applied
--            Z fenced, see record.lua

local settled_as = { [SUCCEEDED] = 'C', [FAILED] = 'F', [RELEASED] = 'R' }

local function attach(found, result, key)
  if found.state ~= SUCCEEDED then
    return fenced(found)
  end
  local stored = result_of(key)
  if stored == '' then
    local to = copy_of(found)
    to.result = result
    return 'K', to
  end
  if stored == result then
    return 'K'
  end
  return fenced(found)
end

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
  local busy_until = math.max(to.busy_until, now + lease)
  local expires = math.max(to.expires, busy_until + ttl)
  local longer = busy_until ~= to.busy_until or expires ~= to.expires
  to.busy_until, to.expires = busy_until, expires
  return longer
end

settlements.C = function(to, ttl, _, result)
  changed(to)
  to.state = SUCCEEDED
  to.attempts = 0
  to.result = result ~= '' and result
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

verbs.s = function(found, bytes, key)
  local holder, kind, first, second, rest = unpack_fields('>c23c1I7I7', bytes, 2)
  if not found or not found.live then
    return fenced(nil)
  end
  if found.holder ~= holder then
    return fenced(found)
  end
  local text = sub(bytes, rest)
  if kind == 'A' then
    return attach(found, text, key)
  end
  if found.state == PROCESSING then
    local to = copy_of(found)
    return 'K', settlements[kind](to, first, second, text) and to or nil
  end
  if settled_as[found.state] == kind then
    return 'K' -- a copy of the settlement that brought the record into its state
  end
  return fenced(found)
end
