//! Reports over the records of one host.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::events::event::Event;
use frontdesk_protocol::ops::report::{
    CohortMilestones, EventReport, GetCohortMilestones, GetEventReport, Matches, SuggestMatches,
};

use crate::call::{Call, Handler, Outcome, columns};
use crate::database::{internal, params};
use crate::hosts::routes;

/// The longest list of a report.
const MOST: u32 = 200;

impl Handler for GetEventReport {
    async fn handle(self, call: &mut Call) -> Outcome<EventReport> {
        let sql = format!(
            "with g as materialized (select * from events.guests where event_id = $1), \
               s as materialized (select id, title, location, start_time, \
                   nullif(app.search_key(location), '') as place, \
                   coalesce(end_time, start_time + interval '1 minute') as until \
                 from events.sessions where event_id = $1), \
               stays as materialized (select s.*, place as taken, null::uuid as guest_id \
                   from s where place is not null \
                 union all select s.*, x.guest_id::text, x.guest_id \
                   from s join events.session_guests x on x.session_id = s.id), \
               late as materialized (select y.* from (select t.*, max(t.until) over (partition by t.taken \
                     order by t.start_time, t.id rows between unbounded preceding and 1 preceding) as busy_until \
                   from stays t) y where y.start_time < y.busy_until), \
               first as materialized (select * from late where id = any (array( \
                 select id from late group by id, start_time order by start_time, id limit {MOST}))), \
               pairs as (select min(a.title) as one, min(b.title) as other, \
                   min(a.location) filter (where a.place = b.place) as location, \
                   array_agg(b.guest_id) filter (where b.guest_id is not null) as guest_ids \
                 from first b join stays a on a.taken = b.taken and a.until > b.start_time \
                   and (a.start_time, a.id) < (b.start_time, b.id) \
                 group by a.id, b.id order by one, other limit {MOST}), \
               shared as (select p.one, p.other, p.location, array(select g.name from g \
                   where g.id = any (p.guest_ids) order by g.name_key limit {MOST}) as guests from pairs p) \
             select json_build_object( \
               'event', (select to_json(t) from (select {} from events.events t where t.id = $1) t), \
               'roles', (select coalesce(json_agg(r order by r.role), '[]') from (select g.role, \
                   count(*) as guest_count, count(g.check_in_at) as checked_in_count \
                 from g group by g.role order by g.role limit {MOST}) r), \
               'arrivals', (select coalesce(json_agg(a order by a.\"from\"), '[]') from (select \
                   date_bin('15 minutes', g.check_in_at, timestamptz '2000-01-01Z') as \"from\", count(*) as arrivals \
                 from g where g.check_in_at is not null group by 1 order by 1 limit {MOST}) a), \
               'gates', (select coalesce(json_agg(a order by a.arrivals desc, a.gate), '[]') from (select \
                   c.gate, count(*) as arrivals from g left join (select distinct on (m.guest_id) m.guest_id, m.gate \
                     from events.movements m join g on g.id = m.guest_id and m.at >= g.check_in_at \
                     where m.event_id = $1 and m.verdict = 'passed' and m.direction = 'in' \
                     order by m.guest_id, m.at) c on c.guest_id = g.id \
                 where g.check_in_at is not null group by c.gate order by 2 desc, 1 limit {MOST}) a), \
               'namesakes', (select coalesce(json_agg(n order by n.name), '[]') from (select min(g.name) as name, \
                   array_agg(g.id order by g.id) as guest_ids \
                 from g group by g.name_key having count(*) > 1 order by 1 limit {MOST}) n), \
               'collisions', (select coalesce(json_agg(json_build_object('sessions', array[b.one, b.other], \
                   'location', b.location, 'guests', b.guests) order by b.one, b.other), '[]') from shared b))::text \
             from events.events e where e.id = $1",
            columns::<Event>()
        );
        let report = call.json(&sql, params![self.event_id]).await?;
        report.ok_or_else(|| ToolError::not_found("event").on("event_id"))
    }
}

