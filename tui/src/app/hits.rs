//! What can be clicked and what is selected, recorded while a frame is drawn.

use std::cell::{Cell, RefCell};

use ratatui::layout::{Position, Rect};

/// The effect of a click.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hit {
    /// Selects the row this many rows after the selected one, which a click opens.
    Row(isize),
    /// Selects the row at this place of a list where none is selected.
    Place(usize),
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
    /// Each place with the number of its row, from 1.
    places: RefCell<Vec<(Rect, Hit, usize)>>,
    selected: Cell<Option<Position>>,
    /// Of a list drawn in parts: the number of rows before this part, and the selected row.
    part: Cell<Option<(usize, Option<usize>)>>,
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
        self.places.borrow_mut().push((area, hit, 0));
    }

    /// Records a row at this place of a list.
    pub(crate) fn add_row(&self, area: Rect, hit: Hit, at: usize) {
        let (at, hit) = match self.part.get() {
            None => (at, hit),
            Some((before, Some(selected))) => {
                let at = before + at;
                (at, Hit::Row(at as isize - selected as isize))
            }
            Some((before, None)) => (before + at, Hit::Place(before + at)),
        };
        self.places.borrow_mut().push((area, hit, at + 1));
    }

    /// The rows drawn next are a part of a list: so many are before them, and this one of all is selected. `None` for a
    /// whole list.
    pub(crate) fn begin_part(&self, part: Option<(usize, Option<usize>)>) {
        self.part.set(part);
    }

    /// The rows and cards, each with a number by which a person can name it.
    pub(crate) fn numbered(&self) -> Vec<(Rect, Hit, usize)> {
        let mut places = self.places.borrow().clone();
        places.retain(|(_, hit, _)| matches!(hit, Hit::Row(_) | Hit::Place(_) | Hit::Card(..)));
        let cards = places.iter_mut().filter(|(_, _, number)| *number == 0);
        for (at, (_, _, number)) in cards.enumerate() {
            *number = at + 1;
        }
        places
    }

    /// What a click at this position does.
    pub(crate) fn at(&self, position: Position) -> Option<Hit> {
        let hits = self.places.borrow();
        let mut hits = hits.iter().rev();
        hits.find_map(|(area, hit, _)| area.contains(position).then_some(*hit))
    }
}
