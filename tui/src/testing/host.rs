//! A host in memory, that can be told to fail.

mod served;

use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use frontdesk_client::history::{self, Keep};
use frontdesk_client::presets::Kept;
use frontdesk_client::{
    Account, Action, CallError, Content, Delivery, Entry, Health, Preset, Secret, SignInWays,
    ToolInfo, journal,
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

use super::{account, event, guests, meetings, tools};
use crate::app::effects::browser::{SignInTo, SignedIn};
use crate::app::effects::call::{Answer, ToolCall};
use crate::app::effects::curl::AsCurl;
use crate::app::effects::disk::DiskError;
use crate::app::effects::export::{Export, ExportError};
use crate::app::effects::job::{Job, Outcome, Work, Working};
use crate::app::effects::server_jobs::FetchTools;
use crate::app::effects::session::{
    FetchAccount, FetchWays, FinishInBrowser, OpenBrowser, SignInByPassword, SignOut,
};
use crate::app::effects::worker::Worker;
use crate::app::history::{Forget, ForgetCalls, ReadHistory, Remember, Remembered};
use crate::app::peer::{Peer, Reply};
use crate::app::reporter::Reporter;
use crate::call_form::stored::{ChangeDraft, ChangePresets, PresetChange};
use crate::desk::door::journal::{Append, Deliver, OpenJournal, TakeOver, Unsaved, Withdraw};
use crate::desk::door::lists::{FindLists, KeepList, ReadList};
use crate::records::saved::ChangeFilters;
use crate::screens::home::FetchHealth;

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

/// Whether this is a tool that only reads.
pub(crate) fn is_read(tool: &str) -> bool {
    let mut tools = Host::ALL.into_iter().filter_map(|host| host.tool(tool));
    tools.any(|tool| tool.effect.read_only)
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
    fn run(&self, work: Work, _: Reporter) -> Working {
        let host = self.clone();
        Box::pin(async move {
            let in_browser = work.job::<FinishInBrowser>();
            if in_browser.is_some_and(|job| job.0.is_none()) {
                // The browser is on another machine.
                return std::future::pending().await;
            }
            if !is_on_disk(&work) {
                // A gate that is closed for good is a host that hangs.
                let _ = host.gate.acquire().await;
            }
            host.lock().work(work)
        })
    }
}

fn is_on_disk(work: &Work) -> bool {
    work.job::<OpenJournal>().is_some()
        || work.job::<Append>().is_some()
        || work.job::<Withdraw>().is_some()
        || work.job::<Remember>().is_some()
        || work.job::<ReadHistory>().is_some()
        || work.job::<ForgetCalls>().is_some()
}

/// Answers a job of this type, if it is one.
fn answer<J: Job>(
    work: &Work,
    result: impl FnOnce(&J) -> Result<J::Value, J::Error>,
) -> Option<Outcome> {
    let job = work.job::<J>()?;
    let result = result(&job);
    Some(Outcome::of(job, result))
}

impl Inner {
    fn work(&mut self, work: Work) -> Outcome {
        if let Work::Call(call) = work {
            return Outcome::Call(self.call(*call));
        }
        let done = (self.account_work(&work))
            .or_else(|| self.disk_work(&work))
            .or_else(|| self.door_work(&work))
            .or_else(|| self.other_work(&work));
        done.unwrap_or_else(|| work.lost())
    }

    fn account_work(&self, work: &Work) -> Option<Outcome> {
        let refused = |why: &str| CallError::Tool(ToolError::new(ErrorCode::Unauthorized, why));
        let address =
            |to: &str| format!("https://frontdesk.test/auth/v1/authorize?provider={to}&state=abc");
        answer(work, |FetchAccount| self.or_failure(self.account.clone()))
            .or_else(|| answer(work, |FetchWays| Ok(self.ways.clone())))
            .or_else(|| answer(work, |SignOut| Ok(())))
            .or_else(|| {
                answer(work, |job: &SignInByPassword| match job.password.expose() {
                    "demo-password" => Ok(self.account.clone()),
                    _ => Err(refused("wrong")),
                })
            })
            .or_else(|| match &work.job::<OpenBrowser>()?.0 {
                SignInTo::Service(to) => answer(work, |_: &OpenBrowser| Ok(address(to))),
                SignInTo::Server(_) => None,
            })
            .or_else(|| {
                answer(work, |FinishInBrowser(answer)| {
                    match answer.as_ref().map(Secret::expose) {
                        Some("http://127.0.0.1:1/?code=good") => {
                            Ok(SignedIn::Service(self.account.clone()))
                        }
                        _ => Err(refused("this address has no code")),
                    }
                })
            })
    }

    fn disk_work(&mut self, work: &Work) -> Option<Outcome> {
        let full = || DiskError("no space left on device".to_owned());
        let is_full = self.disk_is_full;
        answer(work, |job: &Export| {
            let text = String::from_utf8_lossy(&job.contents).into_owned();
            let path = PathBuf::from("/exports").join(&job.name);
            self.exported.push((job.name.clone(), text));
            match is_full {
                true => Err(ExportError {
                    path,
                    reason: full().0,
                }),
                false => Ok(path),
            }
        })
        .or_else(|| {
            answer(work, |Remember(ended)| match is_full {
                true => Err(full()),
                false => {
                    let entry = history::RecordedCall::of(ended, Keep::Redacted);
                    self.history.extend(entry);
                    Ok(())
                }
            })
        })
        .or_else(|| {
            answer(work, |ReadHistory(_)| {
                Ok(Remembered {
                    keep: Keep::Redacted,
                    entries: self.history.iter().rev().cloned().collect(),
                })
            })
        })
        .or_else(|| {
            answer(work, |ForgetCalls(_, what)| {
                self.history.retain(|entry| match what {
                    Forget::One(id) => entry.id != *id,
                    Forget::All => false,
                });
                Ok(())
            })
        })
        .or_else(|| {
            answer(work, |job: &ChangePresets| match is_full {
                true if job.change != PresetChange::Nothing => Err(full()),
                _ => Ok(self.presets(job)),
            })
        })
        .or_else(|| answer(work, |ChangeDraft(..)| Ok(None)))
    }

    fn door_work(&mut self, work: &Work) -> Option<Outcome> {
        answer(work, |OpenJournal| Ok(self.journal.clone()))
            .or_else(|| {
                answer(work, |append: &Append| {
                    let mut entry = append.entry("http://127.0.0.1:8080/events", &self.account);
                    entry.id = Uuid::from_u128(self.journal.len() as u128 + 1);
                    if append.guest.is_none() {
                        entry.guest_id = GuestId(entry.id);
                    }
                    match self.disk_is_full {
                        true => Err(Unsaved {
                            entry: Some(Box::new(entry)),
                            why: DiskError("no space left on device".to_owned()),
                        }),
                        false => {
                            self.journal.push(entry.clone());
                            Ok(entry)
                        }
                    }
                })
            })
            .or_else(|| {
                answer(work, |Withdraw(entry)| {
                    self.journal.retain(|other| other.id != entry.id);
                    Ok(())
                })
            })
            .or_else(|| answer(work, |TakeOver(entries)| Ok(entries.clone())))
            .or_else(|| answer(work, |job: &Deliver| self.deliver(&job.entry)))
            .or_else(|| answer(work, |FindLists| Ok(Vec::new())))
            .or_else(|| answer(work, |ReadList(_)| Ok(None)))
            .or_else(|| answer(work, |KeepList(_)| Ok(())))
    }

    fn other_work(&self, work: &Work) -> Option<Outcome> {
        let health = || Health {
            status: "ok".to_owned(),
            details: Map::new(),
        };
        answer(work, |FetchHealth(_)| self.or_failure(health()))
            .or_else(|| {
                answer(work, |FetchTools(peer)| {
                    let mut tools = match peer {
                        Peer::Host(host) => tools(*host),
                        Peer::Server(_) => Vec::new(),
                    };
                    if *peer == Peer::Host(Host::Events) {
                        tools.extend(self.tools.iter().cloned());
                    }
                    self.or_failure(tools)
                })
            })
            .or_else(|| answer(work, |AsCurl(call)| Ok(format!("curl {}", call.tool))))
            .or_else(|| answer(work, |_: &ChangeFilters| Ok(Kept::default())))
    }

    fn presets(&mut self, job: &ChangePresets) -> Kept {
        match &job.change {
            PresetChange::Nothing => {}
            PresetChange::Save(preset) => {
                self.presets.retain(|one| one.name != preset.name);
                self.presets.push(preset.clone());
            }
            PresetChange::Remove(name) => self.presets.retain(|one| one.name != *name),
        }
        let own = self.presets.iter();
        let own = own.filter(|one| one.peer == job.peer && one.tool == job.tool);
        Kept {
            presets: own.cloned().collect(),
            aside: None,
        }
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
            (Action::Enter | Action::Leave, _) => journal::DeliveryOutcome::Delivered,
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
