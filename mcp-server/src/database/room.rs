//! How many calls are let in: many for a moment, fewer where there are always some that wait.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

/// Calls at once where there are always some that wait. More of them would not be answered sooner, only
/// later each.
const STEADY: usize = 32;
/// How long some have waited without a break before fewer are let in.
const PATIENCE: Duration = Duration::from_millis(100);

/// Room for calls, inside of which some have a connection and the others wait for one.
#[derive(Debug)]
pub(super) struct Room {
    /// How many have a connection.
    connections: usize,
    /// How many may be inside for a moment.
    most: usize,
    /// How many may be inside all the time.
    steady: usize,
    inside: AtomicUsize,
    /// When somebody came and did not have to wait, the last time, in milliseconds.
    calm: AtomicU64,
}

/// One who is inside until this is dropped.
#[derive(Debug)]
pub(super) struct Place(Arc<Room>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.inside.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Room {
    /// Room for everybody.
    pub(super) fn without_end(connections: usize) -> Room {
        Room {
            connections,
            most: usize::MAX,
            steady: usize::MAX,
            inside: AtomicUsize::new(0),
            calm: AtomicU64::new(0),
        }
    }

    /// Room for so many who wait.
    pub(super) fn for_waiting(connections: usize, waiting: usize) -> Room {
        let most = connections.saturating_add(waiting);
        Room {
            most,
            steady: most.min(STEADY.max(connections)),
            ..Room::without_end(connections)
        }
    }

    /// How many have a connection.
    pub(super) fn connections(&self) -> usize {
        self.connections
    }

    /// Somebody comes, so long after the start. None is told to come back later.
    pub(super) fn enter(self: &Arc<Self>, now: Duration) -> Option<Place> {
        let now = u64::try_from(now.as_millis()).unwrap_or(u64::MAX);
        let place = Place(Arc::clone(self));
        let before = self.inside.fetch_add(1, Ordering::Relaxed);
        if before < self.connections {
            self.calm.store(now, Ordering::Relaxed);
        }
        let crowded = now.saturating_sub(self.calm.load(Ordering::Relaxed));
        let most = match Duration::from_millis(crowded) < PATIENCE {
            true => self.most,
            false => self.steady,
        };
        (before < most).then_some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn a_crowd_is_let_in_for_a_moment_and_then_as_many_as_are_answered_in_time() {
        let room = Arc::new(Room::for_waiting(10, 90));
        let mut inside: Vec<Place> = (0..100).filter_map(|_| room.enter(at(5))).collect();
        assert_eq!(inside.len(), 100);
        assert!(room.enter(at(6)).is_none(), "it is full");

        inside.truncate(60);
        assert!(room.enter(at(104)).is_some(), "for a moment yet");
        assert!(room.enter(at(105)).is_none(), "some wait all the time");
        inside.truncate(31);
        assert!(room.enter(at(200)).is_some());
        inside.extend(room.enter(at(200)));
        assert!(room.enter(at(200)).is_none());

        // Somebody did not have to wait: it is calm again.
        inside.truncate(9);
        inside.extend(room.enter(at(300)));
        inside.extend((0..90).filter_map(|_| room.enter(at(310))));
        assert_eq!(inside.len(), 100);
    }

    #[test]
    fn with_little_room_there_is_never_less() {
        let room = Arc::new(Room::for_waiting(1, 2));
        let inside: Vec<Place> = (0..5).filter_map(|_| room.enter(at(0))).collect();
        assert_eq!(inside.len(), 3);
        drop(inside);
        let place = room.enter(at(1));
        let inside: Vec<Place> = (0..5).filter_map(|_| room.enter(at(9000))).collect();
        assert!(place.is_some());
        assert_eq!(inside.len(), 2);
    }

    #[test]
    fn who_is_refused_takes_no_place() {
        let room = Arc::new(Room::for_waiting(1, 0));
        let place = room.enter(at(0));
        for _ in 0..3 {
            assert!(room.enter(at(0)).is_none());
        }
        drop(place);
        assert!(room.enter(at(0)).is_some());
    }
}
