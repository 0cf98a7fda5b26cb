//! Calls and all their outcomes.

use std::sync::Arc;
use std::time::Duration;

use frontdesk_client::{Addresses, CallError, Client, CredentialStore, Progress, Timeouts, Watch};
use frontdesk_protocol::events::guest::{CheckInGuest, GetEventGuest};
use frontdesk_protocol::mcp::CallMeta;
use frontdesk_protocol::{ErrorCode, Host, ToolError};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use crate::support::{GUEST, Reply, Server, guest, write};

fn check_in() -> CheckInGuest {
    CheckInGuest {
        id: GUEST.parse().expect("an id"),
    }
}

fn get_guest() -> GetEventGuest {
    GetEventGuest {
        id: GUEST.parse().expect("an id"),
    }
}

fn checked_in() -> Value {
    json!({ "guest": guest("2026-01-05T18:00:00Z"), "already_checked_in": false })
}

async fn read(client: &Client) -> Result<Value, CallError> {
    client
        .call_tool(Host::Events, "list_events", Map::new(), CallMeta::default())
        .await?
        .into_value()
}

/// The error of a write with this reply.
async fn refused(reply: Reply) -> CallError {
    let server = Server::start().await;
    server.next("tools/call", reply);
    write(&server.client()).await.expect_err("is refused")
}

/// The result of a write with this return value.
async fn returned(result: Value) -> Result<Value, CallError> {
    let server = Server::start().await;
    server.result("check_in_guest", result);
    write(&server.client()).await
}

fn in_text(json: &Value) -> Value {
    json!({ "content": [{ "type": "text", "text": json.to_string() }] })
}

/// The answer to the request of this id.
fn answer(id: u32, result: &Value) -> Reply {
    let body = json!({ "jsonrpc": "2.0", "id": id, "result": result });
    Reply::json(200, &body)
}

// ---- what goes out ----

#[tokio::test]
async fn a_call_opens_one_session_and_carries_token_version_and_arguments() {
    let server = Server::start().await;
    server.result(
        "check_in_guest",
        json!({ "content": [], "structuredContent": checked_in() }),
    );
    let client = server.client();
    for _ in 0..2 {
        let done = client.call(&check_in()).await.expect("works");
        assert_eq!(done.guest.name, "Zoë Müller");
        assert!(!done.already_checked_in);
    }
    let names = [
        "initialize",
        "notifications/initialized",
        "tools/call",
        "tools/call",
    ];
    assert_eq!(server.names(), names);

    let requests = server.requests();
    assert_eq!(requests[0].body["params"]["protocolVersion"], "2025-11-25");
    assert_eq!(
        requests[0].body["params"]["clientInfo"]["name"],
        "frontdesk"
    );
    assert_eq!(requests[0].session(), None);
    let call = &requests[2];
    assert_eq!(call.path, "/events/mcp");
    assert_eq!(call.token(), Some("access-1"));
    assert_eq!(call.session(), Some("session-1"));
    assert_eq!(call.headers["mcp-protocol-version"], "2025-11-25");
    assert_eq!(call.headers["content-type"], "application/json");
    assert_eq!(
        call.headers["accept"],
        "application/json, text/event-stream"
    );
    assert_eq!(call.body["params"]["name"], "check_in_guest");
    assert_eq!(call.body["params"]["arguments"], json!({ "id": GUEST }));
    assert_eq!(
        call.body["params"]["_meta"].get("frontdesk/occurredAt"),
        None
    );
}

#[tokio::test]
async fn calls_that_come_together_share_one_session() {
    let server = Server::start().await;
    let client = server.client();
    let calls = (0..8).map(|_| read(&client));
    for result in futures::future::join_all(calls).await {
        result.expect("works");
    }
    assert_eq!(server.count("initialize"), 1);
    assert_eq!(server.count("tools/call"), 8);
}

// ---- results ----

