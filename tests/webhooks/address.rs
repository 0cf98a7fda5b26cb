//! Without `--webhook-allow-private`, no address in a private network is connected to.

use frontdesk_server::webhooks::{DeliveryOutcome, Secret, WebhookSettings};
use tokio::net::TcpListener;

use crate::webhooks::stage::{Stage, run};
use frontdesk_tests::receiver::SECRET;

#[test]
fn a_name_that_stands_for_this_machine_is_not_connected_to() {
    run(async {
        let stage = Stage::set().await;
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let secret: Secret = SECRET.parse().expect("a secret");
        stage.meeting().await;
        for (allow_private, error) in [(false, "inside a private network"), (true, "")] {
            let url = format!("https://localhost:{port}/hook");
            let url = url.parse().expect("an address");
            let settings = WebhookSettings::new(url, vec![secret.clone()], allow_private);
            let worker =
                stage.worker_with(settings.expect("a name is judged when it is looked up"));
            let round = tokio::spawn(async move { worker.deliver_due().await.expect("a round") });
            if allow_private {
                // A connection arrives and is closed: the other case would have been noticed.
                drop(listener.accept().await.expect("a connection"));
            }
            assert_eq!(round.await.expect("it ends"), [DeliveryOutcome::Failed]);
            let last_error = stage.entry().await.last_error.unwrap_or_default();
            assert!(last_error.contains(error), "{last_error}");
            assert_eq!(
                last_error.contains("--webhook-allow-private"),
                !allow_private,
                "{last_error}"
            );
            stage.wait_long();
        }
    });
}
