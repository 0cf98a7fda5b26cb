//! The series that one can see: filtered, sorted, with marks at those that need attention.

use crossterm::event::KeyEvent;
use frontdesk_protocol::Role;
use frontdesk_protocol::work::series::Series;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::filter::{self, Filters};
use super::known::Known;
use super::merge::Question;
use super::{Entry, SeriesScreen, attention, cannot_change, schedule, template};
use crate::app::command::{Command, Context};
use crate::app::cx::{Cx, News};
use crate::app::effect::{Outcome, RequestId};
use crate::app::screen::Screen;
use crate::app::shared::Shared;
use crate::app::state::{State, Typing};
use crate::screens::listing::Listing;
use crate::screens::work::plan::PlanScreen;
use crate::ui::fields::Fields;
use crate::ui::panel::titled;
use crate::ui::text::{cells, fit, fold};

pub(crate) static SERIES_LIST: Context = Context::list("Meeting series");
pub(crate) static SERIES_FILTER: Context = Context::screen("Filters of meeting series");
pub(crate) static SERIES_MERGE: Context = Context::screen("Which series stays");

/// The commands of the screen.
pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        &SERIES_LIST,
        "series.open",
        "Open the selected series",
        &["enter"],
        |state, out| state.act::<SeriesList>(out, SeriesList::open),
    )
    .hint("open")
    .unless(no_series),
    Command::new(
        &SERIES_LIST,
        "series.filter",
        "Filter by title, calendar and when it was created",
        &["f"],
        |state, out| state.act::<SeriesList>(out, |list, _| list.open_filter()),
    )
    .hint("filter"),
    Command::new(
        &SERIES_LIST,
        "series.clear_filters",
        "Show all series again",
        &["F"],
        |state, out| state.act::<SeriesList>(out, SeriesList::clear_filters),
    )
    .unless(|state| match state.shows::<SeriesList>() {
        Some(list) if !list.is_narrowed() => Some("nothing is filtered".to_owned()),
        _ => None,
    }),
    Command::new(
        &SERIES_LIST,
        "series.attention",
        "Show only those that need attention, or all",
        &["a"],
        |state, out| state.act::<SeriesList>(out, |list, _| list.turn_attention()),
    )
    .hint("attention"),
    Command::new(
        &SERIES_LIST,
        "series.merge",
        "Mark one side of a merge, then the other",
        &["m"],
        |state, out| state.act::<SeriesList>(out, |list, _| list.mark()),
    )
    .hint("merge")
    .danger()
    .unless(|state| no_series(state).or_else(|| cannot_change(state))),
    Command::new(
        &SERIES_LIST,
        "series.remove",
        "Remove the series: see first what it would do",
        &["x"],
        |state, out| state.act::<SeriesList>(out, |list, cx| list.remove(cx)),
    )
    .hint("remove")
    .danger()
    .unless(|state| no_series(state).or_else(|| cannot_change(state))),
    Command::new(
        &SERIES_MERGE,
        "series.merge_so",
        "Merge them: see first what it would do",
        &["enter"],
        |state, out| state.act::<SeriesList>(out, SeriesList::merge),
    )
    .hint("see what it would do"),
    Command::new(
        &SERIES_MERGE,
        "series.turn_merge",
        "The other one stays",
        &["down", "up", "tab", "j", "k"],
        |state, out| state.act::<SeriesList>(out, |list, _| list.turn_merge()),
    )
    .hint("the other one stays"),
    Command::new(
        &SERIES_FILTER,
        "series.apply_filter",
        "Show what is like this",
        &["enter"],
        |state, out| state.act::<SeriesList>(out, SeriesList::apply_filter),
    )
    .hint("apply"),
    Command::new(
        &SERIES_FILTER,
        "series.next_filter",
        "Next filter",
        &["tab", "down"],
        |state, out| state.act::<SeriesList>(out, |list, _| list.focus(1)),
    )
    .hint("next filter"),
    Command::new(
        &SERIES_FILTER,
        "series.previous_filter",
        "Previous filter",
        &["backtab", "up"],
        |state, out| state.act::<SeriesList>(out, |list, _| list.focus(-1)),
    ),
];

fn no_series(state: &State) -> Option<String> {
    let list = state.shows::<SeriesList>()?;
    let is_none = list.list.selected().is_none();
    is_none.then(|| "no series is selected".to_owned())
}

/// The list of series.
#[derive(Debug)]
pub(crate) struct SeriesList {
    list: Listing<Entry>,
    /// Only those are shown that need attention.
    is_attention: bool,
    /// The filters that are being filled in.
    filling: Option<Fields>,
    /// One side of a merge; the other one is looked for.
    side: Option<Series>,
    /// What doubles are looked for among.
    known: Known,
    /// Which side of the merge stays.
    question: Option<Question>,
}

