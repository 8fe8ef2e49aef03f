-- What all verbs share: the store's time, and the way of a record from its text to a table and back.
--
-- A script is this file, compact.lua if that is the layout, one or more verbs, and run.lua, in this order. Run.lua says what
-- KEYS and ARGV are.
--
-- One text per key. Numbers are unsigned and big-endian; times are microseconds since 1970. A Lua number holds integers
-- exactly below 2^53 only, which all of them are: the caller sees to what it sends.
--
--   version 1 | state + 8 * start mark + 32 * taken over 1 | parts 1, the sum of those below that are there | token 7 |
--   updated 4, counted from the token | expires 6, counted from updated; or, with part 32, 7 each and not counted from
--     anything |
--   part  1: created 7                  else it is the token, as it is for most keys
--   part  2: busy until 7 | attempts 4  else they are updated and 0, as they are for what is done
--   what a claim brings and a settlement leaves as it is:
--     claim id: length of its sequence 1 | process 8 | sequence
--     fingerprint: algorithm 1 | value 8, not there for algorithm 0
--     origin: length 1, 0 for none | as the caller packs it
--     owner: length 2 | text
--   part  4: forced origins: count 1 | each as above
--   part  8: error or note: length 2 | text
--   part 16: result: length of the content type 1 | content type | bytes
--
-- A record in Lua has the fields named in decode() below.

local ISSUED, PROCESSING, SUCCEEDED, FAILED, RELEASED = 1, 2, 3, 4, 5
local NOT_STARTED, STARTED, IN_TRANSACTION = 1, 2, 3
local FORMAT_VERSION = 2
local CREATED, PROGRESS, FORCED, ERROR, RESULT, WIDE = 1, 2, 4, 8, 16, 32
local BYTES_MIN = 33 -- without any part, and nothing of variable length
local NO_CLAIM = string.rep('\0', 9)
local SLACK_MILLIS = 60000

local pack, unpack_fields = struct.pack, struct.unpack
local byte, sub = string.byte, string.sub
local ceil, floor, max = math.ceil, math.floor, math.max

local now
if ARGV[1] == '' then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000000 + tonumber(time[2])
else
  now = tonumber(ARGV[1])
end

-- What run.lua runs. A shortcut gives the answer of a verb in the one case that nearly all of a batch is, from the texts
-- alone, or nil.
local verbs, shortcuts = {}, {}

-- What compact.lua does, if it is part of the script.
local compact

local function is_wrong_type(reply)
  return type(reply) == 'table' and reply.err and string.find(reply.err, 'WRONGTYPE', 1, true) ~= nil
end

-- Returns where the origin at `at` ends and the next thing begins; nil if the text ends before.
local function after_origin(text, at)
  local length = at and byte(text, at)
  return length and at + 1 + length
end

-- Returns where the text at `at` ends that has its length in two bytes before it.
local function after_text(text, at)
  local high, low
  if at then
    high, low = byte(text, at, at + 1)
  end
  return low and at + 2 + 256 * high + low
end

-- Returns where `count` origins at `at` end.
local function after_forced(text, at)
  local count = byte(text, at)
  at = count and at + 1
  for _ = 1, count or 0 do
    at = after_origin(text, at)
  end
  return at
end

local function torn()
  return nil, 'ends before its fields do, or after them'
end

