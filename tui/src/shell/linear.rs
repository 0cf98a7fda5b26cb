//! The app line by line, for screen readers, braille displays and terminals that draw no screens. It reads the frame of
//! every screen and layer: nothing is drawn, and no screen knows of it.

mod page;

use std::collections::VecDeque;
use std::io::{self, IsTerminal, Write};
use std::sync::mpsc;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use jiff::{SignedDuration, Timestamp};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::layout::Size;
use ratatui::style::Modifier;
use tokio::time::Instant;

use self::page::{Line, lines};
use super::browser::open_in_browser;
use super::signals::{Signal, Signals};
use super::terminal::give_to_system;
use super::waiting::{last_words, sleep_until};
use crate::app::effects::editor::edit;
use crate::app::effects::job::Outcome;
use crate::app::engine::{Engine, Request};
use crate::app::hits::Hit;
use crate::app::input::chord::Chord;
use crate::app::input::scan::Rhythm;
use crate::app::msg::What;
use crate::app::owner::ScreenId;
use crate::app::state::{State, Typing};
use crate::look::text::clean;
use crate::ui::age;
use crate::ui::help::Help;

/// The size of the frames that are read: no name is cut, and a list has a page that one can listen to.
pub(crate) const SIZE: Size = Size::new(200, 24);
/// What can be entered, said at the start.
pub(crate) const WELCOME: &str = "Frontdesk, line by line. An empty line is enter; 3 opens row 3; a key's name presses it \
(down, esc, ctrl-s); other words are typed. ? lists what can be done here, . reads all again, ctrl-d ends.";
const NO_FIELD: &str = "There is no field here. Enter the number of a row, a key, or / and what to search for; ? lists the keys.";
/// The title of the commands that go to the next field of a form.
const NEXT_FIELD: &str = "Next field";
/// Timers within this time belong to what was entered, such as that of a search.
pub(crate) const PAUSE: SignedDuration = SignedDuration::from_millis(400);
/// How long a person waits before they hear what is there so far.
const PATIENCE: Duration = Duration::from_secs(1);

/// What was read of the app so far.
pub(crate) struct Reader {
    terminal: Terminal<TestBackend>,
    /// What was read of the open screens and their layers, the last one last.
    pages: Vec<Page>,
    crumb: String,
    /// The selected line.
    selected: String,
    /// The rows that a number chooses.
    rows: Vec<(usize, Hit)>,
    /// The number of messages that were read.
    toasts: usize,
    /// Whether nobody may see what is typed now.
    pub(crate) is_secret: bool,
}

/// What was read of a place.
struct Page {
    place: Place,
    /// The lines of the last reading that are no rows.
    texts: Vec<String>,
    /// The rows of the last readings.
    menus: Vec<Vec<String>>,
}

/// The readings of a place whose rows are remembered.
const MENUS: usize = 8;

impl Page {
    fn new(place: Place) -> Page {
        Page {
            place,
            texts: Vec::new(),
            menus: Vec::new(),
        }
    }

    /// The lines that are new, if these are read now. Rows that were read before are left out as long as most of their
    /// list was.
    fn read(&mut self, texts: Vec<String>, menu: Vec<String>) -> (Vec<String>, Vec<String>) {
        let new = |old: &[String], now: &[String]| -> Vec<String> {
            now.iter()
                .filter(|one| !old.contains(one))
                .cloned()
                .collect()
        };
        let new_texts = new(&self.texts, &texts);
        let alike = self.menus.iter().filter(|old| old.len() == menu.len());
        let fewest = alike.map(|old| new(old, &menu)).min_by_key(Vec::len);
        let few = fewest.filter(|few| few.len() * 2 < menu.len().max(1));
        let new_rows = few.unwrap_or_else(|| menu.clone());
        self.texts = texts;
        self.menus.retain(|old| *old != menu);
        self.menus.push(menu);
        if self.menus.len() > MENUS {
            self.menus.remove(0);
        }
        (new_texts, new_rows)
    }
}

