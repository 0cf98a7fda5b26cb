//! A running server: starts, listens and shuts down in order.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::backup::{BackupError, open_backed_up};
use crate::clock::Clock;
use crate::connections;
#[cfg(all(unix, feature = "embedded"))]
use crate::control::Control;
use crate::database::{Database, Location, OpenError, TransactionError};
use crate::fixtures::{self, FixtureError};
use crate::gauges::Gauges;
use crate::hosts::Hosts;
use crate::identity::{
    AuthError, HashError, Identity, IdentityError, IdentitySettings, hash_password, with_password,
};
pub use crate::limits::Limits;
use crate::listen::Listener;
pub use crate::listen::{Listen, ListenError, listen};
pub use crate::retention::DEFAULT_DAYS;
use crate::retention::Retention;
use crate::webhooks::{Receiver, ReceiverError, WebhookSettings, Worker};
use crate::wire::{Allowed, HookSecret, Service, TOOLS_PER_PAGE};

/// The time limit for running calls and deliveries after the signal to stop; then their statements are cancelled.
const GRACE: Duration = Duration::from_secs(5);
/// The time limit for closing the database after that. The embedded database cannot cancel a statement: if one still
/// runs, the database ends with the process, as after a crash, and loses nothing that was acknowledged.
const CLOSING: Duration = Duration::from_secs(4);
/// The password of every account of the demo organisations.
pub const DEMO_PASSWORD: &str = "demo-password";
/// The public key of a demo server, required as `apikey` at `/auth/v1/token`.
pub const DEMO_PUBLIC_KEY: &str = "demo";

/// The default limit on calls that wait for a database connection.
pub const DEFAULT_QUEUE: usize = 64;
/// The former name of the thumbnails' host.
pub const DEFAULT_ALIAS: &str = "thumbnails";
/// The default limit on open client connections.
pub const DEFAULT_CLIENTS: u32 = 4096;

/// The settings of a server.
#[derive(Debug)]
pub struct Settings {
    /// Where to listen.
    pub listen: Listen,
    /// The location of the database.
    pub database: Location,
    /// The number of connections to a PostgreSQL server. The embedded database always has one.
    pub connections: usize,
    /// The limit on calls that wait for a database connection; further calls are refused at once.
    pub queue: usize,
    /// The limit on open client connections; further ones wait until one ends.
    pub clients: u32,
    /// The time limits. [`Server::over`] leaves the database's as they are.
    pub limits: Limits,
    /// Whether to load the demo organisations if they do not exist yet.
    pub demo: bool,
    /// The time that the demo's times are relative to; default: the current time.
    pub demo_at: Option<Timestamp>,
    /// The tools of each host.
    pub hosts: Hosts,
    /// The number of tools on a page of `tools/list`.
    pub tools_per_page: usize,
    /// The number of calls a minute for each caller and host; 0 is unlimited.
    pub calls_per_minute: u32,
    /// Additional host names that requests can use, besides this machine's own.
    pub allowed_names: Vec<String>,
    /// Origins of pages that can call from a browser.
    pub allowed_origins: Vec<String>,
    /// The former name of the Lesson Studio host, under which it serves its thumbnails until 2026-12-04.
    pub thumbnail_alias: String,
    /// The issuer of tokens.
    pub identity: IdentitySettings,
    /// The receiver of webhooks. If `None`, events stay in the outbox.
    pub webhooks: Option<WebhookSettings>,
    /// The secrets with which a code host signs reports of pull requests. If empty, such reports are refused.
    pub code_host_hook: Vec<HookSecret>,
    /// The number of days for which the history of changes is kept; 0 records none.
    pub keep_changes: u16,
    /// The directory of the backup that is made before an older schema is migrated. `None`: no backup is made.
    pub migration_backup: Option<PathBuf>,
    /// Whether the gauges of the database and the disk are read, for `/metrics`.
    pub measures: bool,
    /// The source of the current time.
    pub clock: Clock,
}

