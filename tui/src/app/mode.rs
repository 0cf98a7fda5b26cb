//! Whether anything may be changed.

use super::keys::Keymap;

/// Whether anything may be changed at a host or server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Mode {
    /// Everything that the account may.
    #[default]
    ReadWrite,
    /// Nothing, until the person allows it again.
    ReadOnly,
    /// Nothing as long as the app runs: it was started so.
    AlwaysReadOnly,
}

impl Mode {
    /// The mode that the app is started in.
    pub(crate) fn of(must_read_only: bool) -> Self {
        match must_read_only {
            true => Mode::AlwaysReadOnly,
            false => Mode::ReadWrite,
        }
    }

    /// Whether nothing may be changed.
    pub(crate) fn is_read_only(self) -> bool {
        self != Mode::ReadWrite
    }

    /// The other one.
    pub(crate) fn turned(self) -> Self {
        match self {
            Mode::ReadWrite => Mode::ReadOnly,
            Mode::ReadOnly => Mode::ReadWrite,
            Mode::AlwaysReadOnly => Mode::AlwaysReadOnly,
        }
    }

    /// Why something that writes cannot be done, and what would help.
    pub(crate) fn way_out(self, keymap: &Keymap) -> String {
        match self {
            Mode::AlwaysReadOnly => "the app was started to read only".to_owned(),
            _ => {
                let key = keymap.key_while_typing("app.read_only");
                format!("it is read-only now; {key} allows to write")
            }
        }
    }
}
