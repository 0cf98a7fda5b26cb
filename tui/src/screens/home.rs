//! Home: who I am, what is on today, how the hosts are.

use std::collections::BTreeMap;

use frontdesk_client::{CallError, GuestList, Health};
use frontdesk_protocol::Host;
use frontdesk_protocol::events::event::{Event, ListEvents};
use frontdesk_protocol::id::EventId;
use frontdesk_protocol::record::List;
use frontdesk_protocol::value::{Limit, Offset};
use jiff::SignedDuration;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::app::command::{Command, Context};
use crate::app::cx::{Cx, News};
use crate::app::effect::{Outcome, RequestId, Work};
use crate::app::remote::Remote;
use crate::app::screen::Screen;
use crate::app::shared::{Session, Shared};
use crate::app::state::{State, Typing};
use crate::commands::leave;
use crate::records::kind;
use crate::records::open::open;
use crate::screens::check_in::CheckIn;
use crate::screens::events::event;
use crate::tools;
use crate::ui::frame::waiting;
use crate::ui::gauge;
use crate::ui::mark::Mark;
use crate::ui::panel::{self, titled};
use crate::ui::problem::Problem;
use crate::ui::table::{self, Column, Row};
use crate::ui::text::{cells, clean, fit};
use crate::ui::time::{is_today, moment, span};

/// The time until what failed is asked for again; it doubles with each failure.
const AGAIN: SignedDuration = SignedDuration::from_secs(4);
/// The longest such time.
const AGAIN_LONGEST: SignedDuration = SignedDuration::from_secs(30);

/// Pages of events that are looked through for those of today; the latest come first.
const MOST_PAGES: u32 = 5;

pub(crate) static HOME: Context = Context::list("Home");

/// The commands of the home screen.
pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        &HOME,
        "home.check_in",
        "Open the check-in desk of the selected event",
        &["enter", "c"],
        |state, out| state.act::<Home>(out, Home::open_desk),
    )
    .hint("check-in")
    .unless(no_event),
    Command::new(
        &HOME,
        "home.open_event",
        "Open the selected event",
        &["o"],
        |state, out| state.act::<Home>(out, Home::open_event),
    )
    .hint("open")
    .unless(no_event),
    Command::new(&HOME, "home.events", "All events", &["e"], |state, out| {
        state.act::<Home>(out, |_, cx| {
            if let Some(events) = kind::find(Host::Events, "event") {
                open(cx, events);
            }
        });
    })
    .hint("events"),
    Command::new(
        &HOME,
        "home.series",
        "Meeting series",
        &["m"],
        |state, out| {
            state.act::<Home>(out, |_, cx| {
                if let Some(series) = kind::find(Host::Work, "meeting") {
                    open(cx, series);
                }
            });
        },
    )
    .hint("meetings"),
    Command::new(
        &HOME,
        "home.tools",
        "All tools of the hosts",
        &["t"],
        |state, out| state.act::<Home>(out, |_, cx| tools::open(cx)),
    )
    .hint("tools"),
    Command::new(&HOME, "app.quit", "Leave Frontdesk", &["q"], leave).hint("quit"),
];

fn no_event(state: &State) -> Option<String> {
    match state.shows::<Home>() {
        Some(home) if home.selected.is_none() => Some("there is no event to select".to_owned()),
        _ => None,
    }
}

/// How long a host wants to be left alone.
fn pause(error: &CallError) -> SignedDuration {
    match error {
        CallError::RateLimited { retry_after } | CallError::Busy { retry_after } => {
            SignedDuration::try_from(*retry_after).unwrap_or(AGAIN_LONGEST)
        }
        _ => SignedDuration::ZERO,
    }
}

/// The home screen.
#[derive(Debug, Default)]
pub(crate) struct Home {
    /// Today's events, then those to come.
    events: Remote<Vec<Event>>,
    /// What came of the pages before the one that is loading.
    collected: Vec<Event>,
    selected: Option<EventId>,
    health: BTreeMap<Host, Remote<Health>>,
    is_visible: bool,
    /// The timer after which what failed is asked for again.
    again: Option<RequestId>,
    /// Questions since everything was well.
    failures: u32,
}

impl Home {
    fn ask_events(&mut self, cx: &mut Cx, offset: u32) {
        if !matches!(cx.shared.session, Session::In(_)) {
            return;
        }
        let limit = Limit::new(100).unwrap_or_default();
        let request = cx.call(ListEvents {
            search: None,
            strategy_business_unit_id: None,
            limit,
            offset: Offset::new(offset),
        });
        self.events.begin(request);
    }

