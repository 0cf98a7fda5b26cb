//! The sign-in of MCP, with server and authorization server in one process.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use frontdesk_client::config::servers::{HttpServer, ServerConfig};
use frontdesk_client::{CallError, Server, paths};
use serde_json::json;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::servers::stub::{Reply, Request, Stub, usual};
use crate::support::browser::{parameters, visit};

/// A server that accepts the token of the last grant, and issues tokens for a code or a refresh.
/// `lifetime` is in seconds.
async fn guarded(lifetime: u64) -> Stub {
    guarded_by(lifetime, None).await
}

/// The same, with the page of an external sign-in.
async fn guarded_by(lifetime: u64, page: Option<&'static str>) -> Stub {
    guarded_with(page, move |granted, request| {
        grant(request, granted, lifetime)
    })
    .await
}

/// The same, with a function for the answers about tokens, which gets the number of grants.
async fn guarded_with(
    page: Option<&'static str>,
    grant: impl Fn(&AtomicUsize, &Request) -> Reply + Send + Sync + 'static,
) -> Stub {
    let granted = AtomicUsize::new(0);
    Stub::start(move |url, request| match request.path.as_str() {
        "/mcp" => {
            let token = format!("Bearer access-{}", granted.load(Ordering::SeqCst));
            if request.header("authorization") == Some(token.as_str()) {
                return match request.name().as_str() {
                    "tools/call" => {
                        let challenge = "Bearer error=\"insufficient_scope\", scope=\"write\"";
                        Reply::status(403).header("www-authenticate", challenge)
                    }
                    _ => usual(request, "2025-11-25"),
                };
            }
            let challenge =
                format!("Bearer resource_metadata=\"{url}/about-mcp\", scope=\"tools\"");
            Reply::status(401).header("www-authenticate", &challenge)
        }
        "/about-mcp" => Reply::json(&json!({
            "resource": format!("{url}/mcp"), "authorization_servers": [url],
        })),
        "/.well-known/oauth-authorization-server" => Reply::json(&json!({
            "issuer": url,
            "authorization_endpoint": page.map_or(format!("{url}/authorize"), str::to_owned),
            "token_endpoint": format!("{url}/token"),
            "registration_endpoint": format!("{url}/register"),
            "response_types_supported": ["code"],
            "code_challenge_methods_supported": ["S256"],
        })),
        "/register" => {
            let mut client = request.json();
            client["client_id"] = json!("client-1");
            Reply::json(&client).with_status(201)
        }
        "/token" => grant(&granted, request),
        _ => Reply::status(404),
    })
    .await
}

fn grant(request: &Request, granted: &AtomicUsize, lifetime: u64) -> Reply {
    let form = request.form();
    let now = granted.load(Ordering::SeqCst);
    let is_good = match form["grant_type"].as_str() {
        "authorization_code" => form["code"] == "the-code",
        _ => form["refresh_token"] == format!("refresh-{now}"),
    };
    if !is_good {
        return Reply::json(&json!({ "error": "invalid_grant" })).with_status(400);
    }
    granted.store(now + 1, Ordering::SeqCst);
    Reply::json(&json!({
        "access_token": format!("access-{}", now + 1), "token_type": "Bearer",
        "expires_in": lifetime, "scope": "tools", "refresh_token": format!("refresh-{}", now + 1),
    }))
}

/// A user's data directory.
struct Home(TempDir);

impl Home {
    fn new() -> Self {
        Home(tempfile::tempdir().unwrap())
    }

    fn file(&self) -> std::path::PathBuf {
        paths::server_file(self.0.path(), "stub")
    }

    fn server(&self, stub: &Stub) -> Server {
        let server = HttpServer::new(&stub.mcp(), None, BTreeMap::new()).unwrap();
        Server::new("stub", &ServerConfig::Http(server), Some(self.file())).unwrap()
    }

    /// Signs in like a user with a browser.
    async fn sign_in(&self, stub: &Stub) -> Server {
        let server = self.server(stub);
        let sign_in = server.sign_in().await.unwrap();
        let asked = parameters(sign_in.address());
        let answer = format!("code=the-code&state={}", asked["state"]);
        sign_in.finish(&answer).await.unwrap();
        server
    }
}

