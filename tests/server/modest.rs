//! An address whose role cannot prepare a database.

use frontdesk_server::database::{Database, Location, OpenError};
use frontdesk_tests::Cluster;

use crate::stage::{runtime, superuser};

/// The reason why the database of this address does not open.
async fn refused(address: &str) -> String {
    let location: Location = address.parse().expect("an address");
    let error: OpenError = Database::open(&location, 1)
        .await
        .expect_err("it does not open");
    error.to_string()
}

pub(crate) fn who_may_not_prepare_the_database_is_told_who_may() {
    let cluster = Cluster::start_new();
    runtime().block_on(async {
        let superuser = superuser(&cluster).await;
        let made = superuser.batch_execute("create role modest login").await;
        made.expect("a role");
        let modest = cluster.address().replace("postgres@", "modest@");
        let told = refused(&modest).await;
        assert!(told.contains("connect once as a superuser"), "{told}");

        // Another cause has another remedy.
        let lame = "alter role postgres set default_transaction_read_only = on";
        superuser.batch_execute(lame).await.expect("a setting");
        let told = refused(&cluster.address()).await;
        assert!(told.contains("read-only transaction"), "{told}");
        assert!(!told.contains("superuser"), "{told}");
    });
}