#[tokio::test]
async fn a_result_is_structured_or_in_the_text() {
    let text = |text: &str| json!({ "type": "text", "text": text });
    let structured = json!({ "content": [text("Done.")], "structuredContent": { "a": 1 } });
    for (result, value) in [
        (structured, json!({ "a": 1 })),
        (in_text(&json!({ "a": 2 })), json!({ "a": 2 })),
        // A foreign tool may answer in plain text.
        (
            json!({ "content": [text("It is"), text("raining")] }),
            json!("It is\nraining"),
        ),
        (json!({ "content": [] }), Value::Null),
    ] {
        assert_eq!(returned(result).await, Ok(value));
    }
}

#[tokio::test]
async fn a_tool_error_keeps_its_code_field_and_hint() {
    let error = ToolError::invalid("limit", "must be from 1 to 100").hint("leave it out");
    let body = json!({ "error": error });
    let mut in_text = in_text(&body);
    in_text["isError"] = json!(true);
    let structured = json!({ "isError": true, "content": [], "structuredContent": body });
    for result in [in_text, structured] {
        assert_eq!(returned(result).await, Err(CallError::Tool(error.clone())));
    }
}

#[tokio::test]
async fn a_tool_error_that_is_not_about_the_call_is_not_the_tools() {
    let forbidden = ToolError::new(ErrorCode::Forbidden, "m");
    let retry_after = Duration::from_secs(5);
    let busy = CallError::Host {
        status: 503,
        message: "m".to_owned(),
    };
    for (code, told) in [
        ("forbidden", CallError::Forbidden(forbidden)),
        ("unauthorized", CallError::SignedOut("m".to_owned())),
        ("unavailable", busy),
        ("rate_limited", CallError::RateLimited { retry_after }),
    ] {
        let body = json!({ "error": { "code": code, "message": "m" } });
        let result = json!({ "isError": true, "content": [], "structuredContent": body });
        assert_eq!(returned(result).await, Err(told));
    }
}

#[tokio::test]
async fn a_result_of_another_shape_is_told() {
    let server = Server::start().await;
    server.result(
        "get_event_guest",
        json!({ "content": [], "structuredContent": { "gast": 1 } }),
    );
    let error = server
        .client()
        .call(&get_guest())
        .await
        .expect_err("has no guest");
    assert!(matches!(&error, CallError::Protocol(what) if what.starts_with("get_event_guest: ")));
}

#[tokio::test]
async fn a_json_rpc_error_is_a_refusal() {
    let error = json!({ "code": -32602, "message": "Unknown tool: check_in" });
    for status in [200, 400] {
        let server = Server::start().await;
        let client = server.client();
        read(&client).await.expect("opens the session");
        // The handshake had the id 0, the first call 1.
        let body = json!({ "jsonrpc": "2.0", "id": 2, "error": error });
        server.next("tools/call", Reply::json(status, &body));
        let refused = ToolError::new(ErrorCode::InvalidArgument, "Unknown tool: check_in");
        assert_eq!(
            write(&client).await,
            Err(CallError::Tool(refused)),
            "HTTP {status}"
        );
    }
    // A host that could not read the id sends null.
    for status in [200, 400] {
        let reply = Reply::refusal(status, "invalid_argument", "must be an object");
        let error = ToolError::new(ErrorCode::InvalidArgument, "must be an object");
        assert_eq!(
            refused(reply).await,
            CallError::Tool(error),
            "HTTP {status}"
        );
    }
}

// ---- statuses ----

