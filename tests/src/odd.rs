//! A server whose answers are wrong, but usable in part. Each way of being wrong has its path.

use axum::Router;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use frontdesk_client::Config;
use serde_json::{Value, json};

use crate::world::{enter, run};

/// The beginning of a PNG of 3 by 2 pixels, which has all digits of base64.
pub const PICTURE: &[u8] =
    b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x03\0\0\0\x02\x08\x02\0\0\0\xfb\xff";

/// What the tools with these names write instead of the base64 of the picture.
pub const PICTURES: [&str; 5] = ["address", "web", "bare", "lines", "broken"];

/// The revision that a server of the ways `older-…` insists on.
pub const OLDER: &str = "2025-03-26";

fn picture(tool: &str) -> String {
    let base64 = STANDARD.encode(PICTURE);
    match tool {
        "address" => format!("data:image/png;base64,{base64}"),
        "web" => URL_SAFE.encode(PICTURE),
        "bare" => base64.trim_end_matches('=').to_owned(),
        "lines" => base64.replace("AAAA", "AA\r\nAA"),
        _ => base64.replace("AAAA", "A?AA"),
    }
}

/// Starts the server. Its address, followed by `/` and a way, is an endpoint.
pub fn start() -> String {
    let listener = run(tokio::net::TcpListener::bind("127.0.0.1:0"));
    let listener = listener.expect("a port");
    let address = listener.local_addr().expect("an address");
    let app = Router::new().route("/{way}", post(serve));
    let _inside = enter();
    tokio::spawn(async move { axum::serve(listener, app).await });
    format!("http://{address}")
}

/// A configuration with the server as `odd`, wrong in this way.
pub fn config(way: &str) -> Config {
    let text = format!("[servers.odd]\nurl = \"{}/{way}\"\n", start());
    Config::parse(&text, std::path::Path::new("config.toml")).expect("a configuration")
}

async fn serve(Path(way): Path<String>, body: String) -> Response {
    let request: Value = serde_json::from_str(&body).expect("JSON");
    let id = &request["id"];
    if id.is_null() {
        return StatusCode::ACCEPTED.into_response();
    }
    let revision = request["params"]["protocolVersion"].as_str();
    if way.starts_with("older") && revision.is_some_and(|asked| asked != OLDER) {
        let said = match way.as_str() {
            "older-in-words" => format!("Unsupported protocol version (supported: {OLDER})"),
            _ => {
                let data = json!({ "supported": [OLDER], "requested": revision });
                let error = json!({ "code": -32602, "message": "Not supported", "data": data });
                json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string()
            }
        };
        return (StatusCode::BAD_REQUEST, said).into_response();
    }
    let answer = match result(&way, &request) {
        Some(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        None => {
            let error = json!({ "code": -32601, "message": "not here" });
            json!({ "jsonrpc": "2.0", "id": id, "error": error })
        }
    };
    ([("content-type", "application/json")], answer.to_string()).into_response()
}

/// The result of a request; none is the error that the server does not know it.
fn result(way: &str, request: &Value) -> Option<Value> {
    let cursor = &request["params"]["cursor"];
    let tool = |name: &str| {
        let annotations = json!({ "readOnlyHint": name != "order" });
        json!({ "name": name, "inputSchema": { "type": "object" }, "annotations": annotations })
    };
    let first = json!([tool("say"), tool("order")]);
    Some(match request["method"].as_str()? {
        "initialize" => {
            let mut capabilities = json!({ "tools": {} });
            if way.starts_with("announces") {
                capabilities = json!({ "tools": {}, "resources": {}, "prompts": {} });
            }
            let revision = if way.starts_with("older") {
                OLDER
            } else {
                "2025-06-18"
            };
            json!({
                "protocolVersion": revision, "capabilities": capabilities,
                "serverInfo": { "name": way, "version": "1" },
            })
        }
        "tools/list" => match (way, cursor.as_str()) {
            ("cursor-stays", _) => json!({ "tools": first, "nextCursor": "same" }),
            ("cursor-number", _) => json!({ "tools": first, "nextCursor": 2 }),
            ("cursor-circles", None) => json!({ "tools": first, "nextCursor": "a" }),
            ("cursor-circles", Some("a")) => json!({ "tools": [tool("more")], "nextCursor": "b" }),
            ("cursor-circles", _) => json!({ "tools": [tool("most")], "nextCursor": "a" }),
            ("page-fails" | "page-is-none", None) => json!({ "tools": first, "nextCursor": "2" }),
            ("page-is-none", _) => json!({ "page": 2 }),
            ("page-fails", _) => return None,
            ("pictures", _) => json!({ "tools": PICTURES.map(tool) }),
            _ => json!({ "tools": first }),
        },
        "tools/call" if way == "asks" => json!({
            "isError": true,
            "content": [{ "type": "text", "text": "Elicitation is not supported" }],
        }),
        "tools/call" => json!({ "content": [
            { "type": "text", "text": "order 77 was written" },
            {
                "type": "image", "mimeType": "image/png",
                "data": picture(request["params"]["name"].as_str()?),
            },
        ] }),
        "resources/list" if way == "announces-nameless" => {
            json!({ "resources": [{ "name": "menu" }, { "uri": "odd://plan", "name": "plan" }] })
        }
        _ => return None,
    })
}
