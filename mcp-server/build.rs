//! Lists the files of the demo and of the schema, so that each of them is part of the binary.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let place = |name| env::var_os(name).map(PathBuf::from).unwrap_or_default();
    let here = place("CARGO_MANIFEST_DIR");
    let demo = here.join("../fixtures/demo");
    println!("cargo::rerun-if-changed={}", demo.display());
    let mut list = String::from("&[");
    for folder in entries(&demo)? {
        let name = folder.file_name().unwrap_or_default();
        list += &format!("({name:?}, &[");
        add(&folder, &demo, &mut list)?;
        list += "]),\n";
    }
    list.push(']');
    fs::write(place("OUT_DIR").join("demo.rs"), list)?;
    for folder in ["schema", "upgrades"] {
        println!("cargo::rerun-if-changed={folder}");
        let mut list = String::from("&[");
        add_sql(&here.join(folder), &here.join(folder), &mut list)?;
        list.push(']');
        fs::write(place("OUT_DIR").join(format!("{folder}.rs")), list)?;
    }
    Ok(())
}

/// Adds the TOML files of a folder and of those in it.
fn add(folder: &Path, demo: &Path, list: &mut String) -> io::Result<()> {
    for path in entries(folder)? {
        if path.is_dir() {
            add(&path, demo, list)?;
        } else if path.extension().is_some_and(|end| end == "toml") {
            let within = Path::new("demo").join(path.strip_prefix(demo).unwrap_or(&path));
            *list += &format!("File {{ path: {within:?}, text: include_str!({path:?}) }},\n");
        }
    }
    Ok(())
}

/// Adds the SQL files of a folder and of those in it, each with its path without `.sql`.
fn add_sql(folder: &Path, root: &Path, list: &mut String) -> io::Result<()> {
    for path in entries(folder)? {
        if path.is_dir() {
            add_sql(&path, root, list)?;
        } else if path.extension().is_some_and(|end| end == "sql") {
            let within = path.strip_prefix(root).unwrap_or(&path).with_extension("");
            let name = within.to_string_lossy().replace('\\', "/");
            *list += &format!("({name:?}, include_str!({path:?})),\n");
        }
    }
    Ok(())
}

/// What is in a folder, in the order of names.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut entries: Vec<_> = entries.collect::<io::Result<_>>()?;
    entries.sort();
    Ok(entries)
}