#[tokio::test]
async fn a_call_that_the_hosts_did_not_make_is_repeated() {
    let server = Server::start().await;
    server.result("check_in_guest", json!({ "content": [] }));
    let busy = || {
        let reply = Reply::refusal(503, "unavailable", "the database cannot be reached");
        reply.header("retry-after", "0")
    };
    let client = server.client();
    server.next("tools/call", busy());
    server.next("tools/call", busy());
    write(&client).await.expect("it is made");
    assert_eq!(server.requests().len(), 5, "the handshake, and three calls");
    // It may have been made: only its key makes it safe to repeat.
    let lost = || Reply::refusal(504, "outcome_unknown", "the database was lost");
    server.next("tools/call", lost());
    write(&client).await.expect_err("is not repeated");
    server.next("tools/call", lost());
    let meta = CallMeta {
        idempotency_key: Some("key".to_owned()),
        ..CallMeta::default()
    };
    let called = client.call_tool(Host::Events, "check_in_guest", Map::new(), meta);
    called.await.expect("it is repeated");
    assert_eq!(server.requests().len(), 8);
}

/// A write that is heard and can be stopped.
async fn watched(client: &Client, watch: Watch) -> Result<Value, CallError> {
    let (tool, meta) = ("check_in_guest", CallMeta::default());
    let call = client.call_watched(Host::Events, tool, Map::new(), meta, &watch);
    call.await?.into_value()
}

#[tokio::test]
async fn a_host_tells_how_far_a_call_is() {
    let server = Server::start().await;
    server.next("tools/call", Reply::Halves);
    let (heard, told) = std::sync::mpsc::channel();
    let hear = move |progress: Progress| {
        let _ = heard.send((progress.done, progress.total));
    };
    let watch = Watch::new(hear, CancellationToken::new());
    let made = watched(&server.client(), watch).await.expect("it is made");
    assert_eq!(made["name"], "check_in_guest");
    assert_eq!(told.try_iter().collect::<Vec<_>>(), [(1.0, Some(2.0))]);
}

#[tokio::test]
async fn a_host_that_is_asked_to_stop_a_call_says_what_became_of_it() {
    let server = Arc::new(Server::start().await);
    let client = server.client();
    // The first is cancelled in time, the second is not.
    for is_in_time in [true, false] {
        server.next("tools/call", Reply::Hold);
        let stop = CancellationToken::new();
        let watch = Watch::new(|_| {}, stop.clone());
        let (client, at) = (client.clone(), Arc::clone(&server));
        let call = tokio::spawn(async move { watched(&client, watch).await });
        at.arrived("tools/call").await;
        stop.cancel();
        at.arrived("notifications/cancelled").await;
        let requests = server.requests();
        let [.., called, cancelled] = &*requests else {
            panic!("{requests:?}");
        };
        assert_eq!(
            cancelled.body["params"]["requestId"], called.body["id"],
            "{cancelled:?}"
        );
        if is_in_time {
            server.next("tools/call", Reply::refusal(200, "refused", "cancelled"));
        }
        server.release();
        let outcome = call.await.expect("an outcome");
        match (is_in_time, outcome) {
            (true, Err(CallError::Tool(refusal))) => assert_eq!(refusal.message, "cancelled"),
            (false, Ok(made)) => assert_eq!(made["name"], "check_in_guest"),
            (_, outcome) => panic!("{outcome:?}"),
        }
    }
}

#[tokio::test]
async fn the_clock_of_the_hosts_is_compared_with_this_machines() {
    let server = Server::start().await;
    let client = server.client();
    let date = |ahead: SignedDuration| {
        let then = (Timestamp::now() + ahead).to_zoned(TimeZone::UTC);
        then.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
    };
    for minutes in [120, -120, 0] {
        let ahead = SignedDuration::from_mins(minutes);
        let began = Timestamp::now();
        for _ in 0..3 {
            let reply = Reply::refusal(500, "internal", "the host failed");
            server.next("tools/call", reply.header("date", &date(ahead)));
            write(&client).await.expect_err("it fails");
        }
        // The date is at most as old as the calls took, and has whole seconds.
        let precision = Timestamp::now().duration_since(began) + SignedDuration::from_secs(1);
        let difference = client.clock_ahead().expect("has answered") - ahead;
        assert!(difference.abs() <= precision, "{difference}");
    }
}

