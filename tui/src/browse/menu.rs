//! A menu of actions or choices, each with a letter.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{act, acting};
use crate::app::cx::{Cx, Out};
use crate::app::effects::sheets::ListJob;
use crate::app::input::command::{Command, Context};
use crate::app::layer::{Layer, step};
use crate::app::state::{State, Typing};
use crate::records::filter::Choice;
use crate::ui::mark::Mark;
use crate::ui::panel;
use crate::ui::table::{self, Column, Row};

static MENU: Context = Context::layer("Menus of records");

/// The commands of the menu.
pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        &MENU,
        "menu.choose",
        "Choose the selected entry",
        &["enter"],
        choose,
    )
    .hint("choose"),
    Command::new(
        &MENU,
        "menu.next",
        "Next entry",
        &["down", "tab"],
        |state, _| step(state, 1),
    )
    .hint("next"),
    Command::new(
        &MENU,
        "menu.previous",
        "Previous entry",
        &["up", "backtab"],
        |state, _| step(state, -1),
    ),
    Command::new(
        &MENU,
        "menu.close",
        "Close the menu",
        &["esc"],
        |state, _| {
            state.take_layer::<Menu>();
        },
    )
    .hint("close"),
];

/// An entry of a menu.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) words: String,
    /// The letter that chooses it, if fixed.
    pub(crate) letter: Option<char>,
    /// Why it cannot be chosen.
    pub(crate) obstacle: Option<String>,
    pub(crate) is_chosen: bool,
    pub(crate) picked: Picked,
}

impl Entry {
    /// An entry that can be chosen.
    pub(super) fn new(words: String, picked: Picked) -> Self {
        Entry {
            words,
            letter: None,
            obstacle: None,
            is_chosen: false,
            picked,
        }
    }
}

/// The chosen entry.
#[derive(Debug, Clone)]
pub(crate) enum Picked {
    /// The tool with this name.
    Tool(&'static str),
    /// The field and its new value.
    State(String, String),
    Filter(Choice),
    /// The form with the filter arguments.
    FilterForm,
    /// A description of a text, and the text to copy.
    Copy(String, String),
    /// A list to write.
    Export(Box<ListJob>),
}

/// A menu over a records screen.
#[derive(Debug)]
pub(crate) struct Menu {
    title: String,
    entries: Vec<Entry>,
    at: usize,
}

impl Menu {
    /// A menu. An entry without a fixed letter gets the first free letter of its text.
    pub(crate) fn new(title: String, mut entries: Vec<Entry>) -> Self {
        let mut taken: Vec<char> = entries.iter().filter_map(|entry| entry.letter).collect();
        for entry in entries.iter_mut().filter(|entry| entry.letter.is_none()) {
            let words = entry
                .words
                .rsplit(": ")
                .next()
                .unwrap_or_default()
                .to_lowercase();
            let letters = words
                .chars()
                .chain(entry.words.to_lowercase().chars().collect::<Vec<_>>());
            let mut free =
                letters.filter(|letter| letter.is_alphanumeric() && !taken.contains(letter));
            entry.letter = free.next();
            taken.extend(entry.letter);
        }
        Menu {
            title,
            entries,
            at: 0,
        }
    }
}

impl Layer for Menu {
    fn context(&self) -> &'static Context {
        &MENU
    }

    fn typing(&self) -> Typing {
        Typing::Yes
    }

    fn step(&mut self, by: isize) {
        self.at = table::moved(self.entries.len(), Some(self.at), by).unwrap_or(0);
    }

    fn key(&mut self, cx: &mut Cx, key: KeyEvent) {
        let letter = match key.code {
            KeyCode::Char(letter) => letter,
            _ => return,
        };
        let mut entries = self.entries.iter();
        if let Some(at) = entries.position(|entry| entry.letter == Some(letter)) {
            self.at = at;
            cx.then(choose);
        }
    }

    fn draw(&self, state: &State, frame: &mut Frame, area: Rect) {
        let theme = &state.shared.theme;
        let height = self.entries.len() as u16 + 2;
        let inner = panel::card(frame, theme, area, 64, height, &self.title);
        let columns = [Column::fixed("", 1), Column::share("", 1)];
        table::draw(
            frame,
            inner,
            theme,
            &columns,
            self.entries.len(),
            Some(self.at),
            |at| {
                let entry = &self.entries[at];
                let letter = entry.letter.map(String::from).unwrap_or_default();
                let words = match (&entry.obstacle, entry.is_chosen) {
                    (Some(reason), _) => format!("{} ({reason})", entry.words),
                    (None, true) => format!("{} {}", Mark::Good.glyph(), entry.words),
                    (None, false) => entry.words.clone(),
                };
                let style = match entry.obstacle {
                    Some(_) => theme.dim,
                    None => Style::new(),
                };
                Row::new().styled(letter, theme.key).styled(words, style)
            },
        );
    }
}

fn choose(state: &mut State, out: &mut Out) {
    let Some(mut menu) = state.take_layer::<Menu>() else {
        return;
    };
    if menu.at >= menu.entries.len() {
        return;
    }
    let entry = menu.entries.swap_remove(menu.at);
    match entry.obstacle {
        Some(reason) => {
            let words = format!("{}: {reason}", entry.words);
            state.cx(out).toast(Mark::Warn, words);
        }
        None => act(state, out, |screen, cx| {
            acting::picked(screen, cx, entry.picked)
        }),
    }
}
