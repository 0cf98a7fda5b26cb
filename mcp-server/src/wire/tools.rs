//! `tools/list` and `tools/call`.

use frontdesk_protocol::changes::{META_ACTION, META_CHANGE, META_CHANGES};
use frontdesk_protocol::error::ErrorBody;
use frontdesk_protocol::mcp::{CallMeta, CallParams, ListParams, META_NEXT, Revision};
use frontdesk_protocol::wire::Wire;
use frontdesk_protocol::{ErrorCode, ToolError};
use serde_json::json;
use serde_json::value::RawValue;

use super::address::Addressed;
use super::agents::{self, Called, Own};
use super::asked::Asked;
use super::asking::{Asking, Questions, Tried, tried};
use super::envelope::Envelope;
use super::limit::Kind;
use super::links::Links;
use super::make::{is_own, make};
use super::question;
use super::refusal::{Refusal, invalid};
use super::reply::kind;
use super::sessionless;
use super::through::Through;
use crate::call::{Effect, LARGE, Route};
use crate::database::{FORBIDDEN, full};

/// The tools of the address for the caller's role.
pub(super) async fn list(
    asked: &Asked<'_>,
    revision: Revision,
    envelope: &Envelope<'_>,
) -> Result<String, Refusal> {
    let params: ListParams = envelope.params()?;
    let role = asked.role().await?;
    let listings = &asked.service.inner.listings;
    let page = listings.page(asked.addressed, &asked.hosts, role, revision, &params);
    page.map_err(Refusal::from)
}

/// Calls a tool.
pub(super) async fn call(
    asked: &Asked<'_>,
    revision: Revision,
    envelope: &Envelope<'_>,
) -> Result<String, Refusal> {
    let params: CallParams<'_> = envelope.params()?;
    let own = Own::of(&params.name).filter(|_| asked.addressed.is_for_agents);
    match own {
        Some(own) => call_own(asked, revision, own, params).await,
        None => call_host(asked, revision, params, true).await,
    }
}

/// Calls a tool of the address for agents.
async fn call_own(
    asked: &Asked<'_>,
    revision: Revision,
    own: Own,
    params: CallParams<'_>,
) -> Result<String, Refusal> {
    let arguments = params.arguments.map_or("{}", |arguments| arguments.get());
    let answered = match own {
        Own::Find => agents::find(&asked.hosts, asked.role().await?, arguments).await,
        Own::Describe => agents::describe(&asked.hosts, arguments).await,
        Own::Call => {
            let called: Called = match agents::read(arguments).await {
                Ok(called) => called,
                Err(error) => return Ok(failure(error, revision, "")),
            };
            let host = called.host.0;
            let limit = &asked.service.inner.limit;
            if host != asked.addressed.host {
                limit.check(asked.caller.user, host, Kind::Call).await?;
            }
            let asked = Asked {
                addressed: Addressed::of(host),
                ..asked.clone()
            };
            let arguments = RawValue::from_string(called.arguments.write().to_string());
            let arguments = arguments.unwrap_or_default();
            let params = CallParams {
                name: called.tool.as_str().into(),
                arguments: Some(&arguments),
                ..params
            };
            return call_host(&asked, revision, params, false).await;
        }
    };
    Ok(match answered {
        Ok(result) => success(&result, revision, true, "", ""),
        Err(error) => failure(error, revision, ""),
    })
}

