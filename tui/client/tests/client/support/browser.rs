//! The browser's part in a sign-in.

use std::collections::HashMap;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use url::Url;

/// The parameters of the address.
pub(crate) fn parameters(address: &str) -> HashMap<String, String> {
    let url = Url::parse(address).unwrap();
    url.query_pairs().into_owned().collect()
}

/// The page at a local address.
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
