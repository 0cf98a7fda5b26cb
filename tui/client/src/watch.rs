//! The progress of a call, and stopping it.

use std::fmt;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::listener::Progress;

/// Receives the progress of a call, and can stop it. Clones share this.
#[derive(Clone, Default)]
pub struct Watch {
    on_progress: Option<Arc<dyn Fn(Progress) + Send + Sync>>,
    stop: CancellationToken,
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Watch").field(&self.stop).finish()
    }
}

impl Watch {
    /// Passes progress to `on_progress`, and asks the host to stop the call once `stop` is cancelled. The answer tells
    /// whether it did.
    pub fn new(
        on_progress: impl Fn(Progress) + Send + Sync + 'static,
        stop: CancellationToken,
    ) -> Self {
        Watch {
            on_progress: Some(Arc::new(on_progress)),
            stop,
        }
    }

    /// Waits until the call is to stop.
    pub(crate) async fn stopped(&self) {
        self.stop.cancelled().await;
    }

    pub(crate) fn hear(&self, progress: Progress) {
        if let Some(on_progress) = &self.on_progress {
            on_progress(progress);
        }
    }
}
