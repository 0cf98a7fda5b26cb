//! The command line of `frontdesk-server`.

#[cfg(feature = "code-host")]
mod provider;
mod webhooks;

use std::io::Write;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::process::ExitCode;
use std::time::Duration;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand};
use frontdesk_protocol::Role;
use frontdesk_server::accounts::{self, NewAccount};
use frontdesk_server::clock::Clock;
use frontdesk_server::database::{Database, Location, LocationError};
use frontdesk_server::identity::{
    IdentitySettings, OutsideKeys, OutsideProvider, PublicAddress, TokenSource,
};
use frontdesk_server::server::{
    DEFAULT_ALIAS, DEFAULT_CLIENTS, DEFAULT_QUEUE, DEMO_PASSWORD, DEMO_PUBLIC_KEY, Server, Settings,
};
use frontdesk_server::wire::HookSecretError;
use frontdesk_server::{fixtures, telemetry};

/// The hosts: MCP over Streamable HTTP, every call under PostgreSQL's row-level security.
#[derive(Debug, Parser)]
#[command(name = "frontdesk-server", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the hosts until a signal to stop.
    Serve(Box<Serve>),
    /// Add an event of today with generated guests to the demo organisation.
    Seed(Seed),
    /// Add an account, and its organisation if it is new.
    AddAccount(AddAccount),
    /// Show the webhook's events, and send them again.
    #[command(subcommand)]
    Webhooks(webhooks::Command),
}

#[derive(Debug, Args)]
struct DatabaseArgs {
    /// Where the database is: `memory`, a directory, or postgres://… [default: a directory of this user's]
    #[arg(
        long,
        env = "FRONTDESK_DATABASE",
        hide_env_values = true,
        value_name = "memory|DIR|URL"
    )]
    database: Option<String>,
    /// Connections to a PostgreSQL server.
    #[arg(long, env = "FRONTDESK_CONNECTIONS", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=500))]
    connections: u16,
}

