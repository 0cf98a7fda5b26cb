//! Questions of servers during a call, in the revisions with a handshake and in the one without.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value, json};

/// A question that is answered by a form.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// What the server wants to know.
    pub message: String,
    /// The schema of the answer; `None` if the answer is given on a web page.
    pub schema: Option<Value>,
    /// The address of this page.
    pub url: Option<String>,
}

type Respond = dyn Fn(&Question) -> Option<Map<String, Value>> + Send + Sync;

/// Answers questions; `None` declines one.
#[derive(Clone, Default)]
pub(crate) struct Responder(Arc<OnceLock<Box<Respond>>>);

impl fmt::Debug for Responder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Responder").field(&self.is_there()).finish()
    }
}

impl Responder {
    /// Sets who answers, once.
    pub(crate) fn set(
        &self,
        respond: impl Fn(&Question) -> Option<Map<String, Value>> + Send + Sync + 'static,
    ) {
        // A second one would answer questions that the first was announced for.
        let _ = self.0.set(Box::new(respond));
    }

    /// Whether anybody answers.
    pub(crate) fn is_there(&self) -> bool {
        self.0.get().is_some()
    }

    /// The result of an `elicitation/create` with these parameters.
    pub(crate) fn answer(&self, params: &Value) -> Value {
        let text = |name: &str| params[name].as_str().map(str::to_owned);
        let question = Question {
            message: text("message").unwrap_or_default(),
            schema: params.get("requestedSchema").cloned(),
            url: text("url"),
        };
        match self.0.get().and_then(|respond| respond(&question)) {
            Some(content) => json!({ "action": "accept", "content": content }),
            None => json!({ "action": "decline" }),
        }
    }

    /// The answers to the questions of an `input_required` result, and its state. `None` if a
    /// question is of another kind, or nobody answers.
    pub(crate) fn answers(
        &self,
        result: &Value,
    ) -> Option<(BTreeMap<String, Value>, Option<String>)> {
        let asked = result["inputRequests"].as_object();
        let answers = asked.into_iter().flatten().map(|(key, request)| {
            let is_known = self.is_there() && request["method"] == "elicitation/create";
            is_known.then(|| (key.clone(), self.answer(&request["params"])))
        });
        let state = result["requestState"].as_str().map(str::to_owned);
        Some((answers.collect::<Option<_>>()?, state))
    }
}

/// What an `input_required` result asks for, for people.
pub(crate) fn asked(result: &Value) -> String {
    let requests = result["inputRequests"].as_object();
    let messages = requests.into_iter().flatten().map(|(_, request)| {
        let message = request["params"]["message"].as_str();
        message
            .or(request["method"].as_str())
            .unwrap_or("something")
    });
    messages.collect::<Vec<_>>().join(" / ")
}
