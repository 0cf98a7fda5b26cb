//! `[servers.NAME]`: third-party MCP servers.

use std::collections::BTreeMap;
use std::path::PathBuf;

use frontdesk_protocol::Host;
use http::{HeaderName, HeaderValue};
use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, Visitor};
use url::Url;

use crate::secret::Secret;

/// The connection to a server.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(try_from = "Written")]
pub enum ServerConfig {
    /// Over Streamable HTTP.
    Http(HttpServer),
    /// Over stdin and stdout of a process that is started on demand.
    Command(CommandServer),
}

/// A server at an address.
#[derive(Debug, Clone, PartialEq)]
pub struct HttpServer {
    /// `url`: its MCP endpoint.
    pub url: Url,
    /// `token` or `token_env`: the bearer token. Without it, the tokens of a sign-in are sent, if
    /// any.
    pub token: Option<Token>,
    /// `headers`: additional headers of every request.
    pub headers: BTreeMap<String, Secret>,
    /// `client_id`: the client id at the authorization server, if it does not support registration;
    /// or the address of a client ID metadata document.
    pub client_id: Option<String>,
    /// `client_secret_file`: the file with the secret of this client, which only its owner can read.
    pub client_secret_file: Option<PathBuf>,
    /// `roots`: the folders that the server may work in.
    pub roots: Vec<PathBuf>,
    /// `era`: how a session begins.
    pub era: Era,
}

/// A server that runs as a process.
#[derive(Debug, Clone, PartialEq)]
pub struct CommandServer {
    /// `command`: the program and its arguments. Never empty.
    pub command: Vec<String>,
    /// `env`: environment variables in addition to those of this process.
    pub env: BTreeMap<String, Secret>,
    /// `cwd`: the working directory.
    pub cwd: Option<PathBuf>,
    /// `watch`: the app starts the program again when one of these files changes, or one in these directories.
    pub watch: Vec<PathBuf>,
    /// `roots`: the folders that the server may work in.
    pub roots: Vec<PathBuf>,
    /// `era`: how a session begins.
    pub era: Era,
}

/// How a session begins.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum Era {
    /// `auto`: with `server/discover`; if the server refuses it, with `initialize`.
    #[default]
    Auto,
    /// `handshake`: with `initialize`. Some servers offer more there.
    Handshake,
    /// `2026-07-28`: only with `server/discover`.
    Discover,
}

impl Era {
    /// Its name in the configuration.
    pub fn name(self) -> &'static str {
        match self {
            Era::Auto => "auto",
            Era::Handshake => "handshake",
            Era::Discover => "2026-07-28",
        }
    }
}

impl TryFrom<String> for Era {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let eras = [Era::Auto, Era::Handshake, Era::Discover];
        let era = eras.into_iter().find(|era| era.name() == name);
        era.ok_or_else(|| {
            format!("`era` is \"auto\", \"handshake\" or \"2026-07-28\", not \"{name}\"")
        })
    }
}

/// A token, or its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token {
    /// The token itself.
    Given(Secret),
    /// The name of the environment variable that holds it.
    Variable(String),
}

/// The raw table before validation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    url: Option<String>,
    token: Option<Secret>,
    token_env: Option<String>,
    headers: Option<BTreeMap<String, Secret>>,
    client_id: Option<String>,
    client_secret_file: Option<PathBuf>,
    command: Option<Vec<String>>,
    env: Option<BTreeMap<String, Secret>>,
    cwd: Option<PathBuf>,
    watch: Option<Vec<PathBuf>>,
    #[serde(default)]
    roots: Vec<PathBuf>,
    #[serde(default)]
    era: Era,
}

