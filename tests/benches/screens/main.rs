//! What a key and a frame cost: the app applies a key to its state (update), draws the state into cells
//! (view), and finds out which cells are others and writes them as bytes (diff).
//!
//! ```text
//! cargo bench -p frontdesk-tests --bench screens
//! cargo bench -p frontdesk-tests --bench screens -- 1000000   # what has this in its name
//! cargo bench -p frontdesk-tests --bench screens -- desk      # the check-in desk, its slowest keys and its memory
//! ```
//!
//! It is the list of an event's guests, with as many guests loaded as the name says, in the middle of
//! the list unless the name says something else; the board of 5,000 tasks; and the check-in desk of an event with
//! 50,000 guests.

mod host;

use std::hint::black_box;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main};
use frontdesk::{Driver, Options};
use frontdesk_client::{Account, Addresses, Client, CredentialStore, Credentials, Journal, Secret};
use frontdesk_protocol::Role;
use frontdesk_protocol::id::UserId;
use frontdesk_tests::NOW;
use jiff::{SignedDuration, Timestamp};
use ratatui::Terminal;
use ratatui::backend::{Backend, CrosstermBackend, TestBackend};
use ratatui::buffer::Buffer;
use tokio::runtime::Runtime;
use uuid::Uuid;

/// Columns and rows of the terminal.
const SIZES: [(u16, u16); 2] = [(80, 24), (200, 50)];
/// Guests that are loaded.
const ROWS: [usize; 3] = [100, 10_000, 1_000_000];

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .sample_size(20);
    targets = desk, screens
}
criterion_main!(benches);

fn screens(criterion: &mut Criterion) {
    let runtime = Runtime::new().expect("a runtime");
    // What a key starts is started, as in the app; the app's clock stands still, and nothing is waited for.
    let _inside = runtime.enter();
    for rows in ROWS {
        let mut app = runtime.block_on(list_of(rows));
        for (columns, lines) in SIZES {
            app.resize(columns, lines);
            let mut group = criterion.benchmark_group(format!("{rows} rows/{columns}x{lines}"));
            update(&mut group, &mut app);
            draw(&mut group, &mut app, (columns, lines));
        }
    }
    let mut app = runtime.block_on(board());
    for (columns, lines) in SIZES {
        app.resize(columns, lines);
        let tasks = host::TASKS;
        let mut group = criterion.benchmark_group(format!("{tasks} tasks/{columns}x{lines}"));
        cards(&mut group, &mut app, (columns, lines));
    }
}

/// Guests on the check-in desk.
const GUESTS: usize = 50_000;

/// A person types names and goes through the matches; each key is drawn. Says how long the slowest of a hundred keys
/// took, and how much memory and disk the guests take.
fn desk(criterion: &mut Criterion) {
    let runtime = Runtime::new().expect("a runtime");
    let _inside = runtime.enter();
    let before = resident();
    let directory = tempfile::tempdir().expect("a directory");
    let mut app = runtime.block_on(async {
        let mut app = started(GUESTS, directory.path()).await;
        press(&mut app, "c");
        app.settle().await;
        app
    });
    assert!(
        app.screen().contains("50,000 on this desk"),
        "{}",
        app.screen()
    );
    let memory = resident().saturating_sub(before) / 1024;
    let Ok(mut terminal) = Terminal::new(TestBackend::new(80, 24));
    let keys = [
        "m",
        "u",
        "e",
        "l",
        "space",
        "z",
        "down",
        "down",
        "up",
        "backspace",
        "esc",
        "esc",
    ];
    let mut keys = keys.iter().cycle();
    let mut took = Vec::new();
    criterion.bench_function(
        &format!("desk of {GUESTS} guests/a key, drawn"),
        |bencher| {
            bencher.iter(|| {
                let start = Instant::now();
                press(
                    &mut app,
                    black_box(keys.next().expect("there is always one")),
                );
                terminal.current_buffer_mut().reset();
                app.view(&mut terminal.get_frame());
                black_box(terminal.current_buffer_mut());
                took.push(start.elapsed());
            });
        },
    );
    if !took.is_empty() {
        press(&mut app, "ctrl-q");
        runtime.block_on(app.settle());
        let disk = size(directory.path()).expect("files") >> 20;
        took.sort_unstable();
        let p99 = took[took.len() * 99 / 100];
        let _ = writeln!(
            std::io::stdout(),
            "99 of 100 keys took at most {p99:?}; {GUESTS} guests take {memory} MiB of memory, with the host, and {disk} \
             MiB of disk"
        );
    }
}

/// The bytes of the files in a directory.
fn size(directory: &Path) -> std::io::Result<u64> {
    std::fs::read_dir(directory)?
        .map(|entry| {
            let entry = entry?;
            match entry.file_type()?.is_dir() {
                true => size(&entry.path()),
                false => Ok(entry.metadata()?.len()),
            }
        })
        .sum()
}

/// The memory of this process in KiB; 0 where the system does not say.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// The app at the board of tasks.
async fn board() -> Driver {
    let directory = tempfile::tempdir().expect("a directory");
    let mut app = started(1, directory.path()).await;
    app.run("work.board").expect("it is there");
    app.settle().await;
    let all = format!(" {} tasks", host::TASKS);
    assert!(app.screen().contains(&all), "{}", app.screen());
    app
}

