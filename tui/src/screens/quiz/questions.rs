//! Quizzes: their questions, and a form to answer them.

use std::borrow::Cow;
use std::fmt::Write;

use frontdesk_client::ToolInfo;
use frontdesk_protocol::quiz::attempt::SubmitAttempt;
use frontdesk_protocol::{Declaration, Host, Tool};
use serde_json::{Map, Value, json};

use crate::app::cx::Cx;
use crate::app::input::command::{Context, commands};
use crate::app::peer::Reply;
use crate::app::state::State;
use crate::call_form::{CallScreen, Prepared, declared};
use crate::look::text::clean;
use crate::record_screens::{self, ShowsRecords};
use crate::records::columns::Column;
use crate::records::contexts::RECORDS;
use crate::records::kind;
use crate::records::offered::not_offered;
use crate::records::record::Record;
use crate::records::view::View;

static QUIZ: Context = Context::above("One quiz", &RECORDS);

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("title", "Quiz"),
        Column::field("questions", "Questions"),
        Column::field("pass_percentage", "To pass, %"),
        Column::field("max_attempts", "Attempts"),
        Column::field("description", "Description"),
    ],
    covered: &["questions", "right_options"],
    prose: Some(|quiz| Some(Cow::Owned(prose(quiz)))),
    record: &QUIZ,
    ..View::new(Host::Quiz, "quizzes")
};

commands! {
    /// Commands for the reader of a quiz.
    pub(crate) const COMMANDS;

    QUIZ: "quiz.attempt", ["a"], "Attempt this quiz",
        run |state, out| record_screens::act(state, out, attempt), over("record.add"), writes,
        hint("attempt"), hinted_if(|state| no_attempt(state).is_none()), unless(no_attempt);
}

fn no_attempt(state: &State) -> Option<String> {
    not_offered(&Host::Quiz.into(), SubmitAttempt::NAME, &state.shared)
}

/// The text, with punctuation that Markdown would interpret escaped.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    for letter in clean(&text.replace('\n', " ")).chars() {
        if letter.is_ascii_punctuation() {
            plain.push('\\');
        }
        plain.push(letter);
    }
    plain
}

/// The questions as a numbered list; the right option is marked if it is known.
fn prose(quiz: &Record) -> String {
    let mut text = String::new();
    let questions = quiz.get("questions").as_array().into_iter().flatten();
    for (at, question) in questions.enumerate() {
        let prompt = plain(question["prompt"].as_str().unwrap_or_default());
        let right = quiz.get("right_options")[at].as_u64();
        let _ = writeln!(text, "{}. {prompt}", at + 1);
        for (option, number) in options(question).zip(1..) {
            let mark = if right == Some(number) { " ✓" } else { "" };
            let _ = writeln!(text, "    - {}{mark}", plain(option));
        }
    }
    text
}

fn options(question: &Value) -> impl Iterator<Item = &str> {
    let options = question["options"].as_array().into_iter().flatten();
    options.filter_map(Value::as_str)
}

/// Opens a form with a field for each question.
fn attempt(screen: &mut dyn ShowsRecords, cx: &mut Cx) {
    let Some((_, quiz)) = screen.about() else {
        return;
    };
    let mut tool = declared(&Declaration::of::<SubmitAttempt>());
    let questions = quiz.get("questions").as_array().into_iter().flatten();
    let fields = questions.zip(1..).map(|(question, number)| {
        let prompt = question["prompt"].as_str().unwrap_or_default();
        let options: Vec<String> = options(question)
            .zip(1..)
            .map(|(option, number)| format!("{number}. {option}"))
            .collect();
        let all = [&[prompt.to_owned()], options.as_slice()]
            .concat()
            .join("\n");
        let field = json!({
            "type": "string", "title": format!("{number}. {prompt}"), "description": all,
            "enum": options,
        });
        (number.to_string(), field)
    });
    let fields: Map<String, Value> = fields.collect();
    let required = fields.keys().cloned().collect();
    ask_for(&mut tool, &["quiz_id"], fields, required);
    let given = Map::from_iter([("quiz_id".to_owned(), quiz.id().into())]);
    let title = format!("Attempt {}", quiz.text("title").unwrap_or_default());
    let prepared = Prepared::rewriting(&clean(&title), given, arguments, show);
    let form = CallScreen::prepared(Host::Quiz.into(), tool, prepared, cx.now());
    cx.open(form);
}

/// Replaces the arguments of a tool, but those that are given, by a field for each question.
pub(super) fn ask_for(
    tool: &mut ToolInfo,
    given: &[&str],
    fields: Map<String, Value>,
    required: Vec<String>,
) {
    tool.input_schema
        .insert("required".to_owned(), required.into());
    if let Some(Value::Object(properties)) = tool.input_schema.get_mut("properties") {
        properties.retain(|name, _| given.contains(&name.as_str()));
        properties.extend(fields);
    }
}

/// The chosen options by number: each begins with its own.
fn arguments(mut filled: Map<String, Value>) -> Map<String, Value> {
    let quiz = filled.remove("quiz_id").unwrap_or_default();
    let chosen = filled.values().filter_map(|option| {
        let (number, _) = option.as_str()?.split_once('.')?;
        number.parse::<u64>().ok()
    });
    let answers: Vec<u64> = chosen.collect();
    Map::from_iter([
        ("quiz_id".to_owned(), quiz),
        ("answers".to_owned(), json!(answers)),
    ])
}

/// Shows the attempt with its result.
fn show(cx: &mut Cx, reply: &Reply) {
    if let Some(kind) = kind::find(Host::Quiz, "attempt")
        && let Some(attempt) = Record::new(&reply.value["attempt"])
    {
        let at = cx.now();
        record_screens::open_record(cx, kind, &attempt, at);
    }
}
