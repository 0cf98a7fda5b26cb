-- A search of guests lists full names first, then names whose words begin with the search's words, then names that
-- contain them, then similar names. Each guest carries how it was found.

-- Whether each word of a search begins a different word of the name or, where `whole`, is one, with no word of the name
-- left. Each word of the name counts in both spellings, as `name_words` has them.
--
-- Words can be paired if for each word of the search the name has as many words that begin with it as the search has.
-- Without `a` and `e` both spellings are one: that keeps a word of the name from being counted for each.
create function app.pairs_words(words text[], name text, name_words text, whole boolean) returns boolean
  language sql immutable strict parallel safe set search_path = ''
  return (select case when whole then cardinality(words) = total else cardinality(words) between 1 and total end
      and not exists (
        select from unnest(words) word, unnest(array['', 'ae']) without,
          lateral (select translate(word, without, '')) sought (word)
        where (select count(*) from unnest(words) other, translate(other, without, '') said
               where case when whole then said = sought.word else starts_with(said, sought.word) end)
            > (select count(*)
               from generate_series(1, total) place,
                 translate(spelled[place], without, '') one, translate(spelled[total + place], without, '') other
               where case when whole then sought.word in (one, other)
                     else starts_with(one, sought.word) or starts_with(other, sought.word) end))
    from (select array_remove(string_to_array(name_words, ' '), '') as spelled,
            cardinality(app.search_words(name)) as total) of_name);

-- One page of an event's guests that a search finds, best first, and by name among those found in the same way:
-- `name` if its words are the name's words, `prefix` if they begin words of the name or if the search begins the e-mail
-- address, `part` if the name contains them, `similar` if a letter of them is wrong.
--
-- LIKE is not leakproof, so that under row-level security PostgreSQL would test it on every guest of the
-- event only after the policy; here, as the owner, it can use the index. This is a look-up and grants
-- nothing: the caller reads the guests themselves through the policy. The conditions on the caller make the
-- page as full as the policy will leave it.
--
-- Each way is a statement of its own, which ends as soon as the page is full: PostgreSQL plans it for this search, reads
-- frequent words in the list's order, and asks the index for the longest of rare ones. The index takes regular
-- expressions, too. Similarity of trigrams would miss most words of five letters of which two are in the wrong
-- order: they have a third of their trigrams in common.
drop function events.find_guests(uuid, text, text, uuid, bigint, bigint);
create function events.find_guests(
  event uuid, search text, guest_role text, member uuid, page_limit bigint, page_offset bigint
) returns table (id uuid, matched text)
  language plpgsql stable security definer rows 100
  -- The index is small and in memory: taken for pages on a disk, PostgreSQL would rather read the guests of a
  -- middling event one by one.
  set search_path = '' set plan_cache_mode = force_custom_plan set random_page_cost = 1.1
as $$
#variable_conflict use_column
declare
  words constant text[] := array(
    select word from unnest(app.search_words(search)) word order by length(word) desc, word);
  patterns constant text[] := array(select app.word_pattern(word) from unnest(words) word);
  starts constant text[] := array(select '% ' || substr(pattern, 2) from unnest(patterns) pattern);
  completes constant text[] := array(select left(start, -1) || ' %' from unnest(starts) start);
  address constant text := case when search like '%@%'
    then ltrim(app.word_pattern(lower(btrim(search))), '%') end;
  -- Without `a` and `e`, in which spellings differ, no word begins another one: different words of the name begin with
  -- them then.
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
begin
  foreach way in array array['name', 'prefix', 'part', 'similar'] loop
    if way = 'similar' then
      -- Of few words: PostgreSQL keeps some 30 regular expressions at hand, and would compile more of them for each
      -- guest.
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
          when 'name' then
            g.name_words like complete and g.name_words like all (completes)
            -- Most names have other words besides, which costs less to see than pairing words. Names with umlauts have
            -- their words twice.
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
    -- The page is not full: these are all that are found in this way.
    better := better || found;
  end loop;
end
$$;
grant execute on function events.find_guests(uuid, text, text, uuid, bigint, bigint) to authenticated;
