//! The messages that the server of a trace sent, each with the message that it answered.

use std::collections::HashMap;

use frontdesk_client::trace::{Direction, HIDDEN, Kind, Message};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::cli::warn;

/// The error of a request that the trace does not have.
const UNKNOWN: i32 = -32602;
/// The error of a request that had no answer, because its exchange failed.
const FAILED: i32 = -32603;
/// The question whose answer decides what follows. Other questions are about the client, and differ between clients.
const ASKS_A_PERSON: &str = "elicitation/create";

/// A message of the client, with what came because of it.
#[derive(Debug)]
struct Exchange {
    method: String,
    params: Value,
    /// The id of a request.
    id: Option<String>,
    steps: Vec<Step>,
    is_answered: bool,
    is_used: bool,
}

/// What the server sent.
#[derive(Debug, Clone)]
enum Step {
    Notification(String),
    Question(Question),
    Answer(Answer),
}

#[derive(Debug, Clone)]
struct Question {
    text: String,
    method: String,
    id: Option<String>,
    /// What the client answered. Without an answer, nobody waited for one.
    answer: Option<Value>,
}

/// What answers a request: `"result":…` or `"error":…`.
#[derive(Debug, Clone)]
struct Answer {
    members: String,
    /// The status over HTTP, if it was no success.
    status: Option<u16>,
}

/// The members of a message that are passed on as they are.
#[derive(Deserialize)]
struct Members<'a> {
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

/// A message of the client that is being played.
#[derive(Debug)]
struct Run {
    steps: std::vec::IntoIter<Step>,
    /// The id of a request that waits for its answer; otherwise null.
    id: Value,
    token: Value,
}

/// What the server sends because of a message.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Played {
    /// The number of the request that it belongs to.
    pub(super) run: usize,
    /// Up to the answer to that request.
    pub(super) sent: Vec<String>,
    /// Beside requests.
    pub(super) beside: Vec<String>,
    /// Whether the request is answered.
    pub(super) is_answered: bool,
    /// The status of the answer over HTTP, if it was no success.
    pub(super) status: Option<u16>,
}

/// Plays the server of a trace.
#[derive(Debug)]
pub(super) struct Replayer {
    exchanges: Vec<Exchange>,
    runs: Vec<Run>,
    /// The runs that wait for an answer, and the question, by the id of the question.
    asked: HashMap<usize, (usize, Question)>,
    questions: usize,
}

