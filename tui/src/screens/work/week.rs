//! My week: a member's last days by source, with the text for the daily meeting.

use frontdesk_protocol::Host;
use frontdesk_protocol::id::MemberId;
use frontdesk_protocol::value::Whole;
use frontdesk_protocol::work::weekly::{GetWeeklyUpdates, Source, WeeklyUpdates};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::app::cx::Cx;
use crate::app::effects::call::Answer;
use crate::app::input::command::{ANYWHERE, Context, commands};
use crate::app::owner::RequestId;
use crate::app::remote::Remote;
use crate::app::screen::Screen;
use crate::app::shared::{Session, Shared};
use crate::app::state::State;
use crate::fields::cell::{self, Cell};
use crate::formats;
use crate::look::mark::Mark;
use crate::look::text::{clean, count, fit};
use crate::look::time::{day_alone, moment};
use crate::record_screens::open_record;
use crate::records::names::want_names;
use crate::records::record::Record;
use crate::records::{chooser, kind};
use crate::ui::frame::waiting;
use crate::ui::panel::{self, titled};
use crate::ui::problem::Problem;
use crate::ui::sections::{self, Section};
use crate::ui::table::{self, Column, Row};

/// The zone of the days (specification, section 4.5).
const DAYS_IN: &str = "America/Sao_Paulo";
/// The default number of days.
const USUAL: i64 = 7;
/// Lines for the full text of the selected item.
const WHOLE: u16 = 2;
/// From this width on, the text for the daily meeting is beside the sources.
const WIDE: u16 = 116;

static WEEK: Context = Context::list("My week");

commands! {
    pub(crate) const COMMANDS;

    WEEK: "week.copy", ["y"], "Copy the text for the daily meeting", act Week::copy,
        hint("copy daily text"),
        unless(|state| match state.shows::<Week>()?.updates.value() {
            None => Some("no text yet".to_owned()),
            Some(_) => None,
        });
    WEEK: "week.text", ["tab"], "Next view: the text for the daily meeting, or the sources",
        act |week: &mut Week, _| week.shows_text = !week.shows_text, hint("text");
    WEEK: "week.member", ["f"], "Choose a member", act Week::choose, hint("member");
    WEEK: "week.more", ["+", "=", "right", "l"], "One day more",
        act |week: &mut Week, cx| week.turn(cx, 1), hint("more days"),
        unless(|state| no_days(state, 1));
    WEEK: "week.fewer", ["-", "left", "h"], "One day less",
        act |week: &mut Week, cx| week.turn(cx, -1), over("app.before"), hint("fewer"),
        unless(|state| no_days(state, -1));
    WEEK: "week.open_item", ["enter"], "Open the selected task or plan", act Week::open,
        hint("open"),
        unless(|state| {
            let item = state.shows::<Week>()?.item();
            match item.and_then(|item| item.record.as_ref()) {
                Some(_) => None,
                None => Some("no task or plan is selected".to_owned()),
            }
        });
}

commands! {
    pub(crate) const EVERYWHERE;

    ANYWHERE: "week.open", [], "My week: your activity of the last days",
        run |state, out| state.cx(out).open(Week::default()), of_service;
}

fn no_days(state: &State, by: i64) -> Option<String> {
    let days = state.shows::<Week>()?.days + by;
    Days::new(days)
        .is_none()
        .then(|| "the range is 1 to 14 days".to_owned())
}

type Days = Whole<1, 14>;

#[derive(Debug)]
pub(crate) struct Week {
    /// The member; `None` for the caller.
    member: Option<String>,
    days: i64,
    updates: Remote<Updates>,
    /// The item selected by the user: its source and id.
    selected: Option<(usize, String)>,
    shows_text: bool,
}

impl Default for Week {
    fn default() -> Self {
        Week {
            member: None,
            days: USUAL,
            updates: Remote::Idle,
            selected: None,
            shows_text: false,
        }
    }
}

