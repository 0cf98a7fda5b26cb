//! The effects requested by `update`: plain data, executed outside the loop.

use std::path::PathBuf;
use std::sync::Arc;

use frontdesk_client::config::edit::Preference;
use frontdesk_client::history::Ended;
use frontdesk_client::presets::Kept;
use frontdesk_client::question::Decision;
use frontdesk_client::seen::Change;
use frontdesk_client::{
    Account, CallError, Delivery, Entry, GuestList, Health, Preset, Secret, SignInWays, ToolInfo,
};
use frontdesk_protocol::events::event::Event;
use frontdesk_protocol::events::guest::Guest;
use frontdesk_protocol::id::{EventId, UserId};
use frontdesk_protocol::mcp::{Action, CallMeta, Total};
use frontdesk_protocol::wire;
use frontdesk_protocol::{Host, Tool};
use jiff::Timestamp;
use ratatui::layout::Size;
use serde_json::{Map, Value};

use super::drafts::DraftChange;
use super::editor::{Draft, EditorError};
use super::filters::FilterChange;
use super::journal::{Happening, JournalError};
use super::picture::Drawn;
use super::presets::{PresetChange, PresetError};
use super::program::Ran;
use super::servers::Visit;
use super::sheets::{ImportJob, ImportReport, ListJob};
use super::starting::{Done, Job};
use crate::app::asked::Asked;
use crate::app::history::{Forget, HistoryError, Remembered};
use crate::app::peer::{Peer, Reply};

/// The id of a request. Ids increase, so they also serve as generations: after a new request, the
/// answers to older ones are dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct RequestId(pub(crate) u64);

/// The id of an open screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ScreenId(pub(crate) u64);

/// The owner of a request, who receives the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Owner {
    /// The app itself: the session, toasts, the spinner.
    App,
    /// The service with this name.
    Service(&'static str),
    /// A screen, while it is open.
    Screen(ScreenId),
}

/// An effect requested by `update`.
#[derive(Debug, Clone)]
pub(crate) enum Effect {
    /// Run this and answer with [`crate::app::msg::What::Done`].
    Run {
        request: RequestId,
        owner: Owner,
        work: Box<Work>,
    },
    /// Cancel this request. Only for reads, or if a server is told to stop and the user is told
    /// that the outcome is unknown.
    Abort(RequestId),
    /// Send [`crate::app::msg::What::Fired`] at this time.
    Timer {
        request: RequestId,
        owner: Owner,
        at: Timestamp,
    },
    /// Cancel this timer.
    CancelTimer(RequestId),
    /// Copy this to the clipboard, through the terminal.
    Copy(String),
    /// Open this address in the browser.
    Open(String),
    /// Return the terminal to the shell until it continues this process.
    Suspend,
    /// Ring the terminal's bell.
    Ring,
    /// Draw the next frame completely.
    Redraw,
    /// Edit a text in the user's editor, and answer with [`crate::app::msg::What::Done`].
    Edit {
        request: RequestId,
        owner: Owner,
        draft: Draft,
    },
    /// Pass on the decision about a question of a server.
    Decide(Asked, Decision),
    /// Quit.
    Quit,
}

