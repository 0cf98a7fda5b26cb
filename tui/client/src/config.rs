//! The configuration file `config.toml`.

pub mod commands;
pub mod edit;
pub mod elsewhere;
pub mod servers;

use std::collections::BTreeMap;
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::{fmt, io};

use frontdesk_protocol::Host;
use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::addresses::{self, AddressError, Addresses};
use crate::history::Keep;
use crate::paths;
use commands::OwnCommand;
use servers::ServerConfig;

/// The configuration. All keys are optional.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// `url`: the base address of the service.
    #[serde(deserialize_with = "address")]
    pub url: Option<String>,
    /// `[local]`: hosts that run inside the app.
    pub local: Option<LocalConfig>,
    /// `[hosts]`: addresses of hosts that are not at `{url}/{area}`.
    #[serde(deserialize_with = "hosts")]
    pub hosts: BTreeMap<Host, String>,
    /// `[servers.NAME]`: third-party MCP servers.
    #[serde(deserialize_with = "servers::servers")]
    pub servers: BTreeMap<String, ServerConfig>,
    /// `pick_by_name`: whether a form offers a picker if only the name of a field shows that it
    /// refers to a record, as with third-party servers. Default: true. Used by the screen.
    pub pick_by_name: Option<bool>,
    /// `[history]`: which parts of calls are kept.
    pub history: HistoryConfig,
    /// `bell`: whether the terminal rings for a check-in that needs attention. Default: true. Used
    /// by the screen.
    pub bell: Option<bool>,
    /// `badge_command`: a program that prints a badge, and its arguments; the file follows as the last argument. Used by
    /// the screen.
    #[serde(deserialize_with = "program")]
    pub badge_command: Vec<String>,
    /// `badge_on_check_in`: whether each check-in prints a badge. Default: false. Used by the screen.
    pub badge_on_check_in: bool,
    /// `[desk]`: where the check-in desk of this machine is. Used by the screen.
    pub desk: DeskConfig,
    /// `linear`: whether the app is read line by line, for screen readers, braille displays and terminals that draw no
    /// screens. Default: false. Used by the screen.
    pub linear: bool,
    /// `mouse`: whether a click selects and opens, and the wheel scrolls. Without it, the terminal
    /// selects text with the mouse. Default: true. Used by the screen.
    pub mouse: Option<bool>,
    /// `escape_ms`: how long after Esc the rest of a key's sequence can come, in milliseconds. Default: 25, over SSH 100.
    /// Used by the screen.
    pub escape_ms: Option<NonZeroU16>,
    /// `language`: that of dates and numbers: `de`, `en`, `es`, `fr` or `pt`. Default: that of the environment (`LC_ALL`,
    /// `LC_TIME`, `LANG`). Used by the screen.
    pub language: Option<String>,
    /// `theme`: the name of a theme, or the path of a theme file. Used by the screen.
    pub theme: Option<String>,
    /// `[columns]`: the titles of the columns of lists, in order; a list is named as in
    /// `work tasks`. Used by the screen.
    pub columns: BTreeMap<String, Vec<String>>,
    /// `[keys]`: for each command, the keys that replace its default keys. An empty list removes
    /// all keys. Command ids contain dots and can be written with or without quotes. Used by the
    /// screen.
    #[serde(deserialize_with = "keys")]
    pub keys: BTreeMap<String, Keys>,
    /// `[[commands]]`: commands that run a program with the fields of a record. Used by the screen.
    pub commands: Vec<OwnCommand>,
    /// `[theme_colors]`: colours that override the theme. Used by the screen.
    pub theme_colors: toml::Table,
}

/// Hosts that start with the app, unless they already answer at `url`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LocalConfig {
    /// `database`: the directory of the embedded database.
    pub database: PathBuf,
}

