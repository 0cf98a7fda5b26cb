//! A table that builds only the visible rows, so its cost does not depend on the number of rows.

mod widths;

use std::borrow::Cow;

use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use crate::app::hits::Hit;
use crate::app::shared::Shared;
use crate::look::text::{cells, fit, fit_around, fit_ending};

/// The width of the mark of the selection.
const MARK: u16 = 2;
/// The width of the sign before an ending.
const ENDING: usize = 3;

/// A column of a table.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    title: Cow<'static, str>,
    size: Size,
    is_right: bool,
    from: u16,
    heading: Style,
}

/// What decides the width of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Size {
    Fixed(u16),
    /// A share of the remaining width.
    Share(u16),
    /// The content: it is shown whole, or not at all.
    Whole,
    /// The content, which may be cut.
    Text,
    /// The content, which is cut last.
    Name,
}

impl Column {
    /// A column of fixed width.
    pub(crate) fn fixed(title: impl Into<Cow<'static, str>>, width: u16) -> Self {
        Column {
            title: title.into(),
            size: Size::Fixed(width),
            is_right: false,
            from: 0,
            heading: Style::new(),
        }
    }

    /// A column with a share of the remaining width.
    pub(crate) fn share(title: impl Into<Cow<'static, str>>, share: u16) -> Self {
        Column {
            size: Size::Share(share),
            ..Column::fixed(title, 0)
        }
    }

    /// A column as wide as its content, which is shown whole or not at all.
    pub(crate) fn whole(title: impl Into<Cow<'static, str>>) -> Self {
        Column {
            size: Size::Whole,
            ..Column::fixed(title, 0)
        }
    }

    /// A column as wide as its content, which may be cut.
    pub(crate) fn text(title: impl Into<Cow<'static, str>>) -> Self {
        Column {
            size: Size::Text,
            ..Column::fixed(title, 0)
        }
    }

    /// A column as wide as its content, which is cut last.
    pub(crate) fn name(title: impl Into<Cow<'static, str>>) -> Self {
        Column {
            size: Size::Name,
            ..Column::fixed(title, 0)
        }
    }

    /// Without a heading.
    pub(crate) fn untitled(mut self) -> Self {
        self.title = Cow::Borrowed("");
        self
    }

    /// Right-aligned, for numbers.
    pub(crate) fn right(mut self) -> Self {
        self.is_right = true;
        self
    }

    /// Styles its heading.
    pub(crate) fn heading(mut self, style: Style) -> Self {
        self.heading = style;
        self
    }

    /// Hides the column in narrower tables.
    pub(crate) fn only_from(mut self, width: u16) -> Self {
        self.from = width;
        self
    }
}

/// The cells of a row.
#[derive(Debug, Clone, Default)]
pub(crate) struct Row {
    cells: Vec<(String, Style)>,
    style: Style,
    across: Option<String>,
    /// The column with an ending, and its text.
    ending: Option<(usize, String)>,
    /// The column with a word that stays visible, and its offset.
    kept: Option<(usize, usize)>,
}

impl Row {
    /// A row without cells.
    pub(crate) fn new() -> Self {
        Row::default()
    }

    /// A heading between rows, across all columns.
    pub(crate) fn across(text: impl Into<String>) -> Self {
        Row {
            across: Some(text.into()),
            ..Row::default()
        }
    }

    /// Adds a cell.
    pub(crate) fn cell(self, text: impl Into<String>) -> Self {
        self.styled(text, Style::new())
    }

    /// Adds a styled cell.
    pub(crate) fn styled(mut self, text: impl Into<String>, style: Style) -> Self {
        self.cells.push((text.into(), style));
        self
    }

    /// Adds an ending to the last cell that stays visible if the cell is cut.
    pub(crate) fn ending(mut self, text: Option<&str>) -> Self {
        let column = self.cells.len().saturating_sub(1);
        self.ending = text.map(|text| (column, text.to_owned()));
        self
    }

