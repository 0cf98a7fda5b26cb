//! Saving a list with its filters as a section of Home.

use super::{ListScreen, ShowsRecords, act, shown};
use crate::app::cx::{Cx, Out};
use crate::app::state::State;
use crate::look::text::fit;
use crate::records::listing::Listing;
use crate::records::saved::{FilterChange, change_filters};
use crate::ui::prompt::Prompt;

/// Maximum length of a name in characters.
const LONGEST: usize = 60;

/// Asks for the name of the section.
pub(super) fn ask(screen: &mut dyn ShowsRecords, cx: &mut Cx) {
    if let Some(list) = screen.list() {
        let name = fit(&list.proposed_name(cx.shared), LONGEST);
        let body =
            "Home then has a section with this name, which shows the first records of this list.";
        cx.raise(Prompt::new("Save this list", body, keep).with(&name));
    }
}

/// Saves the visible list under this name.
fn keep(state: &mut State, out: &mut Out, name: &str) -> Result<(), String> {
    if name.is_empty() {
        return Err("enter a name".to_owned());
    }
    if name.chars().count() > LONGEST {
        return Err(format!("at most {LONGEST} characters"));
    }
    let known = state.shared.filters.iter().flat_map(|(_, all)| all);
    if known.clone().any(|filter| filter.name == name) {
        return Err("this name is in use; choose another".to_owned());
    }
    let name = name.to_owned();
    act(state, out, |screen, cx| {
        if let Some(list) = screen.list() {
            let filter = list.saved_as(&name, cx.now(), cx.shared);
            change_filters(cx, FilterChange::Save(filter));
        }
    });
    Ok(())
}

/// Opens a saved list on its own screen, with this record selected.
pub(crate) fn open_saved(cx: &mut Cx, list: &Listing, selected: Option<&str>) {
    let list = list.whole(selected, cx.shared);
    cx.open(ListScreen::of(list));
}

/// Why the visible list cannot be saved.
pub(super) fn no_saving(state: &State) -> Option<String> {
    match shown(state)?.list() {
        None => Some("only lists can be saved".to_owned()),
        Some(list) if !list.is_narrowed() => {
            let key = state.shared.settings.keymap.key("record.filter");
            Some(format!("filter or search the list first ({key})"))
        }
        Some(_) => None,
    }
}
