//! Two server processes that deliver webhooks from one database.

use std::collections::HashSet;

use frontdesk_server::database::Database;
use frontdesk_tests::receiver::{Receiver, serve_telling};
use frontdesk_tests::{run, server};
use uuid::Uuid;

pub(crate) fn two_processes_on_one_database_tell_of_every_meeting_once() {
    const MEETINGS: usize = 60;
    run(async {
        let address = server::new_database().await;
        let mut receiver = Receiver::start().await;
        let url = receiver.url();
        let processes = [(); 2].map(|()| serve_telling(&url, &address));
        let location = address.parse().expect("an address");
        let database = Database::open(&location, 1).await.expect("it opens");
        let owner = database.owner().await.expect("the owner");
        let organization = Uuid::now_v7();
        owner
            .execute(
                "insert into app.organizations (id, name) values ($1, 'Two processes')",
                &[&organization],
            )
            .await
            .expect("an organisation");
        for _ in 0..MEETINGS {
            let inserted = owner
                .execute(
                    "insert into work.meetings (organization_id, title) values ($1, 'Stand-up')",
                    &[&organization],
                )
                .await;
            inserted.expect("a meeting");
        }
        let requests = receiver.take(MEETINGS).await;
        for process in processes {
            process.stop();
        }
        assert!(receiver.is_quiet());
        let told: HashSet<_> = requests.iter().map(|request| request.meeting()).collect();
        assert_eq!(told.len(), MEETINGS);
        let row = owner
            .query_one(
                "select count(*) from webhooks.events where delivered_at is null or attempts <> 1",
                &[],
            )
            .await
            .expect("a count");
        assert_eq!(row.get::<_, i64>(0), 0);
    });
}
