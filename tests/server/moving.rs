//! Two server processes on one database, and a client that moves between them within its session.
//!
//! They only share the database: each process has its own connections and caches, and reads the
//! secrets from it.

use std::thread;

use frontdesk_protocol::Host;
use frontdesk_server::server::DEMO_PASSWORD;
use frontdesk_tests::{Answer, Cluster, Http, Process};
use serde_json::{Value, json};

use crate::server::stage::{EMAIL, Staff, runtime, superuser, waiting};

/// Starts two processes at once on an empty database.
fn start_two(cluster: &Cluster) -> [Process; 2] {
    let address = cluster.address();
    thread::scope(|scope| {
        let starting = [(); 2].map(|()| scope.spawn(|| Process::demo(&address)));
        starting.map(|starting| starting.join().expect("it starts"))
    })
}

/// A staff member whose requests alternate between the servers.
struct Mover {
    staff: Staff,
    urls: Vec<String>,
    sent: usize,
}

impl Mover {
    /// Signs in at the first, opens the session at the second, and finds the event at the first.
    async fn between(processes: &[Process]) -> Mover {
        let urls: Vec<_> = processes.iter().map(|server| server.url.clone()).collect();
        let mut http = Http::sign_in(&urls[0], EMAIL, DEMO_PASSWORD).await;
        http.move_to(&urls[1]);
        http.session(Host::Events).await;
        http.move_to(&urls[0]);
        let staff = Staff::with(http).await;
        Mover {
            staff,
            urls,
            sent: 0,
        }
    }

    /// Moves the caller to the other server.
    fn moved(&mut self) -> &mut Staff {
        self.sent += 1;
        let url = &self.urls[self.sent % self.urls.len()];
        self.staff.http.move_to(url);
        &mut self.staff
    }

    /// Adds a guest, under an idempotency key.
    async fn add(&mut self, name: &str, key: &str) -> Answer {
        let params = addition(&self.staff.event, name, key);
        let http = &mut self.moved().http;
        http.rpc(Host::Events, "tools/call", params).await
    }

    /// The one guest of this name.
    async fn guest(&mut self, name: &str) -> Value {
        let mut guests = self.moved().guests(name).await;
        assert_eq!(guests.len(), 1, "{name}");
        guests.remove(0)
    }

    async fn refresh(&mut self) {
        let http = &mut self.moved().http;
        let tokens = http.refresh(Some(Host::Events), &http.refresh_token).await;
        http.take_tokens(&tokens);
    }
}

fn addition(event: &Value, name: &str, key: &str) -> Value {
    json!({
        "name": "create_event_guest",
        "arguments": { "event_id": event, "name": name },
        "_meta": { "idempotencyKey": key },
    })
}

pub(crate) fn a_client_that_moves_between_processes_in_its_session_notices_nothing() {
    let cluster = Cluster::start_new();
    let processes = start_two(&cluster);
    runtime().block_on(async {
        let mut mover = Mover::between(&processes).await;
        let mut listed = Vec::new();
        for _ in &processes {
            let http = &mut mover.moved().http;
            listed.push(http.rpc(Host::Events, "tools/list", json!({})).await.body);
        }
        assert!(listed[0]["result"]["tools"][0].is_object());
        assert_eq!(listed[0], listed[1]);

        for round in 0..5 {
            let (name, key) = (format!("Guest{round}x"), round.to_string());
            let added = mover.add(&name, &key).await.output()["guest"]["id"].clone();
            assert_eq!(mover.guest(&name).await, added, "read what was written");
            // Repeated at the other process: the rounds have an odd number of requests.
            mover.refresh().await;
            let again = mover.add(&name, &key).await;
            assert_eq!(again.output()["guest"]["id"], added);
            for already in [false, true] {
                let here = mover.moved().check_in(&added).await;
                assert_eq!(here.output()["already_checked_in"], already);
            }
            let other = mover.add("Somebody else", &key).await;
            other.refuses("conflict", "_meta.idempotencyKey");
        }
        // A refresh with a lost answer is repeated at the other process.
        let before = mover.staff.http.refresh_token.clone();
        mover.refresh().await;
        let lost = mover.staff.http.refresh_token.clone();
        mover.staff.http.refresh_token = before;
        mover.refresh().await;
        assert_eq!(mover.staff.http.refresh_token, lost);
    });
}

