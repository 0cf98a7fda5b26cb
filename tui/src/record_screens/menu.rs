//! A menu of actions or choices, each with a letter.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{ShowsRecords, act};
use crate::app::cx::{Cx, Out};
use crate::app::input::command::{Context, commands};
use crate::app::layer::{Layer, step};
use crate::app::state::{State, Typing};
use crate::look::mark::Mark;
use crate::ui::panel;
use crate::ui::table::{self, Column, Row};

static MENU: Context = Context::layer("Menus of records");

commands! {
    /// The commands of the menu.
    pub(crate) const COMMANDS;

    MENU: "menu.choose", ["enter"], "Choose the selected item", run choose, hint("choose");
    MENU: "menu.next", ["down", "tab"], "Next item", run |state, _| step(state, 1), hint("next");
    MENU: "menu.previous", ["up", "backtab"], "Previous item", run |state, _| step(state, -1);
    MENU: "menu.close", ["esc"], "Close the menu", run |state, _| { state.take_layer::<Menu>(); },
        hint("close");
}

/// What an item does.
type Run = Box<dyn FnOnce(&mut dyn ShowsRecords, &mut Cx)>;

/// An item of a menu.
pub(crate) struct Item {
    pub(crate) words: String,
    /// The letter that chooses it, if fixed.
    pub(crate) letter: Option<char>,
    /// Why it cannot be chosen.
    pub(crate) obstacle: Option<String>,
    pub(crate) is_chosen: bool,
    pub(super) run: Run,
}

impl std::fmt::Debug for Item {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.words)
    }
}

impl Item {
    /// An item that can be chosen.
    pub(super) fn new(
        words: String,
        run: impl FnOnce(&mut dyn ShowsRecords, &mut Cx) + 'static,
    ) -> Self {
        Item {
            words,
            letter: None,
            obstacle: None,
            is_chosen: false,
            run: Box::new(run),
        }
    }
}

/// A menu over a records screen.
#[derive(Debug)]
pub(crate) struct Menu {
    title: String,
    items: Vec<Item>,
    at: usize,
}

impl Menu {
    /// A menu. An item without a fixed letter gets the first free letter of its text.
    pub(crate) fn new(title: String, mut items: Vec<Item>) -> Self {
        let mut taken: Vec<char> = items.iter().filter_map(|item| item.letter).collect();
        for item in items.iter_mut().filter(|item| item.letter.is_none()) {
            let words = item
                .words
                .rsplit(": ")
                .next()
                .unwrap_or_default()
                .to_lowercase();
            let letters = words
                .chars()
                .chain(item.words.to_lowercase().chars().collect::<Vec<_>>());
            let mut free =
                letters.filter(|letter| letter.is_alphanumeric() && !taken.contains(letter));
            item.letter = free.next();
            taken.extend(item.letter);
        }
        // What is impossible now has its reason only if nothing else is possible.
        if items.iter().any(|item| item.obstacle.is_none()) {
            items.retain(|item| item.obstacle.is_none());
        }
        Menu {
            title,
            items,
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

    fn is_choice(&self) -> bool {
        true
    }

    fn step(&mut self, by: isize) {
        self.at = table::moved(self.items.len(), Some(self.at), by).unwrap_or(0);
    }

    fn key(&mut self, cx: &mut Cx, key: KeyEvent) {
        let letter = match key.code {
            KeyCode::Char(letter) => letter,
            _ => return,
        };
        let mut items = self.items.iter();
        if let Some(at) = items.position(|item| item.letter == Some(letter)) {
            self.at = at;
            cx.then(choose);
        }
    }

    fn draw(&self, state: &State, frame: &mut Frame, area: Rect) {
        let theme = &state.shared.settings.theme;
        let height = self.items.len() as u16 + 2;
        let inner = panel::card(frame, theme, area, 64, height, &self.title);
        let columns = [Column::fixed("", 1), Column::share("", 1)];
        let (len, at) = (self.items.len(), Some(self.at));
        table::draw(frame, inner, &state.shared, &columns, len, at, |at| {
            let item = &self.items[at];
            let letter = item.letter.map(String::from).unwrap_or_default();
            let words = match (&item.obstacle, item.is_chosen) {
                (Some(reason), _) => format!("{} ({reason})", item.words),
                (None, true) => format!("{} {}", Mark::Good.glyph(), item.words),
                (None, false) => item.words.clone(),
            };
            let style = match item.obstacle {
                Some(_) => theme.dim,
                None => Style::new(),
            };
            Row::new().styled(letter, theme.key).styled(words, style)
        });
    }
}

fn choose(state: &mut State, out: &mut Out) {
    let Some(mut menu) = state.take_layer::<Menu>() else {
        return;
    };
    if menu.at >= menu.items.len() {
        return;
    }
    let item = menu.items.swap_remove(menu.at);
    match item.obstacle {
        Some(reason) => {
            let words = format!("{}: {reason}", item.words);
            state.cx(out).toast(Mark::Warn, words);
        }
        None => act(state, out, item.run),
    }
}
