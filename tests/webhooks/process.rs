//! `frontdesk-server` as a separate process, on a directory or a server's database.

use frontdesk_server::database::{Database, Location};
use frontdesk_tests::prepared;
use tempfile::TempDir;
use uuid::Uuid;

use crate::webhooks::stage;

/// A database on which processes are started one after the other: a directory that is deleted with
/// the test.
pub(crate) struct Place(TempDir);

impl Place {
    /// A database with an organisation and this many meetings.
    pub(crate) async fn with_meetings(count: usize) -> Place {
        let place = Place(tempfile::tempdir().expect("a directory"));
        prepared::copy_to(&place.0.path().join("postgres"));
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

    /// The value of `--database`.
    pub(crate) fn database(&self) -> String {
        let path = self.0.path().join("postgres");
        path.to_str().expect("a path in UTF-8").to_owned()
    }

    async fn open(&self) -> Database {
        let location: Location = self.database().parse().expect("a directory");
        Database::open(&location, 1).await.expect("it opens")
    }

    /// Ends every lease, as a minute does, while no process uses the directory.
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
