-- The check-in desk: tickets in other tags, and the guests that changed.

-- Tickets ------------------------------------------------------------------------------------------

-- The tags of guests, besides `ticket_code`, that have the codes of tickets.
alter table app.organizations add column ticket_tags text[] not null default '{}';
grant update (ticket_tags) on app.organizations to authenticated;

-- The codes in all tags of a guest, each behind the name of its tag: the organisation's choice of tags is not a part of
-- the index, and counts at once.
drop index events.guests_tickets_idx;
create or replace function events.ticket_codes(tags jsonb) returns text[]
  language sql immutable strict parallel safe set search_path = ''
  return (select coalesce(array_agg(tag.key || E'\t' || lower(btrim(code #>> '{}'))), '{}')
          from jsonb_each(case jsonb_typeof(tags) when 'object' then tags else '{}' end) tag,
          jsonb_array_elements(case when jsonb_typeof(tag.value) = 'array' then tag.value
                                    else jsonb_build_array(tag.value) end) code
          where jsonb_typeof(code) in ('string', 'number')
            -- An index takes no long texts.
            and length(code #>> '{}') between 1 and 500 and length(tag.key) <= 60);
create index guests_tickets_idx on events.guests using gin (events.ticket_codes(tags));

-- The codes that a scanned text may be, in each tag that has tickets: the text, and the parts of a URL or of a JSON
-- object.
create or replace function events.codes_in(search text) returns text[]
  language sql stable strict parallel safe set search_path = ''
  return array(
    select tag || E'\t' || code
    from unnest(array['ticket_code']
           || (select o.ticket_tags from app.organizations o where o.id = app.caller_org())) tag,
         unnest(lower(btrim(search)) || case when search ~* '^\s*(https?://|\{)'
           then array(select part from regexp_split_to_table(lower(search), '[/?&=#{}\[\]":,\s]+') part
                      where part <> '' limit 50)
           else '{}' end) code);

-- Changes ------------------------------------------------------------------------------------------

-- The transaction that last wrote the guest. A reader has all changes of the transactions before the oldest one that
-- was running, which a time does not say.
alter table events.guests add column changed_in xid8 not null default pg_current_xact_id();
create index guests_changed_idx on events.guests (event_id, organization_id, changed_in, id);

create function events.note_change() returns trigger language plpgsql set search_path = '' as $$
begin
  new.changed_in := pg_current_xact_id();
  return new;
end
$$;
create trigger note_change before update on events.guests for each row execute function events.note_change();

create or replace function events.teachers_only_check_in() returns trigger language plpgsql set search_path = '' as $$
declare
  free constant text[] := array['check_in_at', 'checked_in_again_at', 'checked_in_by', 'changed_in', 'name_key', 'name_words'];
begin
  if app.caller_role() = 'teacher' and to_jsonb(new) - free is distinct from to_jsonb(old) - free then
    raise insufficient_privilege using
      message = 'teachers can only change a guest''s check-in',
      constraint = 'guests_teachers_only_check_in';
  end if;
  return new;
end
$$;

select app.capture_changes('events.guests', secret => '{changed_in}');
