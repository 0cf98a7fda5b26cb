//! Stories at the screen: the real app over the real server, with a terminal in memory.
//!
//! A story says what a person does and what they then see. After each step everything that it
//! started has ended. A message that appears must be looked at, or the story fails; when it fails,
//! it prints the screen, the state and what happened.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use frontdesk::{Driver, Options};
use frontdesk_client::{
    Addresses, Client, Config, CredentialStore, Entry, Journal, Timeouts, paths,
};
use frontdesk_protocol::Role;
use frontdesk_server::clock::Clock;
use frontdesk_server::server::Server;
use jiff::tz::{TimeZone, offset};
use jiff::{SignedDuration, Timestamp};
use tempfile::TempDir;
use tokio::time::timeout;

use crate::builder::PASSWORD;
use crate::proxy::Proxy;
use crate::regions::{Region, panels};
use crate::school::School;
use crate::screen::{Row, without_what_varies};
use crate::world::{PATIENCE, enter, run, world};

/// The app's clock when a story begins: 09:45 in its time zone. It lies in the past, since hosts
/// take no time of arrival in the future.
pub const NOW: Timestamp = Timestamp::constant(1_741_783_500, 0);
/// The public key that the server wants.
const API_KEY: &str = "demo";
/// The sizes in which screens are kept.
const SIZES: [(u16, u16); 2] = [(80, 24), (120, 40)];

/// The time zone of the stories: three hours behind UTC.
pub fn zone() -> TimeZone {
    TimeZone::fixed(offset(-3))
}

/// A desk of this school, to be set up.
pub fn desk(school: &School) -> Setup {
    // A server inside the process can redirect `tempfile` to its own directory.
    let scratch = tempfile::tempdir_in(std::env::temp_dir());
    let scratch = Arc::new(scratch.expect("a directory"));
    Setup {
        school: *school,
        role: None,
        url: world().url(),
        network: None,
        _server: None,
        directory: scratch.path().to_owned(),
        _scratch: scratch,
        now: NOW,
        zone: zone(),
        number: 0,
        size: SIZES[0],
        config: Config::default(),
        no_color: false,
        read_only: false,
        editor: None,
        timeouts: unhurried(),
        listens: false,
    }
}

/// Longer than anything that a story waits for.
fn unhurried() -> Timeouts {
    Timeouts {
        connect: PATIENCE,
        request: PATIENCE,
        health: PATIENCE,
        ..Timeouts::default()
    }
}

/// How a desk is set up.
#[derive(Debug, Clone)]
pub struct Setup {
    school: School,
    role: Option<Role>,
    url: String,
    network: Option<Arc<Proxy>>,
    /// A server with its own clock or limit.
    _server: Option<Arc<Server>>,
    directory: PathBuf,
    /// Removed when the last desk that uses it is gone.
    _scratch: Arc<TempDir>,
    now: Timestamp,
    zone: TimeZone,
    number: u64,
    size: (u16, u16),
    config: Config,
    no_color: bool,
    read_only: bool,
    editor: Option<String>,
    timeouts: Timeouts,
    listens: bool,
}

impl Setup {
    /// The account of this role is signed in.
    pub fn signed_in_as(mut self, role: Role) -> Setup {
        self.role = Some(role);
        self
    }

    /// The terminal is in this time zone.
    pub fn in_zone(mut self, zone: TimeZone) -> Setup {
        self.zone = zone;
        self
    }

    /// The server is reached at this address.
    pub fn over(mut self, url: impl Into<String>) -> Setup {
        self.url = url.into();
        self
    }

    /// There is a network before the server that can fail.
    pub fn over_a_network(self) -> Setup {
        let network = Proxy::before(&self.url);
        Setup {
            url: network.url(),
            network: Some(Arc::new(network)),
            ..self
        }
    }

    /// The server has this clock, and a limit of calls a minute; 0 does not limit.
    pub fn at_a_server_with(self, clock: &Clock, calls_per_minute: u32) -> Setup {
        let server = run(world().server(clock.clone(), calls_per_minute));
        Setup {
            url: server.url(),
            _server: Some(Arc::new(server)),
            ..self
        }
    }

