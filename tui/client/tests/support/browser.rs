//! What a browser does in a sign-in.

use std::collections::HashMap;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use url::Url;

/// What the address asks for.
pub(crate) fn parameters(address: &str) -> HashMap<String, String> {
    let url = Url::parse(address).unwrap();
    url.query_pairs().into_owned().collect()
}

/// What is shown at this address of its own machine.
pub(crate) async fn visit(address: &str) -> String {
    let url = Url::parse(address).unwrap();
    let at = (url.host_str().unwrap(), url.port().unwrap());
    let mut stream = tokio::net::TcpStream::connect(at).await.unwrap();
    let target = &url[url::Position::BeforePath..];
    let request = format!("GET {target} HTTP/1.1\r\nhost: {}\r\n\r\n", at.0);
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut page = String::new();
    stream.read_to_string(&mut page).await.unwrap();
    page
}
