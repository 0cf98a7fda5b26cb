//! The life of a call: its steps, in their order, from the address to the answer. A step goes on, or ends the call ([`End`]).
//! Calls of `call_tool`, `preview_call`, `apply_call`, `run_batch` and `undo_change` take the same steps; the calls in a batch
//! take those of [`Call::include`], in its transaction.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use frontdesk_protocol::mcp::{CallMeta, CallParams, Revision};
use frontdesk_protocol::staff::organization::UpdateOrganization;
use frontdesk_protocol::wire::Wire;
use frontdesk_protocol::{ErrorCode, Tool, ToolError};
use serde_json::value::RawValue;

use super::address::Addressed;
use super::agents::{self, Called, Own};
use super::asked::{Asked, client};
use super::asking::{Asking, End, Tried};
use super::limit::Kind;
use super::question;
use super::refusal::{Refusal, invalid};
use super::result;
use super::sessionless;
use super::through::Through;
use crate::call::{
    self, Call, Capability, Effect, Given, Inputs, LARGE, Made, Progress, Route, notice,
};
use crate::database::{FORBIDDEN, full, params};
use crate::telemetry;

/// The header with the idempotency key of a call that has none in its `_meta`.
const KEY: &str = "idempotency-key";
/// A call that counts as several also counts as one for each of these times that it took.
const TIME_PER_CHARGE: Duration = Duration::from_millis(250);

/// What a client sends.
struct Sent<'a> {
    name: Cow<'a, str>,
    /// The arguments, JSON text.
    text: Cow<'a, str>,
    meta: CallMeta,
    /// Whether headers repeat arguments.
    has_headers: bool,
}

/// A call whose tool is known.
struct Life<'a> {
    asked: &'a Asked<'a>,
    revision: Revision,
    /// The tool that is named, and what it does with a call in its arguments.
    named: &'static Route,
    through: Option<Through>,
    /// The tool that is called.
    route: &'static Route,
    given: Given<'a>,
    meta: CallMeta,
}

/// Answers `tools/call`.
pub(super) async fn live(
    from: &Asked<'_>,
    revision: Revision,
    params: CallParams<'_>,
) -> Result<String, End> {
    let (responses, state) = (params.input_responses, params.request_state);
    let mut meta = params.meta;
    if meta.idempotency_key.is_none() {
        let key = from.headers.get(KEY).and_then(|key| key.to_str().ok());
        meta.idempotency_key = key.map(str::to_owned);
    }
    let sent = Sent {
        name: params.name,
        text: params.arguments.map_or("{}", RawValue::get).into(),
        meta,
        has_headers: revision == Revision::Sessionless,
    };
    let (other, sent) = address(from, revision, sent).await?;
    let asked = other.as_ref().unwrap_or(from);
    let call = tool(asked, revision, sent).await?;
    call.count(from).await?;
    let made = call.make(responses, state.as_deref()).await?;
    Ok(call.answer(made).await?)
}

/// The host that the call is for, if it is not the one of the address. At the address for agents, `call_tool` names it with the
/// tool, and the other tools of that address end here.
async fn address<'a, 'b>(
    from: &Asked<'a>,
    revision: Revision,
    sent: Sent<'b>,
) -> Result<(Option<Asked<'a>>, Sent<'b>), End> {
    let own = Own::of(&sent.name).filter(|_| from.addressed.is_for_agents);
    let found = match own {
        None => return Ok((None, sent)),
        Some(Own::Find) => agents::find(&from.hosts, from.role().await?, &sent.text).await?,
        Some(Own::Describe) => agents::describe(&from.hosts, &sent.text).await?,
        Some(Own::Call) => {
            let called: Called = agents::read(&sent.text).await?;
            let asked = Asked {
                addressed: Addressed::of(called.host.0),
                ..from.clone()
            };
            let sent = Sent {
                name: called.tool.as_str().to_owned().into(),
                text: called.arguments.write().to_string().into(),
                has_headers: false,
                ..sent
            };
            return Ok((Some(asked), sent));
        }
    };
    let result = result::success(&found, revision, true, "", "");
    Err(End::Result(result))
}

