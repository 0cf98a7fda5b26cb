//! Records in the answer to a call: for tools of other servers, and for records that are only
//! seen inside others.

use crossterm::event::KeyEvent;
use frontdesk_client::CallError;
use jiff::SignedDuration;
use serde_json::{Map, Value};

use crate::app::cx::Cx;
use crate::app::effects::call::{Answer, CallOptions, Method, ToolCall};
use crate::app::owner::RequestId;
use crate::app::peer::Peer;
use crate::app::remote::Remote;
use crate::look::text::{clean, fold};
use crate::records::found::{Found, found, records};
use crate::ui::search_list::SearchList;

/// The pause in typing after which the host is queried.
const TYPING_PAUSE: SignedDuration = SignedDuration::from_millis(250);

/// A call whose answer has records.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) peer: Peer,
    pub(crate) tool: String,
    pub(crate) method: Method,
    /// The search argument.
    pub(crate) search: Option<String>,
    /// Whether the tool requires a search text.
    pub(crate) must_search: bool,
    /// The argument that limits the number of records, and its value.
    pub(crate) limit: Option<(String, u64)>,
    pub(crate) read: Read,
}

/// Where the records are in the answer.
#[derive(Debug, Clone)]
pub(crate) enum Read {
    /// The answer is a list of this kind, as named by ids.
    List(String),
    /// Inside others, under these keys, each with its kind.
    Inside(Vec<(String, String)>),
    /// The records under `key` refer to them by these fields.
    Seen {
        key: String,
        id: String,
        name: String,
    },
}

impl Read {
    fn records(&self, answer: &Value) -> Vec<Found> {
        match self {
            Read::List(kind) => records(answer, kind),
            Read::Inside(kinds) => {
                let mut all = Vec::new();
                for result in answer.as_object().into_iter().flat_map(Map::values) {
                    let one = std::slice::from_ref(result);
                    for record in result.as_array().map_or(one, Vec::as_slice) {
                        inside(record, kinds, &mut all);
                    }
                }
                all
            }
            Read::Seen { key, id, name } => {
                let mut all: Vec<Found> = Vec::new();
                for record in answer[key].as_array().into_iter().flatten() {
                    let is_new = all.iter().all(|one| one.id != record[id]);
                    if let (Value::String(_), Value::String(text), true) =
                        (&record[id], &record[name], is_new)
                    {
                        let one = [("id", &record[id]), ("name", &record[name])];
                        let one = one.map(|(key, value)| (key.to_owned(), value.clone()));
                        all.push(Found {
                            id: record[id].clone(),
                            name: clean(text).into_owned(),
                            record: Map::from_iter(one),
                        });
                    }
                }
                all.sort_by_cached_key(|one| fold(&one.name));
                all
            }
        }
    }
}

/// Collects the records inside this one, each with its kind and the name of the one around it.
fn inside(record: &Value, kinds: &[(String, String)], all: &mut Vec<Found>) {
    let around = record.as_object().and_then(|record| found(record, ""));
    for (key, value) in record.as_object().into_iter().flatten() {
        let kind = kinds.iter().find(|(one, _)| one == key);
        for inner in value.as_array().into_iter().flatten() {
            let found = inner.as_object().and_then(|inner| found(inner, ""));
            if let (Some(found), Some((_, kind))) = (found, kind) {
                // Where it is says which one it is.
                let around = around.as_ref().map(|around| &around.name);
                let one = [
                    ("name", Some(&found.name)),
                    ("kind", Some(kind).filter(|_| kinds.len() > 1)),
                    ("in", around),
                ];
                let one = one.into_iter().filter_map(|(key, value)| {
                    Some((key.to_owned(), Value::from(value?.as_str())))
                });
                all.push(Found {
                    record: one.collect(),
                    ..found
                });
            }
            inside(inner, kinds, all);
        }
    }
}

/// An answer and its search text.
#[derive(Debug)]
struct Answered {
    text: String,
    found: Vec<Found>,
    has_more: bool,
}

/// The records of a call.
#[derive(Debug)]
pub(super) struct Page {
    call: Call,
    given: Map<String, Value>,
    /// The indices of the shown records in the answer.
    pub(super) list: SearchList<usize>,
    /// The timer for a pause in typing.
    pause: Option<RequestId>,
    /// The search text of the last request.
    asked: String,
    answer: Remote<Answered>,
}

