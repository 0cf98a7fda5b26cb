//! Questions of servers during a call, in the revisions with a handshake and in the one without.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use frontdesk_protocol::{ErrorCode, ToolError};
use futures::future::BoxFuture;
use serde_json::{Map, Value, json};
use url::Url;

use crate::error::CallError;

/// The method of a question.
pub(crate) const ELICIT: &str = "elicitation/create";
/// The method that asks for the folders of a client.
pub(crate) const ROOTS: &str = "roots/list";
/// The method under which rmcp passes a question on unread: it would read it as its own type.
pub(crate) const UNREAD: &str = "frontdesk/question";

/// How often a tool or a prompt can ask in the revision without a handshake.
pub(crate) const MOST_QUESTIONS: usize = 10;

/// A question for the user.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// What the server wants to know.
    pub message: String,
    /// The schema of the answer; `None` if the answer is given on a web page.
    pub schema: Option<Value>,
    /// The address of this page.
    pub url: Option<String>,
    /// The call is made only after this page.
    pub is_required: bool,
}

impl Question {
    fn read(params: &Value) -> Self {
        let text = |name: &str| params[name].as_str().map(str::to_owned);
        let url = text("url");
        let schema = match (params.get("requestedSchema"), &url) {
            (None, Some(_)) => None,
            (schema, _) => Some(schema.cloned().unwrap_or_else(|| json!({}))),
        };
        Question {
            message: text("message").unwrap_or_default(),
            schema,
            url,
            is_required: false,
        }
    }
}

/// What the user makes of a question.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    /// These values; none for a web page.
    Accept(Map<String, Value>),
    /// The user refuses.
    Decline,
    /// The user does not want to decide.
    Cancel,
}

type Respond = dyn Fn(Question) -> BoxFuture<'static, Decision> + Send + Sync;

/// Answers questions.
#[derive(Clone, Default)]
pub(crate) struct Responder {
    respond: Arc<OnceLock<(Pages, Box<Respond>)>>,
    /// The number of questions that are not decided yet.
    open: Arc<AtomicUsize>,
    /// The addresses of the folders that the server may work in.
    roots: Arc<[Url]>,
}

/// Whether questions can be answered on web pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pages {
    /// Somebody can open one.
    Shown,
    /// Only forms are answered.
    Refused,
}

impl fmt::Debug for Responder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Responder").field(&self.pages()).finish()
    }
}

impl Responder {
    /// Gives the server these folders, and no others.
    pub(crate) fn telling(folders: &[PathBuf]) -> Self {
        let roots = folders.iter().filter_map(|it| Url::from_file_path(it).ok());
        Responder {
            roots: roots.collect(),
            ..Responder::default()
        }
    }

    /// The result of a `roots/list`; `None` without folders.
    pub(crate) fn roots(&self) -> Option<Value> {
        let name = |url: &Url| {
            url.to_file_path()
                .ok()?
                .file_name()?
                .to_str()
                .map(str::to_owned)
        };
        let roots = self.roots.iter();
        let roots = roots.map(|url| json!({ "uri": url.as_str(), "name": name(url) }));
        (!self.roots.is_empty()).then(|| json!({ "roots": roots.collect::<Vec<_>>() }))
    }

    /// Sets who answers, once.
    pub(crate) fn set(
        &self,
        pages: Pages,
        respond: impl Fn(Question) -> BoxFuture<'static, Decision> + Send + Sync + 'static,
    ) {
        // A second one would answer questions that the first was announced for.
        let _ = self.respond.set((pages, Box::new(respond)));
    }

    /// Whether pages are shown; `None` if nobody answers anything.
    pub(crate) fn pages(&self) -> Option<Pages> {
        self.respond.get().map(|(pages, _)| *pages)
    }

    /// Whether the user is deciding.
    pub(crate) fn is_asking(&self) -> bool {
        self.open.load(Ordering::Relaxed) > 0
    }

