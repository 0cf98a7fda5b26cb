//! The assignment of keys to commands.

use frontdesk_client::config::Keys;

use super::chord::{Chord, ChordError};
use super::context::Context;

/// Why the keys of a configuration cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeymapError {
    /// The notation of a key is invalid.
    #[error("[keys] {id}: {error}")]
    Chord {
        /// The command.
        id: String,
        /// The error.
        error: ChordError,
    },
    /// The command does not exist.
    #[error("[keys] there is no command `{0}`; docs/keys.md lists them")]
    Unknown(String),
    /// Two commands share a key in the same context.
    #[error("[keys] {key} would run both `{first}` and `{second}`; give one of them another key")]
    Twice {
        /// The key.
        key: String,
        /// The first command.
        first: &'static str,
        /// The second command.
        second: &'static str,
    },
}

/// The default keys of a command, and where they work.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Binding {
    /// The id of the command.
    pub(crate) id: &'static str,
    pub(crate) keys: &'static [&'static str],
    pub(crate) context: &'static Context,
    /// The command of a more general context whose key it overrides.
    pub(crate) over: Option<&'static str>,
}

/// The assignment of keys to commands.
#[derive(Debug, Clone)]
pub(crate) struct Keymap(Vec<(Chord, Binding)>);

impl Keymap {
    /// The default keys, overridden by those of a configuration.
    pub(crate) fn new<'a>(
        bindings: impl Iterator<Item = Binding>,
        overrides: impl IntoIterator<Item = (&'a String, &'a Keys)>,
    ) -> Result<Keymap, KeymapError> {
        let overrides: Vec<_> = overrides.into_iter().collect();
        let bindings: Vec<Binding> = bindings.collect();
        for (id, _) in &overrides {
            if !bindings.iter().any(|binding| binding.id == *id) {
                return Err(KeymapError::Unknown((*id).clone()));
            }
        }
        let mut keymap = Keymap(Vec::new());
        for command in bindings {
            let own = overrides.iter().find(|(id, _)| *id == command.id);
            let keys: Vec<&str> = match own {
                Some((_, keys)) => keys.0.iter().map(String::as_str).collect(),
                None => command.keys.to_vec(),
            };
            for key in keys {
                let chord = key.parse().map_err(|error| KeymapError::Chord {
                    id: command.id.to_owned(),
                    error,
                })?;
                keymap.0.push((chord, command));
            }
        }
        keymap.check()?;
        Ok(keymap)
    }

    fn check(&self) -> Result<(), KeymapError> {
        for (at, (chord, command)) in self.0.iter().enumerate() {
            let twin = self.0[at + 1..].iter().find(|(other, another)| {
                let is_over = command.over == Some(another.id) || another.over == Some(command.id);
                chord == other && !is_over && command.context.overlaps(another.context)
            });
            if let Some((_, another)) = twin {
                return Err(KeymapError::Twice {
                    key: chord.to_string(),
                    first: command.id,
                    second: another.id,
                });
            }
        }
        Ok(())
    }

    /// The id of the command for a key if this is the nearest context.
    pub(crate) fn command(&self, chord: Chord, context: &Context) -> Option<&'static str> {
        let on_key = self.0.iter().filter(|(other, _)| *other == chord);
        let here = on_key.filter_map(|(_, it)| Some((context.distance(it.context)?, it.id)));
        here.min_by_key(|(distance, _)| *distance).map(|(_, id)| id)
    }

    /// The id of a command with this key that can be active together with this context.
    pub(crate) fn taken(&self, chord: Chord, context: &Context) -> Option<&'static str> {
        let mut on_key = self.0.iter().filter(|(other, _)| *other == chord);
        let taken = on_key.find(|(_, it)| it.context.overlaps(context));
        taken.map(|(_, it)| it.id)
    }

    /// The keys of a command, the main one first.
    pub(crate) fn keys(&self, id: &str) -> impl Iterator<Item = Chord> {
        let own = self.0.iter().filter(move |(_, it)| it.id == id);
        own.map(|(chord, _)| *chord)
    }

    /// The key to display for a command: "enter"; empty if it has none.
    pub(crate) fn key(&self, id: &str) -> String {
        self.shown(id, |_| true)
    }

    /// The key to display while text is typed: "ctrl-r" rather than "r".
    pub(crate) fn key_while_typing(&self, id: &str) -> String {
        self.shown(id, |chord| !chord.is_text())
    }

    fn shown(&self, id: &str, is_usable: impl Fn(Chord) -> bool) -> String {
        let mut keys = self.0.iter().filter(|(_, command)| command.id == id);
        keys.find(|(chord, _)| is_usable(*chord))
            .map(|(chord, _)| chord.to_string())
            .unwrap_or_default()
    }
}
