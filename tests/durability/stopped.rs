//! A server that is asked to stop finishes what it has begun.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::path::Path;

use frontdesk_protocol::Host;
use frontdesk_tests::Process;
use frontdesk_tests::program::run_server;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::durability::desk::Desk;
use crate::durability::place::{Directory, runtime, server_database};

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

/// Begins a statement that does not end, through the socket that commands use; returns when it runs.
fn endless_statement(database: &Path) -> UnixStream {
    let name = database.file_name().expect("a name").to_string_lossy();
    let socket = database.with_file_name(format!(".{name}.control"));
    let mut socket = UnixStream::connect(socket).expect("the server's socket");
    socket.write_all(b"\"session\"\n").expect("a request");
    let message = |kind: &[u8], body: &[u8]| {
        let length = u32::try_from(body.len() + 4).expect("a length");
        [kind, &length.to_be_bytes(), body].concat()
    };
    let startup = message(b"", b"\x00\x03\x00\x00user\x00postgres\x00\x00");
    let first = message(b"Q", b"select 'begun'\0");
    let endless =
        "select count(*) from generate_series(1, 1000000) a, generate_series(1, 1000000) b\0";
    let endless = message(b"Q", endless.as_bytes());
    let mut said = Vec::new();
    let mut byte = [0];
    // The reply to the request comes before the session.
    while byte != *b"\n" {
        socket.read_exact(&mut byte).expect("a reply");
    }
    socket
        .write_all(&[startup, first, endless].concat())
        .expect("statements");
    while !said.ends_with(b"begun") {
        socket.read_exact(&mut byte).expect("an answer");
        said.extend(byte);
    }
    socket
}

pub(crate) fn a_statement_that_goes_on_does_not_keep_the_embedded_database_from_stopping() {
    let directory = Directory::prepared();
    let database = directory.database();
    let server = Process::demo(&database);
    let idle = TcpStream::connect(server.url.strip_prefix("http://").expect("an address"));
    let mut idle = idle.expect("a connection");
    idle.write_all(b"G").expect("a byte");
    let _endless = endless_statement(Path::new(&database));
    server.signal(Signal::TERM);
    // It would wait for ever.
    let (status, printed) = server.wait();
    assert_eq!(status.code(), Some(0), "{status}: {printed:?}");
    // The next start finds the database whole.
    let server = Process::demo(&database);
    runtime().block_on(Desk::open(&server.url));
    server.stop();
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
