//! Blocking access to the disk, beside the loop.

use std::fmt::Display;

/// The disk, or what is stored on it, refused: the reason as a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct DiskError(pub(crate) String);

/// Does this on a thread that may block.
///
/// # Errors
/// Those of `work`, or its thread was lost.
pub(crate) async fn on_disk<T, E>(
    work: impl FnOnce() -> Result<T, E> + Send + 'static,
) -> Result<T, DiskError>
where
    T: Send + 'static,
    E: Display + Send + 'static,
{
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result.map_err(|error| DiskError(error.to_string())),
        Err(error) => Err(DiskError(error.to_string())),
    }
}

/// What is stored without a directory: nothing, and only a read succeeds.
///
/// # Errors
/// It is not a read.
pub(crate) fn nothing<T: Default>(is_read: bool) -> Result<T, DiskError> {
    match is_read {
        true => Ok(T::default()),
        false => Err(DiskError("there is no directory for them".to_owned())),
    }
}
