//! The command line of `frontdesk-server`.

mod accounts;
mod backup;
mod check;
mod config;
mod history;
mod manual;
mod organizations;
#[cfg(feature = "code-host")]
mod provider;
mod setup;
mod webhooks;

use std::io::Write;
use std::net::{SocketAddr, ToSocketAddrs};
use std::num::NonZeroU32;
use std::process::ExitCode;
use std::time::Duration;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand};
use frontdesk_server::clock::Clock;
use frontdesk_server::database::{Database, Location, LocationError};
use frontdesk_server::identity::{
    IdentitySettings, OutsideKeys, OutsideProvider, PublicAddress, TokenSource,
};
use frontdesk_server::server::{
    DEFAULT_ALIAS, DEFAULT_CLIENTS, DEFAULT_DAYS, DEFAULT_QUEUE, DEMO_PASSWORD, DEMO_PUBLIC_KEY,
    Listen, Server, Settings,
};
use frontdesk_server::wire::HookSecretError;
use frontdesk_server::{control, fixtures, server, telemetry};
use jiff::Timestamp;

/// The hosts: MCP over Streamable HTTP, with every call under PostgreSQL's row-level security.
#[derive(Debug, Parser)]
#[command(name = "frontdesk-server", version)]
struct Cli {
    /// Configuration file (TOML), with a key for every option [default: server.toml in your configuration directory]
    #[arg(
        long = "config",
        env = "FRONTDESK_CONFIG",
        value_name = "FILE",
        global = true
    )]
    _config: Option<std::path::PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the hosts until SIGINT, SIGTERM, SIGHUP or SIGQUIT.
    Serve(Box<Serve>),
    /// Add an event for today, with generated guests, to the demo organisation.
    Seed(Seed),
    /// Create the first organisation and its owner.
    Setup(setup::Setup),
    /// Add an account.
    AddAccount(accounts::AddAccount),
    /// Set the password of an account, and end its sign-ins.
    SetPassword(accounts::SetPassword),
    /// Remove the second factor of an account whose authenticator is lost, and end its sign-ins.
    RemoveSecondFactor(accounts::RemoveSecondFactor),
    /// List the accounts: organisation, address, role, state and last sign-in.
    ListAccounts(accounts::ListAccounts),
    /// Remove an account. What it wrote stays, marked “(former)”.
    RemoveAccount(accounts::RemoveAccount),
    /// List the organisations: name, slug and number of accounts.
    ListOrganizations(organizations::ListOrganizations),
    /// Give an organisation another name, slug or currency.
    RenameOrganization(organizations::RenameOrganization),
    /// Remove an organisation's accounts. Its records stay, marked “(former)”.
    RemoveOrganization(organizations::RemoveOrganization),
    /// Test the database, the address, the proxy and TLS, and say what to change.
    Check(Box<check::Check>),
    /// Write every row of the database to a file, also while a server uses it.
    Backup(backup::Backup),
    /// Restore a backup into an empty database, and compare counts and checksums.
    Restore(backup::Restore),
    /// Copy a database or a backup into an empty PostgreSQL database, and compare counts and checksums.
    Move(backup::Move),
    /// Keep the history of changes for fewer days, and remove what is older.
    KeepChanges(history::KeepChanges),
    /// Bring the schema up to this version, as the database's owner.
    Migrate(backup::Migrate),
    /// Print the completion script of a shell.
    Completions(manual::Completions),
    /// Print the manual page.
    Man,
    /// Print the version of the program, its schema and the protocol's revisions.
    Version(manual::Version),
    /// List and replay webhook events.
    #[command(subcommand)]
    Webhooks(webhooks::Command),
}

#[derive(Debug, Args)]
struct DatabaseArgs {
    /// The database: `memory`, a directory, or a postgres:// address [default: a directory in your data directory]
    #[arg(
        long,
        env = "FRONTDESK_DATABASE",
        hide_env_values = true,
        value_name = "memory|DIR|URL"
    )]
    database: Option<String>,
    /// Number of connections to a PostgreSQL server.
    #[arg(long, env = "FRONTDESK_CONNECTIONS", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=500))]
    connections: u16,
}

