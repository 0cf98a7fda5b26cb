//! The screens. What they have in common is [`Page`]; a resource's screen lies where its tools lie
//! in `protocol`.

pub(crate) mod check_in;
pub(crate) mod events;
pub(crate) mod form;
pub(crate) mod home;
pub(crate) mod listing;
pub(crate) mod log;
pub(crate) mod sign_in;
#[cfg(test)]
mod tests;
pub(crate) mod tools;
pub(crate) mod work;

use crossterm::event::KeyEvent;
use frontdesk_client::Progress;
use ratatui::Frame;
use ratatui::layout::Rect;

use crate::app::cx::{Cx, News};
use crate::app::effect::{Outcome, RequestId};
use crate::app::shared::Shared;
use crate::app::state::Typing;
use crate::commands::Context;

/// What every screen can do. What it does by command stands in its `COMMANDS`.
pub(crate) trait Page {
    /// Where its keys work.
    fn context(&self) -> Context;

    /// Its name in the breadcrumbs.
    fn crumb(&self) -> String;

    /// It is visible: for the first time, again, or after somebody signed in. It asks for what it
    /// has not got, and sets its timers.
    fn shown(&mut self, cx: &mut Cx);

    /// It is not visible any more; it cancels its timers.
    fn hidden(&mut self, cx: &mut Cx) {
        let _ = cx;
    }

    /// The person asks for everything anew.
    fn refresh(&mut self, cx: &mut Cx);

    /// Work ended that it had begun.
    fn answered(&mut self, cx: &mut Cx, request: RequestId, outcome: Outcome);

    /// Work goes on that it had begun: how far it is.
    fn progressed(&mut self, cx: &mut Cx, request: RequestId, progress: &Progress) {
        let _ = (cx, request, progress);
    }

    /// A timer of its own fired.
    fn fired(&mut self, cx: &mut Cx, request: RequestId) {
        let _ = (cx, request);
    }

    /// Something happened that may concern it.
    fn told(&mut self, cx: &mut Cx, news: &News) {
        let _ = (cx, news);
    }

    /// How a key that could be text is to be taken.
    fn typing(&self) -> Typing {
        Typing::No
    }

    /// A key that no command took.
    fn key(&mut self, cx: &mut Cx, key: KeyEvent) {
        let _ = (cx, key);
    }

    /// Text was pasted.
    fn paste(&mut self, cx: &mut Cx, text: &str) {
        let _ = (cx, text);
    }

    /// The selection of its list moves by this many rows.
    fn step(&mut self, cx: &mut Cx, by: isize) {
        let _ = (cx, by);
    }

    /// The person wants to go back. `true`: there was something nearer to close.
    fn escape(&mut self, cx: &mut Cx) -> bool {
        let _ = cx;
        false
    }

    /// Whether its list can be searched and sorted.
    fn can_search(&self) -> bool {
        false
    }

    /// Whether its list can be sorted.
    fn can_sort(&self) -> bool {
        self.can_search()
    }

    /// Puts the cursor into the search field of its list.
    fn search(&mut self) {}

    /// Sorts its list by the next column.
    fn sort(&mut self) {}

    /// Turns the order of its list around.
    fn reverse(&mut self) {}

    /// Whether the person waits for an answer.
    fn is_busy(&self) -> bool;

    /// Draws it.
    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect);
}

/// A screen.
#[derive(Debug)]
pub(crate) enum Screen {
    Home(Box<home::Home>),
    Events(Box<events::event::Events>),
    Event(Box<events::event::EventScreen>),
    Guest(Box<events::guest::GuestScreen>),
    Form(Box<form::Form>),
    CheckIn(Box<check_in::CheckIn>),
    SeriesList(Box<work::series::SeriesList>),
    Series(Box<work::series::SeriesScreen>),
    Plan(Box<work::plan::PlanScreen>),
    Tools(Box<tools::Browser>),
    Tool(Box<tools::call::CallScreen>),
    Answer(Box<tools::answer::AnswerScreen>),
    History(Box<tools::history::HistoryScreen>),
    Compare(Box<tools::history::compare::CompareScreen>),
    Log(Box<log::LogScreen>),
}

impl Screen {
    /// What it has in common with the others.
    pub(crate) fn page(&self) -> &dyn Page {
        match self {
            Screen::Home(home) => home.as_ref(),
            Screen::Events(events) => events.as_ref(),
            Screen::Event(event) => event.as_ref(),
            Screen::Guest(guest) => guest.as_ref(),
            Screen::Form(form) => form.as_ref(),
            Screen::CheckIn(desk) => desk.as_ref(),
            Screen::SeriesList(list) => list.as_ref(),
            Screen::Series(series) => series.as_ref(),
            Screen::Plan(plan) => plan.as_ref(),
            Screen::Tools(browser) => browser.as_ref(),
            Screen::Tool(call) => call.as_ref(),
            Screen::Answer(answer) => answer.as_ref(),
            Screen::History(history) => history.as_ref(),
            Screen::Compare(compare) => compare.as_ref(),
            Screen::Log(log) => log.as_ref(),
        }
    }

    /// The same, to change it.
    pub(crate) fn page_mut(&mut self) -> &mut dyn Page {
        match self {
            Screen::Home(home) => home.as_mut(),
            Screen::Events(events) => events.as_mut(),
            Screen::Event(event) => event.as_mut(),
            Screen::Guest(guest) => guest.as_mut(),
            Screen::Form(form) => form.as_mut(),
            Screen::CheckIn(desk) => desk.as_mut(),
            Screen::SeriesList(list) => list.as_mut(),
            Screen::Series(series) => series.as_mut(),
            Screen::Plan(plan) => plan.as_mut(),
            Screen::Tools(browser) => browser.as_mut(),
            Screen::Tool(call) => call.as_mut(),
            Screen::Answer(answer) => answer.as_mut(),
            Screen::History(history) => history.as_mut(),
            Screen::Compare(compare) => compare.as_mut(),
            Screen::Log(log) => log.as_mut(),
        }
    }
}
