-- Guests respond to the forms that they were sent.

alter table quiz.dispatches add unique (id, organization_id);

create table quiz.responses (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org(),
  dispatch_id uuid not null,
  -- An answer for each field of the form, in order; empty if there is none.
  answers text[] not null,
  submitted_by uuid default app.caller_id(),
  created_at timestamptz not null default now(),
  constraint responses_dispatch_id_key unique (dispatch_id, organization_id),
  constraint responses_dispatch_id_fkey foreign key (dispatch_id, organization_id)
    references quiz.dispatches (id, organization_id) on delete cascade
);
create index responses_listed_idx on quiz.responses (organization_id, created_at desc, id);

-- A fellow who was a guest sees what they were sent and what they answered. The machine that sends forms returns the
-- answers of guests without an account.
alter policy read on quiz.dispatches
  using (organization_id = (select app.caller_org())
    and ((select app.caller_role()) in ('owner', 'admin', 'staff', 'automation')
      or (select app.caller_role()) = 'fellow' and exists (
        select from events.guests g where g.id = guest_id and g.member_id = (select app.caller_member()))));
alter policy read on quiz.forms
  using (organization_id = (select app.caller_org())
    and ((select app.caller_role()) in ('owner', 'admin', 'staff', 'teacher', 'automation')
      or (select app.caller_role()) = 'fellow' and exists (select from quiz.dispatches d where d.form_id = forms.id)));
select app.protect_by('quiz.responses',
  '(select app.caller_role()) in (''owner'', ''admin'', ''staff'')
   or (select app.caller_role()) in (''fellow'', ''automation'') and submitted_by = (select app.caller_id())',
  '(select app.caller_role()) in (''fellow'', ''automation'')
   and exists (select from quiz.dispatches d where d.id = dispatch_id)');
-- A response is submitted once and never changes.
revoke insert, update, delete on quiz.responses from authenticated;
grant insert (dispatch_id, answers) on quiz.responses to authenticated;
select app.capture_changes('quiz.responses');

create function quiz.check_response() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  fields jsonb;
  field jsonb;
  answer text;
  is_right boolean;
begin
  select f.fields into fields
  from quiz.dispatches d join quiz.forms f on f.id = d.form_id
  where d.id = new.dispatch_id and d.organization_id = new.organization_id;
  if not found then
    raise foreign_key_violation using table = 'responses', constraint = 'responses_dispatch_id_fkey';
  end if;
  if cardinality(new.answers) <> jsonb_array_length(fields) then
    raise check_violation using
      column = 'answers', message = format('must be %s, one for each field', jsonb_array_length(fields));
  end if;
  for at in 0 .. jsonb_array_length(fields) - 1 loop
    field := fields -> at;
    answer := btrim(new.answers[at + 1]);
    if answer = '' then
      if (field ->> 'is_required')::boolean then
        raise check_violation using column = format('answers[%s]', at),
          message = format('is required: “%s”', field ->> 'label');
      end if;
      continue;
    end if;
    case field ->> 'kind'
      when 'choice' then
        if not field -> 'options' ? answer then
          raise check_violation using column = format('answers[%s]', at), message = format('must be one of: %s',
            (select string_agg(o.name, ', ' order by o.place)
             from jsonb_array_elements_text(field -> 'options') with ordinality o (name, place)));
        end if;
      when 'number' then
        if answer !~ '^[+-]?[0-9]{1,15}([.][0-9]{1,15})?$' then
          raise check_violation using column = format('answers[%s]', at), message = 'must be a number such as 12.5';
        end if;
      when 'day' then
        is_right := answer ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$';
        begin
          is_right := is_right and answer::date is not null;
        exception when datetime_field_overflow or invalid_datetime_format then
          is_right := false;
        end;
        if not is_right then
          raise check_violation using column = format('answers[%s]', at), message = 'must be a day such as 2026-03-05';
        end if;
      when 'line' then
        if answer ~ '[\n\r]' then
          raise check_violation using column = format('answers[%s]', at), message = 'must be one line';
        end if;
      else
        null;
    end case;
  end loop;
  return new;
end
$$;
grant execute on function quiz.check_response() to authenticated;
create trigger check_response before insert on quiz.responses for each row execute function quiz.check_response();
