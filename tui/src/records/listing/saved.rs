//! A list with its filters, saved under a name.

use frontdesk_client::Preset;
use jiff::Timestamp;
use ratatui::style::Style;
use ratatui::text::Line;
use serde_json::{Map, Value};

use super::Listing;
use crate::app::shared::Shared;
use crate::records::columns;
use crate::records::filter::Filters;
use crate::records::kind;
use crate::ui::sections::Section;
use crate::ui::table::{Column, Row};

/// The keys of the parts, besides those of the filters.
const OWNER: &str = "of";
const SEARCH: &str = "search";
const NAMES: &str = "names";

impl Listing {
    /// Whether there is something to save: an owner, a filter or a search.
    pub(crate) fn is_narrowed(&self) -> bool {
        !self.given.is_empty() || !self.filters.is_empty() || !self.search.text().trim().is_empty()
    }

    /// A name for it: "Status: done".
    pub(crate) fn proposed_name(&self, shared: &Shared) -> String {
        let mut words: Vec<String> = self.owner().map(str::to_owned).into_iter().collect();
        words.extend(self.filters.chips(shared));
        let text = self.search.text();
        words.extend(Some(text.trim().to_owned()).filter(|text| !text.is_empty()));
        format!(
            "{}: {}",
            crate::fields::title(&self.kind.many),
            words.join(", ")
        )
    }

    /// The list as it is saved: its owner, filters, search text, and the names of the records that these are.
    pub(crate) fn saved_as(&self, name: &str, at: Timestamp, shared: &Shared) -> Preset {
        let mut arguments = self.filters.written();
        let ids = self
            .given
            .values()
            .chain(arguments.values().flat_map(texts));
        let names = ids.filter_map(|id| {
            let id = id.as_str()?;
            Some((id.to_owned(), shared.names.get(id)?.into()))
        });
        let names: Map<String, Value> = names.collect();
        let text = self.search.text().trim().to_owned();
        let parts = [
            (
                OWNER,
                Value::from(self.given.clone()),
                self.given.is_empty(),
            ),
            (SEARCH, Value::from(text.clone()), text.is_empty()),
            (NAMES, Value::from(names.clone()), names.is_empty()),
        ];
        let parts = parts.into_iter().filter(|(_, _, is_empty)| !is_empty);
        arguments.extend(parts.map(|(key, value, _)| (key.to_owned(), value)));
        Preset {
            peer: self.kind.peer.name().to_owned(),
            tool: self.list.tool.name.clone(),
            name: name.to_owned(),
            arguments,
            saved_at: at,
        }
    }

    /// The list that was saved, not loaded yet; `None` if there is no such list or filter.
    pub(crate) fn of_saved(saved: &Preset, shared: &mut Shared) -> Option<Listing> {
        let mut lists = kind::all()
            .iter()
            .filter(|kind| kind.peer.name() == saved.peer)
            .flat_map(|kind| kind.lists.iter().map(move |list| (kind, list)));
        let (kind, list) = lists.find(|(_, list)| list.tool.name == saved.tool)?;
        let part = |key: &str| saved.arguments.get(key).and_then(Value::as_object);
        for (id, name) in part(NAMES).into_iter().flatten() {
            if let (None, Some(name)) = (shared.names.get(id), name.as_str()) {
                shared.names.note(id, name);
            }
        }
        let given = part(OWNER).cloned().unwrap_or_default();
        let mut listing = Listing::new(kind, list, given, shared);
        listing.filters = Filters::read(&saved.arguments, listing.view)?;
        if let Some(text) = saved.arguments.get(SEARCH).and_then(Value::as_str) {
            listing.search_for(text);
        }
        listing.name_owner(shared);
        listing.is_brief = true;
        Some(listing)
    }

    /// The same list for a screen of its own, not loaded yet, with this record selected.
    pub(crate) fn whole(&self, selected: Option<&str>, shared: &Shared) -> Listing {
        let mut whole = self.again(shared);
        let text = self.search.text();
        if !text.is_empty() {
            whole.search_for(&text);
        }
        whole.added = selected.map(str::to_owned);
        whole
    }

    /// Its first rows, at most this many, with this one selected; none until it is loaded.
    pub(crate) fn section<'a>(
        &'a self,
        title: Line<'a>,
        most: usize,
        selected: Option<&str>,
        shared: &'a Shared,
    ) -> Section<'a> {
        let untitled = columns::table(&self.columns).into_iter();
        let untitled = untitled.map(Column::untitled);
        Section {
            title,
            columns: untitled.collect(),
            len: self.order.len().min(most),
            selected: self.shown().position(|row| Some(row.id()) == selected),
            row: Box::new(move |at| self.row(at, shared, None)),
        }
    }

    /// The number of matching records that are loaded, with a sign if there are more: "100+ tasks".
    pub(crate) fn number(&self) -> String {
        let number = self.order.len();
        let more = if self.has_more() { "+" } else { "" };
        let name = match number == 1 && more.is_empty() {
            true => self.named(&self.kind.one),
            false => self.named(&self.kind.many),
        };
        format!("{number}{more} {name}")
    }

    /// A row that says something instead of records.
    pub(crate) fn said(words: String, style: Style) -> Row {
        Row::new().styled(words, style)
    }
}

/// The texts within a value.
fn texts(value: &Value) -> Vec<&Value> {
    match value {
        Value::Object(map) => map.values().flat_map(texts).collect(),
        Value::Array(list) => list.iter().flat_map(texts).collect(),
        value => vec![value],
    }
}