#[derive(Debug, Args)]
struct Serve {
    /// Address or name to listen on, or `unix:PATH` for a Unix socket behind a proxy; port 0 picks a free port.
    #[arg(
        long,
        env = "FRONTDESK_LISTEN",
        default_value = "127.0.0.1:4700",
        value_name = "HOST:PORT|unix:PATH",
        value_parser = place_to_listen
    )]
    listen: Listen,
    #[command(flatten)]
    database: DatabaseArgs,
    /// Address of a pooler with transaction pooling, such as PgBouncer, in front of the PostgreSQL server of
    /// --database. Calls go through it; migrations and the demo go to --database.
    #[arg(
        long,
        env = "FRONTDESK_POOLER",
        hide_env_values = true,
        value_name = "URL"
    )]
    pooler: Option<String>,
    /// Address of a standby of the PostgreSQL server of --database, which answers reads. Can be repeated; in the variable,
    /// with spaces between.
    #[arg(
        long = "replica",
        env = "FRONTDESK_REPLICAS",
        hide_env_values = true,
        value_name = "URL",
        value_delimiter = ' '
    )]
    replicas: Vec<String>,
    /// Seconds to wait at the start for a PostgreSQL server that is not up yet.
    #[arg(
        long,
        env = "FRONTDESK_DATABASE_WAIT",
        default_value_t = 60,
        value_name = "SECONDS"
    )]
    database_wait: u32,
    /// Maximum number of calls that wait for a database connection; further calls are refused with 503.
    #[arg(long, env = "FRONTDESK_QUEUE", default_value_t = DEFAULT_QUEUE, value_name = "N")]
    queue: usize,
    /// Maximum number of open client connections; further ones wait until one ends.
    #[arg(
        long,
        env = "FRONTDESK_CLIENTS",
        default_value_t = DEFAULT_CLIENTS,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=1_000_000)
    )]
    clients: u32,
    /// Minimum number of days with changes that the history keeps, so that changes can be undone; 0 records none. If the
    /// database keeps more, it goes on doing so: `keep-changes` shortens it.
    #[arg(
        long,
        env = "FRONTDESK_KEEP_CHANGES",
        default_value_t = DEFAULT_DAYS,
        value_name = "DAYS",
        value_parser = clap::value_parser!(u16).range(0..=3650)
    )]
    keep_changes: u16,
    /// Load the demo organisations if they do not exist yet.
    #[arg(long, env = "FRONTDESK_DEMO")]
    demo: bool,
    /// Calls a minute for each caller and host; 0 is unlimited.
    #[arg(
        long,
        env = "FRONTDESK_RATE_LIMIT",
        default_value_t = 100,
        value_name = "N"
    )]
    rate_limit: u32,
    /// Additional host name for requests, besides this machine's own; includes its subdomains. Can be
    /// repeated.
    #[arg(
        long,
        env = "FRONTDESK_ALLOW_HOST",
        value_name = "NAME",
        value_delimiter = ','
    )]
    allow_host: Vec<String>,
    /// Origin of pages that may call the hosts from a browser, such as https://app.example.org. Can be repeated.
    #[arg(
        long,
        env = "FRONTDESK_ALLOW_ORIGIN",
        value_name = "ORIGIN",
        value_delimiter = ',',
        value_parser = origin
    )]
    allow_origin: Vec<String>,
    /// Former name of the Lesson Studio host, under which it serves `generate_thumbnail` until 2026-12-04;
    /// empty for none.
    #[arg(long, env = "FRONTDESK_THUMBNAIL_ALIAS", default_value = DEFAULT_ALIAS, value_name = "NAME")]
    thumbnail_alias: String,
    /// Public address of the service, if it differs from the address that clients connect to, for example behind
    /// a proxy that terminates TLS. Sign-in and its metadata use this address.
    #[arg(long, env = "FRONTDESK_PUBLIC_URL", value_name = "URL")]
    public_url: Option<PublicAddress>,
    /// Accept tokens of an external provider that publishes its keys (JWKS) at this address.
    #[arg(
        long,
        env = "FRONTDESK_JWKS_URL",
        value_name = "URL",
        conflicts_with = "jwt_secret",
        requires_all = ["jwt_issuer", "jwt_audience"]
    )]
    jwks_url: Option<url::Url>,
    /// Accept tokens of an external provider that signs with this secret (HS256).
    #[arg(
        long,
        env = "FRONTDESK_JWT_SECRET",
        value_name = "SECRET",
        hide_env_values = true,
        requires_all = ["jwt_issuer", "jwt_audience"]
    )]
    jwt_secret: Option<String>,
    /// Issuer of the external provider's tokens (`iss`).
    #[arg(
        long,
        env = "FRONTDESK_JWT_ISSUER",
        value_name = "ISSUER",
        value_parser = clap::builder::NonEmptyStringValueParser::new()
    )]
    jwt_issuer: Option<String>,
    /// Audience of the external provider's tokens (`aud`).
    #[arg(
        long,
        env = "FRONTDESK_JWT_AUDIENCE",
        value_name = "AUDIENCE",
        value_parser = clap::builder::NonEmptyStringValueParser::new()
    )]
    jwt_audience: Option<String>,
    /// The external provider's sign-in service, to which clients are referred [default: the issuer, if it is an
    /// address]
    #[arg(long, env = "FRONTDESK_AUTHORIZATION_SERVER", value_name = "URL")]
    authorization_server: Option<url::Url>,
    /// Number of proxies in front of the server that add their client's address to X-Forwarded-For. Limits by client
    /// address need it.
    #[arg(long, env = "FRONTDESK_PROXIES", default_value_t = 0, value_name = "N")]
    proxies: u8,
    /// Public wiki pages a minute for each network address; 0 is unlimited. Client registrations and opened invitations
    /// each get a tenth of it.
    #[arg(
        long,
        env = "FRONTDESK_PAGE_LIMIT",
        default_value_t = 300,
        value_name = "N"
    )]
    page_limit: u32,
    /// Also allow MCP clients whose id is a document's address on a private network or with http://.
    #[arg(long, env = "FRONTDESK_PRIVATE_CLIENTS")]
    private_clients: bool,
    /// Public key that sign-in requires in `apikey` [default: `demo` with --demo, otherwise any]
    #[arg(long, env = "FRONTDESK_PUBLIC_KEY", value_name = "KEY")]
    public_key: Option<String>,
    /// Lifetime of an access token in seconds.
    #[arg(
        long,
        env = "FRONTDESK_TOKEN_LIFETIME",
        default_value_t = 3600,
        value_name = "SECONDS"
    )]
    token_lifetime: u64,
    #[cfg(feature = "code-host")]
    #[command(flatten)]
    provider: provider::Provider,
    #[command(flatten)]
    before: backup::BeforeMigrating,
    #[command(flatten)]
    webhooks: webhooks::Options,
    /// Accept pull request events of a code host, signed with this secret, at /engineering/hooks/code-host. Can be
    /// given twice to change the secret.
    #[arg(
        long,
        env = "FRONTDESK_CODE_HOST_HOOK_SECRET",
        hide_env_values = true,
        value_name = "SECRET",
        value_delimiter = ','
    )]
    code_host_hook_secret: Vec<String>,
    /// Serve `GET /metrics` (Prometheus) on this address.
    #[arg(
        long,
        env = "FRONTDESK_METRICS_LISTEN",
        value_name = "HOST:PORT",
        value_parser = socket_address
    )]
    metrics_listen: Option<SocketAddr>,
    /// Write the log as JSON.
    #[arg(long, env = "FRONTDESK_LOG_JSON")]
    log_json: bool,
}

