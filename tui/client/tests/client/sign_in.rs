//! Sign-in, sign-out and refreshing tokens.

use std::path::Path;
use std::sync::Arc;

use frontdesk_client::{CallError, Client, CredentialStore, Credentials, Secret};
use frontdesk_protocol::{ErrorCode, ToolError};
use jiff::SignedDuration;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{self, EMAIL, Reply, Server, account, files, write};

const REFRESH: &str = "/events/auth/refresh";
const PASSWORD: &str = "/auth/v1/token?grant_type=password";

/// A client whose token has this lifetime left, with its store on disk.
struct Desk {
    server: Server,
    directory: TempDir,
    client: Client,
}

impl Desk {
    async fn with_token(left: SignedDuration) -> Self {
        let server = Server::start().await;
        let directory = tempfile::tempdir().expect("a directory");
        let store = store(directory.path());
        store.save(&server.credentials(left)).expect("is kept");
        let client = Client::new(server.addresses(), store).expect("a client");
        Desk {
            server,
            directory,
            client,
        }
    }

    /// With an expired token.
    async fn stale() -> Self {
        let desk = Desk::with_token(SignedDuration::from_secs(-1)).await;
        desk.server.end_tokens();
        desk
    }

    fn stored(&self) -> Credentials {
        let stored = store(self.directory.path()).load().expect("can be read");
        stored.expect("something is kept")
    }

    /// The lock, as taken by another process.
    fn lock(&self) -> std::fs::File {
        let path = self.directory.path().join("credentials.lock");
        let file = std::fs::File::create(path).expect("a lock file");
        file.try_lock().expect("is free");
        file
    }
}

fn store(directory: &Path) -> CredentialStore {
    CredentialStore::file(directory.join("credentials.json"))
}

// ---- in and out ----

#[tokio::test]
async fn signing_in_keeps_the_credentials_for_the_next_start() {
    let server = Server::start().await;
    let directory = tempfile::tempdir().expect("a directory");
    let client = Client::new(server.addresses(), store(directory.path())).expect("a client");
    assert!(!client.is_signed_in());

    let told = client.sign_in("demo", EMAIL, "demo-password").await;
    assert_eq!(told, Ok(account()));
    let request = &server.requests()[0];
    assert_eq!(request.name(), PASSWORD);
    assert_eq!(request.headers["apikey"], "demo");
    assert_eq!(
        request.body,
        json!({ "email": EMAIL, "password": "demo-password" })
    );

    let next = Client::new(server.addresses(), store(directory.path())).expect("a client");
    assert!(next.is_signed_in());
    assert_eq!(next.email().as_deref(), Some(EMAIL));
    assert_eq!(next.last_account(), Some(account()));
    write(&next).await.expect("works");
    assert_eq!(server.count(REFRESH), 0);
}

#[tokio::test]
async fn a_wrong_password_is_the_forms_error() {
    let server = Server::start().await;
    let client = server.client();
    let told = client.sign_in("demo", EMAIL, "wrong").await;
    let error = ToolError::new(ErrorCode::Unauthorized, "Invalid login");
    assert_eq!(told, Err(CallError::Tool(error)));
    assert!(client.is_signed_in(), "the old sign-in stays");
}

#[tokio::test]
async fn a_sign_in_that_does_not_describe_the_person_asks() {
    let server = Server::start().await;
    let tokens = json!({ "access_token": "access-1", "refresh_token": "refresh-1",
        "user": { "id": support::USER, "email": EMAIL } });
    server.credentials(SignedDuration::ZERO);
    server.next(PASSWORD, Reply::json(200, &tokens));
    let client = Client::new(server.addresses(), CredentialStore::memory()).expect("a client");
    let told = client.sign_in("demo", EMAIL, "demo-password").await;
    assert_eq!(told, Ok(account()));
    assert_eq!(server.names(), [PASSWORD, "/auth/v1/user"]);
    assert_eq!(server.requests()[1].token(), Some("access-1"));
}

#[tokio::test]
async fn signing_in_as_somebody_else_opens_other_sessions() {
    let server = Server::start().await;
    let client = server.client();
    write(&client).await.expect("works");
    client
        .sign_in("demo", EMAIL, "demo-password")
        .await
        .expect("works");
    write(&client).await.expect("works");
    assert_eq!(server.count("initialize"), 2);
    let last = server.requests().pop().expect("a call");
    assert_eq!(
        (last.session(), last.token()),
        (Some("session-2"), Some("access-2"))
    );
}

