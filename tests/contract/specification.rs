//! docs/specification.md: its tables of tools against the declarations, and its sections against the comments that cite
//! them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use frontdesk_protocol::{Declaration, Host};
use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn page() -> String {
    fs::read_to_string(root().join("docs/specification.md")).expect("the page")
}

/// A row of a table: the number of its section, and its cells.
struct Row<'a> {
    section: &'a str,
    cells: Vec<&'a str>,
}

impl<'a> Row<'a> {
    /// The tool of the row, if it is a row of a table of tools.
    fn tool(&self) -> Option<&'a str> {
        match self.cells[..] {
            [tool, _, _, _, _] if self.section.starts_with("4.") => unquoted(tool),
            _ => None,
        }
    }
}

fn unquoted(cell: &str) -> Option<&str> {
    cell.strip_prefix('`')?.strip_suffix('`')
}

/// The number at the beginning of a heading or a point: 4.3 of `### 4.3 Events`.
fn number(line: &str) -> Option<&str> {
    let title = line.trim_start_matches('#').trim_start();
    let number = title.split(' ').next()?.trim_end_matches('.');
    number.starts_with(char::is_numeric).then_some(number)
}

fn rows(page: &str) -> Vec<Row<'_>> {
    let mut section = "";
    let mut rows = Vec::new();
    for line in page.lines() {
        if line.starts_with('#') {
            section = number(line).unwrap_or(section);
        } else if let Some(inner) = line.strip_prefix('|') {
            let inner = inner.trim_end().trim_end_matches('|');
            let cells = inner.split('|').map(str::trim).collect();
            rows.push(Row { section, cells });
        }
    }
    rows
}

/// The section with the host's tools.
fn section(host: Host) -> &'static str {
    match host {
        Host::Events => "4.3",
        Host::Learn => "4.4",
        Host::Work => "4.5",
        _ => "4.2",
    }
}

/// The type of an argument in the words of the page.
fn kind(schema: &Value) -> &'static str {
    let name = match &schema["type"] {
        Value::Array(types) => types[0].as_str(),
        name => name.as_str(),
    };
    match (name.expect("a type"), schema["format"].as_str()) {
        ("string", Some("uuid")) => "id",
        ("string", Some("date")) => "date",
        ("string", Some("date-time")) => "time",
        ("string", Some("uri")) => "address",
        ("string", _) if schema["enum"].is_array() => "word",
        ("string", _) => "text",
        ("integer", _) => "integer",
        ("number", _) => "number",
        ("boolean", _) => "boolean",
        ("object", _) => "object",
        ("array", _) => match kind(&schema["items"]) {
            "id" => "list of ids",
            "text" => "list of texts",
            "address" => "list of addresses",
            "object" => "list of objects",
            other => panic!("the page has no name for a list of {other}"),
        },
        (other, _) => panic!("the page has no name for {other}"),
    }
}

/// How the page can write an argument: in the short form that it explains, and with type and range.
fn forms(name: &str, schema: &Value) -> [String; 2] {
    let kind = kind(schema);
    let implied = match name == "id" || name.ends_with("_id") {
        true => "id",
        false => "text",
    };
    let default = match schema.get("default") {
        None => String::new(),
        Some(Value::String(word)) => format!(" = {word}"),
        Some(other) => format!(" = {other}"),
    };
    let bound = |key: &str| schema.get(key).map_or(String::new(), Value::to_string);
    let range = format!("{}..{}", bound("minimum"), bound("maximum"));
    let ranged = match range.as_str() {
        ".." => format!("`{name}` {kind}{default}"),
        range => format!("`{name}` {kind} {range}{default}"),
    };
    let shortened = match ranged.as_str() {
        "`limit` integer 1..100 = 50" | "`offset` integer 0.. = 0" => format!("`{name}`"),
        _ if kind == implied => format!("`{name}`{default}"),
        _ => format!("`{name}` {kind}{default}"),
    };
    [shortened, ranged]
}

/// What is wrong with the arguments in a cell: those of a tool that are required, or those that are not.
fn compare(tool: &Declaration, required: bool, cell: &str) -> Vec<String> {
    let schema = tool.input_schema();
    let names = schema["required"].as_array();
    let arguments = schema["properties"].as_object().into_iter().flatten();
    let arguments = arguments.filter(|(name, _)| {
        let name = Value::from(name.as_str());
        names.is_some_and(|names| names.contains(&name)) == required
    });
    let mut stated: BTreeSet<_> = cell.split(", ").filter(|one| !one.is_empty()).collect();
    let mut wrong = Vec::new();
    for (name, schema) in arguments {
        let forms = forms(name, schema);
        if !forms.iter().any(|form| stated.remove(form.as_str())) {
            wrong.push(format!("{tool:?} lacks {}", forms.join(" or ")));
        }
    }
    wrong.extend(stated.iter().map(|one| format!("{tool:?} has no {one}")));
    wrong
}

