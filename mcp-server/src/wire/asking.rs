//! What a request asks of its client before it is answered, and the answers. Without a handshake the result has the questions
//! (2026-07-28, `input_required`), and the client sends the request again with its answers; in a session they go to the
//! client on the stream of the request, which waits (`waiting`). Either way the request is then answered from its start.

use axum::http::StatusCode;
use frontdesk_protocol::mcp::Revision;
use frontdesk_protocol::rpc::{self, code};
use frontdesk_protocol::{ErrorCode, ToolError};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::asked::Asked;
use super::form;
use super::refusal::{Refusal, invalid};
use super::result::failure;
use super::waiting;
use crate::call::{Asks, Capability, Inputs, Made, Request};

/// How often a request asks.
const MOST_ROUNDS: u8 = 8;
/// The maximum size of the answers that a client returns with its state, in bytes.
const STATE_BYTES: usize = 64 * 1024;

/// Questions of one round.
pub(super) struct Questions {
    /// What was asked, and answered before.
    pub(super) asks: Asks,
    /// The changes to which a person is asked to agree, if that is the question.
    pub(super) plan: Option<Plan>,
}

/// The changes to which a person agrees.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Plan {
    pub(super) digest: String,
    /// Whether rows are removed.
    pub(super) removes: bool,
}

/// How a call ends before its answer.
pub(super) enum End {
    /// With this result: the questions to a client without a session.
    Result(String),
    /// With an error of the tool.
    Error(ToolError),
    /// With a refusal of the request.
    Refusal(Refusal),
}

impl End {
    /// The answer to a call that ends so.
    pub(super) fn answer(self, revision: Revision) -> Result<String, Refusal> {
        match self {
            End::Result(result) => Ok(result),
            End::Error(error) => Ok(failure(error, revision, "")),
            End::Refusal(refusal) => Err(refusal),
        }
    }
}
impl From<ToolError> for End {
    fn from(error: ToolError) -> Self {
        match error.code.is_of_tool() {
            true => End::Error(error),
            false => End::Refusal(Refusal::new(&error)),
        }
    }
}

impl From<Refusal> for End {
    fn from(refusal: Refusal) -> Self {
        End::Refusal(refusal)
    }
}

/// What has come of an attempt: the call has ended, or its handler asks something.
pub(super) enum Tried {
    Ended(Made),
    Asks(Questions),
}

impl Tried {
    pub(super) fn of((outcome, mut effect): Made) -> Tried {
        let is_refused = matches!(&outcome, Err(error) if error.code == ErrorCode::Refused);
        match effect.asks.take() {
            Some(asks) if is_refused && !(asks.missing.is_empty() && asks.wrong.is_none()) => {
                Tried::Asks(Questions {
                    asks: *asks,
                    plan: None,
                })
            }
            _ => Tried::Ended((outcome, effect)),
        }
    }
}

/// The state of a request that is sent again, sealed.
#[derive(Default, Serialize, Deserialize)]
struct State {
    answers: Map<String, Value>,
    plan: Option<Plan>,
    round: u8,
}

/// The questions of a request so far.
pub(super) struct Asking<'a> {
    /// What the request is, in texts: its state is for no other.
    of: [&'a str; 3],
    is_sessionless: bool,
    answers: Map<String, Value>,
    /// What a person was asked to agree to, and whether they did.
    agreed: Option<(Plan, bool)>,
    round: u8,
}

impl<'a> Asking<'a> {
    /// Of a request in this revision, with what a session-less client sends of earlier rounds.
    ///
    /// # Errors
    /// -32602 for a state that is not of this caller and request, and for answers that are not an object.
    pub(super) fn read(
        asked: &Asked<'_>,
        revision: Revision,
        of: [&'a str; 3],
        responses: Option<&RawValue>,
        state: Option<&str>,
    ) -> Result<Asking<'a>, Refusal> {
        let mut asking = Asking {
            of,
            is_sessionless: revision == Revision::Sessionless,
            answers: Map::new(),
            agreed: None,
            round: 0,
        };
        if !asking.is_sessionless {
            return Ok(asking);
        }
        let responses = responses.map_or("{}", RawValue::get);
        let responses: Map<String, Value> = serde_json::from_str(responses)
            .map_err(|_| invalid("inputResponses must be an object with the answers by key"))?;
        let state = match state {
            Some(state) => asking.unsealed(asked, state)?,
            None => State::default(),
        };
        asking.round = state.round;
        asking.answers = state.answers;
        match state.plan {
            Some(plan) => asking.agreed = Some((plan, form::agrees(responses.get(form::KEY)))),
            None => asking.take(responses),
        }
        Ok(asking)
    }

    /// Adds answers. Earlier ones stay.
    fn take(&mut self, answers: impl IntoIterator<Item = (String, Value)>) {
        for (key, answer) in answers {
            self.answers.entry(key).or_insert(answer);
        }
    }

