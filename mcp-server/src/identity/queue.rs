//! A queue for a limited resource, fair by client address and then by account: a client address with many requests
//! delays itself, not others.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::oneshot;

/// The maximum number of waiting requests.
const MOST_WAITING: usize = 512;
/// The maximum number of remembered turns.
const MOST_SERVED: usize = 4096;

/// The queue. Cheap to clone.
#[derive(Clone)]
pub(super) struct Queue(Arc<Mutex<State>>);

/// A request's identity in the queue.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Requester {
    /// Known clients go before all others.
    pub(super) is_known: bool,
    pub(super) address: IpAddr,
    pub(super) account: String,
}

/// A turn. Dropping it lets the next one begin.
pub(super) struct Turn(Queue);

/// Too many requests wait.
#[derive(Debug)]
pub(super) struct Full;

struct State {
    free: usize,
    /// In order of arrival.
    waiting: Vec<(Requester, oneshot::Sender<Turn>)>,
    /// The number of the last turn of each address, and of each account at an address.
    served: HashMap<(IpAddr, Option<String>), u64>,
    turns: u64,
}

impl Queue {
    /// A queue with this many concurrent turns.
    pub(super) fn new(at_once: usize) -> Self {
        Queue(Arc::new(Mutex::new(State {
            free: at_once,
            waiting: Vec::new(),
            served: HashMap::new(),
            turns: 0,
        })))
    }

    /// Waits for a turn.
    ///
    /// # Errors
    /// [`Full`]: too many requests wait, and none has a lower priority.
    pub(super) async fn turn(&self, requester: Requester) -> Result<Turn, Full> {
        let turn = {
            let mut state = self.0.lock();
            if state.waiting.len() >= MOST_WAITING {
                state.make_room(&requester)?;
            }
            let (call, turn) = oneshot::channel();
            state.waiting.push((requester, call));
            turn
        };
        self.call();
        turn.await.map_err(|_| Full)
    }

    /// Starts turns while there are free ones and waiting requests.
    fn call(&self) {
        loop {
            let called = {
                let mut state = self.0.lock();
                if state.free == 0 {
                    return;
                }
                let Some(called) = state.next() else { return };
                state.free -= 1;
                called
            };
            // If the client has disconnected, the turn is dropped and becomes free again.
            let _ = called.send(Turn(self.clone()));
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.0.0.lock().free += 1;
        self.0.call();
    }
}

impl State {
    /// Removes the next request from the queue: a known client first, then the one whose address, and whose account
    /// there, has waited longest since its last turn.
    fn next(&mut self) -> Option<oneshot::Sender<Turn>> {
        self.waiting.retain(|(_, call)| !call.is_closed());
        let rank = |requester: &Requester| {
            let served = |account| self.served.get(&(requester.address, account)).copied();
            (
                !requester.is_known,
                served(None),
                served(Some(requester.account.clone())),
            )
        };
        let waiting = self.waiting.iter().enumerate();
        let (at, _) = waiting.min_by_key(|(_, (requester, _))| rank(requester))?;
        let (requester, call) = self.waiting.remove(at);
        if self.served.len() >= MOST_SERVED {
            self.served.clear();
        }
        self.turns += 1;
        self.served.insert((requester.address, None), self.turns);
        self.served
            .insert((requester.address, Some(requester.account)), self.turns);
        Some(call)
    }