impl Handler for GetCohortMilestones {
    async fn handle(self, call: &mut Call) -> Outcome<CohortMilestones> {
        let sql = format!(
            "with milestones as (select n.id, n.title, \
                 row_number() over (order by s.position, s.ordinal, n.position, n.ordinal) as place \
               from learn.programs p join learn.stages s on s.program_id = p.id \
               join learn.milestones n on n.stage_id = s.id where p.cohort_id = $1), \
             people as (select c.member_id, m.name as member_name, m.name_key from learn.cohort_members c \
               join learn.members m on m.id = c.member_id where c.cohort_id = $1), \
             done as materialized (select d.milestone_id, d.member_id from learn.milestone_completions d \
               join milestones n on n.id = d.milestone_id join people p on p.member_id = d.member_id), \
             of_person as materialized (select d.member_id, count(*) as done, \
                 array_agg(d.milestone_id) as milestones from done d group by d.member_id), \
             usual as materialized (select n.*, d.completed_by from milestones n join (select milestone_id, \
                 count(*) as completed_by from done group by milestone_id) d on d.milestone_id = n.id \
               where 2 * d.completed_by >= (select count(*) from people)), \
             behind as (select p.*, coalesce(d.done, 0) as done, \
                 (select json_agg(json_build_object('milestone_id', u.id, 'title', u.title, \
                    'completed_by', u.completed_by) order by u.place) \
                  from usual u where u.id <> all (coalesce(d.milestones, '{{}}'))) as open \
               from people p left join of_person d using (member_id)) \
             select json_build_object('cohort_id', c.id, 'member_count', (select count(*) from people), \
               'milestone_count', (select count(*) from milestones), \
               'behind', (select coalesce(json_agg(json_build_object('member_id', b.member_id, \
                   'member_name', b.member_name, 'done', b.done, 'open', b.open) \
                   order by json_array_length(b.open) desc, b.name_key, b.member_id), '[]') \
                 from (select * from behind where open is not null \
                   order by json_array_length(open) desc, name_key, member_id limit {MOST}) b))::text \
             from learn.cohorts c where c.id = $1"
        );
        let report = call.json(&sql, params![self.cohort_id]).await?;
        report.ok_or_else(|| ToolError::not_found("cohort").on("cohort_id"))
    }
}

impl Handler for SuggestMatches {
    async fn handle(self, call: &mut Call) -> Outcome<Matches> {
        // The entries of the lines' whole time are read once; of those of a day with the same amount, no more are
        // suggested than for a line. A line finds its own by key in a JSON object: of a join of what has no statistics,
        // PostgreSQL sometimes makes a loop over both.
        let sql = "with l as materialized (select * from financing.statement_lines t where t.journal_entry_id is null \
               and ($1::uuid is null or t.account_id = $1) order by t.posted_on, t.id limit $2::bigint), \
             moved as materialized (select e.id, e.entry_on, e.description, e.posted_at, j.account_id, \
                 sum(case j.side when 'debit' then j.amount else -j.amount end) as amount \
               from financing.journal_entries e join financing.journal_lines j on j.entry_id = e.id \
               where e.entry_on between (select min(posted_on) - 30 from l) and (select max(posted_on) + 30 from l) \
                 and e.reverses_id is null and j.account_id in (select account_id from l) \
                 and not exists (select from financing.journal_entries r where r.reverses_id = e.id) \
               group by e.id, j.account_id \
               having (j.account_id, sum(case j.side when 'debit' then j.amount else -j.amount end)) \
                 in (select l.account_id, l.amount from l)), \
             first as materialized (select f.* from (select m.*, row_number() over ( \
                   partition by m.account_id, m.amount, m.entry_on order by m.posted_at, m.id) as nth \
                 from moved m where m.account_id <> all (array(select o.account_id \
                   from financing.statement_lines o where o.journal_entry_id = m.id))) f where f.nth <= 5), \
             known as materialized (select jsonb_object_agg(k.key, k.entries) as entries from ( \
                 select e.account_id || ' ' || trim_scale(e.amount) as key, jsonb_agg(e) as entries \
                 from first e group by 1) k), \
             ranked as (select l.id as line_id, e.*, abs(e.entry_on - l.posted_on) as days_apart, \
                 row_number() over (partition by l.id \
                   order by abs(e.entry_on - l.posted_on), e.posted_at, e.id) as place \
               from l, jsonb_to_recordset((select entries from known) -> (l.account_id || ' ' || trim_scale(l.amount))) \
                 e (id uuid, entry_on date, description text, posted_at timestamptz) \
               where e.entry_on between l.posted_on - 30 and l.posted_on + 30), \
             suggested as materialized (select r.line_id, json_agg(json_build_object('journal_entry_id', r.id, \
                 'entry_on', r.entry_on, 'entry_description', r.description, 'days_apart', r.days_apart) \
                 order by r.place) as suggestions \
               from ranked r where r.place <= 5 group by r.line_id) \
             select json_build_object('matches', coalesce(json_agg(json_build_object( \
               'statement_line_id', l.id, 'posted_on', l.posted_on, 'amount', l.amount, \
               'line_description', l.description, 'suggestions', coalesce(s.suggestions, '[]')) \
               order by l.posted_on, l.id), '[]'))::text \
             from l left join suggested s on s.line_id = l.id";
        let matches = call.json(sql, params![self.account_id, self.limit]).await?;
        matches.ok_or_else(|| internal("a statement returned no row"))
    }
}

routes![
    GetEventReport => own,
    GetCohortMilestones => own,
    SuggestMatches => own,
];
