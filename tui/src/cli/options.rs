//! The options of all commands. They take precedence over the configuration file.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use clap::Args;
use frontdesk::local::Local;
use frontdesk_client::config::{ConfigError, Keys};
use frontdesk_client::{Addresses, Client, Config, CredentialStore, Trace, clock_warning, paths};
use frontdesk_protocol::Host;

use super::Failure;

/// The options of every command.
#[derive(Debug, Args)]
pub(super) struct Options {
    /// Base address of the hosts.
    #[arg(long, global = true, env = "FRONTDESK_URL", value_name = "BASE")]
    url: Option<String>,
    /// Address of one host at a different location, as AREA=URL; can be repeated.
    #[arg(long = "host", global = true, value_name = "AREA=URL", value_parser = pair)]
    hosts: Vec<(String, String)>,
    /// Public key of the project for sign-in [default: the last one, or `demo`]
    #[arg(long, global = true, env = "FRONTDESK_PUBLIC_KEY", value_name = "KEY")]
    public_key: Option<String>,
    /// Theme: a name or a TOML file.
    #[arg(long, global = true, env = "FRONTDESK_THEME", value_name = "NAME|FILE")]
    theme: Option<String>,
    /// Keys of one command in the app, as ID=KEY[,KEY…]; can be repeated.
    #[arg(long = "bind", global = true, value_name = "ID=KEYS", value_parser = pair)]
    keys: Vec<(String, String)>,
    /// Colour of one style, as NAME=COLOR; can be repeated.
    #[arg(long = "color", global = true, value_name = "NAME=COLOR", value_parser = pair)]
    colors: Vec<(String, String)>,
    /// Write a log to this file; RUST_LOG sets the levels.
    #[arg(long, global = true, env = "FRONTDESK_LOG", value_name = "FILE")]
    log: Option<PathBuf>,
    /// Write every message between this program and hosts or servers to this file: JSON, one a line, without secrets.
    #[arg(long, global = true, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Print the result of a command as JSON.
    #[arg(long, global = true)]
    json: bool,
    /// Disable colours; so does the variable NO_COLOR.
    #[arg(long, global = true)]
    no_color: bool,
    /// The app line by line, for screen readers, braille displays and terminals that draw no screens.
    #[arg(long, global = true, env = "FRONTDESK_LINEAR")]
    linear: bool,
    /// Read-only: hide and refuse everything that writes to hosts and servers.
    #[arg(long, global = true, env = "FRONTDESK_READ_ONLY")]
    read_only: bool,
    /// The gate where this desk is, such as North: check-ins are recorded as movements there, and guests can leave and
    /// come in again.
    #[arg(long, env = "FRONTDESK_GATE", value_name = "NAME")]
    gate: Option<String>,
    /// The place of the event at whose entrance this desk is, such as Hall: who may enter follows from its rules.
    #[arg(long, env = "FRONTDESK_PLACE", value_name = "NAME")]
    place: Option<String>,
    /// Configuration file [default: config.toml in this user's configuration directory]
    #[arg(long, global = true, env = "FRONTDESK_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// Directory of the credentials and the check-in journal [default: this user's data directory]
    #[arg(long, global = true, env = "FRONTDESK_HOME", value_name = "DIR")]
    home: Option<PathBuf>,
    /// The client of the command's calls.
    #[arg(skip)]
    called: OnceLock<Client>,
    /// The trace of the command.
    #[arg(skip)]
    traced: OnceLock<Trace>,
}

pub(super) fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("must look like NAME=VALUE".to_owned()),
    }
}

impl Options {
    /// Whether the result is printed as JSON.
    pub(super) fn json(&self) -> bool {
        self.json
    }

    /// The configuration: the file, overridden by options.
    pub(super) fn config(&self) -> Result<Config, Failure> {
        let mut config = match self.config_file() {
            Ok(path) => Config::load(&path).map_err(|error| match error {
                ConfigError::Unreadable { path, reason } => Failure::at(&path, reason),
                error => Failure::Usage(error.to_string()),
            })?,
            Err(_) => Config::default(),
        };
        if let Some(url) = &self.url {
            config.url = Some(url.clone());
        }
        if let Some(theme) = &self.theme {
            config.theme = Some(theme.clone());
        }
        config.linear |= self.linear;
        let own = [&self.gate, &self.place];
        let desk = [&mut config.desk.gate, &mut config.desk.place];
        for (own, desk) in own.into_iter().zip(desk) {
            let name = own
                .as_ref()
                .or(desk.as_ref())
                .map(|name| name.trim().to_owned());
            *desk = name.filter(|name| !name.is_empty());
        }
        for (area, address) in &self.hosts {
            let host: Host = area
                .parse()
                .map_err(|error| Failure::Usage(format!("--host {area}: {error}")))?;
            config.hosts.insert(host, address.clone());
        }
        for (id, keys) in &self.keys {
            let keys = keys
                .split(',')
                .filter(|key| !key.is_empty())
                .map(str::to_owned);
            config.keys.insert(id.clone(), Keys(keys.collect()));
        }
        for (name, color) in &self.colors {
            let color = toml::Value::String(color.clone());
            config.theme_colors.insert(name.clone(), color);
        }
        Ok(config)
    }