/// The answer of the host, prepared for display.
#[derive(Debug)]
struct Updates {
    member: MemberId,
    from: Date,
    to: Date,
    sources: [Shown; 5],
    daily_text: String,
}

/// One source.
#[derive(Debug)]
struct Shown {
    title: &'static str,
    is_unavailable: bool,
    is_truncated: bool,
    items: Vec<Item>,
}

/// One item of a source.
#[derive(Debug)]
struct Item {
    id: String,
    /// Time, text and state.
    cells: [Cell; 3],
    /// The full text, shown if there is room.
    whole: String,
    /// The record behind the item: host, name of the id argument, and data.
    record: Option<(Host, &'static str, Record)>,
}

impl Shown {
    fn new<T>(title: &'static str, source: Source<T>, item: impl Fn(T) -> Item) -> Self {
        Shown {
            title,
            is_unavailable: source.unavailable,
            is_truncated: source.truncated,
            items: source.items.into_iter().map(item).collect(),
        }
    }

    /// The state in a few words.
    fn state(&self) -> (Mark, String) {
        let items = self.items.len();
        match (self.is_unavailable, self.is_truncated) {
            (true, _) => (Mark::Bad, "unavailable".to_owned()),
            (_, true) => (Mark::Warn, format!("the first {items}, there are more")),
            _ => (Mark::Good, count(items, "entry", "entries")),
        }
    }
}

impl Updates {
    fn new(updates: WeeklyUpdates, shared: &Shared) -> Self {
        let zone = TimeZone::get(DAYS_IN).unwrap_or(TimeZone::UTC);
        let day = |at: Timestamp| at.to_zoned(zone.clone()).date();
        let task = |id: String, identifier: &str, name: &str, day: Cell, state: &str| Item {
            cells: [
                day,
                Cell::new(format!("{identifier} {name}")),
                cell::state(state),
            ],
            whole: format!("{identifier} {name}"),
            record: Record::new(&json!({ "id": id, "identifier": identifier, "name": name }))
                .map(|record| (Host::Work, "work_task", record)),
            id,
        };
        let on = |date: Date| Cell::new(day_alone(date, shared.now, &shared.locale));
        let sources = [
            Shown::new("Tasks completed", updates.tasks_completed, |one| {
                let (id, state) = (one.id.to_string(), one.status.name());
                task(
                    id,
                    &one.identifier,
                    &one.name,
                    on(day(one.changed_at)),
                    state,
                )
            }),
            Shown::new("Tasks in progress", updates.tasks_in_progress, |one| {
                let due = cell::due(one.estimated_date, true, shared);
                task(
                    one.id.to_string(),
                    &one.identifier,
                    &one.name,
                    due,
                    "in_progress",
                )
            }),
            Shown::new("Pull requests merged", updates.pull_requests, |one| Item {
                cells: [on(day(one.merged_at)), Cell::new(&one.title), Cell::dim("")],
                whole: format!("{} {}", one.title, one.url),
                record: None,
                id: one.url,
            }),
            Shown::new("Said in daily meetings", updates.daily_lines, |one| Item {
                cells: [on(one.day), Cell::new(&one.line), Cell::dim(&one.meeting)],
                whole: format!("{}: {}", one.meeting, one.line),
                record: None,
                id: format!("{} {} {}", one.day, one.meeting, one.line),
            }),
            Shown::new("Plans whose status changed", updates.plans, |one| {
                let (from, to) = (one.from_status.name(), one.to_status.name());
                Item {
                    cells: [
                        on(day(one.changed_at)),
                        Cell::new(&one.name),
                        Cell::new(format!("{from} → {to}")),
                    ],
                    whole: format!("{}: {from} → {to}", one.name),
                    id: format!("{} {}", one.id, one.changed_at),
                    record: Record::new(&json!({ "id": one.id, "name": one.name, "status": to }))
                        .map(|record| (Host::Plans, "plan", record)),
                }
            }),
        ];
        Updates {
            member: updates.member_id,
            from: updates.from,
            to: updates.to,
            sources,
            daily_text: updates.daily_text,
        }
    }

