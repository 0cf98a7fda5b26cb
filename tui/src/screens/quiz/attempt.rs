//! Attempts at quizzes: the questions with the chosen options, and the result.

use frontdesk_protocol::Host;
use frontdesk_protocol::Tool;
use frontdesk_protocol::quiz::questions::GetQuiz;
use ratatui::text::{Line, Span};
use serde_json::{Map, Value, json};

use crate::app::shared::Shared;
use crate::fields::cell::Cell;
use crate::fields::key::Key;
use crate::look::mark::Mark;
use crate::look::text::clean;
use crate::records::columns::Column;
use crate::records::record::Record;
use crate::records::related::Related;
use crate::records::view::View;

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("member_id", "Member"),
        Column::field("quiz_id", "Quiz"),
        Column::field("number", "No."),
        Column::own("Result", result, |attempt, _| {
            Key::number(attempt.number("right_count"))
        }),
        Column::field("created_at", "Date"),
    ],
    covered: &["answers", "right_count", "question_count", "passed"],
    head: Some(|attempt, shared, _| {
        let result = result(attempt, shared);
        Line::styled(result.text, result.tone.style(&shared.settings.theme))
    }),
    related: &[Related {
        title: "Questions",
        host: Host::Quiz,
        tool: GetQuiz::NAME,
        arguments: |attempt, _| {
            let quiz = attempt.get("quiz_id").clone();
            vec![Map::from_iter([("id".to_owned(), quiz)])]
        },
        keep: |attempt, result| answered(attempt, &result["quiz"]),
        names: &[],
        lines,
    }],
    ..View::new(Host::Quiz, "attempts")
};

/// `✓ 2 of 2, passed`.
fn result(attempt: &Record, _: &Shared) -> Cell {
    let number = |field: &str| attempt.number(field).unwrap_or_default();
    let (mark, verdict) = match attempt.get("passed") == true {
        true => (Mark::Good, "passed"),
        false => (Mark::Bad, "not passed"),
    };
    let (right, all) = (number("right_count"), number("question_count"));
    Cell::marked(mark, &format!("{right} of {all}, {verdict}"))
}

/// The questions of the quiz, each with the chosen option, and whether it is right if that is known.
fn answered(attempt: &Record, quiz: &Value) -> Vec<Value> {
    let questions = quiz["questions"].as_array().into_iter().flatten();
    let rows = questions.enumerate().map(|(at, question)| {
        let chosen = &attempt.get("answers")[at];
        let place = chosen.as_u64().and_then(|number| number.checked_sub(1));
        let option = place.map(|place| &question["options"][place as usize]);
        let right = &quiz["right_options"][at];
        let is_right = (!right.is_null()).then(|| right == chosen);
        json!({ "prompt": question["prompt"], "option": option, "is_right": is_right })
    });
    rows.collect()
}

fn lines(rows: &[Value], shared: &Shared) -> Vec<Line<'static>> {
    let theme = &shared.settings.theme;
    let text = |value: &Value| clean(value.as_str().unwrap_or("–")).into_owned();
    let lines = rows.iter().zip(1..).flat_map(|(row, number)| {
        let option = text(&row["option"]);
        let chosen = match row["is_right"].as_bool() {
            Some(true) => Mark::Good.span(theme, &option),
            Some(false) => Mark::Bad.span(theme, &option),
            None => Span::raw(format!("→ {option}")),
        };
        [
            Line::raw(format!("{number}. {}", text(&row["prompt"]))),
            Line::from(vec![Span::raw("   "), chosen]),
        ]
    });
    lines.collect()
}