impl TryFrom<Written> for ServerConfig {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let Written {
            url,
            token,
            token_env,
            headers,
            client_id,
            client_secret_file,
            command,
            env,
            cwd,
            watch,
            roots,
            era,
        } = written;
        if let Some(relative) = roots.iter().find(|path| !path.is_absolute()) {
            let relative = relative.display();
            return Err(format!(
                "`roots` are absolute paths like /srv/files, not `{relative}`"
            ));
        }
        match (url, command) {
            (Some(_), Some(_)) => {
                Err("a server has either `url` or `command`, not both".to_owned())
            }
            (None, None) => Err(
                "a server needs `url = \"https://…/mcp\"` or `command = [\"program\", …]`"
                    .to_owned(),
            ),
            (Some(url), None) => {
                if env.is_some() || cwd.is_some() || watch.is_some() {
                    return Err(
                        "`env`, `cwd` and `watch` are for a server with `command`".to_owned()
                    );
                }
                let token = match (token, token_env) {
                    (Some(_), Some(_)) => {
                        return Err("give either `token` or `token_env`, not both".to_owned());
                    }
                    (Some(token), None) => Some(Token::Given(token)),
                    (None, variable) => variable.map(Token::Variable),
                };
                if client_id.is_some() && token.is_some() {
                    return Err("`client_id` is for a sign-in; leave the token out".to_owned());
                }
                let mut server = HttpServer::new(&url, token, headers.unwrap_or_default())?;
                if client_id.is_none() && client_secret_file.is_some() {
                    return Err("`client_secret_file` needs the `client_id` as well".to_owned());
                }
                server.client_id = client_id;
                server.client_secret_file = client_secret_file;
                server.roots = roots;
                server.era = era;
                Ok(ServerConfig::Http(server))
            }
            (None, Some(command)) => {
                if token.is_some()
                    || token_env.is_some()
                    || headers.is_some()
                    || client_id.is_some()
                    || client_secret_file.is_some()
                {
                    return Err(
                        "`token`, `token_env`, `headers`, `client_id` and `client_secret_file` are for \
                         a server with `url`; a command is given secrets in `env`"
                            .to_owned(),
                    );
                }
                let mut server = CommandServer::new(command)?;
                server.env = env.unwrap_or_default();
                server.cwd = cwd;
                server.watch = watch.unwrap_or_default();
                server.roots = roots;
                server.era = era;
                Ok(ServerConfig::Command(server))
            }
        }
    }
}

impl ServerConfig {
    /// The same with this beginning of a session.
    #[must_use]
    pub fn in_era(mut self, era: Era) -> Self {
        match &mut self {
            ServerConfig::Http(server) => server.era = era,
            ServerConfig::Command(server) => server.era = era,
        }
        self
    }

    /// The folders that the server may work in.
    pub fn roots(&self) -> &[PathBuf] {
        match self {
            ServerConfig::Http(server) => &server.roots,
            ServerConfig::Command(server) => &server.roots,
        }
    }

    /// The server at this address, or run by this command line.
    ///
    /// # Errors
    /// The text is neither.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.starts_with("http://") || text.starts_with("https://") {
            return HttpServer::new(text, None, BTreeMap::new()).map(ServerConfig::Http);
        }
        let words = shlex::split(text).ok_or("a quotation mark is not closed")?;
        CommandServer::new(words)
            .map(ServerConfig::Command)
            .map_err(|_| "write an address like https://example.org/mcp, or a command".to_owned())
    }

    /// A description for people: the program, or the address without its query, which can contain a
    /// key.
    pub fn place(&self) -> String {
        match self {
            ServerConfig::Http(server) => server.place(),
            ServerConfig::Command(server) => server.program().to_owned(),
        }
    }
}

impl HttpServer {
    /// A server at this address.
    ///
    /// # Errors
    /// The address or a header is invalid. The message says what would be right.
    pub fn new(
        url: &str,
        token: Option<Token>,
        headers: BTreeMap<String, Secret>,
    ) -> Result<Self, String> {
        let url = endpoint(url)?;
        if matches!(&token, Some(Token::Given(token)) if !is_sendable(token)) {
            return Err("`token` holds what a header cannot carry".to_owned());
        }
        for (name, value) in &headers {
            if HeaderName::from_bytes(name.as_bytes()).is_err() {
                return Err(format!(
                    "`{name}` is not the name of a header; write it like X-Api-Key"
                ));
            }
            if ["content-type", "accept", "mcp-session-id"]
                .iter()
                .any(|ours| name.eq_ignore_ascii_case(ours))
            {
                return Err(format!("the header `{name}` belongs to the protocol"));
            }
            if !is_sendable(value) {
                return Err(format!("the value of the header `{name}` cannot be sent"));
            }
        }
        Ok(HttpServer {
            url,
            token,
            headers,
            client_id: None,
            client_secret_file: None,
            roots: Vec::new(),
            era: Era::default(),
        })
    }

