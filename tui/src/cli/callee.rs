//! The callee of a command: a host of the service, a configured server, or a server at an address.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io::{IsTerminal, Write};
use std::time::Duration;

use frontdesk::plain;
use frontdesk_client::config::servers::{Era, HttpServer, ServerConfig};
use frontdesk_client::{CallError, Callee, Server, Tasks, ToolInfo, paths};
use frontdesk_protocol::Host;

use super::options::Options;
use super::suggest::closest;
use super::terminal::until_interrupted;
use super::{Failure, warn};

/// A server that has not answered for this time is reported.
const SILENCE: Duration = Duration::from_secs(5);

/// The callee for an area, a name or an address.
///
/// # Errors
/// [`Failure::Usage`] if it does not exist, with the existing ones.
pub(super) fn find(options: &Options, name: &str, era: Option<Era>) -> Result<Callee, Failure> {
    if let Ok(host) = name.parse::<Host>() {
        if era.is_some() {
            let message = format!("--era is for other servers; {host} is a host of the service");
            return Err(Failure::Usage(message));
        }
        return Ok(Callee::Host(options.client(options.store()?)?, host));
    }
    server(options, name, era).map(Callee::Server)
}

/// The third-party server for a name or an address, with another era than configured.
///
/// # Errors
/// As for [`find`], and [`Failure::Refused`] if its token is missing.
pub(super) fn server(options: &Options, name: &str, era: Option<Era>) -> Result<Server, Failure> {
    let (config, tokens) = match is_address(name) {
        true => {
            let server = HttpServer::new(name, None, BTreeMap::new()).map_err(Failure::Usage)?;
            (ServerConfig::Http(server), None)
        }
        false => {
            let tokens = paths::server_file(&options.data_directory()?, name);
            (configured(options, name)?, Some(tokens))
        }
    };
    let config = match era {
        Some(era) => config.in_era(era),
        None => config,
    };
    let server = Server::new(name, &config, tokens);
    let server = server.map_err(|error| of_server(name, error))?;
    server.trace(&options.traced());
    if let Ok(data) = options.data_directory() {
        server.keep_tasks(Tasks::new(paths::tasks_file(&data)));
    }
    Ok(server)
}

/// The tool with this name.
///
/// # Errors
/// [`Failure::Usage`] if it is not offered, with the offered ones.
pub(super) async fn tool(callee: &Callee, name: &str) -> Result<ToolInfo, Failure> {
    let mut tools = callee
        .tools()
        .await
        .map_err(|error| failure(callee, error))?;
    if let Some(at) = tools.iter().position(|tool| tool.name == name) {
        return Ok(tools.swap_remove(at));
    }
    let names: Vec<_> = tools.iter().map(|tool| tool.name.as_str()).collect();
    let close = closest(name, names.iter().copied());
    let (kind, other) = match callee {
        Callee::Host(_, host) => {
            let mut others = Host::ALL.into_iter().filter(|other| other != host);
            ("host", others.find(|other| other.tool(name).is_some()))
        }
        Callee::Server(_) => ("server", None),
    };
    let known = match (other, close, names.as_slice()) {
        (Some(host), ..) => format!("it is a tool of {}", host.area()),
        (None, Some(close), _) => format!("did you mean `{close}`?"),
        (None, None, []) => "it offers you no tools".to_owned(),
        (None, None, names) => format!("it offers you {}", names.join(", ")),
    };
    Err(Failure::Usage(format!(
        "{kind} {} has no tool `{name}` for you; {known}",
        callee.name()
    )))
}

/// Names what is missing in the lists of a server.
pub(super) fn left_out(odd: &[String]) {
    for why in odd {
        warn(&format!("left out: {why}"));
    }
}

/// Converts an error of a call to a failure of the command.
pub(super) fn failure(callee: &Callee, error: CallError) -> Failure {
    match callee {
        Callee::Host(..) => error.into(),
        Callee::Server(server) => of_server(server.name(), error),
    }
}

/// Runs this until its end, its time limit or an interruption. Then closes the session and ends
/// its process. A server that is silent at the beginning is reported.
pub(super) async fn until_done<T>(
    callee: &Callee,
    limit: Option<Duration>,
    work: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    match callee {
        Callee::Host(..) => until_interrupted(within(callee, limit, work)).await,
        Callee::Server(_) => within(callee, limit, work).await,
    }
}