    /// The server allows so few calls that a desk knows a hundred guests of a large event at first.
    pub fn knowing_a_part(self) -> Setup {
        self.at_a_server_with(&Clock::with_manual_limits(), 50)
    }

    /// The network between the app and the server.
    pub fn network(&self) -> &Proxy {
        self.network.as_deref().expect("the desk is over a network")
    }

    /// Credentials and journal are in this directory.
    pub fn in_directory(mut self, directory: &Path) -> Setup {
        self.directory = directory.to_owned();
        self
    }

    /// The directory of credentials and journal.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The desk's random number, from 0 to 1023: it says when the desk calls after it had called too often.
    pub fn number(mut self, number: u64) -> Setup {
        self.number = number;
        self
    }

    /// The terminal's size.
    pub fn size(mut self, columns: u16, rows: u16) -> Setup {
        self.size = (columns, rows);
        self
    }

    /// Keys and theme.
    pub fn config(mut self, config: Config) -> Setup {
        self.config = config;
        self
    }

    /// Long texts are edited with this command.
    pub fn editor(mut self, command: impl Into<String>) -> Setup {
        self.editor = Some(command.into());
        self
    }

    /// The app draws no colours.
    pub fn no_color(mut self) -> Setup {
        self.no_color = true;
        self
    }

    /// Nothing may be changed.
    pub fn read_only(mut self) -> Setup {
        self.read_only = true;
        self
    }

    /// The desk is at this gate.
    pub fn gate(mut self, name: &str) -> Setup {
        self.config.desk.gate = Some(name.to_owned());
        self.config.desk.name = Some(format!("Desk at {name}"));
        self
    }

    /// The desk is at the entrance of this place of its event.
    pub fn place(mut self, name: &str) -> Setup {
        self.config.desk.place = Some(name.to_owned());
        self
    }

    /// The hosts tell of changes. A story that does not say so asks at intervals, so that nothing comes by itself.
    pub fn listening(mut self) -> Setup {
        self.listens = true;
        self
    }

    /// No request may take longer than this.
    pub fn timeout(mut self, request: Duration) -> Setup {
        self.timeouts.request = request;
        self
    }

    /// The app waits so long for a host that cannot make a call now.
    #[must_use]
    pub fn failover(mut self, failover: Duration) -> Setup {
        self.timeouts.failover = failover;
        self
    }

    /// Starts the app, as its person finds it: at home, or at the sign-in card.
    pub fn at_home(self) -> Desk {
        let addresses = Addresses::new(&self.url).expect("an address");
        let client = |timeouts| {
            let store = CredentialStore::file(paths::credentials_file(&self.directory));
            Client::with_timeouts(addresses.clone(), store, timeouts).expect("a client")
        };
        // Hashing a password takes longer than a short time-out on a busy machine.
        let unhurried = client(unhurried());
        if let Some(role) = self.role
            && !unhurried.is_signed_in()
        {
            let email = self.school.email(role);
            run(unhurried.sign_in(API_KEY, &email, PASSWORD)).expect("signs in");
        }
        let client = client(self.timeouts);
        let path = paths::journal_file(&self.directory);
        let options = Options {
            size: self.size,
            now: self.now,
            desk: self.number,
            zone: self.zone.clone(),
            config: self.config.clone(),
            no_color: self.no_color,
            api_key: API_KEY.to_owned(),
            exports: vec![self.directory.clone()],
            editor: self.editor.clone(),
            data: Some(self.directory.clone()),
            read_only: self.read_only,
            has_service: true,
            listens: self.listens,
        };
        let journal = Journal::open(path).expect("a journal");
        let inside = enter();
        let driver = Driver::start(client.clone(), journal.clone(), options).expect("it starts");
        drop(inside);
        let mut desk = Desk {
            driver,
            client,
            journal,
            setup: self,
            noted: 0,
            unread: Vec::new(),
        };
        desk.settle();
        desk
    }

    /// Starts the app and opens the check-in desk of an event.
    pub fn at(self, event: &str) -> Desk {
        let mut desk = self.at_home();
        desk.open_desk(event);
        desk
    }
}

