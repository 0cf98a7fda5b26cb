//! The help: the keys that work now. A search also finds those that do not, with the reason.

use std::cell::Cell;

use crossterm::event::KeyEvent;
use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::style::Style;
use ratatui::widgets::{Paragraph, Wrap};

use crate::app::cx::Cx;
use crate::app::input::command::{Context, LIST, commands};
use crate::app::layer::{Layer, step};
use crate::app::state::{State, Typing};
use crate::look::text::{clean, fold};
use crate::ui::frame::wrapped_height;
use crate::ui::input::Input;
use crate::ui::panel;

pub(crate) static HELP: Context = Context::layer("Help");

/// The width of the card.
const WIDTH: u16 = 76;
/// The width of the keys.
const KEYS: u16 = 18;

commands! {
    pub(crate) const COMMANDS;

    HELP: "help.close", ["esc", "?", "f1"], "Close the help",
        run |state, _| { state.layers.pop(); }, hint("close");
    HELP: "help.down", ["down", "ctrl-n"], "Further down", run |state, _| step(state, 1),
        hint("scroll · letters search");
    HELP: "help.up", ["up", "ctrl-p"], "Further up", run |state, _| step(state, -1);
}

/// The help of a screen.
#[derive(Debug)]
pub(crate) struct Help {
    context: &'static Context,
    search: Input,
    /// The first visible line.
    top: u16,
    /// The largest value of `top` at which the lines fill the card, from the last frame.
    most: Cell<u16>,
}

/// An entry: the keys and what they do, or the title of a context.
struct Entry {
    keys: Option<String>,
    words: String,
    style: Style,
}

impl Help {
    /// The help for this context.
    pub(crate) fn new(context: &'static Context) -> Self {
        Help {
            context,
            search: Input::line(""),
            top: 0,
            most: Cell::new(0),
        }
    }

    /// The help about this word.
    pub(crate) fn about(mut self, word: &str) -> Help {
        self.search.set(word.trim());
        self
    }

    /// The entries as lines.
    pub(crate) fn lines(&self, state: &State) -> Vec<String> {
        let entries = self.entries(state).into_iter();
        let lines = entries.map(|entry| match entry.keys {
            Some(keys) => format!("{keys}: {}", entry.words),
            None => entry.words,
        });
        let lines: Vec<String> = lines.collect();
        match lines.is_empty() {
            true => vec![self.no_match()],
            false => lines,
        }
    }

    fn no_match(&self) -> String {
        format!("No match for “{}”", self.search.text())
    }

    /// The entries that match the search, by context.
    fn entries(&self, state: &State) -> Vec<Entry> {
        let shared = &state.shared;
        let text = fold(self.search.text().trim());
        let screen = state.screen();
        let is_typed = screen.is_some_and(|screen| screen.typing() != Typing::No);
        let mut entries = Vec::new();
        for context in self.context.stack() {
            let commands = shared.parts.commands.all();
            let commands =
                commands.filter(|command| command.context == context && !command.is_hidden(shared));
            let commands = commands.filter_map(|command| {
                let keys = shared.settings.keymap.keys(command.id);
                let keys = keys.filter(|chord| {
                    let runs = shared.settings.keymap.command(*chord, self.context);
                    let is_own = runs.is_none_or(|runs| runs == command.id);
                    // While typing, letters are not commands.
                    is_own && (!is_typed || !chord.is_letter() || context == self.context)
                });
                let keys: Vec<String> = keys.map(|chord| chord.to_string()).collect();
                let keys = keys.join(" ");
                let obstacle = command.why_not_now(state);
                let is_found = match text.is_empty() {
                    true => obstacle.is_none() && !keys.is_empty(),
                    false => fold(&format!("{keys} {}", command.title)).contains(&text),
                };
                let style = match obstacle {
                    Some(_) => shared.settings.theme.dim,
                    None => Style::new(),
                };
                let words = match obstacle.filter(|reason| !reason.is_empty()) {
                    Some(reason) => format!("{} ({reason})", command.title),
                    None => command.title.to_owned(),
                };
                is_found.then_some(Entry {
                    keys: Some(keys),
                    words,
                    style,
                })
            });
            let commands: Vec<Entry> = commands.collect();
            if !commands.is_empty() {
                entries.push(Entry {
                    keys: None,
                    words: context.title.to_owned(),
                    style: shared.settings.theme.title,
                });
            }
            entries.extend(commands);
        }
        entries.extend(self.own(state, &text));
        entries
    }
}

