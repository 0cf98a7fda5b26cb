//! A host in memory, that can be told to fail.

use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use frontdesk_client::history::{self, Keep};
use frontdesk_client::presets::Kept;
use frontdesk_client::{
    Account, Action, CallError, Content, Delivery, Entry, Health, Preset, SignInWays, ToolInfo,
    journal,
};
use frontdesk_protocol::events::event::{Event, UpdateEvent};
use frontdesk_protocol::events::guest::Guest;
use frontdesk_protocol::id::GuestId;
use frontdesk_protocol::wire::{self, Wire};
use frontdesk_protocol::work::series::Series;
use frontdesk_protocol::{ErrorCode, Host, Tool, ToolError};
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use tokio::sync::Semaphore;
use uuid::Uuid;

use super::{account, event, guests, meetings, served, tools};
use crate::app::effects::effect::{Answer, ExportError, Outcome, SignInTo, ToolCall, Work};
use crate::app::effects::journal::JournalError;
use crate::app::effects::presets::{PresetChange, PresetError};
use crate::app::effects::worker::{Worker, Working};
use crate::app::engine::Ears;
use crate::app::history::{Forget, HistoryError, Remembered};
use crate::app::peer::{Peer, Reply};

/// A host in memory.
#[derive(Clone)]
pub(crate) struct FakeHost {
    inner: Arc<Mutex<Inner>>,
    gate: Arc<Semaphore>,
}

/// Answers the calls of one tool.
type Serve = Arc<dyn Fn(&mut Inner, Map<String, Value>) -> Result<Value, CallError> + Send + Sync>;

/// What the host knows.
pub(crate) struct Inner {
    pub(crate) events: Vec<Event>,
    pub(crate) guests: Vec<Guest>,
    pub(crate) series: Vec<Series>,
    pub(crate) account: Account,
    /// The ways to sign in.
    pub(crate) ways: SignInWays,
    /// How every call ends from now on.
    pub(crate) failure: Option<CallError>,
    /// How changes of events and series end.
    pub(crate) refusal: Option<CallError>,
    /// The changes of events so far.
    pub(crate) updates: Vec<UpdateEvent>,
    /// How calls are answered that no person filled in, by their tools.
    served: HashMap<&'static str, Serve>,
    /// What calls of other tools are answered, the next one first.
    pub(crate) plans: VecDeque<Result<Value, CallError>>,
    /// The calls that were to carry out a plan.
    pub(crate) applied: Vec<ToolCall>,
    /// What the host of events offers beside what is declared.
    pub(crate) tools: Vec<ToolInfo>,
    /// What calls that a person filled in are answered, the next one first.
    pub(crate) answers: VecDeque<Result<Value, CallError>>,
    /// The calls so far that a person filled in.
    pub(crate) asked: Vec<ToolCall>,
    /// The calls of any tool that were written down, the newest last.
    pub(crate) history: Vec<history::RecordedCall>,
    /// The blocks of the next answer of any tool, beside its value.
    pub(crate) contents: Vec<Content>,
    /// What was exported: names and texts.
    pub(crate) exported: Vec<(String, String)>,
    /// What is kept for forms.
    pub(crate) presets: Vec<Preset>,
    /// Whether the disk takes anything.
    pub(crate) disk_is_full: bool,
    pub(crate) journal: Vec<Entry>,
    /// The calls so far, by tool name.
    pub(crate) calls: Vec<String>,
    /// The time at which the host checks in.
    pub(crate) now: Timestamp,
}

impl FakeHost {
    /// A host with one event of twelve guests.
    pub(crate) fn new() -> Self {
        let mut inner = Inner {
            events: vec![event()],
            guests: guests(),
            series: meetings::all_series(),
            account: account(),
            ways: SignInWays::default(),
            failure: None,
            refusal: None,
            updates: Vec::new(),
            served: HashMap::new(),
            plans: VecDeque::new(),
            applied: Vec::new(),
            tools: Vec::new(),
            answers: VecDeque::new(),
            asked: Vec::new(),
            history: Vec::new(),
            contents: Vec::new(),
            exported: Vec::new(),
            presets: Vec::new(),
            disk_is_full: false,
            journal: Vec::new(),
            calls: Vec::new(),
            now: super::now(),
        };
        served::all(&mut inner);
        FakeHost {
            inner: Arc::new(Mutex::new(inner)),
            gate: Arc::new(Semaphore::new(Semaphore::MAX_PERMITS)),
        }
    }

    /// What the host knows, to look at and to change.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Every call ends like this from now on.
    pub(crate) fn fail(&self, error: CallError) {
        self.lock().failure = Some(error);
    }

    /// The host is well again.
    pub(crate) fn recover(&self) {
        self.lock().failure = None;
    }

    /// No call is answered until [`FakeHost::release`].
    pub(crate) fn hang(&self) {
        self.gate.forget_permits(Semaphore::MAX_PERMITS);
    }

    /// Calls are answered again.
    pub(crate) fn release(&self) {
        self.gate.add_permits(Semaphore::MAX_PERMITS);
    }

