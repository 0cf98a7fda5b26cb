//! A list of records: paging, search, filters, sorting and selection.

mod draw;
pub(crate) mod groups;
mod loaded;
mod marks;
mod saved;
mod searching;
mod total;

use std::collections::HashMap;

use frontdesk_client::CallError;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value};

use self::groups::Groups;
use self::loaded::Loaded;
use self::marks::Marks;
use self::searching::Before;
use self::total::Counted;
use super::addition::Addition;
use super::columns::{self, Column};
use super::filter::{self, Choice, Filters};
use super::kind::{Kind, ListTool};
use super::names::{learn_names, reading, want_names};
use super::record::Record;
use super::view::{NOTE, OwnFilter, View};
use crate::app::cx::Cx;
use crate::app::effects::call::Answer;
use crate::app::owner::RequestId;
use crate::app::remote::Remote;
use crate::app::shared::{Session, Shared};
use crate::fields::key;
use crate::look::text::fold;
use crate::ui::problem::Problem;
use crate::ui::search::Search;
use crate::ui::table;

/// The pause in typing after which the host is queried.
const TYPING_PAUSE: SignedDuration = SignedDuration::from_millis(250);
/// Distance of the selection from the last row at which the next page is loaded.
const AHEAD: usize = 20;
/// Number of rows around the selection for which referenced names are loaded.
const NEAR: usize = 40;
/// Maximum number of records to reload at once.
const AT_ONCE: usize = 1_000;
/// Maximum number of records to load on the way to the last one: it takes fewer calls than the rate limit has for a
/// minute.
const TO_END: usize = 4_000;

/// A list of records.
#[derive(Debug)]
pub(crate) struct Listing {
    pub(crate) kind: &'static Kind,
    pub(crate) list: &'static ListTool,
    pub(crate) view: &'static View,
    /// Arguments shared by all records of the list: their owner.
    given: Map<String, Value>,
    /// The name of their owner, for a list that is not on its screen.
    owner: Option<String>,
    filters: Filters,
    /// The note for each record, computed when the complete list was last loaded.
    notes: HashMap<String, Value>,
    columns: Vec<Column>,
    /// The pages loaded so far.
    pages: Remote<Pages>,
    records: Loaded,
    /// Records of a reload in progress, until they replace the old ones.
    fresh: Option<Loaded>,
    /// The visible records in display order.
    order: Vec<usize>,
    /// The depth of each visible record in a tree.
    depths: Vec<usize>,
    /// The groups, if the list is shown as a board.
    groups: Option<Groups>,
    selected: Option<String>,
    /// The record to select once it is loaded: one that was added here, or proposed.
    added: Option<String>,
    /// The position of the selected record.
    at: Option<usize>,
    search: Search,
    before: Before,
    /// The search text of the last request.
    asked: String,
    pause: Option<RequestId>,
    /// The pending request for notes.
    noting: Option<RequestId>,
    counted: Counted,
    /// The offset of the page being loaded.
    offset: usize,
    /// The number of records to reload.
    again: usize,
    sort: Option<Sort>,
    marks: Marks,
    /// The record that is not offered in a choice.
    left_out: Option<String>,
    /// The number of records up to which the list is loaded to get to its end.
    until: Option<usize>,
    /// Only its first page is wanted, and no count.
    is_brief: bool,
}

#[derive(Debug, Clone, Default)]
struct Pages {
    has_more: bool,
    /// The search text of the request.
    search: String,
    /// The filter arguments of the request.
    narrowed: Map<String, Value>,
}

#[derive(Debug, Clone, Copy)]
struct Sort {
    column: usize,
    is_reversed: bool,
}

impl Listing {
    /// A list that is not loaded yet.
    pub(crate) fn new(
        kind: &'static Kind,
        list: &'static ListTool,
        given: Map<String, Value>,
        shared: &Shared,
    ) -> Self {
        Listing {
            kind,
            list,
            view: View::of(kind, shared),
            given,
            owner: None,
            filters: Filters::default(),
            notes: HashMap::new(),
            columns: Vec::new(),
            pages: Remote::Idle,
            records: Loaded::default(),
            fresh: None,
            order: Vec::new(),
            depths: Vec::new(),
            groups: None,
            selected: None,
            added: None,
            at: None,
            search: Search::default(),
            before: Before::default(),
            asked: String::new(),
            pause: None,
            noting: None,
            counted: Counted::default(),
            offset: 0,
            again: 0,
            sort: None,
            marks: Marks::default(),
            left_out: None,
            until: None,
            is_brief: false,
        }
    }

