//! Messages between the screen and the keys. They take lines from the screen and cover nothing.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::widgets::{Paragraph, Wrap};

use super::frame::wrapped_height;
use crate::app::shared::Shared;
use crate::app::toast::Toast;
use crate::look::text::clean;

/// The share of the height that messages can take.
const SHARE: u16 = 4;
/// Width of the margin on both sides.
const MARGIN: u16 = 2;

/// The messages that fit, the newest first, each with its height.
pub(crate) struct Toasts<'a>(Vec<(&'a Toast, u16)>);

impl<'a> Toasts<'a> {
    /// The messages for the lower lines of this area.
    pub(crate) fn of(shared: &'a Shared, area: Rect) -> Self {
        let width = usize::from(area.width.saturating_sub(MARGIN)).max(1);
        let mut room = (area.height / SHARE).max(1);
        let toasts = shared.toasts.list().iter().rev().map_while(|toast| {
            let height = wrapped_height(&words(toast), width).min(room);
            room -= height;
            (height > 0).then_some((toast, height))
        });
        Toasts(toasts.collect())
    }

    /// The number of lines that they need.
    pub(crate) fn height(&self) -> u16 {
        self.0.iter().map(|(_, height)| height).sum()
    }

    /// Draws the messages, the newest at the bottom.
    pub(crate) fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let mut bottom = area.bottom();
        for (toast, height) in &self.0 {
            let height = (*height).min(bottom.saturating_sub(area.y));
            bottom -= height;
            let place = Rect {
                x: area.x + MARGIN / 2,
                y: bottom,
                width: area.width.saturating_sub(MARGIN),
                height,
            };
            let text = Paragraph::new(words(toast)).style(toast.mark.style(&shared.settings.theme));
            frame.render_widget(text.wrap(Wrap { trim: true }), place);
        }
    }
}

fn words(toast: &Toast) -> String {
    format!("{} {}", toast.mark.glyph(), clean(&toast.text))
}
