//! Finding a guest: among those who are known at once, and with the host after a pause.

use frontdesk_client::CallError;
use frontdesk_protocol::events::guest::{Guest, ListEventGuests};
use frontdesk_protocol::record::List;
use frontdesk_protocol::value::Line;
use jiff::SignedDuration;

use super::acting::guest_id;
use super::banner::Banner;
use super::{CheckIn, guests_of};
use crate::app::cx::Cx;
use crate::app::effect::RequestId;
use crate::app::remote::Remote;
use crate::app::shared::Shared;
use crate::door::Attempt;

/// A pause in typing that is long enough to ask the host.
const TYPING_PAUSE: SignedDuration = SignedDuration::from_millis(250);
/// Arrivals that are listed.
const RECENT: usize = 50;

impl CheckIn {
    /// The search text changed.
    pub(super) fn text_changed(&mut self, cx: &mut Cx) {
        cx.abort(self.found.request());
        cx.cancel(&mut self.pause);
        self.found = Remote::Idle;
        if let Banner::Nobody(_) | Banner::Stranger(_) | Banner::NothingToUndo = self.banner {
            self.banner = Banner::Welcome;
        }
        self.selected = None;
        self.list_changed(cx.shared);
        let text = self.search.text();
        let is_name = !text.trim().is_empty() && guest_id(&text).is_none();
        // With every guest at hand, only a name that nobody has is worth a question: somebody may
        // have been added a moment ago.
        let is_known = self.pages.is_whole() && !self.rows.is_empty();
        if is_name && !is_known {
            self.pause = Some(cx.after(TYPING_PAUSE));
        }
    }

    pub(super) fn ask_search(&mut self, cx: &mut Cx) {
        let text = self.search.text();
        if let Ok(text) = Line::new(text.trim()) {
            let request = cx.call(ListEventGuests {
                search: Some(text),
                ..guests_of(self.event)
            });
            self.found.begin(request);
        }
    }

    pub(super) fn found_came(
        &mut self,
        cx: &mut Cx,
        request: RequestId,
        result: Result<List<Guest>, CallError>,
    ) {
        if !self.found.waits_for(request) {
            return;
        }
        let result = result.map(|page| {
            let ids = page.items.iter().map(|guest| guest.id).collect();
            self.roll.read(page.items, request);
            ids
        });
        self.found.finish(request, cx.now(), result);
        self.list_changed(cx.shared);
    }

    /// The guests or the text changed: finds the rows anew. The selected guest stays selected.
    pub(super) fn list_changed(&mut self, shared: &Shared) {
        let text = self.search.text();
        self.rows = self.roll.find(&text, |guest| is_in(shared, guest));
        if !text.trim().is_empty() {
            for id in self.found.value().into_iter().flatten() {
                if !self.rows.contains(id) {
                    self.rows.push(*id);
                }
            }
        }
        self.recent = self.roll.recent(RECENT);
        let is_there = self.selected.is_some_and(|id| self.rows.contains(&id));
        if !is_there {
            // In an empty box Enter must not check in whoever is first in the alphabet.
            self.selected = match text.trim().is_empty() {
                true => None,
                false => self.rows.first().copied(),
            };
        }
    }
}

/// Whether a guest is in, or will be as far as this desk is concerned.
fn is_in(shared: &Shared, guest: &Guest) -> bool {
    guest.check_in_at.is_some()
        || shared
            .door
            .latest(guest.id)
            .is_some_and(Attempt::is_pending)
}
