//! One event, with a tab for each kind of thing that belongs to it.

use crossterm::event::KeyEvent;
use frontdesk_client::CallError;
use frontdesk_protocol::ToolError;
use frontdesk_protocol::events::event::{Event, GetEvent};
use frontdesk_protocol::events::expense::Expense;
use frontdesk_protocol::events::guest::Guest;
use frontdesk_protocol::events::photo::Photo;
use frontdesk_protocol::events::session::Session;
use frontdesk_protocol::events::task::Task;
use jiff::Timestamp;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use super::edit_form;
use crate::app::command::{Command, Context};
use crate::app::cx::{Cx, News};
use crate::app::effect::{Outcome, RequestId};
use crate::app::remote::Remote;
use crate::app::screen::Screen;
use crate::app::shared::Shared;
use crate::app::state::Typing;
use crate::screens::check_in::CheckIn;
use crate::screens::events::guest::GuestScreen;
use crate::screens::events::{expense, guest, photo, session, task};
use crate::screens::listing::Listing;
use crate::ui::gauge;
use crate::ui::mark::Mark;
use crate::ui::problem::Problem;
use crate::ui::text::{cells, clean, fit};
use crate::ui::time::{moment, span};

pub(crate) static EVENT: Context = Context::list("One event");

/// The commands of the screen.
pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        &EVENT,
        "event.open_row",
        "Open the selected guest",
        &["enter"],
        |state, out| {
            state.act::<EventScreen>(out, EventScreen::open_row);
        },
    )
    .hint("open")
    .unless(|state| match state.shows::<EventScreen>() {
        Some(event) if event.tab == Tab::Guests || event.typing() == Typing::Yes => None,
        _ => Some("only guests have a screen of their own".to_owned()),
    }),
    Command::new(
        &EVENT,
        "event.desk",
        "Open the check-in desk",
        &["c"],
        |state, out| {
            state.act::<EventScreen>(out, EventScreen::open_desk);
        },
    )
    .hint("check-in desk"),
    Command::new(
        &EVENT,
        "event.edit",
        "Edit the event",
        &["e"],
        |state, out| {
            state.act::<EventScreen>(out, EventScreen::edit);
        },
    )
    .writes()
    .hint("edit"),
    Command::new(
        &EVENT,
        "event.next_tab",
        "Next tab",
        &["tab", "right", "l"],
        |state, out| {
            state.act::<EventScreen>(out, |event, cx| event.turn(cx, 1));
        },
    )
    .hint("next tab"),
    Command::new(
        &EVENT,
        "event.previous_tab",
        "Previous tab",
        &["backtab", "left", "h"],
        |state, out| {
            state.act::<EventScreen>(out, |event, cx| event.turn(cx, -1));
        },
    ),
];

/// What belongs to an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tab {
    Guests,
    Sessions,
    Tasks,
    Expenses,
    Photos,
}

impl Tab {
    const ALL: [Tab; 5] = [
        Tab::Guests,
        Tab::Sessions,
        Tab::Tasks,
        Tab::Expenses,
        Tab::Photos,
    ];

    const fn title(self) -> &'static str {
        match self {
            Tab::Guests => "Guests",
            Tab::Sessions => "Sessions",
            Tab::Tasks => "Tasks",
            Tab::Expenses => "Expenses",
            Tab::Photos => "Photos",
        }
    }
}

/// The screen of one event.
#[derive(Debug)]
pub(crate) struct EventScreen {
    record: Remote<Event>,
    id: frontdesk_protocol::id::EventId,
    tab: Tab,
    guests: Listing<Guest>,
    sessions: Listing<Session>,
    tasks: Listing<Task>,
    expenses: Listing<Expense>,
    photos: Listing<Photo>,
}

/// Does the same to the list of the current tab, whatever its kind.
macro_rules! on_tab {
    ($screen:expr, $list:ident => $act:expr) => {
        match $screen.tab {
            Tab::Guests => {
                let $list = &mut $screen.guests;
                $act
            }
            Tab::Sessions => {
                let $list = &mut $screen.sessions;
                $act
            }
            Tab::Tasks => {
                let $list = &mut $screen.tasks;
                $act
            }
            Tab::Expenses => {
                let $list = &mut $screen.expenses;
                $act
            }
            Tab::Photos => {
                let $list = &mut $screen.photos;
                $act
            }
        }
    };
}

