//! Delivery of journal entries.

use frontdesk_client::{Action, CallError, Client, CredentialStore, DeliveryOutcome, Entry};
use frontdesk_protocol::Host;
use serde_json::{Value, json};

use crate::support::{EVENT, GUEST, Reply, Server, USER, guest};

const AT: &str = "2026-01-05T18:00:00.25Z";

fn entry(client: &Client, action: Action) -> Entry {
    Entry::new(
        client.addresses().base(Host::Events),
        USER.parse().expect("an id"),
        EVENT.parse().expect("an id"),
        GUEST.parse().expect("an id"),
        "Zoë Müller",
        AT.parse().expect("a time"),
        action,
    )
}

/// The outcome of delivering the entry.
async fn deliver(client: &Client, entry: &Entry) -> Result<DeliveryOutcome, CallError> {
    let delivery = frontdesk_client::deliver(client, entry, false).await?;
    Ok(delivery.outcome)
}

fn checked_in(at: &str, already: bool) -> Value {
    json!({ "content": [], "structuredContent": {
        "guest": guest(at), "already_checked_in": already } })
}

async fn delivered(result: Value) -> Result<DeliveryOutcome, CallError> {
    let server = Server::start().await;
    server.result("check_in_guest", result);
    let client = server.client();
    deliver(&client, &entry(&client, Action::CheckIn)).await
}

async fn refused(reply: Reply) -> Result<DeliveryOutcome, CallError> {
    let server = Server::start().await;
    server.next("tools/call", reply);
    let client = server.client();
    deliver(&client, &entry(&client, Action::CheckIn)).await
}

#[tokio::test]
async fn a_check_in_is_delivered_with_the_time_at_which_it_happened() {
    let server = Server::start().await;
    server.result("check_in_guest", checked_in(AT, false));
    let client = server.client();
    let outcome = deliver(&client, &entry(&client, Action::CheckIn)).await;
    assert_eq!(outcome, Ok(DeliveryOutcome::Delivered));
    let call = &server.requests()[2].body["params"];
    assert_eq!(call["name"], "check_in_guest");
    assert_eq!(call["arguments"], json!({ "id": GUEST }));
    assert_eq!(call["_meta"]["frontdesk/occurredAt"], AT);
}

#[tokio::test]
async fn where_another_desk_was_earlier_its_time_is_told() {
    let earlier = "2026-01-05T17:59:00Z";
    let outcome = delivered(checked_in(earlier, true)).await;
    assert_eq!(
        outcome,
        Ok(DeliveryOutcome::Already {
            at: earlier.parse().expect("a time")
        })
    );
}

#[tokio::test]
async fn where_another_desk_was_later_it_is_told() {
    let server = Server::start().await;
    server.result("check_in_guest", checked_in(AT, true));
    let client = server.client();
    let made = entry(&client, Action::CheckIn);
    let delivery = frontdesk_client::deliver(&client, &made, false).await;
    let delivery = delivery.expect("an answer");
    assert_eq!(delivery.outcome, DeliveryOutcome::Delivered);
    assert!(delivery.is_second);
    // The host says whether it was this call: by its key.
    let meta = &server.requests()[2].body["params"]["_meta"];
    assert_eq!(meta["idempotencyKey"], format!("check-in-{}", made.id));
}

#[tokio::test]
async fn an_undo_takes_only_the_time_away() {
    let server = Server::start().await;
    let mut without = guest(AT);
    without["check_in_at"] = Value::Null;
    let result = json!({ "content": [], "structuredContent": { "guest": without } });
    server.result("update_event_guest", result);
    let client = server.client();
    let outcome = deliver(&client, &entry(&client, Action::Undo)).await;
    assert_eq!(outcome, Ok(DeliveryOutcome::Delivered));
    let call = &server.requests()[2].body["params"];
    assert_eq!(call["name"], "update_event_guest");
    assert_eq!(
        call["arguments"],
        json!({ "id": GUEST, "check_in_at": null })
    );
}

#[tokio::test]
async fn what_the_host_will_not_have_is_settled_and_told() {
    let error = json!({ "code": "not_found", "message": "there is no such guest" });
    let gone = json!({ "isError": true, "content": [], "structuredContent": { "error": error } });
    let refusal = |message: &str| {
        Ok(DeliveryOutcome::Refused {
            message: message.to_owned(),
        })
    };
    assert_eq!(delivered(gone).await, refusal("there is no such guest"));
    let outcome = refused(Reply::refusal(403, "forbidden", "not at this event")).await;
    assert_eq!(outcome, refusal("not at this event"));
}

#[tokio::test]
async fn what_the_network_does_leaves_it_waiting() {
    for reply in [
        Reply::status(503),
        Reply::status(429),
        Reply::Disconnect,
        Reply::text(200, "text/html", "<h1>Welcome to the hotel</h1>"),
    ] {
        let error = refused(reply.clone()).await.expect_err("stays waiting");
        assert!(error.is_transient(), "{reply:?}: {error}");
    }
    // The answer is not from the host.
    let page = Reply::text(403, "text/html", "<h1>Accept our terms</h1>");
    let error = refused(page).await.expect_err("stays waiting");
    assert!(
        matches!(error, CallError::Host { status: 403, .. }),
        "{error}"
    );
}

#[tokio::test]
async fn without_a_sign_in_it_stays_waiting() {
    let server = Server::start().await;
    let client = server.client();
    server.end_tokens();
    server.end_refresh_tokens();
    let error = deliver(&client, &entry(&client, Action::CheckIn)).await;
    assert_eq!(error, Err(CallError::SignedOut("Used before".to_owned())));

    let nobody = Client::new(server.addresses(), CredentialStore::memory()).expect("a client");
    let error = deliver(&nobody, &entry(&nobody, Action::CheckIn))
        .await
        .expect_err("waits");
    assert!(matches!(error, CallError::SignedOut(_)), "{error}");
}

#[tokio::test]
async fn another_account_and_another_host_do_not_get_it() {
    let server = Server::start().await;
    let client = server.client();
    let mut made = entry(&client, Action::CheckIn);
    made.account = EVENT.parse().expect("an id");
    let error = deliver(&client, &made).await.expect_err("stays waiting");
    assert!(matches!(error, CallError::SignedOut(_)), "{error}");

    let mut made = entry(&client, Action::CheckIn);
    made.host_url = "https://elsewhere.test/events".to_owned();
    let error = deliver(&client, &made).await.expect_err("stays waiting");
    let CallError::Unreachable { host, .. } = error else {
        panic!("{error}");
    };
    assert_eq!(host, "https://elsewhere.test/events");
    assert_eq!(server.names(), Vec::<String>::new());
}
