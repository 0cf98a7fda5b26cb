//! What each state of a check-in means.

use jiff::Timestamp;

use super::*;
use crate::testing::{event, guest_id};

/// An attempt of this guest.
fn attempt(wish: Action, status: Status) -> Attempt {
    let arrival = Arrival {
        event: event().id,
        guest: guest_id(1),
        name: "Zoë".to_owned(),
        is_scanned: false,
    };
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
fn a_new_guest_and_a_code_get_an_id_from_the_journal() {
    for (wish, code, has_id) in [
        (Action::CheckIn, None, true),
        (Action::CheckIn, Some("T-1"), false),
        (Action::Add, None, false),
        (Action::Undo, None, true),
    ] {
        let mut one = attempt(wish, Status::Saving);
        one.code = code.map(str::to_owned);
        one.asks = true;
        let append = one.append(None);
        assert_eq!(append.guest.is_some(), has_id, "{wish:?} {code:?}");
        assert_eq!(append.asks, wish == Action::Add);
    }
}
