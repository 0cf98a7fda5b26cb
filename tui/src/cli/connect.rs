//! From flags and configuration to a client.

use std::path::PathBuf;

use frontdesk_client::config::{Config, Keys};
use frontdesk_client::{Addresses, Client, CredentialStore, paths};

use super::{CliError, Options};

impl Options {
    /// Where credentials and waiting check-ins are, made if it is not there.
    pub(crate) fn data_directory(&self) -> Result<PathBuf, CliError> {
        let directory = match &self.data {
            Some(directory) => directory.clone(),
            None => paths::data_directory().ok_or(CliError::NoHome)?,
        };
        std::fs::create_dir_all(&directory).map_err(CliError::io(format!(
            "{} cannot be made",
            directory.display()
        )))?;
        Ok(directory)
    }

    fn config_file(&self) -> Result<PathBuf, CliError> {
        match &self.config {
            Some(file) => Ok(file.clone()),
            None => paths::config_file().ok_or(CliError::NoHome),
        }
    }

    /// The configuration, with the flags over it.
    pub(crate) fn config(&self) -> Result<Config, CliError> {
        let mut config = Config::load(&self.config_file()?)?;
        if let Some(theme) = &self.theme {
            config.theme = Some(theme.clone());
        }
        for pair in &self.hosts {
            let (area, url) = split("host", pair, "--host events=https://events.example.org")?;
            let host = area.parse().map_err(|_| CliError::Flag {
                flag: "host",
                value: pair.clone(),
                form: "--host events=https://events.example.org, with the area of a host",
            })?;
            config.hosts.insert(host, url.to_owned());
        }
        for pair in &self.keys {
            let (id, keys) = split("key", pair, "--key guest.check_in=enter,ctrl-y")?;
            let keys = keys.split(',').filter(|key| !key.is_empty());
            let keys = Keys(keys.map(str::to_owned).collect());
            config.keys.insert(id.to_owned(), keys);
        }
        for pair in &self.colors {
            let (name, color) = split("color", pair, "--color good=blue")?;
            let color = toml::Value::String(color.to_owned());
            config.theme_colors.insert(name.to_owned(), color);
        }
        Ok(config)
    }

    /// A client with the credentials that are kept.
    pub(crate) fn client(&self) -> Result<Client, CliError> {
        let file = paths::credentials_file(&self.data_directory()?);
        let store = CredentialStore::file(&file);
        let config = self.config()?;
        let addresses = match Addresses::from_config(&config, self.url.as_deref())? {
            Some(addresses) => addresses,
            None => {
                // Where one signed in last is where one goes on.
                let kept = store
                    .load()
                    .map_err(CliError::io(format!("{} cannot be read", file.display())))?;
                let url = kept.map(|credentials| credentials.url);
                let Some(url) = url else {
                    return Err(CliError::NoAddress {
                        config: self.config_file()?.display().to_string(),
                    });
                };
                Addresses::from_config(&config, Some(&url))?
                    .ok_or_else(|| CliError::NoAddress { config: url })?
            }
        };
        Ok(Client::new(addresses, store)?)
    }
}

fn split<'a>(
    flag: &'static str,
    pair: &'a str,
    form: &'static str,
) -> Result<(&'a str, &'a str), CliError> {
    pair.split_once('=').ok_or_else(|| CliError::Flag {
        flag,
        value: pair.to_owned(),
        form,
    })
}
