//! Servers in the settings of other MCP clients. Their files are only read.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use directories::BaseDirs;
use jsonc_parser::ParseOptions;
use serde_json::{Map, Value};

use super::servers::{CommandServer, HttpServer, ServerConfig, check_name};
use crate::secret::Secret;

/// A server in the settings of another client.
#[derive(Debug, Clone, PartialEq)]
pub struct Elsewhere {
    /// The client's name for people.
    pub client: &'static str,
    /// The file.
    pub file: PathBuf,
    /// The server's name, made valid for `[servers.NAME]`.
    pub name: String,
    /// The server, or why it cannot be used here.
    pub server: Result<ServerConfig, String>,
}

/// The servers of all clients, and what is wrong with their files.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Found {
    /// The servers, by client and in the order of the files; the same server is listed once.
    pub servers: Vec<Elsewhere>,
    /// A sentence for each file that cannot be read, with its path.
    pub problems: Vec<String>,
}

/// A settings file: the client's name, its path, and the key of the servers in it.
type File = (&'static str, PathBuf, &'static str);

const SERVERS: &str = "mcpServers";

/// Reads the well-known files of this user, and those of the project in this directory.
pub fn find(here: Option<&Path>) -> Found {
    let mut files = Vec::new();
    if let Some(user) = BaseDirs::new() {
        files.extend(of_user(user.home_dir(), user.config_dir()));
    }
    files.extend(here.into_iter().flat_map(of_project));
    read(&files)
}

fn of_user(home: &Path, config: &Path) -> [File; 7] {
    let desktop = config.join("Claude/claude_desktop_config.json");
    [
        ("Claude Desktop", desktop, SERVERS),
        ("Claude Code", home.join(".claude.json"), SERVERS),
        ("Cursor", home.join(".cursor/mcp.json"), SERVERS),
        ("VS Code", config.join("Code/User/mcp.json"), "servers"),
        (
            "Windsurf",
            home.join(".codeium/windsurf/mcp_config.json"),
            SERVERS,
        ),
        ("Gemini CLI", home.join(".gemini/settings.json"), SERVERS),
        ("LM Studio", home.join(".lmstudio/mcp.json"), SERVERS),
    ]
}

fn of_project(here: &Path) -> [File; 3] {
    [
        ("this project", here.join(".mcp.json"), SERVERS),
        ("this project", here.join(".cursor/mcp.json"), SERVERS),
        ("this project", here.join(".vscode/mcp.json"), "servers"),
    ]
}

fn read(files: &[File]) -> Found {
    let mut found = Found::default();
    for (client, file, key) in files {
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => {
                found.problems.push(problem(client, file, &error));
                continue;
            }
        };
        match servers(&text, key) {
            Ok(servers) => {
                for (name, server) in servers {
                    let is_known =
                        |known: &Elsewhere| known.server.is_ok() && known.server == server;
                    if !found.servers.iter().any(is_known) {
                        let name = valid(&name, &found.servers);
                        found.servers.push(Elsewhere {
                            client,
                            file: file.clone(),
                            name,
                            server,
                        });
                    }
                }
            }
            Err(error) => found.problems.push(problem(client, file, &error)),
        }
    }
    found
}

fn problem(client: &str, file: &Path, error: &dyn Display) -> String {
    format!("{client}: {}: {error}", file.display())
}

type Servers = Vec<(String, Result<ServerConfig, String>)>;

fn servers(text: &str, key: &str) -> Result<Servers, String> {
    // Some clients allow comments and trailing commas.
    let value: Option<Value> = jsonc_parser::parse_to_serde_value(text, &ParseOptions::default())
        .map_err(|error| format!("not valid JSON: {error}"))?;
    match value.as_ref().and_then(|value| value.get(key)) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Object(servers)) => Ok(servers
            .iter()
            .map(|(name, server)| (name.clone(), one(server)))
            .collect()),
        Some(_) => Err(format!("`{key}` must be an object of servers")),
    }
}

/// A server as other clients write it.
fn one(server: &Value) -> Result<ServerConfig, String> {
    let server = server
        .as_object()
        .ok_or("it must be an object with `command` or `url`")?;
    let text = |key: &str| server.get(key).and_then(Value::as_str);
    let url = ["url", "serverUrl", "httpUrl"]
        .iter()
        .find_map(|key| text(key));
    let config = match (text("command"), url) {
        (Some(_), None) if text("type") == Some("sse") => return Err(no_sse()),
        (None, Some(_)) if text("type") == Some("sse") => return Err(no_sse()),
        (Some(program), None) => {
            let arguments = server.get("args").and_then(Value::as_array);
            let arguments = arguments.into_iter().flatten();
            let arguments = arguments.map(|one| one.as_str().map(str::to_owned));
            let arguments: Option<Vec<String>> = arguments.collect();
            let arguments = arguments.ok_or("`args` must be a list of texts")?;
            let command = std::iter::once(program.to_owned()).chain(arguments);
            let mut config = CommandServer::new(command.collect())?;
            config.env = secrets(server, "env")?;
            config.cwd = text("cwd").map(PathBuf::from);
            ServerConfig::Command(config)
        }
        (None, Some(url)) => {
            ServerConfig::Http(HttpServer::new(url, None, secrets(server, "headers")?)?)
        }
        _ => return Err("it needs either `command` or `url`".to_owned()),
    };
    match serde_json::to_string(server).is_ok_and(|text| text.contains("${")) {
        true => Err("it has a placeholder ${…}, which only that client fills in".to_owned()),
        false => Ok(config),
    }
}

