//! The saved lists of the account, as sections below the other parts of Home.

use frontdesk_client::Preset;
use ratatui::text::{Line, Span};
use serde_json::json;

use crate::app::cx::Cx;
use crate::app::effects::call::Answer;
use crate::app::owner::RequestId;
use crate::app::shared::Shared;
use crate::look::mark::Mark;
use crate::look::text::clean;
use crate::record_screens::open_saved;
use crate::records::listing::Listing;
use crate::records::record::Record;
use crate::records::saved::{FilterChange, change_filters};
use crate::ui::frame::waiting;
use crate::ui::problem::Problem;
use crate::ui::sections::Section;
use crate::ui::table::Column;

/// The number of rows that a section shows.
const FIRST: usize = 5;

/// The saved lists, by name.
#[derive(Debug, Default)]
pub(super) struct Saved(Vec<Kept>);

#[derive(Debug)]
struct Kept {
    filter: Preset,
    list: Listing,
    /// It has to be loaded, once nothing else is.
    is_due: bool,
    /// The row of a section without records, so that it can be selected.
    none: Option<Record>,
}

impl Kept {
    fn rows(&self) -> Vec<&Record> {
        let rows: Vec<&Record> = self.list.shown().take(FIRST).collect();
        match rows.is_empty() {
            true => self.none.iter().collect(),
            false => rows,
        }
    }
}

impl Saved {
    /// The number of sections.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The rows of a section that can be selected.
    pub(super) fn rows(&self, at: usize) -> Vec<&Record> {
        self.0.get(at).map_or_else(Vec::new, Kept::rows)
    }

    /// Takes over what is saved by now; lists that stay keep their rows.
    pub(super) fn follow(&mut self, shared: &mut Shared) {
        let filters = shared.filters.iter().flat_map(|(_, all)| all.clone());
        let filters: Vec<Preset> = filters.collect();
        let mut before = std::mem::take(&mut self.0);
        self.0 = filters
            .into_iter()
            .filter_map(|filter| {
                if let Some(at) = before.iter().position(|kept| kept.filter == filter) {
                    return Some(before.swap_remove(at));
                }
                Some(Kept {
                    list: Listing::of_saved(&filter, shared)?,
                    filter,
                    is_due: true,
                    none: Record::new(&json!({ "id": "" })),
                })
            })
            .collect();
    }

    /// All are loaded again.
    pub(super) fn outdate(&mut self) {
        for kept in &mut self.0 {
            kept.is_due = true;
        }
    }

    /// Loads the next one that is due, unless one is being loaded: one page each, one after the other.
    pub(super) fn go_on(&mut self, cx: &mut Cx) {
        if self.0.iter().any(|kept| kept.list.is_busy()) {
            return;
        }
        if let Some(kept) = self.0.iter_mut().find(|kept| kept.is_due) {
            kept.is_due = false;
            kept.list.load(cx);
        }
    }

    /// Handles an answer for one of the lists.
    pub(super) fn answered(&mut self, cx: &mut Cx, request: RequestId, answer: &Answer) -> bool {
        let mut all = self.0.iter_mut();
        all.any(|kept| kept.list.answered(cx, request, answer))
    }

    /// Opens a list, with this row selected.
    pub(super) fn open(&self, cx: &mut Cx, at: usize, row: &str) {
        if let Some(kept) = self.0.get(at) {
            open_saved(cx, &kept.list, Some(row).filter(|row| !row.is_empty()));
        }
    }

    /// The name of a section.
    pub(super) fn name(&self, at: usize) -> Option<&str> {
        self.0.get(at).map(|kept| kept.filter.name.as_str())
    }

    /// Removes a section for good.
    pub(super) fn remove(&self, cx: &mut Cx, at: usize) {
        if let Some(kept) = self.0.get(at) {
            change_filters(cx, FilterChange::Remove(kept.filter.clone()));
        }
    }

    /// The sections as they are drawn, with the selected row of one of them.
    pub(super) fn sections<'a>(
        &'a self,
        shared: &'a Shared,
        selected: Option<(usize, &str)>,
    ) -> impl Iterator<Item = Section<'a>> {
        self.0.iter().enumerate().map(move |(at, kept)| {
            let row = selected.filter(|(section, _)| *section == at);
            kept.section(shared, row.map(|(_, row)| row))
        })
    }
}

impl Kept {
    fn section<'a>(&'a self, shared: &'a Shared, selected: Option<&str>) -> Section<'a> {
        let theme = &shared.settings.theme;
        let name = clean(&self.filter.name).into_owned();
        let mut title = Line::styled(format!(" {name} "), theme.title);
        if self.list.is_known() {
            let words = format!("{} ", self.list.number());
            title.push_span(Span::styled(words, theme.dim));
        }
        if let Some(error) = self.list.error() {
            title.push_span(Mark::Bad.span(theme, Problem::of(error).title));
            title.push_span(Span::raw(" "));
        }
        if self.list.shown().next().is_some() {
            return self.list.section(title, FIRST, selected, shared);
        }
        let words = match (self.list.error(), self.list.is_known()) {
            (Some(error), _) => Problem::of(error).what,
            (None, true) => format!("no {} match", self.list.kind.many),
            (None, false) => waiting(shared, "asking the host").to_string(),
        };
        let style = theme.dim;
        Section {
            title,
            columns: vec![Column::share("", 1)],
            len: 1,
            selected: selected.map(|_| 0),
            row: Box::new(move |_| Listing::said(words.clone(), style)),
        }
    }
}
