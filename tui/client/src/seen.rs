//! The tools of a server as they were accepted, so that a change is noticed.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::PathBuf;

use serde_json::json;

use crate::lock;
use crate::tool_info::ToolInfo;

/// A tool that is not what it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Its name.
    pub tool: String,
    /// What it was, as text; `None` if it is new.
    pub before: Option<String>,
    /// What it is; `None` if it is gone.
    pub after: Option<String>,
}

/// The accepted tools of one server, in a file. All methods access the disk: call them where blocking
/// is allowed.
#[derive(Debug, Clone)]
pub struct SeenTools {
    path: PathBuf,
}

type Texts = BTreeMap<String, String>;

impl SeenTools {
    /// Those in this file ([`crate::paths::seen_file`]), which is created on demand.
    pub fn new(path: PathBuf) -> Self {
        SeenTools { path }
    }

    /// What is different from the accepted tools, by name. At the first time, all are accepted.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub fn compare(&self, tools: &[ToolInfo]) -> io::Result<Vec<Change>> {
        let now = texts(tools);
        let _lock = lock::lock(&lock::beside(&self.path))?;
        let Some(seen) = self.read()? else {
            self.write(&now)?;
            return Ok(Vec::new());
        };
        Ok(changes(&seen, &now))
    }

    /// Accepts these changes.
    ///
    /// # Errors
    /// As for [`SeenTools::compare`].
    pub fn accept(&self, changes: &[Change]) -> io::Result<()> {
        let _lock = lock::lock(&lock::beside(&self.path))?;
        let mut seen = self.read()?.unwrap_or_default();
        for change in changes {
            match &change.after {
                Some(text) => drop(seen.insert(change.tool.clone(), text.clone())),
                None => drop(seen.remove(&change.tool)),
            }
        }
        self.write(&seen)
    }

    /// `None` without a readable file.
    fn read(&self) -> io::Result<Option<Texts>> {
        match std::fs::read(&self.path) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn write(&self, seen: &Texts) -> io::Result<()> {
        lock::replace(&self.path, &serde_json::to_vec_pretty(seen)?)
    }
}

/// What is different between two lists of tools, by name.
pub fn between(before: &[ToolInfo], after: &[ToolInfo]) -> Vec<Change> {
    changes(&texts(before), &texts(after))
}

fn texts(tools: &[ToolInfo]) -> Texts {
    let tools = tools.iter();
    tools.map(|tool| (tool.name.clone(), text(tool))).collect()
}

fn changes(before: &Texts, after: &Texts) -> Vec<Change> {
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let changes = names.into_iter().map(|name| Change {
        tool: name.clone(),
        before: before.get(name).cloned(),
        after: after.get(name).cloned(),
    });
    changes
        .filter(|change| change.before != change.after)
        .collect()
}

/// What a tool is for its caller, line by line.
fn text(tool: &ToolInfo) -> String {
    let effect = match (tool.read_only, tool.destructive) {
        (true, _) => "reads",
        (false, false) => "writes",
        (false, true) => "writes, and may delete",
    };
    let schema = |schema| serde_json::to_string_pretty(&json!(schema)).unwrap_or_default();
    let mut lines = vec![format!("{}", tool.title.as_deref().unwrap_or(&tool.name))];
    lines.push(effect.to_owned());
    lines.extend(tool.description.clone());
    lines.push(schema(&tool.input_schema));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(name: &str, description: &str) -> ToolInfo {
        ToolInfo {
            description: Some(description.to_owned()),
            ..ToolInfo::form(name, &json!({}))
        }
    }

    #[test]
    fn a_change_stays_until_it_is_accepted() {
        let directory = tempfile::tempdir().expect("a directory");
        let seen = SeenTools::new(directory.path().join("seen/notes.json"));
        let compare = |tools: &[ToolInfo]| seen.compare(tools).expect("it is compared");
        let first = [tool("keep", "a"), tool("gone", "a")];
        assert_eq!(compare(&first), [], "the first time");
        let second = [tool("keep", "b"), tool("new", "a")];
        let changes = compare(&second);
        let kinds: Vec<_> = (changes.iter())
            .map(|it| (it.tool.as_str(), it.before.is_some(), it.after.is_some()))
            .collect();
        assert_eq!(
            kinds,
            [
                ("gone", true, false),
                ("keep", true, true),
                ("new", false, true)
            ]
        );
        seen.accept(&changes[1..2]).expect("it is accepted");
        assert_eq!(compare(&second).len(), 2);
        seen.accept(&changes).expect("they are accepted");
        assert_eq!(compare(&second), []);
    }
}
