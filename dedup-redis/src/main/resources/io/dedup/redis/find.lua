-- Reads a record.
--
-- Request f: nothing more
-- Replies:   R the record
--            - there is none, or it has expired

verbs.f = function(found)
  if not found or not found.live then
    return '-'
  end
  return 'R' .. found.text
end