    /// The word at this byte offset of the last cell stays visible if the cell is cut.
    pub(crate) fn keeping(mut self, at: Option<usize>) -> Self {
        let column = self.cells.len().saturating_sub(1);
        self.kept = at.map(|at| (column, at));
        self
    }

    /// The width of the cell in this column.
    fn width(&self, column: usize) -> usize {
        let cell = self.cells.get(column).map_or(0, |(text, _)| cells(text));
        let ending = self.ending.as_ref().filter(|(at, _)| *at == column);
        cell + ending.map_or(0, |(_, ending)| cells(ending) + ENDING)
    }

    /// Styles the whole row.
    pub(crate) fn style(mut self, style: Style) -> Self {
        self.style = style;
        self
    }
}

/// Draws a table: a heading (unless no column has a title), and as many rows around the selected
/// one as fit. `row` is only called for those rows.
pub(crate) fn draw(
    frame: &mut Frame,
    area: Rect,
    shared: &Shared,
    columns: &[Column],
    len: usize,
    selected: Option<usize>,
    row: impl Fn(usize) -> Row,
) {
    if area.height == 0 || area.width < 4 {
        return;
    }
    let theme = &shared.settings.theme;
    // The selection is also marked by two cells on the left, in case reversed video is not visible.
    let inner = Rect {
        x: area.x + MARK,
        width: area.width - MARK,
        ..area
    };
    let is_titled = columns.iter().any(|column| !column.title.is_empty());
    let height = area.height - u16::from(is_titled);
    let shown_rows = visible(len, selected, height.into());
    let mut shown: Vec<usize> = (0..columns.len())
        .filter(|at| columns[*at].from <= area.width)
        .collect();
    let is_measured =
        |column: &Column| matches!(column.size, Size::Whole | Size::Text | Size::Name);
    let natural = (columns.iter().any(is_measured))
        .then(|| widths::natural(columns, len, shown_rows.clone(), inner.width, &row));
    let fitted = natural
        .as_ref()
        .map(|natural| widths::fitted(columns, natural, inner.width));
    let is_roomy = (natural.as_ref()).is_some_and(|all| widths::total(all) <= inner.width);
    shown.retain(|at| fitted.as_ref().is_none_or(|widths| widths[*at] > 0));
    let width = |at: &usize| match (&fitted, columns[*at].size) {
        (Some(widths), _) => Length(widths[*at]),
        (None, Size::Share(share)) => Fill(share),
        (None, Size::Fixed(width)) => Length(width),
        (None, _) => Length(0),
    };
    let places = Layout::horizontal(shown.iter().map(width))
        .spacing(if is_roomy { widths::GAP } else { 1 })
        .split(Rect { height: 1, ..inner });
    let heading = Row {
        cells: columns
            .iter()
            .map(|column| (column.title.to_string(), column.heading))
            .collect(),
        style: theme.dim,
        ..Row::default()
    };
    let mut draw_row = |y: u16, row: &Row, is_selected: bool| {
        let line = Rect {
            y,
            height: 1,
            ..area
        };
        if is_selected {
            frame.buffer_mut().set_style(line, theme.selected);
            frame.render_widget(Span::styled("▸ ", theme.selected), line);
            shared.hits.select(line.as_position());
        }
        if let Some(text) = &row.across {
            let place = Rect {
                x: inner.x,
                width: inner.width,
                ..line
            };
            let text = fit(text, place.width.into());
            frame.render_widget(Line::styled(text, row.style), place);
        }
        for (place, at) in places.iter().zip(&shown) {
            let Some((text, style)) = row.cells.get(*at) else {
                continue;
            };
            let ending = row.ending.as_ref().filter(|(column, _)| column == at);
            let ending = ending.map(|(_, ending)| ending.as_str());
            let width = place.width.into();
            let kept = row.kept.filter(|(column, _)| column == at);
            let text = match kept.filter(|_| ending.is_none()) {
                Some((_, place)) => fit_around(text, place, width),
                None => fit_ending(text, ending, width),
            };
            let left = match columns[*at].is_right {
                true => place.width.saturating_sub(cells(&text) as u16),
                false => 0,
            };
            let style = row.style.patch(*style);
            let style = match is_selected {
                // One style for the whole row: colours on a reversed one are hard to read.
                true => theme
                    .selected
                    .add_modifier(style.add_modifier & Modifier::BOLD),
                false => style,
            };
            let place = Rect {
                x: place.x + left,
                y,
                width: place.width - left,
                height: 1,
            };
            frame.render_widget(Line::styled(text, style), place);
        }
    };
    let mut top = area.y;
    if is_titled {
        draw_row(top, &heading, false);
        top += 1;
    }
    let mut rows = Vec::new();
    for (line, at) in shown_rows.enumerate() {
        let row = row(at);
        let y = top + line as u16;
        draw_row(y, &row, selected == Some(at));
        // Headings cannot be selected.
        if row.across.is_none() {
            rows.push((
                at,
                Rect {
                    y,
                    height: 1,
                    ..area
                },
            ));
        }
    }
    let here = rows.iter().position(|(at, _)| selected == Some(*at));
    for (row, (at, place)) in rows.into_iter().enumerate() {
        let hit = match (here, selected) {
            (Some(here), _) => Hit::Row(row as isize - here as isize),
            (None, None) => Hit::Place(row),
            (None, Some(_)) => continue,
        };
        shared.hits.add_row(place, hit, at);
    }
}

