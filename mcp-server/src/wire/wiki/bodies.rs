//! Renders articles as HTML: each version once, outside the async workers, a few at a time.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use parking_lot::Mutex;
use sha2::{Digest, Sha256};

use super::page;
use crate::permits;

/// The maximum size of the cache in bytes.
const MOST_KEPT: usize = 16 << 20;

type Key = [u8; 32];

/// Renders articles and caches the newest results. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(in crate::wire) struct Bodies {
    kept: Arc<Mutex<Kept>>,
}

#[derive(Debug, Default)]
struct Kept {
    bodies: HashMap<Key, Arc<str>>,
    /// Oldest first.
    order: VecDeque<Key>,
    bytes: usize,
}

impl Bodies {
    /// The text as HTML. Rendering continues, and its result is cached, even if the reader disconnects.
    pub(super) async fn body(&self, markdown: String) -> Arc<str> {
        let key = Sha256::digest(&markdown).into();
        if let Some(body) = self.find(&key) {
            return body;
        }
        let bodies = self.clone();
        let laid_out = permits::work(move |permit| {
            // Another reader of the same article may have rendered it meanwhile.
            bodies.find(&key).unwrap_or_else(|| {
                let body: Arc<str> = page::body(permit, &markdown).into();
                bodies.kept.lock().keep(key, &body);
                body
            })
        });
        let failed = || "<p>The server failed. Try again.</p>".into();
        laid_out.await.unwrap_or_else(failed)
    }

    fn find(&self, key: &Key) -> Option<Arc<str>> {
        self.kept.lock().bodies.get(key).cloned()
    }
}

impl Kept {
    fn keep(&mut self, key: Key, body: &Arc<str>) {
        if self.bodies.insert(key, Arc::clone(body)).is_some() {
            return;
        }
        self.order.push_back(key);
        self.bytes += body.len();
        while self.bytes > MOST_KEPT
            && let Some(oldest) = self.order.pop_front()
        {
            self.bytes -= self.bodies.remove(&oldest).map_or(0, |body| body.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_version_is_laid_out_once() {
        let bodies = Bodies::default();
        let body = async |text: &str| bodies.body(text.to_owned()).await;
        let first = body("[a](b)").await;
        assert!(Arc::ptr_eq(&first, &body("[a](b)").await));
        assert_ne!(first, body("[a](c)").await);
    }

    #[tokio::test]
    async fn what_is_kept_is_bounded() {
        let bodies = Bodies::default();
        for number in 0..20 {
            let text = format!("{number}{}", "a".repeat(1 << 20));
            bodies.body(text).await;
        }
        let kept = bodies.kept.lock();
        assert!(
            kept.bytes <= MOST_KEPT && kept.bodies.len() == 15,
            "{}",
            kept.bodies.len()
        );
        assert_eq!(kept.order.len(), kept.bodies.len());
    }
}
