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
               visits as materialized (select s.*, x.guest_id from s \
                 join events.session_guests x on x.session_id = s.id), \
               late as materialized (select id, start_time from (select v.id, v.start_time, max(v.until) over ( \
                     partition by v.place, v.guest_id order by v.start_time, v.id \
                     rows between unbounded preceding and 1 preceding) as busy_until \
                   from (select *, null::uuid as guest_id from s where place is not null \
                     union all select id, title, location, start_time, null, until, guest_id from visits) v) w \
                 where start_time < busy_until group by id, start_time order by start_time, id limit {MOST}), \
               found as (select a.id as a, b.id as b, null::uuid as guest_id from late join s b using (id) \
                   join s a on a.place = b.place and a.until > b.start_time \
                     and (a.start_time, a.id) < (b.start_time, b.id) \
                 union all select a.id, b.id, a.guest_id from late join visits b using (id) \
                   join visits a on a.guest_id = b.guest_id and a.until > b.start_time \
                     and (a.start_time, a.id) < (b.start_time, b.id)), \
               pairs as (select a.title as one, b.title as other, p.guest_ids, \
                   case when a.place = b.place then a.location end as location \
                 from (select a, b, array_agg(guest_id) filter (where guest_id is not null) as guest_ids \
                   from found group by a, b) p join s a on a.id = p.a join s b on b.id = p.b \
                 order by one, other limit {MOST}), \
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
             done as (select d.milestone_id, d.member_id from learn.milestone_completions d \
               join milestones n on n.id = d.milestone_id join people p on p.member_id = d.member_id), \
             usual as (select n.*, d.completed_by from milestones n join (select milestone_id, \
                 count(*) as completed_by from done group by milestone_id) d on d.milestone_id = n.id \
               where 2 * d.completed_by >= (select count(*) from people)), \
             behind as (select p.*, (select count(*) from done d where d.member_id = p.member_id) as done, \
                 (select json_agg(json_build_object('milestone_id', u.id, 'title', u.title, \
                    'completed_by', u.completed_by) order by u.place) as open from usual u where not exists \
                    (select from done d where d.milestone_id = u.id and d.member_id = p.member_id)) as open \
               from people p) \
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
        // The entries of the lines' whole time are read once.
        let sql = "with l as materialized (select * from financing.statement_lines t where t.journal_entry_id is null \
               and ($1::uuid is null or t.account_id = $1) order by t.posted_on, t.id limit $2::bigint), \
             moved as materialized (select e.id, e.entry_on, e.description, e.posted_at, j.account_id, \
                 sum(case j.side when 'debit' then j.amount else -j.amount end) as amount \
               from financing.journal_entries e join financing.journal_lines j on j.entry_id = e.id \
               where e.entry_on between (select min(posted_on) - 30 from l) and (select max(posted_on) + 30 from l) \
                 and e.reverses_id is null and j.account_id in (select account_id from l) \
                 and not exists (select from financing.journal_entries r where r.reverses_id = e.id) \
                 and not exists (select from financing.statement_lines o where o.journal_entry_id = e.id \
                   and o.account_id = j.account_id) \
               group by e.id, j.account_id), \
             ranked as (select l.id as line_id, e.*, abs(e.entry_on - l.posted_on) as days_apart, \
                 row_number() over (partition by l.id \
                   order by abs(e.entry_on - l.posted_on), e.posted_at, e.id) as place \
               from l join moved e on e.account_id = l.account_id and e.amount = l.amount \
                 and e.entry_on between l.posted_on - 30 and l.posted_on + 30) \
             select json_build_object('matches', coalesce(json_agg(json_build_object( \
               'statement_line_id', l.id, 'posted_on', l.posted_on, 'amount', l.amount, \
               'line_description', l.description, 'suggestions', coalesce(s.suggestions, '[]')) \
               order by l.posted_on, l.id), '[]'))::text \
             from l left join (select r.line_id, json_agg(json_build_object('journal_entry_id', r.id, \
                 'entry_on', r.entry_on, 'entry_description', r.description, 'days_apart', r.days_apart) \
                 order by r.place) as suggestions \
               from ranked r where r.place <= 5 group by r.line_id) s on s.line_id = l.id";
        let matches = call.json(sql, params![self.account_id, self.limit]).await?;
        matches.ok_or_else(internal)
    }
}

routes![
    GetEventReport => own,
    GetCohortMilestones => own,
    SuggestMatches => own,
];