/// Where the check-in desk of a machine is.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DeskConfig {
    /// `name`: the name of the desk, for the log of movements.
    pub name: Option<String>,
    /// `gate`: the name of the gate: check-ins are recorded as movements there.
    pub gate: Option<String>,
    /// `place`: the name of the place of the event at whose entrance the desk is.
    pub place: Option<String>,
    /// `event`: the name or id of the event whose desk opens with the app.
    pub event: Option<String>,
    /// `locked`: whether only the password leads away from that desk. Default: false.
    pub locked: bool,
}

/// How much of each tool call is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HistoryConfig {
    /// `keep`: `"redacted"` (without secrets, and without texts of results), `"all"` or `"off"`.
    #[serde(deserialize_with = "keep")]
    pub keep: Keep,
}

/// The keys of one command: `"ctrl-n"` or `["ctrl-n", "down"]`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Keys(pub Vec<String>);

/// Why the configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The platform has no directory for configuration.
    #[error("there is no home directory, so no place for {}", paths::CONFIG_FILE)]
    NoHome,
    /// The file exists but cannot be read.
    #[error("{}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        reason: io::Error,
    },
    /// The file has invalid content.
    #[error("{}:{line}: {message}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong, and what would be right.
        message: String,
    },
}

impl Config {
    /// The addresses of a configuration; `url` takes precedence over the configured one. `None` if
    /// neither names an address.
    ///
    /// # Errors
    /// As for [`Addresses::new`], for the first invalid address.
    pub fn addresses(&self, url: Option<&str>) -> Result<Option<Addresses>, AddressError> {
        let Some(url) = url.or(self.url.as_deref()) else {
            return Ok(None);
        };
        let mut addresses = Addresses::new(url)?;
        for (host, address) in &self.hosts {
            addresses = addresses.with_host(*host, address)?;
        }
        Ok(Some(addresses))
    }

    /// The path of the configuration on this platform.
    ///
    /// # Errors
    /// [`ConfigError::NoHome`].
    pub fn default_path() -> Result<PathBuf, ConfigError> {
        paths::config_file().ok_or(ConfigError::NoHome)
    }

    /// Reads this configuration file; a missing file is an empty configuration.
    ///
    /// # Errors
    /// The file cannot be read or is invalid: an unknown key, a value of the wrong type, an unknown
    /// host, a malformed address.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        match std::fs::read_to_string(path) {
            Ok(text) => Config::parse(&text, path),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Config::default()),
            Err(reason) => Err(ConfigError::Unreadable {
                path: path.to_owned(),
                reason,
            }),
        }
    }

    /// Parses a configuration; `path` is only used in errors.
    ///
    /// # Errors
    /// As for [`Config::load`].
    pub fn parse(text: &str, path: &Path) -> Result<Self, ConfigError> {
        toml::from_str(text).map_err(|error| ConfigError::Invalid {
            path: path.to_owned(),
            line: line(text, error.span().map_or(0, |span| span.start)),
            message: explain(error.message()),
        })
    }
}

/// The line number of a byte offset.
fn line(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or(text.as_bytes());
    1 + before.iter().filter(|byte| **byte == b'\n').count()
}

/// Rewrites the message of the parser for the author of the file.
fn explain(message: &str) -> String {
    if let Some(rest) = message.strip_prefix("unknown field `") {
        let (key, expected) = rest.split_once('`').unwrap_or((rest, ""));
        let known = expected
            .trim_start_matches(", expected one of ")
            .trim_start_matches(", expected ")
            .replace('`', "");
        let are = match known.contains(", ") {
            true => "the settings are",
            false => "the only one here is",
        };
        return format!("there is no setting `{key}`; {are} {known}");
    }
    if let Some(rest) = message.strip_prefix("invalid type: ") {
        let (got, expected) = rest.split_once(", expected ").unwrap_or((rest, ""));
        let expected = match expected {
            "a map" => "a table such as [keys]",
            "a sequence" => "a list such as [\"one\", \"two\"]",
            expected => expected,
        };
        return format!("this must be {expected}, not {got}");
    }
    message.trim_end().replace('\n', "; ")
}