/// Asynchronous work. Each ends with exactly one [`Outcome`].
#[derive(Debug, Clone)]
pub(crate) enum Work {
    /// Fetch the signed-in account.
    Account,
    /// Sign in.
    SignIn {
        email: String,
        password: Secret,
        /// The organisation's name, if the password fits accounts at several.
        organization: Option<String>,
    },
    /// Fetch the ways to sign in.
    SignInWays,
    /// Start a sign-in in a browser, and open it if possible.
    OpenBrowser(SignInTo),
    /// Wait for the redirect, and complete the last sign-in.
    AwaitBrowser,
    /// Complete it with the redirect address.
    FinishInBrowser(Secret),
    /// Change the password of the signed-in account.
    ChangePassword { current: Secret, new: Secret },
    /// Sign out, and delete the credentials.
    SignOut,
    /// Fetch the health of a host.
    Health(Host),
    /// Fetch the tools of a host or a server.
    Tools(Peer),
    /// Load the page of a server: its description, resources and prompts. With a level, ask it first
    /// for log messages of this level and worse.
    Visit(String, Option<&'static str>),
    /// End the task with this id at this server.
    EndTask(String, String),
    /// Accept changed tools of a server.
    Accept(String, Vec<Change>),
    /// Subscribe to this resource of a server, and to no other; `None` ends the subscription.
    Watch { server: String, uri: Option<String> },
    /// Call a tool.
    Call(ToolCall),
    /// Format a tool call as a curl command.
    Curl(ToolCall),
    /// Read the undelivered check-ins from disk.
    OpenJournal,
    /// Write an action at the door to disk.
    Append(Happening),
    /// Remove an entry that must not be delivered.
    Withdraw(Entry),
    /// Note in the journal who has taken over these entries.
    TakeOver(Vec<Entry>),
    /// Deliver an entry, and settle it once the host has it; `is_again` if an earlier answer may be lost.
    Deliver { entry: Entry, is_again: bool },
    /// Read from disk which events have guest lists.
    GuestLists,
    /// Read the guest list of an event from disk.
    GuestList(EventId),
    /// Save a guest list to disk.
    KeepGuests(Box<GuestList>),
    /// Record a finished call.
    Remember(Box<Ended>),
    /// Read the recorded calls of an account, or those without one.
    History(Option<UserId>),
    /// Delete recorded calls of an account.
    Forget(Option<UserId>, Forget),
    /// Change the presets of a tool, and read them.
    Presets {
        peer: String,
        tool: String,
        change: PresetChange,
    },
    /// Read or change the draft of a form.
    Draft(Option<UserId>, DraftChange),
    /// Change the saved filters of an account, and read them.
    Filters(UserId, FilterChange),
    /// Render a picture at this size.
    Draw { bytes: Arc<[u8]>, size: Size },
    /// Write a new file with this name, or a similar unused one.
    Export { name: String, contents: Vec<u8> },
    /// Print the badge of a guest of the event with this name, or write it to a new file.
    Badge { event: String, guest: Box<Guest> },
    /// Check or import a spreadsheet.
    Import(Box<ImportJob>),
    /// Fetch all pages of a list as a text.
    List(Box<ListJob>),
    /// Run a program for the command of the user with this name.
    Run { name: String, line: Vec<String> },
    /// Change a setting in the configuration file.
    Configure(Preference),
    /// Work of the start screen.
    Start(Box<Job>),
}

/// Where a sign-in in a browser leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SignInTo {
    /// To the service, through this provider.
    Service(String),
    /// To the server with this name.
    Server(String),
}

/// What a call asks of its peer. All but tools are those of other servers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Method {
    /// The tool of its name.
    #[default]
    Tool,
    /// The list of resources and of templates of their addresses.
    Resources,
    /// The resource at the address or the template that is its name.
    Read,
    /// The list of prompts.
    Prompts,
    /// The prompt of its name.
    Prompt,
    /// The tasks that were begun at the server.
    Tasks,
    /// The result of the task with this id.
    TaskResult(String),
    /// Suggestions for this argument of the prompt or template that is its name.
    Complete(String),
}

/// The options of a call in addition to its arguments.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct CallOptions {
    /// What is asked, if it is not a tool.
    pub(crate) method: Method,
    /// Make the call, answer with its changes, and roll it back.
    pub(crate) preview: bool,
    /// Apply the plan with this digest, or nothing.
    pub(crate) expected_plan: Option<String>,
    /// A preview and its call, or a repeated call, have the same key.
    pub(crate) idempotency_key: Option<String>,
    /// How a list counts its records.
    pub(crate) total: Option<Total>,
    /// `get_event` has the guests that changed since then.
    pub(crate) guests_since: Option<Box<str>>,
    /// The values that the call replaces: it is refused if they are others by now.
    pub(crate) was: Option<Box<Map<String, Value>>>,
    /// The action that the call belongs to.
    pub(crate) action: Option<Action>,
}