    /// The result of an `elicitation/create` with these parameters.
    pub(crate) async fn answer(&self, params: &Value) -> Value {
        let Some((_, respond)) = self.respond.get() else {
            return json!({ "action": "decline" });
        };
        let _open = Open::new(&self.open);
        match respond(Question::read(params)).await {
            // A page takes the answers by itself.
            Decision::Accept(content) if content.is_empty() && params.get("url").is_some() => {
                json!({ "action": "accept" })
            }
            Decision::Accept(content) => json!({ "action": "accept", "content": content }),
            Decision::Decline => json!({ "action": "decline" }),
            Decision::Cancel => json!({ "action": "cancel" }),
        }
    }

    /// Asks the user to open these pages, one after the other. Returns whether somebody can.
    ///
    /// # Errors
    /// [`CallError::Tool`] if the user does not want one.
    pub(crate) async fn open(&self, pages: &[Value]) -> Result<bool, CallError> {
        let Some((Pages::Shown, respond)) = self.respond.get() else {
            return Ok(false);
        };
        for page in pages {
            let question = Question {
                is_required: true,
                ..Question::read(page)
            };
            let message = question.message.clone();
            if !matches!(respond(question).await, Decision::Accept(_)) {
                let message = format!("nothing was called: “{message}” was declined");
                return Err(CallError::Tool(ToolError::new(ErrorCode::Refused, message)));
            }
        }
        Ok(true)
    }

    /// The answers to the questions of an `input_required` result, one after the other, and its
    /// state.
    ///
    /// # Errors
    /// [`CallError::Tool`] if a question is of another kind, or nobody answers.
    pub(crate) async fn answers(
        &self,
        result: &Value,
    ) -> Result<(BTreeMap<String, Value>, Option<String>), CallError> {
        let asked = result["inputRequests"].as_object();
        let asked: Vec<_> = asked.into_iter().flatten().collect();
        let unanswered = |why: &str| {
            let message = format!("the tool asks for “{}”; {why}", messages(&asked));
            Err(CallError::Tool(ToolError::new(ErrorCode::Refused, message)))
        };
        let roots = self.roots();
        for (_, request) in &asked {
            match request["method"].as_str().unwrap_or_default() {
                ELICIT if self.pages().is_none() => return unanswered("nobody can answer here"),
                ELICIT => {}
                ROOTS if roots.is_some() => {}
                other => return unanswered(why_not(other)),
            }
        }
        let mut answers = BTreeMap::new();
        for (key, request) in asked {
            let answer = match &roots {
                Some(roots) if request["method"] == ROOTS => roots.clone(),
                _ => self.answer(&request["params"]).await,
            };
            answers.insert(key.clone(), answer);
        }
        let state = result["requestState"].as_str().map(str::to_owned);
        Ok((answers, state))
    }
}

/// The error of a tool or a prompt that asks more often.
pub(crate) fn asks_too_often(what: &str) -> CallError {
    let message = format!("the {what} asks again and again; it was given up");
    CallError::Tool(ToolError::new(ErrorCode::Refused, message))
}

/// Why requests of this method are refused.
pub(crate) fn why_not(method: &str) -> &'static str {
    match method {
        "sampling/createMessage" => "frontdesk has no model for sampling",
        ROOTS => "the configuration names no folders for it (`roots`)",
        _ => "frontdesk does not offer this",
    }
}

/// What is asked for, for people.
fn messages(asked: &[(&String, &Value)]) -> String {
    let messages = asked.iter().map(|(_, request)| {
        let message = request["params"]["message"].as_str();
        message
            .or(request["method"].as_str())
            .unwrap_or("something")
    });
    messages.collect::<Vec<_>>().join(" / ")
}

/// A question that is being decided.
struct Open(Arc<AtomicUsize>);

impl Open {
    fn new(open: &Arc<AtomicUsize>) -> Self {
        open.fetch_add(1, Ordering::Relaxed);
        Open(Arc::clone(open))
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