impl EventScreen {
    /// The screen of this event, as far as a list knows it.
    pub(crate) fn new(event: Event, now: Timestamp) -> Self {
        let id = event.id;
        let record = Remote::known(event, now);
        EventScreen {
            record,
            id,
            tab: Tab::Guests,
            guests: Listing::new(id),
            sessions: Listing::new(id),
            tasks: Listing::new(id),
            expenses: Listing::new(id),
            photos: Listing::new(id),
        }
    }

    fn ask_event(&mut self, cx: &mut Cx) {
        cx.abort(self.record.request());
        let request = cx.call(GetEvent { id: self.id });
        self.record.begin(request);
    }

    fn turn(&mut self, cx: &mut Cx, by: isize) {
        on_tab!(self, list => list.hidden(cx));
        on_tab!(self, list => list.end_search());
        let tabs = Tab::ALL.len();
        let at = Tab::ALL
            .iter()
            .position(|tab| *tab == self.tab)
            .unwrap_or(0);
        self.tab = Tab::ALL[at.wrapping_add_signed(by).wrapping_add(tabs) % tabs];
        on_tab!(self, list => list.load_once(cx));
    }

    fn open_row(&mut self, cx: &mut Cx) {
        if on_tab!(self, list => list.end_search()) {
            return;
        }
        if let (Tab::Guests, Some(guest)) = (self.tab, self.guests.selected()) {
            let screen = GuestScreen::new(guest.clone(), cx.now());
            cx.open(screen);
        }
    }

    fn open_desk(&mut self, cx: &mut Cx) {
        if let Some(event) = self.record.value() {
            let desk = CheckIn::new(event.clone(), cx.now());
            cx.open(desk);
        }
    }

    fn edit(&mut self, cx: &mut Cx) {
        if let Some(event) = self.record.value() {
            let form = edit_form(event, &cx.shared.zone);
            cx.open(form);
        }
    }
}

impl Screen for EventScreen {
    fn context(&self) -> &'static Context {
        &EVENT
    }

    fn crumb(&self) -> String {
        match self.record.value() {
            Some(event) => event.name.clone(),
            None => "Event".to_owned(),
        }
    }

    fn shown(&mut self, cx: &mut Cx) {
        self.ask_event(cx);
        on_tab!(self, list => list.load_once(cx));
    }

    fn hidden(&mut self, cx: &mut Cx) {
        on_tab!(self, list => list.hidden(cx));
    }

    fn refresh(&mut self, cx: &mut Cx) {
        self.ask_event(cx);
        on_tab!(self, list => list.load(cx));
    }

    fn answered(&mut self, cx: &mut Cx, request: RequestId, outcome: Outcome) {
        let Outcome::Call(answer) = outcome else {
            return;
        };
        match answer.of::<GetEvent>() {
            Some(result) => {
                let result = result.and_then(|event| {
                    event
                        .0
                        .ok_or_else(|| CallError::Tool(ToolError::not_found("event")))
                });
                self.record.finish(request, cx.now(), result);
            }
            None => {
                let _ = self.guests.answered(cx, request, &answer)
                    || self.sessions.answered(cx, request, &answer)
                    || self.tasks.answered(cx, request, &answer)
                    || self.photos.answered(cx, request, &answer);
                // Totals are of all expenses.
                if self.expenses.answered(cx, request, &answer) && self.expenses.items().len() < 500
                {
                    self.expenses.more(cx);
                }
            }
        }
    }

    fn fired(&mut self, cx: &mut Cx, request: RequestId) {
        on_tab!(self, list => list.fired(cx, request));
    }

    fn told(&mut self, _: &mut Cx, news: &News) {
        if let Some(event) = news.record::<Event>("event")
            && let Some(known) = self.record.value_mut()
            && event.id == self.id
        {
            *known = event;
        } else if let Some(guest) = news.record("guest") {
            self.guests.replace(&guest);
        }
    }

    fn typing(&self) -> Typing {
        match self.tab {
            Tab::Guests => self.guests.typing(),
            Tab::Sessions => self.sessions.typing(),
            Tab::Tasks => self.tasks.typing(),
            Tab::Expenses => self.expenses.typing(),
            Tab::Photos => self.photos.typing(),
        }
    }

    fn key(&mut self, cx: &mut Cx, key: KeyEvent) {
        on_tab!(self, list => list.key(cx, key));
    }

    fn paste(&mut self, cx: &mut Cx, text: &str) {
        on_tab!(self, list => list.paste(cx, text));
    }

    fn step(&mut self, cx: &mut Cx, by: isize) {
        on_tab!(self, list => list.step(cx, by));
    }

    fn escape(&mut self, cx: &mut Cx) -> bool {
        on_tab!(self, list => list.escape(cx))
    }

    fn can_search(&self) -> bool {
        self.tab != Tab::Photos
    }

    fn search(&mut self) {
        on_tab!(self, list => list.begin_search());
    }

    fn sort(&mut self) {
        on_tab!(self, list => list.sort());
    }

    fn reverse(&mut self) {
        on_tab!(self, list => list.reverse());
    }

    fn is_busy(&self) -> bool {
        match self.tab {
            Tab::Guests => self.guests.is_busy(),
            Tab::Sessions => self.sessions.is_busy(),
            Tab::Tasks => self.tasks.is_busy(),
            Tab::Expenses => self.expenses.is_busy(),
            Tab::Photos => self.photos.is_busy(),
        }
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let [head, tabs, list, details] = Layout::vertical([
            Constraint::Length(4),
            Constraint::Length(1),
            Constraint::Fill(1),
            Constraint::Length(3),
        ])
        .areas(area);
        self.draw_head(shared, frame, head);
        self.draw_tabs(shared, frame, tabs);
        self.draw_list(shared, frame, list);
        self.draw_details(shared, frame, details);
    }
}

