//! Shell completion of hosts, tools, argument names and enumeration values, from the declarations
//! and the configuration. No host is called.

use std::ffi::OsStr;
use std::io::Write;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, CommandFactory};
use clap_complete::CompletionCandidate;
use clap_complete::engine::ArgValueCompleter;
use clap_complete::env::{CompleteEnv, Shells};
use frontdesk_client::{Config, paths};
use frontdesk_form::{Field, Form, Kind, Path};
use frontdesk_protocol::{Declaration, Host};
use serde_json::Value;

use super::suggest::closest;
use super::{Cli, Failure};

/// The environment variable with which a shell requests completions.
const VARIABLE: &str = "COMPLETE";

/// Answers a completion request of the shell, and exits.
pub(super) fn answer() {
    CompleteEnv::with_factory(Cli::command)
        .var(VARIABLE)
        .complete();
}

/// Prints the completion script of a shell.
#[derive(Debug, Args)]
pub(super) struct Completions {
    /// The shell.
    #[arg(value_name = "SHELL", value_parser = PossibleValuesParser::new(["bash", "zsh", "fish", "elvish", "powershell"]))]
    shell: String,
}

impl Completions {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let shells = Shells::builtins();
        let shell = shells
            .completer(&self.shell)
            .ok_or_else(|| Failure::Usage(format!("unknown shell: {}", self.shell)))?;
        shell
            .write_registration(
                VARIABLE,
                "frontdesk",
                "frontdesk",
                "frontdesk",
                &mut std::io::stdout(),
            )
            .and_then(|()| match self.shell.as_str() {
                "bash" => std::io::stdout().write_all(WHOLE_WORDS.as_bytes()),
                _ => Ok(()),
            })
            .map_err(|error| Failure::file("stdout", error))
    }
}

/// Bash splits words at `=` and `:`, and replaces only the last piece. This function joins the
/// pieces for the one that [`CompleteEnv`] registers, and removes the part before the last piece
/// from its answers.
const WHOLE_WORDS: &str = r#"
_frontdesk_whole_words() {
    local rest=$COMP_LINE words=() word before="" i at=0
    for ((i = 0; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        [[ $i == "$COMP_CWORD" && $word != [=:]* ]] && word=$2
        if [[ $i == 0 || $rest == [[:space:]]* ]]; then
            rest=${rest#"${rest%%[![:space:]]*}"}
            at=${#words[@]}
            before=""
        else
            before=${words[at]}
        fi
        rest=${rest#"${COMP_WORDS[i]}"}
        words[at]=$before$word
    done
    before=${words[at]%"$2"}
    local COMP_WORDS=("${words[@]}") COMP_CWORD=$at
    _clap_complete_frontdesk "$1" "${words[at]}" "${words[at-1]}"
    COMPREPLY=("${COMPREPLY[@]#"$before"}")
}
complete -o nospace -o bashdefault -F _frontdesk_whole_words frontdesk
"#;

/// Prints a manual page, or writes all of them.
#[derive(Debug, Args)]
pub(super) struct Manual {
    /// The command; default: all commands in short.
    #[arg(value_name = "COMMAND", conflicts_with = "dir")]
    command: Option<String>,
    /// Write the pages of all commands to this directory.
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl Manual {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let mut all = Cli::command();
        if let Some(directory) = &self.dir {
            let written = clap_mangen::generate_to(all, directory);
            return written.map_err(|error| Failure::at(directory, error));
        }
        // Options of all commands belong to each page.
        all.build();
        let page = match &self.command {
            None => Some(&all),
            Some(name) => all.find_subcommand(name),
        };
        let Some(page) = page else {
            return Err(no_command(
                self.command.as_deref().unwrap_or_default(),
                &all,
            ));
        };
        clap_mangen::Man::new(page.clone())
            .render(&mut std::io::stdout())
            .map_err(|error| Failure::file("stdout", error))
    }
}

/// The failure if this command does not exist.
pub(super) fn no_command(name: &str, all: &clap::Command) -> Failure {
    let names = all.get_subcommands().map(clap::Command::get_name);
    Failure::Usage(match closest(name, names) {
        Some(close) => format!("there is no command `{name}`; did you mean `{close}`?"),
        None => format!("there is no command `{name}`; `frontdesk --help` lists them"),
    })
}

/// The hosts and the configured servers.
pub(super) fn peers() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let current = current.to_string_lossy().into_owned();
        let hosts = Host::ALL.map(|host| (host.area().to_owned(), host.title().to_owned()));
        let servers = servers(&current);
        let all = hosts.into_iter().chain(servers);
        all.filter(|(name, _)| name.starts_with(&current))
            .map(|(name, about)| CompletionCandidate::new(name).help(Some(about.into())))
            .collect()
    })
}

/// The configured servers.
pub(super) fn configured() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        servers(&current.to_string_lossy())
            .into_iter()
            .map(|(name, about)| CompletionCandidate::new(name).help(Some(about.into())))
            .collect()
    })
}

