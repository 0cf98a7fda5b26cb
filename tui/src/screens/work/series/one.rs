//! One series: its occurrences by month, with their content.

use frontdesk_client::CallError;
use frontdesk_protocol::id::OccurrenceId;
use frontdesk_protocol::record::List;
use frontdesk_protocol::value::{Flag, Limit, Line as LineText, Offset};
use frontdesk_protocol::work::occurrence::Occurrence;
use frontdesk_protocol::work::series::{ListMeetingSeries, Series};
use frontdesk_protocol::{ErrorCode, ToolError};
use jiff::{Timestamp, ToSpan};
use ratatui::Frame;
use ratatui::layout::Rect;

use super::{cannot_change, is_permitted, series_kind, view};
use crate::app::cx::{Cx, News};
use crate::app::effects::call::Answer;
use crate::app::input::command::{Context, commands};
use crate::app::owner::RequestId;
use crate::app::remote::Remote;
use crate::app::screen::Screen;
use crate::app::shared::{Session, Shared};
use crate::app::state::State;
use crate::record_screens::{act_by, change_by};
use crate::records::kind::Kind;
use crate::records::record::Record;
use crate::screens::work::meeting_change::MeetingChange;
use crate::screens::work::occurrence::months;
use crate::ui::table;

pub(crate) static SERIES: Context = Context::list("One meeting series");

commands! {
    pub(crate) const COMMANDS;

    SERIES: "series.edit_template", ["t"], "Choose its template",
        act |screen: &mut SeriesScreen, cx| screen.change(cx, "set_meeting_template"), writes,
        opens, hint("template"), hinted_if(is_permitted), unless(no_change);
    SERIES: "series.edit_time", ["e"], "Set its time of day",
        act |screen: &mut SeriesScreen, cx| { screen.change(cx, "set_meeting_recurrence_time"); },
        writes, opens, hint("time"), hinted_if(is_permitted), unless(no_change);
    SERIES: "series.add_occurrences", ["a"], "Add its next occurrences",
        act |screen: &mut SeriesScreen, cx| {
            screen.with_record(cx, |cx, kind, record| {
                act_by(cx, kind, record, "add_meeting_occurrences");
            });
        }, writes, opens, hint("occurrences"), hinted_if(is_permitted), unless(no_change);
    SERIES: "occurrence.promote", ["p"], "Preview the promotion of the occurrence",
        act |screen: &mut SeriesScreen, cx| screen.promote(cx), hint("promote"),
        hinted_if(is_permitted), danger, opens,
        unless(|state| no_change(state).or_else(|| no_occurrence(state)));
    SERIES: "series.remove_this", ["d"], "Preview the removal of this series",
        act |screen: &mut SeriesScreen, cx| screen.remove(cx), hint("remove"),
        hinted_if(is_permitted), danger, opens, unless(no_change);
    SERIES: "series.next_month", ["tab", "right", "l"], "Next month",
        act |screen: &mut SeriesScreen, _| screen.turn(1), hint("next month");
    SERIES: "series.previous_month", ["backtab", "left", "h"], "Previous month",
        act |screen: &mut SeriesScreen, _| screen.turn(-1);
}

/// Why nothing can be changed.
fn no_change(state: &State) -> Option<String> {
    match state.shows::<SeriesScreen>() {
        Some(screen) if screen.is_gone() => Some("the series no longer exists".to_owned()),
        _ => cannot_change(state),
    }
}

fn no_occurrence(state: &State) -> Option<String> {
    match state.shows::<SeriesScreen>() {
        Some(screen) if screen.selected().is_none() => Some("no occurrence is selected".to_owned()),
        _ => None,
    }
}

/// The screen of one series.
#[derive(Debug)]
pub(crate) struct SeriesScreen {
    /// The series as known; its occurrences come later.
    record: Remote<Series>,
    /// The series from the list, used to find it again.
    known: Series,
    /// The search in progress.
    sought: Sought,
    selected: Option<OccurrenceId>,
}

/// How to find a series, since no tool gets one by id.
#[derive(Debug, Clone, Copy)]
struct Sought {
    /// Among those with its title; otherwise among those created at the same moment, which can be
    /// many after an import.
    by_title: bool,
    /// The offset in that list.
    offset: usize,
}

impl SeriesScreen {
    /// The screen of this series, with the data of a list.
    pub(crate) fn new(series: Series, now: Timestamp) -> Self {
        SeriesScreen {
            record: Remote::known(series.clone(), now),
            known: series,
            sought: Sought::first(),
            selected: None,
        }
    }

    /// The series as known.
    pub(super) fn record(&self) -> &Remote<Series> {
        &self.record
    }

    /// Its occurrences by date, once loaded.
    pub(super) fn occurrences(&self) -> Option<&[Occurrence]> {
        self.record.value()?.occurrences.as_deref()
    }

    /// The index of the selected occurrence.
    pub(super) fn selected(&self) -> Option<usize> {
        let mut occurrences = self.occurrences()?.iter();
        occurrences.position(|occurrence| Some(occurrence.id) == self.selected)
    }

    /// Whether the host has no such series any more.
    pub(super) fn is_gone(&self) -> bool {
        let error = self.record.error();
        matches!(error, Some(CallError::Tool(error)) if error.code == ErrorCode::NotFound)
    }

