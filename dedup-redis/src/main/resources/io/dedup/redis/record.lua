-- What all verbs share: the store's time, and the way of a record from its hash to a table and back.
--
-- A script is this file, one or more verbs, and run.lua, in this order. Run.lua says what KEYS and ARGV are.
--
-- One hash per key. Numbers are unsigned and big-endian; times are microseconds since 1970. A Lua number holds integers
-- exactly below 2^53 only, which all of them are: the caller sees to what it sends.
--
--   d  always 64 bytes, the most that keeps a hash compact:
--      version 1 | state + 8 * start mark + 32 * taken over 1 | claim id 16 | token 7 |
--      fingerprint: algorithm 1, value 8 | origin 16 | updated 7 | expires 7
--   c  created 7                      absent if that is the token, as it is for most keys
--   p  busy until 7 | attempts 4      absent if that is updated and 0, as it is for what is done
--   o  owner                          absent if empty
--   f  forced origins, 16 each        absent if none
--   e  error or note                  absent if none
--   r  result: length of the content type 1 | content type | bytes      absent if none
--
-- A record in Lua has the fields named in read() below. Its result stays in Redis until somebody wants it: `result` is
-- nil for "as it is", false for none, else the new one.

local ISSUED, PROCESSING, SUCCEEDED, FAILED, RELEASED = 1, 2, 3, 4, 5
local NOT_STARTED, STARTED, IN_TRANSACTION = 1, 2, 3
local FORMAT_VERSION = 1
local HEAD = '>BBc16I7Bc8c16I7I7'
local HEAD_BYTES = 64
local NO_CLAIM = string.rep('\0', 16)
local ORIGIN_BYTES = 16

-- Redis forgets a key this much later than we do: its clock is not always the one we judge by.
local SLACK_MILLIS = 60000

local pack, unpack_fields, sub = struct.pack, struct.unpack, string.sub

local now
if ARGV[1] == '' then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000000 + tonumber(time[2])
else
  now = tonumber(ARGV[1])
end

local verbs = {}

local function is_wrong_type(reply)
  return type(reply) == 'table' and reply.err and string.find(reply.err, 'WRONGTYPE', 1, true) ~= nil
end

local function decode(head, created, progress, owner, forced, error_text)
  if #head ~= HEAD_BYTES then
    return nil, 'field d has ' .. #head .. ' bytes, must have ' .. HEAD_BYTES
  end
  local version, bits, id, token, algorithm, fingerprint, origin, updated, expires = unpack_fields(HEAD, head)
  if version ~= FORMAT_VERSION then
    return nil, 'format version is ' .. version .. ', must be ' .. FORMAT_VERSION
  end
  local state, start = bits % 8, math.floor(bits / 8) % 4
  if state < ISSUED or state > RELEASED or bits >= 64 then
    return nil, 'state and start are ' .. bits .. ', which no record has'
  end
  if #(created or '1234567') ~= 7 or #(progress or '12345678901') ~= 11 or #(forced or '') % ORIGIN_BYTES ~= 0 then
    return nil, 'field c, p or f has a wrong length'
  end
  local busy_until, attempts = updated, 0
  if progress then
    busy_until, attempts = unpack_fields('>I7I4', progress)
  end
  return {
    state = state,
    start = start,
    taken_over = bits >= 32,
    id = id,
    token = token,
    holder = sub(head, 3, 25), -- claim id and token as they stand, which is how a claim shows that it is the holder
    algorithm = algorithm,
    fingerprint = fingerprint,
    origin = origin,
    updated = updated,
    expires = expires,
    live = expires > now,
    created = created and unpack_fields('>I7', created) or token,
    busy_until = busy_until,
    attempts = attempts,
    owner = owner or '',
    forced = forced or '',
    error = error_text or nil,
    result = nil
  }
end

-- Returns the record of key, expired or not; nil if there is none; nil and why if what is there is no record of ours.
local function read(key)
  local row = redis.pcall('HMGET', key, 'd', 'c', 'p', 'o', 'f', 'e')
  if is_wrong_type(row) then
    return nil, 'is no hash'
  end
  if row.err then
    error(row.err, 0)
  end
  if row[1] then
    return decode(row[1], row[2], row[3], row[4], row[5], row[6])
  end
  if redis.call('EXISTS', key) == 1 then
    return nil, 'is a hash without field d'
  end
  return nil
end

local function is_started(record)
  return record.start >= STARTED
end

local function result_of(key)
  return redis.call('HGET', key, 'r') or ''
end

-- Stores `to` in place of `found`. What may be refused for want of memory comes first: then nothing has changed.
local function write(key, found, to)
  local bits = to.state + 8 * to.start + (to.taken_over and 32 or 0)
  local set = {
    'd', pack(HEAD, FORMAT_VERSION, bits, to.id, to.token, to.algorithm, to.fingerprint, to.origin, to.updated, to.expires)
  }
  local unset = {}
  local function field(name, is_there, value)
    if is_there then
      set[#set + 1] = name
      set[#set + 1] = value
    else
      unset[#unset + 1] = name
    end
  end
  field('c', to.created ~= to.token, pack('>I7', to.created))
  field('p', to.busy_until ~= to.updated or to.attempts ~= 0, pack('>I7I4', to.busy_until, to.attempts))
  field('o', to.owner ~= '', to.owner)
  field('f', to.forced ~= '', to.forced)
  field('e', to.error, to.error)
  if to.result ~= nil then
    field('r', to.result, to.result)
  end
  redis.call('HSET', key, unpack(set))
  if found and #unset > 0 then
    redis.call('HDEL', key, unpack(unset))
  end
  local left_millis = math.ceil((to.expires - now) / 1000) + SLACK_MILLIS
  redis.call('PEXPIRE', key, string.format('%.0f', left_millis))
end

local function copy_of(found)
  local copy = {}
  for name, value in pairs(found) do
    copy[name] = value
  end
  return copy
end

-- A change of state: the record is busy no longer, unless it is said otherwise afterwards.
local function changed(to)
  to.updated = now
  to.busy_until = now
end

-- An operator's change: no claim holds the record any more, and it says who and why.
local function by_hand(to, note)
  to.id = NO_CLAIM
  to.owner = ''
  to.attempts = 0
  to.taken_over = false
  to.result = false
  to.error = note
  changed(to)
end

-- Larger than any token of the key, also after a purge or a flush, as long as the clock does not step back.
local function next_token(found, floor)
  return math.max((found and found.token or 0) + 1, floor, now)
end

-- Reply Z: state 1, 0 for no record | token 7 | owner
local function fenced(found)
  if not found then
    return pack('>c1BI7', 'Z', 0, 0)
  end
  return pack('>c1BI7', 'Z', found.state, found.token) .. found.owner
end
