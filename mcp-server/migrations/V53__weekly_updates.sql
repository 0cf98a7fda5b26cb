-- What a member did and said in the last days, in Brasília calendar days (specification, section 4.5), and pull
-- requests as the code host tells of them.

-- Who spoke a segment, where the transcriber knows.
alter table work.transcript_segments
  add column member_id uuid,
  add constraint transcript_segments_member_id_fkey foreign key (member_id, organization_id)
    references learn.members (id, organization_id);
create index transcript_segments_member_id_idx on work.transcript_segments (member_id, organization_id);
-- The days of an organisation's meetings.
create index meetings_meeting_date_idx on work.meetings (organization_id, meeting_date);
create index meeting_occurrences_occurrence_date_idx on work.meeting_occurrences (organization_id, occurrence_date);

-- The moment at which the first of so many Brasília days begins, of which today is the last.
create function work.days_begin(at timestamptz, days integer) returns timestamptz
  language sql immutable parallel safe set search_path = ''
  return ((at at time zone 'America/Sao_Paulo')::date - (days - 1))::timestamp at time zone 'America/Sao_Paulo';

-- A text as somebody would say it: without links, numbers of pull requests, these repositories and identifiers that
-- begin so. Null where nothing is left.
create function work.plain_text(words text, repositories text[], prefix text) returns text
  language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  repository text;
  name text;
  part constant text := '[^[:space:]()\[\]<>"]';
begin
  words := regexp_replace(words, '\[([^]]*)\]\([^)]*\)', '\1', 'g');
  words := regexp_replace(words, '\m[a-z][a-z0-9+.-]*://' || part || '*', '', 'gi');
  words := regexp_replace(words, '\m(www\.|[a-z0-9-]+(\.[a-z0-9-]+)*\.(com|org|net|io|dev|app|br)/)' || part || '*', '', 'gi');
  foreach repository in array coalesce(repositories, '{}') loop
    foreach name in array array[repository, split_part(repository, '/', 2)] loop
      continue when name = '';
      words := regexp_replace(words, '(^|[^[:alnum:]_/-])' || regexp_replace(name, '([^[:alnum:]])', '\\\1', 'g')
                                     || '(?![[:alnum:]_/-])', '\1', 'gi');
    end loop;
  end loop;
  words := regexp_replace(words, '\m[[:alnum:]_.-]+/[[:alnum:]_.-]+#[0-9]+', '', 'g');
  words := regexp_replace(words, '\m(pull request|pr|mr)[[:space:]]*[#!]?[[:space:]]*[0-9]+\M', '', 'gi');
  words := regexp_replace(words, '[#!][0-9]+\M', '', 'g');
  words := regexp_replace(words, '\m(feat/)?' || coalesce(prefix, '[A-Z]+') || '-[0-9]+\M(-[a-z0-9-]+)?', '', 'gi');
  -- What is left of brackets, and of what led to them.
  words := regexp_replace(words, '\([[:space:],;:]*\)|\[[[:space:],;:]*\]|<[[:space:]]*>', '', 'g');
  words := regexp_replace(words, '[[:space:][:cntrl:]]+', ' ', 'g');
  words := regexp_replace(words, ' +([,.;:!?)\]])', '\1', 'g');
  words := regexp_replace(words, '^[-[:space:],;:/|–—·.]+|[-[:space:],;:/|–—·]+$', '', 'g');
  return nullif(words, '');
end
$$;

-- The repositories of an organisation, from its pull requests.
create table engineering.repositories (
  organization_id uuid not null references app.organizations (id),
  repository text not null,
  primary key (organization_id, repository)
);
alter table engineering.repositories enable row level security;
alter table engineering.repositories force row level security;
create policy nobody on engineering.repositories using (false);

create function engineering.remember_repository() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into engineering.repositories (organization_id, repository) values (new.organization_id, new.repository)
  on conflict do nothing;
  return null;
end
$$;
create trigger remember_repository after insert on engineering.pull_requests
  for each row execute function engineering.remember_repository();

-- The same of the caller's organisation.
create function work.plain(words text) returns text
  language sql stable security definer set search_path = ''
  return work.plain_text(words,
    (select array_agg(distinct r.repository) from engineering.repositories r where r.organization_id = app.caller_org()),
    (select n.prefix from work.task_numbers n where n.organization_id = app.caller_org()));

-- Whose a label of a meeting is: the member to whom its segments and participants there are attributed, or else the
-- one with the surest alias, or else the one of exactly this name. Null where there are two.
create function work.speaker(meeting uuid, occurrence uuid, label text, organization uuid) returns uuid
  language plpgsql stable security definer set search_path = ''
as $$
declare
  members uuid[];
begin
  select array_agg(distinct s.member_id) into members from (
    select x.member_id from work.transcript_segments x
    where x.meeting_id = meeting and x.organization_id = organization and x.speaker = label
    union all select x.member_id from work.transcript_segments x
    where x.occurrence_id = occurrence and x.organization_id = organization and x.speaker = label
    union all select p.member_id from work.meeting_participants p
    where p.meeting_id = meeting and p.organization_id = organization and p.label = speaker.label
    union all select p.member_id from work.meeting_participants p
    where p.occurrence_id = occurrence and p.organization_id = organization and p.label = speaker.label
  ) s where s.member_id is not null;
  if members is null then
    select array_agg(distinct a.member_id) into members from work.member_label_aliases a
    where a.organization_id = organization and a.alias = label
      and a.confidence = (select max(b.confidence) from work.member_label_aliases b
                          where b.organization_id = organization and b.alias = label);
  end if;
  if members is null then
    select array_agg(m.id) into members from learn.members m where m.organization_id = organization and m.name = label
      and m.name_key = app.search_key(label);
  end if;
  return case when cardinality(members) = 1 then members[1] end;
