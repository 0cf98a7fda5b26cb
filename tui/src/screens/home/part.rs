//! A part of Home: rows that a few calls bring, one after the other.

use frontdesk_client::CallError;
use frontdesk_protocol::{Host, Role, Tool};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use serde_json::Value;

use crate::app::cx::Cx;
use crate::app::effects::call::{Answer, ToolCall};
use crate::app::owner::RequestId;
use crate::app::remote::Remote;
use crate::app::shared::Shared;
use crate::fields::cell::Cell;
use crate::look::mark::Mark;
use crate::look::time::moment;
use crate::records::record::Record;
use crate::ui::frame::waiting;
use crate::ui::gauge;
use crate::ui::problem::{Problem, Remedy};
use crate::ui::sections::Section;
use crate::ui::table::{Column, Row};

/// Pages of a list that are looked through.
const MOST_PAGES: usize = 5;
/// Where there are fewer cells, they are for the names.
const NARROW: u16 = 70;

/// The columns of rows that end with their progress.
pub(super) fn progress_columns(_: bool) -> Vec<Column> {
    vec![Column::name(""), Column::text(""), Column::whole("")]
}

/// The fields `done` and `total` of a row; a bar stands before them if there is room.
pub(super) fn progress(row: &Record, is_narrow: bool) -> Cell {
    let number = |field: &str| row.number(field).unwrap_or_default() as u64;
    let (done, total) = (number("done"), number("total"));
    let bar = match is_narrow {
        true => String::new(),
        false => format!("{} ", gauge::bar(10, done, total)),
    };
    Cell::new(format!("{bar}{done} of {total}"))
}

/// A part of Home.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) title: &'static str,
    /// What is said where there are no rows, if anything is.
    pub(super) none: &'static str,
    pub(super) host: Host,
    /// The kind of record that a row is, as ids name it.
    pub(super) kind: &'static str,
    /// Whether somebody of this role, or of none, may have rows.
    pub(super) is_for: fn(Option<Role>) -> bool,
    /// What is asked next, or the rows, from the answers so far.
    pub(super) next: fn(&Shared, &[Value]) -> Next,
    /// Whether it is not asked for again once it has no rows.
    pub(super) ends: bool,
    /// Whether an error says that nothing is the caller's.
    pub(super) is_nothing: fn(&CallError) -> bool,
    /// What is said behind the title and the number of rows.
    pub(super) note: fn(&[Record], &Shared) -> Option<String>,
    /// The columns, in a narrow terminal or in another one.
    pub(super) columns: fn(bool) -> Vec<Column>,
    pub(super) cells: fn(&Record, bool, &Shared) -> Vec<Cell>,
}

/// What follows the answers so far.
pub(super) enum Next {
    Ask(Box<ToolCall>),
    Rows(Vec<Record>),
}

impl Next {
    /// This call.
    pub(super) fn ask(call: &impl Tool) -> Next {
        Next::Ask(Box::new(ToolCall::of(call)))
    }
}

/// The records under this key of all answers.
pub(super) fn records(answers: &[Value], key: &str) -> Vec<Record> {
    let pages = answers.iter().filter_map(|page| page[key].as_array());
    pages.flatten().filter_map(Record::new).collect()
}

/// How many records come before the next page of a list, if there is one to be asked for.
pub(super) fn next_page(answers: &[Value], key: &str) -> Option<u32> {
    let has_more = match answers.last() {
        Some(page) => page["has_more"] == true && answers.len() < MOST_PAGES,
        None => true,
    };
    let before = records(answers, key).len();
    u32::try_from(before).ok().filter(|_| has_more)
}

/// A part, and what is known of it.
#[derive(Debug)]
pub(super) struct Loading {
    pub(super) part: &'static Part,
    pub(super) rows: Remote<Vec<Record>>,
    answers: Vec<Value>,
    /// The last request succeeded.
    is_well: bool,
    /// The last request was the first to fail: its host may be away.
    pub(super) is_doubted: bool,
}

impl Loading {
    /// A part of which nothing is known.
    pub(super) fn new(part: &'static Part) -> Self {
        Loading {
            part,
            rows: Remote::Idle,
            answers: Vec::new(),
            is_well: false,
            is_doubted: false,
        }
    }

