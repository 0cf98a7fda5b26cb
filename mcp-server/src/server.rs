//! A running server: opened, listening, and closed in order.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::clock::Clock;
use crate::connections;
use crate::database::{Database, Location, OpenError, TransactionError};
use crate::fixtures::{self, FixtureError};
use crate::hosts::Hosts;
use crate::identity::{HashError, Identity, IdentityError, IdentitySettings, hash_password};
use crate::webhooks::{Receiver, ReceiverError, WebhookSettings, Worker};
use crate::wire::{Allowed, HookSecret, Service, TOOLS_PER_PAGE};

/// How long calls in flight may take after the signal to stop.
const GRACE: Duration = Duration::from_secs(30);
/// Every account of the demo organisation has this password.
pub const DEMO_PASSWORD: &str = "demo-password";
/// The public key of a demo server: what `apikey` must be at `/auth/v1/token`.
pub const DEMO_PUBLIC_KEY: &str = "demo";

/// How many calls may wait for a connection of the database.
pub const DEFAULT_QUEUE: usize = 64;
/// The name that the thumbnails' host had.
pub const DEFAULT_ALIAS: &str = "thumbnails";
/// How many connections of clients are held at once.
pub const DEFAULT_CLIENTS: u32 = 4096;

/// What a server is started with.
#[derive(Debug)]
pub struct Settings {
    /// Where to listen; port 0 picks one.
    pub listen: SocketAddr,
    /// Where the database is.
    pub database: Location,
    /// Connections to a PostgreSQL server. The embedded database has one.
    pub connections: usize,
    /// Calls that may wait for a connection of the database, each for at most 5 s; further ones are refused at
    /// once.
    pub queue: usize,
    /// Clients' connections at once; further ones wait until one of those ends.
    pub clients: u32,
    /// Loads the demo organisation, if it is not there yet.
    pub demo: bool,
    /// The tools of each host.
    pub hosts: Hosts,
    /// How many tools a page of `tools/list` holds.
    pub tools_per_page: usize,
    /// Calls a minute for each caller and host; 0 is no limit.
    pub calls_per_minute: u32,
    /// Names under which the hosts may be addressed, besides this machine's own.
    pub allowed_names: Vec<String>,
    /// The earlier name of the Lesson Studio host, under which it serves its thumbnails until 2026-12-04.
    pub thumbnail_alias: String,
    /// Who issues tokens.
    pub identity: IdentitySettings,
    /// Who is told of new meetings. None keeps the events, undelivered.
    pub webhooks: Option<WebhookSettings>,
    /// What a code host signs with that tells of pull requests. None: nothing is taken from one.
    pub code_host_hook: Vec<HookSecret>,
    /// Tells the time.
    pub clock: Clock,
}

impl Settings {
    /// A server for this machine alone, on a port of its own, over this database.
    pub fn local(database: Location) -> Self {
        Settings {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            database,
            connections: 10,
            queue: DEFAULT_QUEUE,
            clients: DEFAULT_CLIENTS,
            demo: false,
            hosts: Hosts::default(),
            tools_per_page: TOOLS_PER_PAGE,
            calls_per_minute: 100,
            allowed_names: Vec::new(),
            thumbnail_alias: DEFAULT_ALIAS.to_owned(),
            identity: IdentitySettings::default(),
            webhooks: None,
            code_host_hook: Vec::new(),
            clock: Clock::system(),
        }
    }
}

