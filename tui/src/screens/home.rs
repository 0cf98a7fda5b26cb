//! Home: who I am, what is on today, what I have to do, what needs attention, how the hosts are.

mod events;
mod forms;
mod hosts;
mod invoices;
mod lessons;
mod lines;
mod part;
mod people;
mod programs;
mod saved;
mod series;
mod steps;
mod tasks;

use frontdesk_client::CallError;
use frontdesk_protocol::events::event::Event;
use frontdesk_protocol::{Host, Role};
use jiff::{SignedDuration, Timestamp};
use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::text::{Line, Span};

use self::events::EVENTS;
use self::forms::FORMS;
pub(crate) use self::hosts::FetchHealth;
use self::hosts::Hosts;
use self::invoices::INVOICES;
use self::lessons::LESSONS;
use self::lines::LINES;
use self::part::{Loading, Part};
use self::people::{INVITATIONS, PEOPLE};
use self::programs::PROGRAMS;
use self::saved::Saved;
use self::series::SERIES;
use self::steps::STEPS;
use self::tasks::TASKS;
use crate::app::cx::{Cx, News};
use crate::app::effects::job::{Ended, Outcome};
use crate::app::input::command::{Context, commands};
use crate::app::owner::RequestId;
use crate::app::screen::Screen;
use crate::app::shared::Shared;
use crate::app::state::State;
use crate::desk::check_in::CheckIn;
use crate::desk::door::leave;
use crate::desk::door::lists::FindLists;
use crate::look::text::{cells, clean, fit};
use crate::record_screens::{open, open_record};
use crate::records::kind;
use crate::records::record::Record;
use crate::records::saved::{FilterChange, change_filters};
use crate::screens::areas::{Areas, is_for};
use crate::screens::work::week::Week;
use crate::tools;
use crate::ui::confirm::Confirm;
use crate::ui::{panel, sections, table};

/// The parts of Home for a role, from above.
fn parts(role: Option<Role>) -> Vec<Loading> {
    let mut parts: Vec<&'static Part> = match role {
        Some(Role::Fellow) => vec![&FORMS, &LESSONS, &PROGRAMS, &TASKS, &EVENTS],
        Some(Role::Finance | Role::Automation) => vec![&INVOICES, &LINES, &EVENTS, &TASKS],
        Some(Role::Owner) => vec![&STEPS, &EVENTS, &INVITATIONS, &PEOPLE, &TASKS],
        _ => vec![&EVENTS, &TASKS],
    };
    if role != Some(Role::Fellow) {
        parts.extend([&SERIES, &PROGRAMS]);
    }
    parts.retain(|part| (part.is_for)(role));
    parts.into_iter().map(Loading::new).collect()
}

/// The time until what failed is asked for again; it doubles with each failure.
const AGAIN: SignedDuration = SignedDuration::from_secs(4);
/// Room for the age at the end of the first line.
const AGE: usize = 15;
/// The longest such time, and for a host that cannot be reached.
const AGAIN_LONGEST: SignedDuration = SignedDuration::from_secs(30);
const AGAIN_AWAY: SignedDuration = SignedDuration::from_secs(8);

pub(crate) static HOME: Context = Context::list("Home");

commands! {
    /// The commands of the home screen.
    pub(crate) const COMMANDS;

    HOME: "home.open", ["enter"], "Open the selection; an event opens its check-in desk",
        act Home::open, hint("open"), needs(Home::selected, "nothing selected");
    HOME: "home.check_in", ["c"],
        "Open the check-in desk of the selected event, or of the first one", act Home::open_desk,
        hint("check-in"), needs(Home::event, "there is no event to select");
    HOME: "home.open_event", ["o"], "Open the selection as a record", act Home::open_record,
        needs(Home::selected, "nothing selected");
    HOME: "home.remove_list", ["d", "del"], "Remove the saved list of the selected row from Home",
        act Home::ask_to_remove, needs(Home::selected_list, "only a saved list can be removed");
    HOME: "home.week", ["w"], "My week", run |state, out| { state.cx(out).open(Week::default()); },
        immediate, hint("my week");
    HOME: "home.events", ["e"], "All events",
        act |_: &mut Home, cx| {
            if let Some(events) = kind::find(Host::Events, "event") {
                open(cx, events);
            }
        }, immediate, hint("events");
    HOME: "home.series", ["R"], "Meeting series",
        act |_: &mut Home, cx| {
            if let Some(series) = kind::find(Host::Work, "meeting") {
                open(cx, series);
            }
        }, immediate, hint("meetings"), unless(no_series);
    HOME: "home.areas", ["tab"], "Next page: all areas and kinds of records",
        run |state, out| {
            let areas = Areas::new(&state.shared);
            state.cx(out).open(areas);
        }, immediate, hint("areas");
    HOME: "home.tools", ["t"], "All tools of the hosts", act |_: &mut Home, cx| tools::open(cx),
        immediate, hint("tools");
    HOME: "app.quit", ["q"], "Leave Frontdesk", run leave, immediate, at_lock, over("app.back"),
        hint("quit");
}

