//! What can be clicked, recorded while a frame is drawn.

use std::cell::RefCell;

use ratatui::layout::{Position, Rect};

/// The effect of a click.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hit {
    /// Selects the row this many rows after the selected one, which a click opens.
    Row(isize),
    /// Selects the card at this place in this column.
    Card(usize, usize),
    /// Shows the tab this many after the visible one.
    Tab(isize),
    /// Runs the command with this id.
    Command(&'static str),
}

/// What can be clicked in the last frame.
#[derive(Debug, Default)]
pub(crate) struct Hits(RefCell<Vec<(Rect, Hit)>>);

impl Hits {
    /// Forgets everything: a new frame begins, or a layer covers the screen.
    pub(crate) fn clear(&self) {
        self.0.borrow_mut().clear();
    }

    /// Records what a click in this area does.
    pub(crate) fn add(&self, area: Rect, hit: Hit) {
        self.0.borrow_mut().push((area, hit));
    }

    /// What a click at this position does.
    pub(crate) fn at(&self, position: Position) -> Option<Hit> {
        let hits = self.0.borrow();
        let mut hits = hits.iter().rev();
        hits.find_map(|(area, hit)| area.contains(position).then_some(*hit))
    }
}
