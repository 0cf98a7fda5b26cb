//! Commands of the user's own for the selected record.

use frontdesk_client::config::commands::{Argument, Piece};
use serde_json::Value;

use super::menu::Item;
use super::{ShowsRecords, shown};
use crate::app::cx::{Cx, Out};
use crate::app::effects::curl::quoted;
use crate::app::input::chord::Chord;
use crate::app::own;
use crate::app::settings::OwnCommand;
use crate::app::shared::Shared;
use crate::app::state::State;
use crate::fields::title;
use crate::look::mark::Mark;
use crate::look::text::{cells, clean, fit};
use crate::records::kind::Kind;
use crate::records::record::Record;
use crate::ui::confirm::Confirm;

/// How much of an argument the question shows, in cells.
const SHOWN: usize = 240;

/// The command that waits for the answer to its question.
#[derive(Debug, Clone)]
struct Asked {
    name: String,
    line: Vec<String>,
}

/// The places of the commands for the selected record.
pub(crate) fn here(state: &State) -> Vec<usize> {
    let current = shown(state).and_then(|screen| screen.current());
    let kind = current.map(|(kind, _)| kind);
    kind.map_or_else(Vec::new, |kind| of_kind(kind, &state.shared).collect())
}

fn of_kind<'a>(kind: &'a Kind, shared: &'a Shared) -> impl Iterator<Item = usize> + 'a {
    let all = shared.settings.own.iter().enumerate();
    all.filter(|(_, own)| own.is_for(&kind.peer, &kind.id))
        .map(|(at, _)| at)
}

/// The items of these commands in the menu of actions.
pub(super) fn items(kind: &'static Kind, record: &Record, shared: &Shared) -> Vec<Item> {
    let own = of_kind(kind, shared).filter_map(|at| {
        let own = shared.settings.own.get(at)?;
        let record = record.clone();
        let run = move |_: &mut dyn ShowsRecords, cx: &mut Cx| ask(cx, at, kind, &record);
        let letter = own.key.filter(|chord| chord.is_text());
        Some(Item {
            letter: letter.and_then(|chord| chord.to_string().chars().next()),
            ..Item::new(format!("{}…", clean(&own.name)), run)
        })
    });
    own.collect()
}

/// Runs the command with this key for the selected record. Returns whether there is one.
pub(crate) fn press(state: &mut State, out: &mut Out, chord: Chord) -> bool {
    let own = &state.shared.settings.own;
    let at = here(state)
        .into_iter()
        .find(|at| own.get(*at).is_some_and(|own| own.key == Some(chord)));
    let is_own = at.is_some();
    if let Some(at) = at {
        ask_here(state, out, at);
    }
    is_own
}

/// Asks whether to run a command for the selected record.
pub(crate) fn ask_here(state: &mut State, out: &mut Out, at: usize) {
    let current = shown(state).and_then(|screen| screen.current());
    if let Some((kind, record)) = current.map(|(kind, record)| (kind, record.clone())) {
        ask(&mut state.cx(out), at, kind, &record);
    }
}

/// Shows the whole command, and runs it after a confirmation: its values come from a server.
fn ask(cx: &mut Cx, at: usize, kind: &Kind, record: &Record) {
    let Some(own) = cx.shared.settings.own.get(at) else {
        return;
    };
    let name = own.name.clone();
    let line = match line(own, kind, record) {
        Ok(line) => line,
        Err(reason) => {
            let words = format!("{} not run: {reason}", clean(&name));
            return cx.toast(Mark::Warn, words);
        }
    };
    let words: Vec<String> = line.iter().map(|word| for_reader(word)).collect();
    let body = format!(
        "{}\n\nIt runs on this machine, for “{}”.",
        words.join(" "),
        record.label(kind)
    );
    cx.shared.services.insert(Asked {
        name: name.clone(),
        line,
    });
    cx.raise(Confirm {
        title: format!("Run “{}”?", clean(&name)),
        body,
        then: |state, out| {
            if let Some(asked) = state.shared.services.remove::<Asked>() {
                own::run(&mut state.cx(out), asked.name, asked.line);
            }
        },
    });
}

/// The program and its arguments for a record.
///
/// # Errors
/// A field without a value, or a value that the program could take for an option.
fn line(own: &OwnCommand, kind: &Kind, record: &Record) -> Result<Vec<String>, String> {
    let mut is_behind = false;
    let mut line = Vec::new();
    for argument in &own.run {
        let word = filled(argument, kind, record)?;
        let is_value = matches!(argument.0.first(), Some(Piece::Field(_)));
        if is_value && !is_behind && word.starts_with('-') {
            return Err(format!(
                "{} could be taken for an option; write \"--\" before it in `run` if the program \
                 knows that",
                for_reader(&word)
            ));
        }
        is_behind |= word == "--";
        line.push(word);
    }
    Ok(line)
}

fn filled(argument: &Argument, kind: &Kind, record: &Record) -> Result<String, String> {
    let mut word = String::new();
    for piece in &argument.0 {
        match piece {
            Piece::Text(text) => word.push_str(text),
            Piece::Field(name) => word.push_str(&value(name, kind, record)?),
        }
    }
    Ok(word)
}

/// The value of a field as an argument: texts as they are, everything else as JSON.
fn value(name: &str, kind: &Kind, record: &Record) -> Result<String, String> {
    match record.get(name) {
        Value::Null if kind.field(name).is_none() => {
            Err(format!("{} have no field `{name}`", kind.many))
        }
        Value::Null => Err(format!(
            "“{}” has no {}",
            record.label(kind),
            title(name).to_lowercase()
        )),
        Value::String(text) if text.contains('\0') => Err(format!(
            "{} has a character that no program gets",
            title(name)
        )),
        Value::String(text) => Ok(text.clone()),
        other => Ok(other.to_string()),
    }
}

/// An argument as the question shows it: quoted, on one line, and cut with its length.
fn for_reader(word: &str) -> String {
    let quoted = quoted(word).replace('\n', "⏎");
    let safe = clean(&quoted);
    match cells(&safe) <= SHOWN {
        true => safe.into_owned(),
        false => {
            let letters = word.chars().count();
            format!("{} ({letters} characters)", fit(&safe, SHOWN))
        }
    }
}
