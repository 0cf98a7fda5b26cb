//! Resources and lists of other servers that change while they are on screen.

use frontdesk_client::template;

use super::{AnswerScreen, Showing};
use crate::app::cx::{Cx, News};
use crate::app::effects::call::Method;
use crate::app::effects::server_jobs::Watch;
use crate::app::peer::Peer;

impl AnswerScreen {
    /// The address of the resource on screen.
    pub(super) fn watched(&self) -> Option<String> {
        let is_read = self.call.options.method == Method::Read;
        let is_whole = self.showing() == Showing::Answer;
        let uri = template::expand(&self.call.tool, &self.call.arguments);
        uri.ok().filter(|_| is_read && is_whole)
    }

    /// Asks the server for notices about this resource, and about no other.
    pub(super) fn watch(&self, cx: &mut Cx, uri: Option<String>) {
        if let (Peer::Server(server), Some(_)) = (&self.call.peer, self.watched()) {
            let server = server.clone();
            cx.run(Watch { server, uri });
        }
    }

    /// Whether the server says that what is on screen has changed.
    pub(super) fn is_outdated_by(&self, news: &News) -> bool {
        let Peer::Server(own) = &self.call.peer else {
            return false;
        };
        match news {
            News::ListChanged(server, list) => server == own && *list == self.call.options.method,
            News::ResourceChanged { server, uri } => {
                server == own && self.watched().as_ref() == Some(uri)
            }
            _ => false,
        }
    }
}