/// Why the account has no list of meeting series.
fn no_series(state: &State) -> Option<String> {
    let series = kind::find(Host::Work, "meeting")?;
    let role = state.shared.account()?.role;
    (!is_for(series, role)).then(|| "your role does not see the series".to_owned())
}

/// How long a host wants to be left alone.
fn pause(error: &CallError) -> SignedDuration {
    error.wait().unwrap_or_default()
}

/// The home screen.
#[derive(Debug)]
pub(crate) struct Home {
    /// The role that the parts are for.
    role: Option<Role>,
    parts: Vec<Loading>,
    hosts: Hosts,
    saved: Saved,
    /// The row that the person went to: its part, and its id. Saved lists follow the parts.
    selected: Option<(usize, String)>,
    is_visible: bool,
    /// The timer after which what failed is asked for again.
    again: Option<RequestId>,
    /// Questions since everything was well.
    failures: u32,
}

impl Default for Home {
    fn default() -> Self {
        Home {
            role: None,
            parts: parts(None),
            hosts: Hosts::default(),
            saved: Saved::default(),
            selected: None,
            is_visible: false,
            again: None,
            failures: 0,
        }
    }
}

impl Home {
    /// The part and the row that are selected: where the person went, or else the first row, once the parts
    /// above it have come.
    fn selected(&self) -> Option<(usize, &Record)> {
        let by_hand = self.selected.as_ref().and_then(|(part, id)| {
            let mut rows = self.rows(*part).into_iter();
            Some((*part, rows.find(|row| row.id() == id)?))
        });
        by_hand.or_else(|| {
            let mut parts = self.parts.iter().enumerate();
            let first = parts.find(|(_, part)| part.is_awaited() || !part.known().is_empty());
            let Some((at, first)) = first else {
                let mut saved = self.parts.len()..self.sections();
                return saved.find_map(|at| Some((at, *self.rows(at).first()?)));
            };
            let mut rows = first.known().iter();
            Some((
                at,
                rows.find(|row| !steps::is_done(row))
                    .or(first.known().first())?,
            ))
        })
    }

    /// The number of parts and saved lists.
    fn sections(&self) -> usize {
        self.parts.len() + self.saved.len()
    }

    /// The rows of a part or a saved list.
    fn rows(&self, at: usize) -> Vec<&Record> {
        match self.parts.get(at) {
            Some(part) => part.known().iter().collect(),
            None => self.saved.rows(at - self.parts.len()),
        }
    }

    /// The saved list of the selected row.
    fn selected_list(&self) -> Option<(usize, &Record)> {
        let (at, row) = self.selected()?;
        Some((at.checked_sub(self.parts.len())?, row))
    }

    /// Whether the rows at this place are of this kind.
    fn is_of(&self, at: usize, kind: &str) -> bool {
        self.parts
            .get(at)
            .is_some_and(|part| part.part.kind == kind)
    }

    /// The selected event, or the first one, and when the host told of it.
    fn event(&self) -> Option<(Event, Timestamp)> {
        let is_event = |(at, _): &(usize, &Record)| self.is_of(*at, EVENTS.kind);
        let events = self
            .parts
            .iter()
            .find(|part| part.part.kind == EVENTS.kind)?;
        let selected = self.selected().filter(is_event).map(|(_, event)| event);
        let event = selected.or_else(|| events.known().first())?;
        Some((event.decode()?, events.rows.seen()?.at))
    }

