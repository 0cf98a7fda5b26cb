//! A signed-in user, and the program as the user runs it.

use std::io::Write;
use std::process::{Child, Stdio};

use frontdesk_client::{Addresses, Client, CredentialStore, paths};
use frontdesk_protocol::Role;
use frontdesk_protocol::id::EventId;
use frontdesk_tests::builder::PASSWORD;
pub(crate) use frontdesk_tests::program::Ended;
use frontdesk_tests::{Organization, program, run, world};
use tempfile::TempDir;

/// An organisation with an event, and the directory of a signed-in user.
pub(crate) struct Stage {
    pub(crate) organization: Organization,
    pub(crate) event: EventId,
    directory: TempDir,
    url: String,
}

impl Stage {
    /// Signed in as this role, at the world's server.
    pub(crate) fn of(role: Role) -> Stage {
        Stage::at(role, &world().url())
    }

    /// Signed in as this role, at this address.
    pub(crate) fn at(role: Role, url: &str) -> Stage {
        let (organization, event) = run(async {
            let organization = Organization::create().await;
            (organization, organization.event("Launch").await)
        });
        Stage::on(organization, event, role, url)
    }

    /// Another machine, with another account of the organisation.
    pub(crate) fn beside(&self, role: Role, url: &str) -> Stage {
        Stage::on(self.organization, self.event, role, url)
    }

    fn on(organization: Organization, event: EventId, role: Role, url: &str) -> Stage {
        let stage = Stage {
            organization,
            event,
            directory: tempfile::tempdir().expect("a directory"),
            url: url.to_owned(),
        };
        run(async {
            let store = CredentialStore::file(paths::credentials_file(stage.directory.path()));
            let addresses = Addresses::new(url).expect("an address");
            let client = Client::new(addresses, store).expect("a client");
            let email = stage.organization.email(role);
            client
                .sign_in("demo", &email, PASSWORD)
                .await
                .expect("signs in");
        });
        stage
    }

    /// The signed-in user's directory.
    pub(crate) fn directory(&self) -> &std::path::Path {
        self.directory.path()
    }

    /// Runs the program to its end.
    pub(crate) fn frontdesk(&self, arguments: &[&str]) -> Ended {
        self.given("", arguments)
    }

    /// Starts the program.
    pub(crate) fn start(&self, arguments: &[&str]) -> Child {
        self.start_in(&[], arguments)
    }

    /// The same with more environment variables.
    fn start_in(&self, variables: &[(&str, &str)], arguments: &[&str]) -> Child {
        let mut command = program::command("frontdesk", &["--url", &self.url, "--home"]);
        command.arg(self.directory.path()).args(arguments);
        command.env("HOME", self.directory.path());
        command.envs(variables.iter().copied());
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command.spawn().expect("it starts")
    }

    /// The same with something on stdin.
    pub(crate) fn given(&self, stdin: &str, arguments: &[&str]) -> Ended {
        self.given_in(&[], stdin, arguments)
    }

    /// The same with more environment variables.
    pub(crate) fn given_in(
        &self,
        variables: &[(&str, &str)],
        stdin: &str,
        arguments: &[&str],
    ) -> Ended {
        let mut child = self.start_in(variables, arguments);
        let mut input = child.stdin.take().expect("its stdin");
        // The program can end without reading.
        let _ = input.write_all(stdin.as_bytes());
        drop(input);
        let output = child.wait_with_output().expect("it ends");
        Ended::of(output)
    }
}