    /// The address without its query.
    pub fn place(&self) -> String {
        let mut url = self.url.clone();
        url.set_query(None);
        url.to_string()
    }
}

impl CommandServer {
    /// A server that runs this program with these arguments.
    ///
    /// # Errors
    /// The command is empty.
    pub fn new(command: Vec<String>) -> Result<Self, String> {
        if command.first().is_none_or(|program| program.is_empty()) {
            return Err("`command` names a program first, like [\"npx\", \"-y\", …]".to_owned());
        }
        Ok(CommandServer {
            command,
            env: BTreeMap::new(),
            cwd: None,
            watch: Vec::new(),
            roots: Vec::new(),
            era: Era::default(),
        })
    }

    /// The program.
    pub fn program(&self) -> &str {
        self.command.first().map_or("", String::as_str)
    }
}

fn is_sendable(value: &Secret) -> bool {
    HeaderValue::from_str(value.expose()).is_ok()
}

/// Parses the address of an MCP endpoint. Unlike the base address of a host, it can have a query.
fn endpoint(address: &str) -> Result<Url, String> {
    let wrong = |reason: &str| {
        format!(
            "`{address}` is not the address of a server: {reason}; \
             write it like https://example.org/mcp"
        )
    };
    let url = Url::parse(address).map_err(|error| wrong(&error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong("it must begin with https:// or http://"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        // The message omits the address, which contains a password.
        return Err("the address must not contain a user name or password".to_owned());
    }
    if url.fragment().is_some() {
        return Err(wrong("it must not have a fragment"));
    }
    Ok(url)
}

/// Checks the name of a server.
///
/// # Errors
/// Why the name is invalid.
pub fn check_name(name: &str) -> Result<(), String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if name.is_empty() || name.starts_with('-') || !name.chars().all(is_plain) {
        return Err(format!(
            "`{name}` is not a name for a server; names have letters, digits, - and _"
        ));
    }
    if name.parse::<Host>().is_ok() {
        return Err(format!(
            "`{name}` is a host of the service; give the server another name"
        ));
    }
    Ok(())
}

/// The table `[servers]`, read key by key, so an error names the line of its key.
pub(super) fn servers<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, ServerConfig>, D::Error> {
    struct Table;

    impl<'de> Visitor<'de> for Table {
        type Value = BTreeMap<String, ServerConfig>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("tables such as [servers.files]")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut servers = BTreeMap::new();
            while let Some(Name(name)) = map.next_key()? {
                servers.insert(name, map.next_value()?);
            }
            Ok(servers)
        }
    }

    deserializer.deserialize_map(Table)
}

