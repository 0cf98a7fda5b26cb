//! Files that one call imports: a calendar, a bank's statement.

use std::cell::Cell;
use std::path::Path;

use frontdesk::import::{Outcome, WHOLE, Whole};
use frontdesk_client::CallError;
use frontdesk_protocol::mcp::CallMeta;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{Import, Shown};
use crate::cli::call::AskedTool;
use crate::cli::call::arguments::Given;
use crate::cli::options::Options;
use crate::cli::terminal::is_yes;
use crate::cli::{Failure, callee, say, say_json, warn};

/// The outcomes of parts that are shown before the question.
const USUAL: [&str; 3] = ["add", "questionable", "wrong"];

/// Shows what the file would do, asks, and imports it.
pub(super) async fn import(import: &Import, options: &Options) -> Result<(), Failure> {
    let whole = named(&import.host)?;
    let file = Path::new(&import.tool);
    let text = Whole::text(file).map_err(|error| Failure::sheet(file, error))?;
    let callee = &callee::find(options, whole.host.area(), None)?;
    let asked = AskedTool {
        callee,
        tool: whole.tool,
        is_pending: &Cell::new(false),
    };
    let (arguments, lines) = arguments(import, whole, &asked, &text).await?;
    let mut tried = arguments.clone();
    tried.insert("dry_run".to_owned(), true.into());
    let value = value(&asked, tried, CallMeta::default()).await?;
    let outcome = whole.outcome(&value, true)?;
    import.can_ask()?;
    say_superfluous(&lines, &outcome);
    match (import.is_json.get(), import.yes && !import.dry_run) {
        (true, true) => {}
        (true, false) => say_json(&value)?,
        (false, _) => say_outcome(import, whole, file, &outcome)?,
    }
    let question = format!("Import {}? [y/N] ", file.display());
    if import.dry_run {
        import.print(&format!("Tried: {} would be added", outcome.added))?;
    } else if import.yes || is_yes(&question).await? {
        let meta = CallMeta {
            idempotency_key: Some(format!("command-{}", Uuid::new_v4())),
            ..CallMeta::default()
        };
        let value = self::value(&asked, arguments, meta).await?;
        match import.is_json.get() {
            true => say_json(&value)?,
            false => say(&format!(
                "Imported: {} added",
                whole.outcome(&value, false)?.added
            ))?,
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
    text: &str,
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
    given.add(whole.argument, text);
    let mut arguments = asked.arguments(given, &schema).await?;
    asked.check(&arguments)?;
    if !lines.is_empty() {
        arguments.insert("accept".to_owned(), json!(lines));
    }
    Ok((arguments, lines))
}

/// The result of a call that the tool does not refuse.
async fn value(
    asked: &AskedTool<'_>,
    arguments: Map<String, Value>,
    meta: CallMeta,
) -> Result<Value, Failure> {
    let result = asked.call(arguments, meta, false).await?;
    result
        .into_value()
        .map_err(|error: CallError| callee::failure(asked.callee, error))
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
    outcome: &Outcome,
) -> Result<(), Failure> {
    let notes = outcome.notes.iter().map(|note| format!("; {note}"));
    let notes: String = notes.collect();
    import.print(&format!("{}: {}{notes}", file.display(), whole.word))?;
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