    fn ask(&mut self, cx: &mut Cx, sought: Sought) {
        if !matches!(cx.shared.session, Session::In(_)) {
            return;
        }
        cx.abort(self.record.request());
        let created = self.known.created_at;
        let title = LineText::new(self.known.title.trim()).ok();
        let request = cx.call(ListMeetingSeries {
            created_after: created.checked_sub(1.microsecond()).ok(),
            created_before: created.checked_add(1.microsecond()).ok(),
            title_contains: title.filter(|_| sought.by_title),
            transcriber_calendar_id_contains: None,
            include_occurrences: Flag(true),
            limit: Limit::new(PAGE).unwrap_or_default(),
            offset: Offset::new(u32::try_from(sought.offset).unwrap_or(u32::MAX)),
        });
        self.sought = sought;
        self.record.begin(request);
    }

    fn came(&mut self, cx: &mut Cx, request: RequestId, result: Result<List<Series>, CallError>) {
        if !self.record.waits_for(request) {
            return;
        }
        let result = match result {
            Ok(page) => {
                let number = page.items.len();
                let mut items = page.items.into_iter();
                match items.find(|series| series.id == self.known.id) {
                    Some(series) => Ok(series),
                    None if page.has_more => {
                        let offset = self.sought.offset + number;
                        let sought = Sought {
                            offset,
                            ..self.sought
                        };
                        return self.ask(cx, sought);
                    }
                    // It may have been renamed.
                    None if self.sought.by_title => return self.ask(cx, Sought::by_time()),
                    None => Err(CallError::Tool(ToolError::not_found("series"))),
                }
            }
            Err(error) => Err(error),
        };
        self.record.finish(request, cx.now(), result);
        let ids = self.ids();
        if !self.selected.is_some_and(|id| ids.contains(&id)) {
            self.selected = ids.first().copied();
        }
        if self.is_gone() {
            cx.tell_outdated("meeting");
        }
    }

    fn ids(&self) -> Vec<OccurrenceId> {
        let occurrences = self.occurrences().unwrap_or_default().iter();
        occurrences.map(|occurrence| occurrence.id).collect()
    }

    /// Selects the first occurrence of another month.
    fn turn(&mut self, by: isize) {
        let Some(occurrences) = self.occurrences() else {
            return;
        };
        let months = months(occurrences);
        let at = self.selected().unwrap_or(0);
        let month = months
            .iter()
            .position(|month| month.occurrences.contains(&at));
        let to = month.map_or(0, |month| month.saturating_add_signed(by));
        let first = months.get(to).map(|month| month.occurrences.start);
        let id = first.and_then(|at| occurrences.get(at)).map(|one| one.id);
        self.selected = id.or(self.selected);
    }

    fn promote(&self, cx: &mut Cx) {
        if let (Some(series), Some(at)) = (self.record.value(), self.selected())
            && let Some(occurrence) = self.occurrences().and_then(|all| all.get(at))
        {
            let plan = MeetingChange::promotion(series.clone(), occurrence.clone());
            cx.open(plan);
        }
    }

    fn remove(&self, cx: &mut Cx) {
        if let Some(series) = self.record.value() {
            let plan = MeetingChange::removal(series.clone());
            cx.open(plan);
        }
    }

    /// Opens the form of a tool that changes the series.
    fn change(&mut self, cx: &mut Cx, tool: &str) {
        self.with_record(cx, |cx, kind, record| change_by(cx, kind, record, tool));
    }

    fn with_record(&self, cx: &mut Cx, act: impl FnOnce(&mut Cx, &'static Kind, &Record)) {
        let series = self.record.value().map(serde_json::to_value);
        let record = series.and_then(|series| Record::new(&series.ok()?));
        if let (Some(kind), Some(record)) = (series_kind(), record) {
            act(cx, kind, &record);
        }
    }
}

/// Maximum number of series in one request of the search.
const PAGE: u32 = 100;

impl Sought {
    /// The first search.
    const fn first() -> Self {
        Sought {
            by_title: true,
            offset: 0,
        }
    }

    /// Among all created at the same moment.
    const fn by_time() -> Self {
        Sought {
            by_title: false,
            offset: 0,
        }
    }
}

impl Screen for SeriesScreen {
    fn context(&self) -> &'static Context {
        &SERIES
    }

    fn subject(&self) -> Option<(String, String)> {
        Some((self.known.id.to_string(), self.known.title.clone()))
    }

    fn crumb(&self) -> String {
        match self.record.value() {
            Some(series) => series.title.clone(),
            None => "Series".to_owned(),
        }
    }

    fn shown(&mut self, cx: &mut Cx) {
        match self.is_gone() {
            // It was removed or merged by a screen opened from here.
            true => cx.back(),
            false => self.ask(cx, Sought::first()),
        }
    }

    fn refresh(&mut self, cx: &mut Cx) {
        self.ask(cx, Sought::first());
    }

    fn as_of(&self) -> Option<Timestamp> {
        Some(self.record.seen()?.at)
    }

    fn tool_answered(&mut self, cx: &mut Cx, request: RequestId, answer: Answer) {
        if let Some(result) = answer.of::<ListMeetingSeries>() {
            self.came(cx, request, result);
        }
    }

    fn notified(&mut self, cx: &mut Cx, news: &News) {
        if news.outdates("meeting") && !self.is_gone() {
            self.ask(cx, Sought::first());
        }
    }

    fn step(&mut self, _: &mut Cx, by: isize) {
        self.selected = table::step(&self.ids(), self.selected, by);
    }

    fn gives_way(&self) -> bool {
        true
    }

    fn awaits(&self) -> bool {
        self.record.is_loading() && self.record.value().is_none()
    }

    fn is_busy(&self) -> bool {
        self.record.is_loading()
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        view::draw(self, shared, frame, area);
    }
}