/// A person at the app.
pub struct Desk {
    driver: Driver,
    client: Client,
    journal: Journal,
    setup: Setup,
    /// How many messages there were so far.
    noted: usize,
    /// Messages that the story has not looked at.
    unread: Vec<String>,
}

impl Desk {
    // What the person does ------------------------------------------------------------------

    /// Presses keys by their names, one after the other: `down down enter`.
    pub fn press(&mut self, keys: &str) -> &mut Desk {
        for key in keys.split(' ') {
            self.press_at_once(key).settle();
        }
        self
    }

    /// Clicks on the first place on screen with this text.
    pub fn click(&mut self, text: &str) -> &mut Desk {
        assert!(
            self.at_once(|driver| driver.click(text)),
            "there is no {text}"
        );
        self.settle()
    }

    /// Turns the wheel of the mouse.
    pub fn wheel(&mut self, is_down: bool) -> &mut Desk {
        self.at_once(|driver| driver.wheel(is_down));
        self.settle()
    }

    /// Types a text.
    pub fn type_text(&mut self, text: &str) -> &mut Desk {
        self.at_once(|driver| driver.type_text(text));
        self.settle()
    }

    /// Types a text and presses enter.
    pub fn enter(&mut self, text: &str) -> &mut Desk {
        self.type_text(text).press("enter")
    }

    /// Types a text and waits as long as a person takes to look up.
    pub fn search(&mut self, text: &str) -> &mut Desk {
        self.type_text(text);
        self.passes(SignedDuration::from_millis(300))
    }

    /// Enters a line in the app line by line, and returns what it says.
    pub fn hear(&mut self, line: &str) -> String {
        let mut said = Vec::new();
        self.waits(async |driver| said = driver.line(line).await);
        // Messages are among what is said.
        self.unread.clear();
        said.join("\n")
    }

    /// Enters a line in the app line by line, which says these texts, one after the other.
    pub fn line(&mut self, line: &str, texts: &[&str]) -> &mut Desk {
        let said = self.hear(line);
        let mut rest = said.as_str();
        for text in texts {
            let Some((_, after)) = rest.split_once(text) else {
                panic!("“{line}” does not bring “{text}” but:\n{said}");
            };
            rest = after;
        }
        self
    }

    /// Types what a scanner sends, as fast as it does.
    pub fn scan(&mut self, bytes: &str) -> &mut Desk {
        self.at_once(|driver| driver.scan(bytes));
        self.settle()
    }

    /// Pastes a text, as a scanner does that speaks to the terminal.
    pub fn paste(&mut self, text: &str) -> &mut Desk {
        self.at_once(|driver| driver.paste(text));
        self.settle()
    }

    /// Pastes a text and looks before what it starts has ended.
    pub fn paste_at_once(&mut self, text: &str) -> &mut Desk {
        self.at_once(|driver| driver.paste(text));
        self
    }

    /// Runs a command by its id.
    pub fn run(&mut self, command: &str) -> &mut Desk {
        if let Err(error) = self.at_once(|driver| driver.run(command)) {
            panic!("{error}");
        }
        self.settle()
    }

    /// A command cannot be run here; says why.
    pub fn cannot_run(&mut self, command: &str) -> String {
        match self.at_once(|driver| driver.run(command)) {
            Err(error) => error.to_string(),
            Ok(()) => panic!("{command} can be run"),
        }
    }

    /// Presses keys and looks before what they start has ended.
    pub fn press_at_once(&mut self, keys: &str) -> &mut Desk {
        for key in keys.split(' ') {
            self.at_once(|driver| driver.key(key)).expect("a key");
        }
        self
    }

    /// Waits until this is on the screen, which something that is still under way brings.
    pub fn hears(&mut self, text: &str) -> &mut Desk {
        self.waits(async |driver| {
            while !driver.screen().contains(text) {
                driver.hear().await;
            }
        })
    }

    /// Waits until a host reports a change.
    pub fn hears_something(&mut self) -> &mut Desk {
        self.waits(async |driver| driver.hear().await)
    }

    /// Rests on a screen until the hosts tell of its changes.
    pub fn listens(&mut self) -> &mut Desk {
        self.seconds(2);
        self.waits(async |driver| driver.listen().await)
    }

