//! Somebody else holds a lock, longer than a call waits.

use frontdesk_tests::Cluster;

use crate::stage::{Staff, is_undone, runtime, serve, superuser};

#[test]
fn a_lock_that_is_not_given_back_in_time_is_told_and_others_are_served() {
    let Some(cluster) = Cluster::start_new() else {
        return;
    };
    runtime().block_on(async {
        let server = serve(&cluster, 2).await;
        let mut staff = Staff::of(&server).await;
        let added = staff.add("Zoltan").await;
        let guest = added.output()["guest"]["id"].clone();
        let id: uuid::Uuid = serde_json::from_value(guest.clone()).expect("an id");
        let mut holder = superuser(&cluster).await;
        let holding = holder.transaction().await.expect("a transaction");
        let lock = "select from events.guests where id = $1 for update";
        holding.execute(lock, &[&id]).await.expect("a lock");

        let mut client = staff.clone();
        let to = guest.clone();
        let call = tokio::spawn(async move { client.check_in(&to).await });
        let mut others = 0;
        while !call.is_finished() {
            assert_eq!(staff.guests("Zoltan").await.len(), 1);
            others += 1;
        }
        assert!(others > 1, "others are served meanwhile");
        is_undone(&call.await.expect("an answer"), "took too long");

        holding.commit().await.expect("committed");
        let again = staff.check_in(&guest).await;
        assert_eq!(again.output()["already_checked_in"], false);
    });
}