/// A screen, the number of layers above it, and the topmost one.
type Place = (Option<ScreenId>, usize, &'static str);

/// What a line means.
pub(crate) enum Meaning {
    /// These keys and texts.
    Events(Vec<What>),
    /// Read everything again.
    Again,
    /// An answer.
    Said(Vec<String>),
}

impl Reader {
    pub(crate) fn new() -> Reader {
        // A buffer in memory cannot fail.
        let Ok(terminal) = Terminal::new(TestBackend::new(SIZE.width, SIZE.height));
        Reader {
            terminal,
            pages: Vec::new(),
            crumb: String::new(),
            selected: String::new(),
            rows: Vec::new(),
            toasts: 0,
            is_secret: false,
        }
    }

    /// Whether something came by itself that a person has to know: a message, a question, another screen.
    pub(crate) fn has_news(&self, state: &State) -> bool {
        let last = self.pages.last().map(|page| page.place);
        state.shared.toasts.shown() > self.toasts || last != Some(place(state))
    }

    /// Reads what is new since the last time; everything, if the whole is asked for.
    pub(crate) fn read(&mut self, state: &State, is_whole: bool) -> Vec<String> {
        let toasts = state.shared.toasts.list();
        let new = state.shared.toasts.shown() - self.toasts;
        let first = toasts.len().saturating_sub(new);
        let mut said: Vec<String> = toasts[first..]
            .iter()
            .map(|toast| format!("{} {}", toast.mark.glyph(), clean(&toast.text)))
            .collect();
        self.toasts = state.shared.toasts.shown();

        let lines = self.lines(state);
        let place = place(state);
        let crumb = state
            .screen()
            .map_or(String::new(), |screen| screen.crumb());
        let is_last = self.pages.last().is_some_and(|last| last.place == place);
        let known = self.pages.iter().position(|page| page.place == place);
        let known = known.map(|at| self.pages.remove(at)).filter(|_| !is_whole);
        let mut page = known.unwrap_or_else(|| Page::new(place));
        if (is_whole || !is_last || crumb != self.crumb) && state.layers.is_empty() {
            said.push(clean(&crumb).into_owned());
        }
        self.crumb = crumb;

        let selected = lines.iter().find(|line| line.is_selected);
        let (is_field, is_row) = match selected {
            Some(line) => (line.number.is_none(), line.number.is_some()),
            None => (false, false),
        };
        let selected = selected.map(Line::words).unwrap_or_default();
        let has_changed = selected != self.selected;
        let menu = page.menus.last();
        let has_moved = is_last && has_changed && menu.is_some_and(|menu| menu.contains(&selected));
        let lines = lines.iter().filter(|line| !line.text.is_empty());
        let is_of_list = |line: &&Line| line.number.is_some();
        let (rows, texts): (Vec<_>, Vec<_>) = lines.clone().partition(is_of_list);
        let [texts, rows] = [texts, rows].map(|of| of.into_iter().map(Line::words).collect());
        let (texts, rows) = page.read(texts, rows);
        // Who moves on among known rows hears the row, not what else shows it or comes into sight.
        let has_texts = !(has_moved && is_row && state.typing() == Typing::No);
        // The field with the focus comes last. The one before it says no more than then, but for an id.
        let before = self.selected.clone();
        let is_known = |line: &Line| {
            let more = line.text.strip_prefix(&before);
            let is_left = more.is_some_and(|more| more.starts_with(" · "));
            is_last && has_changed && (line.is_selected || is_left)
        };
        let new = lines.filter(|line| match line.number {
            Some(_) => !has_moved && rows.contains(&line.words()),
            None => has_texts && !is_known(line) && texts.contains(&line.text),
        });
        said.extend(new.map(Line::words));
        // Pages of what was closed are forgotten.
        self.pages.retain(|page| {
            let (screen, layers, _) = page.place;
            let is_open = state.screens.iter().any(|open| Some(open.id) == screen);
            is_open && (screen != place.0 || layers < place.1)
        });
        self.pages.push(page);
        if is_whole || !is_last || has_changed || said.is_empty() {
            match (selected.is_empty(), is_field) {
                (true, true) => said.push("On an empty field".to_owned()),
                (true, false) if said.is_empty() => said.push("Nothing has changed.".to_owned()),
                (true, false) => {}
                (false, _) => said.push(format!("On {selected}")),
            }
        }
        self.selected = selected;
        said
    }

    /// The lines of the topmost layer, or of the screen.
    fn lines(&mut self, state: &State) -> Vec<Line> {
        let hits = &state.shared.hits;
        hits.clear();
        let Ok(_) = self.terminal.draw(|frame| {
            let area = frame.area();
            match (state.layers.last(), state.screen()) {
                (Some(layer), _) => layer.draw(state, frame, area),
                (None, Some(screen)) => {
                    screen.draw(&state.shared, frame, area);
                    age::draw(state, frame, area);
                }
                (None, None) => {}
            }
        });
        let backend = self.terminal.backend();
        let cursor = backend.cursor_visible().then(|| backend.cursor_position());
        let screen = backend.buffer();
        self.is_secret = cursor.is_some_and(|at| screen[at].modifier.contains(Modifier::HIDDEN));
        let rows = hits.numbered();
        self.rows = rows
            .iter()
            .map(|(_, hit, number)| (*number, *hit))
            .collect();
        lines(screen, &rows, cursor)
    }

    /// What a line means here.
    pub(crate) fn meaning(&self, state: &State, line: &str) -> Meaning {
        // A password can look like anything but the name of a key.
        let whole = line.trim_end_matches(['\r', '\n']);
        let is_key = whole.chars().count() > 1 && whole.parse::<Chord>().is_ok();
        if self.is_secret && !whole.is_empty() && !is_key {
            return Meaning::Events(typed(state, whole));
        }
        let line = line.trim();
        if line == "." {
            return Meaning::Again;
        }
        if let Some(word) = line.strip_prefix('?') {
            return Meaning::Said(Help::new(state.context()).about(word).lines(state));
        }
        match self.events(state, line) {
            Ok(events) => Meaning::Events(events),
            Err(reason) => Meaning::Said(vec![reason]),
        }
    }

    /// The keys and texts of a line.
    ///
    /// # Errors
    /// Why it means nothing here.
    fn events(&self, state: &State, line: &str) -> Result<Vec<What>, String> {
        let typing = state.typing();
        let press = |key: KeyEvent| What::Key(key, Rhythm::default());
        // A letter is a key only where it cannot be typed.
        let key = |name: &str| {
            let is_key = typing == Typing::No || name.chars().count() > 1;
            let chord: Chord = name.parse().ok().filter(|_| is_key)?;
            Some(press(chord.into()))
        };
        let keys = |names: &[&str]| {
            names
                .iter()
                .map(|name| key(name))
                .collect::<Option<Vec<_>>>()
        };
        if let Some(text) = line.strip_prefix('"') {
            return Ok(typed(state, text));
        }
        let names: Vec<&str> = line.split_whitespace().collect();
        let Some((first, rest)) = names.split_first() else {
            return Ok(vec![press(KeyCode::Enter.into())]);
        };
        let keymap = &state.shared.settings.keymap;
        let is_command = |name: &str| {
            let chord = name.parse().ok().filter(|_| typing == Typing::No);
            chord.is_some_and(|chord| keymap.command(chord, state.context()).is_some())
        };
        // A few screens have commands on digits.
        let is_row = !rest.is_empty() || !is_command(first);
        if let Some(number) = first.parse::<usize>().ok().filter(|_| is_row) {
            let row = self.rows.iter().find(|(row, _)| *row == number);
            if let (Some((_, hit)), Some(keys)) = (row, keys(rest)) {
                let enter = press(KeyCode::Enter.into());
                let enter = keys.is_empty().then_some(enter);
                let select = [What::Select(*hit)];
                return Ok(select.into_iter().chain(keys).chain(enter).collect());
            }
            if typing == Typing::No && row.is_none() {
                return Err(self.rows_here());
            }
        }
        if let Some(keys) = keys(&names) {
            return Ok(keys);
        }
        let mut letters = line.chars();
        let first = press(KeyCode::Char(letters.next().unwrap_or_default()).into());
        let text = letters.as_str();
        match typing {
            Typing::No | Typing::Beginning if line.starts_with(['/', ':']) => {
                // The end of the line leaves the search field; what was found stays.
                let enter = press(KeyCode::Enter.into());
                let enter = (line.starts_with('/') && !text.is_empty()).then_some(enter);
                let text = What::Paste(text.trim().to_owned());
                Ok([first, text].into_iter().chain(enter).collect())
            }
            Typing::No => Err(NO_FIELD.to_owned()),
            Typing::Beginning if text.is_empty() => Ok(vec![first]),
            Typing::Beginning | Typing::Yes | Typing::Secret => Ok(typed(state, line)),
        }
    }

    /// Which numbers can be entered.
    fn rows_here(&self) -> String {
        let numbers = || self.rows.iter().map(|(number, _)| *number);
        match (numbers().min(), numbers().max()) {
            (Some(first), Some(last)) => {
                format!("Enter a number from {first} to {last}; pgdn and pgup show other rows.")
            }
            _ => "There are no rows to choose from here.".to_owned(),
        }
    }
}

/// The events that replace the text of the field, and go on to the next field of a form.
fn typed(state: &State, text: &str) -> Vec<What> {
    let press = |code, modifiers| What::Key(KeyEvent::new(code, modifiers), Rhythm::default());
    let mut events = Vec::new();
    // In an empty field these keys can be commands.
    if matches!(state.typing(), Typing::Yes | Typing::Secret) {
        events.push(press(KeyCode::End, KeyModifiers::NONE));
        events.push(press(KeyCode::Char('u'), KeyModifiers::CONTROL));
    }
    events.push(What::Paste(text.to_owned()));
    let tab = KeyEvent::from(KeyCode::Tab);
    let on_tab = state.command(tab.into());
    if on_tab.is_some_and(|command| command.title == NEXT_FIELD) {
        events.push(press(tab.code, tab.modifiers));
    }
    events
}

/// Leaves out what one looks at but does not read: pictures, and the facts beside a list.
pub(crate) fn prepare(state: &mut State) {
    state.shared.settings.is_plain = true;
    state.shared.hides_facts = true;
}

/// Where a person is.
fn place(state: &State) -> Place {
    let screen = state.screens.last().map(|screen| screen.id);
    (screen, state.layers.len(), state.context().title)
}

/// Whether nothing that was entered is under way.
fn is_quiet(engine: &Engine) -> bool {
    let soon = Timestamp::now() + PAUSE;
    engine.in_flight() == 0 && engine.next_timer().is_none_or(|at| at > soon)
}

/// Runs the app until it ends: reads lines, and says what they bring.
pub(super) async fn drive(engine: &mut Engine, editor: Option<&str>) -> io::Result<()> {
    prepare(&mut engine.state);
    let mut signals = Signals::listen()?;
    let mut input = Input::open();
    let mut reader = Reader::new();
    let mut entered = VecDeque::new();
    input.say(&[WELCOME.to_owned()])?;
    engine.apply(Timestamp::now(), What::Started);
    // Since when something was not read that is new.
    let mut owed = Some(Instant::now());
    let mut is_whole = false;
    loop {
        while let Some(what) = engine.try_outcome() {
            engine.apply(Timestamp::now(), what);
        }
        while let Some(what) = engine.due(Timestamp::now()) {
            engine.apply(Timestamp::now(), what);
        }
        while let Some(request) = engine.next_request() {
            match request {
                Request::Copy(text) => {
                    input.say(&text.lines().map(str::to_owned).collect::<Vec<_>>())?;
                    give_to_system(text);
                }
                Request::Open(address) => {
                    if !open_in_browser(&address) {
                        input.say(&[address])?;
                    }
                }
                Request::Ring => input.ring()?,
                // The terminal itself suspends a program that reads lines.
                Request::Redraw | Request::Suspend => {}
                Request::Edit {
                    request,
                    owner,
                    draft,
                } => {
                    let text = edit(editor, &draft).await;
                    let outcome = Outcome::Edited(text);
                    let done = What::Done {
                        request,
                        owner,
                        outcome,
                    };
                    engine.apply(Timestamp::now(), done);
                }
                Request::Quit => return last_words(engine).await,
            }
        }
        if owed.is_none() && reader.has_news(&engine.state) {
            owed = Some(Instant::now());
        }
        // A program that enters lines can wait for each.
        let is_late = |since: Instant| input.is_terminal && since.elapsed() >= PATIENCE;
        let is_quiet = is_quiet(engine);
        if is_quiet || owed.is_some_and(is_late) {
            if let Some(what) = entered.pop_front() {
                engine.apply(Timestamp::now(), what);
                owed = Some(Instant::now());
                continue;
            }
            if owed.is_some() {
                let lines = reader.read(&engine.state, std::mem::take(&mut is_whole));
                engine.drawn();
                input.say(&lines)?;
            }
            // What comes late is news.
            owed = None;
            input.ask(reader.is_secret)?;
        }
        let timer = engine.next_timer();
        let late = owed.filter(|_| input.is_terminal);
        tokio::select! {
            biased;
            signal = signals.next() => if matches!(signal, Signal::Terminate | Signal::Interrupt) {
                engine.apply(Timestamp::now(), What::Terminated);
            },
            line = input.next() => match line {
                Some(line) => match reader.meaning(&engine.state, &line) {
                    Meaning::Events(events) => {
                        entered.extend(events);
                        owed = Some(Instant::now());
                    }
                    Meaning::Again => {
                        is_whole = true;
                        owed = Some(Instant::now());
                    }
                    Meaning::Said(lines) => input.say(&lines)?,
                },
                None => engine.apply(Timestamp::now(), What::Terminated),
            },
            what = engine.next_outcome() => {
                if let Some(what) = what {
                    engine.apply(Timestamp::now(), what);
                }
            }
            () = sleep_until(timer) => {}
            () = until(late) => {}
        }
    }
}

/// Waits until a person is impatient.
async fn until(since: Option<Instant>) {
    match since {
        Some(since) => tokio::time::sleep_until(since + PATIENCE).await,
        None => std::future::pending().await,
    }
}

/// The lines that are entered, and those that are said in between.
struct Input {
    is_terminal: bool,
    /// Asks for a line, perhaps one that nobody may see.
    asks: mpsc::Sender<bool>,
    lines: tokio::sync::mpsc::UnboundedReceiver<String>,
    is_asking: bool,
}

impl Input {
    fn open() -> Input {
        let is_terminal = io::stdin().is_terminal();
        let (asks, asked) = mpsc::channel();
        let (found, lines) = tokio::sync::mpsc::unbounded_channel();
        // A thread instead of a task, which would prevent the program from ending while it waits for input.
        std::thread::spawn(move || {
            while let Ok(is_secret) = asked.recv() {
                let mut line = String::new();
                let read = match is_secret && is_terminal {
                    true => rpassword::read_password().map(|secret| line = secret),
                    false => io::stdin()
                        .read_line(&mut line)
                        .and_then(|length| match length {
                            0 => Err(io::ErrorKind::UnexpectedEof.into()),
                            _ => Ok(()),
                        }),
                };
                if read.is_err() || found.send(line).is_err() {
                    return;
                }
            }
        });
        Input {
            is_terminal,
            asks,
            lines,
            is_asking: false,
        }
    }

    /// Asks for the next line, unless that is done.
    fn ask(&mut self, is_secret: bool) -> io::Result<()> {
        if !self.is_asking {
            self.is_asking = true;
            // Without the thread, the lines have ended.
            let _ = self.asks.send(is_secret);
            self.prompt()?;
        }
        Ok(())
    }

    /// The next line; `None` after the last.
    async fn next(&mut self) -> Option<String> {
        let line = self.lines.recv().await;
        self.is_asking = false;
        line
    }

    /// Says lines, also while one is entered.
    fn say(&mut self, lines: &[String]) -> io::Result<()> {
        let mut output = io::stdout();
        if self.is_asking && self.is_terminal && !lines.is_empty() {
            writeln!(output)?;
        }
        for line in lines {
            writeln!(output, "{line}")?;
        }
        output.flush()?;
        match self.is_asking && !lines.is_empty() {
            true => self.prompt(),
            false => Ok(()),
        }
    }

    fn prompt(&self) -> io::Result<()> {
        let mut output = io::stdout();
        if self.is_terminal {
            write!(output, "> ")?;
        }
        output.flush()
    }

    fn ring(&self) -> io::Result<()> {
        let mut output = io::stdout();
        if output.is_terminal() {
            write!(output, "\x07")?;
        }
        output.flush()
    }
}