/// The servers whose names begin with `current`, with their addresses. Empty if the configuration
/// cannot be read, because completion cannot report errors.
fn servers(current: &str) -> Vec<(String, String)> {
    let file = std::env::var_os("FRONTDESK_CONFIG").map(PathBuf::from);
    let config = file
        .or_else(paths::config_file)
        .and_then(|path| Config::load(&path).ok());
    let servers = config.unwrap_or_default().servers.into_iter();
    servers
        .filter(|(name, _)| name.starts_with(current))
        .map(|(name, server)| (name, server.place()))
        .collect()
}

/// The tools of the host typed before.
pub(super) fn tools() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let current = current.to_string_lossy().into_owned();
        let Some((host, _)) = typed() else {
            return Vec::new();
        };
        host.tools()
            .filter(|tool| tool.name.starts_with(&current))
            .map(|tool| CompletionCandidate::new(tool.name).help(Some(tool.description().into())))
            .collect()
    })
}

/// The tools of all hosts that write.
pub(super) fn all_tools() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let current = current.to_string_lossy().into_owned();
        let tools = Host::ALL.into_iter().flat_map(Host::tools);
        let tools = tools.filter(|tool| !tool.effect.read_only && tool.name.starts_with(&current));
        tools
            .map(|tool| CompletionCandidate::new(tool.name).help(Some(tool.description().into())))
            .collect()
    })
}

/// The arguments of the tool typed before, and their enumeration values.
pub(super) fn arguments() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let current = current.to_string_lossy().into_owned();
        match typed() {
            Some((_, Some(tool))) => candidates(tool, &current)
                .into_iter()
                .map(CompletionCandidate::new)
                .collect(),
            _ => Vec::new(),
        }
    })
}

/// `limit=`, or `template=default` and `template=weekly_leaders`.
fn candidates(tool: &Declaration, current: &str) -> Vec<String> {
    let form = Form::new(&tool.input_schema());
    let Some((name, value)) = current.split_once('=') else {
        let names = form.root().children().iter().filter_map(Field::key);
        let names = names.filter(|name| name.starts_with(current));
        return names.map(|name| format!("{name}=")).collect();
    };
    let Some(field) = form.field(&Path::root().key(name)) else {
        return Vec::new();
    };
    let mut words = match field.kind() {
        Kind::Choice(choices) => {
            let texts = choices.iter().map(|choice| match &choice.value {
                Value::String(text) => text.clone(),
                value => value.to_string(),
            });
            texts.collect()
        }
        Kind::Boolean => vec!["true".to_owned(), "false".to_owned()],
        _ => Vec::new(),
    };
    words.retain(|word| word.starts_with(value));
    words.iter().map(|word| format!("{name}={word}")).collect()
}

/// The host and tool in the line being completed: the words after `call` or `describe`.
fn typed() -> Option<(Host, Option<&'static Declaration>)> {
    let words: Vec<_> = std::env::args().collect();
    on_line(&words)
}

fn on_line(words: &[String]) -> Option<(Host, Option<&'static Declaration>)> {
    let command = words
        .iter()
        .position(|word| word == "call" || word == "describe")?;
    let mut rest = words[command + 1..]
        .iter()
        .filter(|word| !word.starts_with('-'));
    let host: Host = rest.next()?.parse().ok()?;
    Some((host, rest.next().and_then(|name| host.tool(name))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn the_line_tells_host_and_tool() {
        let of =
            |line| on_line(&words(line)).map(|(host, tool)| (host, tool.map(|tool| tool.name)));
        assert_eq!(
            of("frontdesk -- frontdesk call work set_meeting_template"),
            Some((Host::Work, Some("set_meeting_template")))
        );
        assert_eq!(
            of("frontdesk -- frontdesk call work set_"),
            Some((Host::Work, None))
        );
        assert_eq!(of("frontdesk -- frontdesk tools"), None);
    }

    #[test]
    fn arguments_and_their_words_are_known() {
        let tool = Host::Work
            .tool("set_meeting_template")
            .expect("it is declared");
        assert_eq!(candidates(tool, ""), ["meeting_id=", "template="]);
        assert_eq!(candidates(tool, "t"), ["template="]);
        assert_eq!(candidates(tool, "template=w"), ["template=weekly_leaders"]);
        let tool = Host::Work.tool("merge_meetings").expect("it is declared");
        assert_eq!(
            candidates(tool, "dry_run="),
            ["dry_run=true", "dry_run=false"]
        );
    }
}
