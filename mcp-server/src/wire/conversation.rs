//! The answer to a call about which a person may be asked meanwhile: it becomes a stream of events with the question.

use std::convert::Infallible;

use axum::body::Bytes;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use frontdesk_protocol::mcp::{Revision, Version};
use frontdesk_protocol::rpc::Id;
use futures::stream::{self, StreamExt};
use tokio::time::timeout;

use super::asked::Asked;
use super::envelope::Envelope;
use super::method;
use super::person::Person;
use super::refusal::Refusal;
use super::reply::{envelope_text, error_text, written};
use super::session::ANSWERED_WITHIN;

/// Answers a call of a client whose person can be asked: at once, or with a stream that begins with the question.
pub(super) async fn converse(
    asked: &Asked<'_>,
    version: Version,
    body: &Bytes,
    id: Option<Id>,
) -> Result<Response, Refusal> {
    let (person, mut question) = Person::of(asked.headers, id.as_ref(), version);
    let (service, headers, body) = (asked.service.clone(), asked.headers.clone(), body.clone());
    let (addressed, caller) = (asked.addressed, asked.caller);
    let (hosts, request) = (asked.hosts.clone(), asked.request.clone());
    let limit = ANSWERED_WITHIN.unsigned_abs() + service.inner.limit_of_call;
    // A client that goes away drops it, and with it the call.
    let mut answer = Box::pin(async move {
        let asked = Asked {
            service: &service,
            addressed,
            caller,
            headers: &headers,
            hosts,
            request,
            person: Some(&person),
        };
        let envelope = Envelope::read(&body)?;
        let result = method::answer(&asked, Revision::Session(version), &envelope).await?;
        Ok(result.unwrap_or_default())
    });
    let question = tokio::select! {
        result = answer.as_mut() => return result.map(|result| written(id, &result)),
        Ok(question) = &mut question => question,
    };
    let answer = async move {
        let answer: Result<String, Refusal> = match timeout(limit, answer).await {
            Ok(answer) => answer,
            Err(_) => Err(Refusal::too_slow()),
        };
        match answer {
            Ok(result) => envelope_text(id.as_ref(), &result),
            Err(refusal) => error_text(id, refusal.into_parts().1),
        }
    };
    let events = stream::iter([question]).chain(stream::once(answer));
    let events = events.map(|message| Ok::<_, Infallible>(Event::default().data(message)));
    Ok(Sse::new(events)
        .keep_alive(KeepAlive::default())
        .into_response())
}
