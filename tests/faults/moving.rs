//! Two servers on one database, and a client that moves between them.

use frontdesk_protocol::Host;
use frontdesk_tests::Cluster;
use serde_json::json;

use crate::stage::{Staff, runtime, serve};

#[test]
fn a_client_that_moves_between_servers_in_its_session_notices_nothing() {
    let Some(cluster) = Cluster::start_new() else {
        return;
    };
    runtime().block_on(async {
        // Nothing is shared but the database: each has its own pool, keys read from there, and caches.
        let servers = [serve(&cluster, 2).await, serve(&cluster, 2).await];
        let mut staff = Staff::of(&servers[0]).await;
        let session = staff.http.session(Host::Events).await;
        let mut added = Vec::new();
        for number in 0..10 {
            let server = &servers[number % 2];
            let body = json!({
                "jsonrpc": "2.0", "id": number, "method": "tools/call",
                "params": {
                    "name": "create_event_guest",
                    "arguments": { "event_id": staff.event, "name": format!("Guest{number}x") },
                    // Every key is used at both servers.
                    "_meta": { "idempotencyKey": format!("{}", number / 2) },
                },
            });
            let request = staff.http.at(&server.url()).post(Host::Events);
            let request = request.header("mcp-session-id", &session).json(&body);
            added.push(frontdesk_tests::Answer::to(request).await);
            // And a token of one of them is refreshed at the other.
            let tokens = staff
                .http
                .at(&servers[(number + 1) % 2].url())
                .refresh(Some(Host::Events), &staff.http.refresh_token)
                .await;
            let token = |name: &str| tokens.body[name].as_str().expect("a token").to_owned();
            staff.http.token = token("access_token");
            staff.http.refresh_token = token("refresh_token");
        }
        // The second of each pair has another name, and so is another call.
        for pair in added.chunks(2) {
            assert!(pair[0].output()["guest"]["id"].is_string());
            pair[1].refuses("conflict", "_meta.idempotencyKey");
        }
    });
}
