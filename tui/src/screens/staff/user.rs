//! The staff: who they are, by their address where they have no name.

use frontdesk_protocol::Host;

use crate::app::shared::Shared;
use crate::fields::cell::Cell;
use crate::fields::key::Key;
use crate::look::mark::Mark;
use crate::records::columns::Column;
use crate::records::record::Record;
use crate::records::view::View;

/// Who it is.
const WHO: Column = Column::own("Name", who, |user, shared| {
    Key::text(Some(&who(user, shared).text))
})
.name();

/// How the staff is shown.
pub(crate) static VIEW: View = View {
    columns: &[
        WHO,
        Column::field("role", "Role"),
        Column::own("State", state, |user, _| {
            Key::Rank(usize::from(user.get("is_active") == true))
        }),
        Column::field("email", "E-mail"),
        Column::field("created_at", "Added"),
    ],
    facts: &[("State", state)],
    covered: &["is_active"],
    is_past: Some(|user, _| user.get("is_active") == false),
    ..View::new(Host::Staff, "staff users")
};

/// How accounts of the platform are shown.
pub(crate) static ACCOUNTS: View = View {
    columns: &[
        WHO,
        Column::field("role", "Role"),
        Column::field("level", "Level"),
        Column::own("State", state, |user, _| {
            Key::Rank(usize::from(user.get("is_active") == true))
        }),
        Column::field("email", "E-mail"),
    ],
    ..View {
        host: Host::Ops,
        many: "accounts",
        ..VIEW
    }
};

fn who(user: &Record, _: &Shared) -> Cell {
    match (user.text("name"), user.text("email")) {
        (Some(name), _) => Cell::new(name),
        (None, email) => Cell::dim(email.unwrap_or_default()),
    }
}

fn state(user: &Record, _: &Shared) -> Cell {
    match user.get("is_active") == true {
        true => Cell::marked(Mark::Good, "active"),
        false => Cell::dim("× inactive"),
    }
}
