-- The readers of courses, programs and the wiki: everybody in the organisation, and machines of level 80 and above.
create function learn.caller_reads() returns boolean language sql stable parallel safe
  return app.caller_is_person() or app.caller_is_admin();

grant execute on function learn.caller_reads to authenticated;
