//! The commands for records of any kind.

use super::Records;
use crate::app::input::command::{Command, Context, LIST};
use crate::app::state::{State, Typing};

/// Lists of records.
pub(crate) static RECORDS: Context = Context::above("Records", &LIST).general();
/// Boards.
pub(crate) static BOARD: Context = Context::above("Boards", &RECORDS);
/// Trees.
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
        "Edit this record",
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
        "Actions",
        &["space", "."],
        |state, out| state.act::<Records>(out, Records::open_actions),
    )
    .hint("more")
    .unless(|state| match screen(state)?.current() {
        None => Some("nothing selected".to_owned()),
        Some((kind, _)) => kind
            .takers()
            .next()
            .is_none()
            .then(|| format!("{} have no actions", kind.many)),
    }),
    Command::new(
        &RECORDS,
        "record.filter",
        "Filter the list",
        &["f"],
        |state, out| state.act::<Records>(out, Records::open_filters),
    )
    .hint("filter")
    .unless(|state| screen(state)?.no_filter(&state.shared)),
    Command::new(
        &RECORDS,
        "record.board",
        "Switch between list and cards",
        &["b"],
        |state, out| state.act::<Records>(out, Records::turn_board),
    )
    .unless(|state| screen(state)?.no_board(&state.shared)),
    Command::new(
        &RECORDS,
        "record.tree",
        "Toggle the tree",
        &["t"],
        |state, out| state.act::<Records>(out, Records::turn_tree),
    )
    .unless(|state| screen(state)?.no_tree()),
    Command::new(
        &TREE,
        "tree.unfold",
        "Unfold, or go to the first child",
        &["right", "l"],
        |state, out| state.act::<Records>(out, |screen, cx| screen.unfold(cx, true)),
    )
    .over("record.next_tab")
    .hint("unfold"),
    Command::new(
        &TREE,
        "tree.fold",
        "Fold, or go to the parent",
        &["left", "h"],
        |state, out| state.act::<Records>(out, |screen, cx| screen.unfold(cx, false)),
    )
    .over("record.previous_tab")
    .hint("fold"),
    Command::new(
        &TREE,
        "tree.state",
        "Set the state of the selected record",
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
        "Move the selected record down",
        &["J", "shift-down"],
        |state, out| state.act::<Records>(out, |screen, cx| screen.shift(cx, 1)),
    )
    .writes()
    .unless(|state| screen(state)?.no_shift(&state.shared)),
    Command::new(
        &TREE,
        "tree.up",
        "Move the selected record up",
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
        "Go to the previous column",
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
        "Move the card to the previous column",
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
        "Show records that are not on the board",
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
    // In the search field, enter only leaves the field.
    let is_typing = state.typing() == Typing::Yes;
    match screen.list() {
        _ if is_typing => None,
        Some(_) if screen.current().is_some() => None,
        // The root of a tree is already open.
        None if screen.tree().is_some_and(|tree| !tree.is_at_root()) => None,
        _ => Some("nothing selected".to_owned()),
    }
}

fn no_tabs(state: &State) -> Option<String> {
    let tabs = screen(state)?.tabs.len();
    (tabs < 2).then(|| "there is only one tab".to_owned())
}