    /// Names the owner of the records.
    pub(crate) fn name_owner(&mut self, shared: &Shared) {
        let ids = self.given.values().filter_map(Value::as_str);
        let mut names = ids.filter_map(|id| shared.names.get(id));
        self.owner = names.next().map(str::to_owned);
    }

    /// The name of the owner, for a list that is not on its screen.
    pub(crate) fn owner(&self) -> Option<&str> {
        self.owner.as_deref()
    }

    /// The same list, not loaded yet: with these filters and this selection.
    pub(crate) fn again(&self, shared: &Shared) -> Self {
        Listing {
            filters: self.filters.clone(),
            added: self.selected.clone(),
            owner: self.owner.clone(),
            ..Listing::new(self.kind, self.list, self.given.clone(), shared)
        }
    }

    /// The values shared by all added records: the owner, and the ids of active filters.
    fn common(&self) -> Map<String, Value> {
        let ids = self.list.tool.ids.iter();
        let narrowed = ids.filter_map(|id| {
            let value = self.filters.arguments().get(&id.name)?;
            Some((id.name.clone(), value.clone()))
        });
        let mut common: Map<String, Value> = narrowed.collect();
        common.extend(self.given.clone());
        common
    }

    /// What can be added to the list, with the shared values and the last position.
    pub(crate) fn addition(&self) -> Option<Addition> {
        self.kind.create.as_ref()?;
        let mut given = self.common();
        if !self.given.is_empty() && !self.has_more() {
            let all = self.records.all().iter();
            let places = all.filter_map(|record| self.kind.place(record.all()));
            given.extend(self.kind.last_place(places));
        }
        Some(Addition {
            kind: self.kind,
            given,
            to: None,
        })
    }

    /// Loads the list from the beginning, up to the previously loaded length.
    pub(crate) fn load(&mut self, cx: &mut Cx) {
        let is_brief = self.is_brief;
        self.again = match (
            self.view.parent.is_some() || self.view.notes.is_some(),
            &self.groups,
        ) {
            // Notes about other records need all of them.
            _ if is_brief => 0,
            (true, _) => AT_ONCE,
            // A board must not lose cards during a reload.
            (false, Some(_)) => self.records.len(),
            (false, None) => self.records.len().min(AT_ONCE),
        };
        self.recount();
        self.before.outdate();
        self.filters.ask(cx, &self.kind.peer);
        self.ask(cx, 0);
    }

    /// Loads the list again, unless it is being loaded, the search text changes, or a reload would
    /// lose rows that are loaded.
    pub(crate) fn renew(&mut self, cx: &mut Cx) {
        let keeps_all = self.groups.is_some() || self.records.len() <= AT_ONCE;
        if keeps_all && !self.is_busy() && self.pause.is_none() {
            let counted = self.counted.clone();
            self.load(cx);
            self.counted = counted;
        }
    }

    /// Whether there is no row to act on until the host answers.
    pub(crate) fn awaits(&self) -> bool {
        self.at.is_none() && self.is_awaited()
    }

    /// Whether the answer to the search text and filters is not there yet.
    fn is_awaited(&self) -> bool {
        let is_answered = |pages: &Pages| {
            let is_here = self.list.search.is_none();
            (is_here || pages.search == self.search.text().trim())
                && pages.narrowed == *self.filters.arguments()
        };
        let is_coming = self.is_busy() || self.pause.is_some();
        is_coming && !self.pages.value().is_some_and(is_answered)
    }

