//! Sections one below the other, each with a heading and rows. They share the available height.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Block, Borders};

use super::table::{self, Column, Row};
use crate::app::shared::Shared;

/// A section: a table without column headings.
pub(crate) struct Section<'a> {
    pub(crate) title: Line<'a>,
    pub(crate) columns: Vec<Column>,
    pub(crate) len: usize,
    pub(crate) selected: Option<usize>,
    pub(crate) row: Box<dyn Fn(usize) -> Row + 'a>,
}

impl<'a> Section<'a> {
    /// The number of rows that can be selected.
    fn rows(&self) -> usize {
        if self.columns.is_empty() { 0 } else { self.len }
    }

    /// A section with a single row.
    pub(crate) fn said(title: Line<'a>, row: Row) -> Self {
        Section {
            title,
            columns: Vec::new(),
            len: 1,
            selected: None,
            row: Box::new(move |_| row.clone()),
        }
    }
}

/// The total height of all sections.
pub(crate) fn height(sections: &[Section]) -> u16 {
    let lines = sections.iter().map(|section| section.len + 1);
    u16::try_from(lines.sum::<usize>()).unwrap_or(u16::MAX)
}

/// Draws the sections. If not all rows fit, the height is shared equally as far as needed, and the
/// rows around the selection are shown.
pub(crate) fn draw(frame: &mut Frame, area: Rect, shared: &Shared, sections: &[Section]) {
    let selected = selected(sections);
    let chosen = sections
        .iter()
        .position(|section| section.selected.is_some());
    let wanted: Vec<usize> = sections.iter().map(|section| section.len).collect();
    let shown = shown(area.height, &wanted, chosen);
    let mut before: usize = sections[..shown.start].iter().map(Section::rows).sum();
    let (sections, wanted) = (&sections[shown.clone()], &wanted[shown]);
    let mut top = area.y;
    for (section, lines) in sections.iter().zip(shares(area.height, wanted)) {
        let place = Rect {
            y: top,
            height: lines + 1,
            ..area
        }
        .intersection(area);
        top += lines + 1;
        let block = Block::new()
            .borders(Borders::TOP)
            .border_style(shared.settings.theme.border)
            .title(section.title.clone());
        let rows = block.inner(place);
        frame.render_widget(block, place);
        shared.hits.begin_part(Some((before, selected)));
        table::draw(
            frame,
            rows,
            shared,
            &section.columns,
            section.len,
            section.selected,
            &section.row,
        );
        before += section.rows();
    }
    shared.hits.begin_part(None);
}

/// The place of the selected row among the rows of all sections.
fn selected(sections: &[Section]) -> Option<usize> {
    let at = sections
        .iter()
        .position(|section| section.selected.is_some())?;
    let before: usize = sections[..at].iter().map(Section::rows).sum();
    Some(before + sections[at].selected?)
}

/// The sections that are drawn: as many as have room for a heading and a row, among them the one with the selection.
/// `lens` are their numbers of rows.
fn shown(height: u16, lens: &[usize], chosen: Option<usize>) -> std::ops::Range<usize> {
    let fits = |range: std::ops::Range<usize>| {
        let least = lens[range].iter().map(|len| 1 + len.min(&1));
        least.sum::<usize>() <= height.into()
    };
    let last = chosen.unwrap_or(0);
    let first = (0..last).find(|first| fits(*first..last + 1));
    let first = first.unwrap_or(last);
    let end = (first..=lens.len()).rev().find(|end| fits(first..*end));
    first..end.unwrap_or(first).max(first + 1).min(lens.len())
}

/// The number of rows for each section, without headings.
fn shares(height: u16, wanted: &[usize]) -> Vec<u16> {
    let mut left = usize::from(height).saturating_sub(wanted.len());
    let mut shares = vec![0; wanted.len()];
    while left > 0
        && shares
            .iter()
            .zip(wanted)
            .any(|(share, all)| usize::from(*share) < *all)
    {
        for (share, all) in shares.iter_mut().zip(wanted) {
            if left > 0 && usize::from(*share) < *all {
                *share += 1;
                left -= 1;
            }
        }
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_section_with_the_selection_is_drawn() {
        let full = [9; 5];
        assert_eq!(shown(20, &full, Some(2)), 0..5);
        assert_eq!(shown(4, &full, None), 0..2);
        assert_eq!(shown(4, &full, Some(1)), 0..2);
        assert_eq!(shown(4, &full, Some(4)), 3..5);
        assert_eq!(shown(1, &full, Some(3)), 3..4);
        // A heading without rows needs one line.
        assert_eq!(shown(3, &[1, 0], Some(0)), 0..2);
        assert_eq!(shown(3, &[], None), 0..0);
    }

    #[test]
    fn sections_share_the_lines_and_leave_what_they_do_not_need() {
        assert_eq!(shares(30, &[2, 10, 1]), [2, 10, 1]);
        assert_eq!(shares(13, &[2, 10, 1]), [2, 7, 1]);
        assert_eq!(shares(11, &[9, 9, 9]), [3, 3, 2]);
        assert_eq!(shares(2, &[9, 9, 9]), [0, 0, 0]);
        assert_eq!(shares(9, &[]), Vec::<u16>::new());
    }
}