#[tokio::test]
async fn the_handshake_is_refused_as_a_call_is() {
    let retry_after = Duration::from_secs(3);
    let too_many = || Reply::status(429).header("retry-after", "3");
    for message in ["initialize", "notifications/initialized"] {
        let server = Server::start().await;
        server.next(message, too_many());
        let client = server.client();
        let error = write(&client).await.expect_err("is refused");
        assert_eq!(error, CallError::RateLimited { retry_after }, "{message}");
        assert_eq!(server.count("tools/call"), 0);
        write(&client).await.expect("the next call tries anew");
    }
}

#[tokio::test]
async fn an_address_without_a_host_is_told() {
    let server = Server::start().await;
    server.next("initialize", Reply::status(404));
    let error = write(&server.client()).await.expect_err("nobody there");
    assert_eq!(
        error,
        CallError::Host {
            status: 404,
            message: "Not Found".to_owned()
        }
    );
    assert_eq!(server.names(), ["initialize"]);
}

// ---- sessions that ended ----

#[tokio::test]
async fn a_session_that_expired_is_opened_again_once() {
    let server = Server::start().await;
    let client = server.client();
    write(&client).await.expect("works");
    server.next("tools/call", Reply::status(404));
    write(&client).await.expect("works again");
    assert_eq!(server.count("initialize"), 2);

    server.next("tools/call", Reply::status(404));
    server.next("tools/call", Reply::status(404));
    let error = write(&client).await.expect_err("twice is enough");
    assert_eq!(
        error,
        CallError::Host {
            status: 404,
            message: "Not Found".to_owned()
        }
    );
    assert_eq!(server.count("initialize"), 3);
}

#[tokio::test]
async fn calls_that_lose_their_session_together_open_one_new() {
    let server = Server::start().await;
    let client = server.client();
    read(&client).await.expect("works");
    server.forget_sessions();
    let calls = (0..6).map(|_| read(&client));
    for result in futures::future::join_all(calls).await {
        result.expect("works again");
    }
    assert_eq!(server.count("initialize"), 2);
}

// ---- networks that fail ----

#[tokio::test]
async fn an_address_at_which_nobody_listens_is_unreachable() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let nobody = format!("http://{}", free.local_addr().expect("an address"));
    drop(free);
    // The label exceeds the maximum length, so no name server is queried.
    let no_name = format!("http://{}.invalid", "desk".repeat(16));
    for (address, why) in [(nobody, "refused"), (no_name, "")] {
        let addresses = Addresses::new(&address).expect("an address");
        let client = Client::new(addresses, CredentialStore::memory()).expect("a client");
        let error = write(&client).await.expect_err("nobody there");
        let CallError::Unreachable { host, reason } = error else {
            panic!("{error}");
        };
        assert_eq!(host, format!("{address}/events"));
        assert!(reason.contains(why), "{reason}");
    }
}

#[tokio::test]
async fn a_host_that_went_down_is_unreachable_for_writes_too() {
    let server = Server::start().await;
    let client = server.client();
    write(&client).await.expect("works");
    server.stop().await;
    // The first read may use a connection that is closing; afterwards there is none.
    let _ = read(&client).await;
    let error = write(&client).await.expect_err("nobody there");
    assert!(matches!(error, CallError::Unreachable { .. }), "{error}");
}

#[tokio::test]
async fn a_lost_answer_leaves_a_write_unknown_and_a_read_unreachable() {
    for reply in [Reply::Disconnect, Reply::Break] {
        let server = Server::start().await;
        let client = server.client();
        server.next("tools/call", reply.clone());
        let error = write(&client).await.expect_err("no answer");
        assert!(
            matches!(error, CallError::OutcomeUnknown(_)),
            "{reply:?}: {error}"
        );
        server.next("tools/call", reply.clone());
        let error = read(&client).await.expect_err("no answer");
        assert!(
            matches!(error, CallError::Unreachable { .. }),
            "{reply:?}: {error}"
        );
        // Neither write was sent twice.
        assert_eq!(server.count("tools/call"), 2);
    }
}

