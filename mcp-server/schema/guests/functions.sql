-- Looking for the guests of an event.

-- The codes that a scanned text may be, in each tag that has tickets: the text, and the parts of a URL or of a JSON
-- object.
create function events.codes_in(search text) returns text[]
  language sql stable strict parallel safe set search_path = ''
  return array(
    select tag || E'\t' || code
    from unnest(array['ticket_code']
           || (select o.ticket_tags from app.organizations o where o.id = app.caller_org())) tag,
         unnest(lower(btrim(search)) || case when search ~* '^\s*(https?://|\{)'
           then array(select part from regexp_split_to_table(lower(search), '[/?&=#{}\[\]":,\s]+') part
                      where part <> '' limit 50)
           else '{}' end) code);

-- One page of an event's guests that a search finds, best first, and by name among those found in the same way:
-- `ticket` if it is the code of a ticket or contains it in a URL or a JSON object, `name` if its words are the name's
-- words, `prefix` if they begin words of the name or if the search begins the e-mail address, `part` if the name
-- contains them, `similar` if a letter of them is wrong.
--
-- A finder (search/functions.sql). The conditions on the caller make the page as full as the policy will leave it.
--
-- Each way is a statement of its own, which ends as soon as the page is full: PostgreSQL plans it for this search,
-- reads frequent words in the list's order, and asks the index for the longest of rare ones. The index takes regular
-- expressions, too. Similarity of trigrams would miss most words of five letters with two in the wrong order: they
-- have a third of their trigrams in common.
create function events.find_guests(
  event uuid, search text, guest_role text, member uuid, page_limit bigint, page_offset bigint
) returns table (id uuid, matched text)
  language plpgsql stable security definer rows 100
  -- The index is small and in memory: with the costs of a disk, PostgreSQL would read the guests of a medium-sized
  -- event one by one.
  set search_path = '' set plan_cache_mode = force_custom_plan set random_page_cost = 1.1
  set enable_bitmapscan = on
as $$
#variable_conflict use_column
declare
  words constant text[] := array(
    select word from unnest(app.search_words(search)) word order by length(word) desc, word);
  patterns constant text[] := array(select app.word_pattern(word) from unnest(words) word);
  starts constant text[] := array(select '% ' || substr(pattern, 2) from unnest(patterns) pattern);
  completes constant text[] := array(select left(start, -1) || ' %' from unnest(starts) start);
  codes constant text[] := events.codes_in(search);
  address constant text := case when search like '%@%' then ltrim(app.word_pattern(lower(btrim(search))), '%') end;
  -- If no word begins another one without `a` and `e`, in which spellings differ, then different words of the name
  -- begin with them.
  are_apart constant boolean := cardinality(words) > 0 and not exists (
    select from unnest(words) with ordinality one (word, place), unnest(words) with ordinality other (word, place)
    where one.place <> other.place and starts_with(translate(one.word, 'ae', ''), translate(other.word, 'ae', '')));
  longest constant text := coalesce(words[1], '');
  pattern constant text := app.word_pattern(longest);
  start constant text := '% ' || substr(pattern, 2);
  complete constant text := left(start, -1) || ' %';
  typo constant text := app.typo_pattern(longest);
  typos text[];
  way text;
  better uuid[] := '{}';
  found uuid[];
  wanted bigint := page_limit;
  skipped bigint := page_offset;
  most constant bigint := (select c.reltuples / 4000 from pg_catalog.pg_class c where c.oid = 'events.guests'::regclass);
begin
  -- The index is over the guests of all events. Reading them for a frequent word takes longer than reading this event's,
  -- if that has fewer than one guest in 4,000.
  if (select count(*) <= most from (select from events.guests g where g.event_id = event limit most + 1) few) then
    perform set_config('enable_bitmapscan', 'off', true);
  end if;
  foreach way in array array['ticket', 'name', 'prefix', 'part', 'similar'] loop
    if way = 'similar' then
      -- Only for a few words: PostgreSQL caches some 30 regular expressions, and would compile others for each guest.
      exit when typo is null or address is not null or cardinality(words) > 8;
      typos := array(select app.typo_pattern(word) from unnest(words) word);
    end if;
    found := array(
      select g.id
      from events.guests g
      where g.event_id = event
        and g.organization_id = (select app.caller_org())
        and ((select app.caller_role()) in ('owner', 'admin', 'staff', 'teacher', 'finance')
          or (select app.caller_role()) = 'fellow' and g.member_id = (select app.caller_member()))
        and case way
          when 'ticket' then
            events.ticket_codes(g.tags) && codes
          when 'name' then
            g.name_words like complete and g.name_words like all (completes)
            -- Most names have additional words; counting them costs less than pairing. Names with umlauts have their
            -- words twice.
            and cardinality(array_remove(string_to_array(g.name_words, ' '), ''))
              = cardinality(words) * case when lower(normalize(g.name, NFC)) ~ '[äöüøå]' then 2 else 1 end
            and app.pairs_words(words, g.name, g.name_words, true)
          when 'prefix' then
            g.name_words like start and g.name_words like all (starts)
              and (are_apart or app.pairs_words(words, g.name, g.name_words, false))
            or lower(g.email) like address
          when 'part' then
            g.name_words like pattern and g.name_words like all (patterns)
          else
            (g.name_words like pattern or g.name_words ~ typo)
            and (select bool_and(g.name_words like as_it_is or coalesce(g.name_words ~ with_typo, false))
                 from unnest(patterns, typos) word (as_it_is, with_typo))
          end
        and g.id <> all (better)
        and (guest_role is null or g.role = guest_role)
        and (member is null or g.member_id = member)
      order by g.name_key, g.id
      limit skipped + wanted);
    return query select one, way from unnest(found[skipped + 1:]) one;
    wanted := wanted - greatest(cardinality(found) - skipped, 0);
    exit when wanted <= 0;
    skipped := greatest(skipped - cardinality(found), 0);
    -- The page is not full, so these are all guests found in this way.
    better := better || found;
  end loop;
end
$$;

-- The guest of an event with an address, who is looked up for each guest that is added.
create function events.with_address(event uuid, address text) returns setof uuid
  language sql stable security definer rows 1 set search_path = ''
begin atomic
  select g.id from events.guests g
  where g.event_id = event and g.organization_id = app.caller_org() and lower(g.email) = lower(address);
end;

-- The chat id for messages to a guest or a member, as far as the caller sees it: the guest's own, or else that of the
-- member's profile.
--
-- `coalesce` could reveal values by an error, as far as PostgreSQL knows, so a condition with it is checked after the policy
-- of the profiles, for each of them. `case` cannot, and uses the index of their members.
create function events.chat_of(guest uuid, member uuid) returns table (source text, chat_id text) language sql stable
begin atomic
  select case when g.chat_id is not null then 'guest'
              when p.chat_user_id is not null then 'profile' else 'none' end,
         coalesce(g.chat_id, p.chat_user_id)
  from (values (1)) one
  left join events.guests g on g.id = guest
  left join learn.profiles p on p.member_id = case when member is null then g.member_id else member end;
end;

-- Changes ------------------------------------------------------------------------------------------

create function events.note_change() returns trigger language plpgsql set search_path = '' as $$
begin
  new.changed_in := pg_current_xact_id();
  return new;
end
$$;
create trigger note_change before update on events.guests for each row execute function events.note_change();

grant execute on function events.find_guests, events.with_address, events.chat_of to authenticated;
