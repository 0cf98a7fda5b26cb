//! Files that one call imports: a calendar, a bank's statement.

use std::cell::Cell;
use std::path::Path;

use frontdesk::import::{Choices, How, Open, Outcome, Said, WHOLE, Whole};
use frontdesk_client::{CallError, Callee, paths};
use frontdesk_protocol::mcp::{Action, CallMeta};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{Import, Shown, ask_notation};
use crate::cli::call::AskedTool;
use crate::cli::call::arguments::Given;
use crate::cli::options::Options;
use crate::cli::terminal::{ask, is_talking, is_yes};
use crate::cli::{Failure, callee, say, say_json, warn};

/// The outcomes of parts that are shown before the question.
const USUAL: [&str; 3] = ["add", "questionable", "wrong"];

/// Shows what the file would do, asks, and imports it.
pub(super) async fn import(import: &Import, options: &Options) -> Result<(), Failure> {
    let whole = named(&import.host)?;
    let file = Path::new(&import.tool);
    let callee = &callee::find(options, whole.host.area(), None)?;
    let mut choices = import.choices();
    let mut said = says(import, whole, file, choices, callee, options)?;
    let asked = AskedTool {
        callee,
        tool: whole.tool,
        is_pending: &Cell::new(false),
    };
    let (arguments, lines) = arguments(import, whole, &asked, &said).await?;
    if is_talking() && !import.yes {
        let is_chosen = ask_notation(&said.open, &mut choices).await?;
        if ask_sign(&said.open, &mut choices).await? || is_chosen {
            said = says(import, whole, file, choices, callee, options)?;
        }
    }
    if let Some(problem) = &said.problem {
        return Err(Failure::Usage(format!("{}: {problem}", file.display())));
    }
    let (value, outcome) = made(&asked, whole, &said, &arguments, true).await?;
    import.can_ask()?;
    say_superfluous(&lines, &outcome);
    match (import.is_json.get(), import.yes && !import.dry_run) {
        (true, true) => {}
        (true, false) => say_json(&value)?,
        (false, _) => say_outcome(import, whole, file, &said, &outcome)?,
    }
    let question = format!("Import {}? [y/N] ", file.display());
    if import.dry_run {
        import.print(&format!("Tried: {} would be added", outcome.added))?;
    } else if import.yes || is_yes(&question).await? {
        let (value, outcome) = made(&asked, whole, &said, &arguments, false).await?;
        said.remember()
            .map_err(|error| Failure::file("the chosen columns", error))?;
        match import.is_json.get() {
            true => say_json(&value)?,
            false => say(&format!("Imported: {} added", outcome.added))?,
        }
    } else {
        return Ok(());
    }
    match outcome
        .parts
        .iter()
        .filter(|part| is_left(part.word))
        .count()
    {
        0 => Ok(()),
        left => Err(Failure::Rows(left)),
    }
}

/// What the file says.
fn says(
    import: &Import,
    whole: &Whole,
    file: &Path,
    choices: Choices,
    callee: &Callee,
    options: &Options,
) -> Result<Said, Failure> {
    let zone = match callee {
        Callee::Host(client, _) => client.last_account().and_then(|account| account.time_zone),
        Callee::Server(_) => None,
    };
    let program = std::env::current_exe().ok();
    let how = How {
        map: &import.map,
        choices,
        encoding: import.encoding.as_deref(),
        sheet: import.sheet.as_deref(),
        program: program.as_deref(),
        directory: Some(paths::imports_directory(&options.data_directory()?)),
        zone: zone.as_deref(),
    };
    let said = whole.says(file, &how);
    said.map_err(|error| Failure::sheet(file, error))
}

/// The result of the calls for what a file says, as one, and its outcome.
async fn made(
    asked: &AskedTool<'_>,
    whole: &Whole,
    said: &Said,
    arguments: &Map<String, Value>,
    is_dry_run: bool,
) -> Result<(Value, Outcome), Failure> {
    let (mut values, mut outcome, mut action) = (Value::Null, Outcome::default(), Action::New);
    for value in &said.values {
        let mut arguments = arguments.clone();
        arguments.insert(whole.argument.to_owned(), value.clone());
        arguments.insert("dry_run".to_owned(), is_dry_run.into());
        asked.check(&arguments)?;
        let meta = match is_dry_run {
            true => CallMeta::default(),
            false => CallMeta {
                idempotency_key: Some(format!("command-{}", Uuid::new_v4())),
                action: (said.values.len() > 1).then_some(action),
                ..CallMeta::default()
            },
        };
        let result = asked.call(arguments, meta, false).await?;
        action = result.action().map_or(action, Action::Of);
        let value = result.into_value();
        let value = value.map_err(|error: CallError| callee::failure(asked.callee, error))?;
        outcome.add(whole.outcome(&value, is_dry_run)?);
        join(&mut values, value);
    }
    outcome.end(said);
    let wrong = said.wrong.iter();
    let wrong: Vec<_> = wrong
        .map(|part| json!({ "line": part.line, "reason": part.text }))
        .collect();
    if !wrong.is_empty() {
        join(&mut values, json!({ "wrong": wrong }));
    }
    Ok((values, outcome))
}