/// The same for a call, which tells its host of an interruption itself.
pub(super) async fn within<T>(
    callee: &Callee,
    limit: Option<Duration>,
    work: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    let work = async {
        let Some(limit) = limit else {
            return work.await;
        };
        // The work is dropped last: while it opens the session, the server can be silent.
        tokio::pin!(work);
        tokio::select! {
            outcome = &mut work => outcome,
            () = tokio::time::sleep(limit) => Err(Failure::Call(late(callee, limit))),
        }
    };
    let Callee::Server(server) = callee else {
        return work.await;
    };
    let outcome = tokio::select! {
        // Dropping the work cancels it at the server.
        outcome = work => outcome,
        _ = tokio::signal::ctrl_c() => Err(Failure::Interrupted),
        never = report_silence(server) => match never {},
    };
    server.close().await;
    outcome
}

fn late(callee: &Callee, limit: Duration) -> CallError {
    let seconds = limit.as_secs_f64();
    let (host, silence) = match callee {
        Callee::Host(client, host) => (client.addresses().base(*host), None),
        Callee::Server(server) => (server.place().to_owned(), server.silence()),
    };
    let reason = match silence {
        Some(silence) => format!("did not answer within {seconds} s; {silence}"),
        None => format!("did not answer within {seconds} s"),
    };
    CallError::Unreachable { host, reason }
}

/// Reports once that the session is still not open.
async fn report_silence(server: &Server) -> Infallible {
    tokio::time::sleep(SILENCE).await;
    if let Some(silence) = server.silence() {
        let seconds = SILENCE.as_secs();
        let place = server.place();
        warn(&format!(
            "still waiting for {place} after {seconds} s: {silence}"
        ));
    }
    std::future::pending().await
}

/// Says that a call is made again after this time.
pub(super) fn waiting(time: Duration) {
    tell(&format!("trying again in {} s", time.as_secs().max(1)));
}

/// Shows a message to a person; scripts get none.
pub(super) fn tell(message: &str) {
    let mut stderr = std::io::stderr();
    if stderr.is_terminal() {
        // Without stderr the message is dropped.
        let _ = writeln!(stderr, "frontdesk: {}", plain(message));
    }
}

/// Draws a line for a person in place of the one before; an empty one removes that.
pub(super) fn draw(line: &str) {
    let mut stderr = std::io::stderr();
    if stderr.is_terminal() {
        let width = crossterm::terminal::size().map_or(80, |(width, _)| width.saturating_sub(1));
        let line: String = plain(line).chars().take(width.into()).collect();
        // Without stderr the line is dropped.
        let _ = write!(stderr, "\r\u{1b}[K{line}");
        let _ = stderr.flush();
    }
}

/// Whether this is an address rather than a name.
pub(super) fn is_address(name: &str) -> bool {
    name.starts_with("http://") || name.starts_with("https://")
}

fn configured(options: &Options, name: &str) -> Result<ServerConfig, Failure> {
    let mut servers = options.config()?.servers;
    if let Some(server) = servers.remove(name) {
        return Ok(server);
    }
    let areas = Host::ALL.map(Host::area);
    let names = servers.keys().map(String::as_str);
    if let Some(close) = closest(name, areas.into_iter().chain(names)) {
        return Err(Failure::Usage(format!(
            "there is no host or server `{name}`; did you mean `{close}`?"
        )));
    }
    if name.contains(['/', ':']) {
        return Err(Failure::Usage(format!(
            "there is no host or server `{name}`; write an address as http://… or https://…"
        )));
    }
    let hosts = areas.join(", ");
    let servers = match servers.is_empty() {
        true => "no server is configured".to_owned(),
        false => {
            let names: Vec<_> = servers.into_keys().collect();
            format!("the configured servers are {}", names.join(", "))
        }
    };
    Err(Failure::Usage(format!(
        "there is no host or server `{name}`; the hosts are {hosts}; {servers}"
    )))
}

/// Converts an error of a third-party server.
pub(super) fn of_server(name: &str, error: CallError) -> Failure {
    match error {
        CallError::SignedOut(reason) => Failure::Refused(match is_address(name) {
            true => format!(
                "{name} requires a sign-in ({reason}); --token-env VARIABLE sends a token; or `frontdesk connect {name} --name NAME` gives it a name, then `frontdesk login --server NAME` signs in"
            ),
            false => format!(
                "not signed in to {name} ({reason}); `frontdesk login --server {name}` does that, \
                 unless the configuration names a token for it"
            ),
        }),
        error => Failure::Call(error),
    }
}
