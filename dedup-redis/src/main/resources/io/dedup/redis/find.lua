-- Reads a record.
--
-- Request f: nothing more
-- Replies:   R the record: field d 64 | created 7 | busy until 7 | attempts 4 | length of the owner 2 | owner |
--              length of the forced origins 1 | forced origins | length of the error 2, 0 for none | 'e' and the error |
--              result as in field r, or nothing
--            - there is none, or it has expired

verbs.f = function(found, _, key)
  if not found or not found.live then
    return '-'
  end
  local error_text = found.error and 'e' .. found.error or ''
  return 'R'
    .. redis.call('HGET', key, 'd')
    .. pack('>I7I7I4', found.created, found.busy_until, found.attempts)
    .. pack('>I2c0Bc0I2c0', #found.owner, found.owner, #found.forced, found.forced, #error_text, error_text)
    .. result_of(key)
end
