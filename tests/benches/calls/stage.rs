//! What the load needs: a server process, somebody who is signed in, and the requests.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use frontdesk_protocol::Host;
use frontdesk_server::server::DEMO_PASSWORD;
use frontdesk_tests::{Cluster, Http};
use serde_json::{Value, json};

use crate::serve;

/// The event that everything is measured with.
pub(crate) const EVENT: &str = "00000000-0000-4000-9000-000000000001";
/// Who calls.
pub(crate) const STAFF: &str = "staff@demo.test";

/// A PostgreSQL that is gone with the measuring. Its settings are the defaults: what is committed is on
/// disk.
pub(crate) fn cluster() -> Cluster {
    Cluster::start_with(&["max_connections=200"])
}

/// A server process. It is killed when this is dropped.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    /// Where it listens.
    pub(crate) address: String,
}

impl Process {
    fn start(arguments: &[&str]) -> Process {
        let program = std::env::current_exe().expect("this program is a file");
        let mut child = Command::new(program)
            .arg(serve::MODE)
            .args(arguments)
            .env_remove("RUST_LOG")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("stdout");
        BufReader::new(stdout)
            .read_line(&mut line)
            .expect("an address");
        assert_ne!(line, "", "the server did not start");
        Process {
            child,
            address: line.trim().to_owned(),
        }
    }

    /// A bare axum service that answers with what it was sent.
    pub(crate) fn echo() -> Process {
        Process::start(&["echo"])
    }

    /// The hosts, over a database with so many guests of [`EVENT`].
    pub(crate) fn hosts(database: &str, guests: u32) -> Process {
        Process::start(&[database, &guests.to_string()])
    }

    /// One more over a database that has its guests, with these options of the program about it.
    pub(crate) fn beside(database: &str, options: &[String]) -> Process {
        let arguments = [database, "0"].into_iter();
        let arguments: Vec<&str> = arguments
            .chain(options.iter().map(String::as_str))
            .collect();
        Process::start(&arguments)
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Somebody of the staff, with a session at the events host.
#[derive(Debug, Clone)]
pub(crate) struct Staff {
    pub(crate) http: Http,
    token: String,
    session: String,
}

impl Staff {
    pub(crate) async fn sign_in(process: &Process) -> Staff {
        let url = format!("http://{}", process.address);
        let mut http = Http::sign_in(&url, STAFF, DEMO_PASSWORD).await;
        let session = http.session(Host::Events).await;
        Staff {
            token: http.token.clone(),
            session,
            http,
        }
    }

    /// The same in another session.
    pub(crate) fn in_session(&self, session: String) -> Staff {
        Staff {
            session,
            ..self.clone()
        }
    }

    /// A request as it goes over the wire.
    fn post(&self, body: &Value) -> Vec<u8> {
        let body = body.to_string();
        format!(
            "POST /events/mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\
             mcp-session-id: {}\r\nMCP-Protocol-Version: 2025-11-25\r\n\
             Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.token,
            self.session,
            body.len()
        )
        .into_bytes()
    }

    /// A call of a tool.
    fn call(&self, tool: &str, arguments: &Value) -> Vec<u8> {
        self.post(&json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": { "name": tool, "arguments": arguments },
        }))
    }

    /// `initialize`.
    pub(crate) fn initialize(&self) -> Vec<u8> {
        self.post(&json!({
            "jsonrpc": "2.0", "id": 0, "method": "initialize",
            "params": {
                "protocolVersion": "2025-11-25", "capabilities": {},
                "clientInfo": { "name": "bench", "version": "0" },
            },
        }))
    }

    /// The first 20 guests.
    pub(crate) fn list(&self) -> Vec<u8> {
        self.call(
            "list_event_guests",
            &json!({ "event_id": EVENT, "limit": 20 }),
        )
    }

    /// The check-in of one of so many guests, of another one each time.
    pub(crate) fn check_in(&self, number: usize, guests: u32) -> Vec<u8> {
        // A prime, so that neighbours in time are not neighbours on disk.
        let guest = number as u64 * 7919 % u64::from(guests) + 1;
        let id = format!("00000000-0000-4000-8000-{guest:012}");
        self.call("check_in_guest", &json!({ "id": id }))
    }
}