    /// The ids and names of the events that it shows, those of today first.
    pub(super) fn events(&self) -> impl Iterator<Item = (String, String)> {
        let events = self
            .parts
            .iter()
            .filter(|part| part.part.kind == EVENTS.kind);
        events
            .flat_map(|part| part.known())
            .filter_map(|event| Some((event.id().to_owned(), event.text("name")?.to_owned())))
    }

    fn open(&mut self, cx: &mut Cx) {
        match self.selected() {
            Some((at, _)) if self.is_of(at, EVENTS.kind) => self.open_desk(cx),
            _ => self.open_record(cx),
        }
    }

    fn open_record(&mut self, cx: &mut Cx) {
        if let Some((at, row)) = self.selected_list() {
            self.saved.open(cx, at, row.id());
        } else if let Some((at, row)) = self.selected()
            && self.is_of(at, STEPS.kind)
        {
            steps::begin(cx, row);
        } else if let Some((at, row)) = self.selected()
            && let Some(Loading { part, rows, .. }) = self.parts.get(at)
            && let (Some(kind), Some(seen)) = (kind::find(part.host, part.kind), rows.seen())
        {
            open_record(cx, kind, row, seen.at);
        }
    }

    /// Asks whether the saved list of the selected row goes.
    fn ask_to_remove(&mut self, cx: &mut Cx) {
        let name = self.selected_list().and_then(|(at, _)| self.saved.name(at));
        if let Some(name) = name {
            cx.raise(Confirm {
                title: format!("Remove “{}” from Home?", clean(name)),
                body: "The saved list is removed, its records stay.".to_owned(),
                then: |state, out| {
                    state.act::<Home>(out, |home, cx| {
                        if let Some((at, _)) = home.selected_list() {
                            home.saved.remove(cx, at);
                        }
                    });
                },
            });
        }
    }

    /// Loads what is due of the saved lists, after everything else.
    fn go_on(&mut self, cx: &mut Cx) {
        if self.is_visible && !self.parts.iter().any(|part| part.rows.is_loading()) {
            self.saved.go_on(cx);
        }
    }

    /// Reads the saved lists of the account, or loads them again.
    fn ask_saved(&mut self, cx: &mut Cx) {
        let Some(account) = cx.shared.account().map(|account| account.id) else {
            return;
        };
        match &cx.shared.filters {
            Some((of, _)) if *of == account => {
                self.saved.follow(cx.shared);
                self.saved.outdate();
                self.go_on(cx);
            }
            _ => change_filters(cx, FilterChange::Nothing),
        }
    }

    fn open_desk(&mut self, cx: &mut Cx) {
        if let Some((event, at)) = self.event() {
            cx.open(CheckIn::new(event, at));
        }
    }

    /// Sets the timer for what failed, unless it is set or nothing failed that time can mend.
    fn ask_again_later(&mut self, cx: &mut Cx) {
        let Some(told) = self.pauses().max() else {
            self.failures = 0;
            return;
        };
        if self.is_visible && self.again.is_none() {
            let is_away = self
                .errors()
                .any(|error| matches!(error, CallError::Unreachable { .. }));
            let longest = if is_away { AGAIN_AWAY } else { AGAIN_LONGEST };
            let pause = (AGAIN * (1 << self.failures.min(3))).min(longest);
            self.failures += 1;
            self.again = Some(cx.after(pause.max(told)));
        }
    }

    /// The failures that time can mend.
    fn errors(&self) -> impl Iterator<Item = &CallError> {
        let parts = self.parts.iter().filter_map(|part| part.rows.error());
        let errors = parts.chain(self.hosts.away().map(|(_, error)| error));
        errors.filter(|error| error.is_transient())
    }

    /// How long each host that failed and may come back wants to be left alone.
    fn pauses(&self) -> impl Iterator<Item = SignedDuration> {
        self.errors().map(pause)
    }

    /// Asks hosts that wanted to be left alone for what they owe, and the others how they are first.
    fn ask_again(&mut self, cx: &mut Cx) {
        cx.cancel(&mut self.again);
        let mut hosts: Vec<Host> = self.hosts.away().map(|(host, _)| host).collect();
        for part in &mut self.parts {
            match part.rows.error() {
                Some(error) if !pause(error).is_zero() => part.ask(cx),
                Some(_) => hosts.push(part.part.host),
                None => {}
            }
        }
        self.hosts.ask(cx, hosts);
    }