impl Replayer {
    pub(super) fn new<'a>(messages: impl Iterator<Item = &'a Message>) -> Self {
        let mut replayer = Replayer {
            exchanges: Vec::new(),
            runs: Vec::new(),
            asked: HashMap::new(),
            questions: 0,
        };
        messages.for_each(|message| replayer.learn(message));
        replayer
    }

    fn learn(&mut self, message: &Message) {
        match (message.direction, message.kind) {
            (Direction::Sent, Kind::Request | Kind::Notification) => {
                self.exchanges.extend(Exchange::of(message));
            }
            (Direction::Sent, Kind::Answer | Kind::Error) => self.learn_answer(message),
            (Direction::Received, Kind::Notification) => {
                self.came(Step::Notification(message.text.clone()));
            }
            (Direction::Received, Kind::Request) => self.came(Step::Question(Question {
                text: message.text.clone(),
                method: message.method.clone().unwrap_or_default(),
                id: message.id.clone(),
                answer: None,
            })),
            (Direction::Received, Kind::Answer | Kind::Error | Kind::Failure) => {
                let mut open = self.exchanges.iter_mut().rev();
                let asked = open.find(|it| it.is_open() && it.id == message.id);
                if let (Some(asked), Some(answer)) = (asked, Answer::of(message)) {
                    asked.steps.push(Step::Answer(answer));
                    asked.is_answered = true;
                }
            }
            _ => {}
        }
    }

    /// A step came while the newest open request was worked on, otherwise after the last message.
    fn came(&mut self, step: Step) {
        let open = self.exchanges.iter().rposition(Exchange::is_open);
        let at = open.or_else(|| self.exchanges.len().checked_sub(1));
        if let Some(exchange) = at.and_then(|at| self.exchanges.get_mut(at)) {
            exchange.steps.push(step);
        }
    }

    /// The client answered a question.
    fn learn_answer(&mut self, message: &Message) {
        let steps = self.exchanges.iter_mut().rev();
        let mut steps = steps.flat_map(|it| it.steps.iter_mut().rev());
        let asked = steps.find_map(|step| match step {
            Step::Question(it) if it.id == message.id && it.answer.is_none() => Some(it),
            _ => None,
        });
        if let Some(asked) = asked {
            asked.answer = Some(outcome(&message.text));
        }
    }

    /// What the server sends because of this message.
    pub(super) fn hear(&mut self, message: &Value) -> Played {
        let id = &message["id"];
        match message["method"].as_str() {
            Some(method) if id.is_null() => self.notified(method),
            Some(method) => self.requested(method, message),
            None => self.answered(message),
        }
    }

    fn notified(&mut self, method: &str) -> Played {
        let is_same = |it: &Exchange| it.method == method && it.id.is_none();
        match self.find(is_same) {
            Some(at) => self.begin(at, Value::Null, Value::Null),
            None => Played::default(),
        }
    }

    fn requested(&mut self, method: &str, message: &Value) -> Played {
        let params = &message["params"];
        let opens = matches!(method, "initialize" | "server/discover");
        let is_same = |it: &Exchange| {
            it.method == method && it.id.is_some() && (opens || is_alike(&it.params, params, true))
        };
        match self.find(is_same) {
            Some(at) => {
                let token = params["_meta"]["progressToken"].clone();
                self.begin(at, message["id"].clone(), token)
            }
            None => {
                let what = params["name"].as_str().unwrap_or_default();
                let why = format!("the trace has no such request: {method} {what}");
                self.refuse(&message["id"], &why)
            }
        }
    }

    /// The first of these exchanges that was not used yet, otherwise the last that was.
    fn find(&self, is_same: impl Fn(&Exchange) -> bool) -> Option<usize> {
        let mut all = self.exchanges.iter();
        let fresh = all.position(|it| !it.is_used && is_same(it));
        fresh.or_else(|| self.exchanges.iter().rposition(is_same))
    }

    fn begin(&mut self, at: usize, id: Value, token: Value) -> Played {
        let Some(exchange) = self.exchanges.get_mut(at) else {
            return Played::default();
        };
        exchange.is_used = true;
        let steps = exchange.steps.clone().into_iter();
        self.runs.push(Run { steps, id, token });
        self.go_on(self.runs.len() - 1)
    }

    /// Plays the steps up to the next question.
    fn go_on(&mut self, run: usize) -> Played {
        let mut played = Played {
            run,
            ..Played::default()
        };
        while let Some(step) = self.runs.get_mut(run).and_then(|it| it.steps.next()) {
            let Some(current) = self.runs.get_mut(run) else {
                break;
            };
            let sent = match current.id {
                Value::Null => &mut played.beside,
                _ => &mut played.sent,
            };
            match step {
                Step::Notification(text) => sent.push(with_token(&text, &current.token)),
                Step::Question(question) => {
                    self.questions += 1;
                    sent.push(question.with_id(self.questions));
                    if question.answer.is_some() {
                        self.asked.insert(self.questions, (run, question));
                        break;
                    }
                }
                Step::Answer(answer) => {
                    sent.push(answer.to(&current.id));
                    current.id = Value::Null;
                    (played.is_answered, played.status) = (true, answer.status);
                }
            }
        }
        played
    }

    /// The client answers a question.
    fn answered(&mut self, message: &Value) -> Played {
        let id = message["id"]
            .as_u64()
            .and_then(|id| usize::try_from(id).ok());
        let Some((run, question)) = id.and_then(|id| self.asked.remove(&id)) else {
            return Played::default();
        };
        let was = question.answer.unwrap_or_default();
        let is_same = is_alike(&was, &outcome(&message.to_string()), true);
        match self.runs.get_mut(run) {
            Some(current) if question.method == ASKS_A_PERSON && !is_same => {
                current.steps = Vec::new().into_iter();
                let id = std::mem::take(&mut current.id);
                let why = format!("the trace has another answer to the question: {was}");
                let refused = self.refuse(&id, &why);
                Played { run, ..refused }
            }
            _ => self.go_on(run),
        }
    }

    fn refuse(&mut self, id: &Value, why: &str) -> Played {
        warn(why);
        let error = json!({ "code": UNKNOWN, "message": why });
        let answer = json!({ "jsonrpc": "2.0", "id": id, "error": error });
        let (steps, token) = (Vec::new().into_iter(), Value::Null);
        let id = Value::Null;
        self.runs.push(Run { steps, id, token });
        Played {
            run: self.runs.len() - 1,
            sent: vec![answer.to_string()],
            is_answered: true,
            ..Played::default()
        }
    }
}

