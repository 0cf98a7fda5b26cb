//! A list of records of one kind: loaded page by page, searched, sorted, with one selected.

mod key;
mod records;

use std::cmp::Reverse;

use crossterm::event::KeyEvent;
use frontdesk_client::CallError;
use frontdesk_protocol::record::List;
use frontdesk_protocol::value::{Limit, Line as LineText, Offset};
use jiff::SignedDuration;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use uuid::Uuid;

pub(crate) use self::key::Key;

use self::records::Records;
use crate::app::cx::Cx;
use crate::app::effect::{Answer, RequestId, ToolCall, Work};
use crate::app::remote::Remote;
use crate::app::shared::{Session, Shared};
use crate::app::state::Typing;
use crate::ui::frame::waiting;
use crate::ui::input::Input;
use crate::ui::mark::Mark;
use crate::ui::panel::{self, titled};
use crate::ui::problem::Problem;
use crate::ui::table::{self, Column, Row};
use crate::ui::text::{clean, fold};
use crate::ui::time::moment;

/// A pause in typing that is long enough to ask the host.
const TYPING_PAUSE: SignedDuration = SignedDuration::from_millis(250);
/// The next page is asked for when the selection comes this near to the last row.
const AHEAD: usize = 20;

/// A kind of record that is listed.
pub(crate) trait Listed: Sized {
    /// What all of the list have in common, such as the event.
    type Scope: Clone;
    /// One and several, for titles.
    const NAMES: (&'static str, &'static str);
    /// Whether the host can search it.
    const IS_SEARCHED: bool = true;
    /// As many are loaded at once, page by page; further ones when one gets there.
    const AT_ONCE: usize = 0;

    /// Identifies the record.
    fn id(&self) -> Uuid;
    /// The text that the search looks into.
    fn text(&self) -> &str;
    /// The columns, with the names that sorting uses.
    fn columns() -> Vec<Column>;
    /// The names of the columns.
    fn column_names() -> &'static [&'static str];
    /// The row of this record.
    fn row(&self, shared: &Shared) -> Row;
    /// What it is sorted by in this column.
    fn key(&self, column: usize) -> Key<'_>;
    /// The call for a page.
    fn ask(scope: Self::Scope, search: Option<LineText>, limit: Limit, offset: Offset) -> ToolCall;
    /// The answer to that call.
    fn take(answer: &Answer) -> Option<Result<List<Self>, CallError>>;
    /// Whether the record has this in common with the others. The host says so of what it lists; this
    /// is for what was listed before.
    fn belongs(&self, scope: &Self::Scope) -> bool {
        let _ = scope;
        true
    }
}

/// A list of records.
#[derive(Debug)]
pub(crate) struct Listing<T: Listed> {
    scope: T::Scope,
    /// The pages loaded so far.
    pages: Remote<Pages>,
    records: Records<T>,
    /// What is loaded anew, while it is less than what was there.
    fresh: Option<Records<T>>,
    /// Which records are shown, in which order.
    order: Vec<usize>,
    /// The text that those have in them, without case and accents.
    shown: String,
    selected: Option<Uuid>,
    /// The place of the selected record in the order.
    at: Option<usize>,
    search: Input,
    is_typing: bool,
    pause: Option<RequestId>,
    /// The offset that the page under way begins at.
    offset: usize,
    sort: Option<Sort>,
    /// Only these are shown.
    only: Option<fn(&T) -> bool>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Pages {
    has_more: bool,
}

#[derive(Debug, Clone, Copy)]
struct Sort {
    column: usize,
    is_reversed: bool,
}

impl<T: Listed + Clone> Listing<T> {
    /// A list of which nothing is loaded yet.
    pub(crate) fn new(scope: T::Scope) -> Self {
        Listing {
            scope,
            pages: Remote::Idle,
            records: Records::default(),
            fresh: None,
            order: Vec::new(),
            shown: String::new(),
            selected: None,
            at: None,
            search: Input::line(""),
            is_typing: false,
            pause: None,
            offset: 0,
            sort: None,
            only: None,
        }
    }

