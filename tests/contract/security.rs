//! docs/security.md is a table of promises: each names the tests that keep it.

use std::path::{Path, PathBuf};

/// The folder of the tests, or a file in it.
fn tests(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The words in code quotes.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

fn source(path: &Path) -> String {
    if path.is_file() {
        return std::fs::read_to_string(path).unwrap_or_default();
    }
    let files = std::fs::read_dir(path).into_iter().flatten().flatten();
    files.map(|file| source(&file.path())).collect()
}

#[test]
fn each_promise_names_tests_that_there_are() {
    let page = std::fs::read_to_string(tests("../docs/security.md")).expect("the page");
    let all = source(&tests(""));
    let mut rows = 0;
    let is_row = |line: &&str| line.starts_with("| ") && !line.contains("Tested in");
    for row in page.lines().filter(is_row) {
        let cells = row.trim_end_matches(" |").rsplit(" | ");
        let cell = cells.into_iter().next().expect("a cell");
        if cell.contains("unit tests") {
            continue;
        }
        rows += 1;
        let (files, names): (Vec<_>, Vec<_>) = quoted(cell).partition(|it| it.contains(['/', '.']));
        assert!(!files.is_empty(), "no test: {row}");
        for file in files {
            let path = [tests(file), tests("..").join(file)];
            assert!(path.iter().any(|it| it.exists()), "no {file}: {row}");
        }
        for name in names {
            assert!(
                all.contains(&format!("fn {name}(")),
                "no test {name}: {row}"
            );
        }
    }
    assert!(rows > 40, "{rows}");
}
