//! `replay`: a server that answers as the one of a trace did, on stdin and stdout or at a port.

mod replayer;
mod web;

use std::io::{BufRead, Write};
use std::path::PathBuf;

use clap::Args;
use frontdesk_client::trace::{self, Kind, Message};

use super::Failure;
use replayer::Replayer;

/// Answers as the server of a trace did: an MCP server on stdin and stdout, or at a port.
#[derive(Debug, Args)]
pub(super) struct Replay {
    /// The trace, as --trace wrote it.
    #[arg(value_name = "TRACE", value_hint = clap::ValueHint::FilePath)]
    file: PathBuf,
    /// The server of the trace, if it has several.
    #[arg(long, value_name = "NAME")]
    server: Option<String>,
    /// Answer at this port of 127.0.0.1 over HTTP, and print the address; 0 takes a free port.
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
}

impl Replay {
    pub(super) async fn run(&self) -> Result<(), Failure> {
        let messages = trace::read(&self.file).map_err(|error| match error {
            trace::Unreadable::File(error) => Failure::at(&self.file, error),
            error @ trace::Unreadable::Line(..) => {
                Failure::Usage(format!("{}: {error}", self.file.display()))
            }
        })?;
        let server = self.server(&messages)?;
        let replayer = Replayer::new(messages.iter().filter(|it| *it.server == *server));
        match self.port {
            Some(port) => web::serve(port, replayer).await,
            None => over_lines(replayer),
        }
    }

    /// The server that is played.
    fn server(&self, messages: &[Message]) -> Result<String, Failure> {
        let mut names: Vec<&str> = Vec::new();
        // The sign-in to hosts is no server.
        for message in messages.iter().filter(|it| it.kind != Kind::Exchange) {
            if !names.contains(&&*message.server) {
                names.push(&message.server);
            }
        }
        let trace = self.file.display();
        match (&self.server, names.as_slice()) {
            (Some(name), names) if names.contains(&name.as_str()) => Ok(name.clone()),
            (None, [name]) => Ok((*name).to_owned()),
            (_, []) => Err(Failure::Usage(format!("{trace} has no messages"))),
            (_, names) => {
                let names = names.join(", ");
                Err(Failure::Usage(format!(
                    "{trace} is of {names}; give --server NAME"
                )))
            }
        }
    }
}

/// Answers on stdin and stdout.
fn over_lines(mut replayer: Replayer) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    let lines = std::io::stdin().lock().lines();
    for line in lines.map_while(Result::ok) {
        let message = serde_json::from_str(&line).unwrap_or_default();
        let played = replayer.hear(&message);
        for answer in played.sent.iter().chain(&played.beside) {
            let written = writeln!(stdout, "{answer}").and_then(|()| stdout.flush());
            written.map_err(|error| Failure::file("stdout", error))?;
        }
    }
    Ok(())
}
