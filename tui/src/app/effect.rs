//! What `update` asks for: plain data, carried out beside the loop.

use std::path::PathBuf;
use std::sync::Arc;

use frontdesk_client::history::Ended;
use frontdesk_client::presets::Kept;
use frontdesk_client::{Account, CallError, Delivery, Entry, GuestList, Health, Secret, ToolInfo};
use frontdesk_protocol::id::UserId;
use frontdesk_protocol::{Host, Tool};
use jiff::Timestamp;
use ratatui::layout::Size;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::editor::{Draft, EditorError};
use super::history::{Forget, HistoryError, Remembered};
use super::journal::{Happening, JournalError};
use super::peer::{Peer, Reply};
use super::picture::Drawn;
use super::presets::{PresetChange, PresetError};

/// Identifies one request. Later requests have greater numbers, so that the number is also the
/// request's generation: whoever asked again drops the answer to what was asked before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct RequestId(pub(crate) u64);

/// Identifies one opened screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ScreenId(pub(crate) u64);

/// Who asked, and is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Owner {
    /// The app itself: the session, toasts, the spinner.
    App,
    /// The service of this name.
    Service(&'static str),
    /// A screen, as long as it is open.
    Screen(ScreenId),
}

/// What `update` asks for.
#[derive(Debug, Clone)]
pub(crate) enum Effect {
    /// Do this, and answer with [`super::msg::What::Done`].
    Run {
        request: RequestId,
        owner: Owner,
        work: Box<Work>,
    },
    /// The answer to this request is of no interest any more. Only for what changes nothing, or where
    /// a server is told to stop and the person that the outcome is not known.
    Abort(RequestId),
    /// Send [`super::msg::What::Fired`] at this time.
    Timer {
        request: RequestId,
        owner: Owner,
        at: Timestamp,
    },
    /// Do not send it.
    CancelTimer(RequestId),
    /// Put this on the clipboard, through the terminal.
    Copy(String),
    /// Give the terminal back to the shell until it continues us.
    Suspend,
    /// Ring the terminal's bell.
    Ring,
    /// Draw the next frame whole, whatever the terminal shows now.
    Redraw,
    /// Let the person edit a text in their own editor, and answer with
    /// [`super::msg::What::Done`].
    Edit {
        request: RequestId,
        owner: Owner,
        draft: Draft,
    },
    /// Leave.
    Quit,
}

/// What takes time. Everything here ends in exactly one [`Outcome`].
#[derive(Debug, Clone)]
pub(crate) enum Work {
    /// Ask who is signed in.
    Account,
    /// Sign in.
    SignIn { email: String, password: Secret },
    /// Ask through which providers one can sign in.
    Providers,
    /// Begin a sign-in through this provider, and open it in a browser where there is one.
    OpenBrowser(String),
    /// Wait until the browser comes back, and end the sign-in that was begun last.
    AwaitBrowser,
    /// End it with the address of the page that the browser has ended on.
    FinishInBrowser(Secret),
    /// Sign out, and forget the credentials.
    SignOut,
    /// Ask a host whether it is well.
    Health(Host),
    /// Ask a host or a server what it offers.
    Tools(Peer),
    /// Call a tool.
    Call(ToolCall),
    /// Write a call of a tool as a curl command.
    Curl(ToolCall),
    /// Read the check-ins that still wait on disk.
    OpenJournal,
    /// Write to disk what happened at the door.
    Append(Happening),
    /// Strike out what is no longer to be delivered.
    Withdraw(Entry),
    /// Deliver what waits, and strike it out once the host has it.
    Deliver(Entry),
    /// Read the guest lists that are on disk.
    GuestLists,
    /// Keep a guest list on disk.
    KeepGuests(Box<GuestList>),
    /// Write down a call that has ended.
    Remember(Box<Ended>),
    /// Read the calls of an account, or of nobody.
    History(Option<UserId>),
    /// Take calls of an account out.
    Forget(Option<UserId>, Forget),
    /// Change the presets of a tool, and read them.
    Presets {
        peer: String,
        tool: String,
        change: PresetChange,
    },
    /// Draw a picture in this many cells.
    Draw { bytes: Arc<[u8]>, size: Size },
    /// Write a new file of this name, or of one like it that is not taken.
    Export { name: String, contents: Vec<u8> },
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ToolCall {
    pub(crate) peer: Peer,
    pub(crate) tool: String,
    pub(crate) arguments: Map<String, Value>,
    /// It is to carry out the plan of this digest, or nothing.
    pub(crate) expected_plan: Option<String>,
    /// It reads, or is a dry run.
    pub(crate) changes_nothing: bool,
    /// The person filled in its arguments: the history keeps it.
    pub(crate) by_hand: bool,
}

impl ToolCall {
    /// The call of a declared tool with these arguments.
    pub(crate) fn of<T: Tool>(arguments: &T) -> Self {
        let arguments = match serde_json::to_value(arguments) {
            Ok(Value::Object(arguments)) => arguments,
            // Arguments are structs, whose fields all have a JSON.
            _ => Map::new(),
        };
        let is_dry_run = arguments.get("dry_run") == Some(&Value::Bool(true));
        ToolCall {
            peer: Peer::Host(T::HOST),
            tool: T::NAME.to_owned(),
            arguments,
            expected_plan: None,
            changes_nothing: T::EFFECT.read_only || is_dry_run,
            by_hand: false,
        }
    }