/// The app at the list of guests, which is loaded to its end.
async fn list_of(rows: usize) -> Driver {
    let directory = tempfile::tempdir().expect("a directory");
    let mut app = started(rows, directory.path()).await;
    press(&mut app, "o");
    app.settle().await;
    let all = format!(" {rows} guests ");
    while !app.screen().contains(&all) {
        let before = app.screen();
        press(&mut app, "G");
        app.settle().await;
        assert_ne!(app.screen(), before, "the list does not go on");
    }
    app
}

/// The app at home, over a host with this many guests, with its files in this directory.
async fn started(rows: usize, directory: &Path) -> Driver {
    let url = host::start(rows).await;
    let store = CredentialStore::memory();
    store.save(&credentials(&url)).expect("is kept");
    let addresses = Addresses::new(&url).expect("an address");
    let client = Client::new(addresses, store).expect("a client");
    let journal = Journal::open(directory.join("journal")).expect("a journal");
    let options = Options {
        now: NOW,
        data: Some(directory.to_owned()),
        ..Options::default()
    };
    let mut app = Driver::start(client, journal, options).expect("it starts");
    app.settle().await;
    app
}

fn credentials(url: &str) -> Credentials {
    let email = "staff@demo.test";
    Credentials {
        access_token: Secret::new("measured"),
        refresh_token: Secret::new("measured"),
        expires_at: Timestamp::now() + SignedDuration::from_hours(12),
        lifetime: 12 * 3600,
        url: url.to_owned(),
        email: email.to_owned(),
        api_key: "demo".to_owned(),
        account: Some(Account {
            id: UserId(Uuid::from_u128(3)),
            email: email.to_owned(),
            organization: Some("Demo".to_owned()),
            organization_slug: None,
            time_zone: None,
            name: None,
            member: None,
            role: Some(Role::Staff),
            level: 0,
        }),
    }
}

fn press(app: &mut Driver, key: &str) {
    app.key(key).expect("a key");
}

/// Keys, applied to the state.
fn update(group: &mut BenchmarkGroup<WallTime>, app: &mut Driver) {
    let mut measure = |name: &str, before: &[&str], key: &str, after: &[&str]| {
        group.bench_function(format!("update/{name}"), |bencher| {
            bencher.iter_custom(|times| {
                let mut took = Duration::ZERO;
                for _ in 0..times {
                    before.iter().for_each(|key| press(app, key));
                    let start = Instant::now();
                    press(app, black_box(key));
                    took += start.elapsed();
                    after.iter().for_each(|key| press(app, key));
                }
                took
            });
        });
    };
    measure("j, next row", &[], "j", &["k"]);
    measure("pgdn, next page", &[], "pgdn", &["pgup"]);
    measure("G, last row", &["g"], "G", &[]);
    measure("s, sorted", &[], "s", &["s", "s", "s", "s", "s"]);
    measure("m, first letter searched", &["/"], "m", &["esc"]);
    measure("l, third letter searched", &["/", "m", "u"], "l", &["esc"]);
}

/// Keys on the board, each until it is drawn.
fn cards(group: &mut BenchmarkGroup<WallTime>, app: &mut Driver, (columns, lines): (u16, u16)) {
    let Ok(mut terminal) = Terminal::new(TestBackend::new(columns, lines));
    for (name, keys) in [
        ("j and k, up and down", ["j", "k"]),
        ("l and h, sideways", ["l", "h"]),
    ] {
        let mut keys = keys.iter().cycle();
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                press(app, black_box(keys.next().expect("there is always one")));
                terminal.current_buffer_mut().reset();
                app.view(&mut terminal.get_frame());
                black_box(terminal.current_buffer_mut());
            });
        });
    }
}

/// The state, drawn into cells, and written as bytes.
fn draw(group: &mut BenchmarkGroup<WallTime>, app: &mut Driver, (columns, lines): (u16, u16)) {
    let Ok(mut terminal) = Terminal::new(TestBackend::new(columns, lines));
    for key in ["g", "pgdn", "pgdn", "pgdn"] {
        press(app, key);
    }
    let mut frame = |app: &Driver| -> Buffer {
        terminal.current_buffer_mut().reset();
        app.view(&mut terminal.get_frame());
        terminal.current_buffer_mut().clone()
    };
    let here = frame(app);
    press(app, "j");
    let next = frame(app);
    press(app, "pgdn");
    let page = frame(app);
    let nothing = Buffer::empty(here.area);

    let mut view = |name: &str, app: &Driver| {
        group.bench_function(format!("view/{name}"), |bencher| {
            bencher.iter(|| {
                terminal.current_buffer_mut().reset();
                app.view(&mut terminal.get_frame());
                black_box(terminal.current_buffer_mut());
            });
        });
    };
    view("near the first row", app);
    press(app, "G");
    view("at the last row", app);
    for key in ["/", "m", "u"] {
        press(app, key);
    }
    view("searched", app);
    press(app, "esc");

    let mut diff = |name: &str, before: &Buffer, after: &Buffer| {
        let mut bytes = Vec::new();
        group.bench_function(format!("diff/{name}"), |bencher| {
            bencher.iter(|| {
                bytes.clear();
                let changes = before.diff(black_box(after));
                let mut backend = CrosstermBackend::new(&mut bytes);
                backend.draw(changes.into_iter()).expect("is written");
                black_box(bytes.len())
            });
        });
    };
    diff("nothing is another", &here, &here);
    diff("next row", &here, &next);
    diff("next page", &here, &page);
    diff("a whole screen", &nothing, &here);
}
