//! The trace of a server: every message of both transports, without secrets.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use frontdesk_client::config::servers::{HttpServer, ServerConfig};
use frontdesk_client::trace::Kind;
use frontdesk_client::{Server, Trace, trace};
use serde_json::{Map, Value, json};
use url::form_urlencoded::{Serializer, byte_serialize};

use crate::servers::stub::{Reply, Stub, usual};
use crate::servers::{http, process};
use crate::support::browser::parameters;

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

/// A token, and secrets that another coding would change.
const ACCESS: &str = "acc/ess+token=1";
const REFRESH: &str = "ref/resh+token=2";
const CLIENT: &str = "cli/ent+secret=\"3";
const CODE: &str = "co/de+4&x";
const SESSION: &str = "session-of-stub";

/// The answer to a request for a token with this body.
type Grant = fn(&str) -> Reply;

/// A server with a sign-in, whose answer to a request for a token is this one. It gets the body of the request.
async fn guarded(grant: Grant) -> Stub {
    Stub::start(move |url, request| match request.path.as_str() {
        "/mcp" if request.header("authorization") == Some(&format!("Bearer {ACCESS}")) => {
            match request.name().as_str() {
                "GET /mcp" | "DELETE /mcp" => Reply::status(405).header("allow", "POST"),
                _ => usual(request, NEWEST).header("mcp-session-id", SESSION),
            }
        }
        "/mcp" => {
            let code: String = byte_serialize(CODE.as_bytes()).collect();
            let challenge = format!("Bearer resource_metadata=\"{url}/about?secret={code}\"");
            Reply::status(401).header("www-authenticate", &challenge)
        }
        "/.well-known/oauth-authorization-server" => Reply::json(&json!({
            "issuer": url,
            "authorization_endpoint": format!("{url}/authorize"),
            "token_endpoint": format!("{url}/token"),
            "registration_endpoint": format!("{url}/register"),
            "response_types_supported": ["code"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
        })),
        "/register" => {
            let mut client = request.json();
            client["client_id"] = json!("client-1");
            client["client_secret"] = json!(CLIENT);
            client["registration_access_token"] = json!("regi-stration");
            Reply::json(&client).with_status(201)
        }
        "/token" => grant(&request.body),
        about if about.starts_with("/about") => Reply::json(&json!({
            "resource": format!("{url}/mcp"), "authorization_servers": [url],
        })),
        _ => Reply::status(404),
    })
    .await
}

fn tokens() -> Value {
    json!({
        "access_token": ACCESS, "refresh_token": REFRESH, "id_token": "id-token-5",
        "token_type": "Bearer", "expires_in": 3600, "scope": "tools",
    })
}

/// "POST /token 200"
fn exchanges(stub: &Stub, trace: &Trace) -> Vec<String> {
    let messages = trace.memory().unwrap().since(0, usize::MAX);
    let exchanges = messages.iter().filter(|(_, it)| it.kind == Kind::Exchange);
    let words = exchanges.map(|(_, it)| {
        let shown: Value = serde_json::from_str(&it.text).unwrap();
        let asked = &shown["request"];
        let url = asked["url"].as_str().unwrap().replace(&stub.url, "");
        format!(
            "{} {url} {}",
            asked["method"].as_str().unwrap(),
            shown["status"]
        )
    });
    words.collect()
}

#[tokio::test]
async fn a_sign_in_is_traced_without_its_secrets_in_any_form() {
    let answers: [(&str, Grant); 4] = [
        ("tokens", |_| Reply::json(&tokens())),
        ("a form", |_| {
            let form = Serializer::new(String::new())
                .extend_pairs([("access_token", ACCESS), ("refresh_token", REFRESH)])
                .finish();
            Reply::text("application/x-www-form-urlencoded", form)
        }),
        ("a refusal that repeats the request", |body| {
            let about = format!("refused: {body} {CODE}");
            Reply::json(&json!({ "error": "invalid_grant", "error_description": about }))
                .with_status(400)
        }),
        ("a page that repeats it", |body| {
            Reply::text("text/html", format!("<h1>{body}</h1>")).with_status(500)
        }),
    ];
    for (name, grant) in answers {
        let stub = guarded(grant).await;
        let directory = tempfile::tempdir().unwrap();
        let (file, tokens) = (
            directory.path().join("trace"),
            directory.path().join("tokens"),
        );
        let trace = Trace::to_file(&file).unwrap().kept();
        let config = HttpServer::new(&stub.mcp(), None, BTreeMap::new()).unwrap();
        let server = Server::new("stub", &ServerConfig::Http(config), Some(tokens)).unwrap();
        server.trace(&trace);
        let sign_in = server.sign_in().await.unwrap();
        let asked = parameters(sign_in.address());
        let form = Serializer::new(String::new())
            .extend_pairs([("code", CODE), ("state", &asked["state"])])
            .finish();
        let finished = sign_in.finish(&form).await;
        assert_eq!(finished.is_ok(), name == "tokens", "{name}: {finished:?}");
        let mut expected = vec![
            "POST /mcp 401",
            "GET /about?secret=[hidden] 200",
            "GET /.well-known/oauth-authorization-server 200",
            "POST /register 201",
        ];
        match name {
            "tokens" => {
                expected.extend(["POST /token 200", "GET /mcp 405", "DELETE /mcp 405"]);
                server.about().await.unwrap();
                stub.arrived("GET /mcp").await;
                server.close().await;
            }
            "a form" => expected.push("POST /token 200"),
            "a page that repeats it" => expected.push("POST /token 500"),
            _ => expected.push("POST /token 400"),
        }
        assert_eq!(exchanges(&stub, &trace), expected, "{name}");

        let verifier = stub.all("POST /token")[0].form()["code_verifier"].clone();
        let traced = whole(&trace) + &std::fs::read_to_string(&file).unwrap();
        let secrets = [
            ACCESS,
            REFRESH,
            CLIENT,
            CODE,
            SESSION,
            &verifier,
            &asked["state"],
            "regi-stration",
            "id-token-5",
        ];
        for secret in secrets {
            for form in forms(secret) {
                assert!(!traced.contains(&form), "{name}: {form} in {traced}");
            }
        }
        assert!(
            traced.contains(r#""grant_type":"authorization_code""#),
            "{traced}"
        );
        assert!(traced.contains(r#""client_id":"client-1""#), "{traced}");
    }
}

/// A text as it is, in JSON, in an address, and in Base64.
fn forms(secret: &str) -> [String; 5] {
    let coded: String = byte_serialize(secret.as_bytes()).collect();
    [
        secret.to_owned(),
        json!(secret).to_string().trim_matches('"').to_owned(),
        coded,
        STANDARD_NO_PAD.encode(secret),
        STANDARD_NO_PAD.encode(format!("client-1:{secret}")),
    ]
}