#[test]
fn the_tables_have_each_specified_tool_with_its_arguments() {
    let page = page();
    let rows = rows(&page);
    let mut rows: Vec<_> = rows.iter().filter(|row| row.tool().is_some()).collect();
    let mut wrong = Vec::new();
    let tools = Host::ALL.into_iter().flat_map(Host::tools);
    for tool in tools.filter(|tool| tool.is_specified()) {
        let found = rows
            .iter()
            .position(|row| row.tool() == Some(tool.name) && row.section == section(tool.host));
        let Some(found) = found else {
            wrong.push(format!("{tool:?} has no row in {}", section(tool.host)));
            continue;
        };
        let cells = &rows.remove(found).cells;
        wrong.extend(compare(tool, true, cells[1]));
        wrong.extend(compare(tool, false, cells[2]));
    }
    let left = rows.iter().filter_map(|row| row.tool());
    wrong.extend(left.map(|name| format!("{name} is not a specified tool of its section")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_words_of_each_argument_are_listed() {
    let page = page();
    let rows = rows(&page);
    let rows = rows.iter().filter(|row| row.section == "2");
    let listed: BTreeSet<_> = rows
        .filter_map(|row| match row.cells[..] {
            [field, _, words] => Some((unquoted(field)?, words)),
            _ => None,
        })
        .collect();
    let tools = Host::ALL.into_iter().flat_map(Host::tools);
    for tool in tools.filter(|tool| tool.is_specified()) {
        let schema = tool.input_schema();
        for (name, argument) in schema["properties"].as_object().into_iter().flatten() {
            let Some(words) = argument["enum"].as_array() else {
                continue;
            };
            let words = words.iter().filter_map(Value::as_str);
            let words: Vec<_> = words.map(|word| format!("`{word}`")).collect();
            let words = words.join(", ");
            assert!(
                listed.contains(&(name.as_str(), words.as_str())),
                "{tool:?}: no row for the words of {name}: {words}"
            );
        }
    }
}

/// The sections of the page, and the points of their numbered lists: 4, 4.5, 5.4.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut section = "";
    let mut anchors = BTreeSet::new();
    for line in page.lines() {
        let Some(number) = number(line) else { continue };
        if line.starts_with('#') {
            section = number;
            anchors.insert(number.to_owned());
        } else {
            anchors.insert(format!("{section}.{number}"));
        }
    }
    anchors
}

/// The Rust and SQL files of a folder.
fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.ends_with("node_modules") && !path.ends_with("target") {
            sources(&path, files);
        } else if path
            .extension()
            .is_some_and(|end| end == "rs" || end == "sql")
        {
            files.push(path);
        }
    }
}

/// The sections that the comments of a source cite, except those of an RFC: "sections 1, 4.2 and 5" are three.
fn citations(source: &str) -> Vec<String> {
    let mut comments = String::new();
    for line in source.lines().map(str::trim_start) {
        if line.starts_with("//") || line.starts_with("--") {
            comments.push_str(line.trim_start_matches(['/', '!', '-']));
        }
        comments.push(' ');
    }
    let words: Vec<_> = comments.split_whitespace().collect();
    let mut cited = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let is_section = ["section", "sections"].contains(&word.to_lowercase().as_str());
        let is_foreign = words[at.saturating_sub(2)..at]
            .iter()
            .any(|word| word.ends_with("RFC"));
        if !is_section || is_foreign {
            continue;
        }
        for word in &words[at + 1..] {
            let bare = word.trim_end_matches([',', '.', ':', ';', ')']);
            if bare.starts_with(char::is_numeric) {
                cited.push(bare.to_owned());
            }
            let goes_on = *word == bare || word.ends_with(',');
            if !goes_on || !(bare.starts_with(char::is_numeric) || ["and", "to"].contains(&bare)) {
                break;
            }
        }
    }
    cited
}

#[test]
fn each_cited_section_exists() {
    let anchors = anchors(&page());
    let mut files = Vec::new();
    for folder in ["protocol", "mcp-server", "tui", "tests"] {
        sources(&root().join(folder), &mut files);
    }
    let mut all = BTreeSet::new();
    for file in files {
        let source = fs::read_to_string(&file).expect("a source");
        for cited in citations(&source) {
            assert!(
                anchors.contains(&cited),
                "{}: docs/specification.md has no section {cited}",
                file.display()
            );
            all.insert(cited);
        }
    }
    assert!(!all.is_empty(), "no comment cites a section");
}
