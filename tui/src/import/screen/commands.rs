//! The commands of imports of spreadsheets.

use super::{IMPORT, ImportScreen, ask, no_import};
use crate::app::input::command::commands;
use crate::app::state::State;
use crate::record_screens::{act, obstacle};
use crate::records::contexts::RECORDS;

commands! {
    pub(crate) const COMMANDS;

    RECORDS: "record.import", ["I"], "Import a spreadsheet", run |state, out| act(state, out, ask),
        writes, opens, unless(|state| obstacle(state, no_import));
    IMPORT: "import.run", ["ctrl-y"], "Import the rows", act ImportScreen::import, writes,
        hint("import"), lacks(ImportScreen::no_import);
    IMPORT: "import.argument", ["space", "right", "l"],
        "Choose another argument for the selected column",
        act |screen: &mut ImportScreen, cx| screen.turn(cx, 1), hint("argument"),
        unless(no_columns);
    IMPORT: "import.previous_argument", ["left", "h"],
        "Choose the previous argument for the selected column",
        act |screen: &mut ImportScreen, cx| screen.turn(cx, -1), unless(no_columns);
    IMPORT: "import.key", ["k"], "Match rows with records by the selected column",
        act ImportScreen::turn_key, over("list.previous"), hint("match by it"), unless(no_columns);
    IMPORT: "import.pane", ["tab"], "Next part: rows, or columns",
        act |screen: &mut ImportScreen, _| screen.is_at_rows ^= true, hint("rows"),
        hint_here(|state| {
            let screen = state.shows::<ImportScreen>()?;
            Some(if screen.is_at_rows { "columns" } else { "rows" }.to_owned())
        }), unless(no_columns);
    IMPORT: "import.encoding", ["e"], "Read the file in the next encoding, or the next sheet",
        act ImportScreen::turn_encoding, unless(no_columns);
    IMPORT: "import.dates", ["d"], "Read dates such as 3/4/2027 with the day first, or the month",
        act ImportScreen::turn_dates, unless(no_columns);
    IMPORT: "import.decimals", ["n"],
        "Read numbers such as 1.250 with a decimal comma, or a point; amounts of a statement with the other sign",
        act ImportScreen::turn_decimals, unless(no_columns);
    IMPORT: "import.filter", ["f"], "Show only rows with the next outcome",
        act |screen: &mut ImportScreen, _| screen.filter(), hint("filter");
    IMPORT: "import.accept", ["y"], "Import the selected questionable row, or not",
        act |screen: &mut ImportScreen, _| screen.accept(false), hint("accept"),
        lacks(ImportScreen::no_doubt);
    IMPORT: "import.accept_kind", ["Y"], "Import all questionable rows of this kind, or not",
        act |screen: &mut ImportScreen, _| screen.accept(true), hint("accept all such"),
        lacks(ImportScreen::no_doubt);
}

/// Why there are no columns to choose from.
fn no_columns(state: &State) -> Option<String> {
    let whole = state
        .shows::<ImportScreen>()?
        .job
        .whole
        .filter(|whole| !whole.is_table)?;
    Some(format!("a {} has no columns to choose", whole.word))
}