fn address<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let address = String::deserialize(deserializer)?;
    addresses::base(&address)
        .map(Some)
        .map_err(de::Error::custom)
}

fn program<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let command = Vec::<String>::deserialize(deserializer)?;
    match command.first() {
        Some(program) if !program.is_empty() => Ok(command),
        _ => Err(de::Error::custom(
            "this must begin with a program, as in [\"lp\", \"-d\", \"Badges\"]",
        )),
    }
}

fn keep<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Keep, D::Error> {
    match String::deserialize(deserializer)?.as_str() {
        "redacted" => Ok(Keep::Redacted),
        "all" => Ok(Keep::All),
        "off" => Ok(Keep::Off),
        other => Err(de::Error::custom(format_args!(
            "`{other}` cannot be kept; write \"redacted\", \"all\" or \"off\""
        ))),
    }
}

fn hosts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<Host, String>, D::Error> {
    /// A table that is read key by key, so an error names the line of its key.
    struct Table;

    impl<'de> Visitor<'de> for Table {
        type Value = BTreeMap<Host, String>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a table of areas and addresses")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut hosts = BTreeMap::new();
            while let Some(Area(host)) = map.next_key()? {
                let BaseAddress(address) = map.next_value()?;
                hosts.insert(host, address);
            }
            Ok(hosts)
        }
    }

    deserializer.deserialize_map(Table)
}

/// A key of `[hosts]`.
struct Area(Host);

impl<'de> Deserialize<'de> for Area {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let area = String::deserialize(deserializer)?;
        area.parse().map(Area).map_err(|_| {
            let areas: Vec<_> = Host::ALL.iter().map(|host| host.area()).collect();
            de::Error::custom(format_args!(
                "there is no host `{area}`; the hosts are {}",
                areas.join(", ")
            ))
        })
    }
}

/// A value of `[hosts]`.
struct BaseAddress(String);

impl<'de> Deserialize<'de> for BaseAddress {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let address = String::deserialize(deserializer)?;
        addresses::base(&address)
            .map(BaseAddress)
            .map_err(de::Error::custom)
    }
}

fn keys<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, Keys>, D::Error> {
    let mut keys = BTreeMap::new();
    let groups = BTreeMap::<String, Group>::deserialize(deserializer)?;
    for (name, group) in groups {
        group.flatten(name, &mut keys);
    }
    Ok(keys)
}

/// Without quotes, TOML parses `guest.check_in = "enter"` as a nested table.
enum Group {
    Keys(Keys),
    Below(BTreeMap<String, Group>),
}

impl Group {
    fn flatten(self, name: String, keys: &mut BTreeMap<String, Keys>) {
        match self {
            Group::Keys(these) => {
                keys.insert(name, these);
            }
            Group::Below(groups) => {
                for (part, group) in groups {
                    group.flatten(format!("{name}.{part}"), keys);
                }
            }
        }
    }
}

