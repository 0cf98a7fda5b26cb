//! What each state of a check-in means.

use frontdesk_protocol::value::Name;
use jiff::Timestamp;

use super::*;
use crate::testing::{account, event, guest_id};

/// An attempt of this guest.
fn attempt(wish: Action, status: Status) -> Attempt {
    let arrival = Arrival::listed(event().id, guest_id(1), "Zoë");
    Attempt {
        wish,
        status,
        ..Attempt::new(RequestId(1), arrival, Timestamp::UNIX_EPOCH)
    }
}

/// The words for what is so.
fn so(attempt: &Attempt) -> String {
    let words = [
        (attempt.is_pending(), "pending"),
        (attempt.is_expected(), "expected"),
        (attempt.is_fresh(), "fresh"),
        (attempt.is_waiting(), "waiting"),
        (attempt.is_unsaved(), "unsaved"),
        (attempt.is_on_its_way(), "on its way"),
        (attempt.is_undoable(), "undoable"),
        (attempt.is_listed(), "listed"),
    ];
    let words = words
        .into_iter()
        .filter_map(|(is, word)| is.then_some(word));
    words.collect::<Vec<_>>().join(", ")
}

#[test]
fn each_state_of_a_check_in_has_one_meaning() {
    let why = || "no".to_owned();
    let at = Timestamp::UNIX_EPOCH;
    let new = "pending, expected, fresh, ";
    for (status, meaning) in [
        (Status::Saving, format!("{new}unsaved, undoable, listed")),
        (Status::Waiting, format!("{new}undoable, listed")),
        (
            Status::Unsaved { why: why() },
            format!("{new}unsaved, undoable, listed"),
        ),
        (
            Status::Delivering { was_saved: true },
            format!("{new}on its way, undoable, listed"),
        ),
        (
            Status::Delivering { was_saved: false },
            format!("{new}unsaved, on its way, undoable, listed"),
        ),
        (Status::Withdrawing, format!("{new}listed")),
        (
            Status::In {
                at,
                was_before: false,
            },
            "undoable".to_owned(),
        ),
        (
            Status::In {
                at,
                was_before: true,
            },
            String::new(),
        ),
        (Status::Out { at }, "undoable".to_owned()),
        (Status::Refused { why: why() }, String::new()),
        (Status::Undone, String::new()),
    ] {
        let one = attempt(Action::CheckIn, status);
        assert_eq!(so(&one), meaning, "{:?}", one.status);
    }
}

#[test]
fn each_wish_has_an_opposite_and_its_place_among_the_arrivals() {
    for (wish, opposite, meaning) in [
        (
            Action::CheckIn,
            Action::Undo,
            "pending, expected, waiting, undoable, listed",
        ),
        (Action::Undo, Action::CheckIn, "pending, waiting"),
        (
            Action::Add,
            Action::TakeBack,
            "pending, expected, waiting, undoable, listed",
        ),
        (Action::TakeBack, Action::Add, "pending, waiting"),
        (
            Action::Enter,
            Action::Leave,
            "pending, expected, waiting, undoable, listed",
        ),
        (
            Action::Leave,
            Action::Enter,
            "pending, waiting, undoable, listed",
        ),
    ] {
        let mut one = attempt(wish, Status::Waiting);
        one.has_waited = true;
        assert_eq!((one.opposite(), so(&one).as_str()), (opposite, meaning));
        // An attempt that is undone on its way is not expected any more.
        one.is_unwanted = true;
        assert!(!one.is_expected() && !one.is_undoable(), "{wish:?}");
        // Only a refused walk-in stays listed: somebody has to look.
        one.status = Status::Refused {
            why: "no".to_owned(),
        };
        assert_eq!(one.is_listed(), wish == Action::Add);
    }
}

#[test]
fn the_journal_gives_back_each_subject() {
    let walk_in = WalkIn {
        name: Name::new("Zoë").expect("a name"),
        email: None,
        phone_number: None,
        role: None,
        guest_of: None,
    };
    let code = |is_asked| Subject::Code {
        text: "T-1".to_owned(),
        is_asked,
    };
    let added = |asks| Subject::WalkIn {
        data: Box::new(walk_in.clone()),
        asks,
    };
    // Whether the subject has an id, may stand for somebody unknown, is only asked about; and what is read back.
    for (subject, has_id, is_unknown, is_asked, again) in [
        (Subject::Listed, true, false, false, Subject::Listed),
        (Subject::Scanned, true, true, false, Subject::Scanned),
        (code(false), false, true, false, code(false)),
        // After a crash it is delivered: the host decides.
        (code(true), false, true, true, code(false)),
        (added(false), false, false, false, added(false)),
        (added(true), false, false, false, added(true)),
    ] {
        let wish = match &subject {
            Subject::WalkIn { .. } => Action::Add,
            _ => Action::CheckIn,
        };
        let mut one = attempt(wish, Status::Saving);
        one.guest = one.guest.filter(|_| has_id);
        one.subject = subject;
        let said = (one.is_of_unknown(), one.is_asked());
        assert_eq!(said, (is_unknown, is_asked), "{:?}", one.subject);
        let entry = one.append(None).entry("https://host", &account());
        assert_eq!(entry.guest_id == guest_id(1), has_id);
        let found = Attempt::found(RequestId(2), entry.clone());
        assert_eq!(found.subject, again);
        assert_eq!((found.guest, found.wish), (Some(entry.guest_id), wish));
    }
}
