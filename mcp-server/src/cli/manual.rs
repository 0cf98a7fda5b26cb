//! `man` and `completions`.

use std::io::{self, Write};

use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;
use frontdesk_server::database::needed;
use frontdesk_server::wire::revisions;

use super::CliResult;

#[derive(Debug, Args)]
pub(super) struct Completions {
    /// Shell whose script to print.
    shell: Shell,
}

impl Completions {
    pub(super) fn run(&self, mut command: Command) -> CliResult {
        let name = command.get_name().to_owned();
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, name, &mut script);
        Ok(io::stdout().write_all(&script)?)
    }
}

#[derive(Debug, Args)]
pub(super) struct Version {
    /// As one line of JSON.
    #[arg(long)]
    json: bool,
}

impl Version {
    pub(super) fn run(&self) -> CliResult {
        let (program, schema) = (env!("CARGO_PKG_VERSION"), needed());
        let revisions = revisions();
        let text = match self.json {
            true => {
                serde_json::json!({ "program": program, "schema": schema, "protocol": revisions })
                    .to_string()
            }
            false => format!(
                "frontdesk-server {program}, schema {schema}, MCP {}",
                revisions.join(", ")
            ),
        };
        Ok(writeln!(io::stdout(), "{text}")?)
    }
}

/// Prints one manual page: the program, then each command with its options.
pub(super) fn print(mut command: Command) -> CliResult {
    command.build();
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page)?;
    let mut commands: Vec<_> = command.get_subcommands().cloned().collect();
    while !commands.is_empty() {
        let command = commands.remove(0);
        if command.get_name() == "help" {
            continue;
        }
        let below: Vec<_> = command.get_subcommands().cloned().collect();
        if below.is_empty() {
            let name = command.get_bin_name().unwrap_or_default().to_uppercase();
            writeln!(page, ".SH {name}")?;
            let man = Man::new(command);
            man.render_description_section(&mut page)?;
            man.render_options_section(&mut page)?;
        }
        commands.splice(0..0, below);
    }
    Ok(io::stdout().write_all(&page)?)
}
