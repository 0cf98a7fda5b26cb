//! All events that one can see.

use crossterm::event::KeyEvent;
use frontdesk_protocol::events::event::Event;
use ratatui::Frame;
use ratatui::layout::Rect;

use super::EventScreen;
use crate::app::cx::{Cx, News, Out};
use crate::app::effect::{Outcome, RequestId};
use crate::app::shared::Shared;
use crate::app::state::{State, Typing};
use crate::commands::{Command, Context};
use crate::screens::check_in::CheckIn;
use crate::screens::listing::Listing;
use crate::screens::{Page, Screen};

/// The commands of the screen.
pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        Context::Events,
        "event.open",
        "Open the selected event",
        &["enter"],
        |state, out| {
            on(state, out, Events::open);
        },
    )
    .hint("open")
    .unless(no_event),
    Command::new(
        Context::Events,
        "event.check_in",
        "Open its check-in desk",
        &["c"],
        |state, out| {
            on(state, out, Events::open_desk);
        },
    )
    .hint("check-in desk")
    .unless(no_event),
];

fn on(state: &mut State, out: &mut Out, act: impl FnOnce(&mut Events, &mut Cx)) {
    state.on_screen(out, |screen, cx| {
        if let Screen::Events(events) = screen {
            act(events, cx);
        }
    });
}

fn no_event(state: &State) -> Option<String> {
    match state.screen() {
        Some(Screen::Events(events)) if events.list.selected().is_none() => {
            Some("no event is selected".to_owned())
        }
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
            cx.open(Screen::Event(Box::new(screen)));
        }
    }

    fn open_desk(&mut self, cx: &mut Cx) {
        if let Some(event) = self.list.selected() {
            let desk = CheckIn::new(event.clone(), cx.now());
            cx.open(Screen::CheckIn(Box::new(desk)));
        }
    }
}

impl Page for Events {
    fn context(&self) -> Context {
        Context::Events
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
        if let News::Event(event) = news {
            self.list.replace(event);
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