#[derive(Debug, Args)]
struct Serve {
    /// Where to listen; port 0 picks one.
    #[arg(long, env = "FRONTDESK_LISTEN", default_value = "127.0.0.1:4700")]
    listen: SocketAddr,
    #[command(flatten)]
    database: DatabaseArgs,
    /// Calls that may wait for a connection of the database; those above that are refused with 503.
    #[arg(long, env = "FRONTDESK_QUEUE", default_value_t = DEFAULT_QUEUE, value_name = "N")]
    queue: usize,
    /// Connections of clients that are open at once; further ones wait until one of those ends.
    #[arg(
        long,
        env = "FRONTDESK_CLIENTS",
        default_value_t = DEFAULT_CLIENTS,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=1_000_000)
    )]
    clients: u32,
    /// Load the demo organisation, if it is not there yet.
    #[arg(long, env = "FRONTDESK_DEMO")]
    demo: bool,
    /// Calls a minute for each caller and host; 0 is no limit.
    #[arg(
        long,
        env = "FRONTDESK_RATE_LIMIT",
        default_value_t = 100,
        value_name = "N"
    )]
    rate_limit: u32,
    /// A name under which the hosts may be addressed, besides this machine's own; it stands for the
    /// names below it, too. May be given several times.
    #[arg(
        long,
        env = "FRONTDESK_ALLOW_HOST",
        value_name = "NAME",
        value_delimiter = ','
    )]
    allow_host: Vec<String>,
    /// The earlier name of the Lesson Studio host, under which it serves `generate_thumbnail` until 2026-12-04;
    /// empty is none.
    #[arg(long, env = "FRONTDESK_THUMBNAIL_ALIAS", default_value = DEFAULT_ALIAS, value_name = "NAME")]
    thumbnail_alias: String,
    /// Where clients find the service, when that is not what they address: behind a proxy that ends TLS,
    /// for one. Sign-in and what is said about it name this address.
    #[arg(long, env = "FRONTDESK_PUBLIC_URL", value_name = "URL")]
    public_url: Option<PublicAddress>,
    /// Take the tokens of an outside provider that publishes its keys here.
    #[arg(
        long,
        env = "FRONTDESK_JWKS_URL",
        value_name = "URL",
        conflicts_with = "jwt_secret",
        requires_all = ["jwt_issuer", "jwt_audience"]
    )]
    jwks_url: Option<url::Url>,
    /// Take the tokens of an outside provider that signs with this secret (HS256).
    #[arg(
        long,
        env = "FRONTDESK_JWT_SECRET",
        value_name = "SECRET",
        hide_env_values = true,
        requires_all = ["jwt_issuer", "jwt_audience"]
    )]
    jwt_secret: Option<String>,
    /// The issuer of the outside provider's tokens (`iss`).
    #[arg(
        long,
        env = "FRONTDESK_JWT_ISSUER",
        value_name = "ISSUER",
        value_parser = clap::builder::NonEmptyStringValueParser::new()
    )]
    jwt_issuer: Option<String>,
    /// The audience that the outside provider's tokens are for (`aud`).
    #[arg(
        long,
        env = "FRONTDESK_JWT_AUDIENCE",
        value_name = "AUDIENCE",
        value_parser = clap::builder::NonEmptyStringValueParser::new()
    )]
    jwt_audience: Option<String>,
    /// Where the outside provider signs people in; clients are sent there [default: its issuer, where that is
    /// an address]
    #[arg(long, env = "FRONTDESK_AUTHORIZATION_SERVER", value_name = "URL")]
    authorization_server: Option<url::Url>,
    /// How many proxies stand before the server, each of which adds its client's address to X-Forwarded-For:
    /// sign-ins are fair by client address.
    #[arg(long, env = "FRONTDESK_PROXIES", default_value_t = 0, value_name = "N")]
    proxies: u8,
    /// Pages of the public wiki a minute for each network address; 0 is no limit. A tenth of it is for registrations
    /// of clients, and as much for openings of invitations.
    #[arg(long, env = "FRONTDESK_PAGE_LIMIT", default_value_t = 300, value_name = "N")]
    page_limit: u32,
    /// Let MCP clients whose id is the address of a document have it in a private network, and at http://.
    #[arg(long, env = "FRONTDESK_PRIVATE_CLIENTS")]
    private_clients: bool,
    /// The public key that sign-in asks for in `apikey` [default: `demo` with --demo, else any]
    #[arg(long, env = "FRONTDESK_PUBLIC_KEY", value_name = "KEY")]
    public_key: Option<String>,
    /// How long an access token is good for, in seconds.
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
    webhooks: webhooks::Options,
    /// Take what a code host tells of pull requests at /engineering/hooks/code-host and signs with this secret. May be
    /// given twice while it is changed.
    #[arg(
        long,
        env = "FRONTDESK_CODE_HOST_HOOK_SECRET",
        hide_env_values = true,
        value_name = "SECRET",
        value_delimiter = ','
    )]
    code_host_hook_secret: Vec<String>,
    /// Answer `GET /metrics` (Prometheus) here.
    #[arg(long, env = "FRONTDESK_METRICS_LISTEN", value_name = "ADDR")]
    metrics_listen: Option<SocketAddr>,
    /// Write the log as JSON.
    #[arg(long, env = "FRONTDESK_LOG_JSON")]
    log_json: bool,
}

#[derive(Debug, Args)]
struct Seed {
    #[command(flatten)]
    database: DatabaseArgs,
    /// How many guests.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=5_000_000))]
    guests: u32,
}

#[derive(Debug, Args)]
struct AddAccount {
    #[command(flatten)]
    database: DatabaseArgs,
    /// Signs in with this address; the password is one line on stdin.
    #[arg(long, value_name = "E")]
    email: String,
    /// The organisation's name; it is made if there is none of this name.
    #[arg(long, value_name = "NAME")]
    organization: String,
    /// owner, admin, staff, teacher, finance, automation or fellow.
    #[arg(long, value_name = "ROLE", value_parser = role)]
    role: Role,
}

fn role(name: &str) -> Result<Role, String> {
    Role::from_name(name).ok_or_else(|| {
        let names = Role::ALL.map(Role::name).join(", ");
        format!("must be one of {names}")
    })
}

/// Runs the command; an error is a line on stderr and exit code 1 (2 for a wrong usage).
pub(crate) fn run() -> ExitCode {
    let cli = Cli::parse();
    // Removed in the end; without it, the engine's temporary files are where everybody's are.
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
        Command::AddAccount(account) => runtime.block_on(run_add_account(account)),
        Command::Webhooks(command) => runtime.block_on(command.run()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&*error),
    }
}