impl Settings {
    /// Settings for a server on the loopback interface, on a free port, with this database.
    pub fn local(database: Location) -> Self {
        Settings {
            listen: Listen::Address(SocketAddr::from(([127, 0, 0, 1], 0))),
            database,
            connections: 10,
            queue: DEFAULT_QUEUE,
            clients: DEFAULT_CLIENTS,
            limits: Limits::default(),
            demo: false,
            demo_at: None,
            hosts: Hosts::default(),
            tools_per_page: TOOLS_PER_PAGE,
            calls_per_minute: 100,
            allowed_names: Vec::new(),
            allowed_origins: Vec::new(),
            thumbnail_alias: DEFAULT_ALIAS.to_owned(),
            identity: IdentitySettings::default(),
            webhooks: None,
            code_host_hook: Vec::new(),
            keep_changes: DEFAULT_DAYS,
            migration_backup: None,
            measures: false,
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
    /// The backup before the migration failed.
    #[error(transparent)]
    Backup(BackupError),
    /// The keys cannot be read or created.
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// The demo's accounts, with the password that everybody knows, are among real ones.
    #[error(
        "this database has the demo's accounts, whose password everybody knows: {}; give them another one with \
         `frontdesk-server set-password`, or remove them with `frontdesk-server remove-organization` or \
         `remove-account`; `serve --demo` has a directory of its own", .0.join(", ")
    )]
    DemoAccounts(Vec<String>),
    /// The accounts could not be read.
    #[error(transparent)]
    Accounts(#[from] AuthError),
    /// The owner's connection to the database failed.
    #[error("the database refuses: {}", crate::database::causes(.0))]
    Owner(#[from] TransactionError),
    /// The demo accounts' password cannot be hashed.
    #[error(transparent)]
    Password(#[from] HashError),
    /// The demo organisation cannot be loaded.
    #[error("the demo organisation cannot be loaded: {0}")]
    Fixtures(#[from] FixtureError),
    /// The webhook receiver's address cannot be used.
    #[error(transparent)]
    Webhooks(#[from] ReceiverError),
    /// The address cannot be listened on.
    #[error(transparent)]
    Listen(#[from] ListenError),
}

/// A running server. Dropping it refuses new requests and lets running ones finish; [`Server::stop`] also
/// waits for them and closes the database.
#[derive(Debug)]
pub struct Server {
    listening: Listen,
    database: Database,
    identity: Identity,
    stop: watch::Sender<bool>,
    serving: JoinHandle<()>,
    /// The webhook worker, if there is a receiver.
    delivering: Option<JoinHandle<()>>,
    #[cfg(all(unix, feature = "embedded"))]
    _control: Option<Control>,
}

impl Server {
    /// Opens the database, loads the demo if requested, and listens. Requests are answered as soon as this
    /// returns.
    ///
    /// # Errors
    /// [`StartError`], with advice.
    pub async fn start(settings: Settings) -> Result<Server, StartError> {
        // Before the database is migrated: a server that cannot listen changes nothing.
        let listener = settings.listen.open().await?;
        let directory = settings.migration_backup.as_deref();
        let (at, connections) = (settings.clock.now(), settings.connections);
        let opened = open_backed_up(&settings.database, connections, directory, at).await;
        let (database, backup) = opened.map_err(|error| match error {
            BackupError::Open(error) => StartError::Database(error),
            error => StartError::Backup(error),
        })?;
        if let Some(file) = backup {
            tracing::info!(file = %file.display(), "backed up before the schema was migrated");
        }
        let database = database.with_limits(settings.limits)?;
        if !settings.demo {
            let demo = fixtures::demo_accounts()?;
            let emails: Vec<&str> = demo.iter().map(|account| account.email.as_str()).collect();
            let known = with_password(&database, &emails, DEMO_PASSWORD).await?;
            if !known.is_empty() {
                database.close().await?;
                return Err(StartError::DemoAccounts(known));
            }
        }
        Server::listening(listener, database, settings).await
    }

    /// As [`Server::start`], with an open database: several servers can share it.
    ///
    /// # Errors
    /// [`StartError`], with advice.
    pub async fn over(database: Database, settings: Settings) -> Result<Server, StartError> {
        let listener = settings.listen.open().await?;
        Server::listening(listener, database, settings).await
    }

    async fn listening(
        (listener, listening): (Listener, Listen),
        database: Database,
        settings: Settings,
    ) -> Result<Server, StartError> {
        // An error means that another part of the process has installed a provider, which also works.
        let _ = rustls::crypto::ring::default_provider().install_default();
        if settings.demo {
            let hash = hash_password(DEMO_PASSWORD)?;
            let mut owner = database.owner().await?;
            let at = settings.demo_at.unwrap_or_else(|| settings.clock.now());
            fixtures::load(&mut owner, at, &hash).await?;
        }
        let database = database
            .with_queue(settings.queue)
            .recording_changes(settings.keep_changes > 0);
        let public_address = &settings.identity.public_address;
        let public_name = public_address.name();
        let is_encrypted = (public_address.url()).is_some_and(|url| url.scheme() == "https");
        let ip = listening.address().map(|address| address.ip());
        if !is_encrypted && ip.is_some_and(|ip| !ip.is_loopback()) {
            tracing::warn!(
                listen = %settings.listen,
                "clients on the network send passwords readable: put a proxy with TLS in front, and name it with \
                 --public-url"
            );
        }
        let identity =
            Identity::open(database.clone(), settings.identity, settings.clock.clone()).await?;
        let mut names = settings.allowed_names;
        names.extend(public_name);
        names.extend(ip.map(|ip| match ip {
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => format!("[{ip}]"),
        }));
        let receiver = settings.webhooks.map(Receiver::new).transpose()?;
        let issuer = identity.clone();
        let (stop, stopped) = watch::channel(false);
        let retention = Retention::new(database.clone(), settings.keep_changes);
        let service = Service::new(
            database.clone(),
            identity,
            settings.hosts,
            settings.tools_per_page,
            settings.clock.clone(),
            settings.calls_per_minute,
            Allowed::names(names)
                .with_alias(&settings.thumbnail_alias)
                .with_origins(settings.allowed_origins),
        )
        .taking(settings.code_host_hook)
        .within(settings.limits)
        .until(stopped.clone())
        .showing(retention.refusal());
        retention.keep().await;
        tokio::spawn(retention.run(stop.subscribe()));
        if settings.measures {
            let gauges = Gauges::of(database.clone(), &settings.database);
            tokio::spawn(gauges.run(stop.subscribe()));
        }
        let delivering = receiver.map(|receiver| {
            tracing::info!(receiver = receiver.host(), "webhooks are delivered");
            let worker = Worker::new(database.clone(), receiver, settings.clock);
            tokio::spawn(worker.run(stop.subscribe()))
        });
        #[cfg(all(unix, feature = "embedded"))]
        let control = listen_for_commands(&settings.database, &database);
        let serve = connections::serve(
            listener,
            service.router(),
            settings.clients,
            settings.limits.answer,
            stopped,
        );
        Ok(Server {
            listening,
            database,
            identity: issuer,
            stop,
            serving: tokio::spawn(serve),
            delivering,
            #[cfg(all(unix, feature = "embedded"))]
            _control: control,
        })
    }

    /// The address it listens on; that of this machine without a port if it is a socket.
    pub fn address(&self) -> SocketAddr {
        let here = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        self.listening.address().unwrap_or(here)
    }

    /// The base address of the hosts, `http://HOST:PORT`, or the socket, `unix:PATH`.
    pub fn url(&self) -> String {
        match self.listening {
            Listen::Address(address) => format!("http://{address}"),
            #[cfg(unix)]
            Listen::Socket(_) => self.listening.to_string(),
        }
    }

    /// The link to create the first organisation and its owner, and its end; `None` if there is an organisation, or if
    /// another identity provider has the accounts.
    ///
    /// # Errors
    /// [`AuthError`] if the database cannot be read.
    pub async fn setup_link(&self) -> Result<Option<(String, Timestamp)>, AuthError> {
        let mut address = self.address();
        if address.ip().is_unspecified() {
            address.set_ip(match address.is_ipv4() {
                true => Ipv4Addr::LOCALHOST.into(),
                false => Ipv6Addr::LOCALHOST.into(),
            });
        }
        self.identity.setup_link(&format!("http://{address}")).await
    }

    /// The database, for tests that check it directly.
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// Stops accepting requests and starting deliveries, waits 5 s for the running ones, then closes the database, for
    /// which it waits 4 s.
    ///
    /// # Errors
    /// [`OpenError`] if the embedded database could not be closed cleanly.
    pub async fn stop(mut self) -> Result<(), OpenError> {
        self.stop.send_replace(true);
        let grace = tokio::time::sleep(GRACE);
        let mut grace = std::pin::pin!(grace);
        // Another worker takes the event of an aborted delivery when its lease expires.
        for (running, what) in [
            (Some(&mut self.serving), "calls"),
            (self.delivering.as_mut(), "webhook deliveries"),
        ] {
            let Some(running) = running else { continue };
            tokio::select! {
                biased;
                _ = &mut *running => {}
                () = grace.as_mut() => {
                    tracing::warn!("{what} were still in flight after {} s", GRACE.as_secs());
                    running.abort();
                }
            }
        }
        match tokio::time::timeout(CLOSING, self.database.close()).await {
            Ok(closed) => closed,
            Err(_) => {
                tracing::warn!("a statement is still running; the database ends with the process");
                Ok(())
            }
        }
    }
}

/// Lets other commands use the embedded database while this server has it open. The server works without.
#[cfg(all(unix, feature = "embedded"))]
fn listen_for_commands(location: &Location, database: &Database) -> Option<Control> {
    let Location::Directory(directory) = location else {
        return None;
    };
    match Control::listen(directory, database.clone()) {
        Ok(control) => Some(control),
        Err(error) => {
            tracing::warn!(%error, "commands such as backup need this server to be stopped");
            None
        }
    }
}
