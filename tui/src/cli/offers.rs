//! `resources`, `read`, `prompts`, `prompt`, `complete`: what a host or another server offers beside its tools.

use std::collections::HashMap;

use clap::Args;
use frontdesk::plain;
use frontdesk_client::server::Offers;
use frontdesk_client::template::{self, Variable};
use frontdesk_client::{CallError, Callee, Server};
use serde_json::{Map, Value, json};

use super::call::asking;
use super::call::printing::Printing;
use super::callee;
use super::options::Options;
use super::reach::Reach;
use super::{Failure, completions, say, say_json, terminal, warn};

/// The width of the column of names.
const NAMES: usize = 40;

/// Lists the resources of a host or a server, and the templates of their addresses.
#[derive(Debug, Args)]
pub(super) struct Resources {
    /// The host; or a server, by its configured name or its address. Left out before `-- COMMAND`.
    #[arg(value_name = "SERVER", required_unless_present = "command", conflicts_with = "command", add = completions::peers())]
    server: Option<String>,
    #[command(flatten)]
    reach: Reach,
}

/// Reads a resource of a host or a server.
#[derive(Debug, Args)]
#[command(
    override_usage = "frontdesk read [OPTIONS] SERVER URI|TEMPLATE [name=value]…\n       frontdesk read [OPTIONS] URI|TEMPLATE [name=value]… -- COMMAND…"
)]
pub(super) struct Read {
    /// The server, and the address of the resource; or the template of its address with its variables. A
    /// name that is repeated is a list.
    #[arg(value_name = "SERVER URI|TEMPLATE name=value", required = true)]
    words: Vec<String>,
    #[command(flatten)]
    printing: Printing,
    #[command(flatten)]
    reach: Reach,
}

/// Lists the prompts of a host or a server.
#[derive(Debug, Args)]
pub(super) struct Prompts {
    /// The host; or a server, by its configured name or its address. Left out before `-- COMMAND`.
    #[arg(value_name = "SERVER", required_unless_present = "command", conflicts_with = "command", add = completions::peers())]
    server: Option<String>,
    #[command(flatten)]
    reach: Reach,
}

/// Fills in a prompt of a host or a server, and prints its messages. In a terminal, it asks for what is missing.
#[derive(Debug, Args)]
#[command(
    override_usage = "frontdesk prompt [OPTIONS] SERVER PROMPT [name=value]…\n       frontdesk prompt [OPTIONS] PROMPT [name=value]… -- COMMAND…"
)]
pub(super) struct Prompt {
    /// The server, the prompt, and its arguments.
    #[arg(value_name = "SERVER PROMPT name=value", required = true)]
    words: Vec<String>,
    #[command(flatten)]
    printing: Printing,
    #[command(flatten)]
    reach: Reach,
}

/// Lists suggestions for an argument of a prompt, or of the template of an address.
#[derive(Debug, Args)]
#[command(
    override_usage = "frontdesk complete [OPTIONS] SERVER PROMPT|TEMPLATE name=beginning [name=value]…\n       frontdesk complete [OPTIONS] PROMPT|TEMPLATE name=beginning [name=value]… -- COMMAND…"
)]
pub(super) struct Complete {
    /// The server, the prompt or template, the argument with its beginning, and the arguments known
    /// so far.
    #[arg(value_name = "SERVER PROMPT|TEMPLATE name=value", required = true)]
    words: Vec<String>,
    #[command(flatten)]
    reach: Reach,
}

impl Resources {
    pub(super) async fn run(&self, options: &Options) -> Result<(), Failure> {
        let both = async |server: &Server| {
            let resources = server.list(Offers::Resources).await?;
            Ok((resources, server.list(Offers::Templates).await?))
        };
        let (resources, templates) =
            ask(&self.reach, options, self.server.as_deref(), both).await?;
        callee::left_out(&[resources.odd, templates.odd].concat());
        let (resources, templates) = (resources.items, templates.items);
        if options.json() {
            return say_json(&json!({ "resources": resources, "resourceTemplates": templates }));
        }
        let named = resources.iter().map(|it| (it, "uri"));
        let named = named.chain(templates.iter().map(|it| (it, "uriTemplate")));
        named
            .map(|(item, key)| line(item, text(item, key), ""))
            .try_for_each(|line| say(&line))
    }
}

impl Read {
    pub(super) async fn run(&self, options: &Options) -> Result<(), Failure> {
        let (server, words) = split(&self.reach, &self.words, "the address of the resource")?;
        let printing = self.printing.clone().or_text().or_json(options.json());
        printing.check(false)?;
        let uri = address(&words[0], &words[1..])?;
        let read = ask(&self.reach, options, server, async |server: &Server| {
            server.read(&uri).await
        });
        printing.result(read.await?)
    }
}

impl Prompts {
    pub(super) async fn run(&self, options: &Options) -> Result<(), Failure> {
        let list = async |server: &Server| server.list(Offers::Prompts).await;
        let prompts = ask(&self.reach, options, self.server.as_deref(), list).await?;
        callee::left_out(&prompts.odd);
        let prompts = prompts.items;
        if options.json() {
            return say_json(&Value::Array(prompts));
        }
        prompts.iter().try_for_each(|prompt| {
            let arguments = prompt["arguments"].as_array().into_iter().flatten();
            let arguments = arguments.map(|argument| match argument["required"] == true {
                true => format!(" {}=…", text(argument, "name")),
                false => format!(" [{}=…]", text(argument, "name")),
            });
            say(&line(
                prompt,
                text(prompt, "name"),
                &arguments.collect::<String>(),
            ))
        })
    }
}

