//! The answers of a session, kept as received.
//!
//! rmcp reads a result as one of its types: what does not fit is dropped, and numbers lose digits. It
//! gets only the messages that it acts on itself; for any other answer it learns that there is one.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use frontdesk_protocol::exact;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, CustomRequest, ErrorCode, ErrorData,
    Implementation, InitializeResult, JsonRpcMessage, ListToolsResult, ProtocolVersion, RequestId,
    ServerCapabilities, ServerJsonRpcMessage, ServerRequest, ServerResult, Tool,
};
use serde_json::{Map, Value, json};

use crate::failure::too_large;
use crate::lenient::{self, Incoming, Odd, Outcome};
use crate::question::{ELICIT, UNREAD};
use crate::trace::Tap;

/// The open requests and the answers of one session.
#[derive(Debug, Clone)]
pub(crate) struct Answers {
    book: Arc<Mutex<Book>>,
    is_exact: bool,
    /// Where the messages are traced.
    pub(crate) tap: Tap,
}

/// A result, as received.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) text: String,
    /// The tools of a list that cannot be called, because of the headers that their arguments are
    /// sent as.
    pub(crate) refused: Vec<String>,
    /// Whether numbers keep their digits. Those of the hosts are read as their types.
    is_exact: bool,
}

impl Answer {
    /// Its value.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub(crate) fn value(&self) -> Result<Value, String> {
        match self.is_exact {
            true => lenient::value(&exact::mark(&self.text)),
            false => lenient::value(&self.text),
        }
    }
}

#[derive(Debug, Default)]
struct Book {
    open: HashMap<RequestId, Asked>,
    /// The results, with the names of the tools that rmcp was shown.
    kept: HashMap<RequestId, Result<(String, Vec<String>), String>>,
    /// Why the answer to the handshake could not be read.
    unreadable: Option<String>,
}

/// What was asked.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Asked {
    Initialize,
    Discover,
    /// A subscription, whose result rmcp reads itself.
    Subscription,
    /// The list of tools: rmcp reads from it which arguments are sent as headers.
    Tools,
    Other,
}

impl Answers {
    /// Answers whose numbers keep their digits, or not.
    pub(crate) fn new(is_exact: bool, tap: Tap) -> Self {
        Answers {
            book: Arc::default(),
            is_exact,
            tap,
        }
    }