impl Default for SeriesList {
    fn default() -> Self {
        SeriesList {
            list: Listing::new(Filters::default()),
            is_attention: false,
            filling: None,
            side: None,
            known: Known::default(),
            question: None,
        }
    }
}

impl SeriesList {
    fn selected(&self) -> Option<&Series> {
        self.list.selected().map(|entry| &entry.series)
    }

    fn open(&mut self, cx: &mut Cx) {
        // In the search field Enter only leaves the field.
        if self.list.end_search() {
            return;
        }
        if let Some(series) = self.selected() {
            let screen = SeriesScreen::new(series.clone(), cx.now());
            cx.open(screen);
        }
    }

    fn remove(&self, cx: &mut Cx) {
        if let Some(series) = self.selected() {
            let plan = PlanScreen::removal(series.clone());
            cx.open(plan);
        }
    }

    /// Marks the selected series as one side of a merge, takes its mark away, or asks about it and
    /// the marked one.
    fn mark(&mut self) {
        let Some(series) = self.selected().cloned() else {
            return;
        };
        match self.side.take() {
            Some(side) if side.id == series.id => {}
            Some(side) => {
                self.question = Some(Question::new(side.clone(), series));
                self.side = Some(side);
            }
            None => self.side = Some(series),
        }
        self.show_side();
    }

    /// Shows which series is marked as one side of a merge.
    fn show_side(&mut self) {
        let side = self.side.as_ref().map(|side| side.id);
        self.list
            .change_all(|entry| entry.is_side = side == Some(entry.series.id));
    }

    /// Shows what is to be seen only among all series.
    fn show_marks(&mut self) {
        let part = fold(self.list.searched().trim());
        let filters = self.list.scope();
        let listed = self.list.items().iter().map(|entry| &entry.series);
        self.known.take(listed, |series| {
            filters.fit(series) && fold(&series.title).contains(&part)
        });
        let mut doubles = self.known.doubles();
        self.list
            .change_all(|entry| entry.double = doubles.remove(&entry.series.id));
        self.show_side();
    }

    fn merge(&mut self, cx: &mut Cx) {
        if let Some(question) = self.question.take() {
            let (canonical, skeleton) = question.answer();
            self.side = None;
            self.show_side();
            let plan = PlanScreen::merge(canonical, skeleton);
            cx.open(plan);
        }
    }

    fn turn_merge(&mut self) {
        if let Some(question) = &mut self.question {
            question.turn();
        }
    }

    fn is_narrowed(&self) -> bool {
        self.is_attention || !self.list.scope().is_empty() || !self.list.searched().is_empty()
    }

    fn open_filter(&mut self) {
        self.list.end_search();
        self.filling = Some(filter::fields(self.list.scope(), &self.list.searched()));
    }

    fn apply_filter(&mut self, cx: &mut Cx) {
        let Some(fields) = &mut self.filling else {
            return;
        };
        if let Some((filters, title)) = filter::filled(fields, &cx.shared.zone) {
            self.filling = None;
            self.list.narrow(cx, filters, &title);
        }
    }

    fn clear_filters(&mut self, cx: &mut Cx) {
        self.is_attention = false;
        self.list.show_only(None);
        self.list.end_search();
        if !self.list.scope().is_empty() || !self.list.searched().is_empty() {
            self.list.narrow(cx, Filters::default(), "");
        }
    }

    fn turn_attention(&mut self) {
        self.is_attention = !self.is_attention;
        let only: Option<fn(&Entry) -> bool> = match self.is_attention {
            true => Some(Entry::needs_attention),
            false => None,
        };
        self.list.show_only(only);
    }

    fn focus(&mut self, by: isize) {
        if let Some(fields) = &mut self.filling {
            fields.focus(by);
        }
    }
}