impl Exchange {
    fn of(message: &Message) -> Option<Self> {
        let mut read: Value = serde_json::from_str(&message.text).ok()?;
        Some(Exchange {
            method: message.method.clone()?,
            params: read["params"].take(),
            id: message.id.clone(),
            steps: Vec::new(),
            is_answered: false,
            is_used: false,
        })
    }

    fn is_open(&self) -> bool {
        self.id.is_some() && !self.is_answered
    }
}

impl Question {
    fn with_id(&self, id: usize) -> String {
        let members = serde_json::from_str::<Members<'_>>(&self.text).ok();
        let params = members.and_then(|it| it.params).map(RawValue::get);
        let params = params.map_or_else(String::new, |it| format!(",\"params\":{it}"));
        let method = Value::from(self.method.as_str());
        format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":{method}{params}}}")
    }
}

impl Answer {
    /// The answer as it is passed on.
    fn of(message: &Message) -> Option<Self> {
        if message.kind == Kind::Failure {
            let error = json!({ "code": FAILED, "message": message.text });
            let status = message.text.strip_prefix("HTTP ");
            let status = status.and_then(|it| it.split(':').next()?.parse().ok());
            return Some(Answer {
                members: format!("\"error\":{error}"),
                status,
            });
        }
        let members: Members<'_> = serde_json::from_str(&message.text).ok()?;
        let members = match (members.error, members.result) {
            (Some(error), _) => format!("\"error\":{error}"),
            (None, Some(result)) => format!("\"result\":{result}"),
            (None, None) => return None,
        };
        Some(Answer {
            members,
            status: None,
        })
    }

    fn to(&self, id: &Value) -> String {
        format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},{}}}", self.members)
    }
}

/// The result of an answer to a question; the same for each error, whose text is the client's own.
fn outcome(text: &str) -> Value {
    let mut read: Value = serde_json::from_str(text).unwrap_or_default();
    match read["error"].is_null() {
        true => read["result"].take(),
        false => "error".into(),
    }
}

/// Whether these parameters ask for the same. What is hidden in the trace is like anything; `_meta` does not count, and an
/// empty object is like none.
fn is_alike(traced: &Value, asked: &Value, is_outer: bool) -> bool {
    match (traced, asked) {
        (Value::String(text), _) if text == HIDDEN => true,
        (Value::Object(traced), Value::Object(asked)) => {
            let counts = |name: &String| !is_outer || name != "_meta";
            let of = |object: &serde_json::Map<String, Value>| {
                object.keys().filter(|it| counts(it)).count()
            };
            of(traced) == of(asked)
                && (traced.iter().filter(|(name, _)| counts(name))).all(|(name, value)| {
                    asked.get(name).is_some_and(|it| is_alike(value, it, false))
                })
        }
        (Value::Array(traced), Value::Array(asked)) => {
            traced.len() == asked.len()
                && traced.iter().zip(asked).all(|(a, b)| is_alike(a, b, false))
        }
        (Value::Null, Value::Object(object)) | (Value::Object(object), Value::Null) => {
            object.keys().all(|name| is_outer && name == "_meta")
        }
        (traced, asked) => traced == asked,
    }
}

