-- Claims a key: every row of the table's claim.
--
-- Request c: lease 7 | ttl 7 | token floor 7 | not after 7, 0 for no limit | flags 1: 1 must be issued, 2 force, 4 slide |
--            start mark 1 | on lease expired 1 | on failed 1 | claim id, fingerprint, origin and owner as in a record
-- Replies:   A acquired: token 7 | attempt 4 | taken over 1 | lease left 7
--            I in progress: time left 7 | the record
--            C completed: the record
--            F failed: the record
--            D in doubt: the record
--            X conflict: the record
--            N not issued
--            Z fenced, see record.lua
--            L the request is late

local HOLD, REPORT = 1, 1
local FORCED_MAX = 8

local function acquired(record)
  local attempt = record.attempts + (is_started(record) and 0 or 1)
  return pack('>c1I7I4BI7', 'A', record.token, attempt, record.taken_over and 1 or 0, record.busy_until - now)
end

-- What a new claim inherits from the record it finds: whether there is doubt about a claim before, starts so far, origins
-- forced. Who never started, gave back or failed tells nothing of those before it: the doubt about them stays.
local function acquire(found, request, taken_over, attempts, forced)
  local busy_until = now + request.lease
  local expires = busy_until + request.ttl
  local live = found and found.live
  local record = {
    state = PROCESSING,
    start = request.start,
    taken_over = taken_over,
    token = next_token(found, request.floor),
    updated = now,
    expires = live and max(found.expires, expires) or expires,
    created = live and found.created or now,
    busy_until = busy_until,
    attempts = attempts + (is_started(request) and 1 or 0),
    brought = sub(request.text, request.brought_at),
    forced = forced,
    error = nil,
    result = nil
  }
  return acquired(record), record
end

local function acquire_anew(found, request)
  return acquire(found, request, false, 0, '')
end

-- The answer had been lost: the same token again, and no second attempt counted.
local function acquired_before(found, request)
  if found.busy_until > now then
    return acquired(found)
  end
  found.busy_until = now + request.lease
  found.expires = max(found.expires, found.busy_until + request.ttl)
  return acquired(found), found
end

local function in_progress(found)
  return pack('>c1I7', 'I', found.busy_until - now) .. found.text
end

local function claim_processing(found, request)
  if found.busy_until > now then
    return in_progress(found)
  end
  if found.start == NOT_STARTED then
    return acquire(found, request, found.taken_over, found.attempts, found.forced)
  end
  -- Who was lost in a transaction has left nothing: its completion would be there, too.
  if request.on_lease_expired == HOLD and found.start ~= IN_TRANSACTION then
    return 'D' .. found.text
  end
  return acquire(found, request, true, found.attempts, found.forced)
end

local function claim_released(found, request)
  -- Neither a release nor a failure settles the doubt about claims before it.
  return acquire(found, request, found.taken_over, found.attempts, found.forced)
end

local function claim_failed(found, request)
  if found.busy_until > now then
    return in_progress(found)
  end
  if request.on_failed == REPORT then
    return 'F' .. found.text
  end
  return acquire(found, request, found.taken_over, 0, found.forced)
end

local function has_origin(forced, origin)
  local at = 2
  while at <= #forced do
    local following = after_origin(forced, at)
    if sub(forced, at, following - 1) == origin then
      return true
    end
    at = following
  end
  return false
end

-- Remembers the origin done before, too: its redelivery is an ordinary duplicate, forced or not. Returns nil if that
-- would be too many.
local function forced_with(found, origin)
  local before = origin_of(found)
  if has_origin(found.forced, before) then
    before = ''
  end
  local count = (byte(found.forced, 1) or 0) + (before == '' and 1 or 2)
  return count <= FORCED_MAX and string.char(count) .. sub(found.forced, 2) .. before .. origin
end

local function claim_succeeded(found, request)
  if request.force then
    local origin = sub(request.text, request.origin_at, after_origin(request.text, request.origin_at) - 1)
    if origin ~= origin_of(found) and not has_origin(found.forced, origin) then
      local forced = forced_with(found, origin)
      if forced then
        return acquire(found, request, false, 0, forced)
      end
    end
  end
  if request.slide and now + request.ttl > found.expires then
    found.expires = now + request.ttl
    return 'C' .. stored(found), found
  end
  return 'C' .. found.text