impl Page {
    pub(super) fn new(call: Call, given: Map<String, Value>) -> Self {
        Page {
            call,
            given,
            list: SearchList::new(),
            pause: None,
            asked: String::new(),
            answer: Remote::Idle,
        }
    }

    pub(super) fn text(&self) -> String {
        self.list.text().trim().to_owned()
    }

    /// Requests the matching records and drops earlier requests.
    pub(super) fn ask(&mut self, cx: &mut Cx) {
        self.leave(cx);
        let text = self.text();
        self.asked.clone_from(&text);
        let mut arguments = self.given.clone();
        match &self.call.search {
            Some(_) if text.is_empty() && self.call.must_search => {
                self.answer = Remote::Idle;
                return self.find(None);
            }
            Some(search) if !text.is_empty() => {
                arguments.insert(search.clone(), Value::String(text));
            }
            _ => {}
        }
        if let Some((limit, most)) = &self.call.limit {
            arguments.insert(limit.clone(), (*most).into());
        }
        let request = cx.send(ToolCall {
            peer: self.call.peer.clone(),
            tool: self.call.tool.clone(),
            arguments,
            by_hand: self.call.method == Method::Tool,
            options: CallOptions {
                method: self.call.method.clone(),
                ..CallOptions::default()
            },
            changes_nothing: true,
        });
        self.answer.begin(request);
    }

    /// Cancels what was requested.
    pub(super) fn leave(&mut self, cx: &mut Cx) {
        cx.abort(self.answer.request());
        cx.cancel(&mut self.pause);
    }

    fn typed(&mut self, cx: &mut Cx) {
        if self.call.search.is_some() {
            self.leave(cx);
            self.pause = Some(cx.after(TYPING_PAUSE));
        }
        let selected = self.selected().map(|found| found.id.clone());
        self.find(selected.as_ref());
    }

    /// Recomputes the rows. The record with this id was selected before.
    fn find(&mut self, selected: Option<&Value>) {
        let text = self.text();
        let answer = self.answer.value();
        // The host's matches for this text are kept, whichever fields it searched. Until its
        // answer, only records that visibly match are offered.
        let is_answer =
            self.call.search.is_some() && answer.is_some_and(|answer| answer.text == text);
        let found = self.found();
        let fits = |at: &usize| is_answer || found[*at].fits(&text);
        let rows = (0..found.len()).filter(fits).collect();
        let before = found.iter().position(|found| Some(&found.id) == selected);
        self.list.show(rows, before);
    }

    /// The records of the answer.
    pub(super) fn found(&self) -> &[Found] {
        self.answer.value().map_or(&[], |answer| &answer.found)
    }

    /// Whether there are more records than in the answer; `None` without an answer.
    pub(super) fn has_more(&self) -> Option<bool> {
        self.answer.value().map(|answer| answer.has_more)
    }

    pub(super) fn selected(&self) -> Option<&Found> {
        self.found().get(self.list.selected()?)
    }

    pub(super) fn error(&self) -> Option<&CallError> {
        self.answer.error()
    }

    /// A key in the search field. Returns whether the text changed.
    pub(super) fn key(&mut self, cx: &mut Cx, key: KeyEvent) -> bool {
        let is_other = self.list.key(key);
        if is_other {
            self.typed(cx);
        }
        is_other
    }

    pub(super) fn paste(&mut self, cx: &mut Cx, text: &str) {
        self.list.paste(cx, text);
        self.typed(cx);
    }

    pub(super) fn answered(&mut self, cx: &mut Cx, request: RequestId, answer: &Answer) {
        let selected = self.selected().map(|found| found.id.clone());
        let result = answer.result.as_ref().map_err(Clone::clone);
        let result = result.map(|reply| Answered {
            text: self.asked.clone(),
            found: self.call.read.records(&reply.value),
            has_more: reply.value.get("has_more") == Some(&Value::Bool(true)),
        });
        if self.answer.finish(request, cx.now(), result) {
            self.find(selected.as_ref());
        }
    }

    pub(super) fn fired(&mut self, cx: &mut Cx, request: RequestId) {
        if self.pause.take_if(|pause| *pause == request).is_some() {
            self.ask(cx);
        }
    }

    /// Whether there is nothing to choose from until the answer.
    pub(super) fn awaits(&self) -> bool {
        (self.is_busy() || self.is_paused()) && self.list.selected().is_none()
    }

    pub(super) fn is_busy(&self) -> bool {
        self.answer.is_loading()
    }

    pub(super) fn is_paused(&self) -> bool {
        self.pause.is_some()
    }
}
