//! Files of a server that is being written: when one changes, the server is started again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tokio::task::spawn_blocking;

use crate::app::reporter::Reporter;

/// How often the files are looked at. A change is over when they are the same twice.
const AGAIN: Duration = Duration::from_millis(300);
/// The maximum number of files that are looked at.
const MOST: usize = 10_000;
/// Directories that programs write into when they start.
const WRITTEN: [&str; 3] = ["__pycache__", "node_modules", "target"];

/// When each file was changed, and its size.
type Files = BTreeMap<PathBuf, (Option<SystemTime>, u64)>;

/// Reports each change of these files and directories, while `goes_on`.
pub(super) async fn watch(
    paths: Vec<PathBuf>,
    goes_on: impl Fn() -> bool,
    server: String,
    reporter: Reporter,
) {
    let mut known = look(&paths).await;
    let mut last = known.clone();
    while goes_on() {
        tokio::time::sleep(AGAIN).await;
        let now = look(&paths).await;
        if now == last && now != known {
            known = now;
            reporter.edited(&server);
        } else {
            last = now;
        }
    }
}

async fn look(paths: &[PathBuf]) -> Files {
    let paths = paths.to_vec();
    spawn_blocking(move || files(&paths))
        .await
        .unwrap_or_default()
}

/// The files at these paths, without hidden ones and those that programs write when they start.
fn files(paths: &[PathBuf]) -> Files {
    let mut found = Files::new();
    let mut open = paths.to_vec();
    while let Some(path) = open.pop()
        && found.len() < MOST
    {
        // What is gone is a change, too.
        let Ok(about) = std::fs::metadata(&path) else {
            continue;
        };
        if about.is_dir() {
            let inside = std::fs::read_dir(&path).into_iter().flatten().flatten();
            open.extend(inside.map(|it| it.path()).filter(|it| is_source(it)));
        } else {
            found.insert(path, (about.modified().ok(), about.len()));
        }
    }
    found
}

fn is_source(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // A link can lead back to a directory above.
    let leads_away = path.is_symlink() && path.is_dir();
    !name.starts_with('.') && !WRITTEN.contains(&&*name) && !leads_away
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
        ] {
            write(name, text);
            assert_eq!(look() != before, is_noticed, "{name}");
            before = look();
        }
        std::fs::remove_file(root.join("src/new.py")).expect("it is removed");
        assert_ne!(look(), before);
        assert_eq!(files(&[root.join("missing")]), Files::new());
    }
}