end

local claim_live = {
  [ISSUED] = acquire_anew,
  [PROCESSING] = claim_processing,
  [SUCCEEDED] = claim_succeeded,
  [FAILED] = claim_failed,
  [RELEASED] = claim_released
}

local function is_conflict(found, request)
  if found.state ~= PROCESSING and found.state ~= SUCCEEDED then
    return false
  end
  local algorithm = byte(found.text, found.fingerprint_at)
  return algorithm ~= 0
    and algorithm == byte(request.text, request.fingerprint_at)
    and sub(found.text, found.fingerprint_at, found.fingerprint_at + 8)
      ~= sub(request.text, request.fingerprint_at, request.fingerprint_at + 8)
end

local function request_of(text)
  local r, flags = { text = text }
  r.lease, r.ttl, r.floor, r.not_after, flags, r.start, r.on_lease_expired, r.on_failed, r.brought_at =
    unpack_fields('>I7I7I7I7BBBB', text, 2)
  r.late = r.not_after > 0 and now > r.not_after
  r.must_be_issued, r.force, r.slide = flags % 2 >= 1, flags % 4 >= 2, flags % 8 >= 4
  r.fingerprint_at = r.brought_at + 9 + byte(text, r.brought_at)
  r.origin_at = r.fingerprint_at + (byte(text, r.fingerprint_at) == 0 and 1 or 9)
  return r
end

local function claim(found, text)
  local request = request_of(text)
  if request.late then
    return 'L'
  end
  if not found or not found.live then
    if request.must_be_issued then
      return 'N'
    end
    return acquire_anew(found, request)
  end
  if has_id(found, sub(text, request.brought_at, request.fingerprint_at - 1)) then
    if found.state == PROCESSING then
      return acquired_before(found, request)
    end
    return fenced(found)
  end
  if is_conflict(found, request) then
    return 'X' .. found.text
  end
  return claim_live[found.state](found, request)
end

verbs.c = function(found, text)
  local reply, to = claim(found, text)
  if to then
    return reply, stored(to)
  end
  return reply
end

-- The claims of a batch nearly always ask for the same: then those of absent keys have one answer, and their records are
-- the same but for what each claim brings.
local TERMS_BYTES = 33
local terms, asked, head, expires

local function new_terms(text)
  terms = sub(text, 1, TERMS_BYTES)
  asked = request_of(text)
  asked.plain = not asked.late and not asked.must_be_issued and not asked.force and not asked.slide
  local reply, record = acquire_anew(nil, asked)
  asked.reply, head, expires = reply, head_of(record, 0), record.expires
end

-- Whether a text is a record that is done, live, and as short as they are nearly always; and not of this claim or one
-- with another fingerprint.
local function is_done_before(text, request)
  local version, bits, parts = byte(text, 1, 3)
  if version ~= FORMAT_VERSION or bits % 8 ~= SUCCEEDED or parts % 4 ~= 0 or parts >= WIDE or #text < BYTES_MIN then
    return false
  end
  local token, since, left, id_at = unpack_fields('>I7I4I6', text, 4)
  if token + since + left <= now then
    return false
  end
  local asked_id_at = TERMS_BYTES + 1
  local id_bytes, asked_id_bytes = 9 + byte(text, id_at), 9 + byte(request, asked_id_at)
  if sub(text, id_at, id_at + id_bytes - 1) == sub(request, asked_id_at, asked_id_at + asked_id_bytes - 1) then
    return false
  end
  local fingerprint_at, asked_fingerprint_at = id_at + id_bytes, asked_id_at + asked_id_bytes
  local algorithm = byte(text, fingerprint_at)
  return algorithm == 0
    or algorithm ~= byte(request, asked_fingerprint_at)
    or sub(text, fingerprint_at, fingerprint_at + 8) == sub(request, asked_fingerprint_at, asked_fingerprint_at + 8)
end

shortcuts.c = function(text, request)
  if sub(request, 1, TERMS_BYTES) ~= terms then
    new_terms(request)
  end
  if not asked.plain then
    return nil
  end
  if not text then
    local text_of_new = head .. sub(request, TERMS_BYTES + 1)
    return asked.reply, text_of_new, expires
  end
  if is_done_before(text, request) then
    return 'C' .. text
  end
  return nil
end
