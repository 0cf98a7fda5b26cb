//! A third-party server over Streamable HTTP.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use frontdesk_client::config::servers::{HttpServer, ServerConfig, Token};
use frontdesk_client::question::{Decision, Pages};
use frontdesk_client::{CallError, Content, Notice, Secret, Server};
use frontdesk_protocol::mcp::CallMeta;
use frontdesk_protocol::{ErrorCode, ToolError};
use serde_json::{Map, Value, json};

use crate::servers::stub::{Reply, Request, Stub, usual};

const NEWEST: &str = "2025-11-25";

pub(super) fn server(url: &str, token: Option<&str>) -> Server {
    let token = token.map(|token| Token::Given(Secret::new(token)));
    let headers = BTreeMap::from([("X-Team".to_owned(), Secret::new("seven"))]);
    let config = ServerConfig::Http(HttpServer::new(url, token, headers).unwrap());
    Server::new("stub", &config, None).unwrap()
}

fn arguments() -> Map<String, Value> {
    Map::from_iter([("a".to_owned(), json!(1))])
}

fn text(text: &str) -> Value {
    json!({ "content": [{ "type": "text", "text": text }] })
}

#[tokio::test]
async fn it_says_what_it_is_and_every_request_has_token_and_headers() {
    let stub = Stub::start(|_, request| usual(request, NEWEST)).await;
    let server = server(&stub.mcp(), Some("key"));
    let about = server.about().await.unwrap();
    assert_eq!(about.name.as_deref(), Some("A Stub"));
    assert_eq!(about.version.as_deref(), Some("7"));
    assert_eq!(about.protocol, NEWEST);
    let tools = server.tools().await.unwrap();
    let names: Vec<_> = tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["look", "write"]);
    assert!(tools[0].read_only && tools[1].destructive);
    for name in ["initialize", "notifications/initialized", "tools/list"] {
        let request = stub.one(name);
        assert_eq!(
            request.header("authorization"),
            Some("Bearer key"),
            "{name}"
        );
        assert_eq!(request.header("x-team"), Some("seven"), "{name}");
    }
    assert_eq!(
        stub.one("tools/list").header("mcp-protocol-version"),
        Some(NEWEST)
    );
}

#[tokio::test]
async fn every_kind_of_content_is_kept() {
    let blocks = json!([
        { "type": "text", "text": "look" },
        { "type": "image", "data": "TWFu", "mimeType": "image/png" },
        { "type": "audio", "data": "TWE=", "mimeType": "audio/wav" },
        { "type": "resource_link", "uri": "demo://1", "name": "one" },
        { "type": "resource", "resource": { "uri": "demo://2", "text": "two" } },
        { "type": "resource", "resource": { "uri": "demo://3", "blob": "TQ==", "mimeType": "x/y" } },
    ]);
    let result = json!({ "content": blocks, "structuredContent": { "n": 1 } });
    let answered = result.clone();
    let stub = Stub::start(move |_, request| match request.name().as_str() {
        "tools/call" => Reply::result(request, answered.clone()),
        _ => usual(request, NEWEST),
    })
    .await;
    let called = server(&stub.mcp(), None)
        .call_raw("look", arguments())
        .await
        .unwrap();
    let owned = str::to_owned;
    let expected = [
        Content::Text(owned("look")),
        Content::Image {
            data: owned("TWFu"),
            mime_type: owned("image/png"),
        },
        Content::Audio {
            data: owned("TWE="),
            mime_type: owned("audio/wav"),
        },
        Content::Link {
            uri: owned("demo://1"),
            name: owned("one"),
            mime_type: None,
            description: None,
        },
        Content::TextResource {
            uri: owned("demo://2"),
            mime_type: None,
            text: owned("two"),
        },
        Content::BlobResource {
            uri: owned("demo://3"),
            mime_type: Some(owned("x/y")),
            blob: owned("TQ=="),
        },
    ];
    assert_eq!(called.content, expected);
    assert_eq!(called.structured, Some(json!({ "n": 1 })));
    assert!(!called.is_error);
    assert_eq!(*called.received(), result);
    assert_eq!(called.into_value(), Ok(result));
    let request = stub.one("tools/call").json();
    assert_eq!(request["params"]["name"], "look");
    assert_eq!(request["params"]["arguments"], json!({ "a": 1 }));
}

