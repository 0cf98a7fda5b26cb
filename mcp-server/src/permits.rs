//! Work that takes a core for a while: reading a foreign format, drawing, rendering. It runs on blocking threads, on half
//! of the cores at a time, so that the others answer meanwhile.

use std::sync::LazyLock;

use tokio::sync::Semaphore;

static PERMITS: LazyLock<Semaphore> = LazyLock::new(|| {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Semaphore::new((cores / 2).max(1))
});

/// Permits work on this thread. What reads a foreign format takes one, so that it cannot be called elsewhere.
#[derive(Debug)]
pub(crate) struct Permit(());

impl Permit {
    /// For tests, and for a process that does nothing else.
    pub(crate) const ALONE: Permit = Permit(());
}

/// Waits for a permit and does the work, also if the caller has gone meanwhile. `None` if it panicked.
pub(crate) async fn work<T: Send + 'static>(
    work: impl FnOnce(&Permit) -> T + Send + 'static,
) -> Option<T> {
    let permit = PERMITS.acquire().await.ok()?;
    let done = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        work(&Permit(()))
    });
    done.await
        .inspect_err(|error| tracing::error!(%error, "work failed"))
        .ok()
}