    /// Waits until a request of this name has reached the network.
    pub fn reaches(&mut self, name: &str) -> &mut Desk {
        let network = self.setup.network.clone().expect("over a network");
        self.waits(async |driver| {
            let hears = async {
                loop {
                    driver.hear().await;
                }
            };
            tokio::select! {
                () = network.reached(name) => {}
                () = hears => {}
            }
        })
    }

    /// Waits until this many check-ins are on disk, whatever else is still under way.
    pub fn writes(&mut self, entries: usize) -> &mut Desk {
        let journal = self.journal.clone();
        self.waits(async |driver| {
            while journal.waiting().expect("the journal is read").len() < entries {
                driver.hear().await;
            }
        })
    }

    /// Time passes on the app's clock; whatever is due happens.
    pub fn passes(&mut self, time: SignedDuration) -> &mut Desk {
        self.waits(async |driver| driver.advance(time).await)
    }

    /// Seconds pass.
    pub fn seconds(&mut self, seconds: i64) -> &mut Desk {
        self.passes(SignedDuration::from_secs(seconds))
    }

    /// The window has another size.
    pub fn resize(&mut self, columns: u16, rows: u16) -> &mut Desk {
        self.at_once(|driver| driver.resize(columns, rows));
        self.settle()
    }

    /// From home, opens the check-in desk of an event.
    pub fn open_desk(&mut self, event: &str) -> &mut Desk {
        self.select(event).run("home.check_in")
    }

    /// Takes the first of what `:` finds by this text.
    pub fn go_to(&mut self, text: &str) -> &mut Desk {
        self.press(":").enter(text)
    }

    /// In a list, moves down to this row.
    pub fn select(&mut self, text: &str) -> &mut Desk {
        for _ in 0..200 {
            let selected = self.driver.selected();
            if selected.iter().any(|row| row.contains(text)) {
                return self;
            }
            self.press("down");
            assert!(self.driver.selected() != selected, "there is no row {text}");
        }
        panic!("there is no row {text}");
    }

    /// Pulls the plug: nothing is written or sent any more. What was there is there at the next
    /// start, which this gives.
    pub fn crash(mut self) -> Setup {
        self.unread.clear();
        Setup {
            now: self.driver.now(),
            ..self.setup.clone()
        }
    }

    /// Seconds pass while a request is held back: what they start, but for that, has ended.
    pub fn seconds_while_held(&mut self, seconds: i64) -> &mut Desk {
        let held = self.driver.in_flight();
        self.at_once(|driver| driver.advance_unsettled(SignedDuration::from_secs(seconds)));
        self.settle_but(held)
    }

    /// Waits until only this many requests, which are held back, are under way.
    pub fn settle_but(&mut self, held: usize) -> &mut Desk {
        self.waits(async |driver| driver.settle_but(held).await)
    }

    /// Waits until nothing is under way.
    pub fn settle(&mut self) -> &mut Desk {
        self.waits(async |driver| driver.settle().await)
    }

    fn at_once<R>(&mut self, act: impl FnOnce(&mut Driver) -> R) -> R {
        let _inside = enter();
        act(&mut self.driver)
    }

    fn waits(&mut self, act: impl AsyncFnOnce(&mut Driver)) -> &mut Desk {
        let ended = run(async { timeout(PATIENCE, act(&mut self.driver)).await });
        self.note_messages();
        assert!(ended.is_ok(), "something that was begun does not end");
        self
    }

    // What the person sees ------------------------------------------------------------------

    /// The screen as text.
    pub fn screen(&mut self) -> String {
        self.driver.screen()
    }

    /// The screen holds this text. What is wrapped counts as one line.
    pub fn expect(&mut self, text: &str) -> &mut Desk {
        let screen = self.screen();
        let is_there = screen.contains(text) || crate::screen::unwrapped(&screen).contains(text);
        assert!(is_there, "not on the screen: {text}");
        self
    }

    /// The screen does not hold this text.
    pub fn expect_no(&mut self, text: &str) -> &mut Desk {
        assert!(!self.screen().contains(text), "on the screen: {text}");
        self
    }

    /// The first line, which says where the person is, holds this text.
    pub fn expect_path(&mut self, text: &str) -> &mut Desk {
        self.expect_in(Region::Path, text)
    }

