//! The mouse: a click selects, a click on the selection opens it, and the wheel scrolls.

use crossterm::event::{KeyCode, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use super::cx::Out;
use super::hits::Hit;
use super::state::State;
use crate::app::input::command::LIST;
use crate::app::input::press::{press_key, run};

/// Rows that a notch of the wheel scrolls.
const ROWS: isize = 3;

/// Whether the app handles this kind of event.
pub(crate) fn is_handled(kind: MouseEventKind) -> bool {
    matches!(
        kind,
        MouseEventKind::Down(MouseButton::Left)
            | MouseEventKind::ScrollDown
            | MouseEventKind::ScrollUp
    )
}

/// Handles an event of the mouse.
pub(super) fn act(state: &mut State, out: &mut Out, event: MouseEvent) {
    match event.kind {
        MouseEventKind::ScrollDown => step(state, out, ROWS),
        MouseEventKind::ScrollUp => step(state, out, -ROWS),
        MouseEventKind::Down(MouseButton::Left) => {
            let position = Position::new(event.column, event.row);
            if let Some(hit) = state.shared.hits.at(position) {
                click(state, out, hit);
            }
        }
        _ => {}
    }
}

fn click(state: &mut State, out: &mut Out, hit: Hit) {
    if select(state, out, hit) {
        press_key(state, out, KeyCode::Enter.into());
    }
}

/// Selects what is there. Returns whether it was selected before.
pub(super) fn select(state: &mut State, out: &mut Out, hit: Hit) -> bool {
    match hit {
        Hit::Row(by) => {
            step(state, out, by);
            by == 0
        }
        Hit::Place(at) => {
            // The first step selects the first row.
            step(state, out, 1);
            step(state, out, at as isize);
            false
        }
        Hit::Card(column, place) => state
            .on_screen(out, |screen, cx| screen.point(cx, column, place))
            .unwrap_or(false),
        Hit::Tab(by) => {
            state.on_screen(out, |screen, cx| screen.turn_tab(cx, by));
            false
        }
        Hit::Command(id) => {
            if let Some(command) = state.shared.parts.commands.by_id(id) {
                run(state, out, command);
            }
            false
        }
    }
}

/// Moves the selection by this many rows.
fn step(state: &mut State, out: &mut Out, by: isize) {
    if state.context().distance(&LIST).is_some() {
        state.on_screen(out, |screen, cx| screen.step(cx, by));
        return;
    }
    let key = if by < 0 { KeyCode::Up } else { KeyCode::Down };
    for _ in 0..by.unsigned_abs() {
        press_key(state, out, key.into());
    }
}
