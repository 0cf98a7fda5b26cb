//! The desk that opens with the app (`frontdesk desk EVENT`), and the lock that keeps people at it.

use frontdesk_client::Secret;
use frontdesk_protocol::events::event::{Event, ListEvents};
use frontdesk_protocol::value::{Limit, Line, Offset};

use super::check_in::CheckIn;
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
    host_answered: |_| {},
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

/// Asks for the event of the configuration.
fn open(cx: &mut Cx) {
    let Some(name) = cx.shared.settings.desk.event.clone() else {
        return;
    };
    if matches!(cx.shared.session, Session::In(_)) && cx.shared.services.get::<Opened>().is_none() {
        cx.shared.services.insert(Opened);
        cx.on_behalf(Owner::Service(SERVICE.name)).call(ListEvents {
            search: Line::new(&name).ok(),
            strategy_business_unit_id: None,
            limit: Limit::default(),
            offset: Offset::default(),
        });
    }
}

/// Opens the desk of the event with the name, of several the one that is nearest in time.
fn answered(cx: &mut Cx, _: RequestId, outcome: Outcome) {
    let (Outcome::Call(answer), Some(name)) = (outcome, cx.shared.settings.desk.event.clone())
    else {
        return;
    };
    let Some(result) = answer.of::<ListEvents>() else {
        return;
    };
    let now = cx.now();
    let is_meant = |event: &Event| fold(&event.name) == fold(&name) || event.id.to_string() == name;
    let apart = |event: &Event| event.start_at.map(|at| at.duration_since(now).abs());
    let events = result.map(|page| page.items.into_iter().filter(is_meant));
    match events.map(|events| events.min_by_key(|event| (apart(event).is_none(), apart(event)))) {
        Ok(Some(event)) => {
            cx.shared.is_locked = cx.shared.settings.desk.locked;
            cx.open(CheckIn::new(event, now));
        }
        Ok(None) => cx.toast(Mark::Bad, format!("There is no event “{}”", clean(&name))),
        Err(error) => {
            // The next sign-in or resumption tries again.
            cx.shared.services.remove::<Opened>();
            cx.toast(
                Mark::Bad,
                format!("The desk of “{}” does not open: {error}", clean(&name)),
            );
        }
    }
}

/// Leaves the desk; a locked one with the password of the account.
pub(super) fn leave(state: &mut State, out: &mut Out) {
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
                organization: account.organization,
            };
            state
                .cx(out)
                .run_then(check, |cx, ended| match ended.result {
                    Ok(_) => {
                        cx.shared.is_locked = false;
                        cx.back();
                    }
                    Err(error) => cx.toast(Mark::Bad, format!("The desk stays locked: {error}")),
                });
            Ok(())
        }));
}

impl Shared {
    /// Whether this text is too short for a locked desk to show names.
    pub(crate) fn hides_names(&self, text: &str) -> bool {
        self.is_locked && text.trim().chars().count() < LETTERS
    }
}

/// The letters of a name after which a locked desk shows guests.
const LETTERS: usize = 3;