/// The tool that the call names, and with a call in its arguments the tool of that. The right is asked with the first statement
/// of the call; here only if the tool is unknown, or the arguments are so large that reading them is work.
async fn tool<'a>(
    asked: &'a Asked<'a>,
    revision: Revision,
    mut sent: Sent<'a>,
) -> Result<Life<'a>, End> {
    let host = asked.addressed.host;
    let named = asked.hosts.route(host, &sent.name);
    let Some(named) = named.filter(|named| asked.addressed.serves(named.tool.name)) else {
        if host.checks_roles() {
            asked.role().await?;
        }
        return Err(invalid(asked.hosts.without(host, &sent.name)).into());
    };
    if sent.has_headers {
        sessionless::check_arguments(asked.headers, named.tool.shape, &sent.text)?;
    }
    let through = Through::of(&named.tool);
    let (route, text) = match through {
        Some(through) => {
            let inner = through.read(&asked.hosts, &sent.text, &mut sent.meta);
            let inner = inner.await?;
            (inner.route, inner.arguments.into())
        }
        None => (named, sent.text),
    };
    if text.len() > LARGE {
        right(asked, route).await?;
    }
    Ok(Life {
        asked,
        revision,
        named,
        through,
        route,
        given: Given::read(&route.tool, text).await,
        meta: sent.meta,
    })
}