end
$$;

-- What a member said in daily meetings since then: those with the word in their title. Members see their own lines,
-- the staff everybody's. The lines themselves are in no other answer.
create function work.daily_lines(member uuid, since timestamptz)
  returns table (day date, title text, line text)
  language plpgsql stable security definer set search_path = ''
as $$
declare
  organization constant uuid := app.caller_org();
begin
  if not (app.caller_is_staff() or member = app.caller_member()) then
    raise insufficient_privilege using constraint = 'own_lines', message = 'members see their own lines only';
  end if;
  return query
    with meeting (day, title, meeting_id, occurrence_id) as (
      select o.occurrence_date, m.title, null::uuid, o.id
      from work.meeting_occurrences o join work.meetings m on m.id = o.meeting_id
      where o.organization_id = organization
        and o.occurrence_date between (since at time zone 'America/Sao_Paulo')::date
                                  and (now() at time zone 'America/Sao_Paulo')::date
        and m.title_key ~ '\mdaily\M'
      union all
      select (m.meeting_date at time zone 'America/Sao_Paulo')::date, m.title, m.id, null
      from work.meetings m
      where m.organization_id = organization and m.meeting_date >= since and m.meeting_date <= now()
        and m.title_key ~ '\mdaily\M'
    ), spoken as (
      select g.day, g.title, g.meeting_id, g.occurrence_id, s.position, s.speaker, s.member_id, s.content
      from meeting g join work.transcript_segments s
        on s.meeting_id = g.meeting_id and s.organization_id = organization
      union all
      select g.day, g.title, g.meeting_id, g.occurrence_id, s.position, s.speaker, s.member_id, s.content
      from meeting g join work.transcript_segments s
        on s.occurrence_id = g.occurrence_id and s.organization_id = organization
    ), label as (
      select l.*, work.speaker(l.meeting_id, l.occurrence_id, l.speaker, organization) as whose
      from (select distinct s.meeting_id, s.occurrence_id, s.speaker from spoken s
            where s.member_id is null and s.speaker is not null) l
    )
    select s.day, s.title, s.content
    from spoken s
    left join label l on l.speaker = s.speaker and l.meeting_id is not distinct from s.meeting_id
      and l.occurrence_id is not distinct from s.occurrence_id
    where coalesce(s.member_id, l.whose) = member
    order by s.day desc, s.title, s.position;
end
$$;
-- An alias is looked up to the letter; so is a name.
create index members_name_idx on learn.members (organization_id, name);

grant execute on function work.days_begin(timestamptz, integer), work.plain(text), work.daily_lines(uuid, timestamptz)
  to authenticated;

-- Pull requests ------------------------------------------------------------------------------------

-- The user at the code host. Whose profile has it writes the pull requests of this user. Two organisations cannot
-- claim one user: its operator sets it.
alter table learn.profiles add column code_host_login text;
create unique index profiles_code_host_login_key on learn.profiles (lower(code_host_login));
alter table engineering.pull_requests add column updated_at timestamptz not null default now();

-- What was delivered, so that a delivery that comes again changes nothing.
create table engineering.deliveries_seen (
  id text primary key constraint "id must be at most 100 characters" check (length(id) <= 100),
  received_at timestamptz not null default now()
);
alter table engineering.deliveries_seen enable row level security;
alter table engineering.deliveries_seen force row level security;
create policy nobody on engineering.deliveries_seen using (false);

-- Stores what the code host says of a pull request: `stored`, or `repeated` where the delivery was here before, or
-- `ignored` where nobody has this user in the profile, or a later delivery has told more.
create function engineering.receive(delivery text, pull_request jsonb) returns text
  language plpgsql security definer set search_path = ''
as $$
declare
  told engineering.pull_requests;
  author learn.profiles;
begin
  insert into engineering.deliveries_seen (id) values (delivery) on conflict do nothing;
  if not found then
    return 'repeated';
  end if;
  told := jsonb_populate_record(null::engineering.pull_requests, pull_request);
  select * into author from learn.profiles p where lower(p.code_host_login) = lower(told.author_login);
  if not found then
    return 'ignored';
  end if;
  insert into engineering.pull_requests as t
    (organization_id, repository, number, title, url, author_login, author_id, created_at, merged_at, closed_at, updated_at)
  values (author.organization_id, told.repository, told.number, told.title, told.url, told.author_login,
          author.member_id, told.created_at, told.merged_at, told.closed_at, told.updated_at)
  on conflict (organization_id, repository, number) do update
    set title = excluded.title, url = excluded.url, author_login = excluded.author_login,
        author_id = excluded.author_id, merged_at = excluded.merged_at, closed_at = excluded.closed_at,
        updated_at = excluded.updated_at
    where t.updated_at <= excluded.updated_at;
  return case when found then 'stored' else 'ignored' end;
end
$$;
grant usage on schema engineering to frontdesk_webhooks;
grant execute on function engineering.receive(text, jsonb) to frontdesk_webhooks;