    /// Loads the list from its beginning.
    pub(crate) fn load(&mut self, cx: &mut Cx) {
        self.ask(cx, 0);
    }

    /// Loads the list if it was not loaded yet.
    pub(crate) fn load_once(&mut self, cx: &mut Cx) {
        if matches!(self.pages, Remote::Idle | Remote::Failed { .. }) {
            self.load(cx);
        }
    }

    fn ask(&mut self, cx: &mut Cx, offset: usize) {
        if !matches!(cx.shared.session, Session::In(_)) {
            return;
        }
        cx.abort(self.pages.request());
        let text = self.search.text();
        let search = match text.trim() {
            "" => None,
            text => LineText::new(text).ok(),
        };
        let call = T::ask(
            self.scope.clone(),
            search,
            Limit::new(100).unwrap_or_default(),
            Offset::new(u32::try_from(offset).unwrap_or(u32::MAX)),
        );
        let request = cx.run(Work::Call(call));
        self.offset = offset;
        self.pages.begin(request);
    }

    /// Takes an answer, if it is this list's.
    pub(crate) fn answered(&mut self, cx: &mut Cx, request: RequestId, answer: &Answer) -> bool {
        if !self.pages.waits_for(request) {
            return false;
        }
        let Some(result) = T::take(answer) else {
            return false;
        };
        let place = self.place();
        let mut next = None;
        let result = match result {
            Ok(page) => {
                let has_more = page.has_more;
                next = self.add(page);
                Ok(Pages { has_more })
            }
            Err(error) => {
                self.fresh = None;
                Err(error)
            }
        };
        self.pages.finish(request, cx.now(), result);
        self.arrange();
        self.keep_place(place);
        if let Some(offset) = next {
            self.ask(cx, offset);
        }
        true
    }

    /// Adds a page. Returns the offset of the next one, if it is to be loaded at once.
    fn add(&mut self, page: List<T>) -> Option<usize> {
        let mut records = match (self.offset, self.fresh.take()) {
            (0, _) => Records::default(),
            (_, Some(fresh)) => fresh,
            (_, None) => std::mem::take(&mut self.records),
        };
        let loaded = records.len();
        // Rows that were added meanwhile move others onto the next page.
        records.add(page.items);
        let offset = records.len();
        let goes_on = page.has_more && loaded < offset && offset < T::AT_ONCE;
        match goes_on && offset < self.records.len() {
            // A reload does not take away what it has not come to yet.
            true => self.fresh = Some(records),
            false => self.records = records,
        }
        goes_on.then_some(offset)
    }

    /// A timer fired.
    pub(crate) fn fired(&mut self, cx: &mut Cx, request: RequestId) -> bool {
        let is_ours = self.pause.take_if(|pause| *pause == request).is_some();
        if is_ours {
            self.load(cx);
        }
        is_ours
    }

    /// It is not visible any more.
    pub(crate) fn hidden(&mut self, cx: &mut Cx) {
        cx.cancel(&mut self.pause);
    }

    /// Changes a record in place.
    pub(crate) fn change(&mut self, id: Uuid, change: impl FnOnce(&mut T)) {
        if self.records.change(id, change) {
            self.arrange();
        }
    }

    /// Changes all records that are loaded.
    pub(crate) fn change_all(&mut self, change: impl FnMut(&mut T)) {
        self.records.change_all(change);
        self.arrange();
    }

    /// What all of the list have in common.
    pub(crate) fn scope(&self) -> &T::Scope {
        &self.scope
    }

    /// Lists what has this in common, and has this text in it.
    pub(crate) fn narrow(&mut self, cx: &mut Cx, scope: T::Scope, search: &str) {
        cx.cancel(&mut self.pause);
        self.scope = scope;
        self.search.set(search);
        self.load(cx);
        self.arrange();
    }

    /// What is searched for.
    pub(crate) fn searched(&self) -> String {
        self.search.text()
    }

    /// Shows only the loaded ones that are like this.
    pub(crate) fn show_only(&mut self, only: Option<fn(&T) -> bool>) {
        self.only = only;
        self.arrange();
    }

