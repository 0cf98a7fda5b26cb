//! `replay`: a server on stdin and stdout that answers as the one of a trace did.

use std::io::{BufRead, Write};
use std::path::PathBuf;

use clap::Args;
use frontdesk_client::trace::{self, Direction, HIDDEN, Kind, Message};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{Failure, warn};

/// The error of a request that the trace does not have.
const UNKNOWN: i32 = -32602;
/// The error of a request that had no answer, because its exchange failed.
const FAILED: i32 = -32603;

/// Answers as the server of a trace did: an MCP server on stdin and stdout.
#[derive(Debug, Args)]
pub(super) struct Replay {
    /// The trace, as --trace wrote it.
    #[arg(value_name = "TRACE", value_hint = clap::ValueHint::FilePath)]
    file: PathBuf,
    /// The server of the trace, if it has several.
    #[arg(long, value_name = "NAME")]
    server: Option<String>,
}

/// A request of the trace, with what came until its answer.
#[derive(Debug)]
struct Exchange {
    method: String,
    params: Value,
    id: Option<String>,
    /// Notifications that came before the answer.
    before: Vec<String>,
    /// What answers it: `"result":…` or `"error":…`. Without it, the server was silent.
    answer: Option<String>,
    is_used: bool,
}

/// The members of a message that are passed on as they are.
#[derive(Deserialize)]
struct Members<'a> {
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

/// Answers requests from a trace.
#[derive(Debug)]
struct Replayer {
    exchanges: Vec<Exchange>,
}

impl Replay {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let messages = trace::read(&self.file).map_err(|error| match error {
            trace::Unreadable::File(error) => Failure::File("the trace", error),
            error @ trace::Unreadable::Line(..) => {
                Failure::Usage(format!("{}: {error}", self.file.display()))
            }
        })?;
        let server = self.server(&messages)?;
        let mut replayer = Replayer::new(messages.iter().filter(|it| *it.server == *server));
        let mut stdout = std::io::stdout().lock();
        let lines = std::io::stdin().lock().lines();
        for line in lines.map_while(Result::ok) {
            for answer in replayer.answers(&line) {
                let written = writeln!(stdout, "{answer}").and_then(|()| stdout.flush());
                written.map_err(|error| Failure::File("stdout", error))?;
            }
        }
        Ok(())
    }

    /// The server that is played.
    fn server(&self, messages: &[Message]) -> Result<String, Failure> {
        let mut names: Vec<&str> = Vec::new();
        for message in messages {
            if !names.contains(&&*message.server) {
                names.push(&message.server);
            }
        }
        let trace = self.file.display();
        match (&self.server, names.as_slice()) {
            (Some(name), names) if names.contains(&name.as_str()) => Ok(name.clone()),
            (None, [name]) => Ok((*name).to_owned()),
            (_, []) => Err(Failure::Usage(format!("{trace} has no messages"))),
            (_, names) => {
                let names = names.join(", ");
                Err(Failure::Usage(format!(
                    "{trace} is of {names}; give --server NAME"
                )))
            }
        }
    }
}

impl Replayer {
    fn new<'a>(messages: impl Iterator<Item = &'a Message>) -> Self {
        let mut exchanges: Vec<Exchange> = Vec::new();
        for message in messages {
            match (message.direction, message.kind) {
                (Direction::Sent, Kind::Request) => exchanges.extend(Exchange::of(message)),
                (Direction::Received, Kind::Notification) => {
                    // It came while the newest open request was worked on.
                    if let Some(open) = exchanges.iter_mut().rev().find(|it| it.answer.is_none()) {
                        open.before.push(message.text.clone());
                    }
                }
                (Direction::Received, Kind::Answer | Kind::Error | Kind::Failure) => {
                    let mut open = exchanges.iter_mut().rev();
                    let asked = open.find(|it| it.answer.is_none() && it.id == message.id);
                    if let Some(asked) = asked {
                        asked.answer = answer(message);
                    }
                }
                _ => {}
            }
        }
        Replayer { exchanges }
    }

    /// What the server sends for a line.
    fn answers(&mut self, line: &str) -> Vec<String> {
        let request: Value = serde_json::from_str(line).unwrap_or_default();
        let (Some(method), id) = (request["method"].as_str(), &request["id"]) else {
            return Vec::new();
        };
        if id.is_null() {
            return Vec::new();
        }
        let Some(found) = self.find(method, &request["params"]) else {
            let what = request["params"]["name"].as_str().unwrap_or_default();
            let message = format!("the trace has no such request: {method} {what}");
            warn(&message);
            let error = json!({ "code": UNKNOWN, "message": message });
            return vec![json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string()];
        };
        found.is_used = true;
        let token = &request["params"]["_meta"]["progressToken"];
        let before = found.before.iter().map(|it| with_token(it, token));
        let answer = found.answer.iter();
        let answer = answer.map(|answer| format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},{answer}}}"));
        before.chain(answer).collect()
    }

    /// The exchange for a request: the first with these parameters that was not used yet, otherwise the
    /// last that was.
    fn find(&mut self, method: &str, params: &Value) -> Option<&mut Exchange> {
        let opens = matches!(method, "initialize" | "server/discover");
        let is_same =
            |it: &Exchange| it.method == method && (opens || is_alike(&it.params, params, true));
        let fresh = self
            .exchanges
            .iter()
            .position(|it| !it.is_used && is_same(it));
        let at = fresh.or_else(|| self.exchanges.iter().rposition(is_same))?;
        self.exchanges.get_mut(at)
    }
}

impl Exchange {
    fn of(message: &Message) -> Option<Self> {
        let mut request: Value = serde_json::from_str(&message.text).ok()?;
        Some(Exchange {
            method: message.method.clone()?,
            params: request["params"].take(),
            id: message.id.clone(),
            before: Vec::new(),
            answer: None,
            is_used: false,
        })
    }
}

/// The answer as it is passed on.
fn answer(message: &Message) -> Option<String> {
    if message.kind == Kind::Failure {
        let error = json!({ "code": FAILED, "message": message.text });
        return Some(format!("\"error\":{error}"));
    }
    let members: Members<'_> = serde_json::from_str(&message.text).ok()?;
    match (members.error, members.result) {
        (Some(error), _) => Some(format!("\"error\":{error}")),
        (None, Some(result)) => Some(format!("\"result\":{result}")),
        (None, None) => None,
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
        let answers = replayer.answers(&request.to_string());
        answers
            .iter()
            .map(|it| serde_json::from_str(it).expect("JSON"))
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
        assert_eq!(replayer.answers("no JSON"), [""; 0]);
    }
}
