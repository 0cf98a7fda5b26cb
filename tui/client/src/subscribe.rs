//! Notifications in the revision without a handshake: they are subscribed to.

use rmcp::RoleClient;
use rmcp::model::SubscriptionFilter;
use rmcp::service::{Peer, RunningService, ServiceError};
use tokio::task::JoinHandle;

use crate::listener::Listener;
use crate::stream::Pace;

/// A subscription that lasts as long as its session.
#[derive(Debug)]
pub(crate) struct Listening(JoinHandle<()>);

impl Listening {
    /// Subscribes to the changes of lists that the server announced, if it has no handshake and
    /// somebody reads them.
    pub(crate) fn begin(
        service: &RunningService<RoleClient, Listener>,
        listener: &Listener,
    ) -> Option<Self> {
        let about = service.peer_info()?;
        if about.protocol_version.has_initialize() || !listener.is_heard() {
            return None;
        }
        let announced = &about.capabilities;
        let mut filter = SubscriptionFilter::new();
        filter.tools_list_changed = announced.tools.as_ref().and_then(|it| it.list_changed);
        filter.prompts_list_changed = announced.prompts.as_ref().and_then(|it| it.list_changed);
        filter.resources_list_changed = announced.resources.as_ref().and_then(|it| it.list_changed);
        let is_any = [
            filter.tools_list_changed,
            filter.prompts_list_changed,
            filter.resources_list_changed,
        ];
        is_any.contains(&Some(true)).then(|| {
            let listening = listen(service.peer().clone(), filter, listener.clone());
            Listening(tokio::spawn(listening))
        })
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Forwards notifications until the session ends or the server refuses the subscription.
async fn listen(peer: Peer<RoleClient>, filter: SubscriptionFilter, listener: Listener) {
    let pace = Pace::default();
    while !peer.is_transport_closed() {
        pace.pause(pace.is_new()).await;
        match peer.listen(filter.clone()).await {
            Ok(mut subscription) => {
                pace.opened();
                while let Ok(Some(notification)) = subscription.next().await {
                    listener.hear(notification);
                }
            }
            Err(ServiceError::McpError(_)) => return,
            Err(error) => {
                pace.opened();
                tracing::debug!(%error, "notifications are not subscribed to");
            }
        }
    }
}
