//! Raw connections: what a client writes and reads, byte for byte.

use frontdesk_server::server::Server;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::net::TcpStream;

use crate::http::Http;

/// Opens a connection.
pub async fn connect(server: &Server) -> TcpStream {
    TcpStream::connect(server.address())
        .await
        .expect("a connection")
}

/// Reads one answer with a JSON body and leaves the connection open.
pub async fn answer(connection: &mut (impl AsyncRead + Unpin)) -> (String, Value) {
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

/// The bytes of a call.
pub fn written(staff: &Http, session: &str, encoding: &str, body: &str) -> String {
    let token = staff.token();
    format!(
        "POST /events/mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\
         mcp-session-id: {session}\r\nContent-Type: application/json\r\n{encoding}\r\n\r\n{body}"
    )
}