    /// A host is well: what it owes is asked for.
    fn came_back(&mut self, cx: &mut Cx, host: Host) {
        let owes = |part: &&mut Loading| {
            let error = part.rows.error();
            part.part.host == host
                && error.is_some_and(|error| error.is_transient() && pause(error).is_zero())
        };
        for part in self.parts.iter_mut().filter(owes) {
            part.ask(cx);
        }
    }

    /// Shows the events whose guests are on disk, as long as the host has told of none.
    fn recall(&mut self, shared: &Shared, lists: Vec<(Event, Timestamp)>) {
        let oldest = lists.iter().map(|(_, at)| *at).min();
        let events = self
            .parts
            .iter_mut()
            .find(|part| part.part.kind == EVENTS.kind);
        if let (Some(oldest), Some(part)) = (oldest, events) {
            let events: Vec<Event> = lists.into_iter().map(|(event, _)| event).collect();
            part.rows.recall(events::rows(&events, shared), oldest);
        }
    }

    /// Requests these of the parts that the caller has.
    fn ask_parts(&mut self, cx: &mut Cx, is_meant: fn(&Loading) -> bool) {
        let Some(role) = cx.shared.account().map(|account| account.role) else {
            return;
        };
        if self.role != role {
            self.role = role;
            self.selected = None;
            self.parts = parts(role);
        }
        let parts = self.parts.iter_mut().filter(|part| !part.is_over());
        for part in parts.filter(|part| is_meant(part)) {
            part.ask(cx);
        }
    }
}