    fn events_came(
        &mut self,
        cx: &mut Cx,
        request: RequestId,
        result: Result<List<Event>, CallError>,
    ) {
        if !self.events.waits_for(request) {
            return;
        }
        let page = match result {
            Ok(page) => page,
            Err(error) => {
                self.collected.clear();
                self.events.finish(request, cx.now(), Err(error));
                self.ask_again_later(cx);
                if self.events.value().is_none() {
                    cx.run(Work::GuestLists);
                }
                return;
            }
        };
        let (now, zone) = (cx.now(), &cx.shared.zone);
        let is_on = |event: &Event| is_today(event.start_at, event.end_at, now, zone);
        let reaches_today = page
            .items
            .last()
            .is_none_or(|event| event.start_at.is_none_or(|start| start < now) && !is_on(event));
        let offset = page.offset as u32 + page.items.len() as u32;
        let is_last = !page.has_more || reaches_today || offset >= MOST_PAGES * page.limit;
        self.collected.extend(
            page.items
                .into_iter()
                .filter(|event| is_on(event) || event.start_at.is_some_and(|start| start >= now)),
        );
        if !is_last {
            self.ask_events(cx, offset);
            return;
        }
        let events = std::mem::take(&mut self.collected);
        let events = self.in_order(events, cx.shared);
        self.events.finish(request, cx.now(), Ok(events));
    }

    /// Today's events first. One of them is selected.
    fn in_order(&mut self, mut events: Vec<Event>, shared: &Shared) -> Vec<Event> {
        events.sort_by_key(|event| {
            (
                !is_today(event.start_at, event.end_at, shared.now, &shared.zone),
                event.start_at,
            )
        });
        let is_there = |id: &EventId| events.iter().any(|event| event.id == *id);
        if !self.selected.as_ref().is_some_and(is_there) {
            self.selected = events.first().map(|event| event.id);
        }
        events
    }

    /// Shows the events whose guests are on disk, as long as the host has told of none.
    fn recall(&mut self, shared: &Shared, lists: Vec<GuestList>) {
        let oldest = lists.iter().map(|list| list.at).min();
        if let Some(oldest) = oldest
            && self.events.value().is_none()
        {
            let events = lists.into_iter().map(|list| list.event).collect();
            let events = self.in_order(events, shared);
            self.events.recall(events, oldest);
        }
    }

    fn ask_health(&mut self, cx: &mut Cx, hosts: &[Host]) {
        for &host in hosts {
            let health = self.health.entry(host).or_default();
            if !health.is_loading() {
                let request = cx.run(Work::Health(host));
                health.begin(request);
            }
        }
    }

    /// Sets the timer for what failed, unless it is set or nothing failed that time can mend.
    fn ask_again_later(&mut self, cx: &mut Cx) {
        let Some(told) = self.pauses().max() else {
            self.failures = 0;
            return;
        };
        if self.is_visible && self.again.is_none() {
            let pause = (AGAIN * (1 << self.failures.min(3))).min(AGAIN_LONGEST);
            self.failures += 1;
            self.again = Some(cx.after(pause.max(told)));
        }
    }

    /// How long each host that failed and may come back wants to be left alone.
    fn pauses(&self) -> impl Iterator<Item = SignedDuration> {
        let events = self.events.error();
        let hosts = self.health.values().filter_map(Remote::error);
        let errors = events.into_iter().chain(hosts);
        errors.filter(|error| error.is_transient()).map(pause)
    }

    /// Asks for what failed.
    fn ask_again(&mut self, cx: &mut Cx) {
        cx.cancel(&mut self.again);
        if self.events.error().is_some_and(CallError::is_transient) {
            self.ask_events(cx, 0);
        }
        let failed = self.health.iter().filter(|(_, of)| of.error().is_some());
        let failed: Vec<Host> = failed.map(|(host, _)| *host).collect();
        self.ask_health(cx, &failed);
    }

    /// The selected event.
    fn event(&self) -> Option<&Event> {
        let events = self.events.value()?;
        events.iter().find(|event| Some(event.id) == self.selected)
    }

    fn open_event(&mut self, cx: &mut Cx) {
        if let (Some(event), Some(seen)) = (self.event(), self.events.seen())
            && let Some(screen) = event::screen(event, seen.at, cx.shared)
        {
            cx.open(screen);
        }
    }

