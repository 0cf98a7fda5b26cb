//! The app on one server, which is being written.

use std::path::PathBuf;

use clap::Args;
use frontdesk_client::config::servers::{CommandServer, ServerConfig, check_name};
use frontdesk_client::paths;

use super::options::Options;
use super::{Failure, start};

/// The name of a server whose program has none that is fit for it.
const NAMELESS: &str = "server";

/// The program after `--`, and its files.
#[derive(Debug, Args)]
pub(super) struct Own {
    /// Start the program after `--` again when this file changes, or one in this directory; can be repeated.
    #[arg(long, value_name = "PATH", requires = "command", value_hint = clap::ValueHint::AnyPath)]
    watch: Vec<PathBuf>,
    /// Program to open the app with, as its only server, after `--`.
    #[arg(last = true, id = "command", value_name = "COMMAND")]
    command: Vec<String>,
}

impl Own {
    pub(super) fn is_given(&self) -> bool {
        !self.command.is_empty()
    }

    /// Runs the app with this server only.
    pub(super) async fn run(&self, options: &Options) -> Result<(), Failure> {
        if let Some(missing) = self.watch.iter().find(|path| !path.exists()) {
            let missing = missing.display();
            return Err(Failure::Usage(format!("--watch {missing} does not exist")));
        }
        let mut server = CommandServer::new(self.command.clone()).map_err(Failure::Usage)?;
        server.watch = self.watch.clone();
        let mut config = options.config()?;
        config.servers = [(self.name(), ServerConfig::Command(server))].into();
        let data = options.data_directory()?;
        let journal = paths::journal_file(&data);
        start(
            options,
            config,
            None,
            true,
            &journal,
            data,
            options.public_key(),
        )
        .await
    }

    /// The name of the program, without its directory and ending.
    fn name(&self) -> String {
        let program = self.command.first().map(PathBuf::from).unwrap_or_default();
        let name = program.file_stem().unwrap_or_default().to_string_lossy();
        match check_name(&name) {
            Ok(()) => name.into_owned(),
            Err(_) => NAMELESS.to_owned(),
        }
    }
}
