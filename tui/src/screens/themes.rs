//! The choice of a theme: the screen shows the selected one at once.

use frontdesk_client::config::edit::Preference;
use ratatui::Frame;
use ratatui::layout::Rect;

use crate::app::cx::Out;
use crate::app::input::command::{ANYWHERE, Command, Context};
use crate::app::layer::Layer;
use crate::app::state::{State, Typing};
use crate::look::theme::Theme;
use crate::ui::panel;
use crate::ui::table::{self, Column, Row};

static THEMES: Context = Context::layer("Themes");

pub(crate) const EVERYWHERE: &[Command] = &[Command::new(
    &ANYWHERE,
    "app.theme",
    "Choose a theme",
    &[],
    |state, _| {
        let before = state.shared.settings.theme.clone();
        let mut themes = state.shared.settings.themes.iter();
        let at = themes.position(|(_, theme)| *theme == before);
        state.layers.push(Box::new(Themes {
            at: at.unwrap_or(0),
            before,
        }));
    },
)];

pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        &THEMES,
        "theme.choose",
        "Keep the selected theme",
        &["enter"],
        choose,
    )
    .hint("keep"),
    Command::new(
        &THEMES,
        "theme.next",
        "Next theme",
        &["down", "j", "tab"],
        |state, _| go(state, 1),
    )
    .hint("next"),
    Command::new(
        &THEMES,
        "theme.previous",
        "Previous theme",
        &["up", "k", "backtab"],
        |state, _| go(state, -1),
    ),
    Command::new(
        &THEMES,
        "theme.close",
        "Go back to the theme before",
        &["esc"],
        |state, _| {
            if let Some(layer) = state.take_layer::<Themes>() {
                state.shared.settings.theme = layer.before;
            }
        },
    )
    .hint("cancel"),
];

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