    /// All records that are loaded.
    pub(crate) fn items(&self) -> &[T] {
        self.records.items()
    }

    /// Whether there is more to load.
    pub(crate) fn has_more(&self) -> bool {
        self.pages.value().is_some_and(|pages| pages.has_more)
    }

    /// Loads the next page, if there is one and none is under way.
    pub(crate) fn more(&mut self, cx: &mut Cx) {
        if self.has_more() && !self.pages.is_loading() {
            let offset = self.records.len();
            self.ask(cx, offset);
        }
    }

    /// Whether the person waits for it.
    pub(crate) fn is_busy(&self) -> bool {
        self.pages.is_loading()
    }

    /// The place of the selected row, and which record that is.
    fn place(&self) -> Option<(usize, Uuid)> {
        Some((self.at?, self.selected?))
    }

    /// Where the selected record is not there any more, what has its place is selected.
    fn keep_place(&mut self, place: Option<(usize, Uuid)>) {
        if let Some((place, selected)) = place
            && self.selected != Some(selected)
            && let Some(last) = self.order.len().checked_sub(1)
        {
            self.select(place.min(last));
        }
    }

    /// The record at this place of the order.
    fn record(&self, place: usize) -> Option<&T> {
        let at = *self.order.get(place)?;
        self.records.items().get(at)
    }

    fn select(&mut self, place: usize) {
        self.selected = self.record(place).map(T::id);
        self.at = self.selected.map(|_| place);
    }

    /// The selected record.
    pub(crate) fn selected(&self) -> Option<&T> {
        self.record(self.at?)
    }

    /// Moves the selection.
    pub(crate) fn step(&mut self, cx: &mut Cx, by: isize) {
        if let Some(at) = table::moved(self.order.len(), self.at, by) {
            self.select(at);
            if at + AHEAD >= self.order.len() {
                self.more(cx);
            }
        }
    }

    /// Whether letters go into the search field.
    pub(crate) fn typing(&self) -> Typing {
        match self.is_typing {
            true => Typing::Yes,
            false => Typing::No,
        }
    }

    /// Puts the cursor into the search field.
    pub(crate) fn begin_search(&mut self) {
        self.is_typing = T::IS_SEARCHED;
    }

    /// Leaves the search field; what was searched stays. Says whether one was in it.
    pub(crate) fn end_search(&mut self) -> bool {
        std::mem::take(&mut self.is_typing)
    }

    /// Closes the search, if there is one.
    pub(crate) fn escape(&mut self, cx: &mut Cx) -> bool {
        let was_open = self.end_search() || !self.search.is_empty();
        if !self.search.is_empty() {
            self.search.set("");
            self.text_changed(cx);
        }
        was_open
    }

    /// A key for the search field.
    pub(crate) fn key(&mut self, cx: &mut Cx, key: KeyEvent) {
        let before = self.search.text();
        if self.is_typing && self.search.key(key) && self.search.text() != before {
            self.text_changed(cx);
        }
    }

    /// Pasted text for the search field.
    pub(crate) fn paste(&mut self, cx: &mut Cx, text: &str) {
        if self.is_typing {
            self.search.paste(text);
            self.text_changed(cx);
        }
    }

    fn text_changed(&mut self, cx: &mut Cx) {
        cx.cancel(&mut self.pause);
        self.pause = Some(cx.after(TYPING_PAUSE));
        let text = self.folded();
        // What has more letters in it is among what has these.
        match text.starts_with(&self.shown) {
            true => {
                self.narrow_down(text);
                self.find_selected();
            }
            false => self.arrange(),
        }
    }

    /// Sorts by the next column; after the last one, as the host does.
    pub(crate) fn sort(&mut self) {
        let next = self.sort.map_or(0, |sort| sort.column + 1);
        self.sort = (next < T::column_names().len()).then_some(Sort {
            column: next,
            is_reversed: false,
        });
        self.arrange();
    }

    /// Turns the order around.
    pub(crate) fn reverse(&mut self) {
        let sort = self.sort.get_or_insert(Sort {
            column: 0,
            is_reversed: false,
        });
        sort.is_reversed = !sort.is_reversed;
        self.arrange();
    }

