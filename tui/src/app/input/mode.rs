//! Read-only mode.

use super::keys::Keymap;

/// Whether writes to hosts and servers are allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Mode {
    /// Everything that the account is permitted to do.
    #[default]
    ReadWrite,
    /// Read-only until the user switches back.
    ReadOnly,
    /// Read-only while the app runs, by a start option.
    AlwaysReadOnly,
}

impl Mode {
    /// The initial mode.
    pub(crate) fn of(must_read_only: bool) -> Self {
        match must_read_only {
            true => Mode::AlwaysReadOnly,
            false => Mode::ReadWrite,
        }
    }

    /// Whether writes are forbidden.
    pub(crate) fn is_read_only(self) -> bool {
        self != Mode::ReadWrite
    }

    /// The mode after switching.
    pub(crate) fn turned(self) -> Self {
        match self {
            Mode::ReadWrite => Mode::ReadOnly,
            Mode::ReadOnly => Mode::ReadWrite,
            Mode::AlwaysReadOnly => Mode::AlwaysReadOnly,
        }
    }

    /// Why a write is unavailable, and what to do.
    pub(crate) fn way_out(self, keymap: &Keymap) -> String {
        match self {
            Mode::AlwaysReadOnly => "the app was started with --read-only".to_owned(),
            _ => {
                let key = keymap.key_while_typing("app.read_only");
                format!("read-only mode is on; {key} turns it off")
            }
        }
    }
}