    /// Makes room for a request: the address with the most strangers in the queue loses a place, unless the new
    /// request is one of them.
    fn make_room(&mut self, newcomer: &Requester) -> Result<(), Full> {
        self.waiting.retain(|(_, call)| !call.is_closed());
        if self.waiting.len() < MOST_WAITING {
            return Ok(());
        }
        let mut strangers: HashMap<IpAddr, usize> = HashMap::new();
        for (requester, _) in self
            .waiting
            .iter()
            .filter(|(requester, _)| !requester.is_known)
        {
            *strangers.entry(requester.address).or_default() += 1;
        }
        let (most, count) = strangers
            .iter()
            .max_by_key(|(_, count)| **count)
            .map(|(address, count)| (*address, *count))
            .ok_or(Full)?;
        let own = strangers
            .get(&newcomer.address)
            .copied()
            .unwrap_or_default();
        if !newcomer.is_known && own + 1 >= count {
            return Err(Full);
        }
        let last = self.waiting.iter();
        let last = last
            .enumerate()
            .rev()
            .find(|(_, (requester, _))| !requester.is_known && requester.address == most);
        let at = last.map(|(at, _)| at).ok_or(Full)?;
        self.waiting.remove(at);
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::net::Ipv4Addr;
    use std::pin::pin;

    use futures::FutureExt;

    use super::*;

    fn requester(address: u8, account: &str) -> Requester {
        Requester {
            is_known: false,
            address: Ipv4Addr::new(203, 0, 113, address).into(),
            account: account.to_owned(),
        }
    }

    /// The order of turns of these requesters, if there is one turn at a time and all arrive before the first turn ends.
    async fn order(requesters: &[Requester]) -> Vec<usize> {
        let queue = Queue::new(1);
        let first = queue.turn(requester(0, "first")).await.unwrap();
        let mut waiting: Vec<_> = requesters
            .iter()
            .map(|requester| Box::pin(queue.turn(requester.clone())))
            .collect();
        for turn in &mut waiting {
            assert!(turn.now_or_never().is_none(), "it is not its turn");
        }
        drop(first);
        let mut order = Vec::new();
        while order.len() < requesters.len() {
            for (at, turn) in waiting.iter_mut().enumerate() {
                if !order.contains(&at) && turn.now_or_never().is_some() {
                    order.push(at);
                    break;
                }
            }
        }
        order
    }

    #[tokio::test]
    async fn an_address_with_many_waits_for_itself() {
        let crowd = |account| requester(1, account);
        let requesters = [
            crowd("a"),
            crowd("b"),
            crowd("c"),
            crowd("d"),
            requester(2, "x"),
        ];
        assert_eq!(order(&requesters).await, [0, 4, 1, 2, 3]);
    }

    #[tokio::test]
    async fn an_account_with_many_waits_for_itself_within_an_address() {
        let requesters = [
            requester(1, "a"),
            requester(1, "a"),
            requester(1, "a"),
            requester(1, "b"),
        ];
        assert_eq!(order(&requesters).await, [0, 3, 1, 2]);
    }

    #[tokio::test]
    async fn a_known_device_goes_before_strangers() {
        let known = Requester {
            is_known: true,
            ..requester(1, "a")
        };
        let requesters = [requester(1, "a"), requester(2, "b"), known];
        assert_eq!(order(&requesters).await, [2, 1, 0]);
    }

    #[tokio::test]
    async fn a_full_queue_has_room_for_who_does_not_crowd_it() {
        let queue = Queue::new(1);
        let first = queue.turn(requester(0, "first")).await.unwrap();
        let mut crowd: Vec<_> = (0..MOST_WAITING)
            .map(|_| Box::pin(queue.turn(requester(1, "a"))))
            .collect();
        for turn in &mut crowd {
            assert!(turn.now_or_never().is_none());
        }
        assert!(queue.turn(requester(1, "b")).await.is_err());
        let mut other = pin!(queue.turn(requester(2, "x")));
        assert!(other.as_mut().now_or_never().is_none());
        let last = crowd.last_mut().unwrap();
        assert!(
            last.now_or_never().unwrap().is_err(),
            "it gave its place up"
        );
        // The address of the first in the crowd has its turn, then the other address.
        drop(first);
        drop(crowd);
        assert!(other.await.is_ok());
    }

    #[tokio::test]
    async fn the_turn_of_a_client_that_has_gone_is_the_next_one_s() {
        let queue = Queue::new(1);
        let first = queue.turn(requester(0, "first")).await.unwrap();
        let mut gone = Box::pin(queue.turn(requester(1, "a")));
        assert!(gone.as_mut().now_or_never().is_none());
        let mut next = Box::pin(queue.turn(requester(1, "b")));
        assert!(next.as_mut().now_or_never().is_none());
        drop(first);
        drop(gone);
        assert!(next.await.is_ok());
    }
}
