//! `connect`: tries a server and adds it to the configuration.

use std::io::Write;

use clap::Args;
use frontdesk::plain;
use frontdesk_client::config::edit::{self, Addition, EditError};
use frontdesk_client::config::servers::{ServerConfig, check_name};
use frontdesk_client::server::Offers;
use frontdesk_client::{Callee, Server};

use super::callee::{self, left_out, of_server};
use super::options::Options;
use super::reach::Reach;
use super::{Failure, say};

/// Tries an MCP server: prints its name and number of tools. With a name, adds it to the
/// configuration.
#[derive(Debug, Args)]
pub(super) struct Connect {
    /// Address of its MCP endpoint.
    #[arg(
        value_name = "URL",
        required_unless_present = "command",
        conflicts_with = "command"
    )]
    url: Option<String>,
    /// Add it to the configuration under this name.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    reach: Reach,
}

impl Connect {
    pub(super) async fn run(&self, options: &Options) -> Result<(), Failure> {
        let config = self
            .reach
            .server(self.url.as_deref())
            .map_err(Failure::Usage)?;
        let place = config.place();
        // Checked first, so an invalid name is reported before the connection.
        if let Some(name) = &self.name {
            check_name(name).map_err(Failure::Usage)?;
            if options.config()?.servers.contains_key(name) {
                return Err(Failure::Usage(EditError::Taken(name.clone()).to_string()));
            }
        }
        let name = self.name.as_deref().unwrap_or(&place);
        let server = Server::new(name, &config, None).map_err(|error| of_server(name, error))?;
        server.trace(&options.traced());
        let callee = Callee::Server(server.clone());
        let tried = callee::until_done(&callee, self.reach.timeout, describe(&server)).await;
        match (tried, &self.name) {
            (Ok(line), name) => {
                say(&plain(&line))?;
                name.as_ref()
                    .map_or(Ok(()), |name| keep(options, name, &config))
            }
            // The server exists; signing in needs its name.
            (Err(failure @ Failure::Refused(_)), Some(name)) => {
                keep(options, name, &config)?;
                Err(failure)
            }
            (Err(failure), _) => Err(failure),
        }
    }
}

async fn describe(server: &Server) -> Result<String, Failure> {
    let asked = async {
        let about = server.about().await?;
        let mut counts = vec![(server.tools().await?.len(), "tool")];
        let mut odd = server.odd_tools();
        for offers in &about.offers {
            let noun = match offers {
                Offers::Prompts => "prompt",
                Offers::Resources | Offers::Templates => "resource",
            };
            match server.list(*offers).await {
                Ok(list) => {
                    counts.push((list.items.len(), noun));
                    odd.extend(list.odd);
                }
                Err(error) => odd.push(format!("the {noun}s: {error}")),
            }
        }
        Ok((about, counts, odd))
    };
    let (about, counts, odd) = asked
        .await
        .map_err(|error| of_server(server.name(), error))?;
    left_out(&odd);
    let name = about.name.unwrap_or_else(|| "without a name".to_owned());
    let version = about
        .version
        .filter(|version| !version.is_empty())
        .map_or(String::new(), |version| format!(" {version}"));
    let counts = counts.into_iter().map(|(count, noun)| match count {
        1 => format!("1 {noun}"),
        count => format!("{count} {noun}s"),
    });
    let counts = counts.collect::<Vec<_>>().join(", ");
    Ok(format!(
        "{name}{version}, protocol {}, {counts}",
        about.protocol
    ))
}

fn keep(options: &Options, name: &str, config: &ServerConfig) -> Result<(), Failure> {
    let path = options.config_file()?;
    let server = Addition::Server(name.to_owned(), config.clone());
    edit::add(&path, &server).map_err(|error| match error {
        EditError::Unwritable(path, error) => Failure::File(path, error),
        error => Failure::Usage(error.to_string()),
    })?;
    // Without stderr the message is dropped.
    let _ = writeln!(
        std::io::stderr(),
        "frontdesk: added as [servers.{name}] in {}",
        path.display()
    );
    Ok(())
}
