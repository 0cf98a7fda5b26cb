//! Adds settings to `config.toml` and preserves everything else, including comments.

use std::io;
use std::path::{Path, PathBuf};

use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, value};

use super::servers::{Era, ServerConfig, Token, check_name};
use super::{Config, ConfigError};
use crate::lock;

/// Settings to add.
#[derive(Debug, Clone, PartialEq)]
pub enum Addition {
    /// `url`: the base address of the service.
    Service(String),
    /// `url` and `[local]`: hosts that start with the app.
    Local {
        /// The address at which they are served.
        url: String,
        /// The directory of their database.
        database: PathBuf,
    },
    /// `[servers.NAME]`: a third-party server.
    Server(String, ServerConfig),
}

/// A setting that the user changes on the screen.
#[derive(Debug, Clone, PartialEq)]
pub enum Preference {
    /// `theme`.
    Theme(String),
    /// An entry of `[columns]`: the list and its columns; `None` restores the default.
    Columns(String, Option<Vec<String>>),
}

impl Preference {
    /// The file's text with the setting; `None` if its structure prevents that.
    fn set_in(&self, text: &str) -> Option<String> {
        let mut document: DocumentMut = text.parse().ok()?;
        match self {
            Preference::Theme(name) => {
                let mut theme = value(name);
                let before = document.get("theme").and_then(Item::as_value);
                if let (Some(theme), Some(before)) = (theme.as_value_mut(), before) {
                    // With the comment behind it.
                    *theme.decor_mut() = before.decor().clone();
                }
                document.insert("theme", theme);
            }
            Preference::Columns(list, columns) => {
                let all = document.entry("columns");
                let all = all.or_insert_with(|| Item::Table(Table::new()));
                let all = all.as_table_like_mut()?;
                match columns {
                    Some(columns) => {
                        let columns: Array = columns.iter().map(String::as_str).collect();
                        all.insert(list, value(columns));
                    }
                    None => {
                        all.remove(list);
                    }
                }
            }
        }
        Some(document.to_string())
    }
}

/// Changes a setting in this file, and creates the file if needed.
///
/// # Errors
/// See [`EditError`]. The file is unchanged.
pub fn set(path: &Path, preference: &Preference) -> Result<(), EditError> {
    change(path, |text| preference.set_in(text))
}

/// Why settings were not added.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    /// The existing file is invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The name is not valid for a server.
    #[error("{0}")]
    Name(String),
    /// A server with this name exists.
    #[error("a server `{0}` already exists; choose another name, or remove [servers.{0}] first")]
    Taken(String),
    /// The file names another service.
    #[error("the configuration already has url = \"{0}\"; change or remove it first")]
    Configured(String),
    /// The structure of the file prevents the edit, e.g. `servers` written as an inline table.
    #[error("{0}: write servers as tables [servers.NAME] and columns as a table [columns]")]
    InTheWay(String),
    /// The file could not be written.
    #[error("{0}: {1}")]
    Unwritable(String, #[source] io::Error),
}

impl Addition {
    /// The lines as they are written to an empty file.
    pub fn lines(&self) -> String {
        self.added_to("").unwrap_or_default()
    }

    /// The file's text with the addition; `None` if its structure prevents that.
    fn added_to(&self, text: &str) -> Option<String> {
        let mut document: DocumentMut = text.parse().ok()?;
        match self {
            Addition::Service(url) => {
                document.insert("url", value(url));
            }
            Addition::Local { url, database } => {
                document.insert("url", value(url));
                let mut local = Table::new();
                local.insert("database", value(database.to_str()?));
                document.insert("local", Item::Table(local));
            }
            Addition::Server(name, server) => {
                let servers = document.entry("servers").or_insert_with(|| {
                    let mut servers = Table::new();
                    servers.set_implicit(true);
                    Item::Table(servers)
                });
                servers
                    .as_table_mut()?
                    .insert(name, Item::Table(table(server)));
            }
        }
        Some(document.to_string())
    }

