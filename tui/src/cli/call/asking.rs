//! Questions of a server, asked on the terminal: each field of the form is a line.

use std::io::{BufRead, Write};

use frontdesk::plain;
use frontdesk_client::Server;
use frontdesk_client::question::{Decision, Pages, Question};
use frontdesk_protocol::exact;
use serde_json::Value;

use super::arguments::Given;
use crate::cli::{Failure, terminal};

/// Asks the questions of this server on the terminal from now on.
pub(in crate::cli) fn on_terminal(server: &Server) {
    server.answer_with(Pages::Refused, |question| {
        let asked = terminal::talk(move |input, out| ask(&question, input, out));
        // At an interruption, the command ends.
        Box::pin(async { asked.await.unwrap_or(Decision::Cancel) })
    });
}

/// The arguments with those that are required and missing, which it asks for on the terminal.
pub(super) async fn with_missing(schema: &Value, mut given: Given) -> Result<Given, Failure> {
    if missing(schema, &given).next().is_none() {
        return Ok(given);
    }
    let schema = schema.clone();
    let asked = terminal::talk(move |input, out| {
        ask_missing(&schema, &mut given, input, out);
        given
    });
    asked.await
}

/// Asks for each field until the answer fits the form. At the end of the input, nothing is decided.
fn ask(question: &Question, input: &mut impl BufRead, out: &mut impl Write) -> Decision {
    let Some(schema) = &question.schema else {
        let url = question.url.as_deref().unwrap_or("a web page");
        let message = &question.message;
        say(
            out,
            &format!("declined “{message}”: it is answered at {url}"),
            "\n",
        );
        return Decision::Decline;
    };
    say(out, &question.message, "\n");
    if has_no_fields(schema) {
        say(out, "yes or no [no]:", " ");
        let mut line = String::new();
        return match input.read_line(&mut line) {
            Ok(1..) if ["y", "yes"].contains(&line.trim().to_lowercase().as_str()) => {
                Decision::Accept(Default::default())
            }
            Ok(1..) => Decision::Decline,
            _ => Decision::Cancel,
        };
    }
    loop {
        let mut words = Vec::new();
        for (name, field) in schema["properties"].as_object().into_iter().flatten() {
            say(out, &prompt(name, field, is_required(schema, name)), " ");
            let mut line = String::new();
            if !matches!(input.read_line(&mut line), Ok(1..)) {
                return Decision::Cancel;
            }
            let line = line.trim_end_matches(['\r', '\n']);
            if !line.is_empty() {
                words.push(format!("{name}={}", chosen(field, line)));
            }
        }
        let given = Given::read(&words, None).map(|given| given.answering(schema));
        match given.and_then(|given| given.to_arguments(schema)) {
            Ok(answer) => return Decision::Accept(answer),
            Err(why) => say(out, &why.to_string(), "\n"),
        }
    }
}

/// Asks for the required arguments that are missing, for an empty one once again. What is still missing then is left to
/// the check of the arguments.
fn ask_missing(schema: &Value, given: &mut Given, input: &mut impl BufRead, out: &mut impl Write) {
    let missing: Vec<_> = missing(schema, given).collect();
    for (name, field) in missing {
        if let Some(description) = field["description"].as_str() {
            say(out, description, "\n");
        }
        for _ in 0..2 {
            say(out, &prompt(name, field, true), " ");
            let mut line = String::new();
            if !matches!(input.read_line(&mut line), Ok(1..)) {
                return say(out, "", "\n");
            }
            let text = line.trim_end_matches(['\r', '\n']);
            if !text.is_empty() {
                given.add(name, &chosen(field, text));
                break;
            }
        }
    }
}

/// The required fields without a value that have more than one possible.
fn missing<'a>(schema: &'a Value, given: &Given) -> impl Iterator<Item = (&'a String, &'a Value)> {
    let fields = schema["properties"].as_object().into_iter().flatten();
    fields.filter(|(name, field)| {
        is_required(schema, name) && field.get("const").is_none() && !given.has(name)
    })
}

/// Whether a question asks for nothing but a yes.
pub(super) fn has_no_fields(schema: &Value) -> bool {
    schema["properties"]
        .as_object()
        .is_none_or(|all| all.is_empty())
}

/// How a server may do what it refuses to a client without questions and answers.
pub(super) async fn advice(server: &Server, refusal: &str) -> Option<String> {
    if !refusal.to_lowercase().contains("elicit") {
        return None;
    }
    let has_handshake = server
        .about()
        .await
        .map_or(true, |about| about.has_handshake);
    let mut advice = Vec::new();
    if !server.answers_questions() {
        advice.push("`--answers -` answers the questions of a server on the terminal");
    }
    if !has_handshake {
        advice.push("`--era handshake` begins as older revisions do, where some servers ask more");
    }
    (!advice.is_empty()).then(|| advice.join("; "))
}

