//! More calls than the host can take, and clients that keep what they have: those that there is room
//! for are served, the rest is told so at once.

use frontdesk_protocol::{Host, Role};
use frontdesk_server::clock::Clock;
use frontdesk_server::database::{Database, Location};
use frontdesk_server::server::{Server, Settings};
use frontdesk_tests::lock::waiting_for;
use frontdesk_tests::{Answer, Http, Organization, run, world};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// Calls that may wait.
const QUEUE: usize = 2;
/// Calls beyond those.
const BEYOND: usize = 8;

/// A server with one connection to the database of `FRONTDESK_TEST_DATABASE`.
async fn with_one_connection() -> Server {
    let address = std::env::var("FRONTDESK_TEST_DATABASE").expect("an address");
    let location: Location = address.parse().expect("an address");
    let database = Database::open(&location, 1).await.expect("a database");
    let settings = Settings {
        calls_per_minute: 0,
        queue: QUEUE,
        ..Settings::local(Location::Memory)
    };
    let server = Server::over(database, settings).await;
    server.expect("the server starts")
}

#[test]
fn calls_beyond_capacity_are_refused_at_once_and_the_rest_is_served() {
    if !world()
        .has_many_sessions("calls_beyond_capacity_are_refused_at_once_and_the_rest_is_served")
    {
        return;
    }
    run(async {
        let organization = Organization::create().await;
        let event = organization.event("Launch").await;
        let guest = organization.guest(event, "Ana").await;
        let server = with_one_connection().await;
        let mut staff = organization.sign_in(Role::Staff).await.at(&server.url());
        staff.session(Host::Events).await;
        let (mut holder, looker) = (world().owner().await, world().owner().await);
        // Once more, to see that the first time left nothing behind.
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

/// A connection that a client keeps.
async fn connect(server: &Server) -> TcpStream {
    TcpStream::connect(server.address())
        .await
        .expect("a connection")
}

async fn small_server(clients: u32) -> Server {
    let settings = Settings {
        clients,
        clock: Clock::system(),
        calls_per_minute: 0,
        ..Settings::local(Location::Memory)
    };
    let server = Server::over(world().database().clone(), settings).await;
    server.expect("the server starts")
}

const HEALTH: &str = "GET /events/health HTTP/1.1\r\nHost: localhost\r\n\r\n";

/// Reads one answer, which has a body of JSON, and leaves the connection open.
async fn answer(connection: &mut (impl AsyncRead + Unpin)) -> (String, Value) {
    let mut read = String::new();
    loop {
        let byte = connection.read_u8().await.expect("an answer");
        read.push(char::from(byte));
        if read.ends_with("\r\n\r\n") {
            break;
        }
    }
    let length = read
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    let length = length.expect("a length").parse().expect("a number");
    let mut body = vec![0; length];
    connection.read_exact(&mut body).await.expect("a body");
    let status = read.lines().next().unwrap_or_default().to_owned();
    (status, serde_json::from_slice(&body).expect("JSON"))
}

#[track_caller]
fn is_healthy((status, body): &(String, Value)) {
    assert_eq!(status, "HTTP/1.1 200 OK", "{body}");
    assert_eq!(body["status"], "ok", "{body}");
}

#[test]
fn a_client_beyond_those_that_are_held_waits_until_one_leaves() {
    run(async {
        let server = small_server(1).await;
        let mut first = connect(&server).await;
        first.write_all(HEALTH.as_bytes()).await.expect("sent");
        is_healthy(&answer(&mut first).await);
        let mut second = connect(&server).await;
        second.write_all(HEALTH.as_bytes()).await.expect("sent");
        first.write_all(HEALTH.as_bytes()).await.expect("sent");
        is_healthy(&answer(&mut first).await);
        assert!(second.try_read(&mut [0]).is_err(), "it has to wait");
        drop(first);
        is_healthy(&answer(&mut second).await);
    });
}

#[test]
fn clients_that_stop_half_way_do_not_hold_others_up() {
    run(async {
        let organization = Organization::create().await;
        let event = organization.event("Launch").await;
        let server = small_server(4096).await;
        let mut staff = organization.sign_in(Role::Staff).await.at(&server.url());
        let session = staff.session(Host::Events).await;
        let mut stopped = Vec::new();
        for _ in 0..100 {
            // In the middle of a head; and in the middle of a body, with a good token.
            let mut in_head = connect(&server).await;
            let head = "POST /events/mcp HTTP/1.1\r\nHost: loc";
            in_head.write_all(head.as_bytes()).await.expect("sent");
            let mut in_body = connect(&server).await;
            let head = format!(
                "POST /events/mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\
                 mcp-session-id: {session}\r\nContent-Type: application/json\r\n\
                 Content-Length: 100000\r\n\r\n{{\"jsonrpc\"",
                staff.token
            );
            in_body.write_all(head.as_bytes()).await.expect("sent");
            stopped.push((in_head, in_body));
        }
        for _ in 0..10 {
            let found = staff.events("get_event", json!({ "id": event })).await;
            assert_eq!(found.output()["event"]["name"], "Launch");
        }
        // The heads that were begun are still waited for.
        let (mut half, _) = stopped.remove(0);
        let rest = "alhost\r\nContent-Length: 0\r\n\r\n";
        half.write_all(rest.as_bytes()).await.expect("sent");
        let (status, _) = answer(&mut half).await;
        assert_eq!(status, "HTTP/1.1 401 Unauthorized");
    });
}

/// What a connection on which these bytes are sent, so many at once, is answered until its end.
async fn answered(server: &Server, sent: &str, at_once: usize) -> String {
    let mut connection = connect(server).await;
    for piece in sent.as_bytes().chunks(at_once) {
        // It may be refused before all of it was sent.
        if connection.write_all(piece).await.is_err() {
            break;
        }
    }
    let mut read = Vec::new();
    let _ = connection.read_to_end(&mut read).await;
    String::from_utf8_lossy(&read).into_owned()
}

#[test]
fn a_head_above_64_kib_is_refused_however_it_arrives() {
    run(async {
        let server = small_server(16).await;
        let fields = |count: usize, size: usize| -> String {
            let value = "x".repeat(size);
            (0..count)
                .map(|at| format!("x-{at}: {value}\r\n"))
                .collect()
        };
        for (name, fields, status) in [
            ("below", fields(1, 60_000), "200"),
            ("one long line", fields(1, 66_000), "431"),
            ("many lines", fields(66, 1000), "431"),
            ("very many lines", fields(500, 10), "431"),
            ("far too long", fields(1, 200_000), "431"),
        ] {
            let head = format!(
                "GET /events/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{fields}\r\n"
            );
            for at_once in [head.len(), 1000, 50] {
                let read = answered(&server, &head, at_once).await;
                let expected = format!("HTTP/1.1 {status} ");
                assert!(
                    read.starts_with(&expected),
                    "{name}, {at_once} at once: {read}"
                );
            }
        }
    });
}

#[test]
fn an_answer_that_comes_before_the_body_was_read_says_that_the_connection_ends() {
    run(async {
        let server = small_server(16).await;
        let length = "Content-Length: 100000";
        let nobody = Http::with_token(&server.url(), "nobody");
        let read = answered(&server, &written(&nobody, "", length, "{"), usize::MAX).await;
        assert!(read.starts_with("HTTP/1.1 401 "), "{read}");
        assert!(read.contains("\r\nconnection: close\r\n"), "{read}");

        let mut connection = connect(&server).await;
        for _ in 0..2 {
            connection.write_all(HEALTH.as_bytes()).await.expect("sent");
            is_healthy(&answer(&mut connection).await);
        }
    });
}

#[test]
fn a_body_that_is_too_deep_is_refused() {
    run(async {
        let organization = Organization::create().await;
        let mut staff: Http = organization.sign_in(Role::Staff).await;
        let deep = "[".repeat(100_000);
        let open = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{deep}"#);
        for body in [deep.clone(), open] {
            let answer = staff.send(Host::Events, body).await;
            assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{}", answer.body);
        }
        let closed = format!("{deep}{}", "]".repeat(100_000));
        for (arguments, name) in [
            (format!(r#"{{"search":{closed}}}"#), "in a text"),
            (format!(r#"{{"surprise":{closed}}}"#), "in no argument"),
            (closed.clone(), "instead of arguments"),
        ] {
            let body = format!(
                r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"list_events","arguments":{arguments}}}}}"#
            );
            let answer = staff.send(Host::Events, body).await;
            assert_eq!(answer.tool_error()["code"], "invalid_argument", "{name}");
        }
    });
}

/// A call of the client as it goes over a connection.
fn written(staff: &Http, session: &str, encoding: &str, body: &str) -> String {
    let token = &staff.token;
    format!(
        "POST /events/mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\
         mcp-session-id: {session}\r\nContent-Type: application/json\r\n{encoding}\r\n\r\n{body}"
    )
}

#[test]
fn clients_that_do_not_read_their_answers_keep_no_connection_of_the_database() {
    const ASKED: usize = 400;
    if !world().has_many_sessions(
        "clients_that_do_not_read_their_answers_keep_no_connection_of_the_database",
    ) {
        return;
    }
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

        // Far more answers than there is room for between server and client.
        let (reading, mut asking) = connect(&server).await.into_split();
        let mut reading = BufReader::new(reading);
        let asking = tokio::spawn(async move {
            for _ in 0..ASKED {
                asking.write_all(call.as_bytes()).await.expect("sent");
            }
            asking
        });
        is_full(&answer(&mut reading).await);
        // Calls take turns at the one connection, so that the other client's come to a halt meanwhile.
        for _ in 0..ASKED {
            let found = staff.events("get_event", json!({ "id": event })).await;
            assert_eq!(found.output()["event"]["name"], "Launch");
        }
        for _ in 1..ASKED {
            is_full(&answer(&mut reading).await);
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

#[test]
fn a_body_in_chunks_is_taken_and_one_without_an_end_is_refused() {
    run(async {
        let organization = Organization::create().await;
        let server = small_server(16).await;
        let mut staff = organization.sign_in(Role::Staff).await.at(&server.url());
        let session = staff.session(Host::Events).await;
        let encoding = "Transfer-Encoding: chunked";
        let pieces = [
            r#"{"jsonrpc":"2.0"#,
            r#"","id":1,"method":"p"#,
            r#"ing"}"#,
            "",
        ];
        let chunks = pieces.map(|piece| format!("{:x}\r\n{piece}\r\n", piece.len()));
        let mut connection = connect(&server).await;
        let whole = written(&staff, &session, encoding, &chunks.concat());
        connection.write_all(whole.as_bytes()).await.expect("sent");
        let (status, body) = answer(&mut connection).await;
        assert_eq!(status, "HTTP/1.1 200 OK");
        assert_eq!(body["result"], json!({}));

        let nobody = Http::with_token(&server.url(), "nobody");
        for (caller, status) in [
            (&staff, "HTTP/1.1 413 Payload Too Large"),
            (&nobody, "HTTP/1.1 401 Unauthorized"),
        ] {
            let endless = written(caller, &session, encoding, "");
            let (reading, mut sending) = connect(&server).await.into_split();
            let mut reading = BufReader::new(reading);
            let chunk = format!("1000\r\n{}\r\n", " ".repeat(0x1000));
            let sending = tokio::spawn(async move {
                sending.write_all(endless.as_bytes()).await.expect("sent");
                while sending.write_all(chunk.as_bytes()).await.is_ok() {}
            });
            assert_eq!(answer(&mut reading).await.0, status);
            sending.await.expect("nobody takes more of it");
        }
    });
}