    /// Asks for the rows, from the first call on.
    pub(super) fn ask(&mut self, cx: &mut Cx) {
        cx.abort(self.rows.request());
        self.answers.clear();
        if let Next::Ask(call) = (self.part.next)(cx.shared, &self.answers) {
            self.rows.begin(cx.send(*call));
        }
    }

    /// Takes an answer, if it is of this part, and asks for what follows.
    pub(super) fn answered(&mut self, cx: &mut Cx, request: RequestId, answer: &Answer) -> bool {
        if !self.rows.waits_for(request) {
            return false;
        }
        let result = match &answer.result {
            Ok(reply) => {
                self.answers.push(reply.value.clone());
                match (self.part.next)(cx.shared, &self.answers) {
                    Next::Rows(rows) => Ok(rows),
                    Next::Ask(call) => {
                        self.rows.begin(cx.send(*call));
                        return true;
                    }
                }
            }
            Err(error) if (self.part.is_nothing)(error) => Ok(Vec::new()),
            Err(error) => Err(error.clone()),
        };
        self.answers.clear();
        let was_well = std::mem::replace(&mut self.is_well, result.is_ok());
        self.is_doubted = was_well && result.is_err();
        self.rows.finish(request, cx.now(), result)
    }

    /// The rows that are known, however old.
    pub(super) fn known(&self) -> &[Record] {
        self.rows.value().map_or(&[], Vec::as_slice)
    }

    /// Whether it is known that there are no rows.
    pub(super) fn is_empty(&self) -> bool {
        self.rows.value().is_some_and(Vec::is_empty) && self.rows.error().is_none()
    }

    /// Whether it has ended for good: the first steps are done once.
    pub(super) fn is_over(&self) -> bool {
        self.part.ends && self.is_empty()
    }

    /// Whether nothing is known yet, and something will be.
    pub(super) fn is_awaited(&self) -> bool {
        self.rows.is_loading() && self.rows.value().is_none()
    }

    /// The part as it is drawn, with this row selected; none where there is nothing to be seen of it.
    pub(super) fn section<'a>(
        &'a self,
        shared: &'a Shared,
        width: u16,
        selected: Option<&str>,
    ) -> Option<Section<'a>> {
        let theme = &shared.settings.theme;
        let mut title = Line::styled(format!(" {} ", self.part.title), theme.title);
        match (self.known(), self.rows.error()) {
            ([], None) if self.is_awaited() => {
                let words = waiting(shared, "asking the host").to_string();
                Some(Section::said(title, Row::across(words).style(theme.dim)))
            }
            ([], None) => None,
            ([], Some(error)) => {
                let problem = Problem::of(error);
                let key = shared.settings.keymap.key("app.refresh");
                let remedy = match problem.remedy {
                    Remedy::Retry => format!(" · {key} tries again"),
                    Remedy::SignIn | Remedy::Nothing => String::new(),
                };
                title.push_span(Mark::Bad.span(theme, problem.title));
                title.push_span(Span::styled(format!("{remedy} "), theme.dim));
                Some(Section::said(
                    title,
                    Row::across(problem.what).style(theme.dim),
                ))
            }
            (rows, error) => {
                let note = (self.part.note)(rows, shared);
                let note = note.map_or(String::new(), |note| format!(", {note}"));
                let words = format!("{}{note} ", rows.len());
                title.push_span(Span::styled(words, theme.dim));
                if let (Some(error), Some(seen)) = (error, self.rows.seen()) {
                    let since = moment(seen.at, shared.now, &shared.locale);
                    let words = format!("{} (as of {since}) ", Problem::of(error).title);
                    title.push_span(Mark::Bad.span(theme, &words));
                }
                let is_narrow = width < NARROW;
                let row = move |at: usize| {
                    let cells = (self.part.cells)(&rows[at], is_narrow, shared);
                    cells.into_iter().fold(Row::new(), |row, cell| {
                        let style: Style = cell.tone.style(theme);
                        row.styled(cell.text, style)
                    })
                };
                Some(Section {
                    title,
                    columns: (self.part.columns)(is_narrow),
                    len: rows.len(),
                    selected: rows.iter().position(|row| Some(row.id()) == selected),
                    row: Box::new(row),
                })
            }
        }
    }
}