/// Calls a tool of a host. `repeats`: the request has the headers that its arguments need.
async fn call_host(
    asked: &Asked<'_>,
    revision: Revision,
    params: CallParams<'_>,
    repeats: bool,
) -> Result<String, Refusal> {
    let (service, host) = (asked.service, asked.addressed.host);
    let route = asked.hosts.route(host, &params.name);
    let Some(route) = route.filter(|route| asked.addressed.serves(route.tool.name)) else {
        if host.checks_roles() {
            asked.role().await?;
        }
        return Err(invalid(asked.hosts.without(host, &params.name)));
    };
    let arguments = params.arguments.map_or("{}", |arguments| arguments.get());
    if repeats && revision == Revision::Sessionless {
        sessionless::check_arguments(asked.headers, route.tool.shape, arguments)?;
    }
    let mut options = params.meta;
    let through = Through::of(&route.tool);
    let inner = match through {
        Some(through) => match through.read(&asked.hosts, arguments, &mut options).await {
            Ok(inner) => Some(inner),
            Err(error) => return Ok(failure(error, revision, "")),
        },
        None => None,
    };
    let (called, arguments) = match &inner {
        Some(inner) => (inner.route, inner.arguments.as_str()),
        None => (route, arguments),
    };
    if called.tool.host != host {
        let limit = &service.inner.limit;
        let other = called.tool.host;
        limit.check(asked.caller.user, other, Kind::Call).await?;
    }
    if arguments.len() > LARGE {
        refuse_first(asked, called).await?;
    }
    let of = [called.tool.host.area(), called.tool.name, arguments];
    let state = params.request_state.as_deref();
    let mut asking = Asking::read(asked, revision, of, params.input_responses, state)?;
    let (outcome, mut effect) = loop {
        let options = options.clone();
        match attempt(asked, &asking, called, options, arguments).await? {
            Tried::Ended(outcome, effect) => break (outcome, effect),
            Tried::Asks(questions) => {
                // Boxed, as few calls ask.
                match Box::pin(ask(asked, &mut asking, called, questions)).await? {
                    Ok(None) => {}
                    Ok(Some(result)) => return Ok(result),
                    Err(error) => break (Err(error), Effect::default()),
                }
            }
        }
    };
    let outcome = match through {
        Some(through) => outcome
            .and_then(|result| through.result(&result, &mut effect))
            .map_err(within),
        None => outcome,
    };
    let is_record = through.is_some() || route.tool.structured;
    match outcome {
        Ok(result) => {
            let link = match through {
                Some(_) => String::new(),
                None => link(asked, revision, route, &result, &effect),
            };
            let meta = meta(effect);
            Ok(success(&result, revision, is_record, &meta, &link))
        }
        Err(error) => refused(asked, called, revision, error, effect).await,
    }
}

/// The error of a call in the arguments of another.
fn within(error: ToolError) -> ToolError {
    let field = error.field.as_ref();
    match field.map(|field| format!("arguments.{field}")) {
        Some(field) => error.on(field),
        None => error,
    }
}

/// Makes a call, unless something has to be asked.
async fn attempt(
    asked: &Asked<'_>,
    asking: &Asking<'_>,
    route: &'static Route,
    mut meta: CallMeta,
    arguments: &str,
) -> Result<Tried, Refusal> {
    if question::can_matter(route, &meta) {
        // Boxed, as few calls need the room that a trial takes.
        let instead = question::instead(asked, asking, route, &mut meta, arguments);
        if let Some(instead) = Box::pin(instead).await? {
            return Ok(instead);
        }
    }
    let inputs = Some(asking.inputs(asked));
    let (outcome, effect) = make(asked, route, meta, inputs, arguments).await?;
    let is_agreed = asking
        .agreed()
        .is_some_and(|(plan, agrees)| agrees && plan.removes);
    if is_agreed && outcome.is_ok() {
        asked.service.inner.required.agreed(asked.caller.user);
    }
    Ok(tried(outcome, effect))
}

/// Asks what a call needs. A caller without the right to it is refused first.
async fn ask(
    asked: &Asked<'_>,
    asking: &mut Asking<'_>,
    route: &Route,
    questions: Questions,
) -> Result<Result<Option<String>, ToolError>, Refusal> {
    // A call that was tried is permitted.
    if questions.plan.is_none() {
        let role = asked.asking().role_at(route.tool.host).await;
        let admitted = role.and_then(|role| route.admit(role));
        admitted.map_err(|error| Refusal::new(&error))?;
    }
    asking.ask(asked, questions).await
}

/// The answer to a call that failed: a result, or a refusal of the request.
async fn refused(
    asked: &Asked<'_>,
    route: &'static Route,
    revision: Revision,
    error: ToolError,
    effect: Effect,
) -> Result<String, Refusal> {
    let error = match error.code {
        ErrorCode::Internal | ErrorCode::Unavailable if asked.service.inner.database.is_full() => {
            full()
        }
        ErrorCode::Internal => {
            let hint = format!(
                "the cause stands in the server's log at request {}",
                asked.request
            );
            error.hint(hint)
        }
        _ => error,
    };
    match error.code {
        ErrorCode::Forbidden => {
            admit(asked, route).await?;
            Err(Refusal::new(&with_roles(asked, route, error).await))
        }
        ErrorCode::Unauthorized
        | ErrorCode::RateLimited
        | ErrorCode::Unavailable
        | ErrorCode::OutcomeUnknown
        | ErrorCode::Internal => Err(Refusal::new(&error)),
        ErrorCode::InvalidArgument
        | ErrorCode::NotFound
        | ErrorCode::Conflict
        | ErrorCode::Refused => {
            admit(asked, route).await?;
            Ok(failure(error, revision, &meta(effect)))
        }
    }
}

