//! Check-ins of another account that wait on this machine: an account of the same organisation may deliver them.

use frontdesk_client::{Account, Action, Entry};
use frontdesk_protocol::Roles;

use super::attempt::Status;
use super::{Door, OWNER, moved, queue};
use crate::app::cx::{Cx, Out};
use crate::app::effects::disk::DiskError;
use crate::app::shared::Session;
use crate::app::state::State;
use crate::desk::door::journal::TakeOver;
use crate::look::mark::Mark;
use crate::look::text::{clean, count};
use crate::ui::confirm::Confirm;

impl Door {
    /// The waiting entries of other accounts of the organisation that this account has the right to deliver.
    fn left_to<'a>(&'a self, account: &'a Account) -> impl Iterator<Item = &'a Entry> {
        let organization = [&account.organization_slug, &account.organization];
        let organization = organization.into_iter().flatten().next();
        let is_teacher = account.role.is_some_and(|role| !Roles::DESK.contains(role));
        let may_deliver = move |entry: &&Entry| {
            let of = entry.made_by.as_ref().map(|by| &by.organization);
            let is_left = entry.deliverer() != account.id && of.is_some() && of == organization;
            let is_check_in = !matches!(entry.action, Action::Add | Action::TakeBack);
            is_left && (!is_teacher || is_check_in && entry.reason.is_none())
        };
        let attempts = self.attempts.iter();
        let waiting = attempts.filter(|attempt| attempt.status == Status::Waiting);
        let entries = waiting.filter_map(|attempt| attempt.entry.as_ref());
        entries.filter(may_deliver)
    }
}

/// Asks once whether the account that is signed in takes over the check-ins of others.
pub(super) fn ask(cx: &mut Cx) {
    let Session::In(account) = cx.shared.session.clone() else {
        return;
    };
    let left = cx.shared.door().left_to(&account);
    let makers = left.filter_map(|entry| entry.made_by.as_ref());
    let mut names: Vec<String> = makers.map(|by| by.name.clone()).collect();
    let number = names.len();
    names.sort_unstable();
    names.dedup();
    let offered = &mut cx.shared.door_mut().offered;
    if number == 0 || offered.replace(account.id) == Some(account.id) {
        return;
    }
    let check_ins = count(number, "check-in", "check-ins");
    let verb = if number == 1 { "waits" } else { "wait" };
    cx.raise(Confirm {
        title: format!("Take over {check_ins}?"),
        body: format!(
            "{check_ins} of {} {verb} on this machine. You deliver them; the history names both of you.",
            clean(&names.join(", "))
        ),
        then: take_over,
    });
}

fn take_over(state: &mut State, out: &mut Out) {
    let mut cx = state.cx(out);
    let mut cx = cx.on_behalf(OWNER);
    let Session::In(account) = &cx.shared.session else {
        return;
    };
    let taken = cx.shared.door().left_to(account).map(|entry| Entry {
        taken_by: Some(account.id),
        // The account before may have added the guest, and its answer was lost.
        asks: entry.asks || entry.action == Action::Add,
        ..entry.clone()
    });
    let taken = taken.collect();
    cx.run(TakeOver(taken));
}

/// Delivers what was taken over, once that is on disk.
pub(super) fn taken(cx: &mut Cx, result: Result<Vec<Entry>, DiskError>) {
    match result {
        Ok(entries) => {
            for attempt in &mut cx.shared.door_mut().attempts {
                let waits = attempt.status == Status::Waiting;
                let own = attempt.entry.as_mut().filter(|_| waits);
                if let Some(own) = own
                    && let Some(entry) = entries.iter().find(|entry| entry.id == own.id)
                {
                    own.clone_from(entry);
                }
            }
            queue::deliver(cx);
            moved(cx);
        }
        Err(error) => cx.toast(Mark::Bad, format!("Nothing was taken over: {error}")),
    }
}