impl CallOptions {
    /// The options as sent.
    pub(crate) fn meta(&self) -> CallMeta {
        CallMeta {
            preview: self.preview,
            expected_plan: self.expected_plan.clone(),
            idempotency_key: self.idempotency_key.clone(),
            total: self.total,
            guests_since: self.guests_since.as_deref().map(str::to_owned),
            was: self.was.as_deref().cloned().unwrap_or_default(),
            action: self.action,
            ..CallMeta::default()
        }
    }
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ToolCall {
    pub(crate) peer: Peer,
    pub(crate) tool: String,
    pub(crate) arguments: Map<String, Value>,
    pub(crate) options: CallOptions,
    /// It only reads, or is a dry run or a preview.
    pub(crate) changes_nothing: bool,
    /// The user entered the arguments, so the call is recorded in the history.
    pub(crate) by_hand: bool,
}

impl ToolCall {
    /// The call of a declared tool with these arguments.
    pub(crate) fn of<T: Tool>(arguments: &T) -> Self {
        let mut written = Map::new();
        arguments.write_into(&mut written);
        let is_dry_run = written.get("dry_run") == Some(&Value::Bool(true));
        ToolCall {
            peer: Peer::Host(T::HOST),
            tool: T::NAME.to_owned(),
            arguments: written,
            options: CallOptions::default(),
            changes_nothing: T::EFFECT.read_only || is_dry_run,
            by_hand: false,
        }
    }

    /// The answer to this call.
    pub(crate) fn answer(&self, result: Result<Reply, CallError>) -> Answer {
        Answer {
            peer: self.peer.clone(),
            tool: self.tool.clone(),
            written: self.writes_at(),
            allowance: None,
            result,
        }
    }

    /// The host to which it writes.
    pub(crate) fn writes_at(&self) -> Option<Host> {
        self.peer.host().filter(|_| !self.changes_nothing)
    }
}

/// The answer to a tool call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answer {
    pub(crate) peer: Peer,
    pub(crate) tool: String,
    /// The host to which the call wrote.
    pub(crate) written: Option<Host>,
    /// How many calls the host still accepts at once, if it says.
    pub(crate) allowance: Option<u32>,
    pub(crate) result: Result<Reply, CallError>,
}

impl Answer {
    /// The answer of this tool; `None` if another tool was called.
    pub(crate) fn of<T: Tool>(&self) -> Option<Result<T::Output, CallError>> {
        if self.tool != T::NAME || self.peer != Peer::Host(T::HOST) {
            return None;
        }
        let decode = |reply: &Reply| {
            wire::read(&reply.value)
                .map_err(|error| CallError::Protocol(format!("{}: {error}", T::NAME)))
        };
        Some(self.result.as_ref().map_err(Clone::clone).and_then(decode))
    }
}

