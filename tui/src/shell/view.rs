//! The state, drawn. Pure: the same state brings the same picture.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::{Clear, Paragraph, Wrap};

use crate::app::state::State;
use crate::ui::theme::without_color;
use crate::ui::{frame as around, panel};

/// The smallest terminal on which the screens make sense.
const LEAST: (u16, u16) = (60, 16);

/// Draws the state.
pub(crate) fn view(state: &State, frame: &mut Frame) {
    let area = frame.area();
    frame.buffer_mut().set_style(area, state.shared.theme.base);
    if area.width < LEAST.0 || area.height < LEAST.1 {
        too_small(frame, area);
    } else {
        let [header, body, footer] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Fill(1),
            Constraint::Length(1),
        ])
        .areas(area);
        around::header(state, frame, header);
        if let Some(screen) = state.screen() {
            screen.draw(&state.shared, frame, body);
        }
        for layer in &state.layers {
            layer.draw(state, frame, body);
        }
        around::footer(state, frame, footer);
        around::toasts(&state.shared, frame, body);
    }
    if state.shared.is_plain {
        without_color(frame.buffer_mut());
    }
}

fn too_small(frame: &mut Frame, area: Rect) {
    let (width, height) = LEAST;
    let text = vec![
        Line::from("This terminal is too small."),
        Line::from(format!(
            "Frontdesk needs {width}x{height}; this is {}x{}.",
            area.width, area.height
        )),
        Line::from("Nothing is lost: make it larger, or press ctrl-c to leave."),
    ];
    frame.render_widget(Clear, area);
    frame.render_widget(
        Paragraph::new(text).wrap(Wrap { trim: true }),
        panel::middle(area, area.width, 6),
    );
}