#[tokio::test]
async fn a_browser_signs_in_and_the_token_is_kept_and_sent() {
    let stub = guarded(3600).await;
    let home = Home::new();
    let server = home.server(&stub);
    let error = server.tools().await.unwrap_err();
    assert!(matches!(error, CallError::SignedOut(_)), "{error}");

    let sign_in = server.sign_in().await.unwrap();
    let asked = parameters(sign_in.address());
    assert!(
        sign_in
            .address()
            .starts_with(&format!("{}/authorize?", stub.url))
    );
    assert_eq!(asked["response_type"], "code");
    assert_eq!(asked["client_id"], "client-1");
    assert_eq!(asked["resource"], stub.mcp());
    assert_eq!(asked["scope"], "tools");
    assert_eq!(asked["code_challenge_method"], "S256");
    let registered = stub.one("POST /register").json();
    assert_eq!(registered["redirect_uris"], json!([asked["redirect_uri"]]));
    assert_eq!(registered["token_endpoint_auth_method"], "none");

    let back = |state: &str| format!("{}?code=the-code&state={state}", asked["redirect_uri"]);
    let browser = async {
        let stranger = visit(&back("guessed")).await;
        assert!(stranger.starts_with("HTTP/1.1 400"), "{stranger}");
        visit(&back(&asked["state"])).await
    };
    let (answer, page) = tokio::join!(sign_in.redirected(), browser);
    assert!(page.contains("You can close this page."), "{page}");
    sign_in.finish(&answer.unwrap()).await.unwrap();

    let form = stub.one("POST /token").form();
    assert_eq!(form["resource"], stub.mcp());
    assert_eq!(form["redirect_uri"], asked["redirect_uri"]);
    let verified = URL_SAFE_NO_PAD.encode(Sha256::digest(&form["code_verifier"]));
    assert_eq!(verified, asked["code_challenge"]);

    assert_eq!(server.tools().await.unwrap().len(), 2);
    assert_eq!(
        stub.one("tools/list").header("authorization"),
        Some("Bearer access-1")
    );
    assert_eq!(
        home.server(&stub).tools().await.unwrap().len(),
        2,
        "a later process"
    );
    #[cfg(unix)]
    assert_eq!(crate::support::files::mode(&home.file()), 0o600);
}

#[tokio::test]
async fn a_program_that_is_known_there_is_not_registered() {
    let stub = guarded(3600).await;
    let home = Home::new();
    let mut config = HttpServer::new(&stub.mcp(), None, BTreeMap::new()).unwrap();
    config.client_id = Some("known".to_owned());
    let server = Server::new("stub", &ServerConfig::Http(config), Some(home.file())).unwrap();
    let sign_in = server.sign_in().await.unwrap();
    let asked = parameters(sign_in.address());
    assert_eq!(asked["client_id"], "known");
    let answer = format!("code=the-code&state={}", asked["state"]);
    sign_in.finish(&answer).await.unwrap();
    assert_eq!(stub.one("POST /token").form()["client_id"], "known");
    assert!(stub.all("POST /register").is_empty());
    assert_eq!(server.tools().await.unwrap().len(), 2);
}

#[tokio::test]
async fn an_answer_of_another_sign_in_is_refused() {
    let stub = guarded(3600).await;
    let home = Home::new();
    let sign_in = home.server(&stub).sign_in().await.unwrap();
    for (answer, said) in [
        (
            "http://127.0.0.1:1/callback?code=the-code&state=guessed",
            "another sign-in",
        ),
        ("the-code", "paste the whole address"),
    ] {
        let error = sign_in.finish(answer).await.unwrap_err();
        assert!(
            matches!(&error, CallError::SignedOut(reason) if reason.contains(said)),
            "{error}"
        );
    }
    assert!(stub.all("POST /token").is_empty());
    assert!(!home.file().exists());
}

#[tokio::test]
async fn nobody_is_sent_to_what_is_no_web_page() {
    let stub = guarded_by(3600, Some("file:///etc/passwd")).await;
    let error = Home::new().server(&stub).sign_in().await.unwrap_err();
    assert!(matches!(error, CallError::Protocol(_)), "{error}");
}

#[tokio::test]
async fn a_token_that_ends_is_refreshed_before_it_is_sent() {
    let stub = guarded(0).await;
    let home = Home::new();
    let server = home.sign_in(&stub).await;
    server.about().await.unwrap();
    let asked = stub.all("POST /token");
    let form = asked[1].form();
    assert_eq!(form["grant_type"], "refresh_token");
    assert_eq!(form["refresh_token"], "refresh-1");
    assert_eq!(form["client_id"], "client-1");
    assert_eq!(form["resource"], stub.mcp());
    let sent = stub.one("server/discover");
    assert_eq!(sent.header("authorization"), Some("Bearer access-2"));
}

