//! The commands for records of any kind.

use super::{
    ListScreen, ShowsRecords, act, acting, actions, adding, arranging, export, marked, saving,
    shown,
};
use crate::app::input::command::Command;
use crate::app::shared::Shared;
use crate::app::state::{State, Typing};
use crate::records::contexts::{BOARD, RECORDS, TREE};
use crate::records::tree::Tree;

/// The steps that the border between lists and facts can be moved, in each direction.
const FARTHEST: i16 = 6;

/// The commands of every kind of record.
pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        &RECORDS,
        "record.open",
        "Open the selected record",
        &["enter"],
        |state, out| act(state, out, acting::open_selected),
    )
    .hint("open")
    .unless(no_row),
    Command::new(
        &RECORDS,
        "record.next_tab",
        "Next tab",
        &["tab", "right", "l"],
        |state, out| act(state, out, |screen, cx| screen.turn(cx, 1)),
    )
    .hint("next tab")
    .unless(no_tabs),
    Command::new(
        &RECORDS,
        "record.previous_tab",
        "Previous tab",
        &["backtab", "left", "h"],
        |state, out| act(state, out, |screen, cx| screen.turn(cx, -1)),
    )
    .unless(no_tabs),
    Command::new(
        &RECORDS,
        "record.add",
        "Add what belongs here",
        &["a"],
        |state, out| act(state, out, adding::add),
    )
    .writes()
    .opens()
    .hint("add")
    .hint_here(|state| adding::adds(shown(state)?, &state.shared))
    .unless(|state| obstacle(state, adding::no_add)),
    Command::new(
        &RECORDS,
        "record.edit",
        "Edit the selected record",
        &["e"],
        |state, out| act(state, out, acting::edit),
    )
    .writes()
    .opens()
    .hint("edit")
    .hint_here(|state| Some(format!("edit {}", marked::marked(shown(state)?)?.words())))
    .unless(|state| obstacle(state, acting::no_edit)),
    Command::new(
        &RECORDS,
        "record.edit_this",
        "Edit this record",
        &["E"],
        |state, out| act(state, out, acting::edit_subject),
    )
    .writes()
    .opens()
    .unless(|state| obstacle(state, acting::no_edit_subject)),
    Command::new(
        &RECORDS,
        "record.assign",
        "Assign the selected record to a member",
        &["A"],
        |state, out| act(state, out, acting::assign),
    )
    .writes()
    .opens()
    .hint("assign")
    .unless(|state| obstacle(state, acting::no_assign)),
    Command::new(
        &RECORDS,
        "record.link",
        "Open the link of the selected record in the browser, and copy it",
        &["o"],
        |state, out| act(state, out, export::open_link),
    )
    .hint("open link")
    .unless(|state| export::no_link(shown(state)?)),
    Command::new(
        &RECORDS,
        "record.delete",
        "Delete the selected record",
        &["d"],
        |state, out| act(state, out, acting::delete),
    )
    .danger()
    .opens()
    .unless(|state| obstacle(state, acting::no_delete)),
    Command::new(
        &RECORDS,
        "record.state",
        "Set the state of the selected record",
        &["="],
        |state, out| act(state, out, acting::open_states),
    )
    .writes()
    .opens()
    .hint("state")
    .unless(|state| obstacle(state, acting::no_states)),
    Command::new(
        &RECORDS,
        "record.actions",
        "Actions",
        &["space", "."],
        |state, out| act(state, out, actions::open_actions),
    )
    .hint("more")
    .hint_here(|state| {
        Some(format!(
            "actions for {}",
            marked::marked(shown(state)?)?.words()
        ))
    })
    .unless(|state| obstacle(state, actions::no_actions)),
    Command::new(
        &RECORDS,
        "record.hide_facts",
        "Show or hide the facts beside or below lists",
        &["V"],
        |state, _| state.shared.hides_facts = !state.shared.hides_facts,
    ),
    Command::new(
        &RECORDS,
        "record.facts_more",
        "More room for the facts beside or below the list",
        &["<"],
        |state, _| move_border(state, -1),
    )
    .unless(no_border),
    Command::new(
        &RECORDS,
        "record.facts_less",
        "More room for the list, less for the facts",
        &[">"],
        |state, _| move_border(state, 1),
    )
    .unless(no_border),
    Command::new(
        &RECORDS,
        "record.filter",
        "Filter the list",
        &["f"],
        |state, out| act(state, out, acting::open_filters),
    )
    .hint("filter")
    .unless(|state| obstacle(state, acting::no_filter)),
    Command::new(
        &RECORDS,
        "record.save_list",
        "Save the filtered list as a section of Home",
        &["F"],
        |state, out| act(state, out, saving::ask),
    )
    .unless(saving::no_saving),
    Command::new(
        &RECORDS,
        "record.mark",
        "Mark the selected record: actions apply to all marked ones",
        &["m"],
        |state, out| act(state, out, marked::mark),
    )
    .hint("mark")
    .unless(|state| obstacle(state, marked::no_mark)),
    Command::new(
        &RECORDS,
        "record.mark_range",
        "Mark all from the last marked record to the selected one",
        &["M"],
        |state, out| act(state, out, marked::mark_range),
    )
    .unless(|state| obstacle(state, marked::no_mark)),
    Command::new(
        &RECORDS,
        "record.mark_all",
        "Mark all records that match, or remove all marks",
        &["*"],
        |state, out| act(state, out, marked::mark_all),
    )
    .unless(|state| obstacle(state, marked::no_mark)),
    Command::new(
        &RECORDS,
        "record.copy",
        "Copy the id, a row, a link or the record",
        &["y"],
        |state, out| act(state, out, export::open_copy),
    )
    .unless(no_row),
    Command::new(
        &RECORDS,
        "record.export",
        "Export the whole list to a file or the clipboard",
        &["X"],
        |state, out| act(state, out, export::open_export),
    )
    .unless(|state| export::no_export(shown(state)?)),
    Command::new(
        &RECORDS,
        "record.columns",
        "Choose the columns of the list",
        &["|"],
        |state, out| act(state, out, arranging::open),
    )
    .unless(|state| arranging::no_columns(shown(state)?)),
    Command::new(
        &RECORDS,
        "record.board",
        "Switch between list and cards",
        &["b"],
        |state, out| act(state, out, acting::turn_board),
    )
    .unless(|state| obstacle(state, acting::no_board)),
    Command::new(
        &RECORDS,
        "record.tree",
        "Toggle the tree",
        &["t"],
        |state, out| act(state, out, |screen, cx| screen.turn_tree(cx)),
    )
    .unless(|state| acting::no_tree(shown(state)?)),
    Command::new(
        &TREE,
        "tree.unfold",
        "Unfold, or go to the first child",
        &["right", "l"],
        |state, out| act(state, out, |screen, cx| acting::unfold(screen, cx, true)),
    )
    .over("record.next_tab"),
    Command::new(
        &TREE,
        "tree.fold",
        "Fold, or go to the parent",
        &["left", "h"],
        |state, out| act(state, out, |screen, cx| acting::unfold(screen, cx, false)),
    )
    .over("record.previous_tab"),
    Command::new(
        &TREE,
        "tree.down",
        "Move the selected record down",
        &["J", "shift-down"],
        |state, out| act(state, out, |screen, cx| acting::shift(screen, cx, 1)),
    )
    .writes()
    .unless(|state| obstacle(state, acting::no_shift)),
    Command::new(
        &TREE,
        "tree.up",
        "Move the selected record up",
        &["K", "shift-up"],
        |state, out| act(state, out, |screen, cx| acting::shift(screen, cx, -1)),
    )
    .writes()
    .hint("move")
    .hinted_if(|state| shown(state).is_some_and(|screen| screen.tree().is_some()))
    .unless(|state| obstacle(state, acting::no_shift)),
    Command::new(
        &BOARD,
        "board.right",
        "Next column",
        &["tab", "right", "l"],
        |state, out| state.act::<ListScreen>(out, |screen, _| screen.step_column(1)),
    )
    .over("record.next_tab")
    .hint("next column"),
    Command::new(
        &BOARD,
        "board.left",
        "Previous column",
        &["backtab", "left", "h"],
        |state, out| state.act::<ListScreen>(out, |screen, _| screen.step_column(-1)),
    )
    .over("record.previous_tab"),
    Command::new(
        &BOARD,
        "board.move_right",
        "Move the card to the next column",
        &["L", "shift-right"],
        |state, out| state.act::<ListScreen>(out, |screen, cx| screen.move_card(cx, 1)),
    )
    .writes()
    .over("record.facts_less")
    .hint("move on")
    .unless(|state| obstacle(state, acting::no_edit)),
    Command::new(
        &BOARD,
        "board.move_left",
        "Move the card to the previous column",
        &["H", "shift-left"],
        |state, out| state.act::<ListScreen>(out, |screen, cx| screen.move_card(cx, -1)),
    )
    .writes()
    .over("record.facts_more")
    .hint("move back")
    .unless(|state| obstacle(state, acting::no_edit)),
    Command::new(
        &BOARD,
        "board.left_out",
        "Show records that are not on the board",
        &["o"],
        |state, out| {
            state.act::<ListScreen>(out, |screen, cx| screen.turn_left_out(cx.shared));
        },
    )
    .over("record.link")
    .unless(|state| state.shows::<ListScreen>()?.no_left_out()),
];