#[tokio::test]
async fn a_refusal_is_a_result_and_a_value_is_not_made_of_it() {
    let stub = Stub::start(|_, request| match request.name().as_str() {
        "tools/call" => {
            let mut refusal = text("no such file");
            refusal["isError"] = json!(true);
            Reply::result(request, refusal)
        }
        _ => usual(request, NEWEST),
    })
    .await;
    let called = server(&stub.mcp(), None).call_raw("look", Map::new()).await;
    let called = called.unwrap();
    assert!(called.is_error);
    let refusal = ToolError::new(ErrorCode::Refused, "no such file");
    assert_eq!(called.into_value(), Err(CallError::Tool(refusal)));
}

#[tokio::test]
async fn an_answer_of_events_tells_how_far_it_is() {
    let stub = Stub::start(|_, request| {
        if request.name() != "tools/call" {
            return usual(request, NEWEST);
        }
        let call = request.json();
        let token = &call["params"]["_meta"]["progressToken"];
        let (events, reply) = Reply::events();
        for done in [1, 2] {
            let params =
                json!({ "progressToken": token, "progress": done, "total": 2, "message": "on it" });
            let event =
                json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": params });
            events.send(event).unwrap();
        }
        let other = json!({ "progressToken": "another", "progress": 9 });
        let event =
            json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": other });
        events.send(event).unwrap();
        let answer = json!({ "jsonrpc": "2.0", "id": call["id"], "result": text("done") });
        events.send(answer).unwrap();
        reply
    })
    .await;
    let mut seen = Vec::new();
    let server = server(&stub.mcp(), None);
    let called = server
        .call_watched("write", arguments(), CallMeta::default(), |progress| {
            seen.push((progress.done, progress.total, progress.message));
        })
        .await
        .unwrap();
    assert_eq!(called.content, [Content::Text("done".to_owned())]);
    let on_it = Some("on it".to_owned());
    assert_eq!(
        seen,
        [(1.0, Some(2.0), on_it.clone()), (2.0, Some(2.0), on_it)],
        "and nothing of the other call"
    );
}

#[tokio::test]
async fn what_nobody_asked_for_is_heard() {
    let (events, reply) = Reply::events();
    let stream = Mutex::new(Some(reply));
    let stub = Stub::start(move |_, request| match request.name().as_str() {
        "initialize" => usual(request, NEWEST).header("mcp-session-id", "one"),
        "GET /mcp" => stream
            .lock()
            .unwrap()
            .take()
            .unwrap_or_else(|| Reply::status(405)),
        _ => usual(request, NEWEST),
    })
    .await;
    let server = server(&stub.mcp(), None);
    let mut notices = server.notices();
    server.about().await.unwrap();
    let event = |method: &str, params: Value| {
        let event = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        events.send(event).unwrap();
    };
    event("notifications/tools/list_changed", json!({}));
    assert_eq!(notices.recv().await.unwrap(), Notice::ToolsChanged);
    event(
        "notifications/message",
        json!({ "level": "warning", "logger": "disk", "data": "nearly full" }),
    );
    let log = Notice::Log {
        level: "warning".to_owned(),
        logger: Some("disk".to_owned()),
        data: json!("nearly full"),
    };
    assert_eq!(notices.recv().await.unwrap(), log);
    event(
        "notifications/resources/updated",
        json!({ "uri": "demo://1" }),
    );
    let updated = Notice::ResourceUpdated("demo://1".to_owned());
    assert_eq!(notices.recv().await.unwrap(), updated);
    assert_eq!(stub.one("GET /mcp").header("mcp-session-id"), Some("one"));
}

