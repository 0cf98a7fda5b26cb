//! Badges, printed by a key or with each check-in.

use std::collections::HashMap;

use frontdesk_protocol::events::guest::Guest;
use frontdesk_protocol::id::GuestId;

use super::CheckIn;
use crate::app::cx::Cx;
use crate::app::effects::job::Ended;
use crate::app::owner::RequestId;
use crate::desk::badges::printing::{BadgeFailure, PrintBadge};
use crate::desk::door::{self, Attempt, Status};
use crate::look::mark::Mark;
use crate::look::text::clean;
use crate::look::time::moment;
use crate::ui::confirm::Confirm;

/// The badges to print.
#[derive(Debug, Default)]
pub(super) struct Badges {
    /// The last check-in that was looked at.
    seen: Option<RequestId>,
    /// Check-ins that are not certain yet.
    due: Vec<RequestId>,
    /// The last print by a key.
    by_key: Option<RequestId>,
    /// The guests whose badges are being printed.
    running: HashMap<RequestId, GuestId>,
    /// The guest about whose second badge the desk asks.
    asked: Option<GuestId>,
}

impl CheckIn {
    /// From now on, check-ins print badges.
    pub(super) fn begin_badges(&mut self, cx: &Cx) {
        self.badges.seen.get_or_insert(cx.shared.coming_id());
    }

    /// Prints the badge of the selected guest, or of the one in the banner.
    pub(super) fn print_badge(&mut self, cx: &mut Cx) {
        let Some(guest) = self.meant(cx.shared).cloned() else {
            return;
        };
        let Some(at) = cx.shared.door().badge_of(guest.id) else {
            self.badges.by_key = Some(self.print(cx, guest));
            return;
        };
        self.badges.asked = Some(guest.id);
        let at = moment(at, cx.shared.now, &cx.shared.locale);
        cx.raise(Confirm {
            title: "Print another badge?".to_owned(),
            body: format!("The badge of {} was printed at {at}.", clean(&guest.name)),
            then: |state, out| {
                state.act::<CheckIn>(out, |desk, cx| {
                    let asked = desk.badges.asked.take();
                    let guest = asked.and_then(|id| desk.roll.get(id)).cloned();
                    desk.badges.by_key = guest.map(|guest| desk.print(cx, guest));
                });
            },
        });
    }

    fn print(&mut self, cx: &mut Cx, guest: Guest) -> RequestId {
        let event = self.record.value();
        let event = event.map_or(String::new(), |event| event.name.clone());
        let (id, guest) = (guest.id, Box::new(guest));
        let request = cx.run(PrintBadge { event, guest });
        self.badges.running.insert(request, id);
        request
    }

    /// Prints the badges of guests who are in since the last time. Without the network, a guest who was not in before is.
    pub(super) fn print_due(&mut self, cx: &mut Cx) {
        let Some(seen) = self
            .badges
            .seen
            .filter(|_| cx.shared.settings.prints_badges)
        else {
            return;
        };
        let made = cx.shared.door().of_event(self.event);
        let made = made.map(|attempt| attempt.id);
        let new: Vec<RequestId> = made.take_while(|id| *id >= seen).collect();
        self.badges.seen = Some(cx.shared.coming_id());
        self.badges.due.extend(new.into_iter().rev());
        for id in std::mem::take(&mut self.badges.due) {
            let Some(attempt) = cx.shared.door().attempt(id).filter(|one| !one.is_undo()) else {
                continue;
            };
            let is_in = match &attempt.status {
                Status::In { was_before, .. } => Some(!was_before),
                Status::Refused { .. } | Status::Out { .. } | Status::Undone => Some(false),
                _ if attempt.is_fresh() || attempt.is_of_unknown() => None,
                _ => Some(attempt.listed.is_none() && self.is_first(attempt, cx)),
            };
            match (
                is_in,
                attempt.guest.and_then(|id| self.roll.get(id)).cloned(),
            ) {
                // Who comes in again has a badge.
                (Some(true), Some(guest)) => {
                    if cx.shared.door().badge_of(guest.id).is_none() {
                        self.print(cx, guest);
                    }
                }
                (Some(false), _) => {}
                _ => self.badges.due.push(id),
            }
        }
    }

    fn is_first(&self, attempt: &Attempt, cx: &Cx) -> bool {
        self.came_before(attempt, cx.shared).is_none()
    }

    /// Reports the path of a badge, that it was printed, or the error.
    pub(super) fn printed(&mut self, cx: &mut Cx, request: RequestId, ended: Ended<PrintBadge>) {
        if let Some(guest) = self.badges.running.remove(&request)
            && ended.result.is_ok()
        {
            door::note_badge(cx, guest);
        }
        let name = clean(&ended.job.guest.name);
        let (mark, text) = match ended.result {
            Ok(Some(path)) => {
                let path = path.display().to_string();
                (Mark::Good, format!("Badge written to {}", clean(&path)))
            }
            Ok(None) if self.badges.by_key != Some(request) => return,
            Ok(None) => (Mark::Good, format!("Printed the badge of {name}")),
            Err(BadgeFailure::NotWritten(why)) => (Mark::Bad, format!("No badge: {}", clean(&why))),
            Err(BadgeFailure::NotPrinted(why)) => {
                (Mark::Bad, format!("No badge of {name}: {}", clean(&why)))
            }
        };
        cx.toast(mark, text);
    }
}