#[tokio::test]
async fn a_handshake_without_an_answer_is_unreachable_for_writes_too() {
    let server = Server::start().await;
    server.next("initialize", Reply::Disconnect);
    let error = write(&server.client()).await.expect_err("no answer");
    assert!(matches!(error, CallError::Unreachable { .. }), "{error}");
}

/// A call that hangs until the time-out. The clock is paused until the host has the call.
async fn hanging(name: &str, call: impl AsyncFnOnce(Client) -> CallError) -> CallError {
    let server = Server::start().await;
    server.next(name, Reply::Hang);
    let client = server.client();
    // Exact with a paused clock. Without this limit, a later time-out could hide a missing one.
    let call = tokio::time::timeout(Duration::from_secs(12), call(client));
    let stop_the_clock = async {
        server.arrived(name).await;
        tokio::time::pause();
    };
    let (ended, ()) = futures::future::join(call, stop_the_clock).await;
    ended.expect("ends in time")
}

#[tokio::test]
async fn a_hanging_host_leaves_a_write_unknown() {
    let error = hanging("tools/call", async |client| {
        write(&client).await.expect_err("hangs")
    })
    .await;
    let CallError::OutcomeUnknown(doubt) = error else {
        panic!("{error}");
    };
    assert_eq!(doubt.reason, "no answer in time");
}

#[tokio::test]
async fn a_hanging_host_leaves_a_read_unreachable() {
    let error = hanging("tools/call", async |client| {
        read(&client).await.expect_err("hangs")
    })
    .await;
    assert!(matches!(error, CallError::Unreachable { .. }), "{error}");
}

#[tokio::test]
async fn health_does_not_wait_as_long() {
    let error = hanging("/events/health", async |client| {
        let health = client.health(Host::Events);
        let in_time = tokio::time::timeout(Duration::from_secs(5), health).await;
        in_time
            .expect("half the time of a call")
            .expect_err("hangs")
    })
    .await;
    assert!(matches!(error, CallError::Unreachable { .. }), "{error}");
}

#[tokio::test]
async fn a_call_that_reads_is_given_up_with_its_future_and_one_that_writes_is_not() {
    let server = Server::start().await;
    // So long that no time-out ends a call.
    let hour = Duration::from_secs(60 * 60);
    let timeouts = Timeouts {
        request: hour,
        ..Timeouts::default()
    };
    let client = Client::with_timeouts(server.addresses(), server.store(), timeouts);
    let client = client.expect("a client");
    read(&client).await.expect("opens the session");
    server.arrived("tools/call").await;

    server.next("tools/call", Reply::Hang);
    let call = tokio::spawn({
        let client = client.clone();
        async move { read(&client).await }
    });
    server.arrived("tools/call").await;
    call.abort();
    // The host notices the closed connection and stops hanging.
    let gone = tokio::time::timeout(Duration::from_secs(60), server.gone());
    gone.await.expect("is given up at once");

    server.next("tools/call", Reply::Hang);
    let call = tokio::spawn({
        let client = client.clone();
        async move { write(&client).await }
    });
    server.arrived("tools/call").await;
    call.abort();
    assert!(call.await.expect_err("was aborted").is_cancelled());
    // On a single thread: a closed connection would have been noticed before the next answer.
    read(&client).await.expect("other calls go on");
    assert_eq!(server.given_up(), 1);
}

// ---- answers that cannot be read ----