impl EventScreen {
    fn draw_head(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.theme;
        let Some(event) = self.record.value() else {
            return;
        };
        let width = usize::from(area.width);
        let when = span(event.start_at, event.end_at, shared.now, &shared.zone);
        let place = match event.location.as_deref() {
            None | Some("") => when,
            Some(place) => format!("{when} · {place}"),
        };
        let name = fit(&event.name, width * 3 / 5);
        let room = width.saturating_sub(cells(&name) + 2);
        let mut lines = vec![Line::from(vec![
            Span::styled(name, theme.title),
            Span::styled(format!("  {}", fit(&place, room)), theme.dim),
        ])];
        let (here, guests) = (event.checked_in_count, event.guest_count);
        let mut progress = gauge::line(theme, width / 4, here.into(), guests.into());
        if let (Some(error), Some(seen)) = (self.record.error(), self.record.seen()) {
            let since = moment(seen.at, shared.now, &shared.zone);
            let words = format!("{} (as of {since})", Problem::of(error).title);
            progress.push_span(Span::raw("  "));
            progress.push_span(Mark::Bad.span(theme, &words));
        }
        lines.push(progress);
        let about = event.description.as_deref().unwrap_or_default();
        for line in about.lines().take(2) {
            lines.push(Line::styled(fit(line, width), theme.dim));
        }
        frame.render_widget(Paragraph::new(lines), area);
    }

    fn draw_tabs(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.theme;
        let mut spans = Vec::new();
        for tab in Tab::ALL {
            match tab == self.tab {
                true => spans.push(Span::styled(format!("[{}]", tab.title()), theme.selected)),
                false => spans.push(Span::styled(format!(" {} ", tab.title()), theme.dim)),
            }
            spans.push(Span::raw(" "));
        }
        frame.render_widget(Line::from(spans), area);
    }

    fn draw_list(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let none = |what: &str| format!("There are no {what} that you can see.");
        match self.tab {
            Tab::Guests => self.guests.draw(shared, frame, area, &none("guests")),
            Tab::Sessions => self.sessions.draw(shared, frame, area, &none("sessions")),
            Tab::Tasks => self.tasks.draw(shared, frame, area, &none("tasks")),
            Tab::Expenses => {
                let [list, totals] =
                    Layout::vertical([Constraint::Fill(1), Constraint::Length(1)]).areas(area);
                self.expenses.draw(shared, frame, list, &none("expenses"));
                if !self.expenses.items().is_empty() {
                    frame.render_widget(expense::totals(&self.expenses, shared), totals);
                }
            }
            Tab::Photos => self.photos.draw(shared, frame, area, &none("photos")),
        }
    }

    /// More of the selected row than has place in it.
    fn draw_details(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let details = match self.tab {
            Tab::Guests => self.guests.selected().map(guest::details),
            Tab::Sessions => self.sessions.selected().map(session::details),
            Tab::Tasks => self.tasks.selected().map(task::details),
            Tab::Expenses => self.expenses.selected().map(expense::details),
            Tab::Photos => self.photos.selected().map(photo::details),
        };
        let lines: Vec<Line> = details
            .into_iter()
            .flatten()
            .filter(|(_, text)| !text.is_empty())
            .map(|(label, text)| {
                Line::from(vec![
                    Span::styled(format!(" {label:<10} "), shared.theme.dim),
                    Span::raw(clean(&text).into_owned()),
                ])
            })
            .collect();
        frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), area);
    }
}