#[tokio::test]
async fn a_token_that_is_refused_is_refreshed_once() {
    let stub = guarded(3600).await;
    let home = Home::new();
    let server = home.sign_in(&stub).await;
    let kept = std::fs::read_to_string(home.file()).unwrap();
    std::fs::write(home.file(), kept.replace("access-1", "access-0")).unwrap();
    assert_eq!(server.tools().await.unwrap().len(), 2);
    assert_eq!(stub.all("POST /token").len(), 2);
    let kept = std::fs::read_to_string(home.file()).unwrap();
    assert!(
        kept.contains("access-2") && kept.contains("refresh-2"),
        "{kept}"
    );
}

#[tokio::test]
async fn tokens_go_to_no_other_server_and_can_be_forgotten() {
    let stub = guarded(3600).await;
    let home = Home::new();
    let server = home.sign_in(&stub).await;
    let other = Stub::start(|_, request| usual(request, "2025-11-25")).await;
    home.server(&other).tools().await.unwrap();
    assert_eq!(other.one("tools/list").header("authorization"), None);
    assert_eq!(server.sign_out().await, Ok(true));
    assert_eq!(server.sign_out().await, Ok(false));
    assert!(!home.file().exists());
}

#[tokio::test]
async fn a_server_that_does_not_say_where_to_sign_in_is_told() {
    let stub = Stub::start(|_, request: &Request| match request.path.as_str() {
        "/mcp" => Reply::status(401),
        _ => Reply::status(404),
    })
    .await;
    let error = Home::new().server(&stub).sign_in().await.unwrap_err();
    assert!(
        error.to_string().contains("does not say where to sign in"),
        "{error}"
    );
}

#[tokio::test]
async fn the_scopes_that_a_call_lacked_are_requested_by_the_next_sign_in() {
    let stub = guarded(3600).await;
    let home = Home::new();
    let server = home.sign_in(&stub).await;
    let error = server.call_raw("write", serde_json::Map::new()).await;
    let error = error.unwrap_err();
    assert!(matches!(error, CallError::Forbidden(_)), "{error}");
    // In another process.
    let sign_in = home.server(&stub).sign_in().await.unwrap();
    let scopes = &parameters(sign_in.address())["scope"];
    let mut scopes: Vec<_> = scopes.split(' ').collect();
    scopes.sort_unstable();
    assert_eq!(scopes, ["tools", "write"]);
}

#[cfg(unix)]
#[tokio::test]
async fn the_secret_of_a_client_comes_from_a_file_of_its_owner() {
    use std::os::unix::fs::PermissionsExt;
    let stub = guarded(3600).await;
    let home = Home::new();
    let file = home.0.path().join("secret");
    std::fs::write(&file, "hunter2\n").unwrap();
    let mut config = HttpServer::new(&stub.mcp(), None, BTreeMap::new()).unwrap();
    config.client_id = Some("by-hand".to_owned());
    config.client_secret_file = Some(file.clone());
    let config = ServerConfig::Http(config);
    let sign_in = async |mode| {
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
        let server = Server::new("stub", &config, Some(home.file())).unwrap();
        server.sign_in().await
    };
    let error = sign_in(0o644).await.unwrap_err();
    assert!(error.to_string().contains("others can read it"), "{error}");
    let sign_in = sign_in(0o600).await.unwrap();
    let asked = parameters(sign_in.address());
    assert_eq!(asked["client_id"], "by-hand");
    let answer = format!("code=the-code&state={}", asked["state"]);
    sign_in.finish(&answer).await.unwrap();
    let token = stub.one("POST /token");
    let sent = token
        .header("authorization")
        .map_or(token.body.as_str(), |it| it);
    let basic = base64::engine::general_purpose::STANDARD.encode("by-hand:hunter2");
    assert!(
        sent.contains(&basic) || sent.contains("client_secret=hunter2"),
        "{sent}"
    );
    assert!(stub.all("POST /register").is_empty());
}