-- Returns the record that a text is; nil and why if it is none of ours.
local function decode(text)
  local size = #text
  local version, bits, parts = byte(text, 1, 3)
  if version ~= FORMAT_VERSION then
    return nil, 'format version is ' .. (version or 'missing') .. ', must be ' .. FORMAT_VERSION
  end
  local state, start = (bits or 0) % 8, floor((bits or 0) / 8) % 4
  if state < ISSUED or state > RELEASED or bits >= 64 then
    return nil, 'state and start are ' .. (bits or 'missing') .. ', which no record has'
  end
  if size < BYTES_MIN + 22 and (not parts or size < BYTES_MIN + (parts >= WIDE and 4 or 0)
    + (parts % 2 >= CREATED and 7 or 0) + (parts % 4 >= PROGRESS and 11 or 0)) then
    return torn()
  end
  local token, updated, expires, at
  if parts < WIDE then
    token, updated, expires, at = unpack_fields('>I7I4I6', text, 4)
    updated = token + updated
    expires = updated + expires
  else
    token, updated, expires, at = unpack_fields('>I7I7I7', text, 4)
  end
  local created, busy_until, attempts = token, updated, 0
  if parts % 2 >= CREATED then
    created, at = unpack_fields('>I7', text, at)
  end
  if parts % 4 >= PROGRESS then
    busy_until, attempts, at = unpack_fields('>I7I4', text, at)
  end
  local fingerprint_at = at + 9 + byte(text, at)
  local algorithm = byte(text, fingerprint_at)
  local origin_at = algorithm and fingerprint_at + (algorithm == 0 and 1 or 9)
  local owner_at = after_origin(text, origin_at)
  local settled_at = after_text(text, owner_at)
  local rest = settled_at
  local forced, error_text, result = '', nil, nil
  if rest and parts % 32 >= FORCED then
    if parts % 8 >= FORCED then
      rest = after_forced(text, rest)
      forced = rest and sub(text, settled_at, rest - 1)
    end
    if rest and parts % 16 >= ERROR then
      local from = rest + 2
      rest = after_text(text, rest)
      error_text = rest and sub(text, from, rest - 1)
    end
    if rest and parts % 32 >= RESULT then
      result = sub(text, rest)
      rest = rest <= size and size + 1
    end
  end
  if rest ~= size + 1 or parts >= 64 then
    return torn()
  end
  return {
    text = text,
    state = state,
    start = start,
    taken_over = bits >= 32,
    token = token,
    updated = updated,
    expires = expires,
    live = expires > now,
    created = created,
    busy_until = busy_until,
    attempts = attempts,
    brought_at = at, -- where what the claim brought begins: its id, the fingerprint, the origin, the owner
    fingerprint_at = fingerprint_at,
    origin_at = origin_at,
    owner_at = owner_at,
    settled_at = settled_at, -- where the owner ends
    brought = nil, -- what the claim brought, if it is not what is in the text
    forced = forced,
    error = error_text,
    result = result
  }
end

-- Returns the text up to what the claim brought, for a record with these of the parts after it.
local function head_of(to, parts)
  local bits = to.state + 8 * to.start + (to.taken_over and 32 or 0)
  local token, updated, expires = to.token, to.updated, to.expires
  local since, left = updated - token, expires - updated
  if to.created == token and since >= 0 and since < 4294967296 and left >= 0 and left < 281474976710656 then
    if to.busy_until == updated and to.attempts == 0 then
      return pack('>BBBI7I4I6', FORMAT_VERSION, bits, parts, token, since, left)
    end
    return pack('>BBBI7I4I6I7I4', FORMAT_VERSION, bits, parts + PROGRESS, token, since, left, to.busy_until, to.attempts)
  end
  return pack('>BBBI7I7I7I7I7I4', FORMAT_VERSION, bits, parts + WIDE + CREATED + PROGRESS, token, updated, expires,
    to.created, to.busy_until, to.attempts)
end

-- Returns the text of a record, and when it expires.
local function stored(to)
  local forced, error_text, result = to.forced, to.error, to.result
  local parts = (forced ~= '' and FORCED or 0) + (error_text and ERROR or 0) + (result and RESULT or 0)
  local brought = to.brought or sub(to.text, to.brought_at, to.settled_at - 1)
  local noted = error_text and pack('>I2', #error_text) .. error_text or ''
  local text = head_of(to, parts) .. brought .. forced .. noted .. (result or '')
  return text, to.expires
end

local function is_started(record)
  return record.start >= STARTED
end

-- Whether this is the id of the newest claim. It begins with its length, so none is the beginning of another.
local function has_id(record, id)
  return sub(record.text, record.brought_at, record.brought_at + #id - 1) == id
end

local function origin_of(record)
  return sub(record.text, record.origin_at, record.owner_at - 1)
end

-- A change of state: the record is busy no longer, unless it is said otherwise afterwards.
local function changed(to)
  to.updated = now
  to.busy_until = now
end

-- An operator's change: no claim holds the record any more, and it says who and why.
local function by_hand(to, note)
  to.brought = NO_CLAIM .. sub(to.text, to.fingerprint_at, to.owner_at - 1) .. '\0\0'
  to.attempts = 0
  to.taken_over = false
  to.result = nil
  to.error = note
  changed(to)
end

-- Larger than any token of the key, also after a purge or a flush, as long as the clock does not step back.
local function next_token(found, smallest)
  return max((found and found.token or 0) + 1, smallest, now)
end

-- Reply Z: the record, nothing for none
local function fenced(found)
  return found and 'Z' .. found.text or 'Z'
end
