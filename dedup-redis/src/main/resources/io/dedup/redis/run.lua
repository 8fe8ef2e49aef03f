-- Runs the requests one after the other, each on the record that its key has by then.
--
-- KEYS[i]      the key of the i-th request; no other key is touched, but see compact.lua
-- ARGV[1]      the time to judge by, in microseconds since 1970; empty for Redis's own clock, read once
-- ARGV[i + 1]  the i-th request: the letter of its verb, and what that verb's file says
--
-- Returns bulk strings: the time judged by, in decimal, and a reply for each request: a letter and what the verb's file
-- says; '!' and a reason for a key that holds something else than a record of ours, which is left as it is.
--
-- A command called by a script costs Redis more than our own work on a key does. So all keys are read by one command,
-- and what changes is written by one for each key; in the compact layout by some more.

local NO_TEXT = '!is no text'

-- Settlements, or claims, are never two for one key; an exchange of both may have both for it.
local verb = sub(ARGV[2], 1, 1)
local may_repeat = verb ~= sub(ARGV[#ARGV], 1, 1) or verb ~= 'c' and verb ~= 's'

local values = redis.call('MGET', unpack(KEYS))
local written = {}
local replies = { string.format('%.0f', now) }
local wrote = false
local expires_known, left_millis
if compact then
  compact.load(values, #ARGV)
end
for i = 1, #ARGV - 1 do
  local key, request = KEYS[i], ARGV[i + 1]
  local text = values[i]
  if may_repeat and written[key] then
    text = redis.call('GET', key)
  end
  local is_compact = false
  if not text and compact then
    text = compact.find(key)
    is_compact = text ~= nil
  end
  -- A verb answers and says what to store: nil for no change, false for nothing, else a text and when it expires, or nil if
  -- Redis is to forget it when it would have forgotten what was there.
  local reply, to, expires
  verb = sub(request, 1, 1)
  if shortcuts[verb] then
    reply, to, expires = shortcuts[verb](text, request)
  end
  if not reply then
    local found, trouble
    if text then
      found, trouble = decode(text)
    end
    if trouble then
      reply = '!' .. trouble
    else
      reply, to, expires = verbs[verb](found, request)
    end
  end
  if to and expires ~= expires_known and expires then
    -- Redis forgets a key later than we do: its clock is not always the one we judge by.
    expires_known, left_millis = expires, string.format('%.0f', ceil((expires - now) / 1000) + SLACK_MILLIS)
  end
  local has_text = text and not is_compact
  if not has_text and (not to or compact) and redis.call('EXISTS', key) == 1 then
    reply, to = NO_TEXT, nil -- MGET takes what is no text for absent
  end
  if to ~= nil and is_compact then
    compact.remove(key)
  end
  if to and compact and compact.put(key, to) then
    if has_text then
      redis.call('DEL', key)
    end
  elseif to and not expires then
    redis.call('SET', key, to, 'KEEPTTL')
  elseif to and has_text then
    redis.call('SET', key, to, 'PX', left_millis)
  elseif to and not redis.call('SET', key, to, 'PX', left_millis, 'NX') then
    reply, to = NO_TEXT, nil
  elseif to == false and has_text then
    redis.call('DEL', key)
  end
  if to ~= nil then
    wrote = true
    written[key] = may_repeat
  end
  replies[i + 1] = reply
end

-- A node that takes no writes (a replica, a demoted master) does not know who holds a key, and must not answer: this
-- command may write, writes nothing, and is refused there. It comes last, for Redis checks its memory at a script's first
-- write only.
if not wrote then
  local probe = redis.pcall('GETEX', KEYS[1])
  if type(probe) == 'table' and probe.err and not is_wrong_type(probe) then
    return probe
  end
end
return replies
