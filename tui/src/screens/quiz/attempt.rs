//! Attempts at quizzes: the number of right answers, and the verdict.

use frontdesk_protocol::Host;

use crate::app::shared::Shared;
use crate::fields::cell::Cell;
use crate::fields::key::Key;
use crate::records::columns::Column;
use crate::records::record::Record;
use crate::records::view::View;
use crate::ui::mark::Mark;

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("member_id", "Member"),
        Column::field("quiz_id", "Quiz"),
        Column::field("number", "No."),
        Column::fixed("Correct", 7, right, |attempt, _| {
            Key::number(attempt.number("right_count"))
        }),
        Column::fixed("Result", 12, result, |attempt, _| {
            Key::Rank(usize::from(attempt.get("passed") == true))
        }),
        Column::field("created_at", "Date"),
    ],
    facts: &[("Correct", right), ("Result", result)],
    told: &["right_count", "question_count", "passed"],
    ..View::new(Host::Quiz, "attempts")
};

fn right(attempt: &Record, _: &Shared) -> Cell {
    let number = |field: &str| attempt.number(field).unwrap_or_default();
    Cell::new(format!(
        "{} of {}",
        number("right_count"),
        number("question_count")
    ))
}

fn result(attempt: &Record, _: &Shared) -> Cell {
    match attempt.get("passed") == true {
        true => Cell::marked(Mark::Good, "passed"),
        false => Cell::marked(Mark::Bad, "not passed"),
    }
}
