//! Standbys that answer reads.

use std::time::SystemTime;

use frontdesk_server::server::Server;
use frontdesk_tests::program::run_server;
use frontdesk_tests::server::at;
use frontdesk_tests::world::PATIENT;
use frontdesk_tests::{Cluster, Process};
use rustix::process::Signal;
use tokio::task::block_in_place;

use crate::server::stage::{Staff, runtime, serve_at, superuser};

/// A server on this primary, whose reads a standby answers.
async fn serve(primary: &Cluster, standby: &Cluster) -> Server {
    let location = at(&primary.address()).read_by(&standby.address());
    serve_at(location.expect("a standby"), 4, PATIENT).await
}

/// When the standby last ended a read of guests, if it ever did.
async fn last_read(standby: &Cluster) -> Option<SystemTime> {
    let last = "select max(state_change) from pg_stat_activity \
         where application_name = 'frontdesk' and (query = 'commit' or query like '%events.find_guests(%')";
    let looker = superuser(standby).await;
    looker.query_one(last, &[]).await.expect("sessions").get(0)
}

/// Runs a statement at the standby.
async fn tell(standby: &Cluster, statement: &str) {
    let looker = superuser(standby).await;
    looker.batch_execute(statement).await.expect(statement);
}

/// A member of staff at each of two servers.
struct Both {
    staff: [Staff; 2],
}

impl Both {
    async fn at(servers: [&Server; 2]) -> Both {
        let [first, second] = servers.map(|server| async move { Staff::of(&server.url()).await });
        Both {
            staff: [first.await, second.await],
        }
    }

    /// What one server has answered, the other one shows at once, and so does the same.
    async fn see_each_other(&mut self, meanwhile: &str) {
        for number in 0..20 {
            let name = format!("{meanwhile}x{number}y");
            self.staff.rotate_left(1);
            let [writer, reader] = &mut self.staff;
            let written = writer.add(&name).await;
            assert_eq!(written.status.as_u16(), 200, "{name}: {}", written.body);
            assert_eq!(reader.guests(&name).await.len(), 1, "{name} at the other");
            assert_eq!(writer.guests(&name).await.len(), 1, "{name} at the same");
        }
    }
}

pub(crate) fn everyone_sees_what_was_written_as_a_replica_pauses_hangs_dies_and_is_promoted() {
    let primary = Cluster::start_new();
    let mut standby = primary.start_standby();
    runtime().block_on(async {
        let servers = [
            serve(&primary, &standby).await,
            serve(&primary, &standby).await,
        ];
        let mut both = Both::at(servers.each_ref()).await;
        both.see_each_other("replaying").await;
        let used = last_read(&standby)
            .await
            .expect("the standby answers reads");

        tell(&standby, "select pg_wal_replay_pause()").await;
        both.see_each_other("paused").await;
        tell(&standby, "select pg_wal_replay_resume()").await;

        tell(
            &standby,
            "alter system set recovery_min_apply_delay = '500ms'",
        )
        .await;
        tell(&standby, "select pg_reload_conf()").await;
        both.see_each_other("delayed").await;
        tell(&standby, "alter system reset recovery_min_apply_delay").await;
        tell(&standby, "select pg_reload_conf()").await;

        standby.signal(Signal::STOP);
        both.see_each_other("hanging").await;
        standby.signal(Signal::CONT);

        block_in_place(|| standby.kill());
        both.see_each_other("killed").await;
        block_in_place(|| standby.start());
        while last_read(&standby).await.is_none_or(|last| last <= used) {
            both.see_each_other("restarted").await;
        }

        let promoted = async { block_in_place(|| standby.promote()) };
        tokio::join!(promoted, both.see_each_other("promoting"));
        both.see_each_other("promoted").await;
        assert_eq!(both.staff[0].names().await, both.staff[1].names().await);
    });
}

pub(crate) fn a_standby_of_another_timeline_answers_nothing() {
    let primary = Cluster::start_new();
    let other = primary.start_standby();
    other.promote();
    let standby = other.start_standby();
    runtime().block_on(async {
        // Its log goes further than the primary's.
        tell(
            &other,
            "create table filler as select repeat('x', 1000) from generate_series(1, 100000)",
        )
        .await;
        let server = serve(&primary, &standby).await;
        let mut both = Both::at([&server, &server]).await;
        both.see_each_other("forked").await;
        assert_eq!(last_read(&standby).await, None);
    });
}

pub(crate) fn check_tells_which_replica_is_none() {
    let primary = Cluster::start_new();
    let standby = primary.start_standby();
    let stranger = Cluster::start_new();
    let (address, first, second) = (primary.address(), standby.address(), stranger.address());
    let process = Process::demo(&address);
    let mut arguments = vec!["check", "--listen", "127.0.0.1:0", "--database", &address];
    arguments.extend(["--replica", &first, "--replica", &second]);
    let checked = run_server(&arguments);
    assert!(
        checked.stdout.contains("a standby, up to date"),
        "{checked:?}"
    );
    assert!(
        checked.stdout.contains("no copy of the primary's"),
        "{checked:?}"
    );
    process.stop();
}
