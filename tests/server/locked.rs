//! Somebody else holds a lock, longer than a call waits.

use frontdesk_tests::Cluster;
use tokio::task::JoinSet;

use crate::stage::{Locked, Staff, is_undone, runtime, serve, superuser, waiting};

pub(crate) fn a_lock_that_is_not_given_back_in_time_is_told_and_others_are_served() {
    let cluster = Cluster::start_new();
    runtime().block_on(async {
        let server = serve(&cluster, 2).await;
        let mut staff = Staff::of(&server.url()).await;
        let mut locked = Locked::guest(&cluster, &mut staff).await;
        let mut others = 0;
        while !locked.check_in.is_finished() {
            assert_eq!(staff.guests("Zoltan").await.len(), 1);
            others += 1;
        }
        assert!(others > 1, "others are served meanwhile");
        is_undone(&locked.answer().await, "another change of the same record");
        locked.give_back(&mut staff).await;
    });
}

pub(crate) fn writes_that_wait_for_a_locked_row_leave_connections_to_reads() {
    const CONNECTIONS: usize = 4;
    let cluster = Cluster::start_new();
    runtime().block_on(async {
        let server = serve(&cluster, CONNECTIONS).await;
        let mut staff = Staff::of(&server.url()).await;
        let mut locked = Locked::guest(&cluster, &mut staff).await;
        let looker = superuser(&cluster).await;
        waiting(&looker, 1, &locked.check_in).await;
        let mut writes = JoinSet::new();
        for _ in 1..3 * CONNECTIONS {
            let (mut client, guest) = (staff.clone(), locked.guest.clone());
            writes.spawn(async move { client.check_in(&guest).await });
        }
        waiting(&looker, CONNECTIONS - 1, &locked.check_in).await;
        let mut reads = JoinSet::new();
        for _ in 0..20 {
            let mut reader = staff.clone();
            reads.spawn(async move { reader.guests("Zoltan").await });
        }
        reads.join_next().await.expect("a read").expect("an answer");
        assert!(!locked.check_in.is_finished(), "reads do not wait for it");
        for found in reads.join_all().await {
            assert_eq!(found.len(), 1);
        }
        for answer in writes.join_all().await {
            is_undone(&answer, "nothing was changed");
        }
        is_undone(&locked.answer().await, "nothing was changed");
        locked.give_back(&mut staff).await;
    });
}
