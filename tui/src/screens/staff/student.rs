//! Students: whether they are active, and how far they are.

use frontdesk_protocol::Host;

use crate::fields::cell::Cell;
use crate::fields::key::Key;
use crate::records::columns::Column;
use crate::records::record::Record;
use crate::records::view::View;
use crate::screens::learn::{member, progress};

/// How students are shown.
pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("name", "Name"),
        Column::own("State", member::state, |student, _| {
            Key::text(student.text("phase_id"))
        }),
        Column::own(
            "Done",
            |student, _| done(student),
            |student, _| Key::number(student.number("percentage")),
        ),
        Column::field("email", "E-mail"),
    ],
    facts: &[
        ("State", member::state),
        ("Done", |student, _| done(student)),
    ],
    covered: &[
        "phase_id",
        "is_active",
        "total",
        "done",
        "percentage",
        "cohort_ids",
    ],
    is_past: Some(|student, _| student.get("is_active") == false),
    ..View::new(Host::Staff, "students")
};

fn done(student: &Record) -> Cell {
    match student.number("total") {
        None | Some(0.0) => Cell::dim("in no program"),
        Some(_) => Cell::new(progress::bar(student)),
    }
}