fn no_sse() -> String {
    "it uses HTTP+SSE, which MCP has replaced by Streamable HTTP".to_owned()
}

fn secrets(server: &Map<String, Value>, key: &str) -> Result<BTreeMap<String, Secret>, String> {
    let Some(entries) = server.get(key).filter(|entries| !entries.is_null()) else {
        return Ok(BTreeMap::new());
    };
    let entries = entries
        .as_object()
        .ok_or_else(|| format!("`{key}` must be an object of texts"))?;
    let entries = entries.iter().map(|(name, value)| match value {
        Value::String(text) => Ok((name.clone(), Secret::new(text))),
        Value::Number(_) | Value::Bool(_) => Ok((name.clone(), Secret::new(value.to_string()))),
        _ => Err(format!("`{key}` must be an object of texts")),
    });
    entries.collect()
}

/// A valid name that no other server has.
fn valid(name: &str, others: &[Elsewhere]) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let name: String = name
        .chars()
        .map(|c| if is_plain(c) { c } else { '-' })
        .collect();
    let mut name = name.trim_matches('-').to_owned();
    if check_name(&name).is_err() {
        name = format!("server-{name}").trim_end_matches('-').to_owned();
    }
    let is_free = |name: &str| others.iter().all(|other| other.name != name);
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let mut names = std::iter::once(name.clone()).chain(numbered);
    names.find(|name| is_free(name)).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(texts: &[(&'static str, &str, &'static str)]) -> Found {
        let directory = tempfile::tempdir().expect("a directory");
        let files = texts.iter().enumerate().map(|(at, (client, text, key))| {
            let file = directory.path().join(format!("{at}.json"));
            std::fs::write(&file, text).expect("is written");
            (*client, file, *key)
        });
        read(&files.collect::<Vec<_>>())
    }

    #[test]
    fn servers_of_several_clients_are_found_once() {
        let desktop = r#"{"mcpServers": {
            "My Files": {"command": "npx", "args": ["-y", "files"], "env": {"KEY": "hunter2"}},
            "events": {"url": "https://tickets.example.org/mcp", "headers": {"X-Team": "7"}}
        }}"#;
        let code = "{ // ours\n \"servers\": { \"files\": { \"type\": \"stdio\", \
                    \"command\": \"npx\", \"args\": [\"-y\", \"files\"], \"env\": {\"KEY\": \"hunter2\"}, }, } }";
        let found = found(&[
            ("Claude Desktop", desktop, SERVERS),
            ("VS Code", code, "servers"),
        ]);
        let names: Vec<&str> = found.servers.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["My-Files", "server-events"], "{found:?}");
        assert!(found.servers.iter().all(|one| one.server.is_ok()));
        assert_eq!(found.problems, [""; 0]);
        let Ok(ServerConfig::Command(files)) = &found.servers[0].server else {
            panic!("a command: {found:?}");
        };
        assert_eq!(files.command, ["npx", "-y", "files"]);
        assert_eq!(files.env["KEY"].expose(), "hunter2");
    }

    #[test]
    fn what_cannot_be_read_or_used_is_named() {
        let found = found(&[
            ("Cursor", "{\"mcpServers\": {\n  \"a\": oops", SERVERS),
            ("Claude Code", "{\"mcpServers\": []}", SERVERS),
            (
                "VS Code",
                r#"{"servers": {"key": {"url": "https://a.example/mcp", "headers": {"K": "${input:key}"}},
                    "old": {"type": "sse", "url": "https://a.example/sse"}, "none": {}}}"#,
                "servers",
            ),
        ]);
        assert_eq!(found.problems.len(), 2);
        assert!(found.problems[0].starts_with("Cursor: "), "{found:?}");
        assert!(found.problems[0].contains("not valid JSON"), "{found:?}");
        assert!(found.problems[1].contains("must be an object of servers"));
        let reasons: Vec<&str> = found
            .servers
            .iter()
            .filter_map(|one| one.server.as_ref().err().map(String::as_str))
            .collect();
        assert_eq!(reasons.len(), 3, "{found:?}");
        assert!(reasons[0].contains("placeholder"), "{reasons:?}");
    }
}
