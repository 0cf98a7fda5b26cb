//! Scans on every screen and layer that a command opens, with a desk below and without one.

use std::collections::{BTreeSet, VecDeque};

use frontdesk_protocol::id::GuestId;
use jiff::SignedDuration;

use super::super::COMMANDS;
use crate::app::input::command::{ALWAYS, ANYWHERE};
use crate::app::input::mode::Mode;
use crate::app::state::Typing;
use crate::records::kind;
use crate::shell::Driver;
use crate::testing::{FakeHost, account, app, guest, guest_id, is_read};

/// Tickets, and what a scanner sends for each: with any end and with none, with signs around it.
const SCANS: [(&str, &str); 7] = [
    ("c0ffee01", "c0ffee01\r"),
    ("u-4411", "u-4411\t"),
    ("q-1001", "\u{2}q-1001\u{3}\r\n"),
    ("TX-900", "TX-900"),
    ("deanayx", "deanayx\r"),
    ("6", "6\r"),
    ("dede", r#"{"v":1,"ticket":"dede"}"#),
];
/// Codes of nobody: they would run commands, too.
const UNKNOWN: [&str; 2] = ["ayqec\r", "dnq-7\r"];

/// Commands that end the app or the desk.
const ENDS: [&str; 6] = [
    "app.quit",
    "app.quit_now",
    "app.suspend",
    "app.back",
    "app.home",
    "guest.leave",
];

/// A step to a place.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Step {
    Run(&'static str),
    /// The list of this name, by the palette.
    List(&'static str),
    Press(&'static str),
}

type Way = Vec<Step>;

const DESK: Step = Step::Run("home.check_in");

fn host() -> FakeHost {
    let host = FakeHost::new();
    for (number, (ticket, _)) in (30..).zip(SCANS) {
        let mut guest = guest(number, &format!("Guest {number}"));
        guest.tags.insert("ticket_code".to_owned(), ticket.into());
        host.lock().guests.push(guest);
    }
    host
}

fn holder(at: usize) -> GuestId {
    guest_id(30 + at as u128)
}

fn here(host: &FakeHost) -> BTreeSet<GuestId> {
    let guests = &host.lock().guests;
    let inside = guests.iter().filter(|guest| guest.check_in_at.is_some());
    inside.map(|guest| guest.id).collect()
}

async fn at(host: &FakeHost, way: &[Step], mode: Mode) -> Driver {
    let mut app = app(host, Some(account()), (120, 40));
    app.settle().await;
    for step in way {
        match step {
            Step::Run(id) => app.run(id).expect("leads there"),
            Step::Press(key) => app.key(key).expect("is a key"),
            Step::List(name) => {
                app.run("app.palette").expect("is everywhere");
                app.type_text(name);
                app.settle().await;
                app.key("enter").expect("is a key");
            }
        }
        app.settle().await;
    }
    app.state_mut().shared.mode = mode;
    app.dismiss_toasts();
    app
}

/// The titles of the screen and of what covers it.
fn place(app: &mut Driver) -> (usize, Vec<&'static str>) {
    let state = app.state_mut();
    let layers = state.layers.iter().map(|layer| layer.context().title);
    let titles = std::iter::once(state.screen_context().title).chain(layers);
    (state.screens.len(), titles.collect())
}

async fn scan(app: &mut Driver, sent: &str) {
    app.scan(sent);
    app.settle().await;
    if !sent.ends_with(['\r', '\n', '\t']) {
        app.advance(SignedDuration::from_secs(1)).await;
    }
}

/// Every way to a place from these, the shortest for each: commands lead on, those of every screen once; lists are ends.
async fn ways(first: &[Step], more: &[&[Step]], seen: &mut BTreeSet<Vec<&str>>) -> Vec<Way> {
    let more = more.iter().map(|more| [first, more].concat());
    let mut next: VecDeque<Way> = std::iter::once(first.to_vec()).chain(more).collect();
    let mut ways = Vec::new();
    let mut tried = BTreeSet::new();
    while let Some(way) = next.pop_front() {
        let host = host();
        let mut here = at(&host, &way, Mode::ReadWrite).await;
        let has_desk = here
            .state_mut()
            .screens
            .iter()
            .any(|opened| opened.screen.codes().is_some());
        let is_other = has_desk != first.contains(&DESK);
        if here.is_over() || is_other || !seen.insert(place(&mut here).1) {
            continue;
        }
        let is_covered = !here.state_mut().layers.is_empty();
        for command in COMMANDS.all().filter(|one| !ENDS.contains(&one.id)) {
            let leads_on = !is_covered && command.obstacle(here.state_mut()).is_none();
            let is_everywhere = [&ALWAYS, &ANYWHERE].contains(&command.context);
            if leads_on && (!is_everywhere || tried.insert(command.id)) {
                next.push_back([&way[..], &[Step::Run(command.id)]].concat());
            }
        }
        ways.push(way);
    }
    let kinds = kind::all().iter();
    let lists = kinds.map(|kind| [first, &[Step::List(&kind.many)]].concat());
    ways.extend(lists);
    ways
}

/// What is wrong after scans at the end of this way over a desk.
async fn tries(way: &[Step], mode: Mode) -> Option<String> {
    let host = host();
    let mut expected = here(&host);
    if mode == Mode::ReadWrite {
        expected.extend((0..SCANS.len()).map(holder));
    }
    let mut app = at(&host, way, mode).await;
    let before = place(&mut app);
    for (_, sent) in SCANS {
        scan(&mut app, sent).await;
    }
    // In a field, what nobody has is the field's.
    if app.state_mut().typing() == Typing::No {
        for sent in UNKNOWN {
            scan(&mut app, sent).await;
        }
    }
    wrong(way, &host, &mut app, &before, &expected)
}

fn wrong(
    way: &[Step],
    host: &FakeHost,
    app: &mut Driver,
    before: &(usize, Vec<&'static str>),
    expected: &BTreeSet<GuestId>,
) -> Option<String> {
    let inner = host.lock();
    let calls = inner.calls.iter();
    let writes = calls.filter(|call| !is_read(call) && *call != "deliver");
    let writes: Vec<String> = writes.cloned().collect();
    drop(inner);
    let after = place(app);
    let is_right =
        !app.is_over() && after == *before && here(host) == *expected && writes.is_empty();
    (!is_right).then(|| {
        format!(
            "{way:?}: over {}, {before:?} → {after:?}, in {:?}, {writes:?}",
            app.is_over(),
            here(host)
                .difference(expected)
                .chain(expected.difference(&here(host)))
                .collect::<Vec<_>>()
        )
    })
}

/// Screens and layers that these ways do not reach, in both walks: they need data that the host in memory does not have.
/// A scan does not ask which screen is open.
const FARTHER: [&str; 40] = [
    "An action on several records",
    "Changes of a call",
    "Changes of a plan",
    "Check-ins that need attention",
    "Confirmations by typing a name",
    "Conflicting versions of a wiki article",
    "Deliveries",
    "Dependencies of a program",
    "Epics",
    "Imports of spreadsheets",
    "Instantiating a template for a cohort",
    "Link shown once",
    "Merging two meetings",
    "Messages of a server",
    "One change",
    "One course",
    "One delivery",
    "One epic",
    "One form that was sent",
    "One lesson",
    "One program",
    "One project",
    "One quiz",
    "One task",
    "One wiki article",
    "Page of a server",
    "Plans: remove, promote, merge",
    "Preview of a call",
    "Programs",
    "Projects",
    "Promoting an occurrence",
    "Question of a server",
    "Removing a series",
    "Reports on meetings",
    "Resources and prompts of a server",
    "Sign-in to a server",
    "Start",
    "Start: form",
    "Tasks of a plan",
    "Tools as the first screen",
];
/// Those that only the walk without a desk reaches, and only the one with a desk.
const ALONE: [&str; 5] = [
    "All areas",
    "Boards",
    "Home",
    "Meeting series",
    "One meeting series",
];
const WITH_DESK: [&str; 4] = [
    "Answer of a tool",
    "Check-in desk",
    "Comparison of two results",
    "Export of an answer",
];

#[tokio::test]
async fn a_scan_goes_to_the_desk_from_every_screen() {
    let guest: &[Step] = &[Step::Press("down"), Step::Run("guest.open")];
    let lists: [&[Step]; 2] = [&[Step::List("events")], &[Step::List("meeting series")]];
    let mut seen = BTreeSet::new();
    let ways = ways(&[DESK], &[guest, lists[0], lists[1]], &mut seen).await;
    let mut wrong = Vec::new();
    for way in &ways {
        wrong.extend(tries(way, Mode::ReadWrite).await);
        if way.len() <= 2 && !matches!(way.last(), Some(Step::List(_))) {
            wrong.extend(tries(way, Mode::ReadOnly).await);
        }
    }
    none(&wrong, &ways);
    misses(&seen, &ALONE);
}

/// A code was right after each of these ways.
fn none(wrong: &[String], ways: &[Way]) {
    let (number, of) = (wrong.len(), ways.len());
    assert!(wrong.is_empty(), "{number} of {of}:\n{}", wrong.join("\n"));
}

/// The walk has seen all screens and layers but [`FARTHER`] and these.
fn misses(seen: &BTreeSet<Vec<&str>>, others: &[&str]) {
    let seen: BTreeSet<&str> = seen.iter().flatten().copied().collect();
    let all = COMMANDS.all().map(|command| command.context);
    let all = all.filter(|context| !context.is_general && context.title != "Always");
    let missed: BTreeSet<&str> = all
        .map(|context| context.title)
        .filter(|title| !seen.contains(title))
        .collect();
    let farther = FARTHER.iter().chain(others).copied();
    assert_eq!(missed, farther.collect());
}

/// What is wrong after scans at the end of this way without a desk: a field has their text, elsewhere a message has it, and
/// nothing else happens.
async fn tries_alone(way: &[Step]) -> Option<String> {
    let host = host();
    let mut app = at(&host, way, Mode::ReadWrite).await;
    let before = place(&mut app);
    let state = app.state_mut();
    let is_choice = state.layers.last().is_some_and(|layer| layer.is_choice());
    let is_field = state.typing() != Typing::No && !is_choice;
    let sent = SCANS.iter().map(|(_, sent)| *sent).chain(UNKNOWN);
    for sent in sent.filter(|sent| sent.chars().any(|char| char.is_ascii_digit())) {
        // The end of a code is a key of the field.
        let keys = match is_field {
            true => sent.trim_end_matches(['\r', '\n', '\t']),
            false => sent,
        };
        // With signs around it, it is a code in any case.
        if keys.len() > 2 && !(is_field && keys.contains(char::is_control)) {
            scan(&mut app, keys).await;
        }
    }
    let expected = here(&FakeHost::new());
    let wrong = wrong(way, &host, &mut app, &before, &expected);
    wrong.or_else(|| {
        let is_told = |toast: &String| toast.contains("no check-in desk is open");
        let is_told = app.all_toasts().iter().any(is_told);
        (is_told == is_field).then(|| format!("{way:?}: {:?}", app.all_toasts()))
    })
}

#[tokio::test]
async fn without_a_desk_a_scan_runs_no_command() {
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    let ways = ways(&[], &[], &mut seen).await;
    for way in &ways {
        wrong.extend(tries_alone(way).await);
    }
    none(&wrong, &ways);
    misses(&seen, &WITH_DESK);
}

/// A password manager types as fast as a scanner. With a desk below the card and without one.
#[tokio::test]
async fn a_password_is_no_scan() {
    const PASSWORD: &str = "hunter2-hunter2";
    for way in [&[][..], &[DESK]] {
        let mut app = at(&host(), way, Mode::ReadWrite).await;
        app.run("session.sign_in").expect("is everywhere");
        app.settle().await;
        scan(&mut app, "ana-2@school.test\t").await;
        scan(&mut app, &format!("{PASSWORD}\t")).await;
        let screen = app.screen();
        assert!(screen.contains("ana-2@school.test"), "{screen}");
        assert!(screen.contains(&"•".repeat(PASSWORD.len())), "{screen}");
        scan(&mut app, "\r").await;
        let screen = app.screen();
        assert!(screen.contains("Address or password is wrong"), "{screen}");
        assert!(!screen.contains(PASSWORD), "{screen}");
        assert_eq!(app.all_toasts(), &[] as &[String], "{way:?}");
    }
}