#[tokio::test]
async fn what_cannot_be_read_is_told() {
    let text = |kind, body: &str| Reply::text(200, kind, body);
    let json = |body: &str| text("application/json", body);
    let endless = " ".repeat(17 * 1024 * 1024);
    for (reply, why) in [
        (
            text("text/html", "<h1>Welcome to the hotel</h1>"),
            "it is text/html instead of JSON",
        ),
        (
            json("{\"jsonrpc\": "),
            "it is not JSON (EOF while parsing a value at line 1 column 11): {\"jsonrpc\":",
        ),
        (
            json("{\"hello\": \"world\"}"),
            "it is not an answer of JSON-RPC",
        ),
        (json(&endless), "it is larger than 16 MiB"),
        (Reply::status(202), "HTTP 202 without a body"),
        (answer(77, &json!({})), "it answers another request"),
    ] {
        let told = format!("the answer cannot be read: {why}");
        assert_eq!(refused(reply).await, CallError::unclear(told));
    }
}

// ---- other hosts than ours ----

#[tokio::test]
async fn a_host_may_answer_with_a_stream_of_events() {
    let server = Server::start().await;
    let client = server.client();
    let events = concat!(
        ": welcome\n\n",
        "data: {\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}\n\n",
        "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[],",
        "\"structuredContent\":{\"streamed\":true}}}\n\n",
    );
    server.next("tools/call", Reply::text(200, "text/event-stream", events));
    assert_eq!(write(&client).await, Ok(json!({ "streamed": true })));

    let events = ": and then nothing\n\n";
    server.next("tools/call", Reply::text(200, "text/event-stream", events));
    let error = write(&client).await.expect_err("no answer");
    assert!(matches!(error, CallError::OutcomeUnknown(_)), "{error}");
}

#[tokio::test]
async fn an_answer_of_events_that_broke_off_is_taken_up_again() {
    let server = Server::start().await;
    let client = server.client();
    let begun = "id: 7\nretry: 0\ndata: \n\n";
    server.next("tools/call", Reply::text(200, "text/event-stream", begun));
    let rest = concat!(
        "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[],",
        "\"structuredContent\":{\"resumed\":true}}}\n\n",
    );
    server.next("/events/mcp", Reply::text(200, "text/event-stream", rest));
    assert_eq!(write(&client).await, Ok(json!({ "resumed": true })));
    let resumed = server.requests().pop().expect("a request");
    assert_eq!(resumed.method, "GET");
    assert_eq!(resumed.headers["last-event-id"], "7");
    assert_eq!(resumed.session(), Some("session-1"));
    assert_eq!(resumed.token(), Some("access-1"));
}

#[tokio::test]
async fn events_that_never_end_leave_a_write_unknown() {
    let server = Server::start().await;
    let client = server.client();
    server.next("tools/call", Reply::Events(": one moment\n\n"));
    let stop_the_clock = async {
        server.arrived("tools/call").await;
        tokio::time::pause();
    };
    let (told, ()) = futures::future::join(write(&client), stop_the_clock).await;
    let error = told.expect_err("no answer");
    assert!(matches!(error, CallError::OutcomeUnknown(_)), "{error}");
}

#[tokio::test]
async fn a_host_may_know_only_the_revision_without_a_handshake() {
    let server = Server::start().await;
    let client = server.client();
    let error = json!({ "code": -32601, "message": "no such method" });
    let refusal = json!({ "jsonrpc": "2.0", "id": 0, "error": error });
    server.next("initialize", Reply::json(400, &refusal));
    let discovered = json!({ "resultType": "complete",
        "supportedVersions": ["2026-07-28"], "capabilities": { "tools": {} },
        "serverInfo": { "name": "new", "version": "2" }, "ttlMs": 0, "cacheScope": "private" });
    server.next("server/discover", answer(0, &discovered));
    let done = json!({ "resultType": "complete", "content": [], "structuredContent": { "a": 1 } });
    server.next("tools/call", answer(1, &done));
    assert_eq!(write(&client).await, Ok(json!({ "a": 1 })));
    assert_eq!(
        server.names(),
        ["initialize", "server/discover", "tools/call"]
    );
    let call = server.requests().pop().expect("a call");
    assert_eq!(call.headers["mcp-protocol-version"], "2026-07-28");
    assert_eq!(call.session(), None);
    assert_eq!(call.token(), Some("access-1"));

    // A host without either: its first answer is reported.
    let server = Server::start().await;
    server.next("initialize", Reply::json(400, &refusal));
    let error = ToolError::new(ErrorCode::Refused, "no such method");
    assert_eq!(write(&server.client()).await, Err(CallError::Tool(error)));
}

