//! The level from which on a server writes messages into its log.

use std::sync::PoisonError;

use rmcp::model::{ClientRequest, CustomRequest, RequestMetaObject};
use serde_json::{Map, json};

use super::Server;
use crate::error::CallError;
use crate::session::Session;

/// The levels, the most talkative first.
pub const LEVELS: [&str; 8] = [
    "debug",
    "info",
    "notice",
    "warning",
    "error",
    "critical",
    "alert",
    "emergency",
];

/// The key of a request without a handshake. A server sends no messages if it is absent.
const IN_REQUEST: &str = "io.modelcontextprotocol/logLevel";

impl Server {
    /// The level of the messages that were asked for; `None` if the server has no log, or decides.
    pub async fn log_level(&self) -> Result<Option<&'static str>, CallError> {
        Ok(self.level(&*self.session().await?))
    }

    /// Asks for messages of this level and worse, from the next session on.
    pub fn ask_for_log(&self, level: &'static str) {
        let asked = self.0.log_level.lock();
        *asked.unwrap_or_else(PoisonError::into_inner) = Some(level);
    }

    /// Asks for messages of this level and worse, from now on.
    ///
    /// # Errors
    /// As for [`Server::list`].
    pub async fn set_log_level(&self, level: &'static str) -> Result<(), CallError> {
        if self.about().await?.has_handshake {
            self.ask(set_level(level)).await?;
        }
        self.ask_for_log(level);
        Ok(())
    }

    /// Tells the level to a new session with a handshake.
    pub(super) async fn tell_log_level(&self, session: &Session) {
        if let (Some(level), true) = (self.level(session), session.has_handshake())
            && let Ok(asked) = session.begin(set_level(level), None).await
        {
            // A server that does not answer this still has tools.
            session.forget(&asked.id);
        }
    }

    /// The options of a request with the level, if there is no handshake that told it.
    pub(super) fn with_log_level(
        &self,
        session: &Session,
        meta: Option<RequestMetaObject>,
    ) -> Option<RequestMetaObject> {
        let level = self.level(session).filter(|_| !session.has_handshake());
        let Some(level) = level else {
            return meta;
        };
        let mut meta = meta.unwrap_or_else(|| RequestMetaObject::from(Map::new()));
        meta.insert(IN_REQUEST.to_owned(), level.into());
        Some(meta)
    }

    fn level(&self, session: &Session) -> Option<&'static str> {
        let asked = self.0.log_level.lock();
        let asked = *asked.unwrap_or_else(PoisonError::into_inner);
        asked.filter(|_| session.has_log())
    }
}

fn set_level(level: &str) -> ClientRequest {
    let params = json!({ "level": level });
    ClientRequest::CustomRequest(CustomRequest::new("logging/setLevel", Some(params)))
}