    /// Notes a message that is about to be sent.
    pub(crate) fn ask(&self, message: &ClientJsonRpcMessage) {
        match message {
            JsonRpcMessage::Request(request) => {
                let asked = match &request.request {
                    ClientRequest::InitializeRequest(_) => Asked::Initialize,
                    ClientRequest::DiscoverRequest(_) => Asked::Discover,
                    ClientRequest::SubscriptionsListenRequest(_) => Asked::Subscription,
                    ClientRequest::ListToolsRequest(_) => Asked::Tools,
                    _ => Asked::Other,
                };
                let mut book = self.book();
                if asked == Asked::Initialize {
                    // A discovery that is not answered is not waited for.
                    book.open.clear();
                }
                book.open.insert(request.id.clone(), asked);
            }
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) =
                    &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.forget(id);
                }
            }
            _ => {}
        }
    }

    /// Nobody waits for this answer any more.
    pub(crate) fn forget(&self, id: &RequestId) {
        let mut book = self.book();
        book.open.remove(id);
        book.kept.remove(id);
    }

    /// Reads what the server sent. An answer without a readable id belongs to this request; without
    /// one, to the only open request.
    ///
    /// # Errors
    /// It is no message.
    pub(crate) fn hear(
        &self,
        bytes: &[u8],
        asked: Option<&RequestId>,
    ) -> Result<Vec<ServerJsonRpcMessage>, Odd> {
        self.tap.heard(bytes);
        let mut book = self.book();
        match lenient::read(bytes) {
            Ok(incoming) => Ok(incoming
                .into_iter()
                .filter_map(|incoming| match incoming {
                    Incoming::Asked(text) => asked_by_server(&text)
                        .inspect_err(|error| tracing::debug!(%error, "a message is not known"))
                        .ok(),
                    Incoming::Answer(id, outcome) => {
                        let is_error = matches!(outcome, Outcome::Error(_));
                        let id = match id {
                            None if is_error => book.only(asked),
                            id => id.and_then(|id| book.opened(id)),
                        }?;
                        Some(book.settle(id, outcome))
                    }
                })
                .collect()),
            Err(Odd::Broken(id, why)) => {
                let id = id
                    .and_then(|id| book.opened(id))
                    .or_else(|| book.only(asked));
                match id {
                    Some(id) => Ok(vec![book.settle(id, Outcome::Unreadable(why))]),
                    None => Err(Odd::Broken(None, why)),
                }
            }
            Err(odd) => Err(odd),
        }
    }

    /// A message exceeds the maximum, of which this is the beginning. What rmcp gets, if it is an answer
    /// to a request.
    pub(crate) fn too_large(
        &self,
        beginning: &[u8],
        asked: Option<&RequestId>,
    ) -> Option<ServerJsonRpcMessage> {
        self.tap.heard(beginning);
        let mut book = self.book();
        let id = lenient::id_within(&String::from_utf8_lossy(beginning));
        let id = id
            .and_then(|id| book.opened(id))
            .or_else(|| book.only(asked))?;
        Some(book.settle(id, Outcome::Unreadable(too_large())))
    }

    /// The result of this request; an error is the reason why it cannot be read.
    pub(crate) fn take(&self, id: &RequestId) -> Option<Result<Answer, String>> {
        let kept = self.book().kept.remove(id)?;
        let is_exact = self.is_exact;
        Some(kept.map(|(text, refused)| Answer {
            text,
            refused,
            is_exact,
        }))
    }

    /// Why the answer to the handshake could not be read.
    pub(crate) fn take_unreadable(&self) -> Option<String> {
        self.book().unreadable.take()
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Book {
    /// The open request with this id. Some servers send a number as a text.
    fn opened(&self, id: RequestId) -> Option<RequestId> {
        let same = |open: &&RequestId| open.to_string() == id.to_string();
        match self.open.contains_key(&id) {
            true => Some(id),
            false => self.open.keys().find(same).cloned(),
        }
    }

    fn only(&self, asked: Option<&RequestId>) -> Option<RequestId> {
        let mut open = self.open.keys();
        match (asked, open.next(), open.next()) {
            (Some(asked), ..) => self.open.contains_key(asked).then(|| asked.clone()),
            (None, Some(only), None) => Some(only.clone()),
            _ => None,
        }
    }

    /// Keeps the outcome of a request, and returns what rmcp gets.
    fn settle(&mut self, id: RequestId, outcome: Outcome) -> ServerJsonRpcMessage {
        let asked = self.open.remove(&id).unwrap_or(Asked::Other);
        let answer = |result| ServerJsonRpcMessage::response(result, id.clone());
        let opened = match (asked, outcome) {
            (_, Outcome::Error(error)) => return ServerJsonRpcMessage::error(error, Some(id)),
            (Asked::Initialize, Outcome::Result(text)) => {
                initialized(&text).map(ServerResult::InitializeResult)
            }
            (Asked::Discover, Outcome::Result(text)) => match serde_json::from_str(&text) {
                Ok(result @ ServerResult::DiscoverResult(_)) => Ok(result),
                // A server that answers what it does not know; the handshake follows.
                _ => Err("it is not the result of a discovery".to_owned()),
            },
            (Asked::Subscription, Outcome::Result(text)) => {
                serde_json::from_str(&text).map_err(|error| error.to_string())
            }
            (
                Asked::Initialize | Asked::Discover | Asked::Subscription,
                Outcome::Unreadable(why),
            ) => Err(why),
            (asked, Outcome::Result(text)) => {
                let (shown, names) = match asked {
                    Asked::Tools => {
                        let listed = tools(&text);
                        let names = listed.tools.iter().map(|tool| tool.name.to_string());
                        let names = names.collect();
                        (ServerResult::ListToolsResult(listed), names)
                    }
                    _ => (ServerResult::empty(()), Vec::new()),
                };
                let message = answer(shown);
                self.kept.insert(id, Ok((text, names)));
                return message;
            }
            (_, Outcome::Unreadable(why)) => {
                let message = answer(ServerResult::empty(()));
                self.kept.insert(id, Err(why));
                return message;
            }
        };
        match opened {
            Ok(result) => answer(result),
            Err(why) => {
                if asked == Asked::Initialize {
                    self.unreadable = Some(why.clone());
                }
                let error = ErrorData::new(ErrorCode::PARSE_ERROR, why, None);
                ServerJsonRpcMessage::error(error, Some(id))
            }
        }
    }
}

/// A request or notification. The schema of a question is not normalised.
fn asked_by_server(text: &str) -> Result<ServerJsonRpcMessage, serde_json::Error> {
    let mut message = serde_json::from_str(text)?;
    let JsonRpcMessage::Request(request) = &mut message else {
        return Ok(message);
    };
    let is_question = match &request.request {
        ServerRequest::ElicitRequest(_) => true,
        ServerRequest::CustomRequest(custom) => custom.method == ELICIT,
        _ => false,
    };
    if is_question {
        let mut sent: Value = serde_json::from_str(text)?;
        let question = CustomRequest::new(UNREAD, Some(sent["params"].take()));
        request.request = ServerRequest::CustomRequest(question);
    }
    Ok(message)
}

/// The answer to `initialize`. Only the revision is needed.
fn initialized(text: &str) -> Result<InitializeResult, String> {
    let value = lenient::value(text)?;
    let version = value["protocolVersion"].as_str();
    let version = version.ok_or("it names no revision of the protocol")?;
    let known_versions = ProtocolVersion::KNOWN_VERSIONS
        .iter()
        .map(ProtocolVersion::as_str);
    let known_versions: Vec<_> = known_versions.collect();
    if !known_versions.contains(&version) {
        let known = known_versions.join(", ");
        return Err(format!(
            "it wants revision {version}; frontdesk knows {known}"
        ));
    }
    let known = |name: &str| {
        serde_json::from_value::<ServerCapabilities>(json!({ name: value["capabilities"][name] }))
    };
    let capabilities = value["capabilities"].as_object();
    let capabilities = capabilities.into_iter().flatten();
    let capabilities: Map<_, _> = capabilities
        .filter(|(name, _)| known(name).is_ok())
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let info = serde_json::from_value::<Implementation>(value["serverInfo"].clone());
    let text = |name: &str| value["serverInfo"][name].as_str().unwrap_or_default();
    let info = info.unwrap_or_else(|_| Implementation::new(text("name"), text("version")));
    let mut result = json!({
        "protocolVersion": version, "capabilities": capabilities, "serverInfo": info,
    });
    if let Some(instructions) = value["instructions"].as_str() {
        result["instructions"] = instructions.into();
    }
    serde_json::from_value(result).map_err(|error| error.to_string())
}

/// The tools that rmcp understands.
fn tools(text: &str) -> ListToolsResult {
    let mut value = lenient::value(text).unwrap_or_default();
    let tools = match value.get_mut("tools").map(Value::take) {
        Some(Value::Array(tools)) => tools,
        _ => Vec::new(),
    };
    let tools = tools.into_iter();
    let tools = tools.filter_map(|tool| serde_json::from_value::<Tool>(tool).ok());
    ListToolsResult::with_all_items(tools.collect())
}