pub(crate) fn a_client_whose_process_is_killed_in_a_call_goes_on_at_the_other() {
    let cluster = Cluster::start_new();
    let [killed, left] = start_two(&cluster);
    runtime().block_on(async {
        let mut staff = Staff::of(&killed.url).await;
        let superuser = superuser(&cluster).await;
        // Insertions of guests wait, so that the process ends within one.
        superuser
            .batch_execute(
                "create function public.wait() returns trigger language plpgsql as \
                   $$ begin perform pg_advisory_xact_lock_shared(1); return null; end $$; \
                 create trigger wait after insert on events.guests \
                   for each row execute function public.wait(); \
                 select pg_advisory_lock(1)",
            )
            .await
            .expect("a trigger");
        let params = addition(&staff.event, "Zoltan", "k");
        let host = Host::Events;
        let call = staff.http.request_of(host, "tools/call", params.clone());
        let cut = tokio::spawn(Answer::if_any(call.await));
        waiting(&superuser, 1, &cut).await;
        killed.kill();
        cut.await.expect("it ends").expect_err("no answer");

        // The outcome is unknown, since PostgreSQL has not noticed the end. The call is repeated.
        staff.http.move_to(&left.url);
        let call = staff.http.request_of(host, "tools/call", params);
        let again = tokio::spawn(Answer::to(call.await));
        waiting(&superuser, 2, &again).await;
        superuser
            .batch_execute("select pg_advisory_unlock(1)")
            .await
            .expect("unlocked");
        let again = again.await.expect("an answer");
        let added = again.output()["guest"]["id"].clone();
        assert_eq!(staff.guests("Zoltan").await, std::slice::from_ref(&added));
        let tokens = staff.http.refresh(None, &staff.http.refresh_token).await;
        staff.http.take_tokens(&tokens);
        let here = staff.check_in(&added).await;
        assert_eq!(here.output()["already_checked_in"], false);

        // Another one takes its place.
        let next = Process::demo(&cluster.address());
        staff.http.move_to(&next.url);
        assert_eq!(staff.guests("Zoltan").await, std::slice::from_ref(&added));
        let here = staff.check_in(&added).await;
        assert_eq!(here.output()["already_checked_in"], true);
    });
}

pub(crate) fn of_two_equal_calls_at_two_processes_one_is_questioned_and_after_a_restart_the_next() {
    let cluster = Cluster::start_new();
    let [one, other] = start_two(&cluster);
    runtime().block_on(async {
        let mut first = Http::sign_in(&one.url, "owner@demo.test", DEMO_PASSWORD).await;
        let mut second = first.clone();
        second.move_to(&other.url);
        for http in [&mut first, &mut second] {
            http.session(Host::Work).await;
        }
        let garden = json!({ "name": "Garden" });
        let add = |http: &mut Http| {
            let mut http = http.clone();
            let garden = garden.clone();
            async move { http.call(Host::Work, "create_project", garden).await }
        };
        let (first_made, second_made) = tokio::join!(add(&mut first), add(&mut second));
        let questions = |answer: &Answer| answer.output()["warnings"].to_string();
        let made = [first_made, second_made];
        let mut asked = made
            .iter()
            .filter(|answer| questions(answer).contains("the same call"));
        assert!(asked.next().is_some() && asked.next().is_none(), "{made:?}");
        one.kill();
        let next = Process::demo(&cluster.address());
        first.move_to(&next.url);
        let third = add(&mut first).await;
        assert!(questions(&third).contains("the same call"), "{third:?}");
    });
}
