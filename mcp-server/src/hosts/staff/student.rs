//! Students.

use frontdesk_protocol::staff::student::{ListStudents, Student};

use crate::call::{SqlByName, Stored};
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

routes![ListStudents];