    /// Whether it can be added to this configuration.
    fn check(&self, config: &Config) -> Result<(), EditError> {
        match self {
            Addition::Server(name, _) => {
                check_name(name).map_err(EditError::Name)?;
                match config.servers.contains_key(name) {
                    true => Err(EditError::Taken(name.clone())),
                    false => Ok(()),
                }
            }
            Addition::Service(url) | Addition::Local { url, .. } => match &config.url {
                Some(other) if other != url => Err(EditError::Configured(other.clone())),
                _ => Ok(()),
            },
        }
    }
}

/// Adds settings to this file, and creates it if needed.
///
/// # Errors
/// See [`EditError`]. The file is unchanged.
pub fn add(path: &Path, addition: &Addition) -> Result<(), EditError> {
    addition.check(&Config::load(path)?)?;
    change(path, |text| addition.added_to(text))
}

/// Changes the text of this file, and creates it if needed.
fn change(path: &Path, change: impl Fn(&str) -> Option<String>) -> Result<(), EditError> {
    // Follow a symbolic link, so it is not replaced by a file.
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let unwritable = |error| EditError::Unwritable(path.display().to_string(), error);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(unwritable(error)),
    };
    let text = change(&text).ok_or_else(|| EditError::InTheWay(path.display().to_string()))?;
    // Check that the file is still valid.
    Config::parse(&text, &path)?;
    let permissions = std::fs::metadata(&path).map(|metadata| metadata.permissions());
    lock::replace(&path, text.as_bytes()).map_err(unwritable)?;
    if let Ok(permissions) = permissions {
        std::fs::set_permissions(&path, permissions).map_err(unwritable)?;
    }
    Ok(())
}

