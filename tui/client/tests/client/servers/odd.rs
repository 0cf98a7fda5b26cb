//! Servers that are odd and legal, or wrong in ways that have one meaning: the answer stays.

use std::collections::BTreeMap;
use std::io::Read;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use flate2::Compression;
use flate2::bufread::{DeflateEncoder, GzEncoder, ZlibEncoder};
use frontdesk_client::config::servers::{Era, HttpServer, ServerConfig};
use frontdesk_client::question::{Decision, Pages};
use frontdesk_client::{CallError, Content, Server};
use frontdesk_protocol::mcp::CallMeta;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use serde_json::{Map, Value, json};

use crate::servers::http;
use crate::servers::stub::{Reply, Request, Stub, discovered, usual};

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
    let name = request.name();
    if name.starts_with("notifications/") || name == "server/discover" || request.method != "POST" {
        return usual(request, "2025-06-18");
    }
    let id = &request.json()["id"];
    let answer = json!({ "jsonrpc": "2.0", "id": id, "result": result(request) });
    Reply::text("text/event-stream", write(&answer))
}

#[tokio::test]
async fn what_else_an_event_stream_has_loses_no_answer() {
    let stub = Stub::start(|_, request| {
        stream(request, &|answer| {
            let primed = "id: 1\nretry: 1\ndata:\n\n";
            format!("{primed}event: ping\n\ndata: working on it\n\ndata: {answer}\n\n")
        })
    })
    .await;
    let called = server(&stub.mcp()).call_raw("say", Map::new()).await;
    let content = called.map(|called| called.content);
    assert_eq!(content, Ok(vec![Content::Text("said".to_owned())]));
}

/// The bytes in the coding of this name.
fn coded(coding: &str, bytes: &[u8]) -> Vec<u8> {
    let read = |mut encoder: Box<dyn Read + '_>| {
        let mut coded = Vec::new();
        encoder.read_to_end(&mut coded).unwrap();
        coded
    };
    let level = Compression::best();
    match coding {
        "gzip" => read(Box::new(GzEncoder::new(bytes, level))),
        "deflate" => read(Box::new(ZlibEncoder::new(bytes, level))),
        "deflate without a frame" => read(Box::new(DeflateEncoder::new(bytes, level))),
        "zstd" => compress_to_vec(bytes, CompressionLevel::Fastest),
        "br" => {
            // One block of the bytes as they are, and the end.
            let head = u32::try_from(bytes.len() - 1).unwrap() << 4 | 1 << 20;
            [&head.to_le_bytes()[..3], bytes, &[3]].concat()
        }
        _ => bytes.to_vec(),
    }
}

#[tokio::test]
async fn compressed_answers_are_read() {
    let codings = ["gzip", "deflate", "deflate without a frame", "br", "zstd"];
    for coding in codings {
        for is_stream in [false, true] {
            let stub = Stub::start(move |_, request| {
                let reply = match request.name().as_str() {
                    _ if is_stream => stream(request, &|it| format!("data: {it}\n\n")),
                    "tools/call" => Reply::result(request, result(request)),
                    _ => usual(request, "2025-06-18"),
                };
                let name = coding.split(' ').next().unwrap();
                reply.coded(name, |body| match body.is_empty() {
                    true => body,
                    false => coded(coding, &body),
                })
            })
            .await;
            let called = server(&stub.mcp()).call_raw("say", Map::new()).await;
            let content = called.map(|called| called.content);
            let said = [Content::Text("said".to_owned())];
            assert_eq!(content.as_deref(), Ok(said.as_slice()), "{coding}");
            let accepted = stub.all("tools/call");
            assert_eq!(accepted[0].header("accept-encoding"), Some("identity"));
        }
    }
}

#[tokio::test]
async fn an_answer_that_cannot_be_decompressed_is_named() {
    let bomb = vec![b' '; 16 * 1024 * 1024 + 1];
    let most = "it is larger than 16 MiB";
    for (coding, body, why) in [
        (
            "lzma",
            Vec::new(),
            "it is compressed with lzma; frontdesk reads gzip, ",
        ),
        ("gzip, br", Vec::new(), "it is compressed with gzip, br; "),
        ("gzip", b"{}".to_vec(), "its gzip is damaged"),
        ("br", b"\xff{}".to_vec(), "its br is damaged"),
        ("zstd", b"{}".to_vec(), "its zstd is damaged"),
        (
            "gzip",
            coded("gzip", b"{ }")[..20].to_vec(),
            "its gzip is damaged",
        ),
        ("gzip", coded("gzip", &bomb), most),
        ("deflate", coded("deflate", &bomb), most),
        ("zstd", coded("zstd", &bomb), most),
    ] {
        let stub = Stub::start(move |_, request| match request.name().as_str() {
            "tools/list" => Reply::json(&json!({})).coded(coding, |_| body.clone()),
            _ => usual(request, "2025-06-18"),
        })
        .await;
        let error = server(&stub.mcp()).tools().await.unwrap_err().to_string();
        assert!(error.contains(why), "{coding}: {error}");
    }
}

