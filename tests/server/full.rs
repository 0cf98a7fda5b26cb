//! The disk with the guests is full.

use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::process::Command;

use frontdesk_tests::Cluster;

use crate::server::stage::{Staff, is_undone, runtime, serve, superuser};

/// A file system of a few megabytes; dropping it unmounts it.
struct Small(PathBuf);

impl Small {
    fn mount(cluster: &Cluster) -> Small {
        let place = cluster.directory().join("small");
        std::fs::create_dir(&place).expect("a directory");
        let owner = std::fs::metadata(cluster.directory().join("data")).expect("the data");
        let options = format!("size=16m,mode=700,uid={},gid={}", owner.uid(), owner.gid());
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &options, "tmpfs"])
            .arg(&place)
            .status()
            .expect("mount runs");
        assert!(mounted.success(), "mount: {mounted}");
        Small(place)
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        // PostgreSQL may still have its files open.
        let unmounted = Command::new("umount").arg("--lazy").arg(&self.0).status();
        assert!(unmounted.is_ok_and(|status| status.success()));
    }
}

pub(crate) fn a_full_disk_is_told_and_what_needs_no_room_goes_on() {
    let cluster = Cluster::start_new();
    let small = Small::mount(&cluster);
    runtime().block_on(async {
        let superuser = superuser(&cluster).await;
        let place = small.0.display();
        let statements = [
            format!("create tablespace small location '{place}'"),
            "grant create on tablespace small to public".to_owned(),
            "alter database postgres set temp_tablespaces = small".to_owned(),
        ];
        for statement in statements {
            superuser.batch_execute(&statement).await.expect(&statement);
        }
        let server = serve(&cluster, 2).await;
        let mut staff = Staff::of(&server.url()).await;
        let statements = [
            "alter table events.guests set tablespace small".to_owned(),
            "create table public.filler (bytes text) tablespace small".to_owned(),
        ];
        for statement in statements {
            superuser.batch_execute(&statement).await.expect(&statement);
        }
        // Large pieces first, then pages, until nothing fits.
        for piece in ["repeat(md5(random()::text), 25000)", "repeat('x', 1900)"] {
            let fill = format!(
                "alter table public.filler alter bytes set storage external; \
                 insert into public.filler select {piece}"
            );
            while superuser.batch_execute(&fill).await.is_ok() {}
        }

        // The table's last page can have room for some guests.
        let mut refused = None;
        for number in 0..10_000 {
            let answer = staff.add(&format!("Guest{number}x")).await;
            if answer.status.as_u16() != 200 {
                refused = Some((number, answer));
                break;
            }
        }
        let (number, answer) = refused.expect("there is an end to it");
        is_undone(&answer, "full");
        assert_eq!(staff.guests(&format!("Guest{number}x")).await.len(), 0);
        assert_eq!(staff.health().await, 200);
        let condition = staff.condition().await;
        assert_eq!(condition["status"], "degraded", "{condition}");
        assert_eq!(
            condition["database"],
            "cannot be written to: its disk is full"
        );

        superuser
            .batch_execute("drop table public.filler")
            .await
            .expect("room");
        staff.add(&format!("Guest{number}x")).await.output();
        assert_eq!(staff.guests(&format!("Guest{number}x")).await.len(), 1);
    });
}
