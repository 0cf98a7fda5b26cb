//! Somebody else holds a lock, longer than a call waits.

use frontdesk_tests::Cluster;

use crate::stage::{Locked, Staff, is_undone, runtime, serve};

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
        is_undone(&locked.answer().await, "took too long");
        locked.give_back(&mut staff).await;
    });
}