    fn open_desk(&mut self, cx: &mut Cx) {
        if let (Some(event), Some(seen)) = (self.event(), self.events.seen()) {
            let desk = CheckIn::new(event.clone(), seen.at);
            cx.open(desk);
        }
    }
}

impl Screen for Home {
    fn context(&self) -> &'static Context {
        &HOME
    }

    fn crumb(&self) -> String {
        "Home".to_owned()
    }

    fn shown(&mut self, cx: &mut Cx) {
        self.is_visible = true;
        self.refresh(cx);
    }

    fn hidden(&mut self, cx: &mut Cx) {
        self.is_visible = false;
        cx.cancel(&mut self.again);
    }

    fn refresh(&mut self, cx: &mut Cx) {
        cx.cancel(&mut self.again);
        self.failures = 0;
        cx.abort(self.events.request());
        self.collected.clear();
        self.ask_events(cx, 0);
        self.ask_health(cx, &Host::ALL);
    }

    fn fired(&mut self, cx: &mut Cx, request: RequestId) {
        if self.again.take_if(|again| *again == request).is_some() {
            self.ask_again(cx);
        }
    }

    fn answered(&mut self, cx: &mut Cx, request: RequestId, outcome: Outcome) {
        match outcome {
            Outcome::Call(answer) => {
                if let Some(result) = answer.of::<ListEvents>() {
                    self.events_came(cx, request, result);
                }
            }
            Outcome::Health(host, result) => {
                if let Some(health) = self.health.get_mut(&host) {
                    health.finish(request, cx.now(), result);
                }
                self.ask_again_later(cx);
            }
            Outcome::GuestLists(lists) => self.recall(cx.shared, lists),
            _ => {}
        }
    }

    fn told(&mut self, cx: &mut Cx, news: &News) {
        let may_ask = || self.is_visible && self.pauses().max() == Some(SignedDuration::ZERO);
        if matches!(news, News::Reached) && may_ask() {
            self.ask_again(cx);
        }
        if let Some(event) = news.record::<Event>("event")
            && let Some(events) = self.events.value_mut()
            && let Some(known) = events.iter_mut().find(|known| known.id == event.id)
        {
            *known = event;
        }
    }

    fn step(&mut self, _: &mut Cx, by: isize) {
        let events = self.events.value().into_iter().flatten();
        let ids: Vec<EventId> = events.map(|event| event.id).collect();
        self.selected = table::step(&ids, self.selected, by);
    }

    fn is_busy(&self) -> bool {
        self.events.is_loading()
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let rows = Host::ALL
            .len()
            .div_ceil(usize::from(area.width / HOST_WIDTH).max(1)) as u16;
        // Where there is little room, it is for the events.
        let is_small = area.height < rows + 2 * LEAST_EVENTS;
        let [who, _, events, hosts] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Length(1),
            Constraint::Fill(1),
            Constraint::Length(if is_small { 1 } else { rows + 2 }),
        ])
        .areas(area);
        draw_who(shared, frame, who);
        self.draw_events(shared, frame, events);
        match is_small {
            true => frame.render_widget(self.hosts_in_short(shared), hosts),
            false => self.draw_hosts(shared, frame, hosts),
        }
    }
}

/// Cells for one host.
const HOST_WIDTH: u16 = 26;
/// Lines that the events get before the hosts get one each.
const LEAST_EVENTS: u16 = 6;

impl Home {
    fn draw_events(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.theme;
        let mut title = vec![Span::raw(" Today and coming up ")];
        if let (Some(error), Some(seen)) = (self.events.error(), self.events.seen()) {
            let since = moment(seen.at, shared.now, &shared.zone);
            let words = format!("{} (as of {since}) ", Problem::of(error).title);
            title.push(Mark::Bad.span(theme, &words));
        }
        let block = titled(title, theme.border);
        let inside = block.inner(area);
        frame.render_widget(block, area);
        let message = panel::middle(inside, inside.width.saturating_sub(4), 1);
        match (self.events.value(), self.events.error()) {
            (Some(events), _) if !events.is_empty() => {
                let at = events
                    .iter()
                    .position(|event| Some(event.id) == self.selected);
                // Where there is little room, it is for the names.
                let bar = if inside.width < 70 { 0 } else { 10 };
                table::draw(
                    frame,
                    inside,
                    theme,
                    &[
                        Column::share("Event", 1),
                        Column::fixed("When", if bar == 0 { 17 } else { 23 }),
                        Column::fixed("Guests", 14 + bar),
                    ],
                    events.len(),
                    at,
                    |at| row(&events[at], bar.into(), shared),
                );
            }
            (Some(_), _) => frame.render_widget(
                Line::styled(
                    "Nothing today and nothing to come that you can see.",
                    theme.dim,
                ),
                message,
            ),
            (None, Some(error)) => {
                let problem = Problem::of(error);
                panel::problem(frame, theme, &shared.keymap, inside, &problem, Typing::No);
            }
            (None, None) if self.events.is_loading() => {
                frame.render_widget(waiting(shared, "loading events…"), message);
            }
            (None, None) => {}
        }
    }