#[tokio::test]
async fn signing_out_forgets_the_tokens_and_tells_the_provider() {
    let desk = Desk::with_token(SignedDuration::from_hours(1)).await;
    write(&desk.client).await.expect("works");
    desk.client.sign_out().await.expect("works");
    let logout = desk.server.requests().pop().expect("a request");
    assert_eq!(
        (logout.name(), logout.token()),
        ("/auth/v1/logout", Some("access-1"))
    );
    assert_eq!(
        store(desk.directory.path()).load().expect("can be read"),
        None
    );
    assert!(!desk.client.is_signed_in());
    let error = write(&desk.client).await.expect_err("nobody is signed in");
    assert_eq!(
        error,
        CallError::SignedOut("The token is not valid".to_owned())
    );
}

#[tokio::test]
async fn signing_out_without_a_network_forgets_the_tokens_all_the_same() {
    let desk = Desk::with_token(SignedDuration::from_hours(1)).await;
    desk.server.next("/auth/v1/logout", Reply::Disconnect);
    let error = desk
        .client
        .sign_out()
        .await
        .expect_err("the provider was not told");
    assert!(matches!(error, CallError::Unreachable { .. }), "{error}");
    assert_eq!(
        store(desk.directory.path()).load().expect("can be read"),
        None
    );
    assert!(!desk.client.is_signed_in());
}

#[tokio::test]
async fn the_account_is_asked_with_a_fresh_token() {
    let desk = Desk::stale().await;
    assert_eq!(desk.client.account().await, Ok(account()));
    let refresh = "/auth/v1/token?grant_type=refresh_token";
    assert_eq!(desk.server.names(), [refresh, "/auth/v1/user"]);
    assert_eq!(desk.server.requests()[0].headers["apikey"], "demo");
    assert_eq!(desk.server.requests()[1].token(), Some("access-2"));
}

#[tokio::test]
async fn the_account_is_asked_again_after_a_401() {
    let desk = Desk::with_token(SignedDuration::from_hours(1)).await;
    desk.server.end_tokens();
    assert_eq!(desk.client.account().await, Ok(account()));
    desk.server.end_tokens();
    desk.server.end_refresh_tokens();
    let told = desk.client.account().await;
    assert_eq!(told, Err(CallError::SignedOut("Used before".to_owned())));
}

#[tokio::test]
async fn an_unknown_role_is_none() {
    let server = Server::start().await;
    let mut user = support::user();
    user["app_metadata"] = json!({ "organization": null, "role": "gardener" });
    server.next("/auth/v1/user", Reply::json(200, &user));
    let account = server.client().account().await.expect("works");
    assert_eq!(
        (account.role, account.organization, account.level),
        (None, None, 0)
    );
}

// ---- refreshing ----

#[tokio::test]
async fn a_token_that_ends_soon_is_refreshed_before_the_call() {
    let desk = Desk::with_token(SignedDuration::from_secs(59)).await;
    write(&desk.client).await.expect("works");
    let names = [
        REFRESH,
        "initialize",
        "notifications/initialized",
        "tools/call",
    ];
    assert_eq!(desk.server.names(), names);
    let requests = desk.server.requests();
    assert_eq!(requests[0].body, json!({ "refresh_token": "refresh-1" }));
    assert_eq!(requests[0].token(), None);
    assert!(
        requests[1..]
            .iter()
            .all(|request| request.token() == Some("access-2"))
    );
    assert_eq!(desk.stored().access_token, Secret::new("access-2"));
    assert_eq!(desk.stored().refresh_token, Secret::new("refresh-2"));
}

#[tokio::test]
async fn a_token_with_time_left_is_not_refreshed() {
    // A few seconds of tolerance for the test.
    let desk = Desk::with_token(SignedDuration::from_mins(10)).await;
    write(&desk.client).await.expect("works");
    assert_eq!(desk.server.count(REFRESH), 0);
}

#[tokio::test]
async fn a_401_refreshes_once_and_calls_again_once() {
    let desk = Desk::with_token(SignedDuration::from_hours(1)).await;
    write(&desk.client).await.expect("works");
    desk.server.end_tokens();
    write(&desk.client).await.expect("works again");
    assert_eq!(
        desk.server.names()[3..],
        ["tools/call", REFRESH, "tools/call"]
    );
    let last = desk.server.requests().pop().expect("a call");
    assert_eq!(
        (last.session(), last.token()),
        (Some("session-1"), Some("access-2"))
    );
}

