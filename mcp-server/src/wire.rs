//! The wire: HTTP and JSON-RPC around the hosts (specification, section 4.1).
//!
//! A request is checked in this order: the Host and Origin headers (`guard`), its bearer token (`bearer`), its size, the
//! rate limit (`limit`), its session (`session`), its body (`envelope`), its method (`method`). In `endpoint`, requests in
//! the session-less revision branch off before the session check.

mod address;
mod agents;
mod alias;
mod asked;
mod asking;
mod authority;
mod bearer;
mod completion;
mod conversation;
mod cors;
mod endpoint;
mod envelope;
mod form;
mod guard;
mod guide;
mod handshake;
mod health;
mod home;
mod hook;
mod life;
mod limit;
mod links;
mod listeners;
mod listing;
mod method;
mod paging;
mod person;
mod prompts;
mod question;
mod readings;
mod refresh;
mod refusal;
mod render;
mod reply;
mod resource;
mod resources;
mod result;
mod running;
mod session;
mod sessionless;
mod subscribe;
mod through;
#[doc(hidden)]
pub mod untrusted;
mod waiting;
mod wiki;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::Router;
use axum::routing::{get, post};
use tokio::sync::watch;

pub use guard::Allowed;
pub use hook::{HookSecret, HookSecretError};
pub use session::SESSION_LIFETIME;
pub use sessionless::versions as revisions;

use crate::clock::Clock;
use crate::database::Database;
use crate::hosts::Hosts;
use crate::identity::Identity;
use crate::limits::Limits;
use crate::retention::Refusal;

/// The number of tools on a page of `tools/list`: more than any host has now.
pub const TOOLS_PER_PAGE: usize = 100;
/// The maximum size of a request's body in bytes.
pub const MAX_BODY: usize = 1024 * 1024;

/// The state shared by all requests. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Service {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    database: Database,
    identity: Identity,
    hosts: Hosts,
    listings: listing::Listings,
    readings: readings::Readings,
    /// The links of results, derived when first requested.
    links: OnceLock<links::Links>,
    /// The entries of a page of a list.
    per_page: usize,
    guides: guide::Guides,
    limit: limit::Limiter,
    bodies: wiki::Bodies,
    sessions: session::Sessions,
    allowed: Allowed,
    health: health::Probe,
    clock: Clock,
    /// The secrets of the code host; empty if it sends no events.
    hook: Vec<HookSecret>,
    /// The time limit for a request, from its head to its answer.
    limit_of_call: Duration,
    /// How long a batch that is tried can hold records.
    limit_of_trial: Duration,
    questions: waiting::Questions,
    running: running::Running,
    listeners: listeners::Listeners,
    /// Set when the server stops; streams end then.
    stop: Option<watch::Receiver<bool>>,
    required: question::Required,
    /// Why the history is not cut.
    history: Refusal,
}

impl Service {
    /// Serves these hosts from this database. `tools_per_page` is for `tools/list`; `calls_per_minute` is for each
    /// caller and host, and 0 is unlimited.
    pub fn new(
        database: Database,
        identity: Identity,
        hosts: Hosts,
        tools_per_page: usize,
        clock: Clock,
        calls_per_minute: u32,
        allowed: Allowed,
    ) -> Self {
        Service {
            inner: Arc::new(Inner {
                sessions: session::Sessions::new(identity.session_key(), clock.clone()),
                limit: limit::Limiter::new(calls_per_minute, clock.clone()),
                clock,
                bodies: wiki::Bodies::default(),
                health: health::Probe::default(),
                listings: listing::Listings::new(hosts.clone(), tools_per_page),
                readings: readings::Readings::default(),
                links: OnceLock::new(),
                per_page: tools_per_page.max(1),
                guides: guide::Guides::default(),
                database,
                identity,
                hosts,
                allowed,
                hook: Vec::new(),
                limit_of_call: Limits::default().call,
                limit_of_trial: Limits::default().trial,
                questions: waiting::Questions::default(),
                running: running::Running::default(),
                listeners: listeners::Listeners::default(),
                stop: None,
                required: question::Required::default(),
                history: Refusal::default(),
            }),
        }
    }

    /// Also accepts events of a code host that are signed with one of these secrets.
    #[must_use]
    pub fn taking(mut self, secrets: Vec<HookSecret>) -> Self {
        if let Some(inner) = Arc::get_mut(&mut self.inner) {
            inner.hook = secrets;
        }
        self
    }

    /// With other time limits for a request, and for a batch that is tried.
    #[must_use]
    pub fn within(mut self, limits: Limits) -> Self {
        if let Some(inner) = Arc::get_mut(&mut self.inner) {
            inner.limit_of_call = limits.call;
            inner.limit_of_trial = limits.trial;
        }
        self
    }

    /// Ends its streams when this is set.
    #[must_use]
    pub fn until(mut self, stop: watch::Receiver<bool>) -> Self {
        if let Some(inner) = Arc::get_mut(&mut self.inner) {
            inner.stop = Some(stop);
        }
        self
    }

    /// Shows in `/health` why the history is not cut.
    #[must_use]
    pub fn showing(mut self, history: Refusal) -> Self {
        if let Some(inner) = Arc::get_mut(&mut self.inner) {
            inner.history = history;
        }
        self
    }

    /// All routes: each host under `/{area}`, and without a prefix if the Host header's first label is the area.
    pub fn router(&self) -> Router {
        let area = format!("/{{{}}}", address::AREA);
        let mut router = Router::new();
        for host in [area.as_str(), ""] {
            let mcp = post(endpoint::call).fallback(endpoint::other);
            router = router
                .route(&format!("{host}/mcp"), mcp.clone())
                .route(&format!("{host}/mcp/"), mcp)
                .route(&format!("{host}/health"), get(health::health))
                .route(&format!("{host}/auth/refresh"), post(refresh::refresh))
                .route(&format!("{host}/wiki"), get(wiki::titles))
                .route(&format!("{host}/wiki/{{slug}}"), get(wiki::article))
                .route(
                    &format!("{host}/wiki/{{slug}}/{{article}}"),
                    get(wiki::article),
                );
        }
        router
            .route("/", get(home::page).fallback(address::no_such_address))
            .route("/engineering/hooks/code-host", post(hook::receive))
            .route(
                "/.well-known/oauth-protected-resource",
                get(resource::of_name),
            )
            .route(
                "/.well-known/oauth-protected-resource/{*resource}",
                get(resource::of_path),
            )
            .with_state(self.clone())
            .merge(self.inner.identity.router())
            .fallback(address::no_such_address)
            .layer(axum::middleware::from_fn_with_state(
                self.clone(),
                alias::tell_end,
            ))
            .layer(axum::middleware::from_fn_with_state(
                self.clone(),
                guard::check,
            ))
    }
}
