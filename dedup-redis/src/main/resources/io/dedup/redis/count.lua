-- Tells what a key counts as.
--
-- Request n: nothing more
-- Replies:   T live: state 1
--            E expired, and not removed yet
--            - there is no record

verbs.n = function(found)
  if not found then
    return '-'
  end
  if not found.live then
    return 'E'
  end
  return pack('>c1B', 'T', found.state)
end
