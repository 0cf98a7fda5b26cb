//! Generic screens for records of any kind: a list, one record, a board and a tree. What they
//! share acts on the selected record, whichever screen shows it.

mod acting;
mod actions;
mod adding;
mod arranging;
mod commands;
mod export;
mod list;
mod marked;
mod menu;
mod missed_changes;
mod open;
mod own;
mod record;
mod saving;
mod undo;
mod whole_list;

use std::any::Any;

use serde_json::Value;

pub(crate) use acting::{act_now, refusal};
pub(crate) use adding::no_add;
pub(crate) use arranging::COMMANDS as COLUMN_COMMANDS;
pub(crate) use commands::{COMMANDS, obstacle};
pub(crate) use list::ListScreen;
pub(crate) use menu::COMMANDS as MENU_COMMANDS;
pub(crate) use open::{
    act_by, add, change_by, edit_record, open, open_instead, open_record, open_searched,
};
pub(crate) use own::{ask_here as ask_own, here as own_here, press as press_own};
pub(crate) use record::RecordScreen;
pub(crate) use saving::open_saved;
pub(crate) use undo::COMMANDS as UNDO_COMMANDS;

use crate::app::cx::{Cx, Out};
use crate::app::screen::Screen;
use crate::app::state::State;
use crate::records::addition::Addition;
use crate::records::kind::Kind;
use crate::records::listing::Listing;
use crate::records::record::Record;
use crate::records::tree::Tree;
use crate::records::writes::Writes;

/// A screen of records, as its commands see it.
pub(crate) trait ShowsRecords: Screen {
    /// The record for commands: the selected one, or that of the screen.
    fn current(&self) -> Option<(&'static Kind, &Record)>;

    /// The record of the screen.
    fn about(&self) -> Option<(&'static Kind, &Record)> {
        None
    }

    /// What this tool has returned about the record of the screen.
    fn found(&self, tool: &str) -> Vec<Value> {
        let _ = tool;
        Vec::new()
    }

    /// The visible list.
    fn list(&self) -> Option<&Listing> {
        None
    }

    /// The visible list, mutable.
    fn list_mut(&mut self) -> Option<&mut Listing> {
        None
    }

    /// The visible tree.
    fn tree(&self) -> Option<&Tree> {
        None
    }

    /// The visible tree, mutable.
    fn tree_mut(&mut self) -> Option<&mut Tree> {
        None
    }

    /// What can be added here, the most likely first.
    fn additions(&self) -> Vec<Addition> {
        match (self.tree(), self.list(), self.about()) {
            (Some(tree), ..) => tree.additions(),
            (None, Some(list), _) => list.addition().into_iter().collect(),
            (None, None, Some((kind, record))) => Addition::to(kind, record),
            (None, None, None) => Vec::new(),
        }
    }

    /// The writes without a form.
    fn writes(&mut self) -> Option<&mut Writes> {
        None
    }

    /// The filters of the list changed.
    fn narrowed(&mut self) {}

    /// Whether the list is shown as cards.
    fn is_board(&self) -> bool {
        false
    }

    /// Whether it shows the list of the screen below, or its cards.
    fn is_twin(&self) -> bool {
        false
    }

    /// The number of tabs.
    fn tabs(&self) -> usize {
        1
    }

    /// Switches to another tab.
    fn turn(&mut self, cx: &mut Cx, by: isize) {
        let _ = (cx, by);
    }

    /// Shows the tree of its record, or of the selected one.
    fn turn_tree(&mut self, cx: &mut Cx) {
        let current = self.about().or_else(|| self.current());
        let Some((kind, record)) = current.map(|(kind, record)| (kind, record.clone())) else {
            return;
        };
        let at = self.as_of().unwrap_or(cx.now());
        match kind.holds {
            true => open_record(cx, kind, &record, at),
            false => RecordScreen::open_tree(cx, kind, record, at),
        }
    }
}

/// The visible screen, if it shows records.
pub(crate) fn shown(state: &State) -> Option<&dyn ShowsRecords> {
    let screen: &dyn Any = state.screen()?;
    let list = screen.downcast_ref::<ListScreen>();
    let record = screen.downcast_ref::<RecordScreen>();
    list.map(|one| one as &dyn ShowsRecords)
        .or(record.map(|one| one as _))
}

/// Runs an action on the visible screen, if it shows records.
pub(crate) fn act(
    state: &mut State,
    out: &mut Out,
    act: impl FnOnce(&mut dyn ShowsRecords, &mut Cx),
) {
    state.on_screen(out, |screen, cx| {
        if let Some(screen) = records_mut(screen) {
            act(screen, cx);
        }
    });
}

/// The screen, if it shows records.
fn records_mut(screen: &mut dyn Screen) -> Option<&mut dyn ShowsRecords> {
    let screen: &mut dyn Any = screen;
    match screen {
        list if list.is::<ListScreen>() => list.downcast_mut::<ListScreen>().map(|one| one as _),
        record => record.downcast_mut::<RecordScreen>().map(|one| one as _),
    }
}

/// The id of the record that the visible screen is about.
pub(crate) fn about(state: &State) -> Option<String> {
    let about = shown(state).and_then(|screen| screen.about());
    let id = about.map(|(_, record)| record.id().to_owned());
    id.or_else(|| Some(state.screen()?.subject()?.0))
}