impl Prompt {
    pub(super) async fn run(&self, options: &Options) -> Result<(), Failure> {
        let (server, words) = split(&self.reach, &self.words, "the prompt")?;
        let name = words[0].as_str();
        let arguments = pairs(&words[1..])?;
        let arguments: Map<_, _> = arguments
            .into_iter()
            .map(|(name, text)| (name, text.into()))
            .collect();
        let printing = self.printing.clone().or_text().or_json(options.json());
        printing.check(false)?;
        let fill = async |server: &Server| {
            match terminal::is_talking() {
                true => asking::on_terminal(server),
                false => {
                    let prompts = server.list(Offers::Prompts).await?.items;
                    if let Err(missing) = has_required(&prompts, name, &arguments) {
                        return Ok(Err(missing));
                    }
                }
            }
            server.prompt(name, arguments.clone()).await.map(Ok)
        };
        printing.result(ask(&self.reach, options, server, fill).await??)
    }
}

impl Complete {
    pub(super) async fn run(&self, options: &Options) -> Result<(), Failure> {
        let (server, words) = split(&self.reach, &self.words, "the prompt or template")?;
        let mut given = pairs(&words[1..])?;
        if given.is_empty() {
            let message = "the argument is missing; write name= and its beginning";
            return Err(Failure::Usage(message.to_owned()));
        }
        let (name, begin) = given.remove(0);
        let given: HashMap<_, _> = given.into_iter().collect();
        let complete = async |server: &Server| {
            server
                .complete(&words[0], (&name, &begin), given.clone())
                .await
        };
        let suggested = ask(&self.reach, options, server, complete).await?;
        suggested
            .values
            .iter()
            .try_for_each(|value| say(&plain(value)))?;
        if suggested.has_more {
            warn("there are more; write more of the beginning");
        }
        Ok(())
    }
}

/// Opens the host or the server of a command, asks it, and closes it again.
pub(super) async fn ask<T>(
    reach: &Reach,
    options: &Options,
    name: Option<&str>,
    request: impl AsyncFn(&Server) -> Result<T, CallError>,
) -> Result<T, Failure> {
    let callee = reach.callee(options, name)?;
    let failure = |error| callee::failure(&callee, error);
    let server = callee.server().await.map_err(failure)?;
    let asked = async { request(&server).await.map_err(failure) };
    let opened = Callee::Server(server.clone());
    callee::until_done(&opened, reach.timeout, asked).await
}

/// The server and the words about it. With a program after `--`, no word names the server.
fn split<'a>(
    reach: &Reach,
    words: &'a [String],
    what: &str,
) -> Result<(Option<&'a str>, &'a [String]), Failure> {
    let (server, words) = match (reach.command().is_empty(), words) {
        (true, [server, words @ ..]) => (Some(server.as_str()), words),
        (_, words) => (None, words),
    };
    match words.is_empty() {
        true => Err(Failure::Usage(format!("{what} is missing"))),
        false => Ok((server, words)),
    }
}

/// The address of a resource, or of a template with these variables.
fn address(template: &str, words: &[String]) -> Result<String, Failure> {
    let variables = template::variables(template);
    let mut values = Map::new();
    for (name, text) in pairs(words)? {
        if variables.iter().all(|variable| variable.name != name) {
            let names: Vec<_> = variables.iter().map(|it| it.name.as_str()).collect();
            return Err(Failure::Usage(match names.is_empty() {
                true => format!("{template} has no variables; leave {name}= out"),
                false => format!(
                    "{template} has no variable `{name}`; it has {}",
                    names.join(", ")
                ),
            }));
        }
        match values.get_mut(&name) {
            Some(Value::Array(list)) => list.push(text.into()),
            Some(one) => *one = json!([one.take(), text]),
            None => drop(values.insert(name, text.into())),
        }
    }
    let missing = variables
        .iter()
        .find(|it| it.is_required && !values.contains_key(&it.name));
    if let Some(Variable { name, .. }) = missing {
        return Err(Failure::Usage(format!(
            "{name} is missing; write {name}= and its value"
        )));
    }
    template::expand(template, &values).map_err(Failure::Usage)
}

/// Whether each required argument of this prompt is given. What is not listed is left to the server.
fn has_required(prompts: &[Value], name: &str, given: &Map<String, Value>) -> Result<(), Failure> {
    let mut prompts = prompts.iter();
    let prompt = prompts.find(|prompt| text(prompt, "name") == name);
    let arguments = prompt.and_then(|prompt| prompt["arguments"].as_array());
    let missing = arguments.into_iter().flatten().filter(|argument| {
        argument["required"] == true && !given.contains_key(text(argument, "name"))
    });
    let missing: Vec<_> = missing.map(|argument| text(argument, "name")).collect();
    match missing.as_slice() {
        [] => Ok(()),
        names => Err(Failure::Usage(format!(
            "{name} requires {}; write {}= and its value",
            names.join(", "),
            names[0]
        ))),
    }
}

fn pairs(words: &[String]) -> Result<Vec<(String, String)>, Failure> {
    let pair = |word: &String| match word.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => {
            let message = format!("`{word}` is not an argument; write name=value");
            Err(Failure::Usage(message))
        }
    };
    words.iter().map(pair).collect()
}

fn text<'a>(item: &'a Value, key: &str) -> &'a str {
    item[key].as_str().unwrap_or_default()
}

/// A line of a list: the name for commands, and what it is.
fn line(item: &Value, name: &str, more: &str) -> String {
    let about = ["title", "description", "name"]
        .iter()
        .map(|key| text(item, key));
    let about = about
        .into_iter()
        .find(|about| !about.is_empty() && *about != name);
    let about = about.unwrap_or_default();
    let about = about.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = format!("{name}{more}");
    plain(format!("{name:<NAMES$} {about}").trim_end()).into_owned()
}
