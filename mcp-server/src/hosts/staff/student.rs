//! Students.

use frontdesk_protocol::record::{One, Record};
use frontdesk_protocol::staff::student::{EnrollStudent, ListStudents, Student, WithdrawStudent};

use crate::call::{Call, Handler, Outcome, SqlByName, Stored, columns};
use crate::database::{no_such_reference, params};
use crate::hosts::routes;

impl Stored for Student {
    const TABLE: &'static str = "staff.students";
    const ORDER: &'static str = "t.name_key, t.id";
    const FILTERS: SqlByName = &[
        ("search", "t.found_by like (select app.search_pattern($))"),
        (
            "cohort_id",
            "exists (select from learn.cohort_members c where c.member_id = t.id and c.cohort_id = $)",
        ),
    ];
    const COMPUTED: SqlByName = &[
        (
            "cohorts",
            "array(select c.name from learn.cohort_members x join learn.cohorts c on c.id = x.cohort_id \
                   where x.member_id = t.id order by c.starts_on desc nulls last, c.id)",
        ),
        (
            "cohort_ids",
            "array(select c.id from learn.cohort_members x join learn.cohorts c on c.id = x.cohort_id \
                   where x.member_id = t.id order by c.starts_on desc nulls last, c.id)",
        ),
        ("total", "(select m.total from staff.milestones(t.id) m)"),
        ("done", "(select m.done from staff.milestones(t.id) m)"),
        (
            "percentage",
            "(select coalesce(round(100.0 * m.done / nullif(m.total, 0), 1), 0) from staff.milestones(t.id) m)",
        ),
    ];
}

/// The member as a student, with or without cohorts.
async fn person(call: &mut Call, member: impl serde::Serialize) -> Outcome<One<Student>> {
    let sql = format!(
        "select json_build_object('{}', row_to_json(r))::text \
         from (select {} from staff.people t where t.id = $1) r",
        Student::SINGULAR,
        columns::<Student>()
    );
    let person = call.finally().json(&sql, params![member]).await?;
    person.ok_or_else(|| no_such_reference("member_id"))
}

impl Handler for EnrollStudent {
    async fn handle(self, call: &mut Call) -> Outcome<One<Student>> {
        let enroll = "insert into learn.cohort_members (cohort_id, member_id) values ($1, $2) on conflict do nothing";
        call.query(enroll, params![self.cohort_id, self.member_id])
            .await?;
        person(call, self.member_id).await
    }
}

impl Handler for WithdrawStudent {
    async fn handle(self, call: &mut Call) -> Outcome<One<Student>> {
        let known = "select exists (select from learn.cohorts c where c.id = $1)";
        let known = call.query(known, params![self.cohort_id]).await?;
        if !known.first().is_some_and(|row| row.get(0)) {
            return Err(no_such_reference("cohort_id"));
        }
        let withdraw =
            "delete from learn.cohort_members c where c.cohort_id = $1 and c.member_id = $2";
        call.query(withdraw, params![self.cohort_id, self.member_id])
            .await?;
        person(call, self.member_id).await
    }
}

routes![
    ListStudents,
    EnrollStudent => own,
    WithdrawStudent => own,
];