/// Adds the result of the next call to those before: lists are continued, and numbers added.
fn join(whole: &mut Value, next: Value) {
    match (whole, next) {
        (Value::Object(whole), Value::Object(next)) => {
            for (name, value) in next {
                join(whole.entry(name).or_insert(Value::Null), value);
            }
        }
        (Value::Array(whole), Value::Array(next)) => whole.extend(next),
        (Value::Number(whole), Value::Number(next)) => {
            let sum = whole.as_u64().unwrap_or_default() + next.as_u64().unwrap_or_default();
            *whole = sum.into();
        }
        (whole @ Value::Null, next) => *whole = next,
        _ => {}
    }
}

/// Asks which amounts of a statement were paid, if it does not show it. Returns whether it was said.
async fn ask_sign(open: &Open, choices: &mut Choices) -> Result<bool, Failure> {
    let Some(why) = &open.sign else {
        return Ok(false);
    };
    let question = format!("{why} Are amounts without a minus paid? [y/n] ");
    choices.negate = match ask(&question).await?.to_lowercase().as_str() {
        "y" => Some(true),
        "n" => Some(false),
        _ => None,
    };
    Ok(choices.negate.is_some())
}

/// The kind of file with this word.
fn named(word: &str) -> Result<&'static Whole, Failure> {
    Whole::named(word).ok_or_else(|| {
        let words = WHOLE.each_ref().map(|whole| whole.word).join(" and ");
        Failure::Usage(format!(
            "give a host, a tool and a file; only {words} come in without a tool"
        ))
    })
}

/// The arguments of the call, and the lines that are accepted.
async fn arguments(
    import: &Import,
    whole: &Whole,
    asked: &AskedTool<'_>,
    said: &Said,
) -> Result<(Map<String, Value>, Vec<u64>), Failure> {
    let schema = asked.callee.declared(whole.tool);
    let schema = schema.map_or(Value::Bool(true), |tool| tool.input_schema());
    let takes_lines = schema["properties"].get("accept").is_some();
    let accepted = import.accept.iter();
    let lines: Vec<u64> = accepted.flat_map(|it| &it.lines).copied().collect();
    if import.accept.iter().any(|it| !it.kinds.is_empty()) {
        let message = "give the lines that are questionable, such as --accept 3,5";
        return Err(Failure::Usage(message.to_owned()));
    }
    if !lines.is_empty() && !takes_lines {
        let message = format!(
            "nothing in a {} is questionable; leave --accept out",
            whole.word
        );
        return Err(Failure::Usage(message));
    }
    let set = import.set.iter();
    let words: Vec<_> = set.map(|(name, value)| format!("{name}={value}")).collect();
    let mut given = Given::read(&words, None)?;
    if let Some(Value::String(text)) = said.values.first() {
        given.add(whole.argument, text);
    }
    let mut arguments = asked.arguments(given, &schema).await?;
    asked.check(&arguments)?;
    if !lines.is_empty() {
        arguments.insert("accept".to_owned(), json!(lines));
    }
    Ok((arguments, lines))
}

/// Names the accepted lines that are not questionable.
fn say_superfluous(lines: &[u64], outcome: &Outcome) {
    let parts = outcome.parts.iter().filter(|part| !part.doubts.is_empty());
    let questionable: Vec<_> = parts.filter_map(|part| part.line.map(u64::from)).collect();
    for line in lines.iter().filter(|line| !questionable.contains(line)) {
        warn(&format!("--accept {line}: line {line} is not questionable"));
    }
}

fn say_outcome(
    import: &Import,
    whole: &Whole,
    file: &Path,
    said: &Said,
    outcome: &Outcome,
) -> Result<(), Failure> {
    let notes = outcome.notes.iter().map(|note| format!("; {note}"));
    let notes: String = notes.collect();
    import.print(&format!("{}: {}{notes}", file.display(), whole.word))?;
    for (name, _, what) in said.columns.iter().filter(|(name, ..)| !name.is_empty()) {
        if let Some(what) = what {
            import.print(&format!("  {name} → {what}"))?;
        }
    }
    if said.open.sign.is_some() {
        import.print(
            "Give --negate yes if amounts without a minus are paid, otherwise --negate no",
        )?;
    }
    let parts = outcome.parts.iter().map(|part| Shown {
        word: part.word,
        line: part.line.map(u64::from),
        text: part.text.clone(),
        hint: match (part.word, part.line) {
            ("questionable", Some(line)) => format!(" (--accept {line} imports it)"),
            _ => String::new(),
        },
    });
    import.say_all(&parts.collect::<Vec<_>>(), &USUAL)
}

/// Whether a part with this outcome is not imported.
fn is_left(word: &str) -> bool {
    ["questionable", "wrong"].contains(&word)
}