#[tokio::test]
async fn a_second_401_is_the_end() {
    let desk = Desk::with_token(SignedDuration::from_hours(1)).await;
    let refusal = || Reply::refusal(401, "unauthorized", "Go away");
    desk.server.next("initialize", refusal());
    desk.server.next("initialize", refusal());
    let error = write(&desk.client).await.expect_err("is refused");
    assert_eq!(error, CallError::SignedOut("Go away".to_owned()));
    assert_eq!(desk.server.names(), ["initialize", REFRESH, "initialize"]);
}

#[tokio::test]
async fn a_refused_refresh_signs_out_and_keeps_the_name() {
    let desk = Desk::stale().await;
    desk.server.end_refresh_tokens();
    for _ in 0..2 {
        let error = write(&desk.client).await.expect_err("is signed out");
        assert_eq!(error, CallError::SignedOut("Used before".to_owned()));
    }
    // The second call used the new token.
    assert_eq!(desk.server.names(), [REFRESH]);
    assert!(!desk.client.is_signed_in());
    assert_eq!(desk.client.email().as_deref(), Some(EMAIL));
    assert_eq!(desk.stored().access_token, Secret::new("access-1"));

    desk.client
        .sign_in("demo", EMAIL, "demo-password")
        .await
        .expect("works");
    assert!(desk.client.is_signed_in());
    write(&desk.client).await.expect("works");
}

#[tokio::test]
async fn signing_in_in_another_window_brings_this_one_back() {
    let desk = Desk::stale().await;
    desk.server.end_refresh_tokens();
    write(&desk.client).await.expect_err("is signed out");
    let fresh = desk.server.credentials(SignedDuration::from_hours(1));
    store(desk.directory.path()).save(&fresh).expect("is kept");
    write(&desk.client).await.expect("works");
    assert_eq!(desk.server.count(REFRESH), 1);
}

#[tokio::test]
async fn signing_out_in_another_window_signs_this_one_out() {
    let desk = Desk::stale().await;
    store(desk.directory.path()).clear().expect("works");
    let error = write(&desk.client).await.expect_err("is signed out");
    assert!(matches!(error, CallError::SignedOut(_)), "{error}");
    assert_eq!(desk.server.names(), Vec::<String>::new());
}

#[tokio::test]
async fn calls_that_come_together_refresh_once() {
    let directory = tempfile::tempdir().expect("a directory");
    for store in [store(directory.path()), CredentialStore::memory()] {
        let server = Server::start().await;
        let stale = server.credentials(SignedDuration::from_secs(-1));
        store.save(&stale).expect("is kept");
        let client = Client::new(server.addresses(), store).expect("a client");
        for refreshed in [1, 2] {
            // The second time, all calls are refused together.
            server.end_tokens();
            let calls = (0..8).map(|_| write(&client));
            for result in futures::future::join_all(calls).await {
                result.expect("works");
            }
            assert_eq!(server.count(REFRESH), refreshed);
        }
    }
}

#[tokio::test]
async fn two_processes_do_not_refresh_the_same_token() {
    let desk = Desk::stale().await;
    // Two clients with the same file behave like two processes: they share no memory.
    let path = desk.directory.path();
    let other = Client::new(desk.server.addresses(), store(path)).expect("a client");
    desk.server.next(REFRESH, Reply::Hold);
    let first = tokio::spawn({
        let client = desk.client.clone();
        async move { write(&client).await }
    });
    desk.server.arrived(REFRESH).await;
    let second = tokio::spawn(async move { write(&other).await });
    desk.server.release();
    first.await.expect("ends").expect("works");
    second.await.expect("ends").expect("works");
    assert_eq!(desk.server.count(REFRESH), 1);
}

#[tokio::test]
async fn what_another_process_refreshed_is_used() {
    let desk = Desk::stale().await;
    let lock = desk.lock();
    let waiting = tokio::spawn({
        let client = desk.client.clone();
        async move { write(&client).await }
    });
    let fresh = desk.server.credentials(SignedDuration::from_hours(1));
    store(desk.directory.path()).save(&fresh).expect("is kept");
    drop(lock);
    waiting.await.expect("ends").expect("works");
    assert_eq!(desk.server.count(REFRESH), 0);
}