/// The result of work.
#[derive(Debug, Clone)]
pub(crate) enum Outcome {
    /// The answer of a tool.
    Call(Answer),
    Account(Result<Account, CallError>),
    SignedIn(Result<Account, CallError>),
    /// A sign-in to the server with this name has ended.
    SignedInTo(String, Result<(), CallError>),
    SignInWays(Result<SignInWays, CallError>),
    /// The address to open in a browser.
    BrowserOpened(Result<String, CallError>),
    PasswordChanged(Result<(), CallError>),
    SignedOut(Result<(), CallError>),
    Health(Host, Result<Health, CallError>),
    Tools(Peer, Result<Vec<ToolInfo>, CallError>),
    Visited(String, Result<Box<Visit>, CallError>),
    /// A task of this server was ended.
    TaskEnded(String, Result<(), CallError>),
    /// Why the changes are not stored.
    Accepted(Result<(), String>),
    /// The subscription was changed, if the server offers that.
    Watched,
    /// The command, or why there is none.
    Curl(Result<String, String>),
    Journal(Result<Vec<Entry>, JournalError>),
    /// The entry can be delivered from memory even if the disk refused it.
    Appended {
        entry: Option<Entry>,
        result: Result<(), JournalError>,
    },
    Withdrawn(Result<(), JournalError>),
    TakenOver(Result<Vec<Entry>, JournalError>),
    Delivered(Result<Delivery, CallError>),
    /// The events with guest lists on disk, and the times of these, the newest first; empty if they cannot be read.
    GuestLists(Vec<(Event, Timestamp)>),
    /// The guest list on disk; `None` if it does not exist or cannot be read.
    GuestList(Option<Box<GuestList>>),
    /// Saving a guest list has ended, successfully or not.
    GuestsKept,
    Remembered(Result<(), HistoryError>),
    History(Result<Remembered, HistoryError>),
    Forgotten(Result<(), HistoryError>),
    /// The presets of the tool after the change.
    Presets(Result<Kept, PresetError>),
    /// The draft that was read.
    Draft(Result<Option<Preset>, PresetError>),
    /// The saved filters of the account after the change.
    Filters(UserId, FilterChange, Result<Kept, PresetError>),
    /// The edited text.
    Edited(Result<String, EditorError>),
    Drawn(Result<Drawn, String>),
    /// The path of the file.
    Exported(Result<PathBuf, ExportError>),
    /// The badge of the guest with this name was printed, or why not.
    Printed {
        name: String,
        result: Result<(), String>,
    },
    /// The program of the command with this name ended, or did not start.
    Ran {
        name: String,
        result: Result<Ran, String>,
    },
    Imported(Result<Box<ImportReport>, String>),
    /// The text, and the number of records.
    Listed(Result<(Vec<u8>, usize), CallError>),
    /// Why the setting is not kept.
    Configured(Result<(), String>),
    /// Why it failed, as a sentence.
    Start(Result<Done, String>),
}

/// The file name of a badge.
pub(crate) const BADGE: &str = "badge.pdf";

/// A file could not be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub(crate) struct ExportError {
    /// The path of the file.
    pub(crate) path: PathBuf,
    /// The error of the system.
    pub(crate) reason: String,
}

impl Work {
    /// The outcome if the task ended without a result.
    pub(crate) fn lost(&self) -> Outcome {
        let error = || CallError::no_answer("the task that did it ended early");
        let journal = || JournalError("the task that wrote it ended early".to_owned());
        let history = || HistoryError("the task that did it ended early".to_owned());
        match self {
            Work::Call(call) => Outcome::Call(call.answer(Err(error()))),
            Work::Account => Outcome::Account(Err(error())),
            Work::SignIn { .. } | Work::AwaitBrowser | Work::FinishInBrowser(_) => {
                Outcome::SignedIn(Err(error()))
            }
            Work::SignInWays => Outcome::SignInWays(Err(error())),
            Work::OpenBrowser(_) => Outcome::BrowserOpened(Err(error())),
            Work::ChangePassword { .. } => Outcome::PasswordChanged(Err(error())),
            Work::SignOut => Outcome::SignedOut(Err(error())),
            Work::Health(host) => Outcome::Health(*host, Err(error())),
            Work::Tools(peer) => Outcome::Tools(peer.clone(), Err(error())),
            Work::Visit(server, _) => Outcome::Visited(server.clone(), Err(error())),
            Work::Watch { .. } => Outcome::Watched,
            Work::EndTask(server, _) => Outcome::TaskEnded(server.clone(), Err(error())),
            Work::Accept(..) => Outcome::Accepted(Err(error().to_string())),
            Work::Curl(_) => Outcome::Curl(Err(error().to_string())),
            Work::OpenJournal => Outcome::Journal(Err(journal())),
            Work::Append(_) => Outcome::Appended {
                entry: None,
                result: Err(journal()),
            },
            Work::Withdraw(_) => Outcome::Withdrawn(Err(journal())),
            Work::TakeOver(_) => Outcome::TakenOver(Err(journal())),
            Work::Deliver { .. } => Outcome::Delivered(Err(error())),
            Work::GuestLists => Outcome::GuestLists(Vec::new()),
            Work::GuestList(_) => Outcome::GuestList(None),
            Work::KeepGuests(_) => Outcome::GuestsKept,
            Work::Remember(_) => Outcome::Remembered(Err(history())),
            Work::History(_) => Outcome::History(Err(history())),
            Work::Forget(..) => Outcome::Forgotten(Err(history())),
            Work::Presets { .. } => Outcome::Presets(Err(PresetError(journal().0))),
            Work::Draft(..) => Outcome::Draft(Err(PresetError(journal().0))),
            Work::Filters(account, change) => {
                let error = PresetError(journal().0);
                Outcome::Filters(*account, change.clone(), Err(error))
            }
            Work::Draw { .. } => Outcome::Drawn(Err(error().to_string())),
            Work::Run { name, .. } => Outcome::Ran {
                name: name.clone(),
                result: Err(error().to_string()),
            },
            Work::Configure(_) => Outcome::Configured(Err(error().to_string())),
            Work::Start(_) => Outcome::Start(Err(error().to_string())),
            Work::Badge { .. } => Outcome::Exported(Err(ExportError {
                path: PathBuf::from(BADGE),
                reason: journal().to_string(),
            })),
            Work::Import(_) => Outcome::Imported(Err(error().to_string())),
            Work::List(_) => Outcome::Listed(Err(error())),
            Work::Export { name, .. } => Outcome::Exported(Err(ExportError {
                path: PathBuf::from(name),
                reason: journal().to_string(),
            })),
        }
    }
}

