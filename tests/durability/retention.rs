//! How long the history of changes is kept.

use frontdesk_protocol::Host;
use frontdesk_tests::Process;
use frontdesk_tests::process::serve;
use frontdesk_tests::program::run_server;
use serde_json::{Value, json};

use crate::durability::desk::Desk;
use crate::durability::place::{Directory, runtime};

/// The number of entries that the caller sees, before and after adding two guests, the second one bound to its preview.
fn entries(directory: &Directory, days: &str) -> [usize; 2] {
    let database = directory.database();
    let server = Process::start(serve(&database).args(["--demo", "--keep-changes", days]));
    let counts = runtime().block_on(async {
        let desk = Desk::open(&server.url).await;
        let mut http = desk.http();
        let mut counts = [0, 0];
        for count in &mut counts {
            let listed = http.call(Host::Ops, "list_changes", json!({})).await;
            *count = listed.output()["changes"].as_array().map_or(0, Vec::len);
            let name = json!({ "event_id": desk.event, "name": "Zoltan" });
            http.events("create_event_guest", name.clone()).await.output();
            let bound = |meta: Value| json!({ "name": "create_event_guest", "arguments": name, "_meta": meta });
            let preview = bound(json!({ "frontdesk/preview": true }));
            let preview = http.rpc(Host::Events, "tools/call", preview).await;
            let digest = &preview.result()["_meta"]["frontdesk/changes"]["digest"];
            let expected = bound(json!({ "frontdesk/expectedPlan": digest }));
            http.rpc(Host::Events, "tools/call", expected).await.output();
        }
        counts
    });
    server.stop();
    counts
}

pub(crate) fn changes_are_kept_for_the_days_of_the_database_which_a_command_shortens() {
    let directory = Directory::prepared();
    // The event is added, too.
    assert_eq!(entries(&directory, "3"), [1, 3]);
    assert_eq!(entries(&directory, "1"), [5, 7]);
    // This server records nothing, and removes nothing that others have recorded.
    assert_eq!(entries(&directory, "0"), [9, 9]);
    let keep = |more: &[&str]| {
        let database = directory.database();
        run_server(&[&["keep-changes", "0", "--database", &database], more].concat())
    };
    let asks = keep(&[]);
    assert!(
        asks.code == Some(1) && asks.stderr.contains("9 entries of 1 day"),
        "{asks:?}"
    );
    assert_eq!(entries(&directory, "0"), [9, 9]);
    assert_eq!(keep(&["--yes"]).code, Some(0));
    assert_eq!(entries(&directory, "1"), [0, 2]);
}