#[tokio::test(start_paused = true)]
async fn a_process_that_never_gives_the_lock_back_is_not_waited_for() {
    let desk = Desk::stale().await;
    let _lock = desk.lock();
    let error = write(&desk.client).await.expect_err("cannot refresh");
    assert!(matches!(error, CallError::Unreachable { .. }), "{error}");
    assert_eq!(desk.server.names(), Vec::<String>::new());
}

#[tokio::test]
async fn a_refresh_that_fails_leaves_a_token_that_still_counts() {
    let desk = Desk::with_token(SignedDuration::from_secs(50)).await;
    desk.server.next(REFRESH, Reply::status(503));
    desk.server.next(REFRESH, Reply::Disconnect);
    desk.server.next(REFRESH, Reply::Disconnect);
    write(&desk.client).await.expect("works with the old one");
    assert_eq!(
        desk.server.requests().pop().expect("a call").token(),
        Some("access-1")
    );
}

#[tokio::test]
async fn a_refresh_that_fails_does_not_bring_a_refused_token_back() {
    let desk = Desk::with_token(SignedDuration::from_hours(1)).await;
    desk.server.end_tokens();
    desk.server.next(REFRESH, Reply::status(503));
    let error = write(&desk.client).await.expect_err("cannot refresh");
    assert!(
        matches!(error, CallError::Host { status: 503, .. }),
        "{error}"
    );
    assert_eq!(desk.server.names(), ["initialize", REFRESH]);
}

#[tokio::test]
async fn a_refresh_that_fails_tells_why_and_may_be_tried_again() {
    let desk = Desk::stale().await;
    desk.server.next(REFRESH, Reply::status(503));
    let error = write(&desk.client).await.expect_err("cannot refresh");
    assert!(
        matches!(error, CallError::Host { status: 503, .. }),
        "{error}"
    );
    assert!(desk.client.is_signed_in());

    desk.server.next(REFRESH, Reply::Disconnect);
    let error = write(&desk.client).await.expect_err("cannot refresh");
    // The write itself was never sent.
    assert!(matches!(error, CallError::Unreachable { .. }), "{error}");
    write(&desk.client).await.expect("works");
}

#[tokio::test]
async fn a_refresh_is_finished_for_a_caller_that_left() {
    let desk = Desk::stale().await;
    let left = tokio::spawn({
        let client = desk.client.clone();
        async move { client.account().await }
    });
    let refresh = "/auth/v1/token?grant_type=refresh_token";
    desk.server.next(refresh, Reply::Hold);
    desk.server.arrived(refresh).await;
    left.abort();
    assert!(left.await.expect_err("was aborted").is_cancelled());
    desk.server.release();
    // The refresh token is used up; only its lost answer contained the next one.
    write(&desk.client).await.expect("works");
    assert_eq!(desk.server.count(refresh), 1);
    assert_eq!(desk.server.count(REFRESH), 0);
}

#[tokio::test]
async fn the_page_of_a_network_in_between_signs_nobody_out() {
    let desk = Desk::stale().await;
    let page = || Reply::text(403, "text/html", "<h1>Accept our terms</h1>");
    desk.server.next(REFRESH, page());
    let error = write(&desk.client).await.expect_err("does not get through");
    assert_eq!(
        error,
        CallError::Host {
            status: 403,
            message: "Forbidden".to_owned()
        }
    );
    assert!(desk.client.is_signed_in());

    desk.server.next(PASSWORD, page());
    let told = desk.client.sign_in("demo", EMAIL, "demo-password").await;
    assert!(
        matches!(told, Err(CallError::Host { status: 403, .. })),
        "{told:?}"
    );
    write(&desk.client)
        .await
        .expect("works once the terms are accepted");
}

// ---- secrets ----

#[tokio::test]
async fn tokens_go_only_to_the_service_that_issued_them() {
    let server = Server::start().await;
    let stranger = Server::start().await;
    let store = CredentialStore::memory();
    store
        .save(&server.credentials(SignedDuration::from_hours(1)))
        .expect("is kept");
    let client = Client::new(stranger.addresses(), store).expect("a client");
    assert!(!client.is_signed_in());
    assert_eq!(client.email(), None);
    let error = write(&client).await.expect_err("nobody is signed in there");
    assert!(matches!(error, CallError::SignedOut(_)), "{error}");
    assert!(
        stranger
            .requests()
            .iter()
            .all(|request| request.token().is_none())
    );
}

