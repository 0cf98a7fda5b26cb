//! What can be clicked and what is selected, recorded while a frame is drawn.

use std::cell::{Cell, RefCell};

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

/// What can be clicked in the last frame, and what is selected.
#[derive(Debug, Default)]
pub(crate) struct Hits {
    places: RefCell<Vec<(Rect, Hit)>>,
    selected: Cell<Option<Position>>,
}

impl Hits {
    /// Forgets everything: a new frame begins, or a layer covers the screen.
    pub(crate) fn clear(&self) {
        self.places.borrow_mut().clear();
        self.selected.set(None);
    }

    /// Records where the selected row begins.
    pub(crate) fn select(&self, position: Position) {
        self.selected.set(Some(position));
    }

    /// Where the selected row begins.
    pub(crate) fn selected(&self) -> Option<Position> {
        self.selected.get()
    }

    /// Records what a click in this area does.
    pub(crate) fn add(&self, area: Rect, hit: Hit) {
        self.places.borrow_mut().push((area, hit));
    }

    /// What a click at this position does.
    pub(crate) fn at(&self, position: Position) -> Option<Hit> {
        let hits = self.places.borrow();
        let mut hits = hits.iter().rev();
        hits.find_map(|(area, hit)| area.contains(position).then_some(*hit))
    }
}
