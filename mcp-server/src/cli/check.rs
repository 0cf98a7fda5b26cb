//! `check`: tests what a server needs.

use std::io::Write;

use clap::Args;
use frontdesk_server::check::{self, Kind, Settings};

use super::{CliResult, Serve};

#[derive(Debug, Args)]
pub(super) struct Check {
    #[command(flatten)]
    serve: Serve,
}

impl Check {
    /// Fails if a part does not work.
    pub(super) async fn run(self) -> CliResult {
        let serve = self.serve;
        let settings = Settings {
            database: serve.location()?,
            connections: serve.database.connections,
            listen: serve.listen,
            public_url: serve.public_url.and_then(|address| address.url().cloned()),
            proxies: serve.proxies,
            jwks_url: serve.jwks_url,
        };
        let findings = check::check(&settings).await;
        let mut out = std::io::stdout().lock();
        for finding in &findings {
            writeln!(out, "{finding}")?;
        }
        let failed = findings.iter().filter(|it| it.kind == Kind::Bad).count();
        match failed {
            0 => Ok(()),
            1 => Err("1 part does not work".into()),
            failed => Err(format!("{failed} parts do not work").into()),
        }
    }
}
