//! From a key to the last byte of the frame that it brings.

use std::time::{Duration, Instant};

use frontdesk_tests::{run as within, world};

use crate::program::Stage;
use crate::tty::Tty;
use crate::{Options, SIZES, cells, say};

/// How many keys of each kind are pressed.
const TIMES: usize = 500;
/// Guests of the event: as many as the check-in desk keeps at hand.
const GUESTS: i32 = 1_000;
/// The pause between two keys, so that each finds the program asleep, as a person's keys do.
const PAUSE: Duration = Duration::from_millis(10);

pub(crate) fn run(options: &Options) {
    say(
        "\n| key to bytes | size | p50 ms | p95 | p99 | longest | bytes at most |\n|---|---|---|---|---|---|---|",
    );
    let stage = Stage::signed_in();
    within(fill(&stage));
    for size in SIZES {
        let mut tty = home(options, &stage, size);
        // The event's screen, with its list of guests.
        tty.type_text("o");
        tty.frame_with("Guest 0001");
        measure(
            options,
            "list of guests, next row",
            &mut tty,
            size,
            &["j", "k"],
        );
        let pages = ["\x1b[6~", "\x1b[5~"];
        measure(options, "list of guests, next page", &mut tty, size, &pages);
        let help = ["?", "\x1b"];
        measure(options, "help, opened and closed", &mut tty, size, &help);

        let mut tty = home(options, &stage, size);
        tty.type_text("\r");
        tty.frame_with("1000 guests");
        let letters = ["g", "u", "e", "s", "\x7f", "\x7f", "\x7f", "\x7f"];
        measure(
            options,
            "check-in desk, a letter of a name",
            &mut tty,
            size,
            &letters,
        );
    }
}

/// The program at home, loaded.
fn home(options: &Options, stage: &Stage, size: (u16, u16)) -> Tty {
    let command = options.frontdesk(&world().url(), stage.directory.path());
    let mut tty = Tty::start(command, size);
    tty.frame_with("Launch");
    tty.until_quiet(Duration::from_secs(1));
    tty
}

async fn fill(stage: &Stage) {
    world()
        .owner()
        .await
        .execute(
            "insert into events.guests (id, organization_id, event_id, name, email, role) \
             select gen_random_uuid(), e.organization_id, e.id, 'Guest ' || lpad(n::text, 4, '0'), \
               'guest' || n || '@example.org', 'guest' \
             from events.events e, generate_series(1, $2::integer) n where e.id = $1",
            &[&stage.event.0, &(GUESTS - 2)],
        )
        .await
        .expect("guests");
}

/// Presses these keys in turn; each must bring a frame.
fn measure(options: &Options, what: &str, tty: &mut Tty, size: (u16, u16), keys: &[&str]) {
    tty.until_quiet(Duration::from_secs(1));
    let times = options.times.unwrap_or(TIMES);
    let mut most = 0;
    let mut times: Vec<Duration> = keys
        .iter()
        .cycle()
        .take(times)
        .map(|key| {
            let start = Instant::now();
            tty.type_text(key);
            let frame = tty.frame();
            most = most.max(frame.bytes);
            // What comes later than the key's frame is another's: an answer, a timer.
            tty.until_quiet(PAUSE);
            frame.at.duration_since(start)
        })
        .collect();
    let (columns, rows) = size;
    say(&format!(
        "| {what} | {columns}x{rows} | {} | {most} |",
        cells(&mut times)
    ));
}
