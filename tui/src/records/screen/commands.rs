//! What one can do with records of any kind.

use super::Records;
use crate::app::command::{Command, Context, LIST};
use crate::app::state::{State, Typing};

/// Where there are records.
pub(crate) static RECORDS: Context = Context::above("Records", &LIST).general();
/// Where records are cards.
pub(crate) static BOARD: Context = Context::above("Boards", &RECORDS);
/// Where records stand below what they belong to.
pub(crate) static TREE: Context = Context::above("Trees of records", &RECORDS);

/// The commands of every kind of record.
pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        &RECORDS,
        "record.open",
        "Open the selected record",
        &["enter"],
        |state, out| state.act::<Records>(out, Records::open),
    )
    .hint("open")
    .unless(no_row),
    Command::new(
        &RECORDS,
        "record.next_tab",
        "Next tab",
        &["tab", "right", "l"],
        |state, out| state.act::<Records>(out, |screen, cx| screen.turn(cx, 1)),
    )
    .hint("next tab")
    .unless(no_tabs),
    Command::new(
        &RECORDS,
        "record.previous_tab",
        "Previous tab",
        &["backtab", "left", "h"],
        |state, out| state.act::<Records>(out, |screen, cx| screen.turn(cx, -1)),
    )
    .unless(no_tabs),
    Command::new(
        &RECORDS,
        "record.add",
        "Add a record",
        &["a"],
        |state, out| state.act::<Records>(out, Records::add),
    )
    .writes()
    .hint("add")
    .unless(|state| screen(state)?.no_add(&state.shared)),
    Command::new(
        &RECORDS,
        "record.edit",
        "Edit the selected record",
        &["e"],
        |state, out| state.act::<Records>(out, Records::edit),
    )
    .writes()
    .hint("edit")
    .unless(|state| screen(state)?.no_edit(&state.shared)),
    Command::new(
        &RECORDS,
        "record.edit_this",
        "Edit the record that the screen is about",
        &["E"],
        |state, out| state.act::<Records>(out, Records::edit_subject),
    )
    .writes()
    .unless(|state| screen(state)?.no_edit_subject(&state.shared)),
    Command::new(
        &RECORDS,
        "record.delete",
        "Delete the selected record",
        &["d"],
        |state, out| state.act::<Records>(out, Records::delete),
    )
    .danger()
    .unless(|state| screen(state)?.no_delete(&state.shared)),
    Command::new(
        &RECORDS,
        "record.actions",
        "All that can be done with the selected record",
        &["space", "."],
        |state, out| state.act::<Records>(out, Records::open_actions),
    )
    .hint("more")
    .unless(|state| match screen(state)?.current() {
        None => Some("no record is selected".to_owned()),
        Some((kind, _)) => kind
            .takers()
            .next()
            .is_none()
            .then(|| format!("no tool does anything with {}", kind.many)),
    }),
    Command::new(
        &RECORDS,
        "record.filter",
        "Narrow the list",
        &["f"],
        |state, out| state.act::<Records>(out, Records::open_filters),
    )
    .hint("filter")
    .unless(|state| screen(state)?.no_filter(&state.shared)),
    Command::new(
        &RECORDS,
        "record.board",
        "Show the records as cards by their state, or as a list again",
        &["b"],
        |state, out| state.act::<Records>(out, Records::turn_board),
    )
    .unless(|state| screen(state)?.no_board(&state.shared)),
    Command::new(
        &RECORDS,
        "record.tree",
        "Show the record with all that belongs to it as a tree, or as before",
        &["t"],
        |state, out| state.act::<Records>(out, Records::turn_tree),
    )
    .unless(|state| screen(state)?.no_tree()),
    Command::new(
        &TREE,
        "tree.unfold",
        "Unfold what is selected, or go into it",
        &["right", "l"],
        |state, out| state.act::<Records>(out, |screen, cx| screen.unfold(cx, true)),
    )
    .over("record.next_tab")
    .hint("unfold"),
    Command::new(
        &TREE,
        "tree.fold",
        "Fold what is selected, or go to what it is in",
        &["left", "h"],
        |state, out| state.act::<Records>(out, |screen, cx| screen.unfold(cx, false)),
    )
    .over("record.previous_tab")
    .hint("fold"),
    Command::new(
        &TREE,
        "tree.state",
        "Set the state of what is selected",
        &["s"],
        |state, out| state.act::<Records>(out, Records::open_states),
    )
    .over("list.sort")
    .writes()
    .hint("state")
    .unless(|state| screen(state)?.no_states(&state.shared)),
    Command::new(
        &TREE,
        "tree.down",
        "Move what is selected down among those beside it",
        &["J", "shift-down"],
        |state, out| state.act::<Records>(out, |screen, cx| screen.shift(cx, 1)),
    )
    .writes()
    .unless(|state| screen(state)?.no_shift(&state.shared)),
    Command::new(
        &TREE,
        "tree.up",
        "Move what is selected up among those beside it",
        &["K", "shift-up"],
        |state, out| state.act::<Records>(out, |screen, cx| screen.shift(cx, -1)),
    )
    .writes()
    .hint("move")
    .unless(|state| screen(state)?.no_shift(&state.shared)),
    Command::new(
        &BOARD,
        "board.right",
        "Go to the next column",
        &["tab", "right", "l"],
        |state, out| state.act::<Records>(out, |screen, _| screen.step_column(1)),
    )
    .over("record.next_tab")
    .hint("next column"),
    Command::new(
        &BOARD,
        "board.left",
        "Go to the column before",
        &["backtab", "left", "h"],
        |state, out| state.act::<Records>(out, |screen, _| screen.step_column(-1)),
    )
    .over("record.previous_tab"),
    Command::new(
        &BOARD,
        "board.move_right",
        "Move the card to the next column",
        &[">", "L", "shift-right"],
        |state, out| state.act::<Records>(out, |screen, cx| screen.move_card(cx, 1)),
    )
    .writes()
    .hint("move on")
    .unless(|state| screen(state)?.no_edit(&state.shared)),
    Command::new(
        &BOARD,
        "board.move_left",
        "Move the card to the column before",
        &["<", "H", "shift-left"],
        |state, out| state.act::<Records>(out, |screen, cx| screen.move_card(cx, -1)),
    )
    .writes()
    .hint("move back")
    .unless(|state| screen(state)?.no_edit(&state.shared)),
    Command::new(
        &BOARD,
        "board.state",
        "Set the state of the selected card",
        &["s"],
        |state, out| state.act::<Records>(out, Records::open_states),
    )
    .over("list.sort")
    .writes()
    .hint("state")
    .unless(|state| screen(state)?.no_states(&state.shared)),
    Command::new(
        &BOARD,
        "board.left_out",
        "Show what is not on the board",
        &["o"],
        |state, out| state.act::<Records>(out, Records::turn_left_out),
    )
    .unless(|state| screen(state)?.no_left_out()),
];

fn screen(state: &State) -> Option<&Records> {
    state.shows::<Records>()
}

fn no_row(state: &State) -> Option<String> {
    let screen = screen(state)?;
    // In the search field Enter only leaves the field.
    let is_typing = state.typing() == Typing::Yes;
    match screen.list() {
        _ if is_typing => None,
        Some(_) if screen.current().is_some() => None,
        // What the screen is about is open already.
        None if screen.tree().is_some_and(|tree| !tree.is_at_root()) => None,
        _ => Some("no record is selected".to_owned()),
    }
}

fn no_tabs(state: &State) -> Option<String> {
    let tabs = screen(state)?.tabs.len();
    (tabs < 2).then(|| "there is one list only".to_owned())
}
