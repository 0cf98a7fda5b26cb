//! Raw connections: what a client writes and reads, byte for byte.

use std::io::Read;
use std::net::TcpStream;

use frontdesk_server::server::Server;
use serde_json::Value;

use crate::http::Http;

/// Opens a connection.
pub fn connect(server: &Server) -> TcpStream {
    TcpStream::connect(server.address()).expect("a connection")
}

/// Reads one answer with a JSON body and leaves the connection open.
pub fn answer(connection: &mut impl Read) -> (String, Value) {
    let mut read = String::new();
    while !read.ends_with("\r\n\r\n") {
        let mut byte = [0];
        connection.read_exact(&mut byte).expect("an answer");
        read.push(char::from(byte[0]));
    }
    let length = read
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    let length = length.expect("a length").parse().expect("a number");
    let mut body = vec![0; length];
    connection.read_exact(&mut body).expect("a body");
    let status = read.lines().next().unwrap_or_default().to_owned();
    (status, serde_json::from_slice(&body).expect("JSON"))
}

/// The bytes of a call.
pub fn written(staff: &Http, session: &str, encoding: &str, body: &str) -> String {
    let token = staff.token();
    format!(
        "POST /events/mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\
         mcp-session-id: {session}\r\nContent-Type: application/json\r\n{encoding}\r\n\r\n{body}"
    )
}