impl Help {
    /// The user's own commands with keys, on screens of records.
    fn own(&self, state: &State, text: &str) -> Vec<Entry> {
        let is_general = self.context.stack().any(|context| *context == LIST);
        let own = state.shared.settings.own.iter().filter(|_| is_general);
        let own = own.filter_map(|own| {
            let keys = own.key?.to_string();
            let is_found = fold(&format!("{keys} {}", own.name)).contains(text);
            is_found.then(|| Entry {
                keys: Some(keys),
                words: clean(&own.name).into_owned(),
                style: Style::new(),
            })
        });
        let mut own: Vec<Entry> = own.collect();
        if !own.is_empty() {
            let title = Entry {
                keys: None,
                words: "Your commands".to_owned(),
                style: state.shared.settings.theme.title,
            };
            own.insert(0, title);
        }
        own
    }
}

impl Layer for Help {
    fn context(&self) -> &'static Context {
        &HELP
    }

    fn typing(&self) -> Typing {
        match self.search.is_empty() {
            true => Typing::Beginning,
            false => Typing::Yes,
        }
    }

    fn key(&mut self, _: &mut Cx, key: KeyEvent) {
        self.search.key(key);
        self.top = 0;
    }

    fn paste(&mut self, cx: &mut Cx, text: &str) {
        self.search.paste_here(cx, text);
        self.top = 0;
    }

    fn step(&mut self, by: isize) {
        let by = i16::try_from(by).unwrap_or_default();
        self.top = self.top.saturating_add_signed(by).min(self.most.get());
    }

    fn draw(&self, state: &State, frame: &mut Frame, area: Rect) {
        let theme = &state.shared.settings.theme;
        let entries = self.entries(state);
        let width = WIDTH.min(area.width).saturating_sub(KEYS + 4);
        let heights = entries
            .iter()
            .map(|entry| wrapped_height(&entry.words, width.into()));
        let heights: Vec<u16> = heights.collect();
        let all: u16 = heights.iter().sum();
        let inner = panel::card(frame, theme, area, WIDTH, all + 3, "Keys");
        let [search, list] = Layout::vertical([Length(1), Fill(1)]).areas(inner);
        self.search
            .draw_search(theme, frame, search, Style::new().underlined(), true);
        if entries.is_empty() {
            let words = Paragraph::new(self.no_match()).style(theme.dim);
            return frame.render_widget(words, list);
        }
        // Whole entries: the last one is always reached.
        self.most.set(all.saturating_sub(list.height));
        let first = self.top.min(self.most.get());
        let mut skipped = 0;
        let mut y = list.y;
        for (entry, height) in entries.into_iter().zip(heights) {
            skipped += height;
            if skipped <= first {
                continue;
            }
            let height = height.min(list.bottom().saturating_sub(y));
            if height == 0 {
                break;
            }
            let line = Rect { y, height, ..list };
            let [keys, words] = Layout::horizontal([Length(KEYS + 1), Fill(1)]).areas(line);
            let at = Paragraph::new(entry.words).style(entry.style);
            frame.render_widget(at.wrap(Wrap { trim: true }), words);
            if let Some(text) = entry.keys {
                frame.render_widget(Paragraph::new(text).style(theme.key), keys);
            }
            y += height;
        }
    }
}
