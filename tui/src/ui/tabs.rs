//! The titles of tabs on one line.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::app::hits::Hit;
use crate::app::shared::Shared;
use crate::look::text::cells;

/// Draws the titles, that of the visible tab in brackets. If not all fit, those before it are dropped.
pub(crate) fn draw(shared: &Shared, frame: &mut Frame, area: Rect, titles: &[String], at: usize) {
    let theme = &shared.settings.theme;
    let mut spans = Vec::new();
    let width = |titles: &[String]| titles.iter().map(|title| cells(title) + 3).sum::<usize>();
    let until = at + 1;
    let room = usize::from(area.width).saturating_sub(2);
    let from = (0..=at)
        .find(|from| width(&titles[*from..until]) <= room)
        .unwrap_or(at);
    if from > 0 {
        spans.push(Span::styled("‹ ", theme.dim));
    }
    for (place, title) in titles.iter().enumerate().skip(from) {
        let used: usize = spans.iter().map(Span::width).sum();
        let rect = Rect {
            x: area.x + used as u16,
            width: cells(title) as u16 + 2,
            ..area
        };
        let by = place as isize - at as isize;
        shared.hits.add(rect.intersection(area), Hit::Tab(by));
        match place == at {
            true => spans.push(Span::styled(format!("[{title}]"), theme.selected)),
            false => spans.push(Span::styled(format!(" {title} "), theme.dim)),
        }
        spans.push(Span::raw(" "));
    }
    let line = Line::from(spans);
    let is_cut = line.width() > usize::from(area.width) + 1;
    frame.render_widget(line, area);
    if is_cut {
        let x = area.right().saturating_sub(2);
        let end = Rect {
            x,
            width: 2,
            ..area
        };
        frame.render_widget(Span::styled(" ›", theme.dim), end.intersection(area));
    }
}
