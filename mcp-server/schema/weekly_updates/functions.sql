-- Weekly updates: a member's work and daily-meeting lines of the last days, in Brasília calendar days (specification,
-- section 4.5).

-- The moment at which the first of `days` Brasília days begins, of which today is the last.
create function work.days_begin(at timestamptz, days integer) returns timestamptz
  language sql immutable parallel safe set search_path = ''
  return ((at at time zone 'America/Sao_Paulo')::date - (days - 1))::timestamp at time zone 'America/Sao_Paulo';

-- A text as a person would say it: without links, references to pull requests, these repositories and identifiers
-- with this prefix. Null if nothing is left. If the repositories are unknown (null), all paths are left out.
create function work.plain_text(words text, repositories text[], prefix text)
  returns text language plpgsql immutable parallel safe set search_path = '' as $$
declare
  repository text;
  name text;
  part constant text := '[^[:space:]()\[\]<>"]';
  pull constant text := '(pull[ -]?request|merge[ -]?request|pr|mr)';
  -- Between "PR" and its number: PR 9, PR #9, PR-9, PR nº 9, PR número 9.
  number_sign constant text := '([[:space:]]*(n[úu]mero|n[úu]m\.?|nr\.?|n[º°o]?\.?[º°]?|[#!:/_–-]))*[[:space:]]*[#!]?[0-9]+';
begin
  words := regexp_replace(words, '\[([^]]*)\]\([^)]*\)', '\1', 'g');
  words := regexp_replace(words, '\m[a-z][a-z0-9+.-]*://' || part || '*', '', 'gi');
  words := regexp_replace(words, '\m(www\.|[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}/)' || part || '+', '', 'gi');
  words := regexp_replace(words,
    '/?\m([[:alnum:]_.-]+/)*(pulls?|pull-requests|merge_requests|issues)/[0-9]+\M(/' || part || '*)?', '', 'gi');
  if repositories is null then
    words := regexp_replace(words, '\m[[:alnum:]_.-]+(/[[:alnum:]_.-]+)+(#[0-9]+)?', '', 'g');
  end if;
  foreach repository in array coalesce(repositories, '{}') loop
    foreach name in array array[repository, split_part(repository, '/', 2)] loop
      continue when name = '';
      words := regexp_replace(words, '(^|[^[:alnum:]_/-])' || regexp_replace(name, '([^[:alnum:]])', '\\\1', 'g')
                                     || '(?![[:alnum:]_/-])', '\1', 'gi');
    end loop;
  end loop;
  words := regexp_replace(words, '\m[[:alnum:]_.-]+/[[:alnum:]_.-]+[#!][0-9]+', '', 'g');
  words := regexp_replace(words,
    '\m' || pull || 's' || number_sign || '([[:space:]]*(,|&|e|and)[[:space:]]*[#!]?[0-9]+)*\M', '', 'gi');
  words := regexp_replace(words, '\m' || pull || number_sign || '\M', '', 'gi');
  words := regexp_replace(words, '\mgh[[:space:]]*[-#–][[:space:]]*[0-9]+\M', '', 'gi');
  words := regexp_replace(words, '[#!][0-9]+\M', '', 'g');
  words := regexp_replace(words, '\m(feat/)?' || coalesce(prefix, '[A-Z]+') || '-[0-9]+\M(-[a-z0-9-]+)?', '', 'gi');
  -- Empty brackets, and the space and punctuation before them.
  words := regexp_replace(words, '\([[:space:],;:]*\)|\[[[:space:],;:]*\]|<[[:space:]]*>', '', 'g');
  words := regexp_replace(words, '[[:space:][:cntrl:]]+', ' ', 'g');
  words := regexp_replace(words, ' +([,.;:!?)\]])', '\1', 'g');
  words := regexp_replace(words, '^[-[:space:],;:/|–—·.]+|[-[:space:],;:/|–—·]+$', '', 'g');
  return nullif(words, '');
end
$$;

-- The repositories of the caller's organisation, and the prefix of its identifiers: read once for all sources of a
-- weekly update, so that no source fails with them.
create function work.repositories() returns text[] language sql stable security definer set search_path = ''
  return (select coalesce(array_agg(distinct r.repository), '{}')
          from engineering.repositories r where r.organization_id = app.caller_org());

create function work.task_prefix() returns text language sql stable security definer set search_path = ''
  return (select n.prefix from work.task_numbers n where n.organization_id = app.caller_org());

-- The member for whom a label of a meeting stands: the one to whom its segments and participants are attributed, or
-- else the one with the most confident alias, or else the one with exactly this name. Null if it is ambiguous.
create function work.speaker(meeting uuid, occurrence uuid, label text, organization uuid)
  returns uuid language plpgsql stable security definer set search_path = '' as $$
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

-- The lines that a member spoke in daily meetings since then: those with the word in their title. Members see their
-- own lines, the staff and global admins see everybody's. No other result contains the lines.
create function work.daily_lines(member uuid, since timestamptz)
  returns table (day date, title text, line text) language plpgsql stable security definer set search_path = '' as $$
declare
  organization constant uuid := app.caller_org();
begin
  if not (app.caller_is_staff() or app.caller_is_admin() or member = app.caller_member()) then
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

grant execute on function
  work.days_begin, work.plain_text, work.repositories, work.task_prefix, work.daily_lines
  to authenticated;
