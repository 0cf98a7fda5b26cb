//! The choice of a theme: the screen shows the selected one at once.

use frontdesk_client::config::edit::Preference;
use ratatui::Frame;
use ratatui::layout::Rect;

use crate::app::cx::Out;
use crate::app::input::command::{ANYWHERE, Context, commands};
use crate::app::layer::Layer;
use crate::app::state::{State, Typing};
use crate::look::theme::Theme;
use crate::ui::panel;
use crate::ui::table::{self, Column, Row};

static THEMES: Context = Context::layer("Themes");

commands! {
    pub(crate) const EVERYWHERE;

    ANYWHERE: "app.theme", [], "Choose a theme",
        run |state, _| {
            let before = state.shared.settings.theme.clone();
            let mut themes = state.shared.settings.themes.iter();
            let at = themes.position(|(_, theme)| *theme == before);
            state.layers.push(Box::new(Themes {
                at: at.unwrap_or(0),
                before,
            }));
        };
}

commands! {
    pub(crate) const COMMANDS;

    THEMES: "theme.choose", ["enter"], "Keep the selected theme", run choose, hint("keep");
    THEMES: "theme.next", ["down", "j", "tab"], "Next theme", run |state, _| go(state, 1),
        hint("next");
    THEMES: "theme.previous", ["up", "k", "backtab"], "Previous theme",
        run |state, _| go(state, -1);
    THEMES: "theme.close", ["esc"], "Go back to the theme before",
        run |state, _| {
            if let Some(layer) = state.take_layer::<Themes>() {
                state.shared.settings.theme = layer.before;
            }
        }, hint("cancel");
}

/// The choice of a theme.
#[derive(Debug)]
struct Themes {
    at: usize,
    before: Theme,
}

fn go(state: &mut State, by: isize) {
    let len = state.shared.settings.themes.len();
    if let Some(layer) = state.on_top_mut::<Themes>()
        && let Some(at) = table::moved(len, Some(layer.at), by)
    {
        layer.at = at;
        state.shared.settings.theme = state.shared.settings.themes[at].1.clone();
    }
}

fn choose(state: &mut State, out: &mut Out) {
    let layer = state.take_layer::<Themes>();
    if let Some((name, theme)) = layer.and_then(|layer| state.shared.settings.themes.get(layer.at))
    {
        let kept = Preference::Theme(name.clone());
        state.shared.settings.is_auto = name == "auto";
        state.shared.settings.theme = theme.clone();
        state.cx(out).keep_preference(kept);
    }
}

impl Layer for Themes {
    fn context(&self) -> &'static Context {
        &THEMES
    }

    fn typing(&self) -> Typing {
        Typing::No
    }

    fn draw(&self, state: &State, frame: &mut Frame, area: Rect) {
        let shared = &state.shared;
        let height = shared.settings.themes.len() as u16 + 2;
        let inner = panel::card(frame, &shared.settings.theme, area, 40, height, "Theme");
        let columns = [Column::share("", 1)];
        let (len, at) = (shared.settings.themes.len(), Some(self.at));
        table::draw(frame, inner, shared, &columns, len, at, |at| {
            Row::new().cell(shared.settings.themes[at].0.clone())
        });
    }
}