    /// How often a tool was called.
    pub(crate) fn called(&self, tool: &str) -> usize {
        let inner = self.lock();
        inner.calls.iter().filter(|call| *call == tool).count()
    }

    /// When a guest was checked in.
    pub(crate) fn check_in_of(&self, id: GuestId) -> Option<Timestamp> {
        let inner = self.lock();
        inner
            .guests
            .iter()
            .find(|guest| guest.id == id)?
            .check_in_at
    }
}

impl Worker for FakeHost {
    fn run(&self, work: Work, _: Ears) -> Working {
        let host = self.clone();
        Box::pin(async move {
            if matches!(work, Work::AwaitBrowser) {
                // The browser is on another machine.
                return std::future::pending().await;
            }
            if !matches!(
                work,
                Work::Append(_)
                    | Work::Withdraw(_)
                    | Work::OpenJournal
                    | Work::Remember(_)
                    | Work::History(_)
                    | Work::Forget(..)
            ) {
                // A gate that is closed for good is a host that hangs.
                let _ = host.gate.acquire().await;
            }
            host.lock().work(work)
        })
    }
}

impl Inner {
    fn work(&mut self, work: Work) -> Outcome {
        match work {
            Work::Call(call) => Outcome::Call(self.call(call)),
            Work::Export { name, contents } => {
                let text = String::from_utf8_lossy(&contents).into_owned();
                let path = PathBuf::from("/exports").join(&name);
                self.exported.push((name, text));
                Outcome::Exported(match self.disk_is_full {
                    true => Err(ExportError {
                        path,
                        reason: "no space left on device".to_owned(),
                    }),
                    false => Ok(path),
                })
            }
            Work::Start(_)
            | Work::Configure(_)
            | Work::ChangePassword { .. }
            | Work::Visit(..)
            | Work::OpenBrowser(SignInTo::Server(_))
            | Work::Watch { .. }
            | Work::Accept(..)
            | Work::EndTask(..)
            | Work::Draw { .. }
            | Work::Badge { .. }
            | Work::Import(_)
            | Work::Run { .. }
            | Work::List(_) => work.lost(),
            Work::Draft(..) => Outcome::Draft(Ok(None)),
            Work::Filters(account, change) => {
                Outcome::Filters(account, change, Ok(Kept::default()))
            }
            Work::Presets { peer, tool, change } => {
                Outcome::Presets(self.presets(&peer, &tool, change))
            }
            Work::Account => Outcome::Account(self.or_failure(self.account.clone())),
            Work::SignIn { password, .. } => {
                let wrong = ToolError::new(ErrorCode::Unauthorized, "wrong");
                Outcome::SignedIn(match password.expose() {
                    "demo-password" => Ok(self.account.clone()),
                    _ => Err(CallError::Tool(wrong)),
                })
            }
            Work::SignInWays => Outcome::SignInWays(Ok(self.ways.clone())),
            Work::OpenBrowser(SignInTo::Service(provider)) => Outcome::BrowserOpened(Ok(format!(
                "https://frontdesk.test/auth/v1/authorize?provider={provider}&state=abc"
            ))),
            Work::AwaitBrowser => unreachable!("the browser is on another machine"),
            Work::FinishInBrowser(answer) => Outcome::SignedIn(match answer.expose() {
                "http://127.0.0.1:1/?code=good" => Ok(self.account.clone()),
                _ => Err(CallError::Tool(ToolError::new(
                    ErrorCode::Unauthorized,
                    "this address has no code",
                ))),
            }),
            Work::SignOut => Outcome::SignedOut(Ok(())),
            Work::Health(host) => Outcome::Health(
                host,
                self.or_failure(Health {
                    status: "ok".to_owned(),
                    details: serde_json::Map::new(),
                }),
            ),
            Work::Tools(peer) => {
                let mut tools = match peer {
                    Peer::Host(host) => tools(host),
                    Peer::Server(_) => Vec::new(),
                };
                let more = self.tools.iter();
                let more = more.filter(|_| peer == Peer::Host(Host::Events));
                tools.extend(more.cloned());
                Outcome::Tools(peer, self.or_failure(tools))
            }
            Work::Curl(call) => Outcome::Curl(Ok(format!("curl {}", call.tool))),
            Work::GuestLists => Outcome::GuestLists(Vec::new()),
            Work::GuestList(_) => Outcome::GuestList(None),
            Work::KeepGuests(_) => Outcome::GuestsKept,
            Work::Remember(ended) => Outcome::Remembered(match self.disk_is_full {
                true => Err(HistoryError("no space left on device".to_owned())),
                false => {
                    let entry = history::RecordedCall::of(&ended, Keep::Redacted);
                    self.history.extend(entry);
                    Ok(())
                }
            }),
            Work::History(_) => Outcome::History(Ok(Remembered {
                keep: Keep::Redacted,
                entries: self.history.iter().rev().cloned().collect(),
            })),
            Work::Forget(_, what) => {
                self.history.retain(|entry| match what {
                    Forget::One(id) => entry.id != id,
                    Forget::All => false,
                });
                Outcome::Forgotten(Ok(()))
            }
            Work::OpenJournal => Outcome::Journal(Ok(self.journal.clone())),
            Work::Append(happening) => {
                let mut entry = Entry::new(
                    "http://127.0.0.1:8080/events",
                    self.account.id,
                    happening.event,
                    happening.guest.unwrap_or(GuestId(Uuid::nil())),
                    happening.name,
                    happening.at,
                    happening.action,
                );
                entry.id = Uuid::from_u128(self.journal.len() as u128 + 1);
                entry.walk_in = happening.walk_in;
                entry.scanned = happening.scanned;
                entry.code = happening.code;
                if happening.guest.is_none() {
                    entry.guest_id = GuestId(entry.id);
                }
                let result = match self.disk_is_full {
                    true => Err(JournalError("no space left on device".to_owned())),
                    false => {
                        self.journal.push(entry.clone());
                        Ok(())
                    }
                };
                Outcome::Appended {
                    entry: Some(entry),
                    result,
                }
            }
            Work::Withdraw(entry) => {
                self.journal.retain(|other| other.id != entry.id);
                Outcome::Withdrawn(Ok(()))
            }
            Work::TakeOver(entries) => Outcome::TakenOver(Ok(entries)),
            Work::Deliver { entry, .. } => Outcome::Delivered(self.deliver(&entry)),
        }
    }

