//! What is done at the desk: checking in, by name or by code, and undoing it.

use frontdesk_client::CallError;
use frontdesk_protocol::Maybe;
use frontdesk_protocol::events::guest::{GetEventGuest, Guest};
use frontdesk_protocol::id::GuestId;
use jiff::SignedDuration;

use super::CheckIn;
use super::banner::Banner;
use crate::app::cx::Cx;
use crate::app::effect::RequestId;
use crate::app::remote::Remote;
use crate::door::{self, Arrival, Begun};
use crate::screens::Screen;
use crate::screens::events::guest::{GuestScreen, add_form};
use crate::ui::problem::Problem;

/// How long `u` can still become the beginning of a name.
const UNDO_GRACE: SignedDuration = SignedDuration::from_secs(1);

impl CheckIn {
    /// Enter: the scanned or typed code, or the selected guest.
    pub(super) fn check_in(&mut self, cx: &mut Cx) {
        if self.held.is_some() {
            self.undo(cx);
            return;
        }
        let text = self.search.text();
        if let Some(id) = guest_id(&text) {
            self.scan(cx, id);
            return;
        }
        // A `u` that was to undo, and a scanner that typed a code right behind it.
        if let Some(id) = text.strip_prefix('u').and_then(guest_id) {
            self.undo(cx);
            self.scan(cx, id);
            return;
        }
        match self.selected {
            Some(id) => self.arrive(cx, id),
            None if text.trim().is_empty() => {}
            None if self.found.is_loading() || self.pause.is_some() => {}
            None => self.banner = Banner::Nobody(text.trim().to_owned()),
        }
    }

    pub(super) fn arrive(&mut self, cx: &mut Cx, id: GuestId) {
        let name = match self.roll.get(id) {
            Some(guest) => guest.name.clone(),
            None => format!("guest {id}"),
        };
        let arrival = Arrival {
            event: self.event,
            guest: id,
            name,
        };
        let (Begun::New(attempt) | Begun::Already(attempt)) = door::check_in(cx, arrival);
        self.banner = Banner::Attempt(attempt);
        self.clear(cx);
    }

    pub(super) fn clear(&mut self, cx: &mut Cx) {
        self.search.set("");
        let banner = self.banner.clone();
        self.text_changed(cx);
        self.banner = banner;
    }

    /// A code names a guest: whose is it, and of this event?
    pub(super) fn scan(&mut self, cx: &mut Cx, id: GuestId) {
        if self.roll.get(id).is_some() {
            self.arrive(cx, id);
            return;
        }
        cx.abort(self.lookup.request());
        self.lookup = Remote::Idle;
        let request = cx.call(GetEventGuest { id });
        self.lookup.begin(request);
        self.scanned = Some(id);
        self.banner = Banner::Looking;
        self.clear(cx);
    }

    pub(super) fn looked_up(
        &mut self,
        cx: &mut Cx,
        request: RequestId,
        result: Result<Maybe<Guest>, CallError>,
    ) {
        let result = result.map(|Maybe(guest)| guest);
        if !self.lookup.finish(request, cx.now(), result) {
            return;
        }
        let Some(id) = self.scanned.take() else {
            return;
        };
        let stranger = |why: &str| Banner::Stranger(why.to_owned());
        match &self.lookup {
            Remote::Ready(seen) => match seen.value.clone() {
                Some(guest) if guest.event_id == self.event => {
                    self.roll.read(vec![guest], request);
                    self.list_changed(cx.shared);
                    self.arrive(cx, id);
                }
                Some(_) => self.banner = stranger("this code is for a guest of another event"),
                None => self.banner = stranger("this code is of no guest that you can see"),
            },
            Remote::Failed { error, .. } if error.is_transient() && !self.pages.is_whole() => {
                // Better to note an arrival than to lose it; the host has the last word.
                self.arrive(cx, id);
            }
            Remote::Failed { error, .. } if error.is_transient() => {
                self.banner = stranger(
                    "this code is of nobody on the list, and the host cannot be asked now",
                );
            }
            Remote::Failed { error, .. } => {
                self.banner = Banner::Stranger(Problem::of(error).line())
            }
            _ => {}
        }
    }

    /// Somebody who is on no list: a form, with what was typed as the name.
    pub(super) fn add(&mut self, cx: &mut Cx) {
        let text = self.search.text();
        let form = add_form(self.event, text.trim());
        cx.open(Screen::Form(Box::new(form)));
    }

    /// The screen of the selected guest.
    pub(super) fn open_guest(&mut self, cx: &mut Cx) {
        if let Some(guest) = self.selected.and_then(|id| self.roll.get(id)) {
            let screen = GuestScreen::new(guest.clone(), cx.now());
            cx.open(Screen::Guest(Box::new(screen)));
        }
    }

    /// Undoes the last check-in at once.
    pub(super) fn undo(&mut self, cx: &mut Cx) {
        cx.cancel(&mut self.held);
        self.banner = match door::undo_last(cx, self.event) {
            Some(attempt) => Banner::Attempt(attempt),
            None => Banner::NothingToUndo,
        };
    }

    /// Undoes the last check-in in a moment: `u` may also be the beginning of a name.
    pub(super) fn undo_soon(&mut self, cx: &mut Cx) {
        match cx.shared.door.undoable(self.event) {
            Some(attempt) => {
                self.banner = Banner::Held(attempt.id);
                self.held = Some(cx.after(UNDO_GRACE));
            }
            // With nothing to undo it can only be a name.
            None => {
                self.search.paste("u");
                self.text_changed(cx);
            }
        }
    }

    /// Does not undo after all.
    pub(super) fn unhold(&mut self, cx: &mut Cx) -> bool {
        let was_held = self.held.is_some();
        cx.cancel(&mut self.held);
        if let Banner::Held(attempt) = self.banner {
            self.banner = Banner::Attempt(attempt);
        }
        was_held
    }
}

/// The guest that a code names: a UUID, with or without what scanners put around it.
pub(super) fn guest_id(text: &str) -> Option<GuestId> {
    text.trim().parse().ok()
}
