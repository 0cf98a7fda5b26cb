//! Public tenders.

use frontdesk_protocol::proposals::tender::{
    CreateTender, DeleteTender, GetTender, ListTenders, Tender, UpdateTender,
};

use crate::call::{SqlByName, Stored, named};
use crate::hosts::routes;

impl Stored for Tender {
    const TABLE: &'static str = "proposals.tenders";
    const ORDER: &'static str = "t.deadline_at desc, t.id";
    const FILTERS: SqlByName = &[("search", "t.found_by like (select app.search_pattern($))")];
    const COMPUTED: SqlByName = &[
        named!("deadline_moved_by_name": account "deadline_moved_by"),
        (
            "submission_id",
            "(select s.id from proposals.submissions s where s.tender_id = t.id)",
        ),
    ];
}

routes![
    ListTenders,
    GetTender,
    CreateTender,
    UpdateTender,
    DeleteTender
];
