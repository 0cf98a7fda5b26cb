//! All events that one can see.

use crossterm::event::KeyEvent;
use frontdesk_protocol::events::event::Event;
use ratatui::Frame;
use ratatui::layout::Rect;

use super::EventScreen;
use crate::app::command::{Command, Context};
use crate::app::cx::{Cx, News};
use crate::app::effect::{Outcome, RequestId};
use crate::app::screen::Screen;
use crate::app::shared::Shared;
use crate::app::state::{State, Typing};
use crate::screens::check_in::CheckIn;
use crate::screens::listing::Listing;

pub(crate) static EVENTS: Context = Context::list("Events");

/// The commands of the screen.
pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        &EVENTS,
        "event.open",
        "Open the selected event",
        &["enter"],
        |state, out| {
            state.act::<Events>(out, Events::open);
        },
    )
    .hint("open")
    .unless(no_event),
    Command::new(
        &EVENTS,
        "event.check_in",
        "Open its check-in desk",
        &["c"],
        |state, out| {
            state.act::<Events>(out, Events::open_desk);
        },
    )
    .hint("check-in desk")
    .unless(no_event),
];

fn no_event(state: &State) -> Option<String> {
    match state.shows::<Events>() {
        Some(events) if events.list.selected().is_none() => Some("no event is selected".to_owned()),
        _ => None,
    }
}

/// The list of events.
#[derive(Debug)]
pub(crate) struct Events {
    list: Listing<Event>,
}

impl Default for Events {
    fn default() -> Self {
        Events {
            list: Listing::new(()),
        }
    }
}

impl Events {
    fn open(&mut self, cx: &mut Cx) {
        // In the search field Enter only leaves the field.
        if self.list.end_search() {
            return;
        }
        if let Some(event) = self.list.selected() {
            let screen = EventScreen::new(event.clone(), cx.now());
            cx.open(screen);
        }
    }

    fn open_desk(&mut self, cx: &mut Cx) {
        if let Some(event) = self.list.selected() {
            let desk = CheckIn::new(event.clone(), cx.now());
            cx.open(desk);
        }
    }
}

impl Screen for Events {
    fn context(&self) -> &'static Context {
        &EVENTS
    }

    fn crumb(&self) -> String {
        "Events".to_owned()
    }

    fn shown(&mut self, cx: &mut Cx) {
        self.list.load_once(cx);
    }

    fn hidden(&mut self, cx: &mut Cx) {
        self.list.hidden(cx);
    }

    fn refresh(&mut self, cx: &mut Cx) {
        self.list.load(cx);
    }

    fn answered(&mut self, cx: &mut Cx, request: RequestId, outcome: Outcome) {
        if let Outcome::Call(answer) = outcome {
            self.list.answered(cx, request, &answer);
        }
    }

    fn fired(&mut self, cx: &mut Cx, request: RequestId) {
        self.list.fired(cx, request);
    }

    fn told(&mut self, _: &mut Cx, news: &News) {
        if let Some(event) = news.record::<Event>("event") {
            self.list.replace(&event);
        }
    }

    fn typing(&self) -> Typing {
        self.list.typing()
    }

    fn key(&mut self, cx: &mut Cx, key: KeyEvent) {
        self.list.key(cx, key);
    }

    fn paste(&mut self, cx: &mut Cx, text: &str) {
        self.list.paste(cx, text);
    }

    fn step(&mut self, cx: &mut Cx, by: isize) {
        self.list.step(cx, by);
    }

    fn escape(&mut self, cx: &mut Cx) -> bool {
        self.list.escape(cx)
    }

    fn can_search(&self) -> bool {
        true
    }

    fn search(&mut self) {
        self.list.begin_search();
    }

    fn sort(&mut self) {
        self.list.sort();
    }

    fn reverse(&mut self) {
        self.list.reverse();
    }

    fn is_busy(&self) -> bool {
        self.list.is_busy()
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        self.list
            .draw(shared, frame, area, "There are no events that you can see.");
    }
}
