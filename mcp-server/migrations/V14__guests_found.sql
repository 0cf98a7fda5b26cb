-- The search of guests: words in any order and without regard to punctuation, names as they are written
-- elsewhere, e-mail addresses, and behind them names with a letter wrong.

-- A search key whose words are set apart by spaces alone. What an apostrophe stands between is one word.
create function app.word_key(words text) returns text
  language sql immutable strict parallel safe set search_path = ''
  return translate(app.search_key(words), ',.;:!?"()/&-''`', '            ');

-- The words to look for.
create function app.search_words(search text) returns text[]
  language sql immutable strict parallel safe set search_path = ''
  return string_to_array(btrim(regexp_replace(app.word_key(search), '\s+', ' ', 'g')), ' ');

-- What LIKE takes to find a word of a search anywhere, `%` and `_` taken literally.
create function app.word_pattern(word text) returns text
  language sql immutable strict parallel safe set search_path = ''
  return '%' || replace(replace(replace(word, '\', '\\'), '%', '\%'), '_', '\_') || '%';

-- The words that a name is found by, a space before and after each: as they are, and with umlauts as they are
-- spelled out (mueller).
create function app.name_words(name text) returns text
  language sql immutable strict parallel safe set search_path = ''
  return ' ' || app.word_key(name) || ' ' || case when lower(normalize(name, NFC)) ~ '[äöüøå]' then
    app.word_key(replace(replace(replace(replace(replace(lower(normalize(name, NFC)),
      'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'), 'ø', 'oe'), 'å', 'aa')) || ' ' else '' end;

-- Whoever writes a guest's name makes the words of it.
grant execute on function app.word_key(text), app.name_words(text) to authenticated;

-- A regular expression for the words that differ from this one by a letter: a wrong one, one missing or too
-- many, or two in the wrong order. None for words of less than five letters, and none for those of more than
-- twenty: it would take seconds.
create function app.typo_pattern(word text) returns text
  language sql immutable strict parallel safe set search_path = ''
  return (select ' (' || string_agg(distinct other, '|') || ') '
    from generate_series(0, length(word)) i,
      lateral (select regexp_replace(left(word, i), '([^[:alnum:]])', '\\\1', 'g') as head,
        regexp_replace(substr(word, i + 1), '([^[:alnum:]])', '\\\1', 'g') as whole,
        regexp_replace(substr(word, i + 2), '([^[:alnum:]])', '\\\1', 'g') as tail,
        regexp_replace(substr(word, i + 2, 1) || substr(word, i + 1, 1) || substr(word, i + 3),
          '([^[:alnum:]])', '\\\1', 'g') as turned) part,
      lateral (values (head || '[^ ]' || whole), (head || '[^ ]?' || tail), (head || turned)) as one (other)
    where length(word) between 5 and 20);

alter table events.guests
  add column name_words text generated always as (app.name_words(name)) stored;
create index guests_words_idx on events.guests using gin (name_words extensions.gin_trgm_ops);
create index guests_email_idx on events.guests (event_id, organization_id, lower(email) text_pattern_ops);
drop index events.guests_search_idx;

-- A teacher's check-in leaves the keys that are made of the name as they are; they are made after this trigger.
create or replace function events.teachers_only_check_in() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  free constant text[] := array['check_in_at', 'name_key', 'name_words'];
begin
  if app.caller_role() = 'teacher' and to_jsonb(new) - free is distinct from to_jsonb(old) - free then
    raise insufficient_privilege using
      message = 'a teacher changes nothing of a guest but the check-in',
      constraint = 'guests_teachers_only_check_in';
  end if;
  return new;
end
$$;

-- One page of an event's guests that a search finds: first, by name, those whose name has all its words or
-- whose e-mail address begins with it; then those whose name is only similar.
--
-- LIKE is not leakproof, so that under row-level security PostgreSQL would test it on every guest of the
-- event only after the policy; here, as the owner, it can use the index. This is a look-up and grants
-- nothing: the caller reads the guests themselves through the policy. The conditions on the caller make the
-- page as full as the policy will leave it.
--
-- The index is asked for the longest word, and the guests that it finds for the others. It takes regular
-- expressions, too. Similarity of trigrams would miss most words of five letters of which two are in the wrong
-- order: they have a third of their trigrams in common.
drop function events.find_guests(uuid, text, text, uuid, bigint, bigint);
create function events.find_guests(
  event uuid, search text, guest_role text, member uuid, page_limit bigint, page_offset bigint
) returns table (id uuid, similar boolean)
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
  address constant text := case when search like '%@%'
    then ltrim(app.word_pattern(lower(btrim(search))), '%') end;
  longest constant text := coalesce(words[1], '');
  pattern constant text := app.word_pattern(longest);
  typo constant text := app.typo_pattern(longest);
  typos text[];
  found bigint;
  before bigint;
begin
  return query
    select g.id, false
    from events.guests g
    where g.event_id = event
      and g.organization_id = (select app.caller_org())
      and ((select app.caller_role()) in ('owner', 'admin', 'staff', 'teacher', 'finance')
        or (select app.caller_role()) = 'fellow' and g.member_id = (select app.caller_member()))
      and (g.name_words like pattern and g.name_words like all (patterns)
        or lower(g.email) like address)
      and (guest_role is null or g.role = guest_role)
      and (member is null or g.member_id = member)
    order by g.name_key, g.id
    limit page_limit offset page_offset;
  get diagnostics found = row_count;
  -- Of few words: PostgreSQL keeps some 30 regular expressions at hand, and would compile more of them for each guest.
  if found = page_limit or typo is null or address is not null or cardinality(words) > 8 then
    return;
  end if;
  before := page_offset + found;
  if found = 0 and page_offset > 0 then
    select count(*) into before
    from events.find_guests(event, search, guest_role, member, page_offset, 0) f where not f.similar;
  end if;
  typos := array(select app.typo_pattern(word) from unnest(words) word);
  return query
    select g.id, true
    from events.guests g
    where g.event_id = event
      and g.organization_id = (select app.caller_org())
      and ((select app.caller_role()) in ('owner', 'admin', 'staff', 'teacher', 'finance')
        or (select app.caller_role()) = 'fellow' and g.member_id = (select app.caller_member()))
      and (g.name_words like pattern or g.name_words ~ typo)
      and not g.name_words like all (patterns)
      and (select bool_and(g.name_words like as_it_is or coalesce(g.name_words ~ with_typo, false))
           from unnest(patterns, typos) word (as_it_is, with_typo))
      and (guest_role is null or g.role = guest_role)
      and (member is null or g.member_id = member)
    order by g.name_key, g.id
    limit page_limit - found offset greatest(page_offset - before, 0);
end
$$;
grant execute on function events.find_guests(uuid, text, text, uuid, bigint, bigint) to authenticated;
