//! What the machine is made up with: the one place that knows all screens, layers and commands.

use crate::app::command::Registry;
use crate::app::keys::KeymapError;
use crate::app::shared::Parts;
use crate::screens::home::Home;
use crate::screens::sign_in::SignIn;
use crate::{commands, door, layers, screens};

/// The machine's screens and layers.
pub(crate) const PARTS: Parts = Parts {
    commands: COMMANDS,
    services: &[door::SERVICE],
    home: || Box::new(Home::default()),
    sign_in: |email, reason| Box::new(SignIn::new(email, reason)),
};

/// All commands, by area. Earlier ones come first in the footer.
pub(crate) const COMMANDS: Registry = Registry(&[
    screens::check_in::COMMANDS,
    screens::home::COMMANDS,
    screens::events::event::LIST_COMMANDS,
    screens::events::event::COMMANDS,
    screens::events::guest::COMMANDS,
    screens::form::COMMANDS,
    screens::sign_in::COMMANDS,
    layers::palette::COMMANDS,
    layers::recall::COMMANDS,
    layers::help::COMMANDS,
    layers::confirm::COMMANDS,
    layers::export::COMMANDS,
    layers::typed::COMMANDS,
    layers::prompt::COMMANDS,
    layers::picker::COMMANDS,
    layers::presets::COMMANDS,
    screens::work::series::LIST_COMMANDS,
    screens::work::series::COMMANDS,
    screens::work::plan::COMMANDS,
    screens::tools::COMMANDS,
    screens::tools::call::COMMANDS,
    screens::tools::answer::COMMANDS,
    screens::tools::history::COMMANDS,
    commands::IN_LISTS,
    commands::COMMANDS,
    screens::work::plan::EVERYWHERE,
    screens::tools::EVERYWHERE,
    screens::tools::history::EVERYWHERE,
    screens::log::EVERYWHERE,
]);

/// The key reference: `docs/keys.md` as text.
///
/// # Errors
/// Two commands come with one key, which a test rules out.
pub fn key_reference() -> Result<String, KeymapError> {
    COMMANDS.reference()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::keys::Keymap;

    #[test]
    fn no_key_runs_two_commands_in_one_place() {
        Keymap::new(COMMANDS, []).expect("every key runs one command");
    }

    #[test]
    fn no_two_commands_have_one_name() {
        let mut ids: Vec<_> = COMMANDS.all().map(|command| command.id).collect();
        ids.sort_unstable();
        let all = ids.len();
        ids.dedup();
        assert_eq!(ids.len(), all);
    }

    #[test]
    fn the_key_reference_is_current() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/keys.md");
        let reference = key_reference().expect("is written");
        if std::env::var_os("UPDATE_REFERENCE").is_some() {
            std::fs::write(path, &reference).expect("is written");
        }
        let current = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            current == reference,
            "docs/keys.md is out of date; UPDATE_REFERENCE=1 cargo test -p frontdesk writes it"
        );
    }
}
