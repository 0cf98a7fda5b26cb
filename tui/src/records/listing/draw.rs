//! Drawing of a list of records.

use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use serde_json::Value;

use super::Listing;
use super::groups::Groups;
use crate::app::shared::Shared;
use crate::app::state::Typing;
use crate::look::mark::Mark;
use crate::look::text::clean;
use crate::look::time::moment;
use crate::records::columns::{self, Column};
use crate::records::facts;
use crate::ui::frame::waiting;
use crate::ui::panel::{self, framed};
use crate::ui::problem::Problem;
use crate::ui::table::{self, Row};

/// Minimum width for facts beside the list.
const WIDE: u16 = 116;
/// Minimum width of facts beside a list that can use more room.
const BESIDE: u16 = 60;
/// The part of the width by which a step moves the border, and the least width of list and facts.
const STEP: u16 = 20;
const LEAST: u16 = 26;
/// Lines that a list keeps above its facts.
const ABOVE: u16 = 8;
/// Minimum height for facts below the list.
const TALL: u16 = 16;
/// Number of lines for facts below the list.
const DETAILS: u16 = 3;

impl Listing {
    /// The number of records, the filters and the order.
    pub(crate) fn title(&self, shared: &Shared) -> Line<'static> {
        let theme = &shared.settings.theme;
        let number = self.order.len();
        let total = self.total();
        let hides = self.filters.hides() || self.list.search.is_none() && !self.search.is_empty();
        let loaded = self.has_more().then(|| self.records.len());
        let more = match (total, loaded) {
            (_, Some(loaded)) if hides => format!(" of {loaded} loaded"),
            (Some(total), _) => format!(" of {total}"),
            (None, Some(_)) => "+".to_owned(),
            (None, None) => String::new(),
        };
        let name = match number == 1 && more.is_empty() {
            true => self.named(&self.kind.one),
            false => self.named(&self.kind.many),
        };
        let number = match number == 0 && !self.is_known() {
            true => String::new(),
            false => format!("{number}{more} "),
        };
        let owner = self.owner().map(|owner| format!("of {} ", clean(owner)));
        let owner = owner.unwrap_or_default();
        let mut spans = vec![Span::raw(format!(" {number}{name} {owner}"))];
        if self.marks() > 0 {
            let words = format!("{} marked ", self.marks());
            spans.push(Mark::Good.span(theme, &words));
        }
        for chip in self.filters.chips(shared) {
            spans.push(Span::styled(format!("[{chip}] "), theme.title));
        }
        if self.groups.as_ref().is_some_and(Groups::shows_left) {
            spans.push(Span::styled("[not on the board] ", theme.title));
        }
        if let Some(sort) = self.sort
            && let Some(column) = self.columns.get(sort.column)
        {
            let arrow = if sort.is_reversed { "↓" } else { "↑" };
            let column = column.title.to_lowercase();
            let among = loaded.map_or(String::new(), |loaded| format!("of {loaded} loaded "));
            spans.push(Span::styled(
                format!("· by {column} {arrow} {among}"),
                theme.dim,
            ));
        }
        if let (Some(error), Some(seen)) = (self.error(), self.pages.seen()) {
            let since = moment(seen.at, shared.now, &shared.locale);
            let words = format!("{} (as of {since}) ", Problem::of(error).title);
            spans.push(Mark::Bad.span(theme, &words));
        }
        Line::from(spans)
    }

    /// The name of the records, with what they have in common.
    pub(super) fn named(&self, name: &str) -> String {
        let which = self.view.which.map(|which| format!("{which} "));
        which.unwrap_or_default() + name
    }

    /// Draws the list in a box. The facts of the selected record are beside it if there is room,
    /// otherwise in a few lines below it.
    pub(crate) fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        if shared.hides_facts {
            return self.draw_list(shared, frame, area);
        }
        if area.width >= WIDE {
            // The facts leave the list what it can use.
            let fair = u32::from(area.width) * 3 / 5;
            let columns = columns::table(&self.columns);
            let row = |place| self.row(place, shared, None);
            let wanted = u32::from(table::natural(&columns, self.order.len(), row)) + 2;
            let most = u32::from(area.width.saturating_sub(BESIDE)).max(fair);
            let list = wanted.clamp(fair, most) as u16;
            let step = (area.width / STEP).cast_signed();
            let moved = list.saturating_add_signed(step * shared.facts_border);
            let areas = [
                Length(moved.clamp(LEAST, area.width.saturating_sub(LEAST))),
                Fill(1),
            ];
            let [list, details] = Layout::horizontal(areas).areas(area);
            self.draw_list(shared, frame, list);
            if let Some(record) = self.selected() {
                facts::draw_box(self.kind, record, shared, frame, details);
            }
            return;
        }
        let mut lines = self.selected().map_or_else(Vec::new, |record| {
            let columns = self.columns.iter().filter_map(Column::field_name);
            let titles = self.columns.iter().map(|column| column.title.as_ref());
            let given = self.given.keys().map(String::as_str);
            let shown: Vec<&str> = columns.chain(titles).chain(given).collect();
            facts::rest(self.kind, record, shared, &shown, area.width.into())
        });
        // Constant for all rows, so the layout does not jump.
        let below = match area.height >= TALL {
            true => DETAILS
                .saturating_add_signed(-shared.facts_border)
                .min(area.height.saturating_sub(ABOVE)),
            false => 0,
        };
        lines.truncate(below.into());
        let [list, details] = Layout::vertical([Fill(1), Length(below)]).areas(area);
        self.draw_list(shared, frame, list);
        frame.render_widget(Paragraph::new(lines), details);
    }

    fn draw_list(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.settings.theme;
        let border = match self.typing() {
            Typing::No => theme.border,
            _ => theme.focus,
        };
        let inside = framed(frame, area, self.title(shared), border);
        let mut inside = self.draw_search(shared, frame, inside);
        if let Some(foot) = self.view.foot.filter(|_| !self.records.all().is_empty()) {
            let [rest, place] = Layout::vertical([Fill(1), Length(1)]).areas(inside);
            inside = rest;
            frame.render_widget(foot(self.records.all(), self.has_more(), shared), place);
        }
        let marked = |id: &Value| id.as_str().is_some_and(|id| self.is_marked(id));
        let marked: Option<&dyn Fn(&Value) -> bool> = match self.marks() {
            0 => None,
            _ => Some(&marked),
        };
        self.draw_rows(shared, frame, inside, marked);
    }

    /// Draws the search field if it is open. Returns the area below it.
    pub(crate) fn draw_search(&self, shared: &Shared, frame: &mut Frame, area: Rect) -> Rect {
        self.search.draw_above(&shared.settings.theme, frame, area)
    }

    /// Draws the list to choose from: the search field, and the rows, with a mark for each record
    /// that is chosen already.
    pub(crate) fn draw_choice(
        &self,
        shared: &Shared,
        frame: &mut Frame,
        area: Rect,
        held: Option<&dyn Fn(&Value) -> bool>,
    ) {
        let [search, said, rows] = Layout::vertical([Length(1), Length(1), Fill(1)]).areas(area);
        let style = Style::new().underlined();
        self.search
            .draw(&shared.settings.theme, frame, search, style);
        frame.render_widget(self.title(shared), said);
        self.draw_rows(shared, frame, rows, held);
    }

    fn draw_rows(
        &self,
        shared: &Shared,
        frame: &mut Frame,
        inside: Rect,
        held: Option<&dyn Fn(&Value) -> bool>,
    ) {
        let theme = &shared.settings.theme;
        if !self.order.is_empty() {
            let mut drawn = columns::table(&self.columns);
            drawn.splice(0..0, held.map(|_| table::Column::fixed("", 1)));
            let (len, row) = (self.order.len(), |place| self.row(place, shared, held));
            table::draw(frame, inside, shared, &drawn, len, self.at, row);
        } else if self.is_awaited() {
            panel::note(frame, inside, waiting(shared, "loading"));
        } else if let Some(error) = self.error() {
            let problem = Problem::of(error);
            let typing = self.typing();
            panel::problem(frame, shared, inside, &problem, typing);
        } else if !self.search.is_empty() {
            let text = format!("No match for “{}”", clean(&self.search.text()));
            panel::note(frame, inside, Line::styled(text, theme.dim));
        } else if self.pages.seen().is_some() {
            let words = match self.list.tool.not_offered(shared) {
                Some(reason) => reason,
                None if self.filters.is_empty() => {
                    format!("No {} yet", self.named(&self.kind.many))
                }
                None => "No match; esc clears the filters.".to_owned(),
            };
            panel::note(frame, inside, Line::styled(words, theme.dim));
        }
    }

    pub(super) fn row(
        &self,
        place: usize,
        shared: &Shared,
        held: Option<&dyn Fn(&Value) -> bool>,
    ) -> Row {
        let Some(record) = self.record(place) else {
            return Row::new();
        };
        let row = match held {
            Some(held) => Row::new().styled(
                Mark::tick(held(&record.id().into())),
                shared.settings.theme.good,
            ),
            None => Row::new(),
        };
        let depth = self.depths.get(place).copied().unwrap_or(0);
        let mut indent = "  ".repeat(depth);
        let row = self.columns.iter().fold(row, |row, column| {
            let cell = column.cell(record, shared);
            // Only the first cell is indented.
            let text = std::mem::take(&mut indent) + &cell.text;
            row.styled(text, cell.tone.style(&shared.settings.theme))
        });
        match self
            .view
            .is_past
            .is_some_and(|is_past| is_past(record, shared))
        {
            true => row.style(shared.settings.theme.dim),
            false => row,
        }
    }
}
