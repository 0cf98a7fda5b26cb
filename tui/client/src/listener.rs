//! The client side of a session: client information, and notifications from the server.

#![expect(
    deprecated,
    reason = "servers send log messages as long as the older revisions are in use"
)]

use std::path::PathBuf;

use rmcp::RoleClient;
use rmcp::handler::client::ClientHandler;
use rmcp::model::{
    ClientCapabilities, ClientConfig, CreateMessageRequestParams, CreateMessageResult,
    CustomRequest, CustomResult, ElicitationCapability, ErrorCode, ErrorData,
    FormElicitationCapability, Implementation, JsonObject, ListRootsResult,
    LoggingMessageNotificationParam, ProgressNotificationParam, ProtocolVersion,
    ResourceUpdatedNotificationParam, RootsCapabilities, ServerNotification, TASKS_EXTENSION_ID,
    UrlElicitationCapability,
};
use rmcp::service::{NotificationContext, RequestContext};
use serde_json::Value;
use tokio::sync::broadcast;

use crate::question::{Pages, ROOTS, Responder, UNREAD, why_not};

/// Number of notices buffered for a slow reader.
const KEPT: usize = 256;

/// A notification from a server.
#[derive(Debug, Clone, PartialEq)]
pub enum Notice {
    /// Progress of a call.
    Progress(Progress),
    /// A log message.
    Log {
        /// `debug`, `info`, `notice`, `warning`, `error`, `critical`, `alert` or `emergency`.
        level: String,
        /// The part of the server that logs.
        logger: Option<String>,
        /// The message: a text or any other value.
        data: Value,
    },
    /// The list of tools changed.
    ToolsChanged,
    /// The list of resources changed.
    ResourcesChanged,
    /// The list of prompts changed.
    PromptsChanged,
    /// The resource at this address changed.
    ResourceUpdated(String),
}

/// The progress of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// The token of the call.
    pub(crate) token: String,
    /// The work done.
    pub done: f64,
    /// The total work in the same unit, if known.
    pub total: Option<f64>,
    /// The current step.
    pub message: Option<String>,
    /// Whether the call is a task, which goes on if nobody waits for it.
    pub is_task: bool,
}

impl Progress {
    /// A step of a task.
    pub(crate) fn of_task(message: Option<String>) -> Self {
        Progress {
            message,
            is_task: true,
            ..Progress::of(0.0, 0.0)
        }
    }

    /// Progress of work that is no single call. A total of 0 is unknown.
    pub fn of(done: f64, total: f64) -> Self {
        Progress {
            token: String::new(),
            done,
            total: (total > 0.0).then_some(total),
            message: None,
            is_task: false,
        }
    }
}

/// The refusal of a request that this client does not offer.
fn refused(method: &str) -> ErrorData {
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, why_not(method), None)
}

/// The client side of a session.
#[derive(Debug, Clone)]
pub(crate) struct Listener {
    notices: broadcast::Sender<Notice>,
    /// Whether it listens to a host of the service, which tells of nothing but the progress of calls.
    is_of_host: bool,
    /// Who answers questions.
    pub(crate) responder: Responder,
}

impl Listener {
    /// A listener to the progress of calls at a host of the service.
    pub(crate) fn of_host() -> Self {
        Listener {
            notices: broadcast::Sender::new(KEPT),
            is_of_host: true,
            responder: Responder::default(),
        }
    }

    /// A listener that forwards notifications, and gives the server these folders.
    pub(crate) fn new(folders: &[PathBuf]) -> Self {
        Listener {
            notices: broadcast::Sender::new(KEPT),
            is_of_host: false,
            responder: Responder::telling(folders),
        }
    }

    /// The notices from now on.
    pub(crate) fn notices(&self) -> broadcast::Receiver<Notice> {
        self.notices.subscribe()
    }

    /// Whether other notices than progress are read.
    pub(crate) fn is_heard(&self) -> bool {
        !self.is_of_host
    }

    /// A notification of a subscription.
    pub(crate) fn hear(&self, notification: ServerNotification) {
        let notice = match notification {
            ServerNotification::ToolListChangedNotification(_) => Notice::ToolsChanged,
            ServerNotification::PromptListChangedNotification(_) => Notice::PromptsChanged,
            ServerNotification::ResourceListChangedNotification(_) => Notice::ResourcesChanged,
            ServerNotification::ResourceUpdatedNotification(updated) => {
                Notice::ResourceUpdated(updated.params.uri)
            }
            _ => return,
        };
        self.pass_on(notice);
    }

    fn pass_on(&self, notice: Notice) {
        // Fails only if there is no receiver.
        let _ = self.notices.send(notice);
    }
}

impl ClientHandler for Listener {
    /// Client information with the newest protocol revision that has a handshake. An older server
    /// answers with its own newest revision.
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        capabilities.elicitation = self.responder.pages().map(|pages| {
            let mut elicitation = ElicitationCapability::default();
            elicitation.form = Some(FormElicitationCapability::default());
            elicitation.url = (pages == Pages::Shown).then(UrlElicitationCapability::default);
            elicitation
        });
        capabilities.roots = self.responder.roots().map(|_| RootsCapabilities::default());
        // A call can go on by itself; its result is fetched.
        let tasks = (TASKS_EXTENSION_ID.to_owned(), JsonObject::new());
        capabilities.extensions = self.is_heard().then(|| [tasks].into());
        ClientConfig::new(
            capabilities,
            Implementation::new("frontdesk", env!("CARGO_PKG_VERSION")),
        )
        .with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
    }

    /// A question ([`crate::answers`]), or a request that nobody knows.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleClient>,
    ) -> Result<CustomResult, ErrorData> {
        if request.method != UNREAD {
            return Err(refused(&request.method));
        }
        let params = request.params.unwrap_or_default();
        tokio::select! {
            answer = self.responder.answer(&params) => Ok(CustomResult::new(answer)),
            // The server no longer waits.
            () = context.ct.cancelled() => Err(refused(UNREAD)),
        }
    }

    async fn create_message(
        &self,
        _params: CreateMessageRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        Err(refused("sampling/createMessage"))
    }

    async fn list_roots(
        &self,
        _context: RequestContext<RoleClient>,
    ) -> Result<ListRootsResult, ErrorData> {
        let roots = self.responder.roots().ok_or_else(|| refused(ROOTS))?;
        serde_json::from_value(roots).map_err(|_| refused(ROOTS))
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
            is_task: false,
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
