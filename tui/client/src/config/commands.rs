//! `[[commands]]`: commands of the user's own, which run a program with the fields of a record.

use serde::Deserialize;
use serde::de::{self, Deserializer};

/// A command that runs a program on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnCommand {
    /// `name`: its title in menus.
    #[serde(deserialize_with = "name")]
    pub name: String,
    /// `key`: a key that runs it, such as `"ctrl-t"`; optional.
    pub key: Option<String>,
    /// `on`: the list with its records, such as `"invoices"` or `"work tasks"`. Default: all lists.
    pub on: Option<String>,
    /// `run`: the program and its arguments.
    #[serde(deserialize_with = "run")]
    pub run: Vec<Argument>,
}

/// An argument: literal text and fields of the record, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Argument(pub Vec<Piece>);

/// A piece of an argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Literal text.
    Text(String),
    /// The value of the field with this name, written `{title}`.
    Field(String),
}

impl Argument {
    /// Reads the notation: `{title}` is a field, `{{` and `}}` are braces.
    ///
    /// # Errors
    /// A brace without its counterpart, or a field without a name.
    pub fn parse(text: &str) -> Result<Argument, String> {
        let mut pieces = Vec::new();
        let mut literal = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            literal.push_str(&rest[..at]);
            let from = &rest[at..];
            if let Some((brace, after)) = ["{{", "}}"]
                .iter()
                .find_map(|pair| Some((&pair[..1], from.strip_prefix(pair)?)))
            {
                literal.push_str(brace);
                rest = after;
                continue;
            }
            let field = from.strip_prefix('{').and_then(|from| from.split_once('}'));
            let is_name = |name: &str| {
                let mut letters = name.chars();
                !name.is_empty() && letters.all(|one| one.is_ascii_alphanumeric() || one == '_')
            };
            let Some((name, after)) = field.filter(|(name, _)| is_name(name)) else {
                return Err(format!(
                    "`{text}`: a field is written {{title}}, and a brace {{{{ or }}}}"
                ));
            };
            if !literal.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut literal)));
            }
            pieces.push(Piece::Field(name.to_owned()));
            rest = after;
        }
        literal.push_str(rest);
        if !literal.is_empty() {
            pieces.push(Piece::Text(literal));
        }
        Ok(Argument(pieces))
    }

    /// The names of its fields.
    pub fn fields(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|piece| match piece {
            Piece::Field(name) => Some(name.as_str()),
            Piece::Text(_) => None,
        })
    }
}

fn name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let name = String::deserialize(deserializer)?;
    match name.trim().is_empty() {
        true => Err(de::Error::custom("a command needs a name")),
        false => Ok(name),
    }
}

fn run<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Argument>, D::Error> {
    let words = Vec::<String>::deserialize(deserializer)?;
    let words = words.iter().map(|word| Argument::parse(word));
    let words: Vec<Argument> = words.collect::<Result<_, _>>().map_err(de::Error::custom)?;
    match words.first().map(|program| program.0.as_slice()) {
        Some([Piece::Text(program)]) if !program.trim().is_empty() => Ok(words),
        Some([]) | None => Err(de::Error::custom(
            "this must begin with a program, as in [\"notify-send\", \"{title}\"]",
        )),
        // What a server sends must not choose the program.
        Some(_) => Err(de::Error::custom(
            "the program must not depend on a record; fields belong in its arguments",
        )),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::Config;
    use super::*;

    fn commands(text: &str) -> Result<Vec<OwnCommand>, String> {
        let config = Config::parse(text, Path::new("config.toml"));
        let config = config.map_err(|error| error.to_string())?;
        Ok(config.commands)
    }

    #[test]
    fn an_argument_is_text_and_fields() {
        let parsed = |text: &str| Argument::parse(text).map(|argument| argument.0);
        let text = |text: &str| Piece::Text(text.to_owned());
        let field = |name: &str| Piece::Field(name.to_owned());
        assert_eq!(parsed("{title}"), Ok(vec![field("title")]));
        let both = vec![text("--to="), field("due_date"), text("!")];
        assert_eq!(parsed("--to={due_date}!"), Ok(both));
        assert_eq!(parsed("{{title}}"), Ok(vec![text("{title}")]));
        assert_eq!(parsed(""), Ok(Vec::new()));
        for wrong in ["{", "}", "{}", "{a b}", "a}b", "{title"] {
            assert!(parsed(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_command_is_read_and_a_mistake_has_its_line() {
        let read = commands(
            "[[commands]]\nname = \"Show\"\nkey = \"ctrl-t\"\non = \"events\"\n\
             run = [\"notify-send\", \"--\", \"{name}\"]\n",
        );
        let read = read.expect("is fine");
        assert_eq!(read[0].name, "Show");
        assert_eq!(read[0].run[2].fields().collect::<Vec<_>>(), ["name"]);
        let cases = [
            ("run = []", "this must begin with a program"),
            (
                "run = [\"{name}\"]",
                "the program must not depend on a record",
            ),
            (
                "run = [\"say\", \"{name\"]",
                "`{name`: a field is written {title}",
            ),
            (
                "run = \"say hello\"",
                "this must be a list such as [\"one\", \"two\"]",
            ),
        ];
        for (line, message) in cases {
            let text = format!("[[commands]]\nname = \"Say\"\n{line}\n");
            let error = commands(&text).expect_err(line);
            assert!(
                error.starts_with("config.toml:3: ") && error.contains(message),
                "{error}"
            );
        }
    }
}
