//! Files of a server that is being written: when one changes, the server is started again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use ignore::{DirEntry, WalkBuilder};
use tokio::task::spawn_blocking;

use crate::app::reporter::Reporter;

/// How often the files are looked at. A change is over when they are the same twice.
const AGAIN: Duration = Duration::from_millis(300);
/// The time after a start in which a change can be the server's own.
const SOON: Duration = Duration::from_secs(5);
/// From so many starts in a row on, each with a change soon after it, the server may be the one that changes files.
const SUSPECT: usize = 3;
/// A start then waits for so long without a change.
const CALM: Duration = Duration::from_secs(10);
/// After so many starts in a row, it is.
const GIVEN_UP: usize = 5;
/// The maximum number of files and directories that are looked at.
const MOST: usize = 10_000;
/// Directories that programs write into when they start.
const WRITTEN: [&str; 3] = ["__pycache__", "node_modules", "target"];

/// When each file was changed, and its size.
type Files = BTreeMap<PathBuf, (Option<SystemTime>, u64)>;

/// Reports each change of these files and directories, while `goes_on`, and until the server itself changes them whenever it
/// starts. Returns what it changes.
pub(super) async fn watch(
    paths: Vec<PathBuf>,
    goes_on: impl Fn() -> bool,
    server: &str,
    reporter: &Reporter,
) -> Option<Vec<PathBuf>> {
    let begun = Instant::now();
    let mut known = look(&paths).await;
    let mut last = known.clone();
    let mut starts = Starts::default();
    while goes_on() {
        tokio::time::sleep(AGAIN).await;
        let now = look(&paths).await;
        if now != last {
            last = now;
            starts.changing(begun.elapsed());
        } else if now != known {
            match starts.next(begun.elapsed()) {
                Next::Wait => {}
                Next::Start => {
                    known = now;
                    reporter.edited(server);
                }
                Next::GiveUp => return Some(changed(&known, &now)),
            }
        }
    }
    None
}

/// What a change that is over leads to.
#[derive(Debug, PartialEq)]
enum Next {
    Start,
    Wait,
    GiveUp,
}

/// The starts because of changes. A server that writes into a directory that is looked at changes a file soon after each
/// start, and nothing after that. A person who saves again and again does so at other times, too.
#[derive(Debug, Default)]
struct Starts {
    /// How many in a row were followed by a change soon.
    row: usize,
    start: Duration,
    /// The last change.
    change: Duration,
}

impl Starts {
    /// The files are changing.
    fn changing(&mut self, now: Duration) {
        if now > self.start + SOON {
            self.row = 0;
        }
        self.change = now;
    }

    /// The change is over.
    fn next(&mut self, now: Duration) -> Next {
        match self.row {
            GIVEN_UP.. => return Next::GiveUp,
            SUSPECT.. if now < self.change + CALM => return Next::Wait,
            _ => {}
        }
        self.row += 1;
        self.start = now;
        Next::Start
    }
}

/// The files that are not the same.
fn changed(before: &Files, after: &Files) -> Vec<PathBuf> {
    let other = |of: &Files, it: &Path, about| of.get(it) != Some(about);
    let new = after.iter().filter(|(path, it)| other(before, path, it));
    let gone = before.keys().filter(|path| !after.contains_key(*path));
    let new = new.map(|(path, _)| path);
    new.chain(gone).cloned().collect()
}

async fn look(paths: &[PathBuf]) -> Files {
    let paths = paths.to_vec();
    spawn_blocking(move || files(&paths))
        .await
        .unwrap_or_default()
}

/// The files at these paths, without hidden ones, those that `.gitignore` and `.ignore` name, and those that programs write when
/// they start.
fn files(paths: &[PathBuf]) -> Files {
    let mut found = Files::new();
    let Some((first, rest)) = paths.split_first() else {
        return found;
    };
    let mut walk = WalkBuilder::new(first);
    for path in rest {
        walk.add(path);
    }
    walk.require_git(false).filter_entry(is_source);
    // What is gone is a change, too.
    for path in walk.build().flatten().map(DirEntry::into_path).take(MOST) {
        if let Ok(about) = std::fs::metadata(&path)
            && !about.is_dir()
        {
            found.insert(path, (about.modified().ok(), about.len()));
        }
    }
    found
}

fn is_source(entry: &DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy();
    entry.depth() == 0 || !WRITTEN.contains(&&*name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_a_new_and_a_missing_source_are_noticed_and_nothing_else() {
        let directory = tempfile::tempdir().expect("a directory");
        let root = directory.path();
        let write = |name: &str, text: &str| {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().expect("a directory")).expect("it is made");
            std::fs::write(path, text).expect("it is written");
        };
        write("src/server.py", "a");
        let look = || files(&[root.to_path_buf()]);
        let mut before = look();
        for (name, text, is_noticed) in [
            ("src/server.py", "longer", true),
            ("src/new.py", "", true),
            ("src/.server.py.swp", "", false),
            ("src/__pycache__/server.pyc", "", false),
            ("node_modules/a/index.js", "", false),
            ("src/.gitignore", "*.db\n", false),
            ("src/notes.db", "", false),
        ] {
            write(name, text);
            assert_eq!(look() != before, is_noticed, "{name}");
            before = look();
        }
        std::fs::remove_file(root.join("src/new.py")).expect("it is removed");
        assert_ne!(look(), before);
        assert_eq!(files(&[root.join("missing")]), Files::new());
        // A file that is named is looked at in any case.
        let named = root.join("src/notes.db");
        assert_eq!(
            files(std::slice::from_ref(&named)).into_keys().next(),
            Some(named)
        );
    }

    /// What follows each of these changes, in seconds after the one before.
    fn nexts(changes: &[u64]) -> Vec<Next> {
        let (mut starts, mut now) = (Starts::default(), Duration::from_secs(60));
        let of = changes.iter().map(|after| {
            now += Duration::from_secs(*after);
            starts.changing(now);
            match starts.next(now + AGAIN) {
                // Until then, nothing changes.
                Next::Wait => {
                    now += CALM;
                    starts.next(now)
                }
                next => next,
            }
        });
        of.collect()
    }

    #[test]
    fn a_server_that_changes_files_whenever_it_starts_is_given_up_and_a_person_is_not() {
        let is_given_up = |changes: &[u64]| nexts(changes).contains(&Next::GiveUp);
        // A server: the same time after each start.
        assert!(is_given_up(&[1; 6]));
        assert!(!is_given_up(&[1; 5]));
        // A person saves once a minute, in bursts of three, or a second and then six seconds later.
        for pattern in [&[60][..], &[60, 1, 1, 1], &[1, 6]] {
            assert!(!is_given_up(&pattern.repeat(20)), "{pattern:?}");
        }
        // One who saves each second has the server started when that is over.
        let mut starts = Starts::default();
        let seconds = (60..90).map(Duration::from_secs);
        let nexts: Vec<_> = seconds
            .map(|now| {
                starts.changing(now);
                starts.next(now + AGAIN)
            })
            .collect();
        assert!(!nexts.contains(&Next::GiveUp), "{nexts:?}");
    }

    #[test]
    fn files_that_differ_are_named() {
        let files = |of: &[(&str, u64)]| {
            let files = of.iter().map(|(name, size)| (name.into(), (None, *size)));
            files.collect::<Files>()
        };
        let before = files(&[("same", 1), ("changed", 1), ("gone", 1)]);
        let after = files(&[("same", 1), ("changed", 2), ("new", 1)]);
        let expected = ["changed", "new", "gone"].map(PathBuf::from);
        assert_eq!(changed(&before, &after), expected);
    }
}
