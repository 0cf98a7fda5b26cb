//! From the start of the process to the end of its first frame, and to the frame with today's event.

use std::time::Duration;

use frontdesk_client::{CredentialStore, paths};
use frontdesk_tests::world;

use crate::program::Stage;
use crate::tty::Tty;
use crate::{Options, SIZES, cells, say};

/// How often it is started in each case.
const TIMES: usize = 30;
/// Where nothing listens.
const NOWHERE: &str = "http://127.0.0.1:1";
/// The same over TLS, for which the certificates of the platform are read.
const NOWHERE_OVER_TLS: &str = "https://127.0.0.1:1";

pub(crate) fn run(options: &Options) {
    say(
        "\n| start: what is waited for | size | p50 ms | p95 | p99 | longest |\n|---|---|---|---|---|---|",
    );
    for size in SIZES {
        let out = Stage::set();
        let url = world().url();
        measure(options, "signed out, first frame", &out, &url, size, None);
        let is_in = Stage::signed_in();
        measure(options, "signed in, first frame", &is_in, &url, size, None);
        let event = Some("Launch");
        measure(
            options,
            "signed in, today's event",
            &is_in,
            &url,
            size,
            event,
        );
        for (what, url) in [
            ("hosts away, first frame", NOWHERE),
            ("hosts away, over TLS, first frame", NOWHERE_OVER_TLS),
        ] {
            let away = Stage::signed_in();
            signed_in_at(&away, url);
            measure(options, what, &away, url, size, None);
        }
    }
}

/// The one who is signed in is so at another address.
fn signed_in_at(stage: &Stage, url: &str) {
    let store = CredentialStore::file(paths::credentials_file(stage.directory.path()));
    let credentials = store.load().expect("is read");
    let mut credentials = credentials.expect("somebody is signed in");
    url.clone_into(&mut credentials.url);
    store.save(&credentials).expect("is kept");
}

fn measure(
    options: &Options,
    what: &str,
    stage: &Stage,
    url: &str,
    size: (u16, u16),
    text: Option<&str>,
) {
    let times = options.times.unwrap_or(TIMES);
    let mut times: Vec<Duration> = (0..times)
        .map(|_| {
            let command = options.frontdesk(url, stage.directory.path());
            let mut tty = Tty::start(command, size);
            let frame = match text {
                Some(text) => tty.frame_with(text),
                None => tty.frame(),
            };
            frame.at.duration_since(tty.started())
        })
        .collect();
    let (columns, rows) = size;
    say(&format!(
        "| {what} | {columns}x{rows} | {} |",
        cells(&mut times)
    ));
}
