//! One series: its occurrences by date, month by month, with what they carry.

use crossterm::event::KeyEvent;
use frontdesk_client::CallError;
use frontdesk_protocol::id::OccurrenceId;
use frontdesk_protocol::record::List;
use frontdesk_protocol::value::{Flag, Limit, Line as LineText, Offset};
use frontdesk_protocol::work::meeting::{SetMeetingRecurrenceTime, SetMeetingTemplate};
use frontdesk_protocol::work::occurrence::Occurrence;
use frontdesk_protocol::work::series::{ListMeetingSeries, Series};
use frontdesk_protocol::{ErrorCode, ToolError};
use jiff::{Timestamp, ToSpan};
use ratatui::Frame;
use ratatui::layout::Rect;

use super::edit::{Edit, Wanted};
use super::{cannot_change, view};
use crate::app::command::{Command, Context};
use crate::app::cx::{Cx, News};
use crate::app::effect::{Outcome, RequestId, Work};
use crate::app::remote::Remote;
use crate::app::screen::Screen;
use crate::app::shared::{Session, Shared};
use crate::app::state::{State, Typing};
use crate::screens::work::occurrence::months;
use crate::screens::work::plan::PlanScreen;
use crate::ui::mark::Mark;
use crate::ui::table;
use crate::ui::text::clean;

pub(crate) static SERIES: Context = Context::list("One meeting series");
/// An editor on the screen of one series.
pub(crate) static SERIES_EDIT: Context = Context::screen("Template and time of a series");

/// The commands of the screen.
pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        &SERIES,
        "series.edit_template",
        "Choose its template",
        &["t"],
        |state, out| state.act::<SeriesScreen>(out, |screen, _| screen.edit(Edit::template)),
    )
    .writes()
    .hint("template")
    .unless(no_change),
    Command::new(
        &SERIES,
        "series.edit_time",
        "Set its time of day",
        &["e"],
        |state, out| state.act::<SeriesScreen>(out, |screen, _| screen.edit(Edit::time)),
    )
    .writes()
    .hint("time")
    .unless(no_change),
    Command::new(
        &SERIES,
        "occurrence.promote",
        "Promote the occurrence: see first what it would do",
        &["p"],
        |state, out| state.act::<SeriesScreen>(out, |screen, cx| screen.promote(cx)),
    )
    .hint("promote")
    .danger()
    .unless(|state| no_change(state).or_else(|| no_occurrence(state))),
    Command::new(
        &SERIES,
        "series.remove_this",
        "Remove this series: see first what it would do",
        &["x"],
        |state, out| state.act::<SeriesScreen>(out, |screen, cx| screen.remove(cx)),
    )
    .hint("remove")
    .danger()
    .unless(no_change),
    Command::new(
        &SERIES,
        "series.next_month",
        "Next month",
        &["tab", "right", "l"],
        |state, out| state.act::<SeriesScreen>(out, |screen, _| screen.turn(1)),
    )
    .hint("next month"),
    Command::new(
        &SERIES,
        "series.previous_month",
        "Previous month",
        &["backtab", "left", "h"],
        |state, out| state.act::<SeriesScreen>(out, |screen, _| screen.turn(-1)),
    ),
    Command::new(
        &SERIES_EDIT,
        "series.save",
        "Save it",
        &["enter"],
        |state, out| state.act::<SeriesScreen>(out, SeriesScreen::save),
    )
    .writes()
    .hint("save"),
    Command::new(
        &SERIES_EDIT,
        "series.next_choice",
        "Next field or value",
        &["tab", "down"],
        |state, out| state.act::<SeriesScreen>(out, |screen, _| screen.focus(1)),
    )
    .hint("next"),
    Command::new(
        &SERIES_EDIT,
        "series.previous_choice",
        "Previous field or value",
        &["backtab", "up"],
        |state, out| state.act::<SeriesScreen>(out, |screen, _| screen.focus(-1)),
    ),
];

