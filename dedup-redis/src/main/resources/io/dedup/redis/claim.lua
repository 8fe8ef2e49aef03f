-- Claims a key: every row of the table's claim.
--
-- Request c: claim id 16 | fingerprint: algorithm 1, value 8 | origin 16 | lease 7 | ttl 7 | token floor 7 |
--            not after 7, 0 for no limit | flags 1: 1 must be issued, 2 force, 4 slide | start mark 1 |
--            on lease expired 1 | on failed 1 | owner
-- Replies:   A acquired: token 7 | attempt 4 | taken over 1 | lease left 7
--            I in progress: time left 7 | origin 16 | owner
--            C completed: token 7 | origin 16 | completed 7 | expires 7 | result as in field r, or nothing
--            F failed: origin 16 | error
--            D in doubt: token 7 | since 7 | owner
--            X conflict: fingerprint: algorithm 1, value 8
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
    id = request.id,
    token = next_token(found, request.floor),
    algorithm = request.algorithm,
    fingerprint = request.fingerprint,
    origin = request.origin,
    updated = now,
    expires = live and math.max(found.expires, expires) or expires,
    created = live and found.created or now,
    busy_until = busy_until,
    attempts = attempts + (is_started(request) and 1 or 0),
    owner = request.owner,
    forced = forced,
    error = nil,
    result = false
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
  local renewed = copy_of(found)
  renewed.busy_until = now + request.lease
  renewed.expires = math.max(found.expires, renewed.busy_until + request.ttl)
  return acquired(renewed), renewed
end

local function in_progress(found)
  return pack('>c1I7c16', 'I', found.busy_until - now, found.origin) .. found.owner
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
    return pack('>c1I7I7', 'D', found.token, found.busy_until) .. found.owner
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
    return pack('>c1c16', 'F', found.origin) .. (found.error or '')
  end
  return acquire(found, request, found.taken_over, 0, found.forced)
end

local function has_origin(forced, origin)
  for at = 1, #forced, ORIGIN_BYTES do
    if sub(forced, at, at + ORIGIN_BYTES - 1) == origin then
      return true
    end
  end
  return false
end

-- Remembers the origin done before, too: its redelivery is an ordinary duplicate, forced or not.
local function forced_with(found, origin)
  local before = has_origin(found.forced, found.origin) and '' or found.origin
  return found.forced .. before .. origin
end

local function claim_succeeded(found, request, key)
  if request.force and request.origin ~= found.origin and not has_origin(found.forced, request.origin) then
    local forced = forced_with(found, request.origin)
    if #forced <= FORCED_MAX * ORIGIN_BYTES then
      return acquire(found, request, false, 0, forced)
    end
  end
  local kept
  local expires = found.expires
  if request.slide and now + request.ttl > expires then
    expires = now + request.ttl
    kept = copy_of(found)
    kept.expires = expires
  end
  local head = pack('>c1I7c16I7I7', 'C', found.token, found.origin, found.updated, expires)
  return head .. result_of(key), kept
end

local claim_live = {
  [ISSUED] = acquire_anew,
  [PROCESSING] = claim_processing,
  [SUCCEEDED] = claim_succeeded,
  [FAILED] = claim_failed,
  [RELEASED] = claim_released
}

local function claim_request(bytes)
  local r, flags, rest = {}
  r.id, r.algorithm, r.fingerprint, r.origin, r.lease, r.ttl, r.floor, r.not_after,
    flags, r.start, r.on_lease_expired, r.on_failed, rest = unpack_fields('>c16Bc8c16I7I7I7I7BBBB', bytes, 2)
  r.must_be_issued, r.force, r.slide = flags % 2 >= 1, flags % 4 >= 2, flags % 8 >= 4
  r.owner = sub(bytes, rest)
  return r
end

verbs.c = function(found, bytes, key)
  local request = claim_request(bytes)
  if request.not_after > 0 and now > request.not_after then
    return 'L'
  end
  if not found or not found.live then
    if request.must_be_issued then
      return 'N'
    end
    return acquire_anew(found, request)
  end
  if found.id == request.id then
    if found.state == PROCESSING then
      return acquired_before(found, request)
    end
    return fenced(found)
  end
  local binding = found.state == PROCESSING or found.state == SUCCEEDED
  local comparable = found.algorithm == request.algorithm and found.algorithm ~= 0
  if binding and comparable and found.fingerprint ~= request.fingerprint then
    return pack('>c1Bc8', 'X', found.algorithm, found.fingerprint)
  end
  return claim_live[found.state](found, request, key)
end