    fn draw_hosts(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.theme;
        let block = titled(" Hosts ", theme.border);
        let inside = block.inner(area);
        frame.render_widget(block, area);
        let columns = usize::from(inside.width / HOST_WIDTH).max(1);
        for (at, host) in Host::ALL.into_iter().enumerate() {
            let x = inside.x + 1 + (at % columns) as u16 * HOST_WIDTH;
            let y = inside.y + (at / columns) as u16;
            if y >= inside.bottom() {
                break;
            }
            let place = Rect {
                x,
                y,
                width: HOST_WIDTH.min(inside.right().saturating_sub(x)),
                height: 1,
            };
            frame.render_widget(self.host(shared, host), place);
        }
    }

    /// How a host is, in a word.
    fn health(&self, host: Host) -> (Mark, &'static str) {
        match self.health.get(&host) {
            Some(health) => match (health.value(), health.error()) {
                (_, Some(_)) => (Mark::Bad, "away"),
                (Some(health), _) if health.is_ok() => (Mark::Good, "ok"),
                (Some(_), _) => (Mark::Warn, "unwell"),
                (None, None) => (Mark::Busy, "asked"),
            },
            None => (Mark::Info, "not asked"),
        }
    }

    fn host(&self, shared: &Shared, host: Host) -> Line<'static> {
        let theme = &shared.theme;
        let (mark, words) = self.health(host);
        Line::from(vec![
            Span::styled(format!("{} ", mark.glyph()), mark.style(theme)),
            Span::raw(host.title()),
            Span::styled(format!(" {words}"), theme.dim),
        ])
    }

    /// How many hosts are how, in one line.
    fn hosts_in_short(&self, shared: &Shared) -> Line<'static> {
        let mut kinds: Vec<(Mark, &str, usize)> = Vec::new();
        for host in Host::ALL {
            let (mark, words) = self.health(host);
            match kinds.iter_mut().find(|(_, known, _)| *known == words) {
                Some((.., hosts)) => *hosts += 1,
                None => kinds.push((mark, words, 1)),
            }
        }
        let mut line = Line::from(Span::raw("Hosts: "));
        for (mark, words, hosts) in kinds {
            line.push_span(mark.span(&shared.theme, &format!("{hosts} {words}")));
            line.push_span(Span::raw("  "));
        }
        line
    }
}

fn draw_who(shared: &Shared, frame: &mut Frame, area: Rect) {
    let theme = &shared.theme;
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
            if line.width() + cells(&address) <= usize::from(area.width) {
                line.push_span(Span::styled(address, theme.dim));
            }
            line
        }
        None => Line::from(vec![
            Span::raw("Nobody is signed in. "),
            Span::styled(shared.keymap.key("session.sign_in"), theme.key),
            Span::raw(" signs in."),
        ]),
    };
    frame.render_widget(line, area);
}

fn row(event: &Event, bar: usize, shared: &Shared) -> Row {
    let (here, guests) = (
        u64::from(event.checked_in_count),
        u64::from(event.guest_count),
    );
    let style = match is_today(event.start_at, event.end_at, shared.now, &shared.zone) {
        true => Style::new(),
        false => shared.theme.dim,
    };
    Row::new()
        .cell(event.name.clone())
        .cell(span(event.start_at, event.end_at, shared.now, &shared.zone))
        .cell(match guests {
            0 => "no guests".to_owned(),
            _ if bar == 0 => format!("{here} of {guests}"),
            _ => format!("{} {here} of {guests}", gauge::bar(bar, here, guests)),
        })
        .style(style)
}