#[tokio::test]
async fn a_host_may_have_no_sessions_and_an_older_revision() {
    let server = Server::start().await;
    let opened = json!({ "protocolVersion": "2024-11-05",
        "capabilities": {}, "serverInfo": { "name": "old", "version": "0" } });
    server.next("initialize", answer(0, &opened));
    server.next("notifications/initialized", Reply::status(200));
    server.next("tools/call", answer(1, &in_text(&json!({ "a": 1 }))));
    let client = server.client();
    assert_eq!(write(&client).await, Ok(json!({ "a": 1 })));
    assert_eq!(server.requests()[2].session(), None);
    assert_eq!(
        server.requests()[2].headers["mcp-protocol-version"],
        "2024-11-05"
    );

    // This 404 is not about a session.
    server.next("tools/call", Reply::status(404));
    let error = write(&client).await.expect_err("is refused");
    assert!(
        matches!(error, CallError::Host { status: 404, .. }),
        "{error}"
    );
    assert_eq!(server.count("initialize"), 1);
}

#[tokio::test]
async fn tools_are_listed_to_the_last_page() {
    let server = Server::start().await;
    let page = |id: u32, tool: &str, next: Option<&str>| {
        let mut result = json!({ "tools": [{ "name": tool, "description": "d",
            "inputSchema": { "type": "object" },
            "annotations": { "title": "T", "readOnlyHint": tool == "a" } }] });
        if let Some(next) = next {
            result["nextCursor"] = json!(next);
        }
        answer(id, &result)
    };
    server.next("tools/list", page(1, "a", Some("more")));
    server.next("tools/list", page(2, "b", None));
    let tools = server.client().tools(Host::Events).await.expect("works");
    let names: Vec<_> = tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["a", "b"]);
    assert!(tools[0].read_only && !tools[0].destructive && tools[0].idempotent);
    assert!(!tools[1].read_only && tools[1].destructive && !tools[1].idempotent);
    assert_eq!(tools[0].title.as_deref(), Some("T"));
    assert_eq!(server.requests()[3].body["params"]["cursor"], "more");
}

#[tokio::test]
async fn a_list_without_an_end_is_told() {
    let server = Server::start().await;
    for id in 1..=200 {
        let result = json!({ "tools": [], "nextCursor": "again" });
        server.next("tools/list", answer(id, &result));
    }
    let error = server
        .client()
        .tools(Host::Events)
        .await
        .expect_err("goes in circles");
    assert_eq!(
        error,
        CallError::Protocol("the list of tools does not end".to_owned())
    );
}

// ---- health ----

#[tokio::test]
async fn health_needs_nobody_signed_in() {
    let server = Server::start().await;
    let client = Client::new(server.addresses(), CredentialStore::memory()).expect("a client");
    let health = client.health(Host::Events).await.expect("is well");
    assert!(health.is_ok());
    assert_eq!(health.details["host"], "events");
    assert_eq!(server.requests()[0].token(), None);

    server.next("/events/health", Reply::status(503));
    let error = client.health(Host::Events).await.expect_err("is not well");
    assert_eq!(
        error,
        CallError::Host {
            status: 503,
            message: "Service Unavailable".to_owned()
        }
    );
    server.next("/events/health", Reply::text(200, "text/html", "<p>hello"));
    let error = client.health(Host::Events).await.expect_err("is no host");
    assert_eq!(
        error,
        CallError::Protocol("the body is not JSON".to_owned())
    );
}