impl Screen for SeriesList {
    fn context(&self) -> &'static Context {
        match (&self.filling, &self.question) {
            (Some(_), _) => &SERIES_FILTER,
            (None, Some(_)) => &SERIES_MERGE,
            (None, None) => &SERIES_LIST,
        }
    }

    fn crumb(&self) -> String {
        "Meeting series".to_owned()
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
            self.show_marks();
        }
    }

    fn fired(&mut self, cx: &mut Cx, request: RequestId) {
        self.list.fired(cx, request);
    }

    fn told(&mut self, cx: &mut Cx, news: &News) {
        if let Some(series) = news.record::<Series>("meeting") {
            let id = series.id.0;
            self.list.change(id, |entry| entry.series = series);
            self.show_marks();
        } else if news.outdates("meeting") {
            // It may be gone, or another than the one that was marked.
            self.side = None;
            self.question = None;
            self.show_side();
            self.list.load(cx);
        }
    }

    fn typing(&self) -> Typing {
        match self.filling {
            Some(_) => Typing::Yes,
            None => self.list.typing(),
        }
    }

    fn key(&mut self, cx: &mut Cx, key: KeyEvent) {
        match &mut self.filling {
            Some(fields) => fields.key(key),
            None => self.list.key(cx, key),
        }
    }

    fn paste(&mut self, cx: &mut Cx, text: &str) {
        match &mut self.filling {
            Some(fields) => fields.paste(text),
            None => self.list.paste(cx, text),
        }
    }

    fn step(&mut self, cx: &mut Cx, by: isize) {
        self.list.step(cx, by);
    }

    fn escape(&mut self, cx: &mut Cx) -> bool {
        if self.filling.take().is_some() || self.question.take().is_some() {
            return true;
        }
        if self.list.escape(cx) {
            return true;
        }
        let had_side = self.side.take().is_some();
        self.show_side();
        had_side
    }

    fn can_search(&self) -> bool {
        true
    }

    fn search(&mut self) {
        self.list.begin_search();
    }

    fn sort(&mut self, _: &Shared) {
        self.list.sort();
    }

    fn reverse(&mut self, _: &Shared) {
        self.list.reverse();
    }

    fn is_busy(&self) -> bool {
        self.list.is_busy()
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let chips = self.chips();
        let panel = match (&self.filling, &self.question) {
            (Some(fields), _) => fields.height() + 2,
            (None, Some(_)) => Question::HEIGHT,
            (None, None) => 0,
        };
        let [filters, above, list, details] = Layout::vertical([
            Constraint::Length(u16::from(!chips.is_empty())),
            Constraint::Length(panel),
            Constraint::Fill(1),
            Constraint::Length(3),
        ])
        .areas(area);
        draw_chips(shared, frame, filters, &chips);
        if let Some(fields) = &self.filling {
            let block = titled(" Filters ", shared.theme.focus);
            let inside = block.inner(above);
            frame.render_widget(block, above);
            fields.draw(frame, inside, &shared.theme, true);
        } else if let Some(question) = &self.question {
            question.draw(shared, frame, above);
        }
        self.list.draw(shared, frame, list, &self.empty(shared));
        self.draw_details(shared, frame, details);
    }
}

impl SeriesList {
    /// What is shown of all series, filter by filter. The search has a line of its own.
    fn chips(&self) -> Vec<String> {
        let mut chips = self.list.scope().chips();
        if self.is_attention {
            chips.push("needs attention".to_owned());
        }
        chips
    }

    /// What it means that there is nothing.
    fn empty(&self, shared: &Shared) -> String {
        let key = shared.keymap.key("series.clear_filters");
        let role = shared.account().and_then(|account| account.role);
        match role {
            _ if self.is_attention && !self.list.items().is_empty() => {
                format!("None of these needs attention. {key} shows all.")
            }
            _ if !self.list.scope().is_empty() => {
                format!("No series is like that. {key} shows all.")
            }
            Some(role @ (Role::Fellow | Role::Automation)) => {
                let role = role.name();
                format!("Meetings are shown to the staff: as {role} you see none.")
            }
            _ => "There are no series of meetings.".to_owned(),
        }
    }

    /// More of the selected series than has place in its row, and why it is marked.
    fn draw_details(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let Some(entry) = self.list.selected() else {
            return;
        };
        let series = &entry.series;
        let calendar = series.transcriber_calendar_id.as_deref();
        let about = format!(
            " {} · template {} · {}",
            schedule(series),
            template(series),
            calendar.map_or("no calendar".to_owned(), |id| format!("calendar {id}")),
        );
        let width = usize::from(area.width);
        let mut lines = vec![Line::styled(fit(&about, width), shared.theme.dim)];
        for reason in attention::reasons(series, entry.double.as_ref(), &shared.zone) {
            lines.push(Line::raw(fit(&format!(" {reason}"), width)));
        }
        frame.render_widget(Paragraph::new(lines), area);
    }
}

fn draw_chips(shared: &Shared, frame: &mut Frame, area: Rect, chips: &[String]) {
    let theme = &shared.theme;
    let key = format!(" {}", shared.keymap.key("series.clear_filters"));
    let words = " shows all, not only ";
    let room = usize::from(area.width).saturating_sub(cells(&key) + cells(words));
    let chips: Vec<String> = chips.iter().map(|chip| format!("[{chip}]")).collect();
    let line = Line::from(vec![
        Span::styled(key, theme.key),
        Span::styled(words, theme.dim),
        Span::styled(fit(&chips.join(" "), room), theme.title),
    ]);
    frame.render_widget(line, area);
}
