//! `frontdesk-server` as a process of its own, over a directory or a server's database.

use frontdesk_server::database::{Database, Location};
use frontdesk_tests::process::{self, Process};
use tempfile::TempDir;
use tokio_postgres::NoTls;
use uuid::Uuid;

use crate::receiver::SECRET;
use crate::stage;

/// Starts a server over this database, and waits until it listens. With an address it delivers webhooks
/// there.
pub(crate) fn serve(database: &str, webhook_url: Option<&str>) -> Process {
    let mut command = process::serve(database);
    if let Some(url) = webhook_url {
        command.env("FRONTDESK_WEBHOOK_URL", url);
        command.env("FRONTDESK_WEBHOOK_SECRET", SECRET);
        command.env("FRONTDESK_WEBHOOK_ALLOW_PRIVATE", "true");
    }
    Process::start(&mut command)
}

/// A database that processes are started on, one after the other: a directory that is gone with the
/// test.
pub(crate) struct Place(TempDir);

impl Place {
    /// With an organisation and so many meetings.
    pub(crate) async fn with_meetings(count: usize) -> Place {
        let place = Place(tempfile::tempdir().expect("a directory"));
        let organization = Uuid::now_v7();
        let database = place.open().await;
        let owner = database.owner().await.expect("the owner");
        owner
            .execute(
                "insert into app.organizations (id, name) values ($1, 'Processes')",
                &[&organization],
            )
            .await
            .expect("an organisation");
        for _ in 0..count {
            stage::insert(&owner, organization, Uuid::now_v7()).await;
        }
        drop(owner);
        database.close().await.expect("it closes");
        place
    }

    /// What `--database` takes.
    pub(crate) fn database(&self) -> String {
        let path = self.0.path().join("postgres");
        path.to_str().expect("a path in UTF-8").to_owned()
    }

    async fn open(&self) -> Database {
        let location: Location = self.database().parse().expect("a directory");
        Database::open(&location, 1).await.expect("it opens")
    }

    /// Ends every lease, as a minute does, while no process has the directory.
    pub(crate) async fn end_leases(&self) {
        let database = self.open().await;
        let owner = database.owner().await.expect("the owner");
        let ended = owner
            .execute(
                "update webhooks.events set due_at = now() where lease is not null",
                &[],
            )
            .await;
        assert_eq!(ended.expect("leases"), 1);
        drop(owner);
        database.close().await.expect("it closes");
    }
}

/// A new database on the server of `FRONTDESK_TEST_DATABASE`; none without one.
#[allow(clippy::print_stderr)]
pub(crate) async fn server_database(test: &str) -> Option<String> {
    let Ok(server) = std::env::var("FRONTDESK_TEST_DATABASE") else {
        eprintln!("{test}: skipped, a directory belongs to one process");
        return None;
    };
    let name = format!("webhooks_{}", Uuid::now_v7().simple());
    let (client, connection) = tokio_postgres::connect(&server, NoTls)
        .await
        .expect("a server");
    tokio::spawn(connection);
    let created = client
        .batch_execute(&format!("create database {name}"))
        .await;
    created.expect("a database");
    let mut address: reqwest::Url = server.parse().expect("an address");
    address.set_path(&name);
    Some(address.to_string())
}
