//! Check-ins of another account that wait on this machine: an account of the same organisation may deliver them.

use frontdesk_client::{Account, Action, Entry};
use frontdesk_protocol::Roles;

use super::attempt::{Attempt, Status};
use super::{Door, OWNER, moved, queue};
use crate::app::cx::{Cx, Out};
use crate::app::effects::effect::Work;
use crate::app::shared::Session;
use crate::app::state::State;
use crate::look::text::{clean, count};
use crate::ui::confirm::Confirm;

impl Door {
    /// The waiting entries of other accounts of the organisation that this account has the right to deliver.
    fn left_to(&mut self, account: &Account) -> Vec<&mut Entry> {
        let organization = [&account.organization_slug, &account.organization];
        let organization = organization.into_iter().flatten().next();
        let is_teacher = account.role.is_some_and(|role| !Roles::DESK.contains(role));
        let may_deliver = |entry: &Entry| {
            let of = entry.made_by.as_ref().map(|by| &by.organization);
            let is_of_another =
                entry.deliverer() != account.id && of.is_some() && of == organization;
            let is_check_in = matches!(entry.action, Action::CheckIn | Action::Undo);
            is_of_another && (!is_teacher || is_check_in && entry.reason.is_none())
        };
        let waiting = |attempt: &&mut Attempt| attempt.status == Status::Waiting;
        let entries = self.attempts.iter_mut().filter(waiting);
        let entries = entries.filter_map(|attempt| attempt.entry.as_mut());
        entries.filter(|entry| may_deliver(entry)).collect()
    }
}

/// Asks once whether the account that is signed in takes over the check-ins of others.
pub(super) fn ask(cx: &mut Cx) {
    let Session::In(account) = cx.shared.session.clone() else {
        return;
    };
    let door = cx.shared.door_mut();
    let left = door.left_to(&account);
    let mut names: Vec<String> = left
        .iter()
        .filter_map(|entry| Some(entry.made_by.as_ref()?.name.clone()))
        .collect();
    let number = names.len();
    names.sort_unstable();
    names.dedup();
    if number == 0 || door.offered.replace(account.id) == Some(account.id) {
        return;
    }
    let check_ins = count(number, "check-in", "check-ins");
    let verb = if number == 1 { "waits" } else { "wait" };
    cx.raise(Confirm {
        title: format!("Take over {check_ins}?"),
        body: format!(
            "{check_ins} of {} {verb} on this machine. You deliver them, with the times at which they were made.",
            clean(&names.join(", "))
        ),
        then: take_over,
    });
}

fn take_over(state: &mut State, out: &mut Out) {
    let mut cx = state.cx(out);
    let mut cx = cx.on_behalf(OWNER);
    let Session::In(account) = cx.shared.session.clone() else {
        return;
    };
    let left = cx.shared.door_mut().left_to(&account);
    let taken = left.into_iter().map(|entry| {
        entry.taken_by = Some(account.id);
        entry.clone()
    });
    let taken = taken.collect();
    cx.run(Work::TakeOver(taken));
    queue::deliver(&mut cx);
    moved(&mut cx);
}
