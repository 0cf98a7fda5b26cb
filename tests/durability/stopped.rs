//! A server that is asked to stop finishes what it has begun.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use frontdesk_protocol::Host;
use frontdesk_tests::Process;
use frontdesk_tests::program::run_server;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::desk::Desk;
use crate::place::{Directory, runtime, server_database};

/// A call whose head has arrived but not its body, which the server has requested.
struct InFlight {
    connection: BufReader<TcpStream>,
    body: String,
}

impl InFlight {
    /// Sends the head of a call of `create_event_guest`.
    async fn begin(desk: &Desk, url: &str, name: &str) -> InFlight {
        let body = json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {
                "name": "create_event_guest",
                "arguments": { "event_id": desk.event, "name": name },
            },
        })
        .to_string();
        let mut http = desk.http();
        let session = http.session(Host::Events).await;
        let address = url.strip_prefix("http://").expect("an address");
        let mut connection = TcpStream::connect(address).expect("a connection");
        write!(
            connection,
            "POST /events/mcp HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\n\
             mcp-session-id: {session}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nContent-Length: {}\r\n\
             Expect: 100-continue\r\n\r\n",
            http.token,
            body.len(),
        )
        .expect("the head is sent");
        let mut connection = BufReader::new(connection);
        let head = head(&mut connection);
        assert!(head[0].contains("100"), "{head:?}");
        InFlight { connection, body }
    }

    /// Sends the body, and reads the answer to its end.
    fn finish(mut self) -> Value {
        let body = self.body.as_bytes();
        self.connection
            .get_mut()
            .write_all(body)
            .expect("the body is sent");
        let head = head(&mut self.connection);
        assert!(head[0].contains("200"), "{head:?}");
        let mut answer = String::new();
        self.connection
            .read_to_string(&mut answer)
            .expect("an answer");
        serde_json::from_str(&answer).expect("JSON")
    }
}

/// The lines of a response's head.
fn head(connection: &mut impl BufRead) -> Vec<String> {
    let lines = connection.lines().map(|line| line.expect("a line"));
    lines.take_while(|line| !line.is_empty()).collect()
}

fn finishes_what_it_has_begun(database: &str) {
    let runtime = runtime();
    for (signal, name) in [(Signal::TERM, "Terminated"), (Signal::INT, "Interrupted")] {
        let server = Process::demo(database);
        let call = runtime.block_on(async {
            let desk = Desk::open(&server.url).await;
            InFlight::begin(&desk, &server.url, name).await
        });
        server.signal(signal);
        server.wait_for_log("stopping");
        let answer = call.finish();
        assert_eq!(answer["result"]["isError"], false, "{answer}");
        let (status, printed) = server.wait();
        assert_eq!(status.code(), Some(0), "{status}");
        assert_eq!(printed, [""; 0], "stdout says where it listens and no more");
    }

    let server = Process::demo(database);
    runtime.block_on(async {
        let mut desk = Desk::open(&server.url).await;
        let guests = desk.all("list_event_guests", "guests").await;
        let mut names: Vec<_> = guests
            .values()
            .filter_map(|guest| guest["name"].as_str())
            .collect();
        names.sort_unstable();
        assert_eq!(names, ["Interrupted", "Terminated"]);
    });
    server.stop();
}

pub(crate) fn a_signal_to_stop_lets_calls_in_flight_finish_on_the_embedded_database() {
    let directory = Directory::prepared();
    finishes_what_it_has_begun(&directory.database());
}

pub(crate) fn a_signal_to_stop_lets_calls_in_flight_finish_on_a_postgresql_server() {
    finishes_what_it_has_begun(&server_database());
}

pub(crate) fn a_server_can_be_stopped_as_soon_as_it_says_that_it_listens() {
    let directory = Directory::prepared();
    Process::demo(&directory.database()).stop();
}

pub(crate) fn a_second_process_on_the_same_directory_is_told_so_and_the_first_goes_on() {
    let directory = Directory::prepared();
    let database = directory.database();
    let server = Process::demo(&database);
    let second = run_server(&["serve", "--listen", "127.0.0.1:0", "--database", &database]);
    assert_eq!(second.code, Some(1), "{second:?}");
    assert!(second.stderr.contains("is already open"), "{second:?}");
    assert!(second.stderr.contains(&database), "{second:?}");
    assert_eq!(second.stdout, "");
    runtime().block_on(Desk::open(&server.url));
    server.stop();
}