#[tokio::test]
async fn one_redirect_within_the_origin_is_followed_and_keeps_the_request() {
    let elsewhere = Stub::start(|_, request| usual(request, "2025-06-18")).await;
    let other = elsewhere.mcp();
    for (status, to, is_followed) in [
        (308, "/mcp/", true),
        (307, "/mcp/", true),
        (301, "/mcp/", false),
        (308, "/mcp", false),
        (308, other.as_str(), false),
    ] {
        let location = to.to_owned();
        let stub = Stub::start(move |_, request| match request.path.as_str() {
            "/mcp/" => usual(request, "2025-06-18"),
            _ => Reply::status(status).header("location", &location),
        })
        .await;
        match http::server(&stub.mcp(), Some("key")).tools().await {
            Ok(tools) if is_followed => {
                assert_eq!(tools.len(), 2);
                let listed = stub.all("tools/list");
                let paths = listed.iter().map(|request| request.path.as_str());
                assert_eq!(
                    paths.collect::<Vec<_>>(),
                    ["/mcp", "/mcp/"],
                    "{status} {to}"
                );
                assert_eq!(listed[1].header("authorization"), Some("Bearer key"));
            }
            Err(error) if !is_followed => {
                let said = format!("it sends on to {to}; configure that address");
                assert!(error.to_string().contains(&said), "{status} {to}: {error}");
            }
            answer => panic!("{status} {to}: {answer:?}"),
        }
    }
    assert_eq!(elsewhere.all("initialize").len(), 0);
}

