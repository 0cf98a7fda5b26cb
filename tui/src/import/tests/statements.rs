//! The statements of fixtures/statements.txt.

use frontdesk_protocol::number::Mark;
use serde_json::Value;

use crate::import::{Choices, How, Whole};

const CASES: &str = include_str!("../../../../fixtures/statements.txt");

/// A statement, and the lines that it has.
#[derive(Debug, Default)]
struct Case<'a> {
    title: &'a str,
    file: String,
    map: Vec<(String, String)>,
    choices: Choices,
    /// A line: its number, date, amount and description; after ` ? `, why it is questionable.
    lines: Vec<&'a str>,
    says: Vec<&'a str>,
}

fn cases() -> Vec<Case<'static>> {
    let mut cases: Vec<Case> = Vec::new();
    for line in CASES
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
    {
        if let Some(title) = line.strip_prefix("== ") {
            cases.push(Case {
                title,
                ..Case::default()
            });
            continue;
        }
        let case = cases.last_mut().expect("a title");
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "|" => case.file.push_str(&format!("{rest}\n")),
            "map" => {
                let (column, what) = rest.split_once('=').expect("a column");
                case.map.push((column.to_owned(), what.to_owned()));
            }
            "dates" => case.choices.day_first = Some(rest == "day-first"),
            "decimals" => {
                case.choices.mark = Some(if rest == "comma" {
                    Mark::Comma
                } else {
                    Mark::Point
                })
            }
            "negate" => case.choices.negate = Some(rest == "yes"),
            "says" => case.says.push(rest),
            _ => case.lines.push(line),
        }
    }
    cases
}

/// A line as in the table.
fn told(line: &Value) -> String {
    let text = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
    let doubt = line["doubt"].as_str().map(|doubt| format!(" ? {doubt}"));
    let amount = line["amount"].as_f64().unwrap_or_default();
    format!(
        "{} {} {amount:.2} {}{}",
        line["line"],
        text("date"),
        text("description"),
        doubt.unwrap_or_default()
    )
}

#[test]
fn each_statement_comes_in_right_or_asks() {
    let whole = Whole::named("statement").expect("statements");
    let place = tempfile::tempdir().expect("a directory");
    let cases = cases();
    let mut failed = Vec::new();
    for case in &cases {
        let file = place.path().join("statement.csv");
        std::fs::write(&file, &case.file).expect("it is written");
        let how = How {
            map: &case.map,
            choices: case.choices,
            zone: Some("UTC"),
            ..How::default()
        };
        let (lines, said) = match whole.says(&file, &how) {
            Ok(said) => {
                let lines = said
                    .values
                    .iter()
                    .filter_map(Value::as_array)
                    .flatten()
                    .map(told);
                let wrong = said.wrong.iter();
                let wrong = wrong
                    .map(|part| format!("{} wrong {}", part.line.unwrap_or_default(), part.text));
                let open = [&said.open.dates, &said.open.numbers].into_iter().flatten();
                let open = open.map(|(name, text)| format!("open: {name} {text}"));
                let words = said
                    .notes
                    .iter()
                    .chain(&said.problem)
                    .chain(&said.open.sign)
                    .cloned();
                (
                    lines.chain(wrong).collect(),
                    words.chain(open).collect::<Vec<_>>().join("\n"),
                )
            }
            Err(error) => (Vec::new(), error.to_string()),
        };
        let lines: Vec<String> = lines;
        let is_it = |(found, expected): (&String, &&str)| match expected.split_once(" ? ") {
            Some((head, part)) => {
                found.starts_with(head) && found.contains(" ? ") && found.contains(part)
            }
            None => found.starts_with(expected) && !found.contains(" ? "),
        };
        let is_right = lines.len() == case.lines.len() && lines.iter().zip(&case.lines).all(is_it);
        if !is_right || !case.says.iter().all(|part| said.contains(part)) {
            failed.push(format!("== {}\n{}\n{said}", case.title, lines.join("\n")));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
    assert!(cases.len() >= 50, "{}", cases.len());
}
