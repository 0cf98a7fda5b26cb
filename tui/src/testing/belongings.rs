//! What belongs to the event of the tests.

use frontdesk_protocol::events::expense::Expense;
use frontdesk_protocol::events::photo::Photo;
use frontdesk_protocol::events::session::Session;
use frontdesk_protocol::events::task::{Task, TaskStatus};
use frontdesk_protocol::id::{ExpenseId, MemberId, PhotoId, SessionId, TaskId};
use jiff::civil::{Date, date};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::people::{EVENT, guest_id};

fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

/// Two sessions.
pub(crate) fn sessions() -> Vec<Session> {
    let begin = super::now() + SignedDuration::from_mins(15);
    let session = |number: u8, title: &str, place: &str, guests: u128| Session {
        id: SessionId(Uuid::from_u128(0x51_0000 + u128::from(number))),
        event_id: EVENT,
        title: title.to_owned(),
        description: text("What to expect, and whom to ask."),
        location: text(place),
        start_time: Some(begin + SignedDuration::from_hours(number.into())),
        end_time: Some(begin + SignedDuration::from_hours(i64::from(number) + 1)),
        order: f64::from(number),
        guest_ids: (1..=guests).map(guest_id).collect(),
    };
    vec![
        session(0, "Welcome", "Main hall", 12),
        session(1, "Robots for beginners", "Workshop", 4),
    ]
}

/// Three tasks, one of them late.
pub(crate) fn tasks() -> Vec<Task> {
    let task = |number: u128, title: &str, status, due: Option<Date>| Task {
        id: TaskId(Uuid::from_u128(0x7a_0000 + number)),
        event_id: EVENT,
        title: title.to_owned(),
        description: text("Ask at the reception."),
        assignee_id: None,
        assignee_name: None,
        status,
        start_date: None,
        due_date: due,
        updated_at: Timestamp::UNIX_EPOCH,
    };
    vec![
        task(
            1,
            "Print name tags",
            TaskStatus::Todo,
            Some(date(2026, 3, 10)),
        ),
        task(
            2,
            "Set up chairs",
            TaskStatus::InProgress,
            Some(date(2026, 3, 12)),
        ),
        task(3, "Invite the mayor", TaskStatus::Done, None),
    ]
}

/// Three expenses: one paid, one over its estimate, one open.
pub(crate) fn expenses() -> Vec<Expense> {
    let expense = |number: u128, vendor: &str, category: &str, estimated, paid| Expense {
        id: ExpenseId(Uuid::from_u128(0xec_0000 + number)),
        event_id: EVENT,
        vendor_name: text(vendor),
        vendor_category: text(category),
        vendor_email: text("office@example.org"),
        vendor_phone: None,
        amount_estimated: estimated,
        amount_paid: paid,
        note: text("Invoice follows."),
    };
    vec![
        expense(1, "Café Sol", "catering", Some(1250.0), Some(1180.5)),
        expense(2, "Lux & Som", "technology", Some(900.0), Some(1020.0)),
        expense(3, "Print House", "print", Some(310.0), None),
    ]
}

/// One photo.
pub(crate) fn photos() -> Vec<Photo> {
    vec![Photo {
        id: PhotoId(Uuid::from_u128(0xf0_0001)),
        event_id: EVENT,
        url: "https://example.org/photos/2026/courtyard.jpg".to_owned(),
        caption: text("The courtyard"),
        sort_order: 1.0,
        member_ids: vec![MemberId(Uuid::from_u128(0x33))],
    }]
}
