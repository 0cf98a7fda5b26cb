//! Notifications: `resources/subscribe` and the stream of a session, and `subscriptions/listen` without a session. Who hears
//! what is in `listeners`.

use std::convert::Infallible;
use std::time::Duration;

use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use frontdesk_protocol::mcp::Revision;
use frontdesk_protocol::{ErrorCode, ToolError};
use futures::stream::{self, Stream, StreamExt};
use serde::Deserialize;
use serde_json::json;
use sha2::{Digest, Sha256};
use tokio::sync::mpsc;

use super::asked::Asked;
use super::envelope::Envelope;
use super::listeners::{Listener, Listening, SUBSCRIPTION, Watch, Watched, Way, hex, see};
use super::refusal::{Refusal, invalid};
use super::reply::envelope_text;
use super::resources::{Address, not_found};
use crate::database::{Access, TransactionError, params, refusal};

/// The method that is answered with a stream.
pub(super) const LISTEN: &str = "subscriptions/listen";
/// The method under which subscriptions of sessions are stored.
const SUBSCRIBE: &str = "resources/subscribe";
/// The most resources of a session, or of a stream without one.
const MOST: usize = 100;
/// The most resources of all sessions of an account.
const MOST_OF_AN_ACCOUNT: usize = 1000;
/// The longest pause between two readings that a client can ask for, in seconds.
const LONGEST_PAUSE: u64 = 60;

#[derive(Deserialize)]
struct Params {
    uri: Address,
}

#[derive(Deserialize)]
struct ListenParams {
    notifications: Filter,
    #[serde(rename = "_meta", default)]
    meta: ListenMeta,
}

