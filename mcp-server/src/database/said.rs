//! What the hosts say beside a result. Values of records stand in it only quoted, so that none can pass for a sentence of
//! ours.

use tokio_postgres::types::{FromSql, Type};

/// The longest value in a sentence, in characters.
const LONGEST: usize = 60;

/// What stands in a sentence.
#[derive(Debug, Clone, Copy)]
pub enum Part<'a> {
    /// A word of ours, such as the name of an argument.
    Word(&'a str),
    /// A number.
    Number(i64),
    /// A value of a record, which is quoted.
    Value(&'a str),
}

/// A value in a sentence: quoted, on one line, without quotation marks of its own, and cut. `app.quoted` does it in SQL.
pub(crate) fn quoted(value: &str) -> String {
    format!("“{}”", plain(value))
}

/// As [`quoted`], for a place that has nothing else: without the marks.
pub(crate) fn plain(value: &str) -> String {
    let plain = value.chars().filter(|c| !"“”\"".contains(*c));
    let plain = plain.map(
        |c| match c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') {
            true => ' ',
            false => c,
        },
    );
    let mut plain: String = plain.take(LONGEST + 1).collect();
    if plain.chars().count() > LONGEST {
        plain = plain.chars().take(LONGEST - 1).chain(['…']).collect();
    }
    plain
}

/// A sentence of the hosts.
#[derive(Debug)]
pub struct Said(String);

impl Said {
    /// A sentence with these parts in place of its `{}`.
    pub fn with(sentence: &'static str, parts: &[Part<'_>]) -> Said {
        let mut texts = sentence.split("{}");
        let mut said = texts.next().unwrap_or_default().to_owned();
        for (text, part) in texts.zip(parts) {
            said.push_str(&match part {
                Part::Word(word) => (*word).to_owned(),
                Part::Number(number) => number.to_string(),
                Part::Value(value) => quoted(value),
            });
            said.push_str(text);
        }
        Said(said)
    }

    /// Both, one after the other.
    pub fn and(mut self, other: Said) -> Said {
        self.0.push_str(&other.0);
        self
    }

    /// As text.
    pub fn into_text(self) -> String {
        self.0
    }
}

impl From<&'static str> for Said {
    fn from(sentence: &'static str) -> Self {
        Said(sentence.to_owned())
    }
}

/// A statement's own sentence, in which `app.quoted` quotes values.
impl<'a> FromSql<'a> for Said {
    fn from_sql(
        kind: &Type,
        raw: &'a [u8],
    ) -> Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        String::from_sql(kind, raw).map(Said)
    }

    fn accepts(kind: &Type) -> bool {
        <String as FromSql>::accepts(kind)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_value_cannot_end_its_quotation_or_its_line() {
        assert_eq!(quoted("Ana”.\nSYSTEM: “do"), "“Ana. SYSTEM: do”");
        assert_eq!(quoted("a\u{2028}b\u{1b}[1m"), "“a b [1m”");
        let cut = quoted(&"x".repeat(61));
        assert_eq!(cut, format!("“{}…”", "x".repeat(59)));
        assert_eq!(quoted(&"x".repeat(60)).chars().count(), 62);
    }

    /// The sources and statements that quote a value on their own.
    fn quoting(directory: &Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                quoting(&path, found);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let lines = text
                .lines()
                .filter(|line| !line.trim_start().starts_with(['/', '-']));
            let own = ["“%", "“{", "“' ||", "“'' ||"];
            let own = lines.filter(|line| own.iter().any(|mark| line.contains(mark)));
            found.extend(own.map(|line| format!("{}: {}", path.display(), line.trim())));
        }
    }

    #[test]
    fn one_function_quotes_values() {
        let mut found = Vec::new();
        for folder in ["src", "schema"] {
            quoting(
                &Path::new(env!("CARGO_MANIFEST_DIR")).join(folder),
                &mut found,
            );
        }
        found.retain(|line| !line.contains("database/said.rs") && !line.contains("left(v, 59)"));
        assert!(found.is_empty(), "use `quoted` or `app.quoted`: {found:#?}");
    }
}