#[derive(Debug, Args)]
struct Seed {
    #[command(flatten)]
    database: DatabaseArgs,
    /// Number of guests.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=5_000_000))]
    guests: u32,
}

/// Runs the command. An error is a line on stderr and exit code 1, or 2 for wrong usage.
pub(crate) fn run() -> ExitCode {
    let arguments = std::env::args_os().collect();
    let cli = match config::with_file(&Cli::command(), arguments) {
        Ok(arguments) => Cli::parse_from(arguments),
        Err(error) => return fail(&error),
    };
    // Removed at the end. If it cannot be created, the engine uses the system's temporary directory.
    #[cfg(feature = "embedded")]
    let _scratch = frontdesk_server::database::Scratch::of_process().ok();
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => return fail(&error),
    };
    let outcome = match cli.command {
        Command::Serve(serve) => runtime.block_on(run_serve(*serve)),
        Command::Seed(seed) => runtime.block_on(run_seed(seed)),
        Command::Setup(command) => runtime.block_on(command.run()),
        Command::AddAccount(command) => runtime.block_on(command.run()),
        Command::SetPassword(command) => runtime.block_on(command.run()),
        Command::RemoveSecondFactor(command) => runtime.block_on(command.run()),
        Command::ListAccounts(command) => runtime.block_on(command.run()),
        Command::RemoveAccount(command) => runtime.block_on(command.run()),
        Command::ListOrganizations(command) => runtime.block_on(command.run()),
        Command::RenameOrganization(command) => runtime.block_on(command.run()),
        Command::RemoveOrganization(command) => runtime.block_on(command.run()),
        Command::KeepChanges(command) => runtime.block_on(command.run()),
        Command::Completions(command) => command.run(Cli::command()),
        Command::Man => manual::print(Cli::command()),
        Command::Version(command) => command.run(),
        Command::Check(command) => runtime.block_on(command.run()),
        Command::Backup(command) => runtime.block_on(command.run()),
        Command::Restore(command) => runtime.block_on(command.run()),
        Command::Move(command) => runtime.block_on(command.run()),
        Command::Migrate(command) => {
            telemetry::log_warnings();
            runtime.block_on(command.run())
        }
        Command::Webhooks(command) => runtime.block_on(command.run()),
    };
    // The work of a call that was cut off is not waited for.
    runtime.shutdown_background();
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&*error),
    }
}

