//! The commands of imports of spreadsheets.

use super::{IMPORT, ImportScreen, ask, no_import};
use crate::app::input::command::Command;
use crate::app::state::State;
use crate::record_screens::{act, obstacle};
use crate::records::contexts::RECORDS;

pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        &RECORDS,
        "record.import",
        "Import a spreadsheet",
        &["I"],
        |state, out| act(state, out, ask),
    )
    .writes()
    .opens()
    .unless(|state| obstacle(state, no_import)),
    Command::new(
        &IMPORT,
        "import.run",
        "Import the rows",
        &["ctrl-y"],
        |state, out| state.act::<ImportScreen>(out, ImportScreen::import),
    )
    .writes()
    .hint("import")
    .unless(|state| state.shows::<ImportScreen>()?.no_import()),
    Command::new(
        &IMPORT,
        "import.argument",
        "Choose another argument for the selected column",
        &["space", "right", "l"],
        |state, out| state.act::<ImportScreen>(out, |screen, cx| screen.turn(cx, 1)),
    )
    .hint("argument")
    .unless(no_columns),
    Command::new(
        &IMPORT,
        "import.previous_argument",
        "Choose the previous argument for the selected column",
        &["left", "h"],
        |state, out| state.act::<ImportScreen>(out, |screen, cx| screen.turn(cx, -1)),
    )
    .unless(no_columns),
    Command::new(
        &IMPORT,
        "import.key",
        "Match rows with records by the selected column",
        &["k"],
        |state, out| state.act::<ImportScreen>(out, ImportScreen::turn_key),
    )
    .over("list.previous")
    .hint("match by it")
    .unless(no_columns),
    Command::new(
        &IMPORT,
        "import.pane",
        "Next part: rows, or columns",
        &["tab"],
        |state, out| state.act::<ImportScreen>(out, |screen, _| screen.is_at_rows ^= true),
    )
    .hint("rows")
    .hint_here(|state| {
        let screen = state.shows::<ImportScreen>()?;
        Some(if screen.is_at_rows { "columns" } else { "rows" }.to_owned())
    })
    .unless(no_columns),
    Command::new(
        &IMPORT,
        "import.encoding",
        "Read the file in the next encoding, or the next sheet",
        &["e"],
        |state, out| state.act::<ImportScreen>(out, ImportScreen::turn_encoding),
    )
    .unless(no_columns),
    Command::new(
        &IMPORT,
        "import.dates",
        "Read dates such as 3/4/2027 with the day first, or the month",
        &["d"],
        |state, out| state.act::<ImportScreen>(out, ImportScreen::turn_dates),
    )
    .unless(no_columns),
    Command::new(
        &IMPORT,
        "import.decimals",
        "Read numbers such as 1.250 with a decimal comma, or a decimal point",
        &["n"],
        |state, out| state.act::<ImportScreen>(out, ImportScreen::turn_decimals),
    )
    .unless(no_columns),
    Command::new(
        &IMPORT,
        "import.filter",
        "Show only rows with the next outcome",
        &["f"],
        |state, out| state.act::<ImportScreen>(out, |screen, _| screen.filter()),
    )
    .hint("filter"),
    Command::new(
        &IMPORT,
        "import.accept",
        "Import the selected questionable row, or not",
        &["y"],
        |state, out| state.act::<ImportScreen>(out, |screen, _| screen.accept(false)),
    )
    .hint("accept")
    .unless(|state| state.shows::<ImportScreen>()?.no_doubt()),
    Command::new(
        &IMPORT,
        "import.accept_kind",
        "Import all questionable rows of this kind, or not",
        &["Y"],
        |state, out| state.act::<ImportScreen>(out, |screen, _| screen.accept(true)),
    )
    .hint("accept all such")
    .unless(|state| state.shows::<ImportScreen>()?.no_doubt()),
];

/// Why there are no columns to choose from.
fn no_columns(state: &State) -> Option<String> {
    let whole = state.shows::<ImportScreen>()?.job.whole?;
    Some(format!("a {} has no columns to choose", whole.word))
}
