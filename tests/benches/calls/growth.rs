//! What calls cost as the guests of an event become more, and as an organisation has more of what a call does not
//! ask for.

pub(crate) mod learn;
pub(crate) mod work;

use std::time::{Duration, Instant};

use frontdesk_protocol::Host;
use frontdesk_server::database::Database;
use serde_json::{Value, json};

use crate::caller::Caller;
use crate::figures::{micros, within};
use crate::say;
use crate::stage::{EVENT, Process, Staff, cluster};

/// Calls of each kind.
const CALLS: usize = 300;
const PAGE: u32 = 20;
/// The deep page, counted from 1.
const DEEP: u32 = 1_000;
/// The demo's owner, who may call every tool.
const OWNER: &str = "owner@demo.test";

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
    median_of(CALLS, caller, request).await
}

async fn median_of(
    calls: usize,
    caller: &mut Caller,
    request: impl Fn(usize) -> Vec<u8>,
) -> Duration {
    let mut times = Vec::new();
    for at in 0..calls {
        let request = request(at);
        let sent = Instant::now();
        assert_eq!(caller.call(&request).await, 200, "{}", caller.answer());
        times.push(sent.elapsed());
    }
    within(&mut times, 0.5)
}

/// Calls of one host that do not ask for all that is there.
struct Growth {
    host: Host,
    /// What there is more of in each row.
    of: &'static str,
    scales: [u32; 3],
    /// Fills the demo's organisation, `{organization}`, up to a scale, `{scale}`.
    fill: &'static str,
    calls: &'static [Asked],
}

/// A call: what the table calls it, how often it is made, the tool, and its arguments at each time.
type Asked = (&'static str, usize, &'static str, fn(usize) -> Value);

impl Growth {
    /// Measures the calls at each scale, as the demo's owner.
    async fn run(&self) {
        say("p50 in µs over HTTP, one connection");
        let names: Vec<_> = self.calls.iter().map(|(name, ..)| *name).collect();
        say(&format!("| {} | {} |", self.of, names.join(" | ")));
        say(&format!("|{}", "---|".repeat(names.len() + 1)));
        for scale in self.scales {
            let cluster = cluster();
            let server = Process::hosts(&cluster.address(), 0);
            self.fill(&cluster.address(), scale).await;
            let owner = Staff::at(&server, OWNER, self.host).await;
            let mut caller = Caller::connect(&server.address).await;
            let mut row = format!("| {scale}");
            for (_, calls, tool, arguments) in self.calls {
                let request = |at| owner.call(tool, &arguments(at));
                let time = median_of(*calls, &mut caller, request).await;
                assert!(
                    caller.answer().contains(r#""isError":false"#),
                    "{tool}: {}",
                    caller.answer()
                );
                row.push_str(&format!(" | {}", micros(time)));
            }
            say(&format!("{row} |"));
        }
    }

    async fn fill(&self, address: &str, scale: u32) {
        let location = address.parse().expect("an address");
        let database = Database::open(&location, 1).await.expect("a database");
        let owner = database.owner().await.expect("the owner");
        let of_owner = "select u.organization_id::text from staff.users u join auth.users using (id) \
             where email = $1";
        let row = owner.query_one(of_owner, &[&OWNER]).await;
        let organization: String = row.expect("the owner's account").get(0);
        let fill = self.fill.replace("{organization}", &organization);
        let fill = fill.replace("{scale}", &scale.to_string());
        // What is filled in is whole by itself: its references and its triggers are not asked a million times.
        let fill = format!("reset role; set session_replication_role = replica; {fill}");
        owner.batch_execute(&fill).await.expect("it is filled");
        let vacuum = owner.batch_execute("vacuum (analyze)").await;
        vacuum.expect("statistics");
    }
}