/// A key of `[servers]`.
struct Name(String);

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        check_name(&name).map_err(de::Error::custom)?;
        Ok(Name(name))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::config::Config;

    use super::*;

    fn parse(text: &str) -> Result<BTreeMap<String, ServerConfig>, String> {
        Config::parse(text, Path::new("config.toml"))
            .map(|config| config.servers)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn servers_have_an_address_or_a_command() {
        let servers = parse(
            r#"
            [servers.tickets]
            url = "https://tickets.example.org/mcp?team=7"
            token_env = "TICKETS_TOKEN"
            headers = { X-Team = "seven" }

            [servers.files]
            command = ["npx", "-y", "server-filesystem", "/srv"]
            env = { KEY = "hunter2" }
            cwd = "/tmp"
            watch = ["src"]
            roots = ["/srv"]
            "#,
        )
        .expect("is fine");
        let ServerConfig::Http(tickets) = &servers["tickets"] else {
            panic!("it has an address: {servers:?}");
        };
        assert_eq!(
            tickets.token,
            Some(Token::Variable("TICKETS_TOKEN".to_owned()))
        );
        assert_eq!(tickets.headers["X-Team"].expose(), "seven");
        assert_eq!(tickets.url.query(), Some("team=7"));
        assert_eq!(
            servers["tickets"].place(),
            "https://tickets.example.org/mcp"
        );
        let ServerConfig::Command(files) = &servers["files"] else {
            panic!("it has a command: {servers:?}");
        };
        assert_eq!(files.program(), "npx");
        assert_eq!(files.env["KEY"].expose(), "hunter2");
        assert_eq!(files.cwd.as_deref(), Some(Path::new("/tmp")));
        assert_eq!(files.watch, [Path::new("src")]);
        assert_eq!(servers["files"].roots(), [Path::new("/srv")]);
        assert!(!format!("{servers:?}").contains("hunter2"));
    }

    #[test]
    fn an_error_has_its_line_and_what_would_be_right() {
        for (text, message) in [
            (
                "\n[servers.a]\n",
                "config.toml:2: a server needs `url = \"https://…/mcp\"` or \
                 `command = [\"program\", …]`",
            ),
            (
                "[servers.a]\nurl = \"https://a.example.org\"\ncommand = [\"a\"]\n",
                "config.toml:1: a server has either `url` or `command`, not both",
            ),
            (
                "[servers.a]\nurl = \"https://a.example.org\"\ncwd = \"/\"\n",
                "config.toml:1: `env`, `cwd` and `watch` are for a server with `command`",
            ),
            (
                "[servers.a]\ncommand = [\"a\"]\ntoken = \"hunter2\"\n",
                "config.toml:1: `token`, `token_env`, `headers`, `client_id` and \
                 `client_secret_file` are for a server with `url`; a command is given secrets in \
                 `env`",
            ),
            (
                "[servers.a]\ncommand = [\"a\"]\nroots = [\"files\"]\n",
                "config.toml:1: `roots` are absolute paths like /srv/files, not `files`",
            ),
            (
                "[servers.a]\ncommand = []\n",
                "config.toml:1: `command` names a program first, like [\"npx\", \"-y\", …]",
            ),
            (
                "[servers.a]\nurl = \"a\"\n",
                "config.toml:1: `a` is not the address of a server: relative URL without a base; \
                 write it like https://example.org/mcp",
            ),
            (
                "[servers.a]\nurl = \"https://a.example.org\"\nport = 1\n",
                "config.toml:3: there is no setting `port`; the settings are url, token, \
                 token_env, headers, client_id, client_secret_file, command, env, cwd, watch, roots, era",
            ),
            (
                "[servers.a]\nurl = \"https://a.example.org\"\nera = \"old\"\n",
                "config.toml:3: `era` is \"auto\", \"handshake\" or \"2026-07-28\", not \"old\"",
            ),
            (
                "[servers.a]\nurl = \"https://a.example.org\"\nheaders = { \"a b\" = \"hunter2\" }\n",
                "config.toml:1: `a b` is not the name of a header; write it like X-Api-Key",
            ),
            (
                "[servers.a]\nurl = \"https://a.example.org\"\ntoken = \"hunter2\\n\"\n",
                "config.toml:1: `token` holds what a header cannot carry",
            ),
            (
                "[servers.a]\nurl = \"https://a.example.org\"\ntoken = 12345\n",
                "config.toml:3: this must be a text in quotes",
            ),
            (
                "[servers.a]\ncommand = [\"a\"]\nenv = { PIN = 12345 }\n",
                "config.toml:3: this must be a text in quotes",
            ),
            (
                "\n[servers.events]\nurl = \"https://a.example.org\"\n",
                "config.toml:2: `events` is a host of the service; give the server another name",
            ),
            (
                "[servers.\"a/b\"]\nurl = \"https://a.example.org\"\n",
                "config.toml:1: `a/b` is not a name for a server; names have letters, digits, - and _",
            ),
            (
                "servers = 5\n",
                "config.toml:1: this must be tables such as [servers.files], not integer `5`",
            ),
        ] {
            assert_eq!(parse(text).expect_err(text), message, "{text}");
        }
    }

    #[test]
    fn an_address_with_a_password_is_refused_and_not_repeated() {
        let error = parse("[servers.a]\nurl = \"https://me:hunter2@a.example.org\"\n")
            .expect_err("a password");
        assert!(error.ends_with("must not contain a user name or password"));
        assert!(!error.contains("hunter2"), "{error}");
    }
}
