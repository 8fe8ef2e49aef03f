-- The compact layout: what a script does in addition, if this file is part of it, after record.lua.
--
-- A key that is done and has nothing more to tell (no result, no forced origins, no note) is an entry of a page, and has no
-- text of its own. It keeps when it was completed and when it expires, and its token if that is later than the completion;
-- else the time of the completion stands for it, so that the next token is larger all the same. All else is given up. A page is for keys that expire in the same period, which lasts an eighth to a quarter of their ttl and
-- at least 67 seconds. Redis drops it as a whole when the period is over, so late at most by that, and never early.
--
-- The names are made of the name of the call's key up to the end of its hash tag, so they are in its slot. The indexes of
-- the call's keys come after these in KEYS. So while a slot moves to another node, a call is refused (TRYAGAIN) unless all
-- of them are on one side.
--   prefix:{tag}#             the index: for each page set: width 1, the power of two of the period's microseconds |
--                             period 5, counted from 1970 | level 1
--   prefix:{tag}#entry,shard  a page, which is a hash: an entry of the index 7 | shard 3
--                             field: the stored form of the key, 16 bytes; value: completed 7 | expires 6, from completed |
--                             token 7, not there if it is not larger than completed
--
-- A hash is small for as long as Redis keeps it as a list, so a page set is 2 to the power of its level pages, and a set of
-- more pages follows it when one gets full. Keys are looked for in all sets whose period is not over.

local WIDTH_MIN, PERIODS_PER_TTL = 26, 8
local LEVEL_FIRST, LEVEL_STEP, LEVEL_MAX = 2, 3, 23
local PAGE_FULL, PAGE_SPARSE = 400, 40
local ENTRY_BYTES = 13

local indexes = {}

local function left_millis_until(micros)
  return string.format('%.0f', ceil((micros - now) / 1000) + SLACK_MILLIS)
end

local function add_set(slot, width, period, level)
  local sets = indexes[slot]
  local index = slot .. '#'
  local entry = pack('>BI5B', width, period, level)
  local set = { width = width, period = period, level = level, name = index .. entry }
  sets[#sets + 1] = set
  local text, last = '', 0
  for _, each in ipairs(sets) do
    text = text .. sub(each.name, -7)
    last = max(last, each.period * 2 ^ each.width)
  end
  redis.call('SET', index, text, 'PX', left_millis_until(last))
  return set
end

local function split_name(key)
  return sub(key, 1, -18), sub(key, -16)
end

local function page_of(set, form)
  local high, middle, low = byte(form, 14, 16)
  return set.name .. pack('>I3', (high * 65536 + middle * 256 + low) % 2 ^ set.level)
end

-- Returns the set for what expires then. A first set for a period has as many pages as the one before it turned out to need.
local function set_for(slot, form, completed, expires)
  local _, exponent = math.frexp((expires - completed) / PERIODS_PER_TTL)
  local width = max(WIDTH_MIN, exponent)
  local period = floor(expires / 2 ^ width) + 1
  local same, before
  for _, set in ipairs(indexes[slot]) do
    if set.width == width and set.period == period then
      same = set
    elseif set.width == width and set.period < period and (not before or set.period >= before.period) then
      before = set
    end
  end
  if same then
    return same
  end
  local level = LEVEL_FIRST
  if before then
    local page = page_of(before, form)
    local sparse = redis.call('HLEN', page) < PAGE_SPARSE
    level = max(LEVEL_FIRST, before.level - (sparse and LEVEL_STEP or 0))
  end
  return add_set(slot, width, period, level)
end

compact = {}

-- Takes the indexes, which are the values from `first` on.
compact.load = function(values, first)
  for i = first, #KEYS do
    local index, text = KEYS[i], values[i] or ''
    local sets = {}
    for at = 1, #text, 7 do
      local width, period, level = unpack_fields('>BI5B', text, at)
      if period * 2 ^ width > now then
        sets[#sets + 1] = { width = width, period = period, level = level, name = index .. sub(text, at, at + 6) }
      end
    end
    indexes[sub(index, 1, -2)] = sets
  end
end

-- Returns the record of a key that is done, as a text; nil if it is in no page.
compact.find = function(key)
  local slot, form = split_name(key)
  local completed, left, token
  for _, set in ipairs(indexes[slot]) do
    local page = page_of(set, form)
    local entry = redis.call('HGET', page, form)
    if entry then
      local at, for_micros = unpack_fields('>I7I6', entry)
      -- One that was extended is in two pages for a while.
      if not completed or at + for_micros > completed + left then
        completed, left = at, for_micros
        token = #entry > ENTRY_BYTES and unpack_fields('>I7', entry, ENTRY_BYTES + 1) or at
      end
    end
  end
  if not completed then
    return nil
  end
  local brought = NO_CLAIM .. '\0\0\0\0' -- no fingerprint, origin and owner
  if token == completed then
    return pack('>BBBI7I4I6', FORMAT_VERSION, SUCCEEDED, 0, completed, 0, left) .. brought
  end
  return pack('>BBBI7I7I7', FORMAT_VERSION, SUCCEEDED, WIDE, token, completed, completed + left) .. brought
end

-- Makes a record an entry of a page, if it can be one; returns whether.
compact.put = function(key, text)
  local _, bits, parts = byte(text, 1, 3)
  if bits % 8 ~= SUCCEEDED or parts % WIDE >= FORCED then
    return false
  end
  local to = decode(text)
  local left = to.expires - to.updated
  if left < 0 or left >= 281474976710656 then
    return false
  end
  local slot, form = split_name(key)
  local set = set_for(slot, form, to.updated, to.expires)
  local page = page_of(set, form)
  local entry = pack('>I7I6', to.updated, left)
  if to.token > to.updated then
    entry = pack('>I7I6I7', to.updated, left, to.token)
  end
  if redis.call('HSET', page, form, entry) == 1 then
    local size = redis.call('HLEN', page)
    if size == 1 then
      redis.call('PEXPIRE', page, left_millis_until(set.period * 2 ^ set.width))
    elseif size == PAGE_FULL and set.level < LEVEL_MAX then
      add_set(slot, set.width, set.period, set.level + LEVEL_STEP)
    end
  end
  return true
end

-- Removes the entries of a key.
compact.remove = function(key)
  local slot, form = split_name(key)
  for _, set in ipairs(indexes[slot]) do
    local page = page_of(set, form)
    redis.call('HDEL', page, form)
  end
end
