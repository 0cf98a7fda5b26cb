//! How a command reaches its callee: options for servers that are not configured, and the time
//! limit.

use std::collections::BTreeMap;
use std::time::Duration;

use clap::Args;
use frontdesk_client::config::servers::{CommandServer, Era, HttpServer, ServerConfig, Token};
use frontdesk_client::{Callee, Secret, Server};
use jiff::{SignedDuration, Span};

use super::Failure;
use super::callee::{self, is_address, of_server};
use super::options::Options;

/// How the callee is reached.
#[derive(Debug, Args)]
pub(super) struct Reach {
    /// Header for every request to a server given by its address; can be repeated.
    #[arg(long = "header", value_name = "NAME=VALUE", value_parser = header)]
    headers: Vec<(String, String)>,
    /// Environment variable with the bearer token for such a server.
    #[arg(long, value_name = "VARIABLE")]
    token_env: Option<String>,
    /// How the session with a server begins: `auto`, `handshake` or `2026-07-28`.
    #[arg(long, value_name = "ERA", value_parser = era)]
    era: Option<Era>,
    /// Time limit of the whole command, in seconds or as `2m`.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(super) timeout: Option<Duration>,
    /// Program to run as the server, with its arguments, after `--`.
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

impl Reach {
    /// The program after `--`. If there is one, it is the callee, and no argument names it.
    pub(super) fn command(&self) -> &[String] {
        &self.command
    }

    /// The callee for an area, a name or an address; `None` for the program.
    ///
    /// # Errors
    /// [`Failure::Usage`] if it does not exist or the options are not for it.
    pub(super) fn callee(&self, options: &Options, name: Option<&str>) -> Result<Callee, Failure> {
        let is_described = !self.headers.is_empty() || self.token_env.is_some();
        match name {
            Some(name) if !is_address(name) && is_described => Err(Failure::Usage(format!(
                "--header and --token-env are for a server given by its address; those of `{name}` \
                 belong in the configuration"
            ))),
            Some(name) if !is_described => callee::find(options, name, self.era),
            name => {
                let config = self.server(name).map_err(Failure::Usage)?;
                let place = config.place();
                let name = name.unwrap_or(&place);
                let server = Server::new(name, &config, None);
                let server = server.map_err(|error| of_server(name, error))?;
                server.trace(&options.traced());
                Ok(Callee::Server(server))
            }
        }
    }

    /// The server at this address, or the program.
    ///
    /// # Errors
    /// What is wrong with the options.
    pub(super) fn server(&self, url: Option<&str>) -> Result<ServerConfig, String> {
        let Some(url) = url else {
            if !self.headers.is_empty() || self.token_env.is_some() {
                return Err(
                    "--header and --token-env are for a server given by its address; a program \
                     reads its environment"
                        .to_owned(),
                );
            }
            let server = CommandServer::new(self.command.clone());
            return server.map(|server| self.in_era(ServerConfig::Command(server)));
        };
        let headers: BTreeMap<_, _> = self
            .headers
            .iter()
            .map(|(name, value)| (name.clone(), Secret::new(value)))
            .collect();
        let token = self.token_env.clone().map(Token::Variable);
        let server = HttpServer::new(url, token, headers);
        server.map(|server| self.in_era(ServerConfig::Http(server)))
    }

    fn in_era(&self, config: ServerConfig) -> ServerConfig {
        match self.era {
            Some(era) => config.in_era(era),
            None => config,
        }
    }
}

/// `NAME=VALUE`, or `NAME: VALUE` as in a request.
fn header(text: &str) -> Result<(String, String), String> {
    // A name has neither of them, so the first one ends it.
    match text.split_once(['=', ':']) {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("must look like NAME=VALUE".to_owned()),
    }
}

fn era(text: &str) -> Result<Era, String> {
    Era::try_from(text.to_owned())
}

/// A number of seconds, or a duration with units.
fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || "must be a number of seconds above 0, or a duration such as 2m".to_owned();
    let seconds = text.parse::<f64>().ok();
    let duration = match seconds {
        Some(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        None => {
            let span = text.parse::<Span>().ok();
            let signed = span.and_then(|span| SignedDuration::try_from(span).ok());
            signed.and_then(|signed| Duration::try_from(signed).ok())
        }
    };
    duration
        .filter(|duration| !duration.is_zero())
        .ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_written_either_way() {
        let expected = ("X-Team".to_owned(), "a=b:c".to_owned());
        assert_eq!(header("X-Team=a=b:c"), Ok(expected.clone()));
        assert_eq!(header("X-Team: a=b:c"), Ok(expected));
        assert!(header("X-Team").is_err());
        assert!(header("=x").is_err());
    }

    #[test]
    fn a_time_limit_is_in_seconds_or_has_units() {
        for (text, millis) in [
            ("5", 5_000),
            ("0.5", 500),
            ("2m", 120_000),
            ("90 sec", 90_000),
        ] {
            assert_eq!(duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for text in ["", "0", "-1", "soon", "nan", "1e400"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
