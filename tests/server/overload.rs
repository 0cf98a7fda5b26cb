//! More calls than database connections, and clients that do not read their answers.

use std::io::{BufReader, Write};

use frontdesk_protocol::{Host, Role};
use frontdesk_server::database::{Database, Location};
use frontdesk_server::server::{Server, Settings};
use frontdesk_tests::connection::{answer, connect, written};
use frontdesk_tests::lock::waiting_for;
use frontdesk_tests::server::location;
use frontdesk_tests::world::PATIENT;
use frontdesk_tests::{Answer, Organization, run, world};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::task::{JoinSet, spawn_blocking};

/// The limit of waiting calls.
const QUEUE: usize = 2;
/// Calls beyond those.
const BEYOND: usize = 8;

/// A server with one connection to the database.
async fn with_one_connection() -> Server {
    let location = location().expect("PostgreSQL");
    let database = Database::open(&location, 1).await.expect("a database");
    let database = database.with_limits(PATIENT).expect("a pool");
    let settings = Settings {
        calls_per_minute: 0,
        queue: QUEUE,
        limits: PATIENT,
        ..Settings::local(Location::Memory)
    };
    let server = Server::over(database, settings).await;
    server.expect("the server starts")
}

pub(crate) fn calls_beyond_capacity_are_refused_at_once_and_the_rest_is_served() {
    run(async {
        let organization = Organization::create().await;
        let event = organization.event("Launch").await;
        let guest = organization.guest(event, "Ana").await;
        let server = with_one_connection().await;
        let mut staff = organization.sign_in(Role::Staff).await.at(&server.url());
        staff.session(Host::Events).await;
        let (mut holder, looker) = (world().owner().await, world().owner().await);
        // Twice, to see that the first time left nothing behind.
        for already in [false, true] {
            let holding = holder.transaction().await.expect("a transaction");
            let lock = "select pg_backend_pid() from events.guests where id = $1 for update";
            let lock = holding.query_one(lock, &[&guest.0]).await.expect("a lock");
            let mut client = staff.clone();
            let first = tokio::spawn(async move {
                client
                    .events("check_in_guest", json!({ "id": guest }))
                    .await
            });
            waiting_for(&looker, lock.get(0), &[&first]).await;

            let mut calls = JoinSet::new();
            for _ in 0..QUEUE + BEYOND {
                let mut client = staff.clone();
                calls
                    .spawn(async move { client.events("get_event", json!({ "id": event })).await });
            }
            for _ in 0..BEYOND {
                let answer = calls.join_next().await.expect("a call").expect("an answer");
                is_refused(&answer);
            }
            let ping = staff.rpc(Host::Events, "ping", json!({})).await;
            assert_eq!(
                ping.result(),
                &json!({}),
                "what needs no database is answered"
            );
            let health = Answer::to(staff.request(Method::GET, "/events/health")).await;
            assert_eq!(health.status, StatusCode::OK, "{}", health.body);
            let anew = staff.initialize(Host::Events, "2025-11-25").await;
            is_refused(&anew);

            holding.commit().await.expect("committed");
            let done = first.await.expect("an answer");
            assert_eq!(done.output()["already_checked_in"], already);
            for answer in calls.join_all().await {
                assert_eq!(answer.output()["event"]["name"], "Launch");
            }
        }
    });
}

#[track_caller]
fn is_refused(answer: &Answer) {
    assert_eq!(
        answer.status,
        StatusCode::SERVICE_UNAVAILABLE,
        "{}",
        answer.body
    );
    assert_eq!(answer.header("retry-after"), "1");
    assert_eq!(answer.refusal(), "unavailable");
    assert_eq!(answer.rpc_code(), -32053);
    let message = answer.body["error"]["message"].as_str().expect("a message");
    assert!(message.contains("nothing was changed"), "{message}");
}

pub(crate) fn clients_that_do_not_read_their_answers_keep_no_connection_of_the_database() {
    const ASKED: usize = 400;
    run(async {
        let organization = Organization::create().await;
        let event = organization.event("Launch").await;
        let names: Vec<_> = (0..100).map(|at| format!("Guest {at}")).collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        organization.guests(event, &names).await;
        let server = with_one_connection().await;
        let mut staff = organization.sign_in(Role::Staff).await.at(&server.url());
        let session = staff.session(Host::Events).await;
        let body = json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {
                "name": "list_event_guests",
                "arguments": { "event_id": event, "limit": 100 },
            },
        });
        let body = body.to_string();
        let length = format!("Content-Length: {}", body.len());
        let call = written(&staff, &session, &length, &body);

        // Far more answers than the buffers between server and client can hold.
        let mut asking = connect(&server);
        let mut reading = BufReader::new(asking.try_clone().expect("a connection"));
        let asking = spawn_blocking(move || {
            for _ in 0..ASKED {
                asking.write_all(call.as_bytes()).expect("sent");
            }
        });
        is_full(&answer(&mut reading));
        // Calls take turns at the one connection, which stops the other client's calls.
        for _ in 0..ASKED {
            let found = staff.events("get_event", json!({ "id": event })).await;
            assert_eq!(found.output()["event"]["name"], "Launch");
        }
        for _ in 1..ASKED {
            is_full(&answer(&mut reading));
        }
        asking.await.expect("all was asked");
    });
}

#[track_caller]
fn is_full((status, body): &(String, Value)) {
    assert_eq!(status, "HTTP/1.1 200 OK", "{body}");
    let guests = body["result"]["structuredContent"]["guests"].as_array();
    assert_eq!(guests.map(Vec::len), Some(100));
}