impl Screen for Home {
    fn context(&self) -> &'static Context {
        &HOME
    }

    fn shown(&mut self, cx: &mut Cx) {
        self.is_visible = true;
        let events = self.parts.iter().find(|part| part.part.kind == EVENTS.kind);
        if events.is_some_and(|events| events.rows.seen().is_none()) {
            // A desk can be opened before the host answers.
            cx.run(FindLists);
        }
        self.refresh(cx);
    }

    fn hidden(&mut self, cx: &mut Cx) {
        self.is_visible = false;
        cx.cancel(&mut self.again);
    }

    fn refresh(&mut self, cx: &mut Cx) {
        cx.cancel(&mut self.again);
        self.failures = 0;
        self.ask_parts(cx, |_| true);
        self.hosts.ask(cx, Host::ALL);
        self.ask_saved(cx);
    }

    fn as_of(&self) -> Option<Timestamp> {
        // What is over is not asked for again.
        let is_current = |part: &&Loading| part.rows.error().is_none() && !part.is_over();
        let parts = self.parts.iter().filter(is_current);
        let parts = parts.filter_map(|part| Some(part.rows.seen()?.at));
        parts.chain(self.hosts.as_of()).min()
    }

    fn renew(&mut self, cx: &mut Cx) {
        // What failed is requested again at its own intervals.
        self.ask_parts(cx, |part| part.rows.error().is_none());
        self.hosts.ask(cx, Host::ALL);
        self.ask_saved(cx);
    }

    fn fired(&mut self, cx: &mut Cx, request: RequestId) {
        if self.again.take_if(|again| *again == request).is_some() {
            self.ask_again(cx);
        }
    }

    fn answered(&mut self, cx: &mut Cx, request: RequestId, outcome: Outcome) {
        match outcome {
            Outcome::Call(answer) if self.saved.answered(cx, request, &answer) => self.go_on(cx),
            Outcome::Call(answer) => {
                let mut parts = self.parts.iter_mut();
                let part =
                    parts.find_map(|part| part.answered(cx, request, &answer).then_some(&*part));
                let part_kind = part.map(|part| part.part.kind);
                let doubted = part.filter(|part| part.is_doubted);
                self.hosts.ask(cx, doubted.map(|part| part.part.host));
                if part.is_some_and(|part| {
                    part.part.kind == EVENTS.kind
                        && part.rows.error().is_some()
                        && part.known().is_empty()
                }) {
                    cx.run(FindLists);
                }
                // The next step is selected.
                let row = self.selected().map(|(_, row)| row);
                if part_kind == Some(STEPS.kind) && row.is_some_and(steps::is_done) {
                    self.selected = None;
                }
                self.go_on(cx);
                self.ask_again_later(cx);
            }
            mut outcome => {
                if let Some(Ended { job, result }) = outcome.take::<FetchHealth>() {
                    let is_well = result.is_ok();
                    self.hosts.answered(cx, request, job.0, result);
                    if is_well {
                        self.came_back(cx, job.0);
                    }
                    self.ask_again_later(cx);
                } else if let Some(ended) = outcome.take::<FindLists>() {
                    self.recall(cx.shared, ended.result.unwrap_or_default());
                }
            }
        }
    }

    fn notified(&mut self, cx: &mut Cx, news: &News) {
        if matches!(news, News::Filters) {
            self.saved.follow(cx.shared);
            self.go_on(cx);
        }
        let may_ask = || self.is_visible && self.pauses().max() == Some(SignedDuration::ZERO);
        if matches!(news, News::Reached) && may_ask() {
            let away: Vec<Host> = self.hosts.away().map(|(host, _)| host).collect();
            self.hosts.ask(cx, away);
        }
        if let News::Changed {
            kind,
            record: Some(record),
        } = news
            && let Some(record) = Record::new(record)
        {
            let parts = self.parts.iter_mut().filter(|part| part.part.kind == kind);
            let rows = parts.filter_map(|part| part.rows.value_mut()).flatten();
            for row in rows.filter(|row| row.id() == record.id()) {
                *row = row.updated(&record);
            }
        }
    }

    fn step(&mut self, _: &mut Cx, by: isize) {
        let rows = (0..self.sections())
            .flat_map(|at| self.rows(at).into_iter().map(move |row| (at, row.id())));
        let rows: Vec<(usize, &str)> = rows.collect();
        let selected = self.selected().map(|(at, row)| (at, row.id()));
        let next = table::step(&rows, selected, by);
        self.selected = next.map(|(at, id)| (at, id.to_owned()));
    }

    fn awaits(&self) -> bool {
        self.selected().is_none() && self.parts.iter().any(Loading::is_awaited)
    }

    fn is_busy(&self) -> bool {
        self.parts.iter().any(|part| part.rows.is_loading())
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let selected = self.selected();
        let sections = self.parts.iter().enumerate().filter_map(|(at, part)| {
            let row = selected
                .filter(|(part, _)| *part == at)
                .map(|(_, row)| row.id());
            part.section(shared, area.width, row)
        });
        let saved = self.selected_list().map(|(at, row)| (at, row.id()));
        let sections = sections.chain(self.saved.sections(shared, saved));
        let sections: Vec<_> = sections.collect();
        let none = self.parts.iter().filter(|part| part.is_empty());
        let none = none
            .map(|part| part.part.none)
            .filter(|none| !none.is_empty());
        let none: Vec<&str> = none.collect();
        let said = u16::from(!none.is_empty());
        let hosts = self.hosts.line(shared, area.width);
        let below = said + u16::from(hosts.is_some());
        let [who, parts, said, _, last] = Layout::vertical([
            Length(1),
            Length(sections::height(&sections).min(area.height.saturating_sub(1 + below))),
            Length(said),
            Fill(1),
            Length(below - said),
        ])
        .areas(area);
        self.draw_who(shared, frame, who);
        sections::draw(frame, parts, shared, &sections);
        let none = fit(&format!(" {}", none.join(" · ")), said.width.into());
        frame.render_widget(Line::styled(none, shared.settings.theme.dim), said);
        frame.render_widget(hosts, last);
    }
}

impl Home {
    fn draw_who(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.settings.theme;
        let room = usize::from(area.width).saturating_sub(AGE);
        let line = match shared.account() {
            Some(account) => {
                let role = account.role.map_or("without a role", |role| role.name());
                let organization = match &account.organization {
                    Some(name) => format!("{role} at {}", clean(name)),
                    None => format!("{role}, in no organisation"),
                };
                let mut line = Line::from(vec![
                    Span::raw("Signed in as "),
                    Span::styled(fit(&account.email, 40), theme.title),
                    Span::raw(format!(", {organization}")),
                ]);
                let address = format!("  ({})", clean(&shared.address));
                // Half an address is of no use; the sign-in card and `whoami` have the whole one.
                if line.width() + cells(&address) <= room {
                    line.push_span(Span::styled(address, theme.dim));
                }
                line
            }
            None => Line::from(vec![
                Span::raw("Nobody is signed in. "),
                panel::key(shared, "session.sign_in"),
                Span::raw(" signs in."),
            ]),
        };
        frame.render_widget(line, area);
    }
}