    /// The lines between the path and the first box hold this text.
    pub fn expect_head(&mut self, text: &str) -> &mut Desk {
        self.expect_in(Region::Head, text)
    }

    /// A box has this text in its title.
    pub fn expect_title(&mut self, text: &str) -> &mut Desk {
        self.expect_in(Region::Titles, text)
    }

    /// A box with this text in its title holds the other text. What is wrapped counts as one line.
    pub fn expect_panel(&mut self, title: &str, text: &str) -> &mut Desk {
        let panels = panels(&self.screen(), title);
        let is_there = panels.iter().any(|panel| panel.contains(text));
        assert!(
            is_there,
            "not in a box of {title}: {text}; they hold {panels:#?}"
        );
        self
    }

    /// The last line, which lists keys, holds this text.
    pub fn expect_keys(&mut self, text: &str) -> &mut Desk {
        self.expect_in(Region::Keys, text)
    }

    fn expect_in(&mut self, region: Region, text: &str) -> &mut Desk {
        let screen = self.screen();
        let lines = region.of(&screen);
        assert!(
            region.has(&screen, text),
            "not in the {region:?}: {text}; it is {lines:?}"
        );
        self
    }

    /// The screen has this row.
    pub fn expect_row(&mut self, row: Row) -> &mut Desk {
        self.expect_rows([row])
    }

    /// The screen has these rows, one below the other.
    pub fn expect_rows(&mut self, rows: impl IntoIterator<Item = Row>) -> &mut Desk {
        let rows: Vec<Row> = rows.into_iter().collect();
        let screen = self.screen();
        let lines: Vec<&str> = screen.lines().collect();
        let mut places = lines.windows(rows.len().max(1));
        let is_there = places.any(|lines| lines.iter().zip(&rows).all(|(line, row)| row.is(line)));
        assert!(is_there, "no such rows: {rows:#?}");
        self
    }

    /// The large answer at the check-in desk.
    pub fn banner(&mut self) -> String {
        let screen = self.screen();
        let lines = screen.lines().skip(6).take(3).map(str::trim);
        lines.collect::<Vec<_>>().join(" ").trim().to_owned()
    }

    /// The large answer at the check-in desk holds these texts.
    pub fn expect_banner(&mut self, texts: &[&str]) -> &mut Desk {
        let banner = self.banner();
        for text in texts {
            assert!(banner.contains(text), "the desk says: {banner}");
        }
        self
    }

    /// A message came that holds this text, and was read.
    pub fn expect_toast(&mut self, text: &str) -> &mut Desk {
        match self
            .unread
            .iter()
            .position(|message| message.contains(text))
        {
            Some(at) => drop(self.unread.remove(at)),
            None => panic!("no message: {text}; those unread are {:?}", self.unread),
        }
        self
    }

    /// All messages were read.
    pub fn read_messages(&mut self) -> Vec<String> {
        std::mem::take(&mut self.unread)
    }

    /// What the person has put on the clipboard, the last one last.
    pub fn copied(&self) -> &[String] {
        self.driver.copied()
    }

    /// The addresses that were opened in the browser.
    pub fn opened(&self) -> &[String] {
        self.driver.opened()
    }

    /// The screen with its styles.
    pub fn styled(&mut self) -> String {
        format!("{:?}", self.driver.buffer())
    }

    /// How often the terminal's bell rang.
    pub fn rings(&self) -> usize {
        self.driver.rings()
    }

    /// How many check-ins wait for their delivery.
    pub fn waiting(&self) -> usize {
        self.driver.waiting()
    }

    /// Whether the app has asked to end.
    pub fn is_over(&self) -> bool {
        self.driver.is_over()
    }

    /// The app's clock.
    pub fn now(&self) -> Timestamp {
        self.driver.now()
    }

    /// The check-ins that the journal holds on disk, to be delivered.
    pub fn on_disk(&self) -> Vec<Entry> {
        self.journal.waiting().expect("the journal is read")
    }

    /// The client that the app calls with.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// The directory of credentials and journal.
    pub fn directory(&self) -> &Path {
        self.setup.directory()
    }