fn fail(error: &dyn std::error::Error) -> ExitCode {
    // Where stderr is gone, there is nobody to tell.
    let _ = writeln!(std::io::stderr(), "frontdesk-server: {error}");
    ExitCode::FAILURE
}

type Outcome = Result<(), Box<dyn std::error::Error>>;

impl DatabaseArgs {
    fn location(&self) -> Result<Location, Box<dyn std::error::Error>> {
        match &self.database {
            // Not clap's to parse, whose error would repeat the address with its password.
            Some(location) => Ok(location
                .parse()
                .unwrap_or_else(|error: LocationError| invalid("--database", &error))),
            None => Ok(Location::Directory(
                default_directory()
                    .ok_or("this user has no data directory; give --database DIR")?,
            )),
        }
    }
}

/// Says what is wrong with an option that holds a secret: clap would repeat its value.
fn invalid(option: &str, error: &dyn std::error::Error) -> ! {
    let message = format!("invalid value for '{option}': {error}");
    Cli::command()
        .error(ErrorKind::ValueValidation, message)
        .exit()
}

fn default_directory() -> Option<std::path::PathBuf> {
    let project = directories::ProjectDirs::from("", "", "frontdesk")?;
    Some(project.data_dir().join("postgres"))
}

async fn run_serve(args: Serve) -> Outcome {
    let webhooks = args.webhooks.settings();
    // Not clap's to parse, whose error would repeat it.
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
        telemetry::serve_metrics(address).await?;
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
    // The demo's accounts sign in at our own identity provider.
    let accounts = match (args.demo, &source) {
        (true, TokenSource::Own) => fixtures::demo_accounts()?,
        _ => Vec::new(),
    };
    let database = args.database.location()?;
    tracing::info!(%database, "opening the database");
    let server = Server::start(Settings {
        listen: args.listen,
        connections: usize::from(args.database.connections),
        queue: args.queue,
        clients: args.clients,
        demo: args.demo,
        calls_per_minute: args.rate_limit,
        allowed_names: args.allow_host,
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
        ..Settings::local(database)
    })
    .await?;
    // Caught from here on: whoever reads the address may send a signal at once.
    let stopped = stop_signal()?;
    let mut stdout = std::io::stdout();
    writeln!(stdout, "listening on {}", server.url())?;
    stdout.flush()?;
    tell_accounts(&accounts);
    stopped.await;
    tracing::info!("stopping");
    server.stop().await?;
    Ok(())
}

/// Says who can sign in to the demo. On stderr: stdout is where it listens and no more.
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
    // Where stderr is gone, there is nobody to tell.
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Lets this process open as many files as its user may: each client's connection is one, and a shell
/// allows fewer of them than `--clients` by default.
fn open_many_files() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let maximum = getrlimit(Resource::Nofile).maximum;
        let current = maximum;
        if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current, maximum }) {
            tracing::debug!(%error, "the limit of open files stays");
        }
    }
}

async fn run_seed(args: Seed) -> Outcome {
    let database = Database::open(&args.database.location()?, 1).await?;
    let mut owner = database.owner().await?;
    let seeded = fixtures::seed(&mut owner, args.guests, Clock::system().now()).await?;
    drop(owner);
    database.close().await?;
    writeln!(std::io::stdout(), "added {seeded}")?;
    Ok(())
}

async fn run_add_account(args: AddAccount) -> Outcome {
    let mut password = String::new();
    std::io::stdin().read_line(&mut password)?;
    let password = password.trim_end_matches(['\r', '\n']).to_owned();
    if password.chars().count() < 8 {
        return Err("the password, one line on stdin, must have at least 8 characters".into());
    }
    let database = Database::open(&args.database.location()?, 1).await?;
    let mut owner = database.owner().await?;
    let account = NewAccount {
        email: args.email,
        password,
        organization: args.organization,
        role: args.role,
    };
    let id = accounts::add(&mut owner, &account).await?;
    drop(owner);
    database.close().await?;
    writeln!(std::io::stdout(), "added {} ({id})", account.email)?;
    Ok(())
}

/// Catches SIGINT and SIGTERM; what it returns waits for one.
fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        Ok(async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
        })
    }
    #[cfg(not(unix))]
    Ok(async {
        // It cannot be caught: then there is nothing to wait for.
        let _ = tokio::signal::ctrl_c().await;
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_go_together() {
        Cli::command().debug_assert();
    }
}
