//! Waiting: for timers, and at the end for writes.

use std::io;
use std::time::Duration;

use jiff::Timestamp;

use crate::app::engine::Engine;

/// The time limit for pending writes when the app ends.
pub(super) const LAST_WORDS: Duration = Duration::from_secs(3);

pub(super) async fn sleep_until(timer: Option<Timestamp>) {
    match timer {
        Some(at) => {
            let left = Duration::try_from(at.duration_since(Timestamp::now()));
            // A negative duration means that it is due.
            tokio::time::sleep(left.unwrap_or_default()).await;
        }
        None => std::future::pending().await,
    }
}

/// Waits for pending writes.
pub(super) async fn last_words(engine: &mut Engine) -> io::Result<()> {
    let written = async {
        while engine.is_writing() {
            if let Some(what) = engine.next_outcome().await {
                engine.apply(Timestamp::now(), what);
            }
        }
    };
    // After the time limit, the writes are abandoned.
    let _ = tokio::time::timeout(LAST_WORDS, written).await;
    Ok(())
}
