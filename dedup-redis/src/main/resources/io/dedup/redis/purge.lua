-- Removes a record if it has expired.
--
-- Request p: nothing more
-- Replies:   Y removed
--            U not

verbs.p = function(found)
  if found and not found.live then
    return 'Y', false
  end
  return 'U'
end