    /// All items, each with its source.
    fn items(&self) -> impl Iterator<Item = (usize, &Item)> {
        let sources = self.sources.iter().enumerate();
        sources.flat_map(|(at, source)| source.items.iter().map(move |item| (at, item)))
    }
}

impl Week {
    fn ask(&mut self, cx: &mut Cx) {
        if !matches!(cx.shared.session, Session::In(_)) {
            return;
        }
        cx.abort(self.updates.request());
        let member = self.member.as_ref();
        let request = cx.call(GetWeeklyUpdates {
            member_id: member.and_then(|id| MemberId::deserialize(&Value::from(id.as_str())).ok()),
            days: Days::new(self.days),
        });
        self.updates.begin(request);
    }

    /// Shows more or fewer days.
    fn turn(&mut self, cx: &mut Cx, by: i64) {
        self.days += by;
        self.ask(cx);
    }

    /// Opens the chooser of members.
    fn choose(&mut self, cx: &mut Cx) {
        let Some(members) = kind::find(Host::Learn, "member") else {
            return;
        };
        let question = "Whose week?".to_owned();
        chooser::choose(cx, members, question, |week: &mut Week, cx, member| {
            week.member = Some(member.id().to_owned());
            cx.abort(week.updates.request());
            week.updates = Remote::Idle;
            week.ask(cx);
        });
    }

    fn copy(&mut self, cx: &mut Cx) {
        if let Some(updates) = self.updates.value() {
            let text = formats::lines(&updates.daily_text).into_owned();
            cx.copy(text, "the daily text");
        }
    }

    /// The selected item, by default the first one.
    fn selected(&self) -> Option<(usize, &Item)> {
        let items = || self.updates.value().into_iter().flat_map(Updates::items);
        let by_hand = self.selected.as_ref();
        let by_hand = by_hand
            .and_then(|(source, id)| items().find(|(at, item)| at == source && item.id == *id));
        by_hand.or_else(|| items().next())
    }

    fn item(&self) -> Option<&Item> {
        self.selected().map(|(_, item)| item)
    }

    fn open(&mut self, cx: &mut Cx) {
        if let Some((host, kind, record)) = self.item().and_then(|item| item.record.as_ref())
            && let (Some(kind), Some(seen)) = (kind::find(*host, kind), self.updates.seen())
        {
            open_record(cx, kind, record, seen.at);
        }
    }
}

impl Screen for Week {
    fn context(&self) -> &'static Context {
        &WEEK
    }

    fn crumb(&self) -> String {
        match self.member {
            Some(_) => "A week".to_owned(),
            None => "My week".to_owned(),
        }
    }

    fn refresh(&mut self, cx: &mut Cx) {
        self.ask(cx);
    }

    fn as_of(&self) -> Option<Timestamp> {
        Some(self.updates.seen()?.at)
    }

    fn tool_answered(&mut self, cx: &mut Cx, request: RequestId, answer: Answer) {
        if let Some(result) = answer.of::<GetWeeklyUpdates>() {
            let result = result.map(|updates| Updates::new(updates, cx.shared));
            self.updates.finish(request, cx.now(), result);
            if let Some(updates) = self.updates.value() {
                want_names(cx, Host::Work, "member", vec![updates.member.to_string()]);
            }
        }
    }

    fn step(&mut self, _: &mut Cx, by: isize) {
        let items = self.updates.value().into_iter().flat_map(Updates::items);
        let items: Vec<(usize, &str)> = items.map(|(at, item)| (at, item.id.as_str())).collect();
        let selected = self.selected().map(|(at, item)| (at, item.id.as_str()));
        let next = table::step(&items, selected, by);
        self.selected = next.map(|(at, id)| (at, id.to_owned()));
    }

    fn gives_way(&self) -> bool {
        true
    }

    fn awaits(&self) -> bool {
        self.updates.is_loading() && self.updates.value().is_none()
    }

