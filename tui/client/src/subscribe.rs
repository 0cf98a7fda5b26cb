//! Notifications in the revision without a handshake: they are subscribed to.

#![expect(
    deprecated,
    reason = "the revisions with a handshake have a request for each resource"
)]

use rmcp::RoleClient;
use rmcp::model::{SubscribeRequestParams, SubscriptionFilter, UnsubscribeRequestParams};
use rmcp::service::{Peer, RunningService, ServiceError};
use tokio::task::JoinHandle;

use crate::listener::Listener;
use crate::stream::Pace;

/// A subscription that lasts as long as its session.
#[derive(Debug)]
pub(crate) struct Listening(JoinHandle<()>);

/// A subscription to the changes of a resource. Dropping it ends it.
#[derive(Debug)]
pub struct Subscription(Way);

#[derive(Debug)]
enum Way {
    /// A request that is never answered, in the revision without a handshake.
    Listening(#[expect(dead_code, reason = "its end is that of the subscription")] Listening),
    /// With a request, which another one takes back.
    Asked(Peer<RoleClient>, String),
}

impl Subscription {
    /// Subscribes to a resource.
    ///
    /// # Errors
    /// The server refuses.
    pub(crate) async fn begin(
        service: &RunningService<RoleClient, Listener>,
        listener: &Listener,
        uri: &str,
    ) -> Result<Self, ServiceError> {
        let peer = service.peer().clone();
        let about = service.peer_info();
        let has_handshake = about.is_none_or(|about| about.protocol_version.has_initialize());
        if has_handshake {
            peer.subscribe(SubscribeRequestParams::new(uri)).await?;
            return Ok(Subscription(Way::Asked(peer, uri.to_owned())));
        }
        let mut filter = SubscriptionFilter::new();
        filter.resource_subscriptions = Some(vec![uri.to_owned()]);
        let listening = tokio::spawn(listen(peer, filter, listener.clone()));
        Ok(Subscription(Way::Listening(Listening(listening))))
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        // Without a runtime there is no connection either.
        if let (Way::Asked(peer, uri), Ok(runtime)) =
            (&self.0, tokio::runtime::Handle::try_current())
        {
            let (peer, params) = (peer.clone(), UnsubscribeRequestParams::new(uri.as_str()));
            runtime.spawn(async move {
                // A later notice does no harm.
                let _ = peer.unsubscribe(params).await;
            });
        }
    }
}

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