fn fail(error: &dyn std::error::Error) -> ExitCode {
    // If stderr is closed, the message cannot be shown.
    let _ = writeln!(std::io::stderr(), "frontdesk-server: {error}");
    ExitCode::FAILURE
}

type CliResult = Result<(), Box<dyn std::error::Error>>;

impl DatabaseArgs {
    fn location(&self) -> Result<Location, Box<dyn std::error::Error>> {
        self.location_named("postgres")
    }

    /// The same for the demo, whose accounts have known passwords: its data is in a separate directory.
    fn demo_location(&self) -> Result<Location, Box<dyn std::error::Error>> {
        self.location_named("demo")
    }

    fn location_named(&self, default: &str) -> Result<Location, Box<dyn std::error::Error>> {
        match &self.database {
            // Not parsed by clap, whose error would show the address with its password.
            Some(location) => Ok(location
                .parse()
                .unwrap_or_else(|error: LocationError| invalid("--database", &error))),
            None => Ok(Location::Directory(
                default_directory(default)
                    .ok_or("this user has no data directory; give --database DIR")?,
            )),
        }
    }
}

impl Serve {
    fn location(&self) -> Result<Location, Box<dyn std::error::Error>> {
        let location = match self.demo {
            true => self.database.demo_location()?,
            false => self.database.location()?,
        };
        let location = match &self.pooler {
            Some(pooler) => (location.through(pooler))
                .unwrap_or_else(|error: LocationError| invalid("--pooler", &error)),
            None => location,
        };
        let replicas = self.replicas.iter().filter(|replica| !replica.is_empty());
        Ok(replicas.fold(location, |location, replica| {
            (location.read_by(replica))
                .unwrap_or_else(|error: LocationError| invalid("--replica", &error))
        }))
    }
}