/// The width that shows the first rows whole, with the mark of the selection.
pub(crate) fn natural(columns: &[Column], len: usize, row: impl Fn(usize) -> Row) -> u16 {
    widths::total(&widths::natural(columns, len, 0..0, u16::MAX, row)) + MARK
}

/// The visible rows. The selected one is centred if possible.
pub(crate) fn visible(
    len: usize,
    selected: Option<usize>,
    height: usize,
) -> std::ops::Range<usize> {
    let first = selected
        .unwrap_or(0)
        .saturating_sub(height / 2)
        .min(len.saturating_sub(height));
    first..(first + height).min(len)
}

/// The selection `by` rows further, limited to both ends.
pub(crate) fn step<T: PartialEq + Copy>(rows: &[T], selected: Option<T>, by: isize) -> Option<T> {
    let at = selected.and_then(|selected| rows.iter().position(|row| *row == selected));
    rows.get(moved(rows.len(), at, by)?).copied()
}

/// The same for row indices.
pub(crate) fn moved(len: usize, selected: Option<usize>, by: isize) -> Option<usize> {
    let last = len.checked_sub(1)?;
    Some(selected.map_or(0, |at| at.saturating_add_signed(by).min(last)))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    use super::*;
    use crate::testing::shared;

    #[test]
    fn only_visible_rows_are_built() {
        let built = Cell::new(0);
        let mut terminal = Terminal::new(TestBackend::new(40, 11)).expect("draws");
        terminal
            .draw(|frame| {
                draw(
                    frame,
                    frame.area(),
                    &shared(),
                    &[Column::share("Name", 1), Column::fixed("No.", 8).right()],
                    100_000,
                    Some(70_000),
                    |at| {
                        built.set(built.get() + 1);
                        Row::new().cell(format!("Guest {at}")).cell(at.to_string())
                    },
                );
            })
            .expect("draws");
        assert_eq!(built.get(), 10);
        let screen = terminal.backend().to_string();
        assert!(screen.contains("▸ Guest 70000"), "{screen}");
    }

    #[test]
    fn the_selection_is_always_on_screen() {
        for selected in 0..20 {
            assert!(visible(20, Some(selected), 7).contains(&selected));
        }
        assert_eq!(visible(3, Some(2), 10), 0..3);
        assert_eq!(visible(0, None, 10), 0..0);
    }

    #[test]
    fn steps_stop_at_the_ends() {
        let rows = [10, 20, 30];
        assert_eq!(step(&rows, None, 1), Some(10));
        assert_eq!(step(&rows, Some(10), 1), Some(20));
        assert_eq!(step(&rows, Some(20), 5), Some(30));
        assert_eq!(step(&rows, Some(20), -5), Some(10));
        assert_eq!(step::<u8>(&[], None, 1), None);
    }
}