/// Why the visible screen of records refuses.
pub(crate) fn obstacle(
    state: &State,
    why: fn(&dyn ShowsRecords, &Shared) -> Option<String>,
) -> Option<String> {
    why(shown(state)?, &state.shared)
}

/// Moves the border between lists and facts, for the rest of the session.
fn move_border(state: &mut State, by: i16) {
    let shared = &mut state.shared;
    // The first step only shows what was hidden.
    if !std::mem::take(&mut shared.hides_facts) {
        shared.facts_border = (shared.facts_border + by).clamp(-FARTHEST, FARTHEST);
    }
}

fn no_border(state: &State) -> Option<String> {
    let screen = shown(state)?;
    let is_list = screen.list().is_some() && !screen.is_board();
    (!is_list).then(|| "there are no facts beside it".to_owned())
}

fn no_row(state: &State) -> Option<String> {
    let screen = shown(state)?;
    if screen.tree().is_some_and(Tree::is_at_root) {
        return Some("this record is open already".to_owned());
    }
    let can_open = match (screen.tree(), screen.list()) {
        (Some(_), _) => true,
        (None, Some(_)) => screen.current().is_some(),
        (None, None) => false,
    };
    // In the search field, enter only leaves the field.
    let is_fine = can_open || state.typing() == Typing::Yes;
    (!is_fine).then(|| "nothing selected".to_owned())
}

fn no_tabs(state: &State) -> Option<String> {
    let tabs = shown(state)?.tabs();
    (tabs < 2).then(|| "there is only one tab".to_owned())
}
