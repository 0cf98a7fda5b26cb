//! Imports point down: docs/architecture.md draws the floors of a crate, and no module imports one of its own floor or
//! above it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The folders whose floors are drawn.
const DRAWN: [&str; 2] = ["mcp-server/src", "tui/src"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The floor of each module as drawn, counted from the top.
fn floors(folder: &str) -> BTreeMap<String, usize> {
    let page = fs::read_to_string(root().join("docs/architecture.md")).expect("the page");
    let begin = format!("```floors {folder}\n");
    let (_, drawing) = page.split_once(&begin).expect("a drawing of its floors");
    let (drawing, _) = drawing.split_once("```").expect("its end");
    let floors = drawing.lines().enumerate();
    floors
        .flat_map(|(floor, line)| {
            line.split_whitespace()
                .map(move |name| (name.to_owned(), floor))
        })
        .collect()
}

/// The files of each module of a folder; the roots of its crates are left out.
fn modules(folder: &Path) -> BTreeMap<String, Vec<PathBuf>> {
    let mut modules = BTreeMap::<_, Vec<_>>::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().expect("a name").to_string_lossy();
        if !["lib", "main"].contains(&&*name) {
            add(&path, modules.entry(name.into_owned()).or_default());
        }
    }
    modules
}

/// Adds a Rust file, or those of a folder, but tests: they look down on everything.
fn add(path: &Path, files: &mut Vec<PathBuf>) {
    if path.file_stem().is_some_and(|name| name == "tests") {
        return;
    }
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("a folder") {
            add(&entry.expect("an entry").path(), files);
        }
    } else if path.extension().is_some_and(|end| end == "rs") {
        files.push(path.to_owned());
    }
}

/// The modules of its crate that a source names, in `use` or in a path.
fn imports(source: &str) -> BTreeSet<String> {
    let code = source
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default());
    let code = code.collect::<Vec<_>>().join("\n");
    let paths = code.split("crate::").skip(1);
    paths.flat_map(first_names).collect()
}

/// The first name of a path, or of each path of a group.
fn first_names(path: &str) -> Vec<String> {
    let name = |text: &str| {
        let is_other = |one: char| !(one.is_alphanumeric() || one == '_');
        text.trim_start()
            .split(is_other)
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let Some(group) = path.strip_prefix('{') else {
        return vec![name(path)];
    };
    let mut names = vec![name(group)];
    let mut depth = 1;
    for (at, one) in group.char_indices() {
        match one {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => names.push(name(&group[at + 1..])),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

#[test]
fn no_import_points_up() {
    for folder in DRAWN {
        let floors = floors(folder);
        let modules = modules(&root().join(folder));
        let drawn: Vec<_> = floors.keys().collect();
        let there: Vec<_> = modules.keys().collect();
        assert_eq!(drawn, there, "the drawing of {folder} has its modules");
        let mut upwards = Vec::new();
        for (module, files) in &modules {
            for file in files {
                let source = fs::read_to_string(file).expect("a source");
                let source = source
                    .split("#[cfg(test)]\nmod tests {")
                    .next()
                    .unwrap_or_default();
                let up = imports(source).into_iter().filter(|other| {
                    other != module
                        && floors
                            .get(other)
                            .is_some_and(|floor| *floor <= floors[module])
                });
                upwards.extend(up.map(|other| format!("{} imports {other}", file.display())));
            }
        }
        assert!(upwards.is_empty(), "not below: {upwards:#?}");
    }
}

#[test]
fn imports_are_found_in_groups_and_paths_and_not_in_comments() {
    let source = "//! See crate::above.\nuse crate::{one::{a, b}, two, three::c};\nuse crate::four;\n\
                  let x = crate::five::f(); // crate::six\nuse other::{crate_seven, eight};\n";
    let found: Vec<_> = imports(source).into_iter().collect();
    assert_eq!(found, ["five", "four", "one", "three", "two"]);
}
