//! The choice of a format for an export.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::commands;
use crate::app::cx::Out;
use crate::app::input::command::{Context, commands};
use crate::app::layer::Layer;
use crate::app::state::{State, Typing};
use crate::formats::Format;
use crate::ui::frame::wrapped_height;
use crate::ui::panel;

pub(crate) static EXPORT: Context = Context::layer("Export of an answer");

commands! {
    pub(crate) const COMMANDS;

    EXPORT: "export.json", ["j"], "Export as JSON: complete and exact",
        run |state, out| export(state, out, Format::Json), hint("JSON");
    EXPORT: "export.csv", ["c"], "Export as CSV: a row for each record, for spreadsheets",
        run |state, out| export(state, out, Format::Csv), hint("CSV");
    EXPORT: "export.markdown", ["m"], "Export as Markdown: tables for people",
        run |state, out| export(state, out, Format::Markdown), hint("Markdown");
    EXPORT: "export.close", ["esc"], "Cancel", run |state, _| { state.layers.pop(); },
        hint("close");
}

fn export(state: &mut State, out: &mut Out, format: Format) {
    state.layers.pop();
    commands::export(state, out, format);
}

/// The choice of a format.
#[derive(Debug)]
pub(crate) struct Export {
    /// A description of the exported data.
    pub(crate) what: String,
}

impl Layer for Export {
    fn context(&self) -> &'static Context {
        &EXPORT
    }

    fn typing(&self) -> Typing {
        Typing::No
    }

    fn draw(&self, state: &State, frame: &mut Frame, area: Rect) {
        let shared = &state.shared;
        let theme = &shared.settings.theme;
        let height = wrapped_height(&self.what, 58) + COMMANDS.len() as u16 + 3;
        let inner = panel::card(frame, theme, area, 64, height, "Export to a new file");
        let mut text = vec![Line::from(self.what.clone()), Line::default()];
        let formats = COMMANDS.iter();
        text.extend(formats.map(|it| panel::hint(shared, it.id, it.title)));
        panel::text(frame, inner, text);
    }
}
