//! The trace of a server: every message of both transports, without secrets.

use frontdesk_client::{Trace, trace};
use serde_json::{Map, Value, json};

use crate::servers::stub::{Reply, Stub, usual};
use crate::servers::{http, process};

const NEWEST: &str = "2025-11-25";

fn arguments() -> Map<String, Value> {
    let arguments = json!({ "password": "hunter2", "name": "Ana" });
    arguments.as_object().unwrap().clone()
}

/// Direction, kind, method, and whether a time was measured.
fn listed(trace: &Trace) -> Vec<String> {
    let messages = trace.memory().unwrap().since(0, usize::MAX);
    let words = messages.iter().map(|(_, it)| {
        let took = it.took.map_or("", |_| " timed");
        let method = it.method.as_deref().unwrap_or("-");
        format!("{} {} {method}{took}", it.direction, it.kind)
    });
    words.collect()
}

fn whole(trace: &Trace) -> String {
    let messages = trace.memory().unwrap().since(0, usize::MAX);
    let texts = messages.iter().map(|(_, it)| it.text.clone());
    texts.collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn every_message_over_http_is_traced_without_its_secrets() {
    let stub = Stub::start(|_, request| match request.name().as_str() {
        "tools/call" if request.body.contains("\"broken\"") => {
            Reply::text("text/html", "<h1>Bearer sesame-sesame</h1>".to_owned()).with_status(502)
        }
        "tools/call" => Reply::result(
            request,
            json!({ "content": [{ "type": "text", "text": "sesame-sesame is seven" }] }),
        ),
        _ => usual(request, NEWEST),
    })
    .await;
    let server = http::server(&stub.mcp(), Some("sesame-sesame"));
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("trace.jsonl");
    let trace = Trace::to_file(&path).unwrap().kept();
    server.trace(&trace);
    for tool in ["write", "broken"] {
        let called = server.call_raw(tool, arguments()).await;
        assert_eq!(called.is_ok(), tool == "write", "{called:?}");
    }
    assert_eq!(
        listed(&trace),
        [
            "sent request server/discover",
            "received failure server/discover timed",
            "sent request initialize",
            "received answer initialize timed",
            "sent notification notifications/initialized",
            "sent request tools/call",
            "received answer tools/call timed",
            "sent request tools/call",
            "received failure tools/call timed",
        ]
    );
    let whole = whole(&trace);
    assert!(whole.contains(r#""password":"[hidden]""#), "{whole}");
    assert!(whole.contains("[hidden] is [hidden]"), "{whole}");
    assert!(whole.contains("HTTP 502"), "{whole}");
    let written = trace::read(&path).unwrap();
    assert_eq!(written.len(), trace.memory().unwrap().numbers().len());
    let file = std::fs::read_to_string(&path).unwrap();
    for secret in ["hunter2", "sesame", "seven"] {
        assert!(!whole.contains(secret), "{secret} in {whole}");
        assert!(!file.contains(secret), "{secret} in {file}");
    }
}

#[tokio::test]
async fn every_message_and_line_of_a_process_is_traced_without_its_secrets() {
    let server = process::server("serves", &[("SECRET", "sesame")], None);
    let trace = Trace::default().kept();
    server.trace(&trace);
    let called = server.call_raw("say", arguments()).await;
    assert!(format!("{called:?}").contains("sesame"), "{called:?}");
    let whole = whole(&trace);
    assert!(
        whole.contains("[hidden]") && !whole.contains("sesame"),
        "{whole}"
    );
    let listed = listed(&trace);
    for expected in [
        "received line -",
        "received answer initialize timed",
        "received notification notifications/tools/list_changed",
        "received answer tools/call timed",
    ] {
        assert!(
            listed.iter().any(|it| it == expected),
            "{expected} in {listed:?}"
        );
    }

    let server = process::server("dies", &[], None);
    let trace = Trace::default().kept();
    server.trace(&trace);
    let called = server.call_raw("say", arguments()).await;
    assert!(called.is_err());
    let whole = self::whole(&trace);
    assert!(whole.contains("the disk is full"), "{whole}");
}

#[tokio::test]
async fn a_trace_that_is_off_keeps_nothing() {
    let server = process::server("serves", &[], None);
    let trace = Trace::default();
    server.trace(&trace);
    assert!(server.about().await.is_ok());
    assert!(trace.memory().is_none());
}