/// The address of `HOST:PORT`; of a name with several, the first of IPv4.
fn socket_address(text: &str) -> Result<SocketAddr, String> {
    let like = "write it like 127.0.0.1:4700 or localhost:4700";
    let addresses = text.to_socket_addrs();
    let addresses = addresses.map_err(|error| format!("{error}; {like}"))?;
    let mut addresses: Vec<_> = addresses.collect();
    addresses.sort_by_key(SocketAddr::is_ipv6);
    (addresses.first().copied()).ok_or_else(|| format!("the name has no address; {like}"))
}

/// A place to listen: `HOST:PORT` or `unix:PATH`.
fn place_to_listen(text: &str) -> Result<Listen, String> {
    match text.strip_prefix("unix:") {
        #[cfg(unix)]
        Some(path) if path.starts_with('/') => Ok(Listen::Socket(path.into())),
        Some(_) => Err("write it like unix:/run/frontdesk/http.sock".to_owned()),
        None => socket_address(text).map(Listen::Address),
    }
}

/// Reports an invalid option with a secret value. clap's own error would show the value.
fn invalid(option: &str, error: &dyn std::error::Error) -> ! {
    let message = format!("invalid value for '{option}': {error}");
    Cli::command()
        .error(ErrorKind::ValueValidation, message)
        .exit()
}

fn default_directory(name: &str) -> Option<std::path::PathBuf> {
    let project = directories::ProjectDirs::from("", "", "frontdesk")?;
    Some(project.data_dir().join(name))
}

async fn run_serve(args: Serve) -> CliResult {
    let database = args.location()?;
    if !matches!(args.listen, Listen::Address(_)) && args.public_url.is_none() {
        return Err(
            "--listen unix:PATH needs --public-url, the address of the proxy in front".into(),
        );
    }
    let webhooks = args.webhooks.settings();
    // Not parsed by clap, whose error would show it.
    let code_host_hook = args.code_host_hook_secret.iter().map(|secret| {
        let secret = secret.trim().parse();
        secret.unwrap_or_else(|error: HookSecretError| invalid("--code-host-hook-secret", &error))
    });
    let code_host_hook = code_host_hook.collect();
    #[cfg(feature = "code-host")]
    let code_host = args.provider.settings();
    telemetry::init_log(args.log_json);
    open_many_files();
    if let Some(address) = args.metrics_listen {
        telemetry::serve_metrics(server::listen(address).await?)?;
    }
    let keys = match (args.jwks_url, args.jwt_secret) {
        (Some(url), _) => Some(OutsideKeys::JwksUrl(url)),
        (None, secret) => secret.map(OutsideKeys::Secret),
    };
    let source = match keys {
        Some(keys) => TokenSource::Outside(OutsideProvider {
            keys,
            issuer: args.jwt_issuer.unwrap_or_default(),
            audience: args.jwt_audience.unwrap_or_default(),
        }),
        None => TokenSource::Own,
    };
    let public_key = args
        .public_key
        .or_else(|| args.demo.then(|| DEMO_PUBLIC_KEY.to_owned()));
    // The demo's accounts can only sign in at the built-in identity provider.
    let accounts = match (args.demo, &source) {
        (true, TokenSource::Own) => fixtures::demo_accounts()?,
        _ => Vec::new(),
    };
    tracing::info!(%database, "opening the database");
    let wait = Duration::from_secs(args.database_wait.into());
    Database::wait_for(&database, wait).await?;
    let server = Server::start(Settings {
        listen: args.listen,
        connections: usize::from(args.database.connections),
        queue: args.queue,
        clients: args.clients,
        demo: args.demo,
        calls_per_minute: args.rate_limit,
        allowed_names: args.allow_host,
        allowed_origins: args.allow_origin,
        thumbnail_alias: args.thumbnail_alias,
        identity: IdentitySettings {
            source,
            public_address: args.public_url.unwrap_or_default(),
            outside_server: args.authorization_server,
            public_key,
            #[cfg(feature = "code-host")]
            code_host,
            private_clients: args.private_clients,
            proxies: args.proxies,
            pages_per_minute: NonZeroU32::new(args.page_limit),
            access_lifetime: Duration::from_secs(args.token_lifetime),
            ..IdentitySettings::default()
        },
        webhooks,
        code_host_hook,
        keep_changes: args.keep_changes,
        migration_backup: args.before.directory(&database),
        measures: args.metrics_listen.is_some(),
        ..Settings::local(database)
    })
    .await?;
    // Catch signals before the address is printed: its reader can send one at once.
    let stopped = stop_signal()?;
    // The start ends here: a command that then takes the embedded database for long must not end the server.
    let setup = server.setup_link().await?;
    let mut stdout = std::io::stdout();
    writeln!(stdout, "listening on {}", server.url())?;
    stdout.flush()?;
    tell_accounts(&accounts);
    tell_setup(setup);
    stopped.await;
    tracing::info!("stopping");
    server.stop().await?;
    Ok(())
}

