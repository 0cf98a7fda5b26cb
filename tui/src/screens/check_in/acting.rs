//! What is done at the desk: checking in, by name or by code, and undoing it.

use frontdesk_client::CallError;
use frontdesk_protocol::Maybe;
use frontdesk_protocol::events::guest::{GetEventGuest, Guest};
use frontdesk_protocol::id::GuestId;

use super::banner::{Banner, Doubt};
use super::searching::is_in;
use super::{CheckIn, Entered};
use crate::app::cx::Cx;
use crate::app::effect::RequestId;
use crate::app::remote::Remote;
use crate::app::shared::Shared;
use crate::door::{self, Arrival, Begun};
use crate::screens::events::guest::{self, add_form};
use crate::ui::problem::Problem;

impl CheckIn {
    /// Enter: the typed code, or the selected guest.
    pub(super) fn check_in(&mut self, cx: &mut Cx) {
        match guest_id(&self.search.text()) {
            Some(id) => self.scan(cx, id),
            None if self.awaits_search() => self.keep_enter(cx),
            None => self.take(cx),
        }
    }

    /// Keeps an Enter until the search is answered, which is asked for now.
    fn keep_enter(&mut self, cx: &mut Cx) {
        let text = self.search.text().trim().to_owned();
        if !self.found.is_loading() {
            cx.cancel(&mut self.pause);
            self.ask_search(cx);
        }
        let Some(search) = self.found.request() else {
            self.take(cx);
            return;
        };
        self.is_entered = true;
        self.banner = Banner::Searching(text.clone());
        if !self.entered.iter().any(|entered| entered.search == search) {
            self.entered.push(Entered { search, text });
        }
    }

    /// The text in the box is edited or taken back: an Enter that is kept for it counts no more.
    pub(super) fn forget_enter(&mut self) {
        let search = self.found.request();
        self.entered
            .retain(|entered| Some(entered.search) != search);
    }

    /// Checks in the selected guest, unless somebody else may be meant.
    pub(super) fn take(&mut self, cx: &mut Cx) {
        let text = self.search.text();
        let text = text.trim();
        let Some(id) = self.selected else {
            if !text.is_empty() {
                self.is_entered = true;
                self.banner = Banner::Nobody {
                    text: text.to_owned(),
                    is_asked: self.found.error().is_none(),
                };
            }
            return;
        };
        let doubt = match self.is_stopped {
            true => None,
            false if self.is_similar(id) => Some(Doubt::Similar),
            false => self.doubt(cx.shared, text, id, &self.rows),
        };
        match doubt {
            Some(doubt) => {
                self.is_stopped = true;
                self.is_entered = false;
                self.banner = Banner::Which(doubt);
                self.list_changed(cx.shared);
            }
            None => self.arrive(cx, id),
        }
    }

    /// Why somebody other than this guest may be meant by the text that brought these rows.
    pub(super) fn doubt(
        &self,
        shared: &Shared,
        text: &str,
        id: GuestId,
        rows: &[GuestId],
    ) -> Option<Doubt> {
        let guest = self.roll.get(id)?;
        if is_in(shared, guest) {
            return None;
        }
        let expected = self
            .roll
            .namesakes(id)
            .filter(|guest| !is_in(shared, guest));
        let expected = expected.count();
        if expected > 1 {
            return Some(Doubt::Namesakes(expected, guest.name.clone()));
        }
        rows.iter()
            .filter(|other| self.roll.is_called(**other, text))
            .filter_map(|other| self.roll.get(*other))
            .find(|other| is_in(shared, other))
            .map(|other| Doubt::IsIn(other.name.clone()))
    }

    /// Checks a guest in, and is ready for the next.
    pub(super) fn arrive(&mut self, cx: &mut Cx, id: GuestId) {
        self.let_in(cx, id);
        self.clear(cx);
    }

    /// Checks a guest in, whatever is being typed.
    pub(super) fn let_in(&mut self, cx: &mut Cx, id: GuestId) {
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
        let form = add_form(self.event, text.trim(), self.roll.guests(), cx.now());
        cx.open(form);
    }

    /// The screen of the selected guest.
    pub(super) fn open_guest(&mut self, cx: &mut Cx) {
        let selected = self.selected.and_then(|id| self.roll.get(id));
        if let Some(screen) = selected.and_then(|guest| guest::screen(guest, cx.now(), cx.shared)) {
            cx.open(screen);
        }
    }

    /// Takes back the text and the selection.
    pub(super) fn clear_text(&mut self, cx: &mut Cx) {
        self.forget_enter();
        self.search.set("");
        self.text_changed(cx);
    }

    /// Undoes the last check-in; where there is text, only that is taken back.
    pub(super) fn undo(&mut self, cx: &mut Cx) {
        if !self.search.is_empty() {
            self.clear_text(cx);
        } else if let Some(attempt) = door::undo_last(cx, self.event) {
            self.banner = Banner::Attempt(attempt);
        }
    }
}

/// The guest that a code names: a UUID, with or without what scanners put around it.
pub(super) fn guest_id(text: &str) -> Option<GuestId> {
    text.trim().parse().ok()
}