    fn unsealed(&self, asked: &Asked<'_>, state: &str) -> Result<State, Refusal> {
        let sessions = &asked.service.inner.sessions;
        let state = sessions.unseal(asked.caller.user, &self.digest(), state);
        let state = state.and_then(|state| serde_json::from_str(&state).ok());
        state.ok_or_else(|| {
            invalid(
                "requestState is of another request, or older than ten minutes; send the request without it",
            )
        })
    }

    fn digest(&self) -> Vec<u8> {
        Sha256::digest(self.of.join(".")).to_vec()
    }

    /// What a handler can ask, and the answers so far.
    pub(super) fn inputs(&self, asked: &Asked<'_>) -> Inputs {
        Inputs {
            client: asked.client,
            answers: self.answers.clone(),
        }
    }

    /// What a person was asked to agree to, and whether they did.
    pub(super) fn agreed(&self) -> Option<(Plan, bool)> {
        self.agreed.clone()
    }

    /// Asks one thing that the request cannot do without, and returns the answer.
    ///
    /// # Errors
    /// -32602 for a wrong answer; otherwise as [`Asking::ask`].
    pub(super) async fn one(
        &mut self,
        asked: &Asked<'_>,
        key: &str,
        request: Request,
    ) -> Result<Value, End> {
        loop {
            let mut asks = Asks {
                answered: self.answers.clone(),
                ..Asks::default()
            };
            if let Ok(answer) = asks.ask(&self.inputs(asked), key, request.clone()) {
                return Ok(answer);
            }
            let answered = self.ask(asked, Questions { asks, plan: None }).await;
            answered.map_err(|end| match end {
                End::Error(error) => invalid(error.message).into(),
                other => other,
            })?;
        }
    }

    /// Asks. Once the answers are there, the request can be answered from its start.
    ///
    /// # Errors
    /// Without a session: the result with the questions, -32602 for a wrong answer, -32021 if the client does not declare that
    /// it answers. In a session: the error of a call that got a wrong answer, or cannot ask. `refused` after too many rounds,
    /// and if nobody answers in time.
    pub(super) async fn ask(&mut self, asked: &Asked<'_>, questions: Questions) -> Result<(), End> {
        let Questions { asks, plan } = questions;
        if let Some(wrong) = asks.wrong {
            return Err(match self.is_sessionless {
                true => invalid(wrong.message).into(),
                false => wrong.into(),
            });
        }
        let capabilities = asks.missing.iter().map(|(_, request)| request.capability());
        let lacking: Vec<_> = capabilities.filter(|one| !asked.client.has(*one)).collect();
        if let Some(first) = lacking.first() {
            return Err(match self.is_sessionless {
                true => undeclared(&lacking).into(),
                false => first.missing().into(),
            });
        }
        if self.round == MOST_ROUNDS {
            let message =
                format!("this request has asked {MOST_ROUNDS} times; nothing was changed");
            return Err(Refusal::new(&ToolError::new(ErrorCode::Refused, message)).into());
        }
        self.round += 1;
        let Some(person) = asked.person else {
            return Err(End::Result(self.required(asked, asks, plan)?));
        };
        let answers = waiting::answers(person, asked, self.round, &asks.missing).await?;
        self.answers = asks.answered;
        self.agreed = plan.map(|plan| (plan, form::agrees(answers.get(form::KEY))));
        if self.agreed.is_none() {
            self.take(answers);
        }
        Ok(())
    }

    /// The result of a session-less request that needs answers.
    fn required(
        &self,
        asked: &Asked<'_>,
        asks: Asks,
        plan: Option<Plan>,
    ) -> Result<String, Refusal> {
        let state = State {
            answers: asks.answered,
            plan,
            round: self.round,
        };
        let state = json!(state).to_string();
        if state.len() > STATE_BYTES {
            let message = format!("the answers to one request have at most {STATE_BYTES} bytes");
            return Err(invalid(message));
        }
        let sessions = &asked.service.inner.sessions;
        let state = sessions.seal(asked.caller.user, &self.digest(), &state);
        let requests = asks.missing.into_iter().map(|(key, request)| {
            let request = json!({ "method": request.method(), "params": request.params() });
            (key, request)
        });
        let requests: Map<String, Value> = requests.collect();
        let result = json!({
            "resultType": "input_required",
            "inputRequests": requests,
            "requestState": state,
        });
        Ok(result.to_string())
    }
}

/// The refusal of a request that needs capabilities which its client does not declare.
fn undeclared(lacking: &[Capability]) -> Refusal {
    let names: Vec<_> = lacking.iter().map(|one| one.name()).collect();
    let message = format!(
        "this request asks for input; declare the capability {}",
        names.join(", ")
    );
    let needed = lacking.iter().map(|one| (one.name().to_owned(), json!({})));
    let needed: Map<String, Value> = needed.collect();
    let mut error = rpc::Error::new(code::MISSING_CAPABILITY, message);
    error.data = Some(json!({ "requiredCapabilities": needed }));
    Refusal::rpc(StatusCode::BAD_REQUEST, error)
}