#[tokio::test]
async fn a_call_waits_for_the_user_as_long_as_it_takes() {
    let waiting = Mutex::new(None);
    let stub = Stub::start(move |_, request| match request.name().as_str() {
        "tools/call" => {
            let (events, reply) = Reply::events();
            let question = json!({
                "jsonrpc": "2.0", "id": 1, "method": "elicitation/create",
                "params": { "message": "Who?", "requestedSchema": { "type": "object", "x": 1 } },
            });
            events.send(question).unwrap();
            let id = request.json()["id"].clone();
            *waiting.lock().unwrap() = Some((id, events));
            reply
        }
        "POST /mcp" => {
            let answer = request.json();
            let (id, events) = waiting.lock().unwrap().take().unwrap();
            let result = text(&answer["result"].to_string());
            let result = json!({ "jsonrpc": "2.0", "id": id, "result": result });
            events.send(result).unwrap();
            Reply::status(202)
        }
        _ => usual(request, NEWEST),
    })
    .await;
    let server = server(&stub.mcp(), None);
    server.answer_with(Pages::Shown, |question| {
        assert_eq!(
            question.schema,
            Some(json!({ "type": "object", "x": 1 })),
            "as sent"
        );
        Box::pin(async {
            // An hour, in which the limit of a silent call passes.
            tokio::time::pause();
            tokio::time::advance(Duration::from_secs(60 * 60)).await;
            for _ in 0..100 {
                tokio::task::yield_now().await;
            }
            tokio::time::resume();
            Decision::Accept(arguments())
        })
    });
    let called = server.call_raw("write", Map::new()).await.unwrap();
    let answer = r#"{"action":"accept","content":{"a":1}}"#;
    assert_eq!(called.content, [Content::Text(answer.to_owned())]);
}

#[tokio::test]
async fn a_call_that_nobody_waits_for_is_cancelled_at_the_server() {
    let held = Mutex::new(Vec::new());
    let stub = Stub::start(move |_, request| match request.name().as_str() {
        "tools/call" => {
            let (events, reply) = Reply::events();
            held.lock().unwrap().push(events);
            reply
        }
        _ => usual(request, NEWEST),
    })
    .await;
    let server = server(&stub.mcp(), None);
    {
        let call = server.call_raw("write", arguments());
        tokio::pin!(call);
        tokio::select! {
            _ = &mut call => panic!("nothing is answered"),
            () = stub.arrived("tools/call") => {}
        }
    }
    stub.arrived("notifications/cancelled").await;
    let cancelled = stub.one("notifications/cancelled").json();
    let id = &stub.one("tools/call").json()["id"];
    assert_eq!(&cancelled["params"]["requestId"], id);
}

#[tokio::test]
async fn a_token_that_is_refused_is_not_sent_again() {
    let stub = Stub::start(|_, _: &Request| Reply::status(401)).await;
    let error = server(&stub.mcp(), Some("key")).tools().await.unwrap_err();
    let reason = "the server refuses the token that is configured".to_owned();
    assert_eq!(error, CallError::SignedOut(reason));
    assert_eq!(stub.all("server/discover").len(), 1);
    assert_eq!(stub.all("initialize").len(), 0);
}

#[tokio::test]
async fn a_call_that_the_token_does_not_cover_is_forbidden() {
    let stub = Stub::start(|_, request| match request.name().as_str() {
        "tools/call" => {
            let challenge = "Bearer error=\"insufficient_scope\", scope=\"write\"";
            Reply::status(403).header("www-authenticate", challenge)
        }
        _ => usual(request, NEWEST),
    })
    .await;
    let server = server(&stub.mcp(), Some("key"));
    let error = server.call_raw("write", Map::new()).await.unwrap_err();
    assert!(matches!(error, CallError::Forbidden(_)), "{error}");
}

#[tokio::test]
async fn what_is_no_mcp_server_is_told_from_one_that_is_away() {
    let stub = Stub::start(|_, _: &Request| Reply::json(&json!({ "hello": 1 }))).await;
    let error = server(&stub.mcp(), None).tools().await.unwrap_err();
    assert!(matches!(error, CallError::Protocol(_)), "{error}");
    let error = server("http://127.0.0.1:1/mcp?key=hunter2", None)
        .tools()
        .await
        .unwrap_err();
    let CallError::Unreachable { host, .. } = error else {
        panic!("{error}");
    };
    assert_eq!(host, "http://127.0.0.1:1/mcp", "its query may be a secret");
}

#[test]
fn nothing_secret_is_shown() {
    let shown = format!("{:?}", server("https://example.org/mcp", Some("hunter2")));
    assert!(!shown.contains("hunter2"), "{shown}");
    assert!(!shown.contains("seven"), "{shown}");
}