/// Why nothing can be changed.
fn no_change(state: &State) -> Option<String> {
    match state.shows::<SeriesScreen>() {
        Some(screen) if screen.is_gone() => Some("the series is not there any more".to_owned()),
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
    /// As far as it is known; with its occurrences once they are.
    record: Remote<Series>,
    /// The series as a list knew it, by which it is found.
    known: Series,
    /// How the request under way looks for it.
    sought: Sought,
    selected: Option<OccurrenceId>,
    edit: Option<Edit>,
}

/// How a series is looked for: there is no tool to get one by its id.
#[derive(Debug, Clone, Copy)]
struct Sought {
    /// Among those of its title: an import makes many in one moment.
    by_title: bool,
    /// After this many.
    offset: usize,
}

impl SeriesScreen {
    /// The screen of this series, as far as a list knows it.
    pub(crate) fn new(series: Series, now: Timestamp) -> Self {
        SeriesScreen {
            record: Remote::known(series.clone(), now),
            known: series,
            sought: Sought::first(),
            selected: None,
            edit: None,
        }
    }

    /// The series as far as it is known.
    pub(super) fn record(&self) -> &Remote<Series> {
        &self.record
    }

    /// Its occurrences by date, once they are known.
    pub(super) fn occurrences(&self) -> Option<&[Occurrence]> {
        self.record.value()?.occurrences.as_deref()
    }

    /// The place of the selected occurrence.
    pub(super) fn selected(&self) -> Option<usize> {
        let mut occurrences = self.occurrences()?.iter();
        occurrences.position(|occurrence| Some(occurrence.id) == self.selected)
    }

    /// The editor, if one is open.
    pub(super) fn editor(&self) -> Option<&Edit> {
        self.edit.as_ref()
    }

    /// Whether the host said that the series is not there any more.
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
                    // It may have another title by now.
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
        self.settle_doubt(cx);
        if self.is_gone() {
            cx.tell_outdated("meeting");
        }
    }

    fn ids(&self) -> Vec<OccurrenceId> {
        let occurrences = self.occurrences().unwrap_or_default().iter();
        occurrences.map(|occurrence| occurrence.id).collect()
    }

    /// Goes to the first occurrence of another month.
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
            let plan = PlanScreen::promotion(series.clone(), occurrence.clone());
            cx.open(plan);
        }
    }

    fn remove(&self, cx: &mut Cx) {
        if let Some(series) = self.record.value() {
            let plan = PlanScreen::removal(series.clone());
            cx.open(plan);
        }
    }

    fn edit(&mut self, editor: fn(&Series) -> Edit) {
        self.edit = self.record.value().map(editor);
    }

    fn focus(&mut self, by: isize) {
        if let Some(edit) = &mut self.edit {
            edit.focus(by);
        }
    }

    fn save(&mut self, cx: &mut Cx) {
        let (Some(edit), Some(series)) = (&mut self.edit, self.record.value()) else {
            return;
        };
        if edit.is_saving() {
            return;
        }
        let Some(wanted) = edit.filled() else {
            return;
        };
        if wanted.is_so(series) {
            self.edit = None;
            cx.toast(Mark::Info, "Nothing was changed");
            return;
        }
        let request = cx.run(Work::Call(wanted.call(series)));
        edit.saving().begin(request);
    }

    /// The answer to a write: what the host has now.
    fn saved(
        &mut self,
        cx: &mut Cx,
        request: RequestId,
        result: Result<impl FnOnce(&mut Series), CallError>,
    ) {
        let Some(edit) = self.edit.as_mut() else {
            return;
        };
        if !edit.saving().waits_for(request) {
            return;
        }
        let change = match result {
            Ok(change) => change,
            Err(error) => {
                if let CallError::Tool(refusal) = &error
                    && let Some(field) = &refusal.field
                    && edit.mark(field, &refusal.message)
                {
                    *edit.saving() = Remote::Idle;
                    return;
                }
                edit.saving().finish(request, cx.now(), Err(error));
                if edit.in_doubt().is_some() {
                    self.ask(cx, Sought::first());
                }
                return;
            }
        };
        let wanted = edit.wanted();
        if let Some(series) = self.record.value_mut() {
            change(series);
        }
        self.edit = None;
        self.done(cx, wanted);
        // An older reading that is under way would bring back what was.
        self.ask(cx, Sought::first());
    }

    /// Says what the series has now, here and elsewhere.
    fn done(&mut self, cx: &mut Cx, wanted: Option<Wanted>) {
        let (Some(series), Some(wanted)) = (self.record.value(), wanted) else {
            return;
        };
        let title = clean(&series.title);
        cx.toast(Mark::Good, format!("{title}: now {}", wanted.words()));
        let series = Series {
            occurrences: None,
            ..series.clone()
        };
        cx.tell_record("meeting", &series);
    }

    /// The series was read after a write without an answer: if it is as was asked for, it was done.
    fn settle_doubt(&mut self, cx: &mut Cx) {
        let wanted = self.edit.as_ref().and_then(Edit::in_doubt);
        let is_read = self.record.error().is_none();
        if let (Some(wanted), Some(series)) = (wanted, self.record.value())
            && is_read
            && wanted.is_so(series)
        {
            self.edit = None;
            self.done(cx, Some(wanted));
        }
    }
}

