//! A text of any length, wrapped and scrollable; Markdown is rendered or shown as source. The lines
//! are cached for the current width.

use std::cell::RefCell;
use std::sync::Arc;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use serde_json::Value;

use crate::app::shared::Shared;
use crate::look::theme::Theme;
use crate::ui::markdown::{self, is_markdown};
use crate::ui::panel::INSET;
use crate::ui::wrap::wrapped;

/// Height of header, footer, the line above the text, and an empty line.
const AROUND: u16 = 4;

/// A text.
#[derive(Debug, Default)]
pub(super) struct Prose {
    /// The first visible line.
    top: usize,
    /// Whether the Markdown source is shown.
    is_raw: bool,
    /// The cached lines and their width.
    made: RefCell<Option<(usize, Arc<Vec<Line<'static>>>)>>,
}

impl Prose {
    fn lines(&self, answer: &Value, width: usize, theme: &Theme) -> Arc<Vec<Line<'static>>> {
        let mut made = self.made.borrow_mut();
        match made.as_ref() {
            Some((of, lines)) if *of == width => Arc::clone(lines),
            _ => {
                let text = answer.as_str().unwrap_or_default();
                let lines = match !self.is_raw && is_markdown(text) {
                    true => markdown::lines(text, width, theme),
                    false => wrapped(text, width).into_iter().map(Line::from).collect(),
                };
                let lines = Arc::new(lines);
                *made = Some((width, Arc::clone(&lines)));
                lines
            }
        }
    }

    /// Whether it is Markdown.
    pub(super) fn is_markdown(answer: &Value) -> bool {
        answer.as_str().is_some_and(is_markdown)
    }

    /// Toggles between rendered Markdown and its source.
    pub(super) fn turn(&mut self) {
        self.is_raw = !self.is_raw;
        self.top = 0;
        self.made.take();
    }

    /// Scrolls by this many lines.
    pub(super) fn step(&mut self, answer: &Value, shared: &Shared, by: isize) {
        let width = usize::from(shared.size.width.saturating_sub(2));
        let height = usize::from(shared.size.height.saturating_sub(AROUND));
        let last = self
            .lines(answer, width, &shared.settings.theme)
            .len()
            .saturating_sub(height);
        self.top = self.top.min(last).saturating_add_signed(by).min(last);
    }
}

/// Draws the text.
pub(super) fn draw(prose: &Prose, answer: &Value, shared: &Shared, frame: &mut Frame, area: Rect) {
    let width = usize::from(area.width.saturating_sub(2));
    let lines = prose.lines(answer, width, &shared.settings.theme);
    let last = lines.len().saturating_sub(area.height.into());
    let shown = lines.iter().skip(prose.top.min(last));
    for (line, place) in shown.zip(area.inner(INSET).rows()) {
        frame.render_widget(line, place);
    }
}
