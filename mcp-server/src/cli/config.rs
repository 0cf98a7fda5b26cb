//! The configuration file: a key for every option. Options win over environment variables, and these over the file.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::{ArgAction, Command};
use toml::{Table, Value};

/// The option and the environment variable with the file's path.
const OPTION: &str = "--config";
const VARIABLE: &str = "FRONTDESK_CONFIG";

/// Why the file cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum ConfigError {
    #[error("{}: {}", .0.display(), .1)]
    Read(PathBuf, #[source] std::io::Error),
    /// toml's own message would quote the line, which can have a secret.
    #[error("{} is not TOML: line {}: {}", .0.display(), .1, .2)]
    Syntax(PathBuf, usize, String),
    #[error("{}: there is no option `{}`; the options of `frontdesk-server serve --help` are the keys", .0.display(), .1)]
    Key(PathBuf, String),
    #[error("{}: `{}` must be {}", .0.display(), .1, .2)]
    Value(PathBuf, String, &'static str),
}

/// The command line with the options of the file, as if they were written after the command's name.
///
/// # Errors
/// [`ConfigError`] if the file cannot be read or has an unknown key.
pub(super) fn with_file(
    command: &Command,
    mut arguments: Vec<OsString>,
) -> Result<Vec<OsString>, ConfigError> {
    let Some(path) = path(&arguments) else {
        return Ok(arguments);
    };
    let table = read(&path)?;
    expect_known(command, &table, &path)?;
    let (called, at) = called(command, &arguments);
    let mut options = Vec::new();
    for argument in called.get_arguments() {
        let Some(long) = argument.get_long() else {
            continue;
        };
        let variable = argument.get_env();
        let is_set = variable.is_some_and(|name| std::env::var_os(name).is_some())
            || is_given(&arguments, long);
        if let Some(value) = table.get(long).filter(|_| !is_set) {
            let is_flag = matches!(argument.get_action(), ArgAction::SetTrue);
            options.extend(texts(value, is_flag, long, &path)?);
        }
    }
    arguments.splice(at..at, options);
    Ok(arguments)
}

/// The given file, or the default one if it exists.
fn path(arguments: &[OsString]) -> Option<PathBuf> {
    let mut texts = arguments.iter().map(|text| text.to_string_lossy());
    while let Some(text) = texts.next() {
        if text == OPTION {
            return texts.next().map(|path| PathBuf::from(path.as_ref()));
        }
        if let Some(path) = text.strip_prefix("--config=") {
            return Some(PathBuf::from(path));
        }
    }
    if let Some(path) = std::env::var_os(VARIABLE) {
        return Some(PathBuf::from(path));
    }
    let project = directories::ProjectDirs::from("", "", "frontdesk")?;
    let path = project.config_dir().join("server.toml");
    path.is_file().then_some(path)
}

fn read(path: &Path) -> Result<Table, ConfigError> {
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|error| ConfigError::Read(path.to_owned(), error))?;
    text.parse().map_err(|error: toml::de::Error| {
        let before = error.span().and_then(|span| text.get(..span.start));
        let line = before.map_or(1, |before| before.matches('\n').count() + 1);
        ConfigError::Syntax(path.to_owned(), line, error.message().to_owned())
    })
}

/// Fails if a key is the option of no command.
fn expect_known(command: &Command, table: &Table, path: &Path) -> Result<(), ConfigError> {
    fn knows(command: &Command, key: &str) -> bool {
        command.get_arguments().any(|argument| {
            argument.get_long() == Some(key) && argument.get_env().is_some() && key != "config"
        }) || command.get_subcommands().any(|below| knows(below, key))
    }
    match table.keys().find(|key| !knows(command, key)) {
        Some(key) => Err(ConfigError::Key(path.to_owned(), key.clone())),
        None => Ok(()),
    }
}

/// The command that is called, and the place of its first argument.
fn called<'a>(command: &'a Command, arguments: &[OsString]) -> (&'a Command, usize) {
    let mut called = (command, 1);
    for (at, argument) in arguments.iter().enumerate().skip(1) {
        match called.0.find_subcommand(argument) {
            Some(below) => called = (below, at + 1),
            // Options of the program itself come before the command.
            None if called.0.get_name() == command.get_name() => {}
            None => break,
        }
    }
    called
}

fn is_given(arguments: &[OsString], long: &str) -> bool {
    let option = format!("--{long}");
    let given = |argument: &OsStr| {
        let text = argument.to_string_lossy();
        let rest = text.strip_prefix(&option);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    };
    arguments.iter().any(|argument| given(argument))
}

/// The option with each of its values.
fn texts(
    value: &Value,
    is_flag: bool,
    long: &str,
    path: &Path,
) -> Result<Vec<OsString>, ConfigError> {
    let wrong = |expected| ConfigError::Value(path.to_owned(), long.to_owned(), expected);
    let text = |value: &Value| match value {
        Value::String(text) => Ok(text.clone()),
        Value::Integer(number) => Ok(number.to_string()),
        _ => Err(wrong("a text, a number, or a list of them")),
    };
    match (value, is_flag) {
        (Value::Boolean(true), true) => Ok(vec![format!("--{long}").into()]),
        (Value::Boolean(false), true) => Ok(Vec::new()),
        (_, true) => Err(wrong("true or false")),
        (Value::Array(values), false) => values
            .iter()
            .map(|value| Ok(format!("--{long}={}", text(value)?).into()))
            .collect(),
        (value, false) => Ok(vec![format!("--{long}={}", text(value)?).into()]),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn command() -> Command {
        let option = |name| clap::Arg::new(name).long(name).env("FRONTDESK_TEST_UNSET");
        let serve = Command::new("serve")
            .arg(option("listen"))
            .arg(option("allow-host").action(ArgAction::Append))
            .arg(option("demo").action(ArgAction::SetTrue));
        Command::new("program").subcommand(serve)
    }

    fn with(text: &str, arguments: &[&str]) -> Result<Vec<String>, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        let config = format!("--config={}", file.path().display());
        let mut given: Vec<OsString> = arguments.iter().map(OsString::from).collect();
        given.push(config.clone().into());
        let all = with_file(&command(), given).map_err(|error| error.to_string())?;
        let all = all.into_iter().map(|text| text.into_string().unwrap());
        Ok(all.filter(|text| *text != config).collect())
    }

    #[test]
    fn options_win_over_the_file() {
        let file = "listen = '0.0.0.0:80'\nallow-host = ['a', 'b']\ndemo = true";
        let all = with(file, &["program", "serve", "--allow-host", "c"]).unwrap();
        let expected = [
            "program",
            "serve",
            "--listen=0.0.0.0:80",
            "--demo",
            "--allow-host",
            "c",
        ];
        assert_eq!(all, expected);
    }

    #[test]
    fn an_error_names_the_key_and_no_value() {
        let unknown = with("lisen = 'x'", &["program", "serve"]).unwrap_err();
        assert!(unknown.contains("no option `lisen`"), "{unknown}");
        let wrong = with("demo = 'yes'", &["program", "serve"]).unwrap_err();
        assert!(wrong.contains("`demo` must be true or false"), "{wrong}");
        let syntax = with("\nlisten = secret", &["program", "serve"]).unwrap_err();
        assert!(
            syntax.contains("line 2") && !syntax.contains("secret"),
            "{syntax}"
        );
    }
}
