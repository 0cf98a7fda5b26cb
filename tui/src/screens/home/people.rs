//! The staff, the latest to join first, and invitations that are open.

use frontdesk_protocol::staff::invitation::{InvitationStatus, ListInvitations};
use frontdesk_protocol::staff::user::ListStaff;
use frontdesk_protocol::value::{Limit, Offset};
use frontdesk_protocol::{Host, Tool};
use serde_json::Value;

use super::part::{Next, Part, next_page, records};
use crate::app::shared::Shared;
use crate::fields::cell::Cell;
use crate::look::time::moment;
use crate::records::record::Record;
use crate::ui::table::Column;

/// Maximum number of people that are shown.
const MOST: usize = 5;

pub(super) static INVITATIONS: Part = Part {
    title: "Open invitations",
    none: "no open invitations",
    host: Host::Staff,
    kind: "invitation",
    is_for: |role| role.is_some_and(|role| ListInvitations::AUDIENCE.contains(role)),
    next: |_, answers| match next_page(answers, "invitations") {
        Some(offset) => Next::ask(&ListInvitations {
            status: Some(InvitationStatus::Open),
            search: None,
            limit: Limit::new(100).unwrap_or_default(),
            offset: Offset::new(offset),
        }),
        None => Next::Rows(records(answers, "invitations")),
    },
    ends: false,
    is_nothing: |_| false,
    note: |_, _| None,
    columns,
    cells: |invitation, _, shared| {
        let until = invitation.time("expires_at");
        let until = until.map(|at| format!("until {}", moment(at, shared.now, &shared.locale)));
        cells(invitation, until.unwrap_or_default())
    },
};

pub(super) static PEOPLE: Part = Part {
    title: "Joined last",
    none: "",
    host: Host::Staff,
    kind: "staff_user",
    is_for: |role| role.is_some_and(|role| ListStaff::AUDIENCE.contains(role)),
    next: latest,
    ends: false,
    is_nothing: |_| false,
    note: |_, _| None,
    columns,
    cells: |user, _, _| {
        let state = match user.get("is_active") {
            Value::Bool(false) => "inactive",
            _ => "",
        };
        cells(user, state.to_owned())
    },
};

/// The staff is listed with the longest-serving first.
fn latest(_: &Shared, answers: &[Value]) -> Next {
    if let Some(offset) = next_page(answers, "staff_users") {
        return Next::ask(&ListStaff {
            search: None,
            role: None,
            is_active: None,
            limit: Limit::new(100).unwrap_or_default(),
            offset: Offset::new(offset),
        });
    }
    let mut staff = records(answers, "staff_users");
    staff.reverse();
    staff.truncate(MOST);
    Next::Rows(staff)
}

fn columns(_: bool) -> Vec<Column> {
    vec![Column::name(""), Column::whole(""), Column::whole("")]
}

fn cells(person: &Record, state: String) -> Vec<Cell> {
    let text = |field: &str| person.text(field);
    let name = text("name").or(text("email")).unwrap_or_default();
    vec![
        Cell::new(name),
        Cell::new(text("role").unwrap_or_default()),
        Cell::dim(state),
    ]
}