/// Prints the demo's accounts to stderr; stdout only has the address.
fn tell_accounts(accounts: &[fixtures::DemoAccount]) {
    if accounts.is_empty() {
        return;
    }
    let mut text = format!("the demo's accounts, all with the password {DEMO_PASSWORD}:\n");
    for account in accounts {
        let fixtures::DemoAccount {
            email,
            role,
            organization,
        } = account;
        text += &format!("  {email:<24} {role} at {organization}\n");
    }
    // If stderr is closed, the message cannot be shown.
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Prints how to create the first organisation to stderr.
fn tell_setup(link: Option<(String, Timestamp)>) {
    let Some((link, until)) = link else {
        return;
    };
    let text = format!(
        "There is no organisation yet. Create it and its owner here, once, until {}:\n  {link}\n\
         or in a terminal: frontdesk-server setup\n",
        until.strftime("%Y-%m-%d %H:%M UTC")
    );
    // If stderr is closed, the message cannot be shown.
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Raises the limit on open files to the maximum for this user: each client connection is an open file, and the
/// default limit of a shell is below that of `--clients`.
fn open_many_files() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let maximum = getrlimit(Resource::Nofile).maximum;
        let current = maximum;
        if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current, maximum }) {
            tracing::debug!(%error, "the limit on open files could not be raised");
        }
    }
}

async fn run_seed(args: Seed) -> CliResult {
    let database = control::reach_or_create(&args.database.demo_location()?).await?;
    let owner = async || -> Result<_, Box<dyn std::error::Error>> { Ok(database.owner().await?) };
    let seeded = fixtures::seed(owner, args.guests, Clock::system().now()).await?;
    database.close().await?;
    writeln!(std::io::stdout(), "added {seeded}")?;
    Ok(())
}

/// Catches the signals that ask a program to end: SIGINT, SIGTERM, SIGHUP and SIGQUIT. The future waits for one.
fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        // `nohup` has it ignored.
        let ignores_hangup = std::fs::read_to_string("/proc/self/status").is_ok_and(|status| {
            let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
            ignored.is_some_and(|mask| {
                mask.trim()
                    .ends_with(['1', '3', '5', '7', '9', 'b', 'd', 'f'])
            })
        });
        let mut hangup = signal(SignalKind::hangup())?;
        let mut quit = signal(SignalKind::quit())?;
        Ok(async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
                _ = hangup.recv(), if !ignores_hangup => {}
                _ = quit.recv() => {}
            }
        })
    }
    #[cfg(not(unix))]
    Ok(async {
        // If signals cannot be caught, this returns at once.
        let _ = tokio::signal::ctrl_c().await;
    })
}

/// An origin as browsers name it: a scheme, a name and a port that is not the scheme's.
fn origin(text: &str) -> Result<String, String> {
    let url = url::Url::parse(text).map_err(|error| error.to_string())?;
    let origin = url.origin().ascii_serialization();
    match origin == text.trim_end_matches('/') {
        true => Ok(origin),
        false => Err(format!(
            "an origin is a scheme and a name, such as {}",
            match origin.as_str() {
                "null" => "https://app.example.org",
                origin => origin,
            }
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_go_together() {
        Cli::command().debug_assert();
    }
}
