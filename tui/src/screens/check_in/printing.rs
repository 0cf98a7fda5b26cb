//! Badges, printed by a key or with each check-in.

use frontdesk_protocol::events::guest::Guest;

use super::CheckIn;
use crate::app::cx::Cx;
use crate::app::effects::effect::{Outcome, RequestId, Work};
use crate::door::{Attempt, Status};
use crate::look::mark::Mark;
use crate::look::text::clean;

/// The badges to print.
#[derive(Debug, Default)]
pub(super) struct Badges {
    /// The last check-in that was looked at.
    seen: Option<RequestId>,
    /// Check-ins that are not certain yet.
    due: Vec<RequestId>,
    /// The last print by a key.
    by_key: Option<RequestId>,
}

impl CheckIn {
    /// From now on, check-ins print badges.
    pub(super) fn begin_badges(&mut self, cx: &Cx) {
        self.badges.seen.get_or_insert(cx.shared.coming_id());
    }

    /// Prints the badge of the selected guest, or of the one in the banner.
    pub(super) fn print_badge(&mut self, cx: &mut Cx) {
        if let Some(guest) = self.meant(cx.shared).cloned() {
            self.badges.by_key = Some(self.print(cx, guest));
        }
    }

    fn print(&self, cx: &mut Cx, guest: Guest) -> RequestId {
        let event = self.record.value();
        let event = event.map_or(String::new(), |event| event.name.clone());
        let guest = Box::new(guest);
        cx.run(Work::Badge { event, guest })
    }

    /// Prints the badges of guests who are in since the last time. Without the network, a guest who was not in before is.
    pub(super) fn print_due(&mut self, cx: &mut Cx) {
        let Some(seen) = self.badges.seen.filter(|_| cx.shared.prints_badges) else {
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
                Status::Refused { .. } | Status::Undone => Some(false),
                _ if attempt.is_fresh() || attempt.is_of_unknown() => None,
                _ => Some(attempt.listed.is_none() && self.is_first(attempt, cx)),
            };
            match (is_in, self.roll.get(attempt.guest).cloned()) {
                (Some(true), Some(guest)) => {
                    self.print(cx, guest);
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
    pub(super) fn printed(&mut self, cx: &mut Cx, request: RequestId, outcome: Outcome) {
        let (mark, text) = match outcome {
            Outcome::Exported(Ok(path)) => {
                let path = path.display().to_string();
                (Mark::Good, format!("Badge written to {}", clean(&path)))
            }
            Outcome::Exported(Err(error)) => {
                let error = error.to_string();
                (Mark::Bad, format!("No badge: {}", clean(&error)))
            }
            Outcome::Printed { name, result } => match result {
                Ok(()) if self.badges.by_key != Some(request) => return,
                Ok(()) => (Mark::Good, format!("Printed the badge of {}", clean(&name))),
                Err(why) => {
                    let text = format!("No badge of {}: {}", clean(&name), clean(&why));
                    (Mark::Bad, text)
                }
            },
            _ => return,
        };
        cx.toast(mark, text);
    }
}
