//! What calls cost as the guests of an event become more.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::caller::Caller;
use crate::figures::{micros, within};
use crate::say;
use crate::stage::{EVENT, Process, Staff, cluster};

/// Calls of each kind.
const CALLS: usize = 300;
const PAGE: u32 = 20;
/// The deep page, counted from 1.
const DEEP: u32 = 1_000;

pub(crate) async fn run() {
    say("p50 in µs over HTTP, one connection");
    say("| guests | first page | search, found | search, not found | page 1,000 | check-in |");
    say("|---|---|---|---|---|---|");
    for guests in [1_000, 10_000, 100_000, 1_000_000] {
        let cluster = cluster();
        let server = Process::hosts(&cluster.address(), guests);
        let staff = Staff::sign_in(&server).await;
        let mut caller = Caller::connect(&server.address).await;
        let list = |more: serde_json::Value| {
            let mut arguments = json!({ "event_id": EVENT, "limit": PAGE });
            if let (Some(arguments), Some(more)) = (arguments.as_object_mut(), more.as_object()) {
                arguments.extend(more.clone());
            }
            staff.call("list_event_guests", &arguments)
        };
        let first = median(&mut caller, |_| list(json!({}))).await;
        // Six hexadecimal digits: few have them.
        let found = median(&mut caller, |at| list(json!({ "search": hexadecimal(at) }))).await;
        let lost = median(&mut caller, |_| list(json!({ "search": "nobody here" }))).await;
        let offset = PAGE * (DEEP - 1);
        let deep = match guests > offset {
            true => micros(median(&mut caller, |_| list(json!({ "offset": offset }))).await),
            false => "–".to_owned(),
        };
        let check_in = median(&mut caller, |at| staff.check_in(at, guests)).await;
        say(&format!(
            "| {guests} | {} | {} | {} | {deep} | {} |",
            micros(first),
            micros(found),
            micros(lost),
            micros(check_in),
        ));
    }
}

fn hexadecimal(at: usize) -> String {
    format!("{:06x}", at * 48_271 % 0x100_0000)
}

async fn median(caller: &mut Caller, request: impl Fn(usize) -> Vec<u8>) -> Duration {
    let mut times = Vec::new();
    for at in 0..CALLS {
        let request = request(at);
        let sent = Instant::now();
        assert_eq!(caller.call(&request).await, 200, "{}", caller.answer());
        times.push(sent.elapsed());
    }
    within(&mut times, 0.5)
}