#[derive(Deserialize, Default)]
struct ListenMeta {
    #[serde(rename = "frontdesk/pause", default)]
    pause: u64,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
struct Filter {
    #[serde(default)]
    resource_subscriptions: Option<Vec<Address>>,
}

/// Whether changes are told: they are if the history is kept.
pub(super) fn is_offered(asked: &Asked<'_>) -> bool {
    asked.service.inner.database.records_changes()
}

/// The key of a subscription.
fn key(asked: &Asked<'_>, uri: &str) -> String {
    format!("{}/{}", hex(&asked.session()), hex(&Sha256::digest(uri)))
}

/// Subscribes a session to a resource that the caller can read.
pub(super) async fn subscribe(
    asked: &Asked<'_>,
    revision: Revision,
    envelope: &Envelope<'_>,
) -> Result<String, Refusal> {
    if !is_offered(asked) {
        return Err(invalid(
            "this server keeps no history, so changes cannot be subscribed to",
        ));
    }
    let Params { uri: Address(uri) } = envelope.params()?;
    let offered = asked.readings(asked.role().await?);
    let seen = see(asked, &offered, &uri, "").await?;
    let seen = seen.ok_or_else(|| not_found(revision, &uri))?;
    let stored = store(asked, &uri, &seen.mark).await;
    match stored.map_err(|error| Refusal::new(&refusal(&error)))? {
        true => Ok("{}".to_owned()),
        false => Err(invalid(format!(
            "a session subscribes to at most {MOST} resources, and all sessions of an account to {MOST_OF_AN_ACCOUNT}; \
             unsubscribe from some first"
        ))),
    }
}

/// Stores a subscription with what was seen of its resource. Whether there was room for it.
async fn store(asked: &Asked<'_>, uri: &str, seen: &str) -> Result<bool, TransactionError> {
    let mut transaction = asked.transaction(Access::Write);
    let sql = "insert into app.idempotency_keys as k (key, tool, arguments, result) \
         select $1, $2, convert_to($3, 'UTF8'), $4 \
         where app.has_room_to_subscribe($1, $5, $6) \
         on conflict (user_id, key) do update set result = excluded.result returning key";
    let (most, most_of_all) = (MOST as i32, MOST_OF_AN_ACCOUNT as i32);
    let params = params![key(asked, uri), SUBSCRIBE, uri, seen, most, most_of_all];
    let rows = transaction.query(sql, params).await?;
    transaction.commit().await?;
    Ok(!rows.is_empty())
}

/// Ends a subscription of a session.
pub(super) async fn unsubscribe(
    asked: &Asked<'_>,
    envelope: &Envelope<'_>,
) -> Result<String, Refusal> {
    let Params { uri: Address(uri) } = envelope.params()?;
    let ended = async {
        let mut transaction = asked.transaction(Access::Write);
        let sql = "delete from app.idempotency_keys where key = $1 and tool = $2";
        transaction
            .query(sql, params![key(asked, &uri), SUBSCRIBE])
            .await?;
        transaction.commit().await
    };
    let ended: Result<(), TransactionError> = ended.await;
    ended.map_err(|error| Refusal::new(&refusal(&error)))?;
    Ok("{}".to_owned())
}

/// The stream of a session: notifications of the resources to which the session subscribes, now or later.
pub(super) fn of_session(asked: &Asked<'_>) -> Result<Response, Refusal> {
    let way = Way::Session(hex(&asked.session()));
    let (listening, messages) = open(asked, way, Watched::new(), Duration::ZERO)?;
    Ok(answer(told(asked, listening, messages)))
}

/// `subscriptions/listen`: a stream that tells of the resources in the request.
pub(super) async fn listen(
    asked: &Asked<'_>,
    envelope: &Envelope<'_>,
) -> Result<Response, Refusal> {
    let ListenParams {
        notifications,
        meta,
    } = envelope.params()?;
    let Some(id) = envelope.id.clone() else {
        return Ok(StatusCode::ACCEPTED.into_response());
    };
    let is_asked = notifications.resource_subscriptions.is_some();
    let asked_for = notifications.resource_subscriptions.unwrap_or_default();
    if asked_for.len() > MOST {
        return Err(invalid(format!(
            "a stream is about at most {MOST} resources"
        )));
    }
    if meta.pause > LONGEST_PAUSE {
        return Err(invalid(format!(
            "_meta.frontdesk/pause is at most {LONGEST_PAUSE} seconds"
        )));
    }
    let pause = Duration::from_secs(meta.pause);
    let offered = asked.readings(asked.role().await?);
    let (mut watched, mut honoured) = (Watched::new(), Vec::new());
    for Address(uri) in asked_for {
        if let Some(seen) = see(asked, &offered, &uri, "").await? {
            watched.insert(uri.clone(), Watch::of(seen.mark));
            honoured.push(uri);
        }
    }
    let (listening, messages) = open(asked, Way::Request(id.clone()), watched, pause)?;
    let about = json!({ SUBSCRIPTION: id });
    let notifications = match is_asked {
        true => json!({ "resourceSubscriptions": honoured }),
        false => json!({}),
    };
    let acknowledged = json!({
        "jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged",
        "params": { "notifications": notifications, "_meta": about },
    });
    let end = json!({ "resultType": "complete", "_meta": about }).to_string();
    let end = envelope_text(Some(&id), &end);
    let first = stream::iter([acknowledged.to_string()]);
    let last = stream::iter([end]);
    Ok(answer(
        first.chain(told(asked, listening, messages)).chain(last),
    ))
}

/// Opens a stream, if the caller has not too many.
fn open(
    asked: &Asked<'_>,
    way: Way,
    watched: Watched,
    pause: Duration,
) -> Result<(Listening, mpsc::Receiver<String>), Refusal> {
    let (listener, messages) = Listener::new(asked, way, watched, pause);
    let listening = asked.service.inner.listeners.add(asked.service, listener);
    let listening = listening.ok_or_else(|| {
        let message = "too many streams of this account are open here";
        let error = ToolError::new(ErrorCode::Unavailable, message);
        Refusal::new(&error.hint("close one of them first"))
    })?;
    Ok((listening, messages))
}

/// The messages for a listener, which is registered as long as they are read. They end with the server.
fn told(
    asked: &Asked<'_>,
    listening: Listening,
    messages: mpsc::Receiver<String>,
) -> impl Stream<Item = String> + Send + 'static {
    let messages = stream::unfold((listening, messages), |(listening, mut messages)| async {
        let message = messages.recv().await?;
        Some((message, (listening, messages)))
    });
    let stop = asked.service.inner.stop.clone();
    messages.take_until(Box::pin(async move {
        match stop {
            Some(mut stop) => drop(stop.wait_for(|stop| *stop).await),
            None => std::future::pending().await,
        }
    }))
}

fn answer(messages: impl Stream<Item = String> + Send + 'static) -> Response {
    let events = messages.map(|message| Ok::<_, Infallible>(Event::default().data(message)));
    Sse::new(events)
        .keep_alive(KeepAlive::default())
        .into_response()
}