/// At a host that checks roles: says so of a refused call if the role was the first reason. The call itself has
/// checked it, but after its arguments.
async fn admit(asked: &Asked<'_>, route: &Route) -> Result<(), Refusal> {
    let host = route.tool.host;
    if !host.checks_roles() {
        return Ok(());
    }
    let role = asked.asking().role_at(host).await;
    match role.and_then(|role| route.admit(role)) {
        Err(error) if error.code == ErrorCode::Forbidden => Err(Refusal::new(&error)),
        _ => Ok(()),
    }
}

/// Refuses a caller who has no right to the call before its large arguments are read. Where the database alone checks roles,
/// a global admin may more than the tool's roles say. The policies decide about the records.
async fn refuse_first(asked: &Asked<'_>, route: &Route) -> Result<(), Refusal> {
    let host = route.tool.host;
    let mut call = asked.asking();
    let refusal = match call.role_at(host).await {
        Ok(None) if !host.checks_roles() => return Ok(()),
        role => match role.and_then(|role| route.admit(role)) {
            Ok(()) => return Ok(()),
            Err(refusal) => refusal,
        },
    };
    if !host.checks_roles() {
        let rows = call.query("select app.caller_is_admin()", &[]).await;
        if rows.is_ok_and(|rows| rows.first().is_some_and(|row| row.get(0))) {
            return Ok(());
        }
    }
    Err(Refusal::new(&refusal))
}

/// Adds the roles that can make the call to a refusal that has no hint.
async fn with_roles(asked: &Asked<'_>, route: &Route, error: ToolError) -> ToolError {
    if error.hint.is_some() || error.message != FORBIDDEN {
        return error;
    }
    match asked.asking().role_at(route.tool.host).await {
        Ok(Some(role)) => route.hint(role, error),
        _ => error,
    }
}

/// The content block with the link of a result, for a client that knows such blocks. Frontdesk's own programs show records
/// with their texts in any case.
fn link(
    asked: &Asked<'_>,
    revision: Revision,
    route: &Route,
    result: &str,
    effect: &Effect,
) -> String {
    if !revision.has_structured_content() || is_own(asked.headers) {
        return String::new();
    }
    let links = asked.service.inner.links.get_or_init(|| {
        let readings = asked.service.inner.hosts.offers.readings;
        Links::of(readings)
    });
    links.block(&asked.hosts, route, result, effect)
}

/// The result of a call. A record is returned as text and, if the revision supports it, as structured content; `link` is a
/// content block after the text. Content blocks are returned unchanged.
fn success(result: &str, revision: Revision, is_record: bool, meta: &str, link: &str) -> String {
    let kind = kind(revision);
    if !is_record {
        return format!(r#"{{{kind}{meta}"content":{result},"isError":false}}"#);
    }
    // Reserve memory for both copies of the record at once; one has escaped quotation marks.
    let mut written = Vec::with_capacity(result.len() * 5 / 2 + 128);
    written.extend_from_slice(b"{");
    written.extend_from_slice(kind.as_bytes());
    written.extend_from_slice(meta.as_bytes());
    written.extend_from_slice(br#""content":[{"type":"text","text":"#);
    let text = serde_json::to_writer(&mut written, result);
    debug_assert!(text.is_ok(), "a text can be written to memory");
    written.extend_from_slice(b"}");
    written.extend_from_slice(link.as_bytes());
    written.extend_from_slice(b"]");
    if revision.has_structured_content() {
        written.extend_from_slice(br#","structuredContent":"#);
        written.extend_from_slice(result.as_bytes());
    }
    written.extend_from_slice(br#","isError":false}"#);
    String::from_utf8(written).unwrap_or_default()
}

/// A tool's refusal. It is not structured content, because clients validate that against the tool's output type.
fn failure(error: ToolError, revision: Revision, meta: &str) -> String {
    let text = serde_json::to_string(&ErrorBody { error }).unwrap_or_default();
    let text = serde_json::to_string(&text).unwrap_or_default();
    let kind = kind(revision);
    format!(r#"{{{kind}{meta}"content":[{{"type":"text","text":{text}}}],"isError":true}}"#)
}

/// The `_meta` of a result with changes, or of one after which a reader asks for changes.
fn meta(effect: Effect) -> String {
    let meta = match (effect.changes, effect.change, effect.action) {
        (Some(changes), ..) => json!({ META_CHANGES: changes }),
        (None, Some(change), None) => json!({ META_CHANGE: change }),
        (None, Some(change), action) => json!({ META_CHANGE: change, META_ACTION: action }),
        (None, None, _) => match effect.next {
            Some(next) => json!({ META_NEXT: next }),
            None => return String::new(),
        },
    };
    format!(r#""_meta":{meta},"#)
}