#[tokio::test]
async fn an_event_that_is_too_large_is_named_and_a_long_error_is_cut() {
    let huge = "a".repeat(16 * 1024 * 1024 + 1);
    let stub = Stub::start(move |_, request| match request.name().as_str() {
        "tools/call" if request.json()["params"]["name"] == "event" => {
            stream(request, &|_| format!("data: {huge}\n\n"))
        }
        "tools/call" => {
            let error = json!({ "code": -32602, "message": "e".repeat(6_000_000) });
            let id = &request.json()["id"];
            Reply::json(&json!({ "jsonrpc": "2.0", "id": id, "error": error }))
        }
        _ => usual(request, "2025-06-18"),
    })
    .await;
    let server = server(&stub.mcp());
    let error = server.call_raw("event", Map::new()).await.unwrap_err();
    let said = "the answer cannot be read: it is larger than 16 MiB";
    assert_eq!(error, CallError::unclear(said));
    assert_eq!(stub.all("tools/call").len(), 1);
    let error = server.call_raw("error", Map::new()).await.unwrap_err();
    let error = error.to_string();
    assert!(
        error.ends_with("eee… (5990000 more bytes)"),
        "{}",
        error.len()
    );
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

#[tokio::test]
async fn a_session_begins_as_configured_and_with_one_more_request_at_most() {
    for (era, is_modern, asked) in [
        (Era::Auto, true, Ok(("2026-07-28", vec!["server/discover"]))),
        (
            Era::Auto,
            false,
            Ok(("2025-06-18", vec!["server/discover", "initialize"])),
        ),
        (Era::Handshake, true, Ok(("2025-06-18", vec!["initialize"]))),
        (
            Era::Discover,
            true,
            Ok(("2026-07-28", vec!["server/discover"])),
        ),
        (Era::Discover, false, Err(())),
    ] {
        for status in [200, 202, 400, 404, 405, 500] {
            let stub = Stub::start(move |_, request| match request.name().as_str() {
                "server/discover" if is_modern => discovered(request),
                "server/discover" if status == 200 => Reply::result(request, json!({})),
                "server/discover" => Reply::status(status),
                _ => usual(request, "2025-06-18"),
            })
            .await;
            let mut config = HttpServer::new(&stub.mcp(), None, BTreeMap::new()).unwrap();
            config.era = era;
            let server = Server::new("stub", &ServerConfig::Http(config), None).unwrap();
            let about = server.about().await;
            let Ok((revision, requests)) = &asked else {
                assert!(about.is_err(), "{status}");
                continue;
            };
            assert_eq!(about.unwrap().protocol, *revision, "{era:?} {status}");
            let names = ["server/discover", "initialize"];
            let made = names.into_iter().filter(|name| !stub.all(name).is_empty());
            assert_eq!(made.collect::<Vec<_>>(), *requests, "{era:?} {status}");
        }
    }
}

#[tokio::test]
async fn what_asks_without_a_handshake_goes_on_with_the_answer() {
    let stub = Stub::start(|_, request| match request.name().as_str() {
        "server/discover" => discovered(request),
        "tools/list" => {
            let with = |header: &str| json!({ "type": "object", "properties": {
                "a": { "type": "string", "x-mcp-header": header } } });
            Reply::result(
                request,
                json!({ "resultType": "complete", "ttlMs": 0, "cacheScope": "private", "tools": [
                    { "name": "look", "inputSchema": with("Region") },
                    { "name": "wrong", "inputSchema": with("no header") },
                ] }),
            )
        }
        _ => {
            let params = &request.json()["params"];
            Reply::result(
                request,
                match params["inputResponses"]["who"].clone() {
                    Value::Null => json!({
                        "resultType": "input_required", "requestState": "at the door",
                        "inputRequests": { "who": { "method": "elicitation/create", "params": {
                            "message": "Your name?",
                            "requestedSchema": { "type": "object", "properties": { "name": { "type": "string" } } },
                        } } },
                    }),
                    response => json!({
                        "resultType": "complete",
                        "messages": [{ "role": "user", "content": { "type": "text", "text": response["content"]["name"] } }],
                        "content": [], "structuredContent": [response, params["requestState"]],
                    }),
                },
            )
        }
    })
    .await;
    let asked = server(&stub.mcp());
    asked.answer_with(Pages::Refused, |question| {
        assert_eq!(question.message, "Your name?");
        let name = Map::from_iter([("name".to_owned(), json!("Ana"))]);
        Box::pin(std::future::ready(Decision::Accept(name)))
    });
    let answer = json!({ "action": "accept", "content": { "name": "Ana" } });
    let meta = CallMeta {
        idempotency_key: Some("one".to_owned()),
        ..CallMeta::default()
    };
    let called = asked.call_watched("look", Map::new(), meta, |_| {});
    let called = called.await.unwrap();
    assert_eq!(called.structured, Some(json!([answer, "at the door"])));
    let calls = stub.all("tools/call");
    let keys = calls.iter().map(|call| {
        let meta = &call.json()["params"]["_meta"];
        meta["idempotencyKey"].clone()
    });
    assert_eq!(keys.collect::<Vec<_>>(), ["one", "one"]);
    let prompt = asked.prompt("greet", Map::new()).await.unwrap();
    assert_eq!(prompt.received()["messages"][0]["content"]["text"], "Ana");
    let listed = asked.tools().await.unwrap();
    assert_eq!(listed.len(), 1, "{listed:?}");
    let odd = "the tool wrong has an invalid x-mcp-header";
    assert_eq!(asked.odd_tools(), [odd]);
    let error = server(&stub.mcp())
        .call_raw("look", Map::new())
        .await
        .unwrap_err();
    let CallError::Tool(error) = error else {
        panic!("{error}");
    };
    assert_eq!(
        error.message,
        "the tool asks for “Your name?”; nobody can answer here"
    );
}

/// The sessions of the calls at a server that refuses the first one like this.
async fn sessions(refuse: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Vec<String> {
    let opened = AtomicUsize::new(0);
    let stub = Stub::start(move |_, request| match request.name().as_str() {
        "initialize" => {
            let number = opened.fetch_add(1, Ordering::SeqCst) + 1;
            usual(request, "2025-06-18").header("mcp-session-id", &number.to_string())
        }
        "tools/call" if request.header("mcp-session-id") == Some("1") => refuse(request),
        "tools/call" => Reply::result(request, result(request)),
        _ => usual(request, "2025-06-18"),
    })
    .await;
    let server = server(&stub.mcp());
    // The second call needs no luck.
    for _ in 0..2 {
        let _ = server.call_raw("write", Map::new()).await;
    }
    let calls = stub.all("tools/call");
    let session = |it: &Request| it.header("mcp-session-id").unwrap().to_owned();
    calls.iter().map(session).collect()
}

#[tokio::test]
async fn a_session_that_the_server_forgot_is_renewed_whatever_it_says() {
    let error = |code: i32, message: &str| json!({ "code": code, "message": message });
    let early = "Received request before the server was not initialized";
    let during = "the session expired during the write";
    for (status, error, expected) in [
        (404, error(0, ""), "1 2 2"),
        (410, error(0, ""), "1 2 2"),
        (
            400,
            error(-32000, "Bad Request: Session not found"),
            "1 2 2",
        ),
        (400, error(-32600, "Invalid mcp-session-id"), "1 2 2"),
        (400, error(-32600, "Server not initialized"), "1 2 2"),
        (401, error(-32000, "Session expired"), "1 2 2"),
        (200, error(-32001, "session not found"), "1 2 2"),
        (200, error(-32602, early), "1 2 2"),
        // A write that may be done is not repeated.
        (200, error(-32603, during), "1 2"),
        // A tool can have sessions of its own.
        (200, error(-32602, "the session is full"), "1 1"),
    ] {
        let said = error.clone();
        let sessions = sessions(move |request| {
            let id = &request.json()["id"];
            Reply::json(&json!({ "jsonrpc": "2.0", "id": id, "error": said })).with_status(status)
        });
        assert_eq!(sessions.await.join(" "), expected, "{status} {error}");
    }
}

/// A server that asks for folders during a call, in the era of this revision.
async fn asks_for_folders(revision: &'static str) -> Stub {
    let waiting = Mutex::new(None);
    Stub::start(move |_, request| match request.name().as_str() {
        "server/discover" if revision == "2026-07-28" => discovered(request),
        "tools/call" if revision == "2026-07-28" => {
            let given = request.json()["params"]["inputResponses"]["it"].clone();
            Reply::result(
                request,
                match given {
                    Value::Null => json!({
                        "resultType": "input_required", "requestState": "",
                        "inputRequests": { "it": { "method": "roots/list" } },
                    }),
                    given => json!({ "resultType": "complete", "content": [], "structuredContent": given }),
                },
            )
        }
        "tools/call" => {
            let (events, reply) = Reply::events();
            let asked = json!({ "jsonrpc": "2.0", "id": 1, "method": "roots/list" });
            events.send(asked).unwrap();
            *waiting.lock().unwrap() = Some((request.json()["id"].clone(), events));
            reply
        }
        "POST /mcp" => {
            let (id, events) = waiting.lock().unwrap().take().unwrap();
            let answer = request.json();
            let told = match &answer["error"] {
                Value::Null => &answer["result"],
                error => &error["message"],
            };
            let result = json!({ "content": [], "structuredContent": { "told": told } });
            let result = json!({ "jsonrpc": "2.0", "id": id, "result": result });
            events.send(result).unwrap();
            Reply::status(202)
        }
        _ => usual(request, revision),
    })
    .await
}

#[tokio::test]
async fn a_server_is_told_of_the_folders_of_the_configuration_and_no_others() {
    let told = json!({ "roots": [{ "uri": "file:///srv/my%20files", "name": "my files" }] });
    for revision in ["2025-11-25", "2026-07-28"] {
        for folders in [vec![], vec!["/srv/my files".into()]] {
            let stub = asks_for_folders(revision).await;
            let mut config = HttpServer::new(&stub.mcp(), None, BTreeMap::new()).unwrap();
            config.roots = folders.clone();
            let server = Server::new("stub", &ServerConfig::Http(config), None).unwrap();
            let called = server.call_raw("look", Map::new()).await;
            let said = match called {
                Ok(called) => called.structured.unwrap(),
                Err(error) => json!(error.to_string()),
            };
            let expected = match folders.is_empty() {
                true => "the configuration names no folders for it".to_owned(),
                false => told.to_string(),
            };
            assert!(said.to_string().contains(&expected), "{revision}: {said}");
            let (opening, declared) = match revision {
                "2026-07-28" => ("tools/call", "io.modelcontextprotocol/clientCapabilities"),
                _ => ("initialize", "capabilities"),
            };
            let params = stub.all(opening)[0].json()["params"].clone();
            let capabilities = match revision {
                "2026-07-28" => &params["_meta"][declared],
                _ => &params[declared],
            };
            assert_eq!(
                capabilities.get("roots").is_some(),
                !folders.is_empty(),
                "{params}"
            );
        }
    }
}