impl Life<'_> {
    /// Counts the call at its host, if the request was counted at another.
    async fn count(&self, from: &Asked<'_>) -> Result<(), Refusal> {
        let host = self.route.tool.host;
        if host != from.addressed.host {
            let limit = &from.service.inner.limit;
            limit.check(from.caller.user, host, Kind::Call).await?;
        }
        Ok(())
    }

    /// Asks a person if something is at stake, and makes the call; again from here after each answer to a question.
    async fn make(&self, responses: Option<&RawValue>, state: Option<&str>) -> Result<Made, End> {
        let tool = &self.route.tool;
        let of = [tool.host.area(), tool.name, &self.given.text];
        let mut asking = Asking::read(self.asked, self.revision, of, responses, state)?;
        loop {
            let mut meta = self.meta.clone();
            let mut tried = None;
            if question::can_matter(self.route, &meta) {
                // Boxed, as few calls need the room that a trial takes.
                tried = Box::pin(self.at_stake(&asking, &mut meta)).await?;
            }
            let tried = match tried {
                Some(tried) => tried,
                None => {
                    let inputs = Some(asking.inputs(self.asked));
                    let progress = self.asked.progress.clone();
                    let made = attempt(self.asked, self.route, meta, inputs, progress, &self.given);
                    Tried::of(made.await?)
                }
            };
            match tried {
                Tried::Asks(questions) => {
                    // A call that was tried is permitted.
                    if questions.plan.is_none() {
                        right(self.asked, self.route).await?;
                    }
                    // Boxed, as few calls ask.
                    Box::pin(asking.ask(self.asked, questions)).await?;
                }
                Tried::Ended(made) => {
                    let agreed = asking.agreed();
                    if made.0.is_ok() && agreed.is_some_and(|(plan, agrees)| agrees && plan.removes)
                    {
                        let user = self.asked.caller.user;
                        self.asked.service.inner.required.agreed(user);
                    }
                    return Ok(made);
                }
            }
        }
    }

    /// What comes before the call: if it was not made before, it is tried, and a person is asked if something is at stake. A
    /// yes binds the call to what the question said. Frontdesk's own programs have asked.
    async fn at_stake(
        &self,
        asking: &Asking<'_>,
        meta: &mut CallMeta,
    ) -> Result<Option<Tried>, End> {
        let (asked, route) = (self.asked, self.route);
        if let Some((plan, agrees)) = asking.agreed() {
            meta.expected_plan.get_or_insert(plan.digest);
            return match agrees {
                true => Ok(None),
                false => {
                    let message = "the person who was asked did not agree; nothing was changed";
                    Err(ToolError::new(ErrorCode::Refused, message).into())
                }
            };
        }
        let can_ask = asked.client.has(Capability::Elicitation);
        if !can_ask && (asked.caller.is_person || !question::requires(asked).await?) {
            return Ok(None);
        }
        if meta.idempotency_key.is_none() {
            let made_before = asked.asking().refuse_again(&route.tool, &self.given);
            made_before.await?;
        }
        let trial = CallMeta {
            preview: true,
            ..meta.clone()
        };
        let inputs = Some(asking.inputs(asked));
        let (outcome, mut effect) = attempt(asked, route, trial, inputs, None, &self.given).await?;
        if outcome.is_err() {
            effect.changes = None;
            return Ok(Some(Tried::of((outcome, effect))));
        }
        let questions = question::about(asked, route, can_ask, effect).await?;
        Ok(questions.map(Tried::Asks))
    }

    /// The answer: the result of the tool that was named, or the refusal of the one that was called.
    async fn answer(&self, (outcome, mut effect): Made) -> Result<String, Refusal> {
        let outcome = match self.through {
            Some(through) => outcome
                .and_then(|result| through.result(&result, &mut effect))
                .map_err(within),
            None => outcome,
        };
        let is_record = self.through.is_some() || self.named.tool.structured;
        match outcome {
            Ok(found) => {
                let link = match self.through {
                    Some(_) => None,
                    None => result::link(self.asked, self.revision, self.named, &found, &effect),
                };
                let meta = result::meta(effect, link.as_ref());
                let block = link.filter(|_| self.meta.links);
                let block = block.map_or(String::new(), |link| format!(",{link}"));
                Ok(result::success(
                    &found,
                    self.revision,
                    is_record,
                    &meta,
                    &block,
                ))
            }
            Err(error) => self.refused(error, effect).await,
        }
    }

    /// The answer to a call that failed: a result, or a refusal of the request.
    async fn refused(&self, error: ToolError, effect: Effect) -> Result<String, Refusal> {
        let asked = self.asked;
        if error.code.is_of_tool() {
            return Ok(result::failure(
                error,
                self.revision,
                &result::meta(effect, None),
            ));
        }
        Err(Refusal::new(&match error.code {
            ErrorCode::Forbidden => forbidden(asked, self.route, error).await,
            ErrorCode::Internal | ErrorCode::Unavailable
                if asked.service.inner.database.is_full() =>
            {
                full()
            }
            ErrorCode::Internal => error.hint(format!(
                "the cause stands in the server's log at request {}",
                asked.request
            )),
            _ => error,
        }))
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

/// Refuses a caller who has no right to the call before its large arguments are read. Where the database alone checks roles,
/// a global admin may more than the tool's roles say. The policies decide about the records.
async fn right(asked: &Asked<'_>, route: &Route) -> Result<(), Refusal> {
    let sql = "select app.admit($1) where $2 or app.caller_role() is not null and not app.caller_is_admin()";
    let checks_roles = route.tool.host.checks_roles();
    let mut call = asked.asking();
    match call.query(sql, params![route.roles(), checks_roles]).await {
        Ok(_) => Ok(()),
        Err(error) if error.code == ErrorCode::Forbidden => {
            Err(Refusal::new(&forbidden(asked, route, error).await))
        }
        Err(error) => Err(Refusal::new(&error)),
    }
}

/// The refusal of a caller without the right, with the roles that have it.
async fn forbidden(asked: &Asked<'_>, route: &Route, error: ToolError) -> ToolError {
    let host = route.tool.host;
    match asked.asking().role_at(host).await {
        Err(other) if other.code == ErrorCode::Forbidden => other,
        Ok(Some(role)) if error.hint.is_none() && error.message == FORBIDDEN => {
            route.hint(role, error)
        }
        _ => error,
    }
}

/// One attempt at a call, counted against the limits and recorded: it is made or, as a preview, tried. With `inputs` its
/// handler can ask the client.
///
/// # Errors
/// The refusal of a call that counts as more than its caller may make.
pub(super) async fn attempt(
    asked: &Asked<'_>,
    route: &'static Route,
    meta: CallMeta,
    inputs: Option<Inputs>,
    progress: Option<Progress>,
    given: &Given<'_>,
) -> Result<Made, Refusal> {
    let (service, caller) = (&asked.service.inner, asked.caller);
    let charge = route.charge(given);
    let charge = charge.map(|(host, calls)| ((caller.user, host, Kind::Call), calls));
    if let Some((counted, calls)) = charge {
        service.limit.check_several(counted, calls).await?;
    }
    let server = call::Server {
        hosts: asked.hosts.clone(),
        accounts_at: service.identity.accounts_at(asked.headers),
        client: client(asked.headers),
        trial: service.limit_of_trial,
        progress,
        stop: asked.stop.clone(),
        reads: asked.reads.clone(),
        inputs,
    };
    let (started, counted_from) = (Instant::now(), service.limit.elapsed());
    // The transaction: the right, an earlier call with the key, the write; then its entry in the history.
    let (mut outcome, effect) =
        match Call::begin(route, &service.database, caller, meta, server, given) {
            Ok(mut call) => {
                let outcome = call.make(route, given).await;
                call.end(route, given, outcome).await
            }
            Err(error) => (Err(error), Effect::default()),
        };
    notice(|| asked.asking(), &route.tool, given, &mut outcome, &effect).await;
    if effect.has_webhooks && outcome.is_ok() {
        service.database.ring_outbox();
    }
    if route.tool.name == UpdateOrganization::NAME {
        service.required.forget();
    }
    if let Some((counted, _)) = charge {
        let counted_time = service.limit.elapsed().saturating_sub(counted_from);
        let calls = counted_time.as_millis() / TIME_PER_CHARGE.as_millis();
        let calls = u32::try_from(calls).unwrap_or(u32::MAX);
        service.limit.charge(counted, calls);
    }
    let (tool, took) = (&route.tool, started.elapsed());
    telemetry::record_call(tool.host, tool.name, caller.user, &outcome, took);
    Ok((outcome, effect))
}
