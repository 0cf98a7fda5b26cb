//! The staff.

use frontdesk_protocol::staff::user::{ListStaff, SetStaffActive, StaffUser};

use crate::call::{SqlByName, Stored};
use crate::hosts::routes;

impl Stored for StaffUser {
    const TABLE: &'static str = "staff.users";
    const ORDER: &'static str = "t.created_at, t.id";
    const FILTERS: SqlByName = &[(
        "search",
        "app.search_key(concat(staff.email(t.id), ' ', \
           (select p.name from learn.profiles p where p.id = t.id))) like (select app.search_pattern($))",
    )];
    const COMPUTED: SqlByName = &[
        (
            "name",
            "(select p.name from learn.profiles p where p.id = t.id)",
        ),
        ("email", "staff.email(t.id)"),
    ];
}

routes![ListStaff, SetStaffActive];