/// Most series that are looked through at once for one.
const PAGE: u32 = 100;

impl Sought {
    /// The first try.
    const fn first() -> Self {
        Sought {
            by_title: true,
            offset: 0,
        }
    }

    /// Among all that were made in the same moment.
    const fn by_time() -> Self {
        Sought {
            by_title: false,
            offset: 0,
        }
    }
}

impl Screen for SeriesScreen {
    fn context(&self) -> &'static Context {
        match self.edit {
            Some(_) => &SERIES_EDIT,
            None => &SERIES,
        }
    }

    fn crumb(&self) -> String {
        match self.record.value() {
            Some(series) => series.title.clone(),
            None => "Series".to_owned(),
        }
    }

    fn shown(&mut self, cx: &mut Cx) {
        match self.is_gone() {
            // It was removed or merged from here.
            true => cx.back(),
            false => self.ask(cx, Sought::first()),
        }
    }

    fn refresh(&mut self, cx: &mut Cx) {
        self.ask(cx, Sought::first());
    }

    fn answered(&mut self, cx: &mut Cx, request: RequestId, outcome: Outcome) {
        let Outcome::Call(answer) = outcome else {
            return;
        };
        if let Some(result) = answer.of::<ListMeetingSeries>() {
            self.came(cx, request, result);
        } else if let Some(result) = answer.of::<SetMeetingTemplate>() {
            let change = result.map(|meeting| {
                move |series: &mut Series| series.template = Some(meeting.0.template)
            });
            self.saved(cx, request, change);
        } else if let Some(result) = answer.of::<SetMeetingRecurrenceTime>() {
            let change = result.map(|meeting| {
                move |series: &mut Series| {
                    series.recurrence_start_time = meeting.0.recurrence_start_time;
                    series.recurrence_end_time = meeting.0.recurrence_end_time;
                }
            });
            self.saved(cx, request, change);
        }
    }

    fn told(&mut self, cx: &mut Cx, news: &News) {
        if news.outdates("meeting") && !self.is_gone() {
            self.ask(cx, Sought::first());
        }
    }

    fn typing(&self) -> Typing {
        self.edit.as_ref().map_or(Typing::No, Edit::typing)
    }

    fn key(&mut self, _: &mut Cx, key: KeyEvent) {
        if let Some(edit) = &mut self.edit {
            edit.key(key);
        }
    }

    fn paste(&mut self, _: &mut Cx, text: &str) {
        if let Some(edit) = &mut self.edit {
            edit.paste(text);
        }
    }

    fn step(&mut self, _: &mut Cx, by: isize) {
        self.selected = table::step(&self.ids(), self.selected, by);
    }

    fn escape(&mut self, cx: &mut Cx) -> bool {
        if self.edit.as_ref().is_some_and(Edit::is_saving) {
            cx.toast(Mark::Busy, "It is being saved; wait for the answer");
            return true;
        }
        self.edit.take().is_some()
    }

    fn is_busy(&self) -> bool {
        self.record.is_loading() || self.edit.as_ref().is_some_and(Edit::is_saving)
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        view::draw(self, shared, frame, area);
    }
}
