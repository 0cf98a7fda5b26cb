//! The functions of the schema's files. Each has one place, and is replaced in a database if its text has changed.

use std::sync::LazyLock;

use sha2::{Digest, Sha256};

use super::files::files;

/// A function, or a procedure.
#[derive(Debug)]
pub(super) struct Function {
    /// Its name, and its arguments without defaults, as `drop routine` takes them.
    pub(super) declaration: String,
    /// Changes with its text.
    pub(super) digest: String,
    /// The statement that creates or replaces it.
    pub(super) sql: String,
    /// Whether a table needs it.
    pub(super) is_of_tables: bool,
}

/// All functions of this program.
pub(super) struct Functions {
    /// In the order of the files.
    pub(super) all: Vec<Function>,
    /// The statements that grant their execution.
    pub(super) grants: Vec<&'static str>,
    /// Changes with any of them.
    pub(super) digest: String,
}

const CREATE: [&str; 2] = ["create function ", "create procedure "];
/// The procedure that creates a function which looks up records: `work.find_tasks` for `work.tasks`.
const FINDER: &str = "call app.make_searchable('";

/// The functions of the files.
pub(super) static FUNCTIONS: LazyLock<Functions> = LazyLock::new(|| {
    let mut all: Vec<Function> = Vec::new();
    let mut grants = Vec::new();
    // What a call creates depends on the procedure, too.
    let mut procedures = String::new();
    for file in files() {
        for statement in statements(file.text) {
            if statement.starts_with("grant execute on function") {
                grants.push(statement);
            }
            let function = match statement.strip_prefix(FINDER) {
                Some(rest) => finder(rest).map(|declaration| {
                    (
                        declaration,
                        format!("{procedures}{statement}"),
                        statement.to_owned(),
                    )
                }),
                None => {
                    let created = CREATE
                        .iter()
                        .find_map(|start| statement.strip_prefix(start));
                    created.map(|rest| {
                        let replacing = statement.replacen("create ", "create or replace ", 1);
                        (declaration(rest), statement.to_owned(), replacing)
                    })
                }
            };
            if statement.starts_with(CREATE[1]) {
                procedures += statement;
            }
            all.extend(function.map(|(declaration, text, sql)| Function {
                declaration,
                digest: digest([&*text]),
                sql,
                is_of_tables: file.is_of_tables(),
            }));
        }
    }
    let parts = all.iter().flat_map(|one| [&*one.declaration, &*one.digest]);
    let digest = digest(parts.chain(grants.iter().copied()));
    Functions {
        all,
        grants,
        digest,
    }
});

/// A digest that other versions of this program compare: it stays the same.
fn digest<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part.as_bytes());
        hasher.update([0]);
    }
    let bytes = hasher.finalize();
    bytes
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// The declaration of the finder that a call creates; `call` begins with the name of the table.
fn finder(call: &str) -> Option<String> {
    let (table, _) = call.split_once('\'')?;
    let (schema, records) = table.split_once('.')?;
    Some(format!("{schema}.find_{records}(search text)"))
}

/// The name and the arguments of a function, without defaults.
fn declaration(definition: &str) -> String {
    let (name, rest) = definition.split_once('(').unwrap_or((definition, ""));
    let mut arguments = vec![String::new()];
    let mut depth = 0;
    for character in rest.chars() {
        match character {
            ')' if depth == 0 => break,
            ',' if depth == 0 => {
                arguments.push(String::new());
                continue;
            }
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if let Some(argument) = arguments.last_mut() {
            argument.push(character);
        }
    }
    let arguments = arguments.iter().map(|argument| {
        let words: Vec<_> = argument.split_whitespace().collect();
        let end = words.iter().position(|word| *word == "default");
        words[..end.unwrap_or(words.len())].join(" ")
    });
    format!(
        "{}({})",
        name.trim(),
        arguments.collect::<Vec<_>>().join(", ")
    )
}

/// The statements of a file, without the comments before them.
fn statements(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let mut statements = Vec::new();
    let (mut at, mut start) = (0, 0);
    // Within `begin atomic … end`, with the `case … end` in it.
    let mut depth = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        match bytes[at] {
            b'-' if rest.starts_with("--") => at += rest.find('\n').unwrap_or(rest.len()),
            b'\'' => at += 1 + quoted(&rest[1..]),
            b'$' => at += dollar_quoted(rest),
            b';' if depth == 0 => {
                at += 1;
                statements.push(without_comments(&text[start..at]));
                start = at;
            }
            byte if byte.is_ascii_alphabetic() || byte == b'_' => {
                let is_word =
                    |character: char| character.is_ascii_alphanumeric() || character == '_';
                let word = rest
                    .split(|character| !is_word(character))
                    .next()
                    .unwrap_or(rest);
                match word {
                    "atomic" => depth = 1,
                    "case" if depth > 0 => depth += 1,
                    "end" if depth > 0 => depth -= 1,
                    _ => {}
                }
                at += word.len();
            }
            // The rest of a character is skipped with it.
            _ => at += rest.chars().next().map_or(1, char::len_utf8),
        }
    }
    statements
}

/// The length of a quoted text after its first quotation mark, with the last one.
fn quoted(text: &str) -> usize {
    let mut from = 0;
    while let Some(at) = text[from..].find('\'') {
        from += at + 1;
        if !text[from..].starts_with('\'') {
            return from;
        }
        from += 1;
    }
    text.len()
}

/// The length of a text in `$$` or `$tag$`; 1 if it is only a sign.
fn dollar_quoted(text: &str) -> usize {
    let Some(end) = text[1..].find('$') else {
        return 1;
    };
    let tag = &text[..end + 2];
    let is_tag = tag[1..=end]
        .bytes()
        .all(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    match text[tag.len()..].find(tag) {
        Some(length) if is_tag => length + 2 * tag.len(),
        _ => 1,
    }
}

fn without_comments(statement: &str) -> &str {
    let mut rest = statement.trim_start();
    while rest.starts_with("--") {
        rest = rest
            .split_once('\n')
            .map_or("", |(_, after)| after.trim_start());
    }
    rest
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_function_is_defined_once() {
        let mut seen = BTreeSet::new();
        for function in &FUNCTIONS.all {
            let declaration = &function.declaration;
            assert!(seen.insert(declaration), "{declaration} is defined twice");
        }
        // Every file was read to its end.
        let named = files().flat_map(|file| file.text.lines());
        let named = named.filter(|line| {
            line.starts_with(FINDER) || CREATE.iter().any(|start| line.starts_with(start))
        });
        assert_eq!(named.count(), seen.len());
    }

    #[test]
    fn a_statement_ends_outside_of_texts_bodies_and_comments() {
        let text = "-- One; two.\ncreate function a() returns text begin atomic select case 1 when 1 then ';' end; end;\n\
             do $x$ select $$;$$; $x$;\nselect '''; ' -- ;\n;";
        let found = statements(text);
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[0].starts_with("create function") && found[0].ends_with("end; end;"));
        assert!(found[1].ends_with("$x$;"));
    }

    #[test]
    fn a_declaration_has_no_defaults() {
        let definition = "app.a(\n  of regclass, x text default coalesce('a, b', null),\n  out y text[]) returns void";
        assert_eq!(
            declaration(definition),
            "app.a(of regclass, x text, out y text[])"
        );
        assert_eq!(declaration("app.b() returns text"), "app.b()");
    }
}