/// Why a server did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The database cannot be opened.
    #[error(transparent)]
    Database(#[from] OpenError),
    /// The keys cannot be read or made.
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// The database does not let its owner in.
    #[error("the database refuses: {0}")]
    Owner(#[from] TransactionError),
    /// The demo accounts' password cannot be hashed.
    #[error(transparent)]
    Password(#[from] HashError),
    /// The demo organisation cannot be loaded.
    #[error("the demo organisation cannot be loaded: {0}")]
    Fixtures(#[from] FixtureError),
    /// The webhook's receiver cannot be sent anything.
    #[error(transparent)]
    Webhooks(#[from] ReceiverError),
    /// Nothing can listen there.
    #[error(
        "cannot listen on {0}: {1}; another program may have the port, --listen HOST:0 picks a free one"
    )]
    Listen(SocketAddr, #[source] std::io::Error),
}

/// A running server. Dropped, it takes no more requests and lets those in flight finish;
/// [`Server::stop`] also waits for them and closes the database.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    database: Database,
    stop: watch::Sender<bool>,
    serving: JoinHandle<()>,
    /// The webhook worker, where there is a receiver.
    delivering: Option<JoinHandle<()>>,
}

impl Server {
    /// Opens the database, loads what is to be loaded, and listens. Requests are answered as soon
    /// as this returns.
    ///
    /// # Errors
    /// [`StartError`], which says what to do.
    pub async fn start(settings: Settings) -> Result<Server, StartError> {
        let database = Database::open(&settings.database, settings.connections).await?;
        Server::over(database, settings).await
    }

    /// As [`Server::start`], over a database that is open already: several servers may share it.
    ///
    /// # Errors
    /// [`StartError`], which says what to do.
    pub async fn over(database: Database, settings: Settings) -> Result<Server, StartError> {
        // Another part of the process may have installed it already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        if settings.demo {
            let hash = hash_password(DEMO_PASSWORD)?;
            let mut owner = database.owner().await?;
            fixtures::load(&mut owner, settings.clock.now(), &hash).await?;
        }
        let database = database
            .with_queue(settings.queue)
            .with_code_host(!settings.code_host_hook.is_empty());
        let identity =
            Identity::open(database.clone(), settings.identity, settings.clock.clone()).await?;
        let mut names = settings.allowed_names;
        names.push(match settings.listen.ip() {
            std::net::IpAddr::V4(ip) => ip.to_string(),
            std::net::IpAddr::V6(ip) => format!("[{ip}]"),
        });
        let receiver = settings.webhooks.map(Receiver::new).transpose()?;
        let service = Service::new(
            database.clone(),
            identity,
            settings.hosts,
            settings.tools_per_page,
            settings.clock.clone(),
            settings.calls_per_minute,
            Allowed::names(names).with_alias(&settings.thumbnail_alias),
        )
        .taking(settings.code_host_hook);
        let listen = |error| StartError::Listen(settings.listen, error);
        let listener = TcpListener::bind(settings.listen).await.map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let (stop, stopped) = watch::channel(false);
        let delivering = receiver.map(|receiver| {
            tracing::info!(receiver = receiver.host(), "webhooks are delivered");
            let worker = Worker::new(database.clone(), receiver, settings.clock);
            tokio::spawn(worker.run(stop.subscribe()))
        });
        let serve = connections::serve(listener, service.router(), settings.clients, stopped);
        Ok(Server {
            address,
            database,
            stop,
            serving: tokio::spawn(serve),
            delivering,
        })
    }

    /// The address that it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The base address of the hosts: `http://HOST:PORT`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The database, for tests that look at it from the other side.
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// Takes no more requests and begins no more deliveries, lets those in flight finish, then closes
    /// the database.
    ///
    /// # Errors
    /// [`OpenError`] when the embedded database could not be closed cleanly.
    pub async fn stop(mut self) -> Result<(), OpenError> {
        self.stop.send_replace(true);
        if tokio::time::timeout(GRACE, &mut self.serving)
            .await
            .is_err()
        {
            tracing::warn!("calls were still in flight after {} s", GRACE.as_secs());
            self.serving.abort();
        }
        // A delivery ends within its time-out; one that does not is another worker's, after its lease.
        if let Some(delivering) = &mut self.delivering
            && tokio::time::timeout(GRACE, &mut *delivering).await.is_err()
        {
            tracing::warn!("webhooks were still under way");
            delivering.abort();
        }
        self.database.close().await
    }
}
