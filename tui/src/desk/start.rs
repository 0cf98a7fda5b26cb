//! The desk that opens with the app (`frontdesk desk EVENT`), and the lock that keeps people at it.

use frontdesk_client::{CODE, CallError, Secret, SignInDetails};
use frontdesk_protocol::Maybe;
use frontdesk_protocol::events::event::{Event, GetEvent, ListEvents};
use frontdesk_protocol::value::{Limit, Line, Offset};
use jiff::Timestamp;

use super::check_in::CheckIn;
use super::door::lists::FindLists;
use crate::app::cx::{Cx, Out};
use crate::app::effects::job::Outcome;
use crate::app::effects::session::SignInByPassword;
use crate::app::owner::{Owner, RequestId};
use crate::app::service::Service;
use crate::app::shared::{Session, Shared};
use crate::app::state::State;
use crate::look::mark::Mark;
use crate::look::text::{clean, fold};
use crate::ui::prompt::Prompt;

/// The service that opens the desk.
pub(crate) const SERVICE: Service = Service {
    name: "first desk",
    begin: open,
    answered,
    fired: |_, _| {},
    host_answered: open,
    resume: open,
    save: |_| {},
    forget: |shared| {
        shared.services.remove::<Opened>();
    },
    is_busy: |_| false,
    waiting: |_| 0,
};

/// The desk was opened, or is being opened, for the account that is signed in.
#[derive(Debug, Clone)]
struct Opened;

/// Locks the desk of the configuration, and asks for its event.
fn open(cx: &mut Cx) {
    let Some(name) = cx.shared.settings.desk.event.clone() else {
        return;
    };
    if !matches!(cx.shared.session, Session::In(_)) || cx.shared.services.get::<Opened>().is_some()
    {
        return;
    }
    cx.shared.services.insert(Opened);
    // Also if the desk cannot be opened, the terminal shows nothing before somebody gives the password.
    cx.shared.is_locked = cx.shared.settings.desk.locked;
    let mut cx = cx.on_behalf(Owner::Service(SERVICE.name));
    match name.parse() {
        Ok(id) => cx.call(GetEvent { id }),
        Err(_) => cx.call(ListEvents {
            search: Line::new(&name).ok(),
            strategy_business_unit_id: None,
            limit: Limit::default(),
            offset: Offset::default(),
        }),
    };
}

/// Opens the desk of the event with the name, of several the one that is nearest in time. If the host does not say, the
/// guest lists on this machine do.
fn answered(cx: &mut Cx, _: RequestId, mut outcome: Outcome) {
    if let Some(ended) = outcome.take::<FindLists>() {
        let found = ended.result.unwrap_or_default();
        if !opens(cx, found) {
            // The next answer of the host tries again.
            cx.shared.services.remove::<Opened>();
        }
        return;
    }
    let Outcome::Call(answer) = outcome else {
        return;
    };
    let now = cx.now();
    let events = match answer.of::<GetEvent>() {
        Some(result) => {
            result.map(|Maybe(known)| known.map(|known| known.event).into_iter().collect())
        }
        None => match answer.of::<ListEvents>() {
            Some(result) => result.map(|page| page.items),
            None => return,
        },
    };
    match events {
        Ok(events) => {
            opens(cx, events.into_iter().map(|event| (event, now)).collect());
        }
        Err(error) => {
            let name = cx.shared.settings.desk.event.as_deref().unwrap_or_default();
            let text = format!(
                "The host does not say which event “{}” is: {error}",
                clean(name)
            );
            cx.toast(Mark::Bad, text);
            cx.on_behalf(Owner::Service(SERVICE.name)).run(FindLists);
        }
    }
}

/// Opens the desk of the event that is meant among these, each as of its time. `false` if none is.
fn opens(cx: &mut Cx, events: Vec<(Event, Timestamp)>) -> bool {
    let name = cx.shared.settings.desk.event.clone().unwrap_or_default();
    let now = cx.now();
    let is_meant = |(event, _): &(Event, Timestamp)| {
        fold(&event.name) == fold(&name) || event.id.to_string() == name
    };
    let apart = |event: &Event| event.start_at.map(|at| at.duration_since(now).abs());
    let events = events.into_iter().filter(is_meant);
    let event = events.min_by_key(|(event, _)| (apart(event).is_none(), apart(event)));
    let is_there = event.is_some();
    match event {
        Some((event, at)) => cx.open(CheckIn::new(event, at)),
        None => cx.toast(Mark::Bad, format!("There is no event “{}”", clean(&name))),
    }
    is_there
}

/// Leaves the desk; a locked one with the password of the account.
pub(crate) fn leave(state: &mut State, out: &mut Out) {
    if !state.shared.is_locked {
        return state.cx(out).back();
    }
    let title = "Leave this desk?";
    let body = "It is locked: give the password of the account that is signed in.";
    state
        .cx(out)
        .raise(Prompt::secret(title, body, |state, out, password| {
            let Some(account) = state.shared.account().cloned() else {
                return Err("nobody is signed in".to_owned());
            };
            let check = SignInByPassword {
                email: account.email,
                password: Secret::new(password),
                details: SignInDetails {
                    organization: account.organization,
                    ..SignInDetails::default()
                },
            };
            state
                .cx(out)
                .run_then(check, |cx, ended| match ended.result {
                    Err(error) if !asks_for_code(&error) => {
                        cx.toast(Mark::Bad, format!("The desk stays locked: {error}"));
                    }
                    // The service asks for a code only if the password is right.
                    Ok(_) | Err(_) => {
                        cx.shared.is_locked = false;
                        // It does not open again by itself.
                        cx.shared.services.insert(Opened);
                        cx.back();
                    }
                });
            Ok(())
        }));
}

fn asks_for_code(error: &CallError) -> bool {
    matches!(error, CallError::Tool(refusal) if refusal.field.as_deref() == Some(CODE))
}

impl Shared {
    /// Whether this text is too short for a locked desk to show names.
    pub(crate) fn hides_names(&self, text: &str) -> bool {
        let letters = text.chars().filter(|char| char.is_alphabetic());
        self.is_locked && letters.count() < LETTERS
    }
}

/// The letters of a name after which a locked desk shows guests.
const LETTERS: usize = 3;
