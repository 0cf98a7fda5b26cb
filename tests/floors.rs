//! Imports point down: docs/architecture.md draws the floors of a crate, and no module imports one of its own floor or
//! above it. Nor do files import each other in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The folders whose floors are drawn.
const DRAWN: [&str; 2] = ["mcp-server/src", "tui/src"];

/// The folders whose files import each other in no circle.
const STRAIGHT: [&str; 6] = [
    "mcp-server/embedded/src",
    "mcp-server/postgres/src",
    "mcp-server/src",
    "protocol/src",
    "tui/form/src",
    "tui/src",
];
/// Files that import each other in a circle for a reason.
const TOGETHER: [&str; 10] = [
    // The state of the app holds its screens, layers, services and commands, whose handlers get all of it.
    "app/cx",
    "app/input/command",
    "app/layer",
    "app/screen",
    "app/service",
    "app/shared",
    "app/state",
    // Records whose trees hold each other.
    "work/delivery",
    "work/epic",
    "work/task",
];

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

/// A source without its comments, tests and macros, whose paths are those of who uses them.
fn code(source: &str) -> String {
    let source = source.split("#[cfg(test)]\nmod tests {").next();
    let mut is_macro = false;
    let lines = source.unwrap_or_default().lines().filter(|line| {
        is_macro |= line.contains("macro_rules!");
        let is_code = !is_macro;
        is_macro &= *line != "}";
        is_code
    });
    let code = lines.map(|line| line.split("//").next().unwrap_or_default());
    code.collect::<Vec<_>>().join("\n")
}

/// The modules of its crate that a source names, in `use` or in a path.
fn imports(source: &str) -> BTreeSet<String> {
    let paths = behind("crate::", &code(source), &[]).into_iter();
    let names = paths.filter_map(|path| path.into_iter().next());
    names.filter(|name| !name.is_empty()).collect()
}

/// The paths in code that begin with `start`, which is the module `from`.
fn behind(start: &str, code: &str, from: &[String]) -> BTreeSet<Vec<String>> {
    let mut paths = BTreeSet::new();
    for (at, _) in code.match_indices(start) {
        let before = code[..at].chars().next_back();
        if before.is_none_or(|one| !(one.is_alphanumeric() || one == '_' || one == ':')) {
            read(&code[at + start.len()..], from.to_vec(), &mut paths);
        }
    }
    paths
}

/// Reads a path, or those of a group, behind this one. Returns the length of what it has read.
fn read(code: &str, mut path: Vec<String>, paths: &mut BTreeSet<Vec<String>>) -> usize {
    let mut at = 0;
    loop {
        at += code[at..].len() - code[at..].trim_start().len();
        if code[at..].starts_with('{') {
            while !code[at..].trim_start().starts_with('}') {
                at += 1;
                at += read(&code[at..], path.clone(), paths);
                let Some(next) = code[at..].find([',', '}']) else {
                    return code.len();
                };
                at += next;
            }
            return at + 1;
        }
        let rest = &code[at..];
        let is_other = |one: char| !(one.is_alphanumeric() || one == '_');
        let name = &rest[..rest.find(is_other).unwrap_or(rest.len())];
        at += name.len();
        match name {
            "super" => drop(path.pop()),
            "self" => {}
            _ => path.push(name.to_owned()),
        }
        if !code[at..].starts_with("::") {
            paths.insert(path);
            return at;
        }
        at += 2;
    }
}

/// The files of a folder by their modules, and the modules that each imports, but its own parts.
fn files(folder: &Path) -> BTreeMap<Vec<String>, BTreeSet<Vec<String>>> {
    let mut files = Vec::new();
    add(folder, &mut files);
    let sources = files.into_iter().map(|file| {
        let module = file
            .strip_prefix(folder)
            .expect("a file of it")
            .with_extension("");
        let names = module
            .iter()
            .map(|name| name.to_string_lossy().into_owned());
        let names = names.filter(|name| !["mod", "lib", "main"].contains(&name.as_str()));
        let source = fs::read_to_string(&file).expect("a source");
        (names.collect::<Vec<_>>(), source)
    });
    let sources: BTreeMap<_, _> = sources.collect();
    let imported = sources.iter().map(|(own, source)| {
        let (code, above) = (
            code(source),
            own.split_last().map_or(&[][..], |(_, above)| above),
        );
        let paths = behind("crate::", &code, &[]).into_iter();
        let paths = paths.chain(behind("super::", &code, above));
        let modules = paths.filter_map(|path| {
            let prefixes = (0..=path.len()).rev().map(|length| path[..length].to_vec());
            prefixes
                .into_iter()
                .find(|prefix| sources.contains_key(prefix))
        });
        let others = modules.filter(|module| !module.starts_with(own));
        (own.clone(), others.collect())
    });
    imported.collect()
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    for folder in STRAIGHT {
        let mut files = files(&root().join(folder));
        files.retain(|own, _| !TOGETHER.contains(&own.join("/").as_str()));
        // Neither what imports none of the others nor what none of them imports is in a circle.
        loop {
            let before = files.len();
            let names: BTreeSet<_> = files.keys().cloned().collect();
            files.retain(|_, imported| !imported.is_disjoint(&names));
            let imported: BTreeSet<_> = files.values().flatten().cloned().collect();
            files.retain(|own, _| imported.contains(own));
            if files.len() == before {
                break;
            }
        }
        let circle: Vec<_> = files.keys().map(|own| own.join("/")).collect();
        assert!(circle.is_empty(), "{folder} has circles: {circle:#?}");
    }
}