impl<'de> Deserialize<'de> for Group {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = Group;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key such as \"ctrl-n\", or a list of keys")
            }

            fn visit_str<E: de::Error>(self, key: &str) -> Result<Group, E> {
                Ok(Group::Keys(Keys(vec![key.to_owned()])))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Group, A::Error> {
                let mut keys = Vec::new();
                while let Some(key) = list.next_element()? {
                    keys.push(key);
                }
                Ok(Group::Keys(Keys(keys)))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Group, A::Error> {
                let mut groups = BTreeMap::new();
                while let Some((name, group)) = map.next_entry()? {
                    groups.insert(name, group);
                }
                Ok(Group::Below(groups))
            }
        }

        deserializer.deserialize_any(Either)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Config, String> {
        Config::parse(text, Path::new("config.toml")).map_err(|error| error.to_string())
    }

    #[test]
    fn a_full_file() {
        let config = parse(
            r##"
            url = "https://desk.example.org/"
            theme = "dark"

            [hosts]
            events = "https://events.example.org/"

            [history]
            keep = "off"

            [keys]
            "guest.check_in" = "enter"
            guest.next = ["down", "ctrl-n"]
            quit = []

            [theme_colors]
            accent = "#ff8800"
            danger = { fg = "red", bold = true }
            "##,
        )
        .expect("is fine");
        assert_eq!(config.url.as_deref(), Some("https://desk.example.org"));
        assert_eq!(config.theme.as_deref(), Some("dark"));
        assert_eq!(config.hosts[&Host::Events], "https://events.example.org");
        assert_eq!(config.history.keep, Keep::Off);
        assert_eq!(config.keys["guest.check_in"].0, ["enter"]);
        assert_eq!(config.keys["guest.next"].0, ["down", "ctrl-n"]);
        assert_eq!(config.keys["quit"].0, [""; 0]);
        assert_eq!(config.theme_colors["accent"].as_str(), Some("#ff8800"));
        assert_eq!(config.theme_colors["danger"]["bold"].as_bool(), Some(true));
    }

    #[test]
    fn an_error_has_file_line_and_what_would_be_right() {
        let cases = [
            (
                "theme = \"dark\"\ncolour = 1\n",
                "config.toml:2: there is no setting `colour`; \
                 the settings are url, local, hosts, servers, pick_by_name, history, bell, \
                 badge_command, badge_on_check_in, desk, linear, mouse, escape_ms, language, theme, columns, \
                 keys, commands, theme_colors",
            ),
            (
                "badge_command = \"lp -d Badges\"\n",
                "config.toml:1: this must be a list such as [\"one\", \"two\"], not string \"lp -d Badges\"",
            ),
            (
                "badge_command = []\n",
                "config.toml:1: this must begin with a program, as in [\"lp\", \"-d\", \"Badges\"]",
            ),
            (
                "\n\nurl = \"desk\"\n",
                "config.toml:3: `desk` is not the address of a host: relative URL without a base; \
                 write it like https://desk.example.org",
            ),
            (
                "theme = 5\n",
                "config.toml:1: this must be a string, not integer `5`",
            ),
            (
                "[keys]\nnext = 5\n",
                "config.toml:2: this must be a key such as \"ctrl-n\", or a list of keys, \
                 not integer `5`",
            ),
            (
                "keys = 5\n",
                "config.toml:1: this must be a table such as [keys], not integer `5`",
            ),
            (
                "[history]\nkeep = \"some\"\n",
                "config.toml:2: `some` cannot be kept; write \"redacted\", \"all\" or \"off\"",
            ),
            (
                "[history]\nkept = \"all\"\n",
                "config.toml:2: there is no setting `kept`; the only one here is keep",
            ),
            (
                "[hosts]\nlearn = \"https://learn.example.org\"\nevents = \"events\"\n",
                "config.toml:3: `events` is not the address of a host: relative URL without a \
                 base; write it like https://desk.example.org",
            ),
        ];
        for (text, message) in cases {
            assert_eq!(parse(text).expect_err(text), message);
        }
        let area = parse("[hosts]\n\nevent = \"https://e.example.org\"\n").expect_err("no such");
        assert!(area.starts_with("config.toml:3: there is no host `event`; the hosts are staff, "));
        let syntax = parse("theme = \"dark\"\nurl = \n").expect_err("no value");
        assert!(syntax.starts_with("config.toml:2: "), "{syntax}");
    }

    #[test]
    fn a_missing_file_says_nothing_and_another_trouble_is_told() {
        let directory = tempfile::tempdir().expect("a directory");
        let missing = Config::load(&directory.path().join("config.toml")).expect("is fine");
        assert_eq!(missing, Config::default());
        let error = Config::load(directory.path()).expect_err("a directory is no file");
        assert!(matches!(error, ConfigError::Unreadable { .. }), "{error}");
    }
}
