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
            "with g as (select * from events.guests where event_id = $1), \
               s as (select * from events.sessions where event_id = $1), \
               pairs as (select a.id as a, b.id as b, a.title as one, b.title as other, \
                   case when app.search_key(a.location) = app.search_key(b.location) and a.location <> '' \
                     then a.location end as location \
                 from s a join s b on (a.start_time, a.id) < (b.start_time, b.id) \
                   and b.start_time < coalesce(a.end_time, a.start_time + interval '1 minute')), \
               shared as (select p.*, array(select g.name from events.session_guests x \
                   join events.session_guests y on y.guest_id = x.guest_id and y.session_id = p.b \
                   join g on g.id = x.guest_id where x.session_id = p.a order by g.name_key limit {MOST}) as guests \
                 from pairs p) \
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
                   'location', b.location, 'guests', b.guests)), '[]') from (select * from shared \
                 where location is not null or guests <> '{{}}' order by one, other limit {MOST}) b))::text \
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
        let sql = "select json_build_object('matches', coalesce(json_agg(json_build_object( \
               'statement_line_id', l.id, 'posted_on', l.posted_on, 'amount', l.amount, \
               'line_description', l.description, 'suggestions', (select coalesce(json_agg(e), '[]') from ( \
                 select e.id as journal_entry_id, e.entry_on, e.description as entry_description, \
                   abs(e.entry_on - l.posted_on) as days_apart \
                 from financing.journal_entries e \
                 where financing.moved(e.id, l.account_id) = l.amount and e.reverses_id is null \
                   and e.entry_on between l.posted_on - 30 and l.posted_on + 30 \
                   and exists (select from financing.journal_lines j where j.entry_id = e.id \
                     and j.account_id = l.account_id and j.amount = abs(l.amount)) \
                   and not exists (select from financing.journal_entries r where r.reverses_id = e.id) \
                   and not exists (select from financing.statement_lines o where o.journal_entry_id = e.id \
                     and o.account_id = l.account_id) \
                 order by days_apart, e.posted_at, e.id limit 5) e)) order by l.posted_on, l.id), '[]'))::text \
             from (select * from financing.statement_lines t where t.journal_entry_id is null \
               and ($1::uuid is null or t.account_id = $1) order by t.posted_on, t.id limit $2::bigint) l";
        let matches = call.json(sql, params![self.account_id, self.limit]).await?;
        matches.ok_or_else(internal)
    }
}

routes![
    GetEventReport => own,
    GetCohortMilestones => own,
    SuggestMatches => own,
];