    fn is_busy(&self) -> bool {
        self.updates.is_loading()
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let [head, body] = Layout::vertical([Length(1), Fill(1)]).areas(area);
        self.draw_head(shared, frame, head);
        match (self.updates.value(), self.updates.error()) {
            (Some(updates), _) if area.width >= WIDE => {
                let areas = [Fill(2), Fill(1)];
                let [sources, text] = Layout::horizontal(areas).spacing(1).areas(body);
                self.draw_sources(updates, shared, frame, sources);
                draw_text(updates, shared, frame, text);
            }
            (Some(updates), _) if self.shows_text => draw_text(updates, shared, frame, body),
            (Some(updates), _) => self.draw_sources(updates, shared, frame, body),
            (None, Some(error)) => panel::failed(frame, shared, body, error),
            (None, None) if self.updates.is_loading() => {
                panel::note(frame, body, waiting(shared, "asking the host"))
            }
            (None, None) => {}
        }
    }
}

impl Week {
    /// Draws member, days and age of the data.
    fn draw_head(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.settings.theme;
        let mut line = Line::default();
        if let Some(seen) = self.updates.seen() {
            let updates = &seen.value;
            let day = |day: Date| day_alone(day, shared.now, &shared.locale);
            let name = shared.names.get(&updates.member.to_string());
            let days = updates
                .from
                .until(updates.to)
                .map_or(0, |span| span.get_days() + 1);
            let days = count(usize::try_from(days).unwrap_or(0), "day", "days");
            line.push_span(Span::styled(fit(name.unwrap_or_default(), 30), theme.title));
            line.push_span(Span::raw(format!(
                "  {days}, {} – {}",
                day(updates.from),
                day(updates.to)
            )));
            let at = moment(seen.at, shared.now, &shared.locale);
            if let Some(error) = self.updates.error() {
                let words = format!("  {} (as of {at})", Problem::of(error).title);
                line.push_span(Mark::Bad.span(theme, &words));
            }
        }
        frame.render_widget(line, area);
    }

    fn draw_sources(&self, updates: &Updates, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.settings.theme;
        let selected = self.selected();
        let sections = updates.sources.iter().enumerate().map(|(at, source)| {
            let (mark, words) = source.state();
            let title = Line::from(vec![
                Span::styled(format!(" {} ", source.title), theme.title),
                mark.span(theme, &words),
                Span::raw(" "),
            ]);
            let selected = selected
                .filter(|(of, _)| *of == at)
                .map(|(_, item)| &item.id);
            let row = |item: &Item| {
                item.cells.iter().fold(Row::new(), |row, cell| {
                    row.styled(cell.text.clone(), cell.tone.style(theme))
                })
            };
            Section {
                title,
                columns: vec![
                    Column::fixed("", 13),
                    Column::share("", 3),
                    Column::fixed("", 15),
                ],
                len: source.items.len(),
                selected: source
                    .items
                    .iter()
                    .position(|item| Some(&item.id) == selected),
                row: Box::new(move |at| row(&source.items[at])),
            }
        });
        let sections: Vec<Section> = sections.collect();
        let [list, whole] = Layout::vertical([Fill(1), Length(WHOLE)]).areas(area);
        sections::draw(frame, list, shared, &sections);
        if let Some(item) = self.item() {
            let text = Paragraph::new(clean(&item.whole).into_owned()).style(theme.dim);
            frame.render_widget(text.wrap(Wrap { trim: true }), whole);
        }
    }
}

/// Draws the text for the daily meeting exactly as it is copied.
fn draw_text(updates: &Updates, shared: &Shared, frame: &mut Frame, area: Rect) {
    let title = Span::styled(" For the daily meeting ", shared.settings.theme.title);
    let text = Paragraph::new(formats::lines(&updates.daily_text).into_owned());
    let block = titled(title, shared.settings.theme.border);
    frame.render_widget(text.wrap(Wrap { trim: false }).block(block), area);
}
