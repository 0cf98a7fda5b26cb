//! The program `frontdesk`, and its environment.

use std::path::Path;

use frontdesk_client::{Addresses, Client, CredentialStore, paths};
use frontdesk_protocol::Role;
use frontdesk_protocol::id::EventId;
use frontdesk_tests::builder::PASSWORD;
use frontdesk_tests::program::{configures, program};
use frontdesk_tests::{Organization, run, world};
use jiff::{SignedDuration, Timestamp};
use portable_pty::CommandBuilder;
use tempfile::TempDir;

/// An organisation with an event that is on now, and a directory for the program's files.
pub(crate) struct Stage {
    pub(crate) organization: Organization,
    pub(crate) event: EventId,
    pub(crate) directory: TempDir,
}

impl Stage {
    /// Sets it up. The event has two guests, Zoë Müller and Ulla Lindqvist.
    pub(crate) fn set() -> Stage {
        run(async {
            let organization = Organization::create().await;
            let event = organization.event("Launch").await;
            organization
                .guests(event, &["Zoë Müller", "Ulla Lindqvist"])
                .await;
            let hour = SignedDuration::from_hours(1);
            world()
                .owner()
                .await
                .execute(
                    "update events.events set start_at = $2, end_at = $3 where id = $1",
                    &[
                        &event.0,
                        &(Timestamp::now() - hour),
                        &(Timestamp::now() + hour),
                    ],
                )
                .await
                .expect("it is on now");
            Stage {
                organization,
                event,
                directory: tempfile::tempdir().expect("a directory"),
            }
        })
    }

    /// The same, with a staff member signed in.
    pub(crate) fn signed_in() -> Stage {
        Stage::signed_in_as(Role::Staff)
    }

    /// The same, with an account of this role signed in.
    pub(crate) fn signed_in_as(role: Role) -> Stage {
        let stage = Stage::set();
        run(async {
            let store = CredentialStore::file(paths::credentials_file(stage.directory.path()));
            let addresses = Addresses::new(&world().url()).expect("an address");
            let client = Client::new(addresses, store).expect("a client");
            let email = stage.organization.email(role);
            client
                .sign_in("demo", &email, PASSWORD)
                .await
                .expect("signs in");
        });
        stage
    }

    /// The command line of the program.
    pub(crate) fn frontdesk(&self) -> CommandBuilder {
        let mut command = plain(&program("frontdesk"), self.directory.path());
        command.args(["--url", &world().url()]);
        command.arg("--home");
        command.arg(self.directory.path());
        command
    }

    /// How many guests are in.
    pub(crate) fn here(&self) -> i64 {
        run(async {
            world()
                .owner()
                .await
                .query_one(
                    "select count(check_in_at) from events.guests where event_id = $1",
                    &[&self.event.0],
                )
                .await
                .expect("a number")
                .get(0)
        })
    }
}

/// A command in an environment that configures nothing.
pub(crate) fn plain(program: &Path, home: &Path) -> CommandBuilder {
    let mut command = CommandBuilder::new(program);
    for (name, _) in std::env::vars_os() {
        if configures(&name) {
            command.env_remove(name);
        }
    }
    command.env("HOME", home);
    command.env("TERM", "xterm-256color");
    command.env("TZ", "UTC");
    command.env("LC_ALL", "en");
    command
}