    /// Its answer.
    pub(crate) fn answer(&self, result: Result<Reply, CallError>) -> Answer {
        Answer {
            peer: self.peer.clone(),
            tool: self.tool.clone(),
            written: self.writes_at(),
            result,
        }
    }

    /// The host at which it changes something.
    pub(crate) fn writes_at(&self) -> Option<Host> {
        match self.peer {
            Peer::Host(host) if !self.changes_nothing => Some(host),
            _ => None,
        }
    }
}

/// What a tool answered to a call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answer {
    pub(crate) peer: Peer,
    pub(crate) tool: String,
    /// The host at which the call was to change something.
    pub(crate) written: Option<Host>,
    pub(crate) result: Result<Reply, CallError>,
}

impl Answer {
    /// The answer of this tool; `None` where another tool was called.
    pub(crate) fn of<T: Tool>(&self) -> Option<Result<T::Output, CallError>> {
        if self.tool != T::NAME || self.peer != Peer::Host(T::HOST) {
            return None;
        }
        let decode = |reply: &Reply| {
            T::Output::deserialize(&reply.value)
                .map_err(|error| CallError::Protocol(format!("{}: {error}", T::NAME)))
        };
        Some(self.result.as_ref().map_err(Clone::clone).and_then(decode))
    }
}

/// How work ended.
#[derive(Debug, Clone)]
pub(crate) enum Outcome {
    /// What a tool answered.
    Call(Answer),
    Account(Result<Account, CallError>),
    SignedIn(Result<Account, CallError>),
    Providers(Result<Vec<String>, CallError>),
    /// What is to be opened in a browser.
    BrowserOpened(Result<String, CallError>),
    SignedOut(Result<(), CallError>),
    Health(Host, Result<Health, CallError>),
    Tools(Peer, Result<Vec<ToolInfo>, CallError>),
    /// The command, or why there is none.
    Curl(Result<String, String>),
    Journal(Result<Vec<Entry>, JournalError>),
    /// The entry can be delivered from memory even where the disk would not take it.
    Appended {
        entry: Option<Entry>,
        result: Result<(), JournalError>,
    },
    Withdrawn(Result<(), JournalError>),
    Delivered(Result<Delivery, CallError>),
    /// The guest lists on disk, the last one first; none where they cannot be read.
    GuestLists(Vec<GuestList>),
    /// The disk has taken a guest list, or has not.
    GuestsKept,
    Remembered(Result<(), HistoryError>),
    History(Result<Remembered, HistoryError>),
    Forgotten(Result<(), HistoryError>),
    /// The presets of the tool, after the change.
    Presets(Result<Kept, PresetError>),
    /// What the person made of a text in their editor.
    Edited(Result<String, EditorError>),
    Drawn(Result<Drawn, String>),
    /// Where the file is.
    Exported(Result<PathBuf, ExportError>),
}

