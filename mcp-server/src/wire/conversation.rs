//! The answer to a call: JSON, or a stream of events if there is something to send before the result, a question or the
//! progress.

use std::convert::Infallible;

use axum::body::Bytes;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use frontdesk_protocol::mcp::{Revision, Version};
use frontdesk_protocol::rpc::Id;
use futures::future::BoxFuture;
use futures::stream::{self, StreamExt};
use serde::Deserialize;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::asked::Asked;
use super::envelope::Envelope;
use super::method;
use super::person::{Person, key};
use super::refusal::Refusal;
use super::reply::{envelope_text, error_text, written};
use super::running::Place;
use super::session::{ANSWERED_WITHIN, Session};
use crate::call::Progress;
use crate::database::cancelled;

/// The maximum number of messages that wait for a client that reads slowly; further reports of progress are dropped.
const MOST_WAITING: usize = 128;

/// What a client can hear before the result of its call.
#[derive(Default)]
struct Hears {
    /// Questions to its person, who has this revision.
    person: Option<Version>,
    /// Its progress, under this token.
    progress: Option<Id>,
}

impl Hears {
    /// What the client of this call says that it can hear.
    fn of(
        asked: &Asked<'_>,
        session: Option<&Session>,
        call: &Envelope<'_>,
    ) -> Result<Hears, Refusal> {
        #[derive(Deserialize)]
        struct Params {
            #[serde(rename = "_meta")]
            meta: Option<Meta>,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Meta {
            progress_token: Option<Id>,
        }
        let can_have = call
            .params
            .is_some_and(|it| it.get().contains("progressToken"));
        let progress = match can_have {
            true => call.params::<Params>()?.meta,
            false => None,
        };
        Ok(Hears {
            person: session
                .filter(|_| !asked.client.is_empty())
                .map(|one| one.version),
            progress: progress.and_then(|meta| meta.progress_token),
        })
    }

    fn is_nothing(&self) -> bool {
        self.person.is_none() && self.progress.is_none()
    }
}

/// Answers a call: at once, or with a stream that begins with what the client hears before the result, if it
/// accepts one. Without `session` it has none.
pub(super) async fn converse(
    asked: &Asked<'_>,
    session: Option<&Session>,
    body: &Bytes,
    call: &Envelope<'_>,
    hears_more: bool,
) -> Result<Response, Refusal> {
    let id = call.id.clone();
    let revision = session.map_or(Revision::Sessionless, |one| Revision::Session(one.version));
    let hears = match hears_more {
        true => Hears::of(asked, session, call)?,
        false => Hears::default(),
    };
    if hears.is_nothing() {
        let result = answer(asked, revision, call).await?;
        return Ok(written(id, &result));
    }
    let (say, mut messages) = mpsc::channel(MOST_WAITING);
    let mut limit = asked.service.inner.limit_of_call;
    let person = hears.person.map(|version| {
        limit += ANSWERED_WITHIN.unsigned_abs();
        Person::of(asked.headers, id.as_ref(), version, say.clone())
    });
    let progress = hears.progress.map(|token| Progress::new(token, say));
    // A client that goes away drops it, and with it the call.
    let mut answer = owned(asked, revision, body.clone(), person, progress);
    let first = tokio::select! {
        biased;
        Some(first) = messages.recv() => first,
        result = answer.as_mut() => return result.map(|result| written(id, &result)),
    };
    let last = Box::pin(async move {
        let answer: Result<String, Refusal> = match timeout(limit, answer).await {
            Ok(answer) => answer,
            Err(_) => Err(Refusal::too_slow()),
        };
        match answer {
            Ok(result) => envelope_text(id.as_ref(), &result),
            Err(refusal) => error_text(id, refusal.into_parts().1),
        }
    });
    let rest = stream::unfold(Some((last, messages)), |state| async {
        let (mut last, mut messages) = state?;
        tokio::select! {
            biased;
            Some(message) = messages.recv() => Some((vec![message], Some((last, messages)))),
            last = last.as_mut() => {
                let before = std::iter::from_fn(|| messages.try_recv().ok());
                Some((before.chain([last]).collect(), None))
            }
        }
    });
    let events = stream::iter([first]).chain(rest.flat_map(stream::iter));
    let events = events.map(|message| Ok::<_, Infallible>(Event::default().data(message)));
    Ok(Sse::new(events)
        .keep_alive(KeepAlive::default())
        .into_response())
}

/// The answer to a call, independent of the request.
fn owned(
    asked: &Asked<'_>,
    revision: Revision,
    body: Bytes,
    person: Option<Person>,
    progress: Option<Progress>,
) -> BoxFuture<'static, Result<String, Refusal>> {
    let (service, headers) = (asked.service.clone(), asked.headers.clone());
    let (addressed, caller) = (asked.addressed, asked.caller);
    let (hosts, request, client) = (asked.hosts.clone(), asked.request.clone(), asked.client);
    Box::pin(async move {
        let asked = Asked {
            service: &service,
            addressed,
            caller,
            headers: &headers,
            hosts,
            request,
            client,
            person: person.as_ref(),
            progress,
            stop: None,
            reads: None,
        };
        answer(&asked, revision, &Envelope::read(&body)?).await
    })
}

/// The result of a call, which can be cancelled if it has a session.
async fn answer(
    asked: &Asked<'_>,
    revision: Revision,
    call: &Envelope<'_>,
) -> Result<String, Refusal> {
    let Revision::Session(_) = revision else {
        let result = method::answer(asked, revision, call).await?;
        return Ok(result.unwrap_or_default());
    };
    let key = key(asked.headers, call.id.as_ref());
    let place: Place<'_> = asked.service.inner.running.enter(key);
    let asked = Asked {
        stop: Some(place.stop.clone()),
        ..asked.clone()
    };
    tokio::select! {
        result = method::answer(&asked, revision, call) => Ok(result?.unwrap_or_default()),
        () = place.cancelled(&asked) => Err(Refusal::cancelled(&cancelled())),
    }
}