    /// The hosts of this machine, started unless they already answer; `None` if the configuration
    /// has none, or an option names other ones.
    pub(super) async fn local(&self) -> Result<Option<Local>, Failure> {
        match self.url {
            Some(_) => Ok(None),
            None => Ok(Local::of(&self.config()?).await?),
        }
    }

    /// The path of the configuration file, which need not exist.
    pub(super) fn config_file(&self) -> Result<PathBuf, Failure> {
        self.config
            .clone()
            .or_else(paths::config_file)
            .ok_or_else(|| {
                Failure::Usage(
                    "this user has no configuration directory; give --config FILE".to_owned(),
                )
            })
    }

    /// The warning about this machine's clock after the calls of the command.
    pub(super) fn clock_warning(&self) -> Option<String> {
        clock_warning(self.called.get()?.clock_ahead()?)
    }

    /// Whether writes are forbidden.
    pub(super) fn read_only(&self) -> bool {
        self.read_only
    }

    /// The path of the log.
    pub(super) fn log(&self) -> Option<&Path> {
        self.log.as_deref()
    }

    /// Creates the file of the trace, if there is one.
    pub(super) fn begin_trace(&self) -> Result<(), Failure> {
        if let Some(path) = &self.trace {
            let trace = Trace::to_file(path).map_err(|error| Failure::at(path, error))?;
            // It is begun once.
            let _ = self.traced.set(trace);
        }
        Ok(())
    }

    /// Where messages are traced.
    pub(super) fn traced(&self) -> Trace {
        self.traced.get().cloned().unwrap_or_default()
    }

    /// The directory of credentials and journal.
    pub(super) fn data_directory(&self) -> Result<PathBuf, Failure> {
        self.home
            .clone()
            .or_else(paths::data_directory)
            .ok_or_else(|| {
                Failure::Usage("this user has no data directory; give --home DIR".to_owned())
            })
    }

    /// The credentials file.
    pub(super) fn store(&self) -> Result<CredentialStore, Failure> {
        Ok(CredentialStore::file(paths::credentials_file(
            &self.data_directory()?,
        )))
    }

    /// A client of the hosts at `--url`, otherwise of those configured, otherwise of those of the
    /// last sign-in.
    pub(super) fn client(&self, store: CredentialStore) -> Result<Client, Failure> {
        self.client_if_any(store)?.ok_or_else(|| {
            Failure::Usage(
                "no host is configured; give --url BASE, or start with `frontdesk` in a terminal"
                    .to_owned(),
            )
        })
    }

    /// The same; `None` if no address is known.
    pub(super) fn client_if_any(&self, store: CredentialStore) -> Result<Option<Client>, Failure> {
        let config = self.config()?;
        let last = store
            .load()
            .map_err(|error| Failure::file("the credentials", error))?
            .map(|credentials| credentials.url);
        let url = config.url.clone().or(last);
        let addresses = config
            .addresses(url.as_deref())
            .map_err(|error| Failure::Usage(error.to_string()))?;
        let client = addresses.map(|addresses| Client::new(addresses, store));
        let client = client.transpose()?;
        if let Some(client) = &client {
            client.trace(&self.traced());
            let _ = self.called.set(client.clone());
        }
        Ok(client)
    }

    /// A client of the hosts at this address; without one, as [`Options::client`].
    pub(super) fn client_at(
        &self,
        store: CredentialStore,
        url: Option<&str>,
    ) -> Result<Client, Failure> {
        let Some(url) = url else {
            return self.client(store);
        };
        let addresses = Addresses::new(url).map_err(|error| Failure::Usage(error.to_string()))?;
        let client = Client::new(addresses, store)?;
        client.trace(&self.traced());
        let _ = self.called.set(client.clone());
        Ok(client)
    }

    /// The public key of the project: as given, otherwise that of the last sign-in, otherwise that
    /// of the demo.
    pub(super) fn public_key(&self) -> String {
        let last = || {
            self.store()
                .ok()?
                .load()
                .ok()?
                .map(|credentials| credentials.api_key)
        };
        self.public_key
            .clone()
            .or_else(last)
            .unwrap_or_else(|| "demo".to_owned())
    }

    /// Whether colours are disabled.
    pub(super) fn no_color(&self) -> bool {
        self.no_color || std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
    }
}
