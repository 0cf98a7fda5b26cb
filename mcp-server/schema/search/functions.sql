-- Search keys, the words of names, finders, and slugs.

-- Search keys --------------------------------------------------------------------------------------

-- A text without case, accents, and spaces but one between its words. Immutable, because the dictionary is named: usable in an index.
create function app.search_key(words text) returns text language sql immutable strict parallel safe set search_path = ''
  return btrim(regexp_replace(
    lower(extensions.unaccent('extensions.unaccent'::regdictionary, normalize(words, NFKC))), '\s+', ' ', 'g'));

-- The LIKE pattern that finds `words` anywhere in a search key, with `%` and `_` taken literally. They are escaped
-- after the key is made, because a key can contain them where the words contain similar characters.
create function app.search_pattern(words text) returns text
  language sql immutable strict parallel safe set search_path = ''
  return '%' || replace(replace(replace(app.search_key(words), '\', '\\'), '%', '\%'), '_', '\_') || '%';

-- Words --------------------------------------------------------------------------------------------

-- A search key whose words are separated by spaces only. An apostrophe joins the parts of a word.
create function app.word_key(words text) returns text language sql immutable strict parallel safe set search_path = ''
  return translate(app.search_key(words), ',.;:!?"()/&-''`', '            ');

-- The words of a search.
create function app.search_words(search text) returns text[]
  language sql immutable strict parallel safe set search_path = ''
  return string_to_array(btrim(regexp_replace(app.word_key(search), '\s+', ' ', 'g')), ' ');

-- The LIKE pattern that finds a word of a search anywhere, with `%` and `_` taken literally.
create function app.word_pattern(word text) returns text
  language sql immutable strict parallel safe set search_path = ''
  return '%' || replace(replace(replace(word, '\', '\\'), '%', '\%'), '_', '\_') || '%';

-- The words that find a name, with a space before and after each: as written, and with umlauts spelled out (mueller).
create function app.name_words(name text) returns text language sql immutable strict parallel safe set search_path = ''
  return ' ' || app.word_key(name) || ' ' || case when lower(normalize(name, NFC)) ~ '[äöüøå]' then
    app.word_key(replace(replace(replace(replace(replace(lower(normalize(name, NFC)),
      'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'), 'ø', 'oe'), 'å', 'aa')) || ' ' else '' end;

-- A regular expression for the words that differ from this one by a letter: a wrong, missing or additional one, or
-- two in the wrong order. Null for words with fewer than five letters, and for words with more than twenty, which
-- would take seconds.
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

-- Whether each word of a search begins a different word of the name or, if `whole`, is one, with no word of the name
-- left. Each word of the name counts in both spellings, as in `name_words`.
--
-- Words can be paired if for each word of the search the name has as many words that begin with it as the search has.
-- Without `a` and `e` both spellings are equal, so that a word of the name does not count for each.
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

-- Finders ------------------------------------------------------------------------------------------

-- A finder looks up a search in the index on the searched texts.
--
-- LIKE is not leakproof: under row-level security PostgreSQL would test it on every record of the organisation after
-- the policy. A function that runs as the owner can use the index. It is a look-up and grants nothing: the caller
-- reads the records through the policy.

-- Creates the function that looks up the ids of an organisation's records which match a search: for `work.tasks` it
-- is `work.find_tasks`. `matches` is the condition on the record `t`; `search` is the search and `pattern` its LIKE
-- pattern. It can use the record's own columns only, because everybody who sees the record sees those. The function
-- returns null for more than 2,000 matches: reading the list in its order then fills a page sooner.
create procedure app.make_searchable(records regclass, matches text) language plpgsql set search_path = '' as $make$
declare
  of_schema text;
  of_table text;
  function text;
begin
  select n.nspname, c.relname into strict of_schema, of_table
  from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = records;
  function := format('%I.%I', of_schema, 'find_' || of_table);
  execute format($create$
    create or replace function %1$s(search text) returns uuid[]
      language plpgsql stable security definer
      -- The index is small and in memory: with the costs of a disk, PostgreSQL would read the whole table.
      set search_path = '' set plan_cache_mode = force_custom_plan set random_page_cost = 1.1
    as $function$
    declare
      most constant integer := 2000;
      pattern constant text := app.search_pattern(search);
    begin
      return (select case when count(*) <= most then coalesce(array_agg(found.id), '{}') end
              from (select t.id from %2$I.%3$I t
                    where t.organization_id = app.caller_org() and (%4$s) limit most + 1) found);
    end
    $function$
  $create$, function, of_schema, of_table, matches);
  execute format('grant execute on function %s(text) to authenticated', function);
end
$make$;

-- Slugs --------------------------------------------------------------------------------------------

-- A text for a web address: letters and digits without accents, words joined by '-'.
create function app.slug(words text) returns text language sql immutable strict parallel safe set search_path = ''
  return trim('-' from regexp_replace(app.search_key(words), '[^a-z0-9]+', '-', 'g'));

-- The slug closest to this text that is free in the organisation: at most 100 characters, like the argument, with a
-- number if the slug is taken. Runs as the owner, because the caller does not see every record that has a slug.
-- Transactions that make a slug in an organisation run one at a time, so that the slug stays free until the insert.
create function app.free_slug(records regclass, organization_column text, organization uuid, words text)
  returns text language plpgsql security definer set search_path = '' as $$
declare
  longest constant integer := 100;
  base constant text := app.slug(words);
  free text := rtrim(left(base, longest), '-');
  taken boolean;
begin
  perform pg_advisory_xact_lock(hashtextextended(organization::text, 91));
  for number in 2 .. 1000000 loop
    execute format('select exists (select from %s where %I = $1 and slug = $2)', records, organization_column)
      into taken using organization, free;
    exit when not taken;
    free := rtrim(left(base, longest - 1 - length(number::text)), '-') || '-' || number;
  end loop;
  return free;
end
$$;

-- Gives a row without a slug the slug of its name or title. The trigger's arguments are that column, the column of
-- the organisation, and the slug of a text without letters and digits. Rows with a given slug wait, too, for slugs
-- that are made at the same time.
create function app.default_slug() returns trigger language plpgsql set search_path = '' as $$
declare
  words constant text := to_jsonb(new) ->> tg_argv[0];
  organization constant uuid := to_jsonb(new) ->> tg_argv[1];
begin
  perform pg_advisory_xact_lock(hashtextextended(organization::text, 91));
  if new.slug is null then
    new.slug := app.free_slug(tg_relid::regclass, tg_argv[1], organization,
      case app.slug(words) when '' then tg_argv[2] else words end);
  end if;
  return new;
end
$$;

grant execute on function
  app.search_key, app.search_pattern, app.word_key, app.name_words, app.slug, app.free_slug(regclass, text, uuid, text),
  app.default_slug
  to authenticated;