    /// What is searched for, without case and accents.
    fn folded(&self) -> String {
        fold(self.search.text().trim())
    }

    /// Finds out anew what is shown in which order.
    fn arrange(&mut self) {
        let items = self.records.items();
        let is_shown = |at: &usize| {
            let item = &items[*at];
            item.belongs(&self.scope) && self.only.is_none_or(|only| only(item))
        };
        self.order = (0..items.len()).filter(is_shown).collect();
        self.shown.clear();
        self.narrow_down(self.folded());
        let items = self.records.items();
        match self.sort {
            Some(Sort {
                column,
                is_reversed: true,
            }) => self
                .order
                .sort_by_cached_key(|at| Reverse(items[*at].key(column))),
            Some(Sort { column, .. }) => self.order.sort_by_cached_key(|at| items[*at].key(column)),
            None => {}
        }
        self.find_selected();
    }

    /// Leaves out of what is shown what has not got this text.
    fn narrow_down(&mut self, text: String) {
        if text != self.shown {
            let texts = self.records.texts();
            self.order.retain(|at| texts[*at].contains(&text));
            self.shown = text;
        }
    }

    /// Finds the place of the selected record; where it is not shown, the first one is selected.
    fn find_selected(&mut self) {
        let record = self.selected.and_then(|id| self.records.place(id));
        self.at = record.and_then(|record| self.order.iter().position(|at| *at == record));
        if self.at.is_none() {
            self.select(0);
        }
    }

    fn title(&self, shared: &Shared) -> Line<'static> {
        let theme = &shared.theme;
        let number = self.order.len();
        let (one, many) = T::NAMES;
        let name = if number == 1 { one } else { many };
        let more = if self.has_more() { "+" } else { "" };
        let mut spans = vec![Span::raw(format!(" {number}{more} {name} "))];
        if let Some(sort) = self.sort
            && let Some(column) = T::column_names().get(sort.column)
        {
            let arrow = if sort.is_reversed { "↓" } else { "↑" };
            spans.push(Span::styled(format!("· by {column} {arrow} "), theme.dim));
        }
        if let (Some(error), Some(seen)) = (self.pages.error(), self.pages.seen()) {
            let since = moment(seen.at, shared.now, &shared.zone);
            let words = format!("{} (as of {since}) ", Problem::of(error).title);
            spans.push(Mark::Bad.span(theme, &words));
        }
        Line::from(spans)
    }

    /// Draws the list in a box; `empty` stands where there is nothing.
    pub(crate) fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect, empty: &str) {
        let theme = &shared.theme;
        let border = match self.is_typing {
            true => theme.focus,
            false => theme.border,
        };
        let block = titled(self.title(shared), border);
        let mut inside = block.inner(area);
        frame.render_widget(block, area);
        if self.is_typing || !self.search.is_empty() {
            let [field, rest] =
                Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(inside);
            inside = rest;
            self.search
                .draw_search(theme, frame, field, Style::new(), self.is_typing);
        }
        let message = panel::middle(inside, inside.width.saturating_sub(4), 1);
        if !self.order.is_empty() {
            table::draw(
                frame,
                inside,
                theme,
                &T::columns(),
                self.order.len(),
                self.at,
                |place| match self.record(place) {
                    Some(record) => record.row(shared),
                    None => Row::new(),
                },
            );
        } else if self.pages.is_loading() || self.pause.is_some() {
            frame.render_widget(waiting(shared, "asking the host…"), message);
        } else if let Some(error) = self.pages.error() {
            let problem = Problem::of(error);
            panel::problem(
                frame,
                theme,
                &shared.keymap,
                inside,
                &problem,
                self.typing(),
            );
        } else if !self.search.is_empty() {
            let text = format!("Nothing with “{}”.", clean(&self.search.text()));
            frame.render_widget(Line::styled(text, theme.dim), message);
        } else if self.pages.seen().is_some() {
            frame.render_widget(Line::styled(empty.to_owned(), theme.dim), message);
        }
    }
}