fn table(server: &ServerConfig) -> Table {
    let mut table = Table::new();
    let map = |entries: &std::collections::BTreeMap<String, crate::Secret>| {
        let entries = entries.iter();
        let map: InlineTable = entries
            .map(|(name, secret)| (name.as_str(), secret.expose()))
            .collect();
        value(map)
    };
    let era = match server {
        ServerConfig::Http(server) => server.era,
        ServerConfig::Command(server) => server.era,
    };
    if era != Era::default() {
        table.insert("era", value(era.name()));
    }
    match server {
        ServerConfig::Http(server) => {
            table.insert("url", value(server.url.as_str()));
            match &server.token {
                Some(Token::Given(token)) => table.insert("token", value(token.expose())),
                Some(Token::Variable(name)) => table.insert("token_env", value(name.as_str())),
                None => None,
            };
            if !server.headers.is_empty() {
                table.insert("headers", map(&server.headers));
            }
            if let Some(client_id) = &server.client_id {
                table.insert("client_id", value(client_id.as_str()));
            }
            if let Some(file) = &server.client_secret_file {
                table.insert("client_secret_file", value(file.display().to_string()));
            }
        }
        ServerConfig::Command(server) => {
            let command: Array = server.command.iter().map(String::as_str).collect();
            table.insert("command", value(command));
            if !server.env.is_empty() {
                table.insert("env", map(&server.env));
            }
            if let Some(cwd) = server.cwd.as_deref().and_then(Path::to_str) {
                table.insert("cwd", value(cwd));
            }
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use crate::Secret;
    use crate::config::servers::{CommandServer, HttpServer};

    use super::*;

    fn tickets() -> ServerConfig {
        let headers = BTreeMap::from([("X-Team".to_owned(), Secret::new("a \"b\""))]);
        let token = Token::Variable("TOKEN".to_owned());
        let server = HttpServer::new("https://tickets.example.org/mcp", Some(token), headers);
        ServerConfig::Http(server.expect("is fine"))
    }

    fn add_server(path: &Path, name: &str, server: &ServerConfig) -> Result<(), EditError> {
        add(path, &Addition::Server(name.to_owned(), server.clone()))
    }

    fn files() -> ServerConfig {
        let command = ["npx", "-y", "files"].map(str::to_owned).to_vec();
        ServerConfig::Command(CommandServer::new(command).expect("is fine"))
    }

    #[test]
    fn what_stands_there_stays_and_what_is_added_is_read_back() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("config.toml");
        let before =
            "# Ours.\nurl = \"https://desk.example.org\" # the desk\n\n[keys]\nquit = []\n";
        std::fs::write(&path, before).expect("is written");
        add_server(&path, "tickets", &tickets()).expect("is added");
        add_server(&path, "files", &files()).expect("is added");
        let text = std::fs::read_to_string(&path).expect("is read");
        assert!(text.starts_with(before), "{text}");
        let config = Config::load(&path).expect("is fine");
        assert_eq!(config.servers["tickets"], tickets());
        assert_eq!(config.servers["files"], files());
        assert_eq!(config.url.as_deref(), Some("https://desk.example.org"));
    }

    #[test]
    fn a_file_that_is_not_there_is_made() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("below").join("config.toml");
        add_server(&path, "files", &files()).expect("is added");
        assert_eq!(
            std::fs::read_to_string(&path).expect("is read"),
            "[servers.files]\ncommand = [\"npx\", \"-y\", \"files\"]\n"
        );
    }

    #[test]
    fn a_name_that_is_taken_or_wrong_changes_nothing() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("config.toml");
        add_server(&path, "files", &files()).expect("is added");
        let before = std::fs::read_to_string(&path).expect("is read");
        let taken = add_server(&path, "files", &tickets()).expect_err("is taken");
        assert!(matches!(taken, EditError::Taken(_)), "{taken}");
        let host = add_server(&path, "events", &tickets()).expect_err("is a host");
        assert!(matches!(host, EditError::Name(_)), "{host}");
        assert_eq!(std::fs::read_to_string(&path).expect("is read"), before);
    }

    #[test]
    fn a_file_with_servers_in_one_line_is_left_as_it_is() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("config.toml");
        let before = "servers = { a = { command = [\"a\"] } }\n";
        std::fs::write(&path, before).expect("is written");
        let error = add_server(&path, "files", &files()).expect_err("is in the way");
        assert!(matches!(error, EditError::InTheWay(_)), "{error}");
        assert_eq!(std::fs::read_to_string(&path).expect("is read"), before);
    }

    #[test]
    fn a_service_comes_before_the_tables_and_never_replaces_another_one() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("config.toml");
        add_server(&path, "files", &files()).expect("is added");
        let local = Addition::Local {
            url: "http://127.0.0.1:4700".to_owned(),
            database: "/srv/desk".into(),
        };
        add(&path, &local).expect("is added");
        let config = Config::load(&path).expect("is fine");
        assert_eq!(config.url.as_deref(), Some("http://127.0.0.1:4700"));
        let local = config.local.expect("is there");
        assert_eq!(local.database, Path::new("/srv/desk"));
        let other = Addition::Service("https://desk.example.org".to_owned());
        let error = add(&path, &other).expect_err("there is one");
        assert!(matches!(error, EditError::Configured(_)), "{error}");
    }

    #[test]
    fn a_preference_replaces_the_one_before_and_leaves_the_rest() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("config.toml");
        let before = "theme = \"dark\" # at night\n\n[servers.files]\ncommand = [\"npx\"]\n";
        std::fs::write(&path, before).expect("is written");
        let columns = |columns: Option<&[&str]>| {
            let columns = columns.map(|all| all.iter().map(ToString::to_string).collect());
            Preference::Columns("work tasks".to_owned(), columns)
        };
        set(&path, &Preference::Theme("light".to_owned())).expect("is set");
        set(&path, &columns(Some(&["No.", "Task"]))).expect("is set");
        let text = std::fs::read_to_string(&path).expect("is read");
        assert!(text.starts_with("theme = \"light\" # at night\n"), "{text}");
        let config = Config::load(&path).expect("is fine");
        assert_eq!(config.theme.as_deref(), Some("light"));
        assert_eq!(config.columns["work tasks"], ["No.", "Task"]);
        assert!(config.servers.contains_key("files"));
        set(&path, &columns(None)).expect("is set");
        assert_eq!(Config::load(&path).expect("is fine").columns.len(), 0);
    }
}