/// The notification with the token of the request that it reports on.
fn with_token(notification: &str, token: &Value) -> String {
    let read = serde_json::from_str::<Value>(notification);
    match read {
        Ok(mut it) if !token.is_null() && it["params"]["progressToken"] != Value::Null => {
            it["params"]["progressToken"] = token.clone();
            it.to_string()
        }
        _ => notification.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(direction: Direction, kind: Kind, text: Value) -> Message {
        let id = Some(&text["id"])
            .filter(|id| !id.is_null())
            .map(Value::to_string);
        Message {
            at: jiff::Timestamp::UNIX_EPOCH,
            server: "notes".into(),
            direction,
            kind,
            method: text["method"].as_str().map(str::to_owned),
            id,
            took: None,
            bytes: 0,
            text: text.to_string(),
            is_cut: false,
        }
    }

    fn call(id: u64, arguments: Value) -> Value {
        let params =
            json!({ "name": "say", "arguments": arguments, "_meta": { "progressToken": id } });
        json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
    }

    fn replayer() -> Replayer {
        let answered =
            |id: u64, said: &str| json!({ "jsonrpc": "2.0", "id": id, "result": { "said": said } });
        let progress = json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": { "progressToken": 1 } });
        let messages = [
            message(
                Direction::Sent,
                Kind::Request,
                call(1, json!({ "text": "a", "password": HIDDEN })),
            ),
            message(Direction::Received, Kind::Notification, progress),
            message(Direction::Received, Kind::Answer, answered(1, "first")),
            message(
                Direction::Sent,
                Kind::Request,
                call(2, json!({ "text": "a", "password": HIDDEN })),
            ),
            message(Direction::Received, Kind::Answer, answered(2, "second")),
            message(
                Direction::Sent,
                Kind::Request,
                call(3, json!({ "text": "silent" })),
            ),
        ];
        Replayer::new(messages.iter())
    }

    fn said(replayer: &mut Replayer, request: Value) -> Vec<Value> {
        let played = replayer.hear(&request);
        let all = played.sent.iter().chain(&played.beside);
        all.map(|it| serde_json::from_str(it).expect("JSON"))
            .collect()
    }

    #[test]
    fn each_request_is_answered_as_in_the_trace_in_order() {
        let mut replayer = replayer();
        let mut ask = |id: u64| {
            said(
                &mut replayer,
                call(id, json!({ "text": "a", "password": "x" })),
            )
        };
        let first = ask(70);
        assert_eq!(first[0]["params"]["progressToken"], 70);
        assert_eq!(
            (&first[1]["id"], &first[1]["result"]["said"]),
            (&json!(70), &json!("first"))
        );
        assert_eq!(ask(71)[0]["result"]["said"], "second");
        assert_eq!(ask(72)[0]["result"]["said"], "second", "the last one again");
    }

    #[test]
    fn what_the_trace_does_not_have_is_an_error_and_silence_stays_silence() {
        let mut replayer = replayer();
        let other = said(&mut replayer, call(9, json!({ "text": "b" })));
        assert_eq!(other[0]["error"]["code"], UNKNOWN);
        assert_eq!(
            said(&mut replayer, call(9, json!({ "text": "silent" }))),
            [Value::Null; 0]
        );
        let notified = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        assert_eq!(said(&mut replayer, notified), [Value::Null; 0]);
        assert_eq!(replayer.hear(&Value::Null), Played::default());
    }
}
