//! How many calls are let in: many for a moment, fewer where there are always some that wait.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

/// Calls at once where there are always some that wait. More of them would not be answered sooner, only
/// later each.
const STEADY: usize = 32;
/// Calls that wait where more come than go, or half as many as there are connections, if that is more: the
/// next one is there when a connection becomes free, and hardly waits for others.
const READY: usize = 2;
/// How long some have waited without a break before fewer are let in, and how long nobody was refused
/// before more are again, in milliseconds.
const PATIENCE: u64 = 100;

/// Room for calls, inside of which some have a connection and the others wait for one.
#[derive(Debug)]
pub(super) struct Room {
    /// How many have a connection.
    connections: usize,
    /// How many may be inside for a moment.
    most: usize,
    /// How many may be inside all the time.
    steady: usize,
    /// How many may be inside where more than those come.
    pressed: usize,
    inside: AtomicUsize,
    /// When somebody came and did not have to wait, the last time, in milliseconds.
    calm: AtomicU64,
    /// Until when it is pressed, unless somebody else is refused, in milliseconds.
    pressed_until: AtomicU64,
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
            pressed: usize::MAX,
            inside: AtomicUsize::new(0),
            calm: AtomicU64::new(0),
            pressed_until: AtomicU64::new(0),
        }
    }

    /// Room for so many who wait.
    pub(super) fn for_waiting(connections: usize, waiting: usize) -> Room {
        let most = connections.saturating_add(waiting);
        let steady = most.min(STEADY.max(connections));
        Room {
            most,
            steady,
            pressed: steady.min(connections.saturating_add(READY.max(connections / 2))),
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
        let is_pressed = now < self.pressed_until.load(Ordering::Relaxed);
        let is_crowded = now.saturating_sub(self.calm.load(Ordering::Relaxed)) >= PATIENCE;
        let most = match (is_pressed, is_crowded) {
            (true, _) => self.pressed,
            (false, true) => self.steady,
            (false, false) => self.most,
        };
        if before < most {
            return Some(place);
        }
        if is_pressed || is_crowded {
            let until = now.saturating_add(PATIENCE);
            self.pressed_until.store(until, Ordering::Relaxed);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn enter(room: &Arc<Room>, many: usize, now: u64) -> Vec<Place> {
        (0..many).filter_map(|_| room.enter(at(now))).collect()
    }

    #[test]
    fn a_crowd_is_let_in_for_a_moment() {
        let room = Arc::new(Room::for_waiting(10, 90));
        let mut inside = enter(&room, 101, 5);
        assert_eq!(inside.len(), 100, "it is full");

        inside.truncate(60);
        assert!(room.enter(at(104)).is_some(), "for a moment yet");
        assert!(room.enter(at(105)).is_none(), "some wait all the time");
    }

    #[test]
    fn where_nobody_waits_any_more_a_crowd_is_let_in_again() {
        let room = Arc::new(Room::for_waiting(10, 90));
        let mut inside = enter(&room, 20, 5);
        inside.extend(enter(&room, 12, 200));
        inside.truncate(9);
        inside.extend(enter(&room, 92, 250));
        assert_eq!(inside.len(), 100);
    }

    #[test]
    fn where_some_wait_all_the_time_there_is_room_for_as_many_as_are_answered_in_time() {
        let room = Arc::new(Room::for_waiting(10, 90));
        let mut inside = enter(&room, 20, 5);
        inside.extend(enter(&room, 12, 200));
        for now in (201..5000).step_by(50) {
            inside.pop();
            inside.extend(room.enter(at(now)));
            assert_eq!(inside.len(), 32, "one goes and one comes, after {now} ms");
        }
    }

    #[test]
    fn where_more_come_than_go_hardly_anybody_waits() {
        let room = Arc::new(Room::for_waiting(10, 90));
        let mut inside = enter(&room, 20, 5);
        inside.extend(enter(&room, 13, 200));
        assert_eq!(inside.len(), 32, "one was refused");

        // As long as some are refused, also where a connection was free for once.
        inside.truncate(9);
        for now in (201..5000).step_by(99) {
            inside.extend(enter(&room, 7, now));
            assert_eq!(inside.len(), 15, "after {now} ms");
            inside.truncate(9);
        }
    }

    #[test]
    fn once_nobody_was_refused_for_a_while_more_are_let_in() {
        let room = Arc::new(Room::for_waiting(10, 90));
        let mut inside = enter(&room, 20, 5);
        inside.extend(enter(&room, 13, 200));
        inside.truncate(14);
        inside.extend(enter(&room, 1, 299));
        assert_eq!(inside.len(), 15);
        inside.extend(enter(&room, 1, 300));
        assert_eq!(inside.len(), 16);
    }

    #[test]
    fn with_little_room_there_is_never_less() {
        let room = Arc::new(Room::for_waiting(1, 2));
        assert_eq!(enter(&room, 5, 0).len(), 3);
        let mut inside = enter(&room, 1, 1);
        for now in [9000, 9001] {
            inside.extend(enter(&room, 5, now));
            assert_eq!(inside.len(), 3);
            inside.truncate(1);
        }
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