/// A file could not be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub(crate) struct ExportError {
    /// The file, or where it was to be.
    pub(crate) path: PathBuf,
    /// Why, as the system said.
    pub(crate) reason: String,
}

impl Work {
    /// How the work ends when it was lost on the way: its task ended without a result.
    pub(crate) fn lost(&self) -> Outcome {
        let error = || CallError::OutcomeUnknown("the task that did it ended early".to_owned());
        let journal = || JournalError("the task that wrote it ended early".to_owned());
        let history = || HistoryError("the task that did it ended early".to_owned());
        match self {
            Work::Call(call) => Outcome::Call(call.answer(Err(error()))),
            Work::Account => Outcome::Account(Err(error())),
            Work::SignIn { .. } | Work::AwaitBrowser | Work::FinishInBrowser(_) => {
                Outcome::SignedIn(Err(error()))
            }
            Work::Providers => Outcome::Providers(Err(error())),
            Work::OpenBrowser(_) => Outcome::BrowserOpened(Err(error())),
            Work::SignOut => Outcome::SignedOut(Err(error())),
            Work::Health(host) => Outcome::Health(*host, Err(error())),
            Work::Tools(peer) => Outcome::Tools(peer.clone(), Err(error())),
            Work::Curl(_) => Outcome::Curl(Err(error().to_string())),
            Work::OpenJournal => Outcome::Journal(Err(journal())),
            Work::Append(_) => Outcome::Appended {
                entry: None,
                result: Err(journal()),
            },
            Work::Withdraw(_) => Outcome::Withdrawn(Err(journal())),
            Work::Deliver(_) => Outcome::Delivered(Err(error())),
            Work::GuestLists => Outcome::GuestLists(Vec::new()),
            Work::KeepGuests(_) => Outcome::GuestsKept,
            Work::Remember(_) => Outcome::Remembered(Err(history())),
            Work::History(_) => Outcome::History(Err(history())),
            Work::Forget(..) => Outcome::Forgotten(Err(history())),
            Work::Presets { .. } => Outcome::Presets(Err(PresetError(journal().0))),
            Work::Draw { .. } => Outcome::Drawn(Err(error().to_string())),
            Work::Export { name, .. } => Outcome::Exported(Err(ExportError {
                path: PathBuf::from(name),
                reason: journal().to_string(),
            })),
        }
    }
}

impl Outcome {
    /// Whether a host of the service said it.
    pub(crate) fn is_of_host(&self) -> bool {
        match self {
            Outcome::Call(answer) => matches!(answer.peer, Peer::Host(_)),
            Outcome::Account(_) => true,
            _ => false,
        }
    }

    /// The host of the service that was called, if a tool was.
    pub(crate) fn host(&self) -> Option<Host> {
        match self {
            Outcome::Call(answer) => match answer.peer {
                Peer::Host(host) => Some(host),
                Peer::Server(_) => None,
            },
            Outcome::Delivered(_) => Some(Host::Events),
            _ => None,
        }
    }

    /// Why it failed, if a call did.
    pub(crate) fn error(&self) -> Option<&CallError> {
        match self {
            Outcome::Call(answer) => answer.result.as_ref().err(),
            Outcome::Account(result) | Outcome::SignedIn(result) => result.as_ref().err(),
            Outcome::SignedOut(result) => result.as_ref().err(),
            Outcome::Health(_, result) => result.as_ref().err(),
            Outcome::Tools(_, result) => result.as_ref().err(),
            Outcome::Delivered(result) => result.as_ref().err(),
            Outcome::BrowserOpened(result) => result.as_ref().err(),
            // Whoever cannot tell has no providers.
            Outcome::Providers(_)
            | Outcome::Journal(_)
            | Outcome::Appended { .. }
            | Outcome::Withdrawn(_)
            | Outcome::GuestLists(_)
            | Outcome::GuestsKept
            | Outcome::Remembered(_)
            | Outcome::History(_)
            | Outcome::Forgotten(_)
            | Outcome::Edited(_)
            | Outcome::Drawn(_)
            | Outcome::Presets(_)
            | Outcome::Exported(_)
            | Outcome::Curl(_) => None,
        }
    }
}