/// The paths that a page names below these folders; `a/{b, c}` are two.
fn named(page: &str) -> BTreeSet<String> {
    let mut paths = BTreeSet::new();
    for folder in ["tui/", "mcp-server/", "protocol/", "tests/", "docs/"] {
        for (at, _) in page.match_indices(folder) {
            let begins = page[..at].chars().next_back();
            if begins.is_some_and(|one| one.is_alphanumeric() || "/-_.".contains(one)) {
                continue;
            }
            let rest = &page[at..];
            let is_end = |one: char| one.is_whitespace() || "`|│),;:#({".contains(one);
            let path = &rest[..rest.find(is_end).unwrap_or(rest.len())];
            let group = rest[path.len()..].strip_prefix('{');
            let group = group.and_then(|group| group.split_once('}'));
            let names = group.map_or("", |(names, _)| names).split(", ");
            paths.extend(names.map(|name| format!("{path}{name}")));
        }
    }
    paths.retain(|path| !path.contains(['<', '*']));
    paths
}

#[test]
fn each_file_that_the_page_names_is_there() {
    let page = fs::read_to_string(root().join("docs/architecture.md")).expect("the page");
    let named = named(&page);
    assert!(named.len() > 50, "{named:?}");
    let is_missing = |path: &&String| {
        let path = path.trim_end_matches('.');
        let exists = |path: &str| root().join(path).exists();
        !exists(path) && !exists(&format!("{path}.rs"))
    };
    let missing: Vec<_> = named.iter().filter(is_missing).collect();
    assert!(missing.is_empty(), "{missing:?}");
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
                let up = imports(&source).into_iter().filter(|other| {
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

/// The crates, and what each names among its dependencies only to choose its features.
const CRATES: [(&str, &[&str]); 9] = [
    ("mcp-server", &[]),
    ("mcp-server/embedded", &[]),
    ("mcp-server/postgres", &[]),
    ("protocol", &[]),
    ("protocol/derive", &[]),
    ("tests", &[]),
    ("tui", &[]),
    ("tui/client", &["idna_adapter"]),
    ("tui/form", &[]),
];

#[test]
fn every_dependency_of_a_crate_is_used() {
    for (folder, chosen) in CRATES {
        let folder = root().join(folder);
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
        let sections = manifest.split("\n[").filter(|section| {
            let title = section.lines().next().unwrap_or_default();
            title.contains("dependencies]")
        });
        let names = sections.flat_map(|section| section.lines().skip(1));
        let names = names.filter_map(|line| line.split_once(['.', ' ', '=']));
        let mut files = Vec::new();
        walk(&folder, &mut files);
        let sources: Vec<_> = files
            .iter()
            .map(|file| fs::read_to_string(file).expect("a source"))
            .collect();
        let unused: Vec<_> = names
            .map(|(name, _)| name.replace('-', "_"))
            .filter(|name| !name.starts_with('#') && !chosen.contains(&name.as_str()))
            .filter(|name| !sources.iter().any(|source| source.contains(name.as_str())))
            .collect();
        assert!(
            unused.is_empty(),
            "{} does not use {unused:?}",
            folder.display()
        );
    }
}

/// Adds the Rust files of a folder, tests too.
fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            walk(&path, files);
        } else if path.extension().is_some_and(|end| end == "rs") {
            files.push(path);
        }
    }
}

#[test]
fn imports_are_found_in_groups_and_paths_and_not_in_comments() {
    let source = "//! See crate::above.\nuse crate::{one::{a, b}, two, three::c};\nuse crate::four;\n\
                  let x = crate::five::f(); // crate::six\nuse other::{crate_seven, eight};\n";
    let found: Vec<_> = imports(source).into_iter().collect();
    assert_eq!(found, ["five", "four", "one", "three", "two"]);
}
