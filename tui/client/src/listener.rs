//! Our end of a session: who we are, and what a server says without being asked.

#![expect(
    deprecated,
    reason = "servers send log messages as long as the older revisions are in use"
)]

use rmcp::RoleClient;
use rmcp::handler::client::ClientHandler;
use rmcp::model::{
    ClientCapabilities, ClientConfig, Implementation, LoggingMessageNotificationParam,
    ProgressNotificationParam, ProtocolVersion, ResourceUpdatedNotificationParam,
};
use rmcp::service::NotificationContext;
use serde_json::Value;
use tokio::sync::broadcast;

/// Notices that are kept for whoever is slow to read them.
const KEPT: usize = 256;

/// What a server says without being asked.
#[derive(Debug, Clone, PartialEq)]
pub enum Notice {
    /// How far a call is.
    Progress(Progress),
    /// A line of its log.
    Log {
        /// `debug`, `info`, `notice`, `warning`, `error`, `critical`, `alert` or `emergency`.
        level: String,
        /// Which part of it speaks.
        logger: Option<String>,
        /// What it says: a text, or anything else.
        data: Value,
    },
    /// Its tools are others than before.
    ToolsChanged,
    /// Its resources are others than before.
    ResourcesChanged,
    /// Its prompts are others than before.
    PromptsChanged,
    /// What stands at this address is not the same as before.
    ResourceUpdated(String),
}

/// How far a call is.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// Which call it is.
    pub(crate) token: String,
    /// What is done.
    pub done: f64,
    /// What there is to do, in the same unit, where that is known.
    pub total: Option<f64>,
    /// What is being done.
    pub message: Option<String>,
}

/// Our end of a session.
#[derive(Debug, Clone)]
pub(crate) struct Listener {
    notices: Option<broadcast::Sender<Notice>>,
}

impl Listener {
    /// Hears nothing.
    pub(crate) fn deaf() -> Self {
        Listener { notices: None }
    }

    /// Passes on what it hears.
    pub(crate) fn new() -> Self {
        Listener {
            notices: Some(broadcast::Sender::new(KEPT)),
        }
    }

    /// What is heard from now on.
    pub(crate) fn notices(&self) -> broadcast::Receiver<Notice> {
        match &self.notices {
            Some(notices) => notices.subscribe(),
            None => broadcast::Sender::new(1).subscribe(),
        }
    }

    fn pass_on(&self, notice: Notice) {
        if let Some(notices) = &self.notices {
            // Nobody may be listening.
            let _ = notices.send(notice);
        }
    }
}

impl ClientHandler for Listener {
    /// Who calls, and with which revision: the newest with a handshake. A server that knows only
    /// older ones answers with its newest.
    fn get_info(&self) -> ClientConfig {
        ClientConfig::new(
            ClientCapabilities::default(),
            Implementation::new("frontdesk", env!("CARGO_PKG_VERSION")),
        )
        .with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
    }

    async fn on_progress(
        &self,
        params: ProgressNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        self.pass_on(Notice::Progress(Progress {
            token: params.progress_token.0.to_string(),
            done: params.progress,
            total: params.total,
            message: params.message,
        }));
    }

    async fn on_logging_message(
        &self,
        params: LoggingMessageNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        let level = match serde_json::to_value(params.level) {
            Ok(Value::String(level)) => level,
            _ => "info".to_owned(),
        };
        self.pass_on(Notice::Log {
            level,
            logger: params.logger,
            data: params.data,
        });
    }

    async fn on_resource_updated(
        &self,
        params: ResourceUpdatedNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        self.pass_on(Notice::ResourceUpdated(params.uri));
    }

    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.pass_on(Notice::ToolsChanged);
    }

    async fn on_resource_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.pass_on(Notice::ResourcesChanged);
    }

    async fn on_prompt_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.pass_on(Notice::PromptsChanged);
    }
}