fn is_required(schema: &Value, name: &str) -> bool {
    let required = schema["required"].as_array();
    required.is_some_and(|all| all.iter().any(|one| one == name))
}

/// What a field is called, what fits, and what an empty line means.
fn prompt(name: &str, field: &Value, is_required: bool) -> String {
    let title = field["title"].as_str().unwrap_or(name);
    let choices = choices(field).into_iter().map(|(label, _)| label);
    let choices: Vec<_> = choices.collect();
    let fits = match (choices.is_empty(), field["type"].as_str()) {
        (false, _) => format!(" ({})", choices.join(", ")),
        (true, Some("boolean")) => " (true, false)".to_owned(),
        _ => String::new(),
    };
    let empty = match field.get("default") {
        Some(default) => format!(" [{}]", exact::plain(default)),
        None if is_required => String::new(),
        None => " [none]".to_owned(),
    };
    format!("{title}{fits}{empty}:")
}

/// The choices of a field: each by its title, if no other has it, and its value.
fn choices(field: &Value) -> Vec<(String, String)> {
    let values = field["enum"].as_array().into_iter().flatten();
    let values = values.map(|value| (None, exact::plain(value)));
    let titled = field["oneOf"].as_array().into_iter().flatten();
    let titled =
        titled.filter_map(|one| Some((one["title"].as_str(), exact::plain(one.get("const")?))));
    let all: Vec<(Option<&str>, String)> = values.chain(titled).collect();
    let is_only = |title: &&str| {
        all.iter()
            .filter(|(other, _)| *other == Some(*title))
            .count()
            == 1
    };
    let label = |(title, value): &(Option<&str>, String)| {
        let title = title.filter(is_only);
        (title.map_or(value.clone(), str::to_owned), value.clone())
    };
    all.iter().map(label).collect()
}

/// The value of the choice with this label; otherwise the text itself.
fn chosen(field: &Value, text: &str) -> String {
    let mut choices = choices(field).into_iter();
    let chosen = choices.find(|(label, _)| label.to_lowercase() == text.trim().to_lowercase());
    chosen.map_or(text.to_owned(), |(_, value)| value)
}

fn say(out: &mut impl Write, text: &str, end: &str) {
    // Without a terminal, nothing can be shown.
    let _ = write!(out, "{}{end}", plain(text)).and_then(|()| out.flush());
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// What is decided with these lines, and what was shown.
    fn answered(lines: &str) -> (Decision, String) {
        let question = Question {
            message: "Who are you?".to_owned(),
            schema: Some(json!({
                "type": "object", "required": ["name"],
                "properties": {
                    "name": { "type": "string", "title": "Name" },
                    "age": { "type": "integer" },
                    "size": { "type": "string", "enum": ["s", "m"], "default": "m" },
                },
            })),
            url: None,
            is_required: false,
        };
        let mut shown = Vec::new();
        let decision = ask(&question, &mut lines.as_bytes(), &mut shown);
        (decision, String::from_utf8(shown).expect("text"))
    }

    #[test]
    fn a_question_without_fields_waits_for_a_yes() {
        let ask = |lines: &str| {
            let question = Question {
                message: "Delete all?".to_owned(),
                schema: Some(json!({ "type": "object", "properties": {} })),
                url: None,
                is_required: false,
            };
            ask(&question, &mut lines.as_bytes(), &mut Vec::new())
        };
        assert_eq!(ask("yes\n"), Decision::Accept(Default::default()));
        for no in ["\n", "no\n", "yes please\n"] {
            assert_eq!(ask(no), Decision::Decline);
        }
        assert_eq!(ask(""), Decision::Cancel);
    }

    #[test]
    fn each_field_is_a_line_and_asked_again_until_it_fits() {
        let (decision, shown) = answered("Ana\nseven\n\nAna\n7\n\n");
        let Decision::Accept(answer) = decision else {
            panic!("{shown}");
        };
        assert_eq!(
            Value::from(answer),
            json!({ "name": "Ana", "age": 7, "size": "m" })
        );
        assert!(
            shown.starts_with("Who are you?\nName: age [none]: size (s, m) [m]: "),
            "{shown}"
        );
        assert!(shown.contains("age must be"), "{shown}");
    }

    #[test]
    fn a_choice_has_a_title_unless_another_has_it() {
        let one = |value: &str, title: &str| json!({ "const": value, "title": title });
        let field =
            json!({ "oneOf": [one("a~1", "Fair"), one("b~2", "Ball"), one("b~3", "Ball")] });
        assert_eq!(prompt("event", &field, true), "event (Fair, b~2, b~3):");
        for (text, value) in [("fair", "a~1"), ("b~3", "b~3"), ("Ball", "Ball")] {
            assert_eq!(chosen(&field, text), value);
        }
    }

    #[test]
    fn the_end_of_the_input_decides_nothing() {
        let (decision, _) = answered("Ana\n");
        assert!(matches!(decision, Decision::Cancel));
    }
}
