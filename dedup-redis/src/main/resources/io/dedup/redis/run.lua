-- Runs the requests one after the other, each on the record that its key has by then.
--
-- KEYS[i]      the key of the i-th request; no other key is touched
-- ARGV[1]      the time to judge by, in microseconds since 1970; empty for Redis's own clock, read once
-- ARGV[i + 1]  the i-th request: the letter of its verb, and what that verb's file says
--
-- Returns bulk strings: the time judged by, in decimal, and a reply for each request: a letter and what the verb's file
-- says; '!' and a reason for a key that holds something else than a record of ours, which is left as it is.

local replies = { string.format('%.0f', now) }
local wrote = false
for i, key in ipairs(KEYS) do
  local request = ARGV[i + 1]
  local found, trouble = read(key)
  if trouble then
    replies[i + 1] = '!' .. trouble
  else
    -- A verb answers and says what to store: nil for no change, false for nothing, else a record.
    local reply, to = verbs[sub(request, 1, 1)](found, request, key)
    if to then
      write(key, found, to)
    elseif to == false then
      redis.call('DEL', key)
    end
    wrote = wrote or to ~= nil
    replies[i + 1] = reply
  end
end

-- A node that takes no writes (a replica, a demoted master) does not know who holds a key, and must not answer: this
-- write changes nothing and is refused there. It comes last, for Redis checks its memory at a script's first write only.
if not wrote then
  local probe = redis.pcall('HDEL', KEYS[1], 'dedup:no-such-field')
  if type(probe) == 'table' and probe.err and not is_wrong_type(probe) then
    return probe
  end
end
return replies
