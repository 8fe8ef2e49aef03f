-- Removes a record, whatever its state.
--
-- Request g: nothing more
-- Replies:   Y there was one that had not expired
--            U there was none, or an expired one

verbs.g = function(found)
  if not found then
    return 'U'
  end
  return found.live and 'Y' or 'U', false
end