    /// Loads the list unless it was loaded before.
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
        self.asked = self.words();
        let mut arguments = self.request(offset);
        if let Some(search) = self.list.search.as_ref().filter(|_| self.asked.is_empty()) {
            arguments.remove(search);
        }
        let request = cx.send(self.list.tool.reading(arguments));
        self.offset = offset;
        self.pages.begin(request);
    }

    /// The arguments for the page from this record on.
    pub(crate) fn request(&self, offset: usize) -> Map<String, Value> {
        let mut arguments = self.given.clone();
        arguments.extend(self.filters.arguments().clone());
        let words = self.search.text().trim().to_owned();
        if let Some(search) = self.list.search.as_ref().filter(|_| !words.is_empty()) {
            arguments.insert(search.clone(), words.into());
        }
        if let Some(most) = self.list.most {
            arguments.insert("limit".to_owned(), most.into());
            arguments.insert("offset".to_owned(), offset.into());
        }
        arguments
    }

    /// The fields of the shown columns.
    pub(crate) fn field_names(&self) -> Vec<String> {
        let fields = self.columns.iter().filter_map(Column::field_name);
        fields.map(str::to_owned).collect()
    }

    /// Handles an answer for this list.
    pub(crate) fn answered(&mut self, cx: &mut Cx, request: RequestId, answer: &Answer) -> bool {
        if self.filters.answered(cx, request, answer) {
            self.arrange(cx.shared);
            return true;
        }
        if self.noted(cx, request, answer) || self.counted(request, answer) {
            return true;
        }
        if !self.pages.waits_for(request) {
            return false;
        }
        let place = self.at.zip(self.selected.clone());
        let mut next = None;
        let result = match &answer.result {
            Ok(reply) => {
                let has_more = reply.value.get("has_more") == Some(&Value::Bool(true));
                let records = reply.value.get(&self.list.key).and_then(Value::as_array);
                let records = records.into_iter().flatten();
                let records = records.filter_map(|record| Record::of(self.kind, record));
                let records: Vec<Record> = records.collect();
                for record in &records {
                    learn_names(cx.shared, self.kind, record);
                }
                self.filters.note(self.list, &records);
                self.keep_rows();
                next = self.add(records, has_more);
                Ok(Pages {
                    has_more,
                    search: self.asked.clone(),
                    narrowed: self.filters.arguments().clone(),
                })
            }
            Err(error) => {
                self.fresh = None;
                self.until = None;
                Err(error.clone())
            }
        };
        self.pages.finish(request, cx.now(), result);
        self.note();
        self.choose_columns(cx.shared);
        let added = self.added.clone();
        self.arrange(cx.shared);
        // A board needs the complete list, and so does its last row.
        let until = self.until.take();
        let is_short = |until: &usize| self.has_more() && self.records.len() < *until;
        self.until = until.filter(is_short);
        let goes_on = self.until.is_some() || self.groups.is_some() && self.has_more();
        if next.is_none() && !goes_on {
            self.added = None;
        }
        // An added record becomes the selected one.
        if added.is_none() || self.selected != added {
            self.keep_place(place);
        }
        if until.is_some() {
            self.select(self.order.len().saturating_sub(1));
        }
        self.want_names(cx);
        self.ask_notes(cx);
        match next {
            Some(offset) => self.ask(cx, offset),
            None if goes_on => self.more(cx),
            None => self.count(cx),
        }
        self.mark_loaded(cx);
        true
    }

    /// Adds a page. Returns the offset of the next one if it must be loaded immediately.
    fn add(&mut self, page: Vec<Record>, has_more: bool) -> Option<usize> {
        let mut records = match (self.offset, self.fresh.take()) {
            (0, _) => Loaded::default(),
            (_, Some(fresh)) => fresh,
            (_, None) => std::mem::take(&mut self.records),
        };
        let loaded = records.len();
        // Records added meanwhile move others onto the next page.
        records.add(page);
        let offset = records.len();
        let goes_on = has_more && loaded < offset && offset < self.again;
        match goes_on {
            // A reload keeps records that it has not reached yet.
            true => self.fresh = Some(records),
            false => self.records = records,
        }
        goes_on.then_some(offset)
    }

    /// Requests the notes of the records.
    fn ask_notes(&mut self, cx: &mut Cx) {
        let Some(asked) = self.view.notes_from else {
            return;
        };
        let ids = self.records.all().iter().map(Record::id);
        let ids: Vec<Value> = ids.take(asked.most).map(Value::from).collect();
        if !ids.is_empty() {
            let ids = Map::from_iter([(asked.argument.to_owned(), ids.into())]);
            cx.abort(self.noting.take());
            let call = reading(asked.host, asked.tool, ids);
            self.noting = Some(cx.send(call));
        }
    }

    /// Handles the answer with notes.
    fn noted(&mut self, cx: &mut Cx, request: RequestId, answer: &Answer) -> bool {
        let is_ours = self.noting.take_if(|noting| *noting == request).is_some();
        if let Some(asked) = self.view.notes_from.filter(|_| is_ours) {
            match &answer.result {
                Ok(reply) => {
                    let rows = reply.value[asked.key].as_array().into_iter().flatten();
                    let notes = rows.filter_map(|row| Some((row[asked.id].as_str()?, row)));
                    let notes = notes.map(|(id, row)| (id.to_owned(), row.clone()));
                    self.notes.extend(notes);
                    self.records.note(NOTE, &self.notes);
                    self.arrange(cx.shared);
                }
                Err(error) => {
                    let (mark, words) = Problem::message(error, "Not loaded");
                    cx.toast(mark, words);
                }
            }
        }
        is_ours
    }

    /// Computes the notes. With active filters, the previous notes are kept.
    fn note(&mut self) {
        let Some(notes) = self.view.notes else {
            if self.view.notes_from.is_some() {
                self.records.note(NOTE, &self.notes);
            }
            return;
        };
        if self.fresh.is_none() && self.asked.is_empty() && self.filters.arguments().is_empty() {
            self.notes = notes(self.records.all());
        }
        self.records.note(NOTE, &self.notes);
    }

    /// Whether the loaded records match the current filters.
    fn is_as_narrowed(&self) -> bool {
        let pages = self.pages.value();
        pages.is_none_or(|pages| pages.narrowed == *self.filters.arguments())
    }

    /// The name of the list in the configuration: `work tasks`.
    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.kind.peer.name(), self.kind.many)
    }

    /// The titles of all columns that it can have, the shown ones first, and whether each is shown.
    pub(crate) fn all_columns(&self, shared: &Shared) -> Vec<(String, bool)> {
        let common: Vec<&str> = self.given.keys().map(String::as_str).collect();
        let shown = self.chosen_columns(shared);
        let mut all: Vec<(String, bool)> = shown
            .iter()
            .map(|column| (column.title.to_string(), true))
            .collect();
        for column in columns::all(self.kind, self.view.columns, self.view.covered, &common) {
            if all.iter().all(|(title, _)| *title != column.title) {
                all.push((column.title.to_string(), false));
            }
        }
        all
    }

    /// The columns that the user chose, otherwise those of the view.
    fn chosen_columns(&self, shared: &Shared) -> Vec<Column> {
        let common: Vec<&str> = self.given.keys().map(String::as_str).collect();
        let default = || columns::columns(self.kind, self.view.columns, &common);
        let Some(titles) = shared.settings.columns.get(&self.name()) else {
            return default();
        };
        let all = columns::all(self.kind, self.view.columns, self.view.covered, &common);
        let chosen = titles.iter().filter_map(|title| {
            let mut named = all.iter().filter(|column| column.title == *title);
            named.next().cloned()
        });
        let chosen: Vec<Column> = chosen.collect();
        // Titles of another version may name none.
        if chosen.is_empty() { default() } else { chosen }
    }

    /// Chooses the columns that are not empty.
    pub(crate) fn choose_columns(&mut self, shared: &Shared) {
        let mut columns = self.chosen_columns(shared);
        columns.retain(|column| !column.is_empty(self.records.all()));
        // The order stays while its column is shown.
        let sorted = self.sort.and_then(|sort| self.columns.get(sort.column));
        let title = sorted.map(|column| column.title.clone());
        let column = columns
            .iter()
            .position(|column| Some(&column.title) == title.as_ref());
        self.sort = self
            .sort
            .zip(column)
            .map(|(sort, column)| Sort { column, ..sort });
        self.columns = columns;
    }

    fn want_names(&self, cx: &mut Cx) {
        let at = self.at.unwrap_or(0);
        let near = match self.groups {
            // A board shows cards of all columns.
            Some(_) => 0..self.order.len(),
            None => at.saturating_sub(NEAR)..(at + NEAR).min(self.order.len()),
        };
        let near: Vec<&Record> = near.filter_map(|place| self.record(place)).collect();
        for (field, kind) in self.columns.iter().filter_map(Column::reference) {
            let ids = near.iter().filter_map(|record| record.text(&field.name));
            let ids = ids.map(str::to_owned).collect();
            want_names(cx, &self.kind.peer, kind, ids);
        }
    }

    /// Handles a timer.
    pub(crate) fn fired(&mut self, cx: &mut Cx, request: RequestId) -> bool {
        let is_ours = self.pause.take_if(|pause| *pause == request).is_some();
        if is_ours {
            self.again = 0;
            self.ask(cx, 0);
        }
        is_ours
    }

    /// Called when the list is hidden.
    pub(crate) fn hidden(&mut self, cx: &mut Cx) {
        cx.cancel(&mut self.pause);
    }

    /// Cancels what was requested.
    pub(crate) fn leave(&mut self, cx: &mut Cx) {
        cx.abort(self.pages.request());
        self.hidden(cx);
    }

    /// Updates or adds a record from a newer answer.
    pub(crate) fn update(&mut self, shared: &Shared, record: &Record) {
        self.before.update(record);
        match self.records.update(record) {
            true => self.arrange(shared),
            false => self.added = Some(record.id().to_owned()),
        }
    }

    /// Selects the record with this id once it is loaded.
    pub(crate) fn select_once(&mut self, id: &str) {
        self.added = Some(id.to_owned());
    }

    /// Does not offer the record with this id.
    pub(crate) fn leave_out(&mut self, id: &str) {
        self.left_out = Some(id.to_owned());
    }

    /// Reloads the list if it shows records of the changed kinds.
    pub(crate) fn written(&mut self, cx: &mut Cx, kinds: &[String]) {
        let asked = self.view.notes_from.map(|asked| asked.key);
        let is_noted = asked.is_some_and(|key| kinds.iter().any(|kind| kind == key));
        if (is_noted || kinds.contains(&self.kind.id)) && !matches!(self.pages, Remote::Idle) {
            self.load(cx);
        }
    }

    /// The time of the shown data.
    pub(crate) fn as_of(&self) -> Option<Timestamp> {
        self.pages.seen().map(|seen| seen.at)
    }

    /// Whether there is more to load.
    pub(crate) fn has_more(&self) -> bool {
        self.pages.value().is_some_and(|pages| pages.has_more)
    }

    /// Loads the next page, unless one is being loaded.
    pub(crate) fn more(&mut self, cx: &mut Cx) {
        if self.has_more() && !self.pages.is_loading() {
            self.ask(cx, self.records.len());
        }
    }

    /// Whether the user waits for it.
    pub(crate) fn is_busy(&self) -> bool {
        self.pages.is_loading() || self.filters.is_asking()
    }

    /// Whether the list has been loaded.
    pub(crate) fn is_known(&self) -> bool {
        self.pages.value().is_some()
    }

    /// If the selected record is gone, selects the one in its place.
    fn keep_place(&mut self, place: Option<(usize, String)>) {
        if let Some((place, selected)) = place
            && self.selected.as_ref() != Some(&selected)
            && let Some(last) = self.order.len().checked_sub(1)
        {
            self.select(place.min(last));
        }
    }

    /// Sets or removes the groups.
    pub(crate) fn group(&mut self, groups: Option<Groups>, shared: &Shared) {
        self.groups = groups;
        self.arrange(shared);
    }

    /// The groups, if set.
    pub(crate) fn groups(&self) -> Option<&Groups> {
        self.groups.as_ref()
    }

    /// Shows only the records outside all groups, or all records.
    pub(crate) fn show_left(&mut self, only_left: bool, shared: &Shared) {
        if let Some(groups) = &mut self.groups {
            groups.show_left(only_left);
            self.arrange(shared);
        }
    }

    /// The position of the selected record.
    pub(crate) fn place(&self) -> Option<usize> {
        self.at
    }

    /// The record at this position.
    pub(crate) fn record(&self, place: usize) -> Option<&Record> {
        let at = *self.order.get(place)?;
        self.records.all().get(at)
    }

    /// The visible records in order.
    pub(crate) fn shown(&self) -> impl Iterator<Item = &Record> {
        self.order
            .iter()
            .filter_map(|at| self.records.all().get(*at))
    }

    /// Selects the record at this position.
    pub(crate) fn select(&mut self, place: usize) {
        self.selected = self.record(place).map(|record| record.id().to_owned());
        self.at = self.selected.as_ref().map(|_| place);
    }

    /// Selects the record with this id, if it is visible.
    pub(crate) fn select_record(&mut self, id: Option<String>, shared: &Shared) {
        if id.is_some() {
            self.selected = id;
            self.arrange(shared);
        }
    }

    /// The selected record.
    pub(crate) fn selected(&self) -> Option<&Record> {
        self.record(self.at?)
    }

    /// Moves the selection.
    pub(crate) fn step(&mut self, cx: &mut Cx, by: isize) {
        if let Some(at) = table::moved(self.order.len(), self.at, by) {
            self.select(at);
            self.want_names(cx);
            // To the last row: that of the whole list.
            let is_last = by > isize::MAX / 4 && self.has_more();
            self.until = is_last.then(|| self.records.len() + TO_END);
            if at + AHEAD >= self.order.len() {
                self.more(cx);
            }
        }
    }

    /// Closes the search, then removes the marks, then the filters. Returns whether there was something to do.
    pub(crate) fn escape(&mut self, cx: &mut Cx) -> bool {
        self.clear_search(cx) || self.clear_marks() || self.clear_filters(cx)
    }

    /// The possible filters.
    pub(crate) fn choices(&self, shared: &Shared) -> Vec<Choice> {
        self.filters
            .choices(self.list, self.view, self.has_more(), shared)
    }

    /// Toggles a filter.
    pub(crate) fn turn(&mut self, cx: &mut Cx, choice: &Choice) {
        self.filters.turn(choice);
        self.load_narrowed(cx);
    }

    /// Toggles a predicate of the view.
    pub(crate) fn turn_own(&mut self, cx: &mut Cx, narrow: &'static OwnFilter) {
        self.filters.turn_own(narrow);
        self.arrange(cx.shared);
    }

    /// Whether the host can filter by this argument.
    pub(crate) fn takes(&self, argument: &str) -> bool {
        let is_paging = matches!(argument, "limit" | "offset");
        let is_searched = self.list.search.as_deref() == Some(argument);
        let is_covered = self.view.covered.contains(&argument);
        !(is_paging || is_searched || is_covered || self.given.contains_key(argument))
    }

    /// Whether the host can filter by arguments other than those with few values.
    pub(crate) fn takes_more(&self) -> bool {
        let few = &self.list.filters;
        let mut names = self.list.tool.takes.iter();
        names.any(|name| self.takes(name) && !few.iter().any(|filter| filter.name == *name))
    }

    /// The filter arguments.
    pub(crate) fn narrowed(&self) -> &Map<String, Value> {
        self.filters.arguments()
    }

    /// The text of the filter with this argument, if it is active.
    pub(crate) fn narrowed_words(&self, argument: &str, shared: &Shared) -> Option<String> {
        let value = self.filters.arguments().get(argument)?;
        Some(filter::words(argument, value, shared))
    }

    /// Replaces the filter arguments.
    pub(crate) fn narrow_to(&mut self, cx: &mut Cx, arguments: Map<String, Value>) {
        self.filters.set(arguments);
        self.load_narrowed(cx);
    }

    /// Filters by the chosen record.
    pub(crate) fn narrow(&mut self, cx: &mut Cx, choice: &Choice, record: &Record) {
        self.filters.choose(choice, record);
        self.load_narrowed(cx);
    }

    /// Filters a list that is not loaded yet by a record of another kind, if the tool or the view
    /// supports it.
    pub(crate) fn narrow_by(&mut self, shared: &mut Shared, kind: &'static Kind, record: &Record) {
        shared.names.note(record.id(), &record.label(kind));
        self.filters
            .narrow_by(self.list, self.view.indirect_filters, kind, record);
    }

    fn load_narrowed(&mut self, cx: &mut Cx) {
        self.load(cx);
        self.arrange(cx.shared);
    }

    /// Whether a filter on this field is active.
    pub(crate) fn is_narrowed_by(&self, field: &str) -> bool {
        self.filters.arguments().contains_key(field)
    }

    fn clear_filters(&mut self, cx: &mut Cx) -> bool {
        let was_narrowed = self.filters.clear();
        if was_narrowed {
            self.load_narrowed(cx);
        }
        was_narrowed
    }

    /// Sorts by the next column; after the last one, in the host's order.
    pub(crate) fn sort(&mut self, shared: &Shared) {
        let next = self.sort.map_or(0, |sort| sort.column + 1);
        self.sort = (next < self.columns.len()).then_some(Sort {
            column: next,
            is_reversed: false,
        });
        self.arrange(shared);
    }

    /// Reverses the order.
    pub(crate) fn reverse(&mut self, shared: &Shared) {
        let sort = self.sort.get_or_insert(Sort {
            column: 0,
            is_reversed: false,
        });
        sort.is_reversed = !sort.is_reversed;
        self.arrange(shared);
    }

    /// Recomputes the visible records and their order.
    fn arrange(&mut self, shared: &Shared) {
        let text = self.search.text().trim().to_owned();
        let found = self.pages.value().map(|pages| pages.search.as_str());
        // The host's matches for this text are kept, whichever fields it searched.
        let is_answer = self.list.search.is_some() && found == Some(&text);
        let text = fold(&text);
        // Records loaded before the filter was set are hidden.
        let is_old = !self.is_as_narrowed() && self.pages.error().is_some();
        let fits = |record: &Record| {
            !is_old
                && self.left_out.as_deref() != Some(record.id())
                && self.filters.keeps(record)
                && (is_answer || text.is_empty() || self.fits(record, shared, &text))
        };
        let all = self.records.all();
        let mut order: Vec<usize> = (0..all.len()).filter(|at| fits(&all[*at])).collect();
        if let Some(sort) = self.sort
            && let Some(column) = self.columns.get(sort.column)
        {
            key::sort(&mut order, sort.is_reversed, |at| {
                column.key(&all[at], shared)
            });
        }
        self.depths.clear();
        if self.view.parent.is_some() && self.sort.is_none() && text.is_empty() {
            (order, self.depths) = self.as_tree(&order);
        }
        if let Some(groups) = &mut self.groups {
            groups.arrange(&mut order, self.records.all());
        }
        self.order = order;
        if let Some(added) = self
            .added
            .take_if(|added| self.records.place(added).is_some())
        {
            self.selected = Some(added);
        }
        let record = self.selected.as_ref().and_then(|id| self.records.place(id));
        self.at = record.and_then(|record| self.order.iter().position(|at| *at == record));
        if self.at.is_none() {
            self.select(0);
        }
    }

    /// Sorts the records into a tree by their names, and returns their depths.
    fn as_tree(&self, order: &[usize]) -> (Vec<usize>, Vec<usize>) {
        let all = self.records.all();
        let mut below: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
        if let Some((name, parent_of)) = self.view.parent {
            let named = order
                .iter()
                .filter_map(|at| Some((all[*at].text(name)?, *at)));
            let named: HashMap<&str, usize> = named.collect();
            for at in order {
                let parent = parent_of(&all[*at]).and_then(|name| named.get(name).copied());
                below.entry(parent).or_default().push(*at);
            }
        }
        for records in below.values_mut() {
            records.sort_by_cached_key(|at| fold(&all[*at].label(self.kind)));
        }
        let (mut order, mut depths) = (Vec::new(), Vec::new());
        let first = below.remove(&None).unwrap_or_default();
        let mut next: Vec<_> = first.into_iter().rev().map(|at| (at, 0)).collect();
        while let Some((at, depth)) = next.pop() {
            order.push(at);
            depths.push(depth);
            let inner = below.remove(&Some(at)).unwrap_or_default();
            next.extend(inner.into_iter().rev().map(|at| (at, depth + 1)));
        }
        (order, depths)
    }

    /// Why the list could not be loaded.
    pub(crate) fn error(&self) -> Option<&CallError> {
        self.pages.error().or(self.filters.error())
    }
}
