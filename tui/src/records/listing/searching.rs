//! The search of a list: in its own rows if all are loaded, otherwise at the host. When it ends, the list is as before it.

use crossterm::event::KeyEvent;

use super::loaded::Loaded;
use super::total::Counted;
use super::{Listing, Pages, Sort, TYPING_PAUSE};
use crate::app::cx::Cx;
use crate::app::remote::{Remote, Seen};
use crate::app::shared::Shared;
use crate::app::state::Typing;
use crate::look::text::fold;
use crate::records::record::Record;

/// What a search leaves as it was.
#[derive(Debug, Default)]
pub(super) struct Before {
    selected: Option<String>,
    sort: Option<Sort>,
    /// The rows, once those that the host has found are in their place.
    rows: Option<Rows>,
}

#[derive(Debug)]
struct Rows {
    pages: Seen<Pages>,
    records: Loaded,
    counted: Counted,
    /// The list was loaded again meanwhile.
    is_old: bool,
}

impl Before {
    /// Records have changed: the rows are loaded again when they are shown.
    pub(super) fn outdate(&mut self) {
        if let Some(rows) = &mut self.rows {
            rows.is_old = true;
        }
    }

    /// Updates a record.
    pub(super) fn update(&mut self, record: &Record) {
        if let Some(rows) = &mut self.rows {
            rows.records.update(record);
        }
    }
}

impl Listing {
    /// How letters are handled.
    pub(crate) fn typing(&self) -> Typing {
        self.search.typing()
    }

    /// Searches a list that is not loaded yet.
    pub(crate) fn search_for(&mut self, text: &str) {
        self.search.set(text);
    }

    /// Focuses the search field.
    pub(crate) fn begin_search(&mut self) {
        if !self.search.is_open() {
            self.before.selected = self.selected.clone();
            self.before.sort = self.sort;
        }
        self.search.begin();
    }

    /// Leaves the search field, and keeps the text and what is selected. Returns whether it was focused.
    pub(crate) fn end_search(&mut self) -> bool {
        let was_typing = self.search.end();
        if was_typing {
            self.before.selected = None;
        }
        was_typing
    }

    /// Closes the search: rows, order and selection are those before it, but what was chosen with Enter stays selected.
    /// Returns whether it was open.
    pub(crate) fn clear_search(&mut self, cx: &mut Cx) -> bool {
        let had_text = !self.search.is_empty();
        let was_open = self.search.clear();
        if had_text {
            let selected = self
                .before
                .selected
                .take()
                .or_else(|| self.selected.clone());
            let sort = self.before.sort.take();
            self.text_changed(cx);
            self.sort = sort.filter(|sort| sort.column < self.columns.len());
            self.added.clone_from(&selected);
            self.select_record(selected, cx.shared);
        }
        was_open
    }

    /// A key in the search field. Returns whether the text changed.
    pub(crate) fn key(&mut self, cx: &mut Cx, key: KeyEvent) -> bool {
        let is_other = self.search.key(key);
        if is_other {
            self.text_changed(cx);
        }
        is_other
    }

    /// Pasted text in the search field.
    pub(crate) fn paste(&mut self, cx: &mut Cx, text: &str) {
        if self.search.paste(cx, text) {
            self.text_changed(cx);
        }
    }

    /// Searches the loaded rows, and the host if there are more, or none that matches.
    fn text_changed(&mut self, cx: &mut Cx) {
        cx.cancel(&mut self.pause);
        if self.pages.is_loading() && !self.asked.is_empty() {
            cx.abort(self.pages.request());
            self.asked.clear();
            self.pages = self
                .pages
                .seen()
                .cloned()
                .map_or(Remote::Idle, Remote::Ready);
        }
        let text = self.search.text().trim().to_owned();
        let kept = self.before.rows.as_ref();
        if kept.is_some_and(|rows| text.is_empty() || !rows.pages.value.has_more) {
            self.restore(cx, text.is_empty());
        }
        self.arrange(cx.shared);
        let is_known = self.pages.value().is_some_and(|pages| pages.search == text);
        if self.list.search.is_some() && !is_known && !self.searches_here() {
            self.pause = Some(cx.after(TYPING_PAUSE));
        }
    }

    /// Whether all rows are loaded, and some match the search.
    fn searches_here(&self) -> bool {
        let is_whole = |pages: &Pages| pages.search.is_empty() && !pages.has_more;
        let is_whole = self.pages.value().is_some_and(is_whole) && self.is_as_narrowed();
        is_whole && !self.order.is_empty()
    }

    /// The words that the host searches for.
    pub(super) fn words(&self) -> String {
        match self.searches_here() {
            true => String::new(),
            false => self.search.text().trim().to_owned(),
        }
    }

    /// The rows that a search has found come in the place of the others.
    pub(super) fn keep_rows(&mut self) {
        let is_whole = |pages: &Seen<Pages>| pages.value.search.is_empty();
        match self.pages.seen().filter(|pages| is_whole(pages)) {
            Some(pages) if !self.asked.is_empty() && self.offset == 0 => {
                self.before.rows = Some(Rows {
                    pages: pages.clone(),
                    records: std::mem::take(&mut self.records),
                    counted: std::mem::take(&mut self.counted),
                    is_old: false,
                });
            }
            _ if self.asked.is_empty() => self.before.rows = None,
            _ => {}
        }
    }

    /// Shows the rows before the search. If they are old, or lack what the host has found, they are loaded again once the
    /// search is over.
    fn restore(&mut self, cx: &mut Cx, is_over: bool) {
        let narrowed = self.filters.arguments();
        let Some(rows) = self
            .before
            .rows
            .take_if(|rows| rows.pages.value.narrowed == *narrowed)
        else {
            return;
        };
        let is_whole = !rows.pages.value.has_more;
        let mut found = self.records.all().iter();
        let is_old = rows.is_old
            || is_whole && found.any(|record| rows.records.place(record.id()).is_none());
        self.pages = Remote::Ready(rows.pages);
        self.asked.clear();
        (self.records, self.counted) = (rows.records, rows.counted);
        self.choose_columns(cx.shared);
        self.mark_loaded(cx);
        if is_old && is_over {
            self.load(cx);
        }
    }

    /// Whether the name, a column or a text of the record contains the text.
    pub(super) fn fits(&self, record: &Record, shared: &Shared, text: &str) -> bool {
        let has = |shown: &str| fold(shown).contains(text);
        let mut columns = self.columns.iter();
        let mut texts = record.all().iter();
        has(&record.label(self.kind))
            || columns.any(|column| has(&column.cell(record, shared).text))
            || self.list.search.is_some()
                && texts.any(|(name, value)| is_text(name) && value.as_str().is_some_and(has))
    }
}

/// Whether a field with this name can hold what people search.
fn is_text(name: &str) -> bool {
    !(name == "id" || name.ends_with("_id") || name.ends_with("_at"))
}
