//! When, where and in which roles the guests of an event came, as bars with figures.

use frontdesk_client::CallError;
use frontdesk_protocol::events::event::Event;
use frontdesk_protocol::id::EventId;
use frontdesk_protocol::ops::report::{EventReport, GetEventReport};
use jiff::Timestamp;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use crate::app::cx::Cx;
use crate::app::effects::call::Answer;
use crate::app::input::command::Context;
use crate::app::owner::RequestId;
use crate::app::remote::Remote;
use crate::app::screen::Screen;
use crate::app::shared::Shared;
use crate::look::text::{cells, clean, fit};
use crate::look::time::moment;
use crate::ui::frame::waiting;
use crate::ui::gauge;
use crate::ui::panel::{self, framed};

static ARRIVALS: Context = Context::screen("Arrivals");

/// The widest name of a bar.
const NAME: usize = 24;

/// The arrivals of one event.
#[derive(Debug)]
pub(crate) struct Arrivals {
    event: EventId,
    name: String,
    report: Remote<EventReport>,
    /// The first line on screen.
    top: usize,
}

impl Arrivals {
    pub(crate) fn of(event: &Event) -> Self {
        Arrivals {
            event: event.id,
            name: event.name.clone(),
            report: Remote::Idle,
            top: 0,
        }
    }

    fn ask(&mut self, cx: &mut Cx) {
        let request = cx.call(GetEventReport {
            event_id: self.event,
        });
        self.report.begin(request);
    }
}

/// A heading, and a bar for each name with its figure.
fn section(
    title: &str,
    bars: &[(String, u64)],
    width: usize,
    shared: &Shared,
) -> Vec<Line<'static>> {
    let theme = &shared.settings.theme;
    let most = bars.iter().map(|(_, count)| *count).max().unwrap_or(0);
    let names = bars.iter().map(|(name, _)| cells(name)).max();
    let names = names.unwrap_or(0).min(NAME);
    let mut lines = vec![Line::styled(title.to_owned(), theme.title)];
    lines.extend(bars.iter().map(|(name, count)| {
        let figure = shared
            .locale
            .language
            .count(usize::try_from(*count).unwrap_or(usize::MAX));
        let room = width.saturating_sub(names + cells(&figure) + 5);
        let name = fit(name, names);
        let gap = " ".repeat(names.saturating_sub(cells(&name)));
        Line::from(vec![
            Span::raw(format!(" {name}{gap}  ")),
            Span::styled(gauge::bar(room, *count, most), theme.good),
            Span::raw(format!(" {figure}")),
        ])
    }));
    lines.push(Line::default());
    lines
}

/// The bars of a report.
fn lines(report: &EventReport, width: usize, shared: &Shared) -> Vec<Line<'static>> {
    let time = |at: Timestamp| moment(at, shared.now, &shared.locale);
    let named = |name: &Option<String>, none: &str| match name {
        Some(name) => clean(name).into_owned(),
        None => none.to_owned(),
    };
    let quarters = report.arrivals.iter();
    let quarters: Vec<_> = quarters
        .map(|one| (time(one.from), one.arrivals.into()))
        .collect();
    if quarters.is_empty() {
        return vec![Line::styled(
            "Nobody has come yet.",
            shared.settings.theme.dim,
        )];
    }
    let gates = report.gates.iter();
    let gates: Vec<_> = gates
        .map(|one| (named(&one.gate, "without a gate"), one.arrivals.into()))
        .collect();
    let roles = report.roles.iter().filter(|one| one.checked_in_count > 0);
    let roles: Vec<_> = roles
        .map(|one| {
            (
                named(&one.role, "without a role"),
                one.checked_in_count.into(),
            )
        })
        .collect();
    let mut lines = section("By quarter of an hour", &quarters, width, shared);
    lines.extend(section("By gate", &gates, width, shared));
    lines.extend(section("By role", &roles, width, shared));
    lines
}

impl Screen for Arrivals {
    fn context(&self) -> &'static Context {
        &ARRIVALS
    }

    fn crumb(&self) -> String {
        format!("{} › Arrivals", self.name)
    }

    fn refresh(&mut self, cx: &mut Cx) {
        self.ask(cx);
    }

    fn renew(&mut self, cx: &mut Cx) {
        self.ask(cx);
    }

    fn as_of(&self) -> Option<Timestamp> {
        self.report.seen().map(|seen| seen.at)
    }

    fn tool_answered(&mut self, cx: &mut Cx, request: RequestId, answer: Answer) {
        let result: Option<Result<EventReport, CallError>> = answer.of::<GetEventReport>();
        if let Some(result) = result {
            self.report.finish(request, cx.now(), result);
        }
    }

    fn step(&mut self, _: &mut Cx, by: isize) {
        self.top = self.top.saturating_add_signed(by);
        let report = self.report.value();
        let most = report.map_or(0, |report| {
            report.arrivals.len() + report.gates.len() + report.roles.len() + 5
        });
        self.top = self.top.min(most);
    }

    fn is_busy(&self) -> bool {
        self.report.is_loading()
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.settings.theme;
        let inside = framed(frame, area, " Arrivals ", theme.border);
        match (self.report.value(), self.report.error()) {
            (Some(report), _) => {
                let mut lines = lines(report, usize::from(inside.width), shared);
                lines.drain(..self.top.min(lines.len()));
                frame.render_widget(Paragraph::new(lines), inside);
            }
            (None, Some(error)) => panel::failed(frame, shared, inside, error),
            (None, None) => frame.render_widget(waiting(shared, "counting the arrivals"), inside),
        }
    }
}
