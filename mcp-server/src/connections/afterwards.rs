//! What is done once an answer is on its way, so that its client does not wait for it.

use std::cell::RefCell;

tokio::task_local! {
    /// What the connection that this task serves does once its answer is written.
    static AFTERWARDS: Afterwards;
}

type Work = Box<dyn FnOnce() + Send>;

/// Each is done: at the latest when the connection is over.
#[derive(Default)]
struct Afterwards(RefCell<Vec<Work>>);

impl Afterwards {
    fn done(&self) {
        // Nothing of it may still be borrowed while it is done.
        let works = std::mem::take(&mut *self.0.borrow_mut());
        for work in works {
            work();
        }
    }
}

impl Drop for Afterwards {
    fn drop(&mut self) {
        self.done();
    }
}

/// Does this once the answer that is being made is written; at once, where nothing is being answered.
pub(crate) fn afterwards(work: impl FnOnce() + Send + 'static) {
    let mut work = Some(work);
    let _ = AFTERWARDS.try_with(|afterwards| {
        if let Some(work) = work.take() {
            afterwards.0.borrow_mut().push(Box::new(work));
        }
    });
    if let Some(work) = work {
        work();
    }
}

/// A connection that does what comes afterwards each time that it says [`written`], and in its end.
pub(super) async fn serving<F: Future>(connection: F) -> F::Output {
    AFTERWARDS.scope(Afterwards::default(), connection).await
}

/// The answer is written.
pub(super) fn written() {
    let _ = AFTERWARDS.try_with(Afterwards::done);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures::FutureExt;

    use super::*;

    /// Counts how often it was done.
    #[derive(Clone, Default)]
    struct Count(Arc<AtomicUsize>);

    impl Count {
        fn one(&self) {
            let count = self.clone();
            afterwards(move || {
                count.0.fetch_add(1, Ordering::Relaxed);
            });
        }

        fn done(&self) -> usize {
            self.0.load(Ordering::Relaxed)
        }
    }

    #[tokio::test]
    async fn nothing_is_done_before_the_answer_is_written_and_nothing_twice() {
        let count = Count::default();
        serving(async {
            count.one();
            count.one();
            assert_eq!(count.done(), 0);
            written();
            assert_eq!(count.done(), 2);
            written();
            assert_eq!(count.done(), 2);
        })
        .await;
        assert_eq!(count.done(), 2);
    }

    #[tokio::test]
    async fn a_connection_that_ends_or_is_given_up_does_it_all_the_same() {
        let count = Count::default();
        serving(async { count.one() }).await;
        assert_eq!(count.done(), 1);
        let given_up = serving(async {
            count.one();
            std::future::pending::<()>().await;
        });
        assert_eq!(given_up.now_or_never(), None);
        assert_eq!(count.done(), 2);
    }

    #[test]
    fn where_nothing_is_answered_it_is_done_at_once() {
        let count = Count::default();
        count.one();
        assert_eq!(count.done(), 1);
    }
}
