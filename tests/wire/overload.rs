//! Clients that hold connections, and requests that are too large: others are served.

use std::io::{BufReader, Read, Write};
use std::thread;

use frontdesk_protocol::{Host, Role};
use frontdesk_server::clock::Clock;
use frontdesk_server::database::Location;
use frontdesk_server::server::{Server, Settings};
use frontdesk_tests::blocking::{Http, Organization, world};
use frontdesk_tests::connection::{answer, connect, written};
use frontdesk_tests::run;
use frontdesk_tests::world::PATIENT;
use reqwest::StatusCode;
use serde_json::{Value, json};

fn small_server(clients: u32) -> Server {
    let settings = Settings {
        clients,
        clock: Clock::system(),
        calls_per_minute: 0,
        limits: PATIENT,
        ..Settings::local(Location::Memory)
    };
    let server = run(Server::over(world().database().clone(), settings));
    server.expect("the server starts")
}

const HEALTH: &str = "GET /events/health HTTP/1.1\r\nHost: localhost\r\n\r\n";

#[track_caller]
fn is_healthy((status, body): &(String, Value)) {
    assert_eq!(status, "HTTP/1.1 200 OK", "{body}");
    assert_eq!(body["status"], "ok", "{body}");
}

#[test]
fn a_client_beyond_those_that_are_held_waits_until_one_leaves() {
    let server = small_server(1);
    let mut first = connect(&server);
    first.write_all(HEALTH.as_bytes()).expect("sent");
    is_healthy(&answer(&mut first));
    let mut second = connect(&server);
    second.write_all(HEALTH.as_bytes()).expect("sent");
    first.write_all(HEALTH.as_bytes()).expect("sent");
    is_healthy(&answer(&mut first));
    second.set_nonblocking(true).expect("a connection");
    assert!(second.read(&mut [0]).is_err(), "it has to wait");
    second.set_nonblocking(false).expect("a connection");
    drop(first);
    is_healthy(&answer(&mut second));
}

#[test]
fn clients_that_stop_half_way_do_not_hold_others_up() {
    let organization = Organization::create();
    let event = organization.event("Launch");
    let server = small_server(4096);
    let mut staff = organization.sign_in(Role::Staff).at(&server.url());
    let session = staff.session(Host::Events);
    let mut stopped = Vec::new();
    for _ in 0..100 {
        // One stops within the head, one within the body, with a valid token.
        let mut in_head = connect(&server);
        let head = "POST /events/mcp HTTP/1.1\r\nHost: loc";
        in_head.write_all(head.as_bytes()).expect("sent");
        let mut in_body = connect(&server);
        let head = format!(
            "POST /events/mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\
             mcp-session-id: {session}\r\nContent-Type: application/json\r\n\
             Content-Length: 100000\r\n\r\n{{\"jsonrpc\"",
            staff.token
        );
        in_body.write_all(head.as_bytes()).expect("sent");
        stopped.push((in_head, in_body));
    }
    for _ in 0..10 {
        let found = staff.events("get_event", json!({ "id": event }));
        assert_eq!(found.output()["event"]["name"], "Launch");
    }
    // The server still waits for the begun heads.
    let (mut half, _) = stopped.remove(0);
    let rest = "alhost\r\nContent-Length: 0\r\n\r\n";
    half.write_all(rest.as_bytes()).expect("sent");
    let (status, _) = answer(&mut half);
    assert_eq!(status, "HTTP/1.1 401 Unauthorized");
}

/// The complete answer on a connection to which these bytes are sent in pieces of this size.
fn answered(server: &Server, sent: &str, at_once: usize) -> String {
    let mut connection = connect(server);
    for piece in sent.as_bytes().chunks(at_once) {
        // The server can refuse before everything is sent.
        if connection.write_all(piece).is_err() {
            break;
        }
    }
    let mut read = Vec::new();
    let _ = connection.read_to_end(&mut read);
    String::from_utf8_lossy(&read).into_owned()
}

#[test]
fn a_head_above_64_kib_is_refused_however_it_arrives() {
    let server = small_server(16);
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
            let read = answered(&server, &head, at_once);
            let expected = format!("HTTP/1.1 {status} ");
            assert!(
                read.starts_with(&expected),
                "{name}, {at_once} at once: {read}"
            );
        }
    }
}

#[test]
fn an_answer_that_comes_before_the_body_was_read_says_that_the_connection_ends() {
    let server = small_server(16);
    let length = "Content-Length: 100000";
    let nobody = Http::with_token(&server.url(), "nobody");
    let read = answered(&server, &written(&nobody, "", length, "{"), usize::MAX);
    assert!(read.starts_with("HTTP/1.1 401 "), "{read}");
    assert!(read.contains("\r\nconnection: close\r\n"), "{read}");

    let mut connection = connect(&server);
    for _ in 0..2 {
        connection.write_all(HEALTH.as_bytes()).expect("sent");
        is_healthy(&answer(&mut connection));
    }
}

#[test]
fn a_body_that_is_too_deep_is_refused() {
    let organization = Organization::create();
    let mut staff: Http = organization.sign_in(Role::Staff);
    let deep = "[".repeat(100_000);
    let open = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{deep}"#);
    for body in [deep.clone(), open] {
        let answer = staff.send(Host::Events, body);
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
        let answer = staff.send(Host::Events, body);
        assert_eq!(answer.tool_error()["code"], "invalid_argument", "{name}");
    }
}

#[test]
fn a_body_in_chunks_is_taken_and_one_without_an_end_is_refused() {
    let organization = Organization::create();
    let server = small_server(16);
    let mut staff = organization.sign_in(Role::Staff).at(&server.url());
    let session = staff.session(Host::Events);
    let encoding = "Transfer-Encoding: chunked";
    let pieces = [
        r#"{"jsonrpc":"2.0"#,
        r#"","id":1,"method":"p"#,
        r#"ing"}"#,
        "",
    ];
    let chunks = pieces.map(|piece| format!("{:x}\r\n{piece}\r\n", piece.len()));
    let mut connection = connect(&server);
    let whole = written(&staff, &session, encoding, &chunks.concat());
    connection.write_all(whole.as_bytes()).expect("sent");
    let (status, body) = answer(&mut connection);
    assert_eq!(status, "HTTP/1.1 200 OK");
    assert_eq!(body["result"], json!({}));

    let nobody = Http::with_token(&server.url(), "nobody");
    for (caller, status) in [
        (&staff, "HTTP/1.1 413 Payload Too Large"),
        (&nobody, "HTTP/1.1 401 Unauthorized"),
    ] {
        let endless = written(caller, &session, encoding, "");
        let mut sending = connect(&server);
        let mut reading = BufReader::new(sending.try_clone().expect("a connection"));
        let chunk = format!("1000\r\n{}\r\n", " ".repeat(0x1000));
        let sending = thread::spawn(move || {
            sending.write_all(endless.as_bytes()).expect("sent");
            while sending.write_all(chunk.as_bytes()).is_ok() {}
        });
        assert_eq!(answer(&mut reading).0, status);
        sending.join().expect("nobody takes more of it");
    }
}