impl Outcome {
    /// Whether a host of the service sent it.
    pub(crate) fn is_of_host(&self) -> bool {
        match self {
            Outcome::Call(answer) => matches!(answer.peer, Peer::Host(_)),
            Outcome::Account(_) => true,
            _ => false,
        }
    }

    /// The host that was called.
    pub(crate) fn host(&self) -> Option<Host> {
        match self {
            Outcome::Call(answer) => answer.peer.host(),
            Outcome::Delivered(_) => Some(Host::Events),
            _ => None,
        }
    }

    /// The error, if a call failed.
    pub(crate) fn error(&self) -> Option<&CallError> {
        match self {
            Outcome::Call(answer) => answer.result.as_ref().err(),
            Outcome::Account(result) | Outcome::SignedIn(result) => result.as_ref().err(),
            Outcome::SignedOut(result) | Outcome::PasswordChanged(result) => result.as_ref().err(),
            Outcome::Health(_, result) => result.as_ref().err(),
            Outcome::Tools(_, result) => result.as_ref().err(),
            Outcome::Visited(_, result) => result.as_ref().err(),
            Outcome::TaskEnded(_, result) | Outcome::SignedInTo(_, result) => result.as_ref().err(),
            Outcome::Delivered(result) => result.as_ref().err(),
            Outcome::BrowserOpened(result) => result.as_ref().err(),
            Outcome::Listed(result) => result.as_ref().err(),
            // Without an answer there is only the password.
            Outcome::SignInWays(_)
            | Outcome::Journal(_)
            | Outcome::Appended { .. }
            | Outcome::Withdrawn(_)
            | Outcome::GuestLists(_)
            | Outcome::GuestList(_)
            | Outcome::GuestsKept
            | Outcome::TakenOver(_)
            | Outcome::Remembered(_)
            | Outcome::History(_)
            | Outcome::Forgotten(_)
            | Outcome::Edited(_)
            | Outcome::Drawn(_)
            | Outcome::Presets(_)
            | Outcome::Draft(_)
            | Outcome::Filters(..)
            | Outcome::Exported(_)
            | Outcome::Printed { .. }
            | Outcome::Ran { .. }
            | Outcome::Imported(_)
            | Outcome::Configured(_)
            | Outcome::Start(_)
            | Outcome::Watched
            | Outcome::Accepted(_)
            | Outcome::Curl(_) => None,
        }
    }
}
