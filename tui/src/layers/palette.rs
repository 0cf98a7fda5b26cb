//! Every command by name: type a few letters of it.

use crossterm::event::KeyEvent;
use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;

use crate::app::cx::Out;
use crate::app::layer::Layer;
use crate::app::state::State;
use crate::app::update;
use crate::commands::{self, Command, Context};
use crate::ui::input::Input;
use crate::ui::panel;
use crate::ui::table::{self, Column, Row};

/// The commands of the palette.
pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        Context::Palette,
        "palette.run",
        "Run the selected command",
        &["enter"],
        run,
    )
    .hint("run"),
    Command::new(
        Context::Palette,
        "palette.next",
        "Next command",
        &["down", "ctrl-n", "tab"],
        |state, _| {
            step(state, 1);
        },
    )
    .hint("next"),
    Command::new(
        Context::Palette,
        "palette.previous",
        "Previous command",
        &["up", "ctrl-p", "backtab"],
        |state, _| {
            step(state, -1);
        },
    ),
    Command::new(
        Context::Palette,
        "palette.close",
        "Close the palette",
        &["esc"],
        |state, _| {
            state.layers.pop();
        },
    )
    .hint("close"),
];

fn run(state: &mut State, out: &mut Out) {
    if let Some(Layer::Palette(palette)) = state.layers.pop()
        && let Some(command) = palette.selected()
    {
        update::run(state, out, command);
    }
}

fn step(state: &mut State, by: isize) {
    if let Some(Layer::Palette(palette)) = state.layers.last_mut() {
        let ids: Vec<&str> = palette.found.iter().map(|command| command.id).collect();
        palette.at = table::step(&ids, palette.at, by);
    }
}

/// The palette.
#[derive(Debug)]
pub(crate) struct Palette {
    search: Input,
    /// All commands, those of the screen first.
    all: Vec<&'static Command>,
    found: Vec<&'static Command>,
    at: Option<&'static str>,
}

impl Palette {
    /// The palette over a screen with these contexts.
    pub(crate) fn new(contexts: &[Context]) -> Self {
        // A layer's own commands make sense only on that layer.
        let mut all: Vec<&'static Command> = commands::all()
            .filter(|command| !command.context.is_layer())
            .collect();
        let far = contexts.len();
        all.sort_by_key(|command| {
            let near = contexts
                .iter()
                .position(|context| *context == command.context);
            near.unwrap_or(far)
        });
        let mut palette = Palette {
            search: Input::line(""),
            all,
            found: Vec::new(),
            at: None,
        };
        palette.find();
        palette
    }

    fn selected(&self) -> Option<&'static Command> {
        let selected = |command: &&&'static Command| Some(command.id) == self.at;
        self.found.iter().find(selected).copied()
    }

    fn find(&mut self) {
        let mut matcher = Matcher::new(Config::DEFAULT);
        let pattern = Pattern::parse(
            &self.search.text(),
            CaseMatching::Ignore,
            Normalization::Smart,
        );
        let mut buffer = Vec::new();
        let mut found: Vec<(u32, &'static Command)> = self
            .all
            .iter()
            .filter_map(|command| {
                let words = format!("{} {}", command.title, command.id);
                let score = pattern.score(Utf32Str::new(&words, &mut buffer), &mut matcher)?;
                Some((score, *command))
            })
            .collect();
        found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        self.found = found.into_iter().map(|(_, command)| command).collect();
        self.at = self.found.first().map(|command| command.id);
    }

    /// A key for the search field.
    pub(crate) fn key(&mut self, key: KeyEvent) {
        if self.search.key(key) {
            self.find();
        }
    }

    /// Pasted text for the search field.
    pub(crate) fn paste(&mut self, text: &str) {
        self.search.paste(text);
        self.find();
    }

    /// Draws the palette.
    pub(crate) fn draw(&self, state: &State, frame: &mut Frame, area: Rect) {
        let theme = &state.shared.theme;
        let inner = panel::card(frame, theme, area, 76, 18, "What do you want to do?");
        let [search, list] =
            Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(inner);
        self.search
            .draw(frame, search, Style::new().underlined(), true);
        let at = self
            .found
            .iter()
            .position(|command| Some(command.id) == self.at);
        table::draw(
            frame,
            list,
            theme,
            &[Column::share("", 1), Column::fixed("", 10)],
            self.found.len(),
            at,
            |at| {
                let command = self.found[at];
                let obstacle = command.obstacle(state);
                let style = match obstacle {
                    Some(_) => theme.dim,
                    None => Style::new(),
                };
                let mut title = command.title.to_owned();
                if command.danger {
                    title.push_str(" !");
                }
                if let Some(reason) = obstacle {
                    title.push_str(&format!(" ({reason})"));
                }
                Row::new()
                    .styled(title, style)
                    .styled(state.shared.keymap.key(command.id), theme.key)
            },
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_the_palette() {
        let palette = Palette::new(&[]);
        for command in commands::all().filter(|command| !command.context.is_layer()) {
            assert!(
                palette.found.iter().any(|found| found.id == command.id),
                "{} is missing",
                command.id
            );
        }
    }

    #[test]
    fn a_few_letters_find_a_command() {
        let mut palette = Palette::new(&[]);
        palette.paste("undo");
        assert_eq!(
            palette.selected().map(|command| command.id),
            Some("guest.undo")
        );
    }
}
