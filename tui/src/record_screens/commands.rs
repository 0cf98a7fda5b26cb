//! The commands for records of any kind.

use super::{
    ListScreen, ShowsRecords, act, acting, actions, adding, arranging, export, marked, saving,
    shown,
};
use crate::app::input::command::commands;
use crate::app::shared::Shared;
use crate::app::state::{State, Typing};
use crate::records::contexts::{BOARD, RECORDS, TREE};
use crate::records::tree::Tree;

/// The steps that the border between lists and facts can be moved, in each direction.
const FARTHEST: i16 = 6;

commands! {
    /// The commands of every kind of record.
    pub(crate) const COMMANDS;

    RECORDS: "record.open", ["enter"], "Open the selected record",
        run |state, out| act(state, out, acting::open_selected), hint("open"), unless(no_row);
    RECORDS: "record.next_tab", ["tab", "right", "l"], "Next tab",
        run |state, out| act(state, out, |screen, cx| screen.turn(cx, 1)), hint("next tab"),
        unless(no_tabs);
    RECORDS: "record.previous_tab", ["backtab", "left", "h"], "Previous tab",
        run |state, out| act(state, out, |screen, cx| screen.turn(cx, -1)), unless(no_tabs);
    RECORDS: "record.add", ["a"], "Add what belongs here",
        run |state, out| act(state, out, adding::add), writes, opens, hint("add"),
        hint_here(|state| adding::adds(shown(state)?, &state.shared)),
        unless(|state| obstacle(state, adding::no_add));
    RECORDS: "record.edit", ["e"], "Edit the selected record",
        run |state, out| act(state, out, acting::edit), writes, opens, hint("edit"),
        hint_here(|state| Some(format!("edit {}", marked::marked(shown(state)?)?.words()))),
        unless(|state| obstacle(state, acting::no_edit));
    RECORDS: "record.edit_this", ["E"], "Edit this record",
        run |state, out| act(state, out, acting::edit_subject), writes, opens,
        unless(|state| obstacle(state, acting::no_edit_subject));
    RECORDS: "record.assign", ["A"], "Assign the selected record to a member",
        run |state, out| act(state, out, acting::assign), writes, opens, hint("assign"),
        unless(|state| obstacle(state, acting::no_assign));
    RECORDS: "record.link", ["o"],
        "Open the link of the selected record in the browser, and copy it",
        run |state, out| act(state, out, export::open_link), hint("open link"),
        unless(|state| export::no_link(shown(state)?));
    RECORDS: "record.delete", ["d"], "Delete the selected record",
        run |state, out| act(state, out, acting::delete), danger, opens,
        unless(|state| obstacle(state, acting::no_delete));
    RECORDS: "record.state", ["="], "Set the state of the selected record",
        run |state, out| act(state, out, acting::open_states), writes, opens, hint("state"),
        unless(|state| obstacle(state, acting::no_states));
    RECORDS: "record.actions", ["space", "."], "Actions",
        run |state, out| act(state, out, actions::open_actions), hint("more"),
        hint_here(|state| {
            Some(format!(
                "actions for {}",
                marked::marked(shown(state)?)?.words()
            ))
        }), unless(|state| obstacle(state, actions::no_actions));
    RECORDS: "record.hide_facts", ["V"], "Show or hide the facts beside or below lists",
        run |state, _| state.shared.hides_facts = !state.shared.hides_facts;
    RECORDS: "record.facts_more", ["<"], "More room for the facts beside or below the list",
        run |state, _| move_border(state, -1), unless(no_border);
    RECORDS: "record.facts_less", [">"], "More room for the list, less for the facts",
        run |state, _| move_border(state, 1), unless(no_border);
    RECORDS: "record.filter", ["f"], "Filter the list",
        run |state, out| act(state, out, acting::open_filters), hint("filter"),
        unless(|state| obstacle(state, acting::no_filter));
    RECORDS: "record.save_list", ["F"], "Save the filtered list as a section of Home",
        run |state, out| act(state, out, saving::ask), unless(saving::no_saving);
    RECORDS: "record.mark", ["m"], "Mark the selected record: actions apply to all marked ones",
        run |state, out| act(state, out, marked::mark), hint("mark"),
        unless(|state| obstacle(state, marked::no_mark));
    RECORDS: "record.mark_range", ["M"], "Mark all from the last marked record to the selected one",
        run |state, out| act(state, out, marked::mark_range),
        unless(|state| obstacle(state, marked::no_mark));
    RECORDS: "record.mark_all", ["*"], "Mark all records that match, or remove all marks",
        run |state, out| act(state, out, marked::mark_all),
        unless(|state| obstacle(state, marked::no_mark));
    RECORDS: "record.copy", ["y"], "Copy the id, a row, a link or the record",
        run |state, out| act(state, out, export::open_copy), unless(no_row);
    RECORDS: "record.export", ["X"], "Export the whole list to a file or the clipboard",
        run |state, out| act(state, out, export::open_export),
        unless(|state| export::no_export(shown(state)?));
    RECORDS: "record.columns", ["|"], "Choose the columns of the list",
        run |state, out| act(state, out, arranging::open),
        unless(|state| arranging::no_columns(shown(state)?));
    RECORDS: "record.board", ["b"], "Switch between list and cards",
        run |state, out| act(state, out, acting::turn_board),
        unless(|state| obstacle(state, acting::no_board));
    RECORDS: "record.tree", ["t"], "Toggle the tree",
        run |state, out| act(state, out, |screen, cx| screen.turn_tree(cx)),
        unless(|state| acting::no_tree(shown(state)?));
    TREE: "tree.unfold", ["right", "l"], "Unfold, or go to the first child",
        run |state, out| act(state, out, |screen, cx| acting::unfold(screen, cx, true)),
        over("record.next_tab");
    TREE: "tree.fold", ["left", "h"], "Fold, or go to the parent",
        run |state, out| act(state, out, |screen, cx| acting::unfold(screen, cx, false)),
        over("record.previous_tab");
    TREE: "tree.down", ["J", "shift-down"], "Move the selected record down",
        run |state, out| act(state, out, |screen, cx| acting::shift(screen, cx, 1)), writes,
        unless(|state| obstacle(state, acting::no_shift));
    TREE: "tree.up", ["K", "shift-up"], "Move the selected record up",
        run |state, out| act(state, out, |screen, cx| acting::shift(screen, cx, -1)), writes,
        hint("move"), hinted_if(|state| shown(state).is_some_and(|screen| screen.tree().is_some())),
        unless(|state| obstacle(state, acting::no_shift));
    BOARD: "board.right", ["tab", "right", "l"], "Next column",
        act |screen: &mut ListScreen, _| screen.step_column(1), over("record.next_tab"),
        hint("next column");
    BOARD: "board.left", ["backtab", "left", "h"], "Previous column",
        act |screen: &mut ListScreen, _| screen.step_column(-1), over("record.previous_tab");
    BOARD: "board.move_right", ["L", "shift-right"], "Move the card to the next column",
        act |screen: &mut ListScreen, cx| screen.move_card(cx, 1), writes,
        over("record.facts_less"), hint("move on"),
        unless(|state| obstacle(state, acting::no_edit));
    BOARD: "board.move_left", ["H", "shift-left"], "Move the card to the previous column",
        act |screen: &mut ListScreen, cx| screen.move_card(cx, -1), writes,
        over("record.facts_more"), hint("move back"),
        unless(|state| obstacle(state, acting::no_edit));
    BOARD: "board.left_out", ["o"], "Show records that are not on the board",
        act |screen: &mut ListScreen, cx| screen.turn_left_out(cx.shared), over("record.link"),
        lacks(ListScreen::no_left_out);
}

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
