//! A future that wakes itself while it is polled is polled once more, at once.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use futures::task::AtomicWaker;

/// How often one is polled before others have their turn.
const TURNS: usize = 8;

/// Nobody polls it: whoever wakes it wakes its task.
const ASLEEP: u8 = 0;
/// It is being polled.
const POLLED: u8 = 1;
/// It is being polled, and was woken meanwhile.
const WOKEN: u8 = 2;

/// What the future comes to. hyper wakes the task of its connection twice for each request that has a
/// body. Left to the scheduler, each of these would also wake a thread, which finds nothing to do.
pub(super) async fn at_once<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let bell = Arc::new(Bell::default());
    let waker = Waker::from(Arc::clone(&bell));
    poll_fn(move |cx| {
        bell.task.register(cx.waker());
        for _ in 0..TURNS {
            bell.state.store(POLLED, Ordering::SeqCst);
            let polled = future.as_mut().poll(&mut Context::from_waker(&waker));
            let asleep =
                bell.state
                    .compare_exchange(POLLED, ASLEEP, Ordering::SeqCst, Ordering::SeqCst);
            if polled.is_ready() || asleep.is_ok() {
                return polled;
            }
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await
}

#[derive(Debug, Default)]
struct Bell {
    state: AtomicU8,
    task: AtomicWaker,
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        let woken = self
            .state
            .compare_exchange(POLLED, WOKEN, Ordering::SeqCst, Ordering::SeqCst);
        if woken == Err(ASLEEP) {
            self.task.wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::thread;

    use tokio::sync::oneshot;

    use super::*;

    /// A task, and how often it was woken.
    #[derive(Default)]
    struct Task(AtomicUsize);

    impl Wake for Task {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    impl Task {
        fn poll<F: Future>(self: &Arc<Self>, future: std::pin::Pin<&mut F>) -> Poll<F::Output> {
            future.poll(&mut Context::from_waker(&Waker::from(Arc::clone(self))))
        }

        fn woken(&self) -> usize {
            self.0.load(Ordering::Relaxed)
        }
    }

    /// A future that calls this until it is polled for the nth time, and then is ready.
    fn pending_until(polls: usize, mut do_this: impl FnMut(&Waker)) -> impl Future<Output = usize> {
        let mut polled = 0;
        poll_fn(move |cx| {
            polled += 1;
            if polled == polls {
                return Poll::Ready(polled);
            }
            do_this(cx.waker());
            Poll::Pending
        })
    }

    #[test]
    fn one_that_wakes_itself_is_polled_again_and_its_task_is_left_alone() {
        let task = Arc::new(Task::default());
        let wake_twice = |waker: &Waker| {
            waker.wake_by_ref();
            waker.wake_by_ref();
        };
        let future = pin!(at_once(pending_until(3, wake_twice)));
        assert_eq!(task.poll(future), Poll::Ready(3));
        assert_eq!(task.woken(), 0);
    }

    #[test]
    fn one_that_another_thread_wakes_in_the_middle_of_it_is_polled_again() {
        let task = Arc::new(Task::default());
        let wake = |waker: &Waker| {
            let waker = waker.clone();
            thread::spawn(|| waker.wake()).join().expect("it wakes");
        };
        let future = pin!(at_once(pending_until(2, wake)));
        assert_eq!(task.poll(future), Poll::Ready(2));
    }

    #[test]
    fn one_that_never_stops_gives_others_their_turn() {
        let task = Arc::new(Task::default());
        let mut future = pin!(at_once(pending_until(2 * TURNS, Waker::wake_by_ref)));
        assert_eq!(task.poll(future.as_mut()), Poll::Pending);
        assert_eq!(task.woken(), 1);
        assert_eq!(task.poll(future.as_mut()), Poll::Ready(2 * TURNS));
    }

    #[test]
    fn one_that_waits_is_woken_by_way_of_its_task() {
        let (say, hear) = oneshot::channel();
        let mut future = pin!(at_once(hear));
        let first = Arc::new(Task::default());
        assert_eq!(first.poll(future.as_mut()), Poll::Pending);
        // It may have gone to another task meanwhile.
        let task = Arc::new(Task::default());
        assert_eq!(task.poll(future.as_mut()), Poll::Pending);
        assert_eq!(task.woken(), 0);
        assert_eq!(say.send(7), Ok(()));
        assert_eq!((first.woken(), task.woken()), (0, 1));
        assert_eq!(task.poll(future.as_mut()), Poll::Ready(Ok(7)));
    }
}
