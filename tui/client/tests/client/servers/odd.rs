//! Servers that are odd and legal, or wrong in ways that have one meaning: the answer stays.

use std::collections::BTreeMap;

use frontdesk_client::config::servers::{HttpServer, ServerConfig};
use frontdesk_client::{Content, Server};
use serde_json::{Map, Value, json};

use crate::servers::stub::{Reply, Request, Stub, usual};

fn server(url: &str) -> Server {
    let config = HttpServer::new(url, None, BTreeMap::new()).unwrap();
    Server::new("stub", &ServerConfig::Http(config), None).unwrap()
}

fn result(request: &Request) -> Value {
    match request.name().as_str() {
        "initialize" => json!({
            "protocolVersion": "2025-06-18", "capabilities": { "tools": {} },
            "serverInfo": { "name": "stub", "version": "1" },
        }),
        "tools/list" => {
            json!({ "tools": [{ "name": "say", "inputSchema": { "type": "object" } }] })
        }
        _ => json!({ "content": [{ "type": "text", "text": "said" }] }),
    }
}

/// The answer to a request as an event stream.
fn stream(request: &Request, write: &dyn Fn(&Value) -> String) -> Reply {
    if request.name().starts_with("notifications/") || request.method != "POST" {
        return usual(request, "2025-06-18");
    }
    let id = &request.json()["id"];
    let answer = json!({ "jsonrpc": "2.0", "id": id, "result": result(request) });
    Reply::text("text/event-stream", write(&answer))
}

#[tokio::test]
async fn unusual_event_streams_lose_no_answer() {
    let event = |answer: &Value| format!("event: message\ndata: {answer}\n\n");
    type Write = Box<dyn Fn(&Value) -> String + Send + Sync>;
    let kinds: [(&str, Write); 12] = [
        (
            "priming",
            Box::new(move |it| format!("id: 1\nretry: 1\ndata:\n\n{}", event(it))),
        ),
        (
            "priming-bare",
            Box::new(move |it| format!("id: 1\ndata\n\n{}", event(it))),
        ),
        (
            "unknown-field",
            Box::new(move |it| format!("x-trace: 17\n\n{}", event(it))),
        ),
        (
            "no-colon",
            Box::new(move |it| format!("keep-alive\n\n{}", event(it))),
        ),
        (
            "retry-text",
            Box::new(move |it| format!("retry: 3s\n\n{}", event(it))),
        ),
        (
            "two-ids",
            Box::new(move |it| format!("id: 1\nid: 2\n{}", event(it))),
        ),
        (
            "two-names",
            Box::new(move |it| format!("event: ping\n{}", event(it))),
        ),
        (
            "ping",
            Box::new(move |it| format!("event: ping\ndata: 2027-03-01\n\n{}", event(it))),
        ),
        (
            "not-json",
            Box::new(move |it| format!("data: working on it\n\n{}", event(it))),
        ),
        ("mark", Box::new(move |it| format!("\u{feff}{}", event(it)))),
        ("cr", Box::new(move |it| event(it).replace('\n', "\r"))),
        (
            "lines",
            Box::new(|it| {
                let pretty = serde_json::to_string_pretty(it).unwrap();
                pretty
                    .lines()
                    .map(|line| format!("data:{line}\n"))
                    .collect::<String>()
                    + "\n"
            }),
        ),
    ];
    for (kind, write) in kinds {
        let stub = Stub::start(move |_, request| stream(request, &*write)).await;
        let called = server(&stub.mcp()).call_raw("say", Map::new()).await;
        let content = called.map(|called| called.content);
        assert_eq!(
            content,
            Ok(vec![Content::Text("said".to_owned())]),
            "{kind}"
        );
    }
}

#[tokio::test]
async fn a_lost_notification_stream_is_not_opened_again_at_once() {
    for lost in ["data\nno colon\n\n", "retry: 3s\n\n", "data: cut", ""] {
        let stub = Stub::start(move |_, request| match request.name().as_str() {
            "initialize" => usual(request, "2025-06-18").header("mcp-session-id", "one"),
            "GET /mcp" => Reply::text("text/event-stream", format!("retry: 300000\n\n{lost}")),
            "tools/call" => Reply::result(request, result(request)),
            _ => usual(request, "2025-06-18"),
        })
        .await;
        let server = server(&stub.mcp());
        server.about().await.unwrap();
        stub.arrived("GET /mcp").await;
        for _ in 0..20 {
            server.call_raw("say", Map::new()).await.unwrap();
        }
        assert_eq!(stub.all("GET /mcp").len(), 1, "{lost:?}");
    }
}
