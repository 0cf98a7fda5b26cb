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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::Driver;
    use crate::testing::{FakeHost, account, app};

    /// How one gets to screens on which something can be written.
    const SCREENS: [&[&str]; 6] = [
        &[],
        &["home.check_in"],
        &["home.open_event"],
        &["home.open_event", "event.open_row"],
        &["home.series"],
        &["home.series", "series.open"],
    ];

    /// Tools that screens call only to preview what they would do; applying is another request.
    const PREVIEWED: [&str; 3] = [
        "remove_meeting_series",
        "promote_occurrence_to_standalone",
        "merge_meetings",
    ];

    async fn at(host: &FakeHost, way: &[&str]) -> Driver {
        let mut app = app(host, Some(account()), (120, 40));
        app.state_mut().shared.mode = Mode::ReadOnly;
        app.settle().await;
        for command in way {
            app.run(command).expect("leads there");
            app.settle().await;
        }
        app.key("down").expect("is a key");
        app
    }

    #[tokio::test]
    async fn no_command_writes_anything() {
        for way in SCREENS {
            for command in crate::shell::parts::COMMANDS
                .all()
                .filter(|command| command.id != "app.read_only")
            {
                let host = FakeHost::new();
                let mut app = at(&host, way).await;
                // Many cannot be run here: that is fine.
                let _ = app.run(command.id);
                app.settle().await;
                let inner = host.lock();
                let written = inner.calls.iter().filter(|call| {
                    let reads = ["list", "get"].iter().any(|verb| call.starts_with(verb));
                    !reads && !PREVIEWED.contains(&call.as_str())
                });
                let written: Vec<_> = written.collect();
                assert!(written.is_empty(), "{way:?} {}: {written:?}", command.id);
                assert!(inner.applied.is_empty(), "{way:?} {}", command.id);
                assert!(inner.journal.is_empty(), "{way:?} {}", command.id);
            }
        }
    }
}
