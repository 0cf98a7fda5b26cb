//! The check of the commands of the user's own: their kinds, fields and keys.

use frontdesk_client::Config;

use crate::app::input::chord::Chord;
use crate::app::input::keys::Keymap;
use crate::app::settings::OwnCommand;
use crate::records::contexts::RECORDS;
use crate::records::kind::{self, Kind};

/// The commands of a configuration.
///
/// # Errors
/// An unknown list or field, or a key that is invalid or taken.
pub(super) fn own_commands(config: &Config, keymap: &Keymap) -> Result<Vec<OwnCommand>, String> {
    let mut all: Vec<OwnCommand> = Vec::new();
    for command in &config.commands {
        let wrong = |why: String| format!("“{}”: {why}", command.name);
        let kinds = match &command.on {
            Some(list) => kinds(list).map_err(wrong)?,
            None => Vec::new(),
        };
        for field in command.run.iter().flat_map(|argument| argument.fields()) {
            check_field(field, &kinds).map_err(wrong)?;
        }
        let kinds: Vec<_> = kinds
            .into_iter()
            .map(|kind| (kind.peer.clone(), kind.id.clone()))
            .collect();
        let key = match &command.key {
            Some(key) => Some(key.parse().map_err(|error| wrong(format!("{error}")))?),
            None => None,
        };
        if let Some(chord) = key {
            check_key(chord, keymap).map_err(wrong)?;
            let is_common = |one: &&OwnCommand| {
                let shares = |(peer, id): &(_, String)| one.is_for(peer, id);
                kinds.is_empty() || one.kinds.is_empty() || kinds.iter().any(shares)
            };
            let mut others = all.iter().filter(|one| one.key == Some(chord));
            if let Some(other) = others.find(is_common) {
                return Err(wrong(format!("{chord} runs “{}” already", other.name)));
            }
        }
        all.push(OwnCommand {
            name: command.name.clone(),
            key,
            kinds,
            run: command.run.clone(),
        });
    }
    Ok(all)
}

/// The kinds whose list has this name: `invoices`, or `work tasks` at one host.
fn kinds(list: &str) -> Result<Vec<&'static Kind>, String> {
    let named =
        |kind: &&Kind| kind.many == list || format!("{} {}", kind.peer.name(), kind.many) == list;
    let kinds: Vec<_> = kind::all().iter().filter(named).collect();
    match kinds.is_empty() {
        true => Err(format!(
            "there is no list `{list}`; write it as the palette does, such as \"invoices\", or \
             with its host as in \"work tasks\""
        )),
        false => Ok(kinds),
    }
}

fn check_field(field: &str, kinds: &[&Kind]) -> Result<(), String> {
    let lacks = kinds.iter().find(|kind| kind.field(field).is_none());
    match lacks {
        None => Ok(()),
        Some(kind) => {
            let fields: Vec<&str> = kind.fields.iter().map(|one| one.name.as_str()).collect();
            Err(format!(
                "{} have no field `{field}`; they have {}",
                kind.many,
                fields.join(", ")
            ))
        }
    }
}

/// Whether no command of a records screen has this key.
fn check_key(chord: Chord, keymap: &Keymap) -> Result<(), String> {
    match keymap.taken(chord, &RECORDS) {
        None => Ok(()),
        Some(id) => Err(format!(
            "{chord} already runs `{id}`; choose another key, or give that one another in [keys]"
        )),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::shell::parts;

    fn check(text: &str) -> Result<Vec<OwnCommand>, String> {
        let config = Config::parse(text, Path::new("config.toml")).expect("is read");
        let keymap = Keymap::new(parts::COMMANDS.bindings(), &config.keys).expect("is fine");
        own_commands(&config, &keymap)
    }

    fn one(lines: &str) -> Result<Vec<OwnCommand>, String> {
        check(&format!("[[commands]]\nname = \"Say\"\n{lines}\n"))
    }

    #[test]
    fn lists_and_fields_that_do_not_exist_are_named() {
        let fine = one("on = \"work tasks\"\nrun = [\"say\", \"{name}\"]").expect("is fine");
        assert_eq!(fine[0].kinds.len(), 1);
        let list = one("on = \"taskz\"\nrun = [\"say\"]").expect_err("no such list");
        assert!(list.contains("“Say”: there is no list `taskz`"), "{list}");
        let field = one("on = \"invoices\"\nrun = [\"say\", \"{titel}\"]").expect_err("no field");
        let expected = "invoices have no field `titel`; they have id, ";
        assert!(field.contains(expected), "{field}");
    }

    #[test]
    fn a_key_runs_one_command() {
        let taken = one("key = \"e\"\nrun = [\"say\"]").expect_err("is taken");
        assert!(
            taken.contains("e already runs `record.edit`; choose another key"),
            "{taken}"
        );
        assert!(one("key = \"entr\"\nrun = [\"say\"]").is_err());
        let twice = |on: &str| {
            check(&format!(
                "[[commands]]\nname = \"A\"\non = \"invoices\"\nkey = \"ctrl-t\"\nrun = [\"a\"]\n\
                 [[commands]]\nname = \"B\"\non = \"{on}\"\nkey = \"ctrl-t\"\nrun = [\"b\"]\n"
            ))
        };
        assert!(twice("projects").is_ok());
        assert_eq!(
            twice("invoices").expect_err("twice"),
            "“B”: ctrl-t runs “A” already"
        );
    }
}
