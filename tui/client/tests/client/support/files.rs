//! File permissions.

/// The permissions of a file or a directory, e.g. 0o600.
#[cfg(unix)]
pub(crate) fn mode(path: &std::path::Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    let metadata = path.metadata().expect("is there");
    metadata.permissions().mode() & 0o777
}