#[tokio::test]
async fn what_authorization_servers_send_as_a_grant_is_read() {
    for (changed, value, is_renewed) in [
        ("expires_in", json!("3600"), false),
        ("expires_in", json!(3599.5), false),
        ("expires_in", json!("0.9"), true),
        ("expires_in", json!(null), false),
        ("expires_in", json!("soon"), false),
        ("token_type", json!(null), false),
        ("scope", json!(["tools", "write"]), false),
        ("scope", json!(null), false),
    ] {
        let changing = value.clone();
        let stub = guarded_with(None, move |granted, request| {
            let number = granted.fetch_add(1, Ordering::SeqCst) + 1;
            assert_eq!(request.header("accept"), Some("application/json"));
            let mut grant = json!({
                "access_token": format!("access-{number}"), "token_type": "Bearer",
                "expires_in": 3600, "scope": "tools", "refresh_token": "refresh",
            });
            match &changing {
                serde_json::Value::Null => drop(grant.as_object_mut().unwrap().remove(changed)),
                value => grant[changed] = value.clone(),
            }
            Reply::json(&grant)
        })
        .await;
        let server = Home::new();
        let server = (server.sign_in(&stub).await, server);
        let listed = server.0.tools().await.map(|tools| tools.len());
        assert_eq!(listed, Ok(2), "{changed}: {value}");
        let is_asked_again = stub.all("POST /token").len() > 1;
        assert_eq!(is_asked_again, is_renewed, "{changed}: {value}");
    }
}

#[tokio::test]
async fn an_error_in_place_of_a_grant_is_shown() {
    let error = json!({ "error": "bad_code", "error_description": "It has expired." });
    let html = || Reply::text("text/html", "<html>Sorry</html>".to_owned());
    let json = move |status: u16| Reply::json(&error).with_status(status);
    let no_token = "the authorization server issued no token";
    let asking = [
        (json(200), "bad_code: It has expired."),
        (json(400), "bad_code: It has expired. (HTTP 400)"),
        (Reply::json(&json!({})), no_token),
        (html(), no_token),
    ];
    for (reply, said) in asking {
        let reply = std::sync::Mutex::new(Some(reply));
        let stub = guarded_with(None, move |_, _| reply.lock().unwrap().take().unwrap()).await;
        let sign_in = Home::new().server(&stub).sign_in().await.unwrap();
        let state = &parameters(sign_in.address())["state"];
        let refused = sign_in
            .finish(&format!("code=the-code&state={state}"))
            .await;
        let error = refused.unwrap_err().to_string();
        assert!(error.ends_with(said), "{error}");
    }
}

#[tokio::test]
async fn a_refresh_that_fails_ends_the_sign_in_or_can_be_tried_again() {
    let html = || Reply::text("text/html", "<html>Sorry</html>".to_owned());
    let json = |error: &str| Reply::json(&json!({ "error": error }));
    let cases = [
        (json("invalid_request").with_status(400), true),
        (json("invalid_client").with_status(401), true),
        (json("invalid_grant"), true),
        (json("invalid_grant").with_status(400), true),
        (html().with_status(401), true),
        (html().with_status(403), true),
        (html(), false),
        (html().with_status(500), false),
        (json("server_error").with_status(503), false),
    ];
    for (at, (reply, is_ended)) in cases.into_iter().enumerate() {
        let reply = std::sync::Mutex::new(Some(reply));
        let stub = guarded_with(
            None,
            move |granted, request| match request.form()["grant_type"].as_str() {
                "authorization_code" => grant(request, granted, 0),
                _ => reply.lock().unwrap().take().unwrap(),
            },
        )
        .await;
        let home = Home::new();
        let error = home.sign_in(&stub).await.tools().await.unwrap_err();
        match error {
            CallError::SignedOut(why) if is_ended => {
                assert_eq!(why, "the sign-in has ended", "{at}");
            }
            CallError::Unreachable { reason, .. } if !is_ended => {
                assert!(
                    reason.ends_with("; try again, or sign in again"),
                    "{at}: {reason}"
                );
            }
            error => panic!("{at}: {error}"),
        }
        assert!(home.file().exists(), "{at}: the next attempt can succeed");
    }
}

#[tokio::test]
async fn an_authorization_server_that_differs_by_a_slash_is_named() {
    let stub = Stub::start(|url, request| match request.path.as_str() {
        "/about-mcp" => Reply::json(&json!({
            "resource": format!("{url}/mcp"), "authorization_servers": [format!("{url}/one")],
        })),
        "/.well-known/oauth-authorization-server/one" => Reply::json(&json!({
            "issuer": format!("{url}/one/"), "authorization_endpoint": format!("{url}/authorize"),
            "token_endpoint": format!("{url}/token"),
        })),
        "/mcp" => {
            let challenge = format!("Bearer resource_metadata=\"{url}/about-mcp\"");
            Reply::status(401).header("www-authenticate", &challenge)
        }
        _ => Reply::status(404),
    })
    .await;
    let error = Home::new().server(&stub).sign_in().await.unwrap_err();
    let said = format!(
        "calls itself {0}/one/, which differs by a slash; {0}/one was expected",
        stub.url
    );
    assert!(error.to_string().contains(&said), "{error}");
}