    fn presets(
        &mut self,
        peer: &str,
        tool: &str,
        change: PresetChange,
    ) -> Result<Kept, PresetError> {
        if self.disk_is_full && change != PresetChange::Nothing {
            return Err(PresetError("no space left on device".to_owned()));
        }
        match change {
            PresetChange::Nothing => {}
            PresetChange::Save(preset) => {
                self.presets.retain(|one| one.name != preset.name);
                self.presets.push(preset);
            }
            PresetChange::Remove(name) => self.presets.retain(|one| one.name != name),
        }
        let own = self.presets.iter();
        let own = own.filter(|one| one.peer == peer && one.tool == tool);
        Ok(Kept {
            presets: own.cloned().collect(),
            aside: None,
        })
    }

    fn or_failure<T>(&self, value: T) -> Result<T, CallError> {
        match &self.failure {
            Some(error) => Err(error.clone()),
            None => Ok(value),
        }
    }

    fn deliver(&mut self, entry: &Entry) -> Result<Delivery, CallError> {
        self.calls.push("deliver".to_owned());
        self.or_failure(())?;
        self.journal.retain(|other| other.id != entry.id);
        let mut id = entry.guest_id;
        if let Some(walk_in) = &entry.walk_in {
            let number = self.guests.len() as u128 + 500;
            let guest = super::guest(number, walk_in.name.as_str());
            id = guest.id;
            self.guests.push(guest);
        }
        let Some(guest) = self.guests.iter_mut().find(|guest| guest.id == id) else {
            let outcome = journal::DeliveryOutcome::Refused {
                message: "there is no such guest".to_owned(),
            };
            return Ok(Delivery {
                refusal: Some(CallError::Tool(ToolError::not_found("guest"))),
                ..Delivery::new(outcome, None)
            });
        };
        let outcome = match (entry.action, guest.check_in_at) {
            (Action::Undo | Action::TakeBack, _) => {
                guest.check_in_at = None;
                journal::DeliveryOutcome::Delivered
            }
            (Action::CheckIn | Action::Add, Some(at)) => journal::DeliveryOutcome::Already { at },
            (Action::CheckIn | Action::Add, None) => {
                guest.check_in_at = Some(entry.at);
                journal::DeliveryOutcome::Delivered
            }
        };
        Ok(Delivery::new(outcome, Some(guest.clone())))
    }

    /// Answers a call as the test, or the data, says.
    fn call(&mut self, call: ToolCall) -> Answer {
        self.calls.push(call.tool.clone());
        if call.by_hand {
            self.asked.push(call.clone());
            let next = self.answers.pop_front();
            let next = next.unwrap_or_else(|| Ok(json!({})));
            let content = std::mem::take(&mut self.contents);
            let next = next.map(|value| Reply {
                content,
                ..Reply::from(value)
            });
            return call.answer(self.or_failure(()).and(next));
        }
        if call.options.expected_plan.is_some() {
            self.applied.push(call.clone());
        }
        let result = match (self.or_failure(()), self.served.get(call.tool.as_str())) {
            (Err(error), _) => Err(error),
            (Ok(()), Some(serve)) => Arc::clone(serve)(self, call.arguments.clone()),
            (Ok(()), None) => {
                let none = Err(CallError::Protocol("the test has no answer".to_owned()));
                self.plans.pop_front().unwrap_or(none)
            }
        };
        call.answer(result.map(Reply::from))
    }

    /// From now on calls of this tool are answered like this.
    pub(crate) fn serve<T: Tool>(
        &mut self,
        serve: impl Fn(&mut Inner, T) -> Result<T::Output, CallError> + Send + Sync + 'static,
    ) {
        let serve = move |inner: &mut Inner, arguments| {
            let arguments = wire::read(&Value::Object(arguments));
            let output = serve(inner, arguments.expect("are the tool's arguments"))?;
            Ok(output.write())
        };
        self.served.insert(T::NAME, Arc::new(serve));
    }
}
