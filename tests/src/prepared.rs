//! The embedded database with its tables, prepared once: preparing it takes longer than most tests.

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use frontdesk_server::database::{Database, Location, digest};

use crate::program::built;

/// The directories' names begin with this; a digest of what prepares them follows.
const PREFIX: &str = "database-";
/// Another version of the engine prepares another database.
const ENGINE: &str = include_str!("../../Cargo.lock");

/// A temporary database without an organisation.
///
/// # Panics
///
/// If it cannot be opened.
pub async fn open() -> Database {
    let opened = Database::open_copy(&PREPARED).await;
    opened.expect("the database opens")
}

/// Copies the database to a directory that does not exist.
///
/// # Panics
///
/// If it cannot be written.
pub fn copy_to(directory: &Path) {
    copy(&PREPARED, directory);
}

/// The directory of the database, next to the programs of this build.
static PREPARED: LazyLock<PathBuf> = LazyLock::new(|| {
    let mut hasher = DefaultHasher::new();
    (digest(), ENGINE).hash(&mut hasher);
    let directory = built().join(format!("{PREFIX}{:016x}", hasher.finish()));
    let lock = lock_of(&directory);
    loop {
        // While this process has the lock, nobody removes the directory.
        lock.lock_shared().expect("the lock");
        if directory.exists() {
            std::mem::forget(lock);
            return directory;
        }
        lock.unlock().expect("the lock");
        // One process prepares it, others wait.
        lock.lock().expect("the lock");
        if !directory.exists() {
            remove_outdated();
            prepare(&directory);
        }
        lock.unlock().expect("the lock");
    }
});

fn lock_of(directory: &Path) -> File {
    File::create(directory.with_extension("lock")).expect("a lock")
}

/// Removes the databases that no process uses.
fn remove_outdated() {
    for entry in fs::read_dir(built()).expect("the directory").flatten() {
        let is_database = entry.file_name().to_string_lossy().starts_with(PREFIX);
        if is_database && entry.path().is_dir() && lock_of(&entry.path()).try_lock().is_ok() {
            fs::remove_dir_all(entry.path()).expect("an outdated database is removed");
        }
    }
}

fn prepare(directory: &Path) {
    let scratch = tempfile::tempdir_in(built()).expect("a directory");
    let unfinished = scratch.path().join("database");
    let location = Location::Directory(unfinished.clone());
    // The test's own thread may be in a runtime.
    let prepared = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build();
        runtime.expect("a runtime").block_on(async {
            let database = Database::open(&location, 1).await?;
            database.close().await
        })
    });
    let prepared = prepared.join().expect("a thread");
    prepared.expect("the database is prepared");
    fs::rename(unfinished, directory).expect("the database is moved");
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).expect("a directory");
    for entry in fs::read_dir(from).expect("a directory") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        match entry.file_type().expect("a type").is_dir() {
            true => copy(&entry.path(), &target),
            false => drop(fs::copy(entry.path(), target).expect("a copy")),
        }
    }
}
