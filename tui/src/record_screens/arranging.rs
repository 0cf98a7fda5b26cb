//! The choice and order of a list's columns.

use frontdesk_client::config::edit::Preference;
use ratatui::Frame;
use ratatui::layout::Rect;

use super::{ShowsRecords, act};
use crate::app::cx::{Cx, Out};
use crate::app::input::command::{Context, commands};
use crate::app::layer::Layer;
use crate::app::state::{State, Typing};
use crate::look::mark::Mark;
use crate::ui::panel;
use crate::ui::table::{self, Column, Row};

static COLUMNS: Context = Context::layer("Columns of a list");

commands! {
    pub(crate) const COMMANDS;

    COLUMNS: "columns.keep", ["enter"], "Keep these columns",
        run |state, out| keep(state, out, true), hint("keep");
    COLUMNS: "columns.turn", ["space"], "Show or hide the selected column",
        top |layer: &mut Columns, _| {
            if let Some((_, is_shown)) = layer.all.get_mut(layer.at) {
                *is_shown = !*is_shown;
            }
        }, hint("show or hide");
    COLUMNS: "columns.down", ["J", "shift-down"], "Move the selected column to the right",
        top |layer: &mut Columns, _| layer.shift(1), hint("move");
    COLUMNS: "columns.up", ["K", "shift-up"], "Move the selected column to the left",
        top |layer: &mut Columns, _| layer.shift(-1);
    COLUMNS: "columns.default", ["del", "d"], "Restore the default columns",
        run |state, out| keep(state, out, false), hint("default");
    COLUMNS: "columns.next", ["down", "j", "tab"], "Next column",
        top |layer: &mut Columns, _| layer.go(1);
    COLUMNS: "columns.previous", ["up", "k", "backtab"], "Previous column",
        top |layer: &mut Columns, _| layer.go(-1);
    COLUMNS: "columns.close", ["esc"], "Cancel", run |state, _| { state.take_layer::<Columns>(); },
        hint("cancel");
}

/// The choice of columns.
#[derive(Debug)]
struct Columns {
    /// The name of the list in the configuration.
    list: String,
    /// The titles in order, and whether each is shown.
    all: Vec<(String, bool)>,
    at: usize,
}

impl Columns {
    fn go(&mut self, by: isize) {
        self.at = table::moved(self.all.len(), Some(self.at), by).unwrap_or(0);
    }

    fn shift(&mut self, by: isize) {
        let before = self.at;
        self.go(by);
        self.all.swap(before, self.at);
    }
}

/// Opens the choice of columns for the visible list.
pub(super) fn open(screen: &mut dyn ShowsRecords, cx: &mut Cx) {
    if let Some(list) = screen.list() {
        cx.raise(Columns {
            list: list.name(),
            all: list.all_columns(cx.shared),
            at: 0,
        });
    }
}

/// Why there are no columns to choose.
pub(super) fn no_columns(screen: &dyn ShowsRecords) -> Option<String> {
    let is_table = screen.list().is_some() && !screen.is_board();
    (!is_table).then(|| "this is not a table".to_owned())
}

/// Shows the chosen or default columns, and writes them to the configuration.
fn keep(state: &mut State, out: &mut Out, is_chosen: bool) {
    let Some(layer) = state.take_layer::<Columns>() else {
        return;
    };
    let shown = layer.all.into_iter().filter(|(_, is_shown)| *is_shown);
    let titles: Vec<String> = shown.map(|(title, _)| title).collect();
    let titles = Some(titles).filter(|titles| is_chosen && !titles.is_empty());
    match &titles {
        Some(titles) => state
            .shared
            .settings
            .columns
            .insert(layer.list.clone(), titles.clone()),
        None => state.shared.settings.columns.remove(&layer.list),
    };
    let kept = Preference::Columns(layer.list, titles);
    state.cx(out).keep_preference(kept);
    act(state, out, |screen, cx| {
        if let Some(list) = screen.list_mut() {
            list.choose_columns(cx.shared);
        }
    });
}

impl Layer for Columns {
    fn context(&self) -> &'static Context {
        &COLUMNS
    }

    fn typing(&self) -> Typing {
        Typing::No
    }

    fn draw(&self, state: &State, frame: &mut Frame, area: Rect) {
        let shared = &state.shared;
        let height = self.all.len() as u16 + 2;
        let inner = panel::card(frame, &shared.settings.theme, area, 48, height, "Columns");
        let columns = [Column::fixed("", 1), Column::share("", 1)];
        let (len, at) = (self.all.len(), Some(self.at));
        table::draw(frame, inner, shared, &columns, len, at, |at| {
            let (title, is_shown) = &self.all[at];
            Row::new()
                .styled(Mark::tick(*is_shown), shared.settings.theme.good)
                .cell(title.clone())
        });
    }
}
