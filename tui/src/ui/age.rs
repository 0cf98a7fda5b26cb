//! The age of the data on screen, at the end of its first line.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use crate::app::renewal::{OLD, is_live};
use crate::app::state::State;
use crate::look::mark::{Mark, spinner};
use crate::look::text::cells;
use crate::look::time::{clock_seconds, moment};

/// Contents of cells that can be covered: nothing, and the line of a box.
const FREE: [&str; 2] = [" ", "─"];

/// Draws the time of the visible screen's data, if there is room beside the title.
pub(crate) fn draw(state: &State, frame: &mut Frame, area: Rect) {
    let shared = &state.shared;
    let theme = &shared.settings.theme;
    let Some(opened) = state.screens.last() else {
        return;
    };
    let Some(at) = opened.screen.as_of() else {
        return;
    };
    let time = moment(at, shared.now, &shared.locale);
    // What the user reloads shows it, however quick it is.
    let reloaded = shared.reloaded.filter(|(screen, _)| *screen == opened.id);
    let (words, style): (_, Style) = match reloaded {
        Some((_, asked)) if at <= asked && opened.screen.is_busy() => (
            format!(" {} as of {time} ", spinner(shared.spin)),
            theme.busy,
        ),
        _ if shared.now.duration_since(at) >= OLD && !is_live(state, at) => {
            (format!(" {} as of {time} ", Mark::Warn.glyph()), theme.warn)
        }
        Some((_, asked)) if at >= asked => {
            let time = clock_seconds(at, &shared.locale);
            (format!(" as of {time} "), theme.dim)
        }
        _ => (format!(" as of {time} "), theme.dim),
    };
    let width = cells(&words) as u16;
    // One cell more, to keep apart from the title; the last one can be the corner of a box.
    let Some(x) = area.right().checked_sub(width + 2).filter(|x| *x >= area.x) else {
        return;
    };
    let place = Rect {
        x,
        y: area.y,
        width: width + 1,
        height: area.height.min(1),
    };
    let buffer = frame.buffer_mut();
    let mut places = place.positions();
    if places.all(|at| FREE.contains(&buffer[at].symbol())) {
        let place = Rect {
            x: x + 1,
            width,
            ..place
        };
        frame.render_widget(Span::styled(words, style), place);
    }
}