    /// The other side: what the database holds.
    pub fn database(&self) -> School {
        self.setup.school
    }

    /// The network between the app and the server.
    pub fn network(&self) -> &Proxy {
        self.setup.network()
    }

    /// Keeps the screen as a picture in `docs/pictures`, which `UPDATE_REFERENCE=1` writes.
    pub fn picture(&mut self, name: &str) -> &mut Desk {
        let path = format!("{}/../docs/pictures/{name}.svg", env!("CARGO_MANIFEST_DIR"));
        let email = self.database().email(Role::Staff);
        let place = email.split(['@', '.']).nth(1).unwrap_or_default();
        let picture = without_what_varies(&frontdesk::play::picture(self.driver.buffer()), place);
        if std::env::var_os("UPDATE_REFERENCE").is_some() {
            std::fs::write(&path, &picture).expect("the picture is written");
        }
        let current = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            current == picture,
            "docs/pictures/{name}.svg is out of date; \
             UPDATE_REFERENCE=1 cargo test --workspace --test suite flows::pictures writes it"
        );
        self
    }

    /// Keeps the whole screen in both sizes: for a story about the layout.
    pub fn snapshot(&mut self, name: &str) -> &mut Desk {
        let size = self.driver.buffer().area.as_size();
        for (columns, rows) in SIZES {
            self.resize(columns, rows);
            let screen = self.screen();
            self.keep(&format!("{name}_{columns}x{rows}"), &screen);
        }
        self.resize(size.width, size.height)
    }

    /// Keeps what the screen says: not its path, its keys and what is empty, so that a change there
    /// touches few stories.
    pub fn text_snapshot(&mut self, name: &str) -> &mut Desk {
        let said = self.driver.said();
        self.keep(name, &said);
        self
    }

    /// Keeps the screen in the size that it has.
    pub fn snapshot_as_it_is(&mut self, name: &str) -> &mut Desk {
        let screen = self.screen();
        self.keep(name, &screen);
        self
    }

    /// The terminal's cursor stands on a line with this text.
    pub fn expect_cursor(&mut self, text: &str) -> &mut Desk {
        let screen = self.screen();
        let cursor = self.driver.cursor();
        let line = cursor.and_then(|at| screen.lines().nth(at.y.into()));
        assert!(line.is_some_and(|line| line.contains(text)), "{line:?}");
        self
    }

    /// This text, where it comes first, has this colour: `Green`.
    pub fn expect_colour(&mut self, text: &str, colour: &str) -> &mut Desk {
        let screen = self.driver.buffer();
        let lines = screen.content.chunks(usize::from(screen.area.width));
        let mut places = lines.flat_map(|line| (0..line.len()).map(move |at| &line[at..]));
        let found = places.find(|cells| {
            let symbols: String = cells.iter().map(|cell| cell.symbol()).collect();
            symbols.starts_with(text)
        });
        let found = found.map(|cells| cells[0].fg.to_string());
        assert_eq!(found.as_deref(), Some(colour), "the colour of {text}");
        self
    }

    fn keep(&self, name: &str, screen: &str) {
        let email = self.database().email(Role::Staff);
        let place = email.split(['@', '.']).nth(1).unwrap_or_default();
        let screen = without_what_varies(screen, place);
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/flows/snapshots"));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(name, screen));
    }

    fn note_messages(&mut self) {
        let all = self.driver.all_toasts();
        self.unread.extend_from_slice(&all[self.noted..]);
        self.noted = all.len();
    }

    #[expect(clippy::print_stderr, reason = "a failed story tells what happened")]
    fn tell(&mut self) {
        eprintln!("state: {}", self.driver.state());
        eprintln!("what happened:");
        for what in self.driver.log() {
            eprintln!("  {what}");
        }
        eprintln!("messages: {:#?}", self.driver.all_toasts());
        eprintln!("{}", self.driver.screen());
    }
}

impl std::fmt::Debug for Desk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Desk")
            .field("setup", &self.setup)
            .finish_non_exhaustive()
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.tell();
        } else if !self.unread.is_empty() {
            self.tell();
            panic!("nobody looked at the messages {:?}", self.unread);
        }
    }
}