#[tokio::test]
async fn nothing_shows_a_token() {
    let server = Server::start().await;
    let credentials = server.credentials(SignedDuration::from_hours(1));
    let client = server.client();
    write(&client).await.expect("works");
    let shown = format!("{credentials:?} {client:?} {:?}", server.store());
    assert!(shown.contains(EMAIL), "it does show the credentials");
    assert!(!shown.contains("access-"), "{shown}");
    assert!(!shown.contains("refresh-"), "{shown}");
}

#[cfg(unix)]
#[tokio::test]
async fn files_are_for_their_owner_alone() {
    let directory = tempfile::tempdir().expect("a directory");
    let data = directory.path().join("new").join("frontdesk");
    let server = Server::start().await;
    let credentials = server.credentials(SignedDuration::from_secs(-1));
    store(&data).save(&credentials).expect("is kept");
    let client = Client::new(server.addresses(), store(&data)).expect("a client");
    write(&client).await.expect("refreshes");
    assert_eq!(files::mode(&data), 0o700);
    assert_eq!(files::mode(&data.join("credentials.json")), 0o600);
    assert_eq!(files::mode(&data.join("credentials.lock")), 0o600);
    let names: Vec<_> = data.read_dir().expect("a directory").collect();
    assert_eq!(names.len(), 2, "nothing half-written stays behind");
}

#[tokio::test]
async fn a_damaged_file_means_signed_out_and_is_not_repeated() {
    let server = Server::start().await;
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("credentials.json");
    std::fs::write(&path, "{\"access_token\": 5, \"secret\"").expect("is written");
    let error = store(directory.path())
        .load()
        .expect_err("is damaged")
        .to_string();
    assert!(
        error.ends_with("credentials.json does not hold credentials"),
        "{error}"
    );
    let client = Client::new(server.addresses(), store(directory.path())).expect("a client");
    assert!(!client.is_signed_in());
    client
        .sign_in("demo", EMAIL, "demo-password")
        .await
        .expect("works");
    assert!(
        store(directory.path())
            .load()
            .expect("is whole again")
            .is_some()
    );
}

#[test]
fn what_is_left_of_a_token_is_measured_by_its_lifetime() {
    let now = "2026-01-05T18:00:00Z".parse().expect("a time");
    let credentials = |lifetime: u32, left: i64| Credentials {
        access_token: Secret::new("a"),
        refresh_token: Secret::new("r"),
        expires_at: now + SignedDuration::from_secs(left),
        lifetime,
        url: String::new(),
        email: String::new(),
        api_key: String::new(),
        account: None,
    };
    for (lifetime, left, is_fresh) in [
        (3600, 61, true),
        (3600, 60, false),
        (100, 11, true),
        (100, 10, false),
        (3600, -1, false),
    ] {
        assert_eq!(
            credentials(lifetime, left).is_fresh(now),
            is_fresh,
            "{left} s of {lifetime}"
        );
    }
    assert!(credentials(3600, 1).is_valid(now));
    assert!(!credentials(3600, 0).is_valid(now));
}

#[test]
fn the_file_has_the_names_that_other_tools_know() {
    let directory = tempfile::tempdir().expect("a directory");
    let credentials = Credentials {
        access_token: Secret::new("a"),
        refresh_token: Secret::new("r"),
        expires_at: "2026-01-05T18:00:00Z".parse().expect("a time"),
        lifetime: 3600,
        url: "https://desk.example.org".to_owned(),
        email: EMAIL.to_owned(),
        api_key: "demo".to_owned(),
        account: None,
    };
    let store = Arc::new(store(directory.path()));
    store.save(&credentials).expect("is kept");
    let text = std::fs::read(directory.path().join("credentials.json")).expect("is there");
    let json: Value = serde_json::from_slice(&text).expect("is JSON");
    let expected = json!({ "access_token": "a", "refresh_token": "r", "expires_at": 1767636000,
        "lifetime": 3600, "url": "https://desk.example.org", "email": EMAIL, "api_key": "demo" });
    assert_eq!(json, expected);
    assert_eq!(store.load().expect("can be read"), Some(credentials));
}
