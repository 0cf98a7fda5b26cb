//! The history of calls: viewing, repeating, comparing.

mod acting;
mod commands;
pub(crate) mod compare;
#[cfg(test)]
mod tests;
mod view;

use crossterm::event::KeyEvent;
use frontdesk_client::history::{Keep, RecordedCall};
use ratatui::Frame;
use ratatui::layout::Rect;
use uuid::Uuid;

pub(crate) use commands::{COMMANDS, EVERYWHERE};

use crate::app::cx::{Cx, News};
use crate::app::effects::disk::DiskError;
use crate::app::effects::job::Ended;
use crate::app::effects::job::Outcome;
use crate::app::effects::server_jobs::FetchTools;
use crate::app::history::ForgetCalls;
use crate::app::history::ReadHistory;
use crate::app::history::Remembered;
use crate::app::input::command::Context;
use crate::app::owner::RequestId;
use crate::app::screen::Screen;
use crate::app::shared::Shared;
use crate::app::state::Typing;
use crate::call_form::recorded;
use crate::look::mark::Mark;
use crate::look::text::{clean, fold};
use crate::ui::search::Search;
use crate::ui::table;

/// The history of calls.
#[derive(Debug, Default)]
pub(crate) struct HistoryScreen {
    /// The newest first; `None` until they are read.
    entries: Option<Vec<RecordedCall>>,
    keep: Keep,
    /// Why they cannot be read.
    trouble: Option<String>,
    reading: Option<RequestId>,
    search: Search,
    selected: Option<Uuid>,
    sort: Sort,
    is_reversed: bool,
    /// The call marked for a comparison.
    marked: Option<Uuid>,
    /// The first visible line, if one call is shown instead of the list.
    top: Option<usize>,
    /// The call that waits for the tools of its host.
    wanted: Option<(RequestId, Wanted)>,
}

/// The order of the calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Sort {
    /// The newest first.
    #[default]
    When,
    /// By peer and tool, then the newest first.
    Tool,
    /// The slowest first.
    Took,
}

/// The next step for a call once its tool is known.
#[derive(Debug, Clone, Copy)]
struct Wanted {
    id: Uuid,
    /// Whether to repeat it immediately, if possible.
    again: bool,
}

/// Opens the history.
pub(crate) fn open(cx: &mut Cx) {
    cx.open(HistoryScreen::default());
}

impl HistoryScreen {
    /// The listed calls.
    fn found(&self) -> Vec<&RecordedCall> {
        let wanted = fold(self.search.text().trim());
        let words: Vec<&str> = wanted.split_whitespace().collect();
        let entries = self.entries.iter().flatten();
        let mut found: Vec<&RecordedCall> = entries
            .filter(|entry| {
                let text = fold(&recorded::searched(entry));
                words.iter().all(|word| text.contains(word))
            })
            .collect();
        match self.sort {
            Sort::When => {}
            Sort::Tool => found.sort_by_key(|entry| (&entry.peer, &entry.tool)),
            Sort::Took => found.sort_by_key(|entry| std::cmp::Reverse(entry.took_ms)),
        }
        if self.is_reversed {
            found.reverse();
        }
        found
    }

    fn entry(&self, id: Uuid) -> Option<&RecordedCall> {
        self.entries.iter().flatten().find(|entry| entry.id == id)
    }

    /// The selected call.
    fn current(&self) -> Option<&RecordedCall> {
        self.entry(self.selected?)
    }

    /// Keeps the selection if it is still listed.
    fn settle(&mut self) {
        let ids: Vec<Uuid> = self.found().iter().map(|entry| entry.id).collect();
        if !self.selected.is_some_and(|id| ids.contains(&id)) {
            self.selected = ids.first().copied();
            self.top = None;
        }
        self.marked = self.marked.filter(|id| self.entry(*id).is_some());
    }

    fn read(&mut self, cx: &mut Cx) {
        let account = cx.caller();
        self.reading = Some(cx.run(ReadHistory(account)));
    }

    fn came(&mut self, result: Result<Remembered, DiskError>) {
        self.reading = None;
        match result {
            Ok(remembered) => {
                self.trouble = None;
                self.keep = remembered.keep;
                self.entries = Some(remembered.entries);
            }
            Err(error) => self.trouble = Some(error.to_string()),
        }
        self.settle();
    }
}

impl Screen for HistoryScreen {
    fn context(&self) -> &'static Context {
        &commands::HISTORY
    }

    fn crumb(&self) -> String {
        "History".to_owned()
    }

    fn refresh(&mut self, cx: &mut Cx) {
        self.read(cx);
    }

    fn answered(&mut self, cx: &mut Cx, request: RequestId, mut outcome: Outcome) {
        if let Some(ended) = outcome.take::<ReadHistory>() {
            if self.reading == Some(request) {
                self.came(ended.result);
            }
        } else if let Some(ended) = outcome.take::<ForgetCalls>() {
            if let Err(error) = ended.result {
                let words = format!("Not deleted: {}", clean(&error.0));
                cx.toast(Mark::Bad, words);
            }
            self.read(cx);
        } else if let Some(Ended { job, result }) = outcome.take::<FetchTools>() {
            self.offered(cx, request, job.0.clone(), result);
        }
    }

    fn notified(&mut self, cx: &mut Cx, news: &News) {
        if matches!(news, News::SignedIn) {
            self.entries = None;
            self.read(cx);
        }
    }

    fn typing(&self) -> Typing {
        self.search.typing()
    }

    fn key(&mut self, _: &mut Cx, key: KeyEvent) {
        if self.search.key(key) {
            self.settle();
        }
    }

    fn paste(&mut self, cx: &mut Cx, text: &str) {
        if self.search.paste(cx, text) {
            self.settle();
        }
    }

    fn step(&mut self, cx: &mut Cx, by: isize) {
        match self.top {
            Some(top) => {
                let last = view::last_top(self, cx.shared);
                self.top = Some(top.saturating_add_signed(by).min(last));
            }
            None => {
                let ids: Vec<Uuid> = self.found().iter().map(|entry| entry.id).collect();
                self.selected = table::step(&ids, self.selected, by);
            }
        }
    }

    fn escape(&mut self, _: &mut Cx) -> bool {
        if self.top.take().is_some() {
            return true;
        }
        let was_searching = self.search.clear();
        self.settle();
        was_searching || self.marked.take().is_some()
    }

    fn can_search(&self) -> bool {
        self.top.is_none()
    }

    fn sort(&mut self, _: &Shared) {
        self.sort = match self.sort {
            Sort::When => Sort::Tool,
            Sort::Tool => Sort::Took,
            Sort::Took => Sort::When,
        };
    }

    fn reverse(&mut self, _: &Shared) {
        self.is_reversed = !self.is_reversed;
    }

    fn search(&mut self) {
        self.top = None;
        self.search.begin();
    }

    fn is_busy(&self) -> bool {
        self.wanted.is_some() || (self.reading.is_some() && self.entries.is_none())
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        view::draw(self, shared, frame, area);
    }
}
