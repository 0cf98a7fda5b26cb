//! `prompts/list` and `prompts/get`: what people ask agents again and again, written with what the caller may see.

use frontdesk_protocol::mcp::{ListParams, Revision};
use frontdesk_protocol::{Role, Roles};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::asked::Asked;
use super::envelope::Envelope;
use super::paging::{Listed, page};
use super::readings::record_of;
use super::refusal::{Refusal, invalid};
use super::reply::kind;
use super::resources::{contents, hints};
use crate::call::{Message, Prompt, PromptArgument};

/// The maximum length of an argument in characters.
const LONGEST: usize = 200;

#[derive(Deserialize)]
struct GetParams {
    name: String,
    #[serde(default)]
    arguments: Map<String, Value>,
}

impl Asked<'_> {
    /// The prompts that a caller with this role is offered: those whose tools are.
    pub(super) fn prompts(&self, role: Option<Role>) -> Vec<&'static Prompt> {
        let is_for = |audience: Roles| role.is_some_and(|role| audience.contains(role));
        let all = self.hosts.offers.prompts.iter();
        let offered = all.filter(|prompt| {
            let mut tools = prompt.tools.iter();
            self.addressed.reads(prompt.host)
                && tools.all(|tool| {
                    let route = self.hosts.route(prompt.host, tool);
                    route.is_some_and(|route| is_for(route.tool.audience))
                })
        });
        offered.collect()
    }
}

/// The prompts that the caller is offered.
pub(super) async fn list(
    asked: &Asked<'_>,
    revision: Revision,
    envelope: &Envelope<'_>,
) -> Result<String, Refusal> {
    let params: ListParams = envelope.params()?;
    let offered = asked.prompts(asked.role().await?);
    let per_page = asked.service.inner.per_page;
    let cursor = params.cursor.as_deref();
    let page = page(
        Listed::Prompts,
        &offered,
        cursor,
        per_page,
        |it| it.name,
        |_| true,
    )?;
    let entries: Vec<Value> = page.entries.iter().map(|prompt| entry(prompt)).collect();
    let hints = hints(revision, false);
    Ok(format!(
        r#"{{{hints}"prompts":{}{}}}"#,
        Value::from(entries),
        page.next
    ))
}

fn entry(prompt: &Prompt) -> Value {
    let arguments = prompt.arguments.iter().map(|argument| {
        json!({
            "name": argument.name, "description": argument.description,
            "required": argument.default.is_none(),
        })
    });
    let arguments: Vec<Value> = arguments.collect();
    json!({ "name": prompt.name, "description": prompt.description, "arguments": arguments })
}

/// A prompt with its arguments filled in.
pub(super) async fn get(
    asked: &Asked<'_>,
    revision: Revision,
    envelope: &Envelope<'_>,
) -> Result<String, Refusal> {
    let params: GetParams = envelope.params()?;
    let caller = asked.who().await?;
    let mut offered = asked.prompts(caller.role).into_iter();
    let Some(prompt) = offered.find(|prompt| prompt.name == params.name) else {
        return Err(invalid(
            "there is no such prompt; prompts/list has those that there are",
        ));
    };
    let mut values = values(prompt, &params.arguments)?;
    let today = caller
        .today
        .map_or(String::new(), |today| today.to_string());
    values.push(("today", today));
    let readings = asked.readings(caller.role);
    let mut messages = Vec::new();
    for message in prompt.messages {
        let content = match message {
            Message::Text(text) => json!({ "type": "text", "text": filled(text, &values) }),
            Message::Shows(uri) => {
                let uri = filled(uri, &values);
                let found = contents(asked, &readings, &uri).await?;
                shown(found.ok_or_else(|| {
                    invalid(format!(
                        "there is no {uri}, or you cannot read it; choose another argument"
                    ))
                })?)
            }
        };
        messages.push(json!({ "role": "user", "content": content }));
    }
    let (kind, messages) = (kind(revision), Value::from(messages));
    let description = Value::from(prompt.description);
    Ok(format!(
        r#"{{{kind}"description":{description},"messages":{messages}}}"#
    ))
}

/// The contents of a resource as a content block.
fn shown(contents: Value) -> Value {
    let is_picture = contents["mimeType"]
        .as_str()
        .is_some_and(|kind| kind.starts_with("image/"));
    match contents.get("blob").filter(|_| is_picture) {
        Some(data) => json!({ "type": "image", "data": data, "mimeType": contents["mimeType"] }),
        None => json!({ "type": "resource", "resource": contents }),
    }
}

/// The text with the values in place of their names.
fn filled(text: &str, values: &[(&'static str, String)]) -> String {
    let fill =
        |text: String, (name, value): &(&str, String)| text.replace(&format!("{{{name}}}"), value);
    values.iter().fold(text.to_owned(), fill)
}

/// The values of all arguments, by name.
fn values(
    prompt: &Prompt,
    given: &Map<String, Value>,
) -> Result<Vec<(&'static str, String)>, Refusal> {
    let is_known = |name: &String| {
        prompt
            .arguments
            .iter()
            .any(|argument| argument.name == name)
    };
    if let Some(unknown) = given.keys().find(|name| !is_known(name)) {
        let known: Vec<_> = prompt
            .arguments
            .iter()
            .map(|argument| argument.name)
            .collect();
        let message = format!(
            "{} has no argument `{unknown}`; it has {}",
            prompt.name,
            match known.is_empty() {
                true => "none".to_owned(),
                false => known.join(", "),
            }
        );
        return Err(invalid(message));
    }
    let value = |argument: &'static PromptArgument| {
        let value = value(argument, given.get(argument.name))?;
        Ok((argument.name, value))
    };
    prompt.arguments.iter().map(value).collect()
}

fn value(argument: &PromptArgument, given: Option<&Value>) -> Result<String, Refusal> {
    let name = argument.name;
    let given = match given {
        None | Some(Value::Null) => "",
        Some(Value::String(text)) => text.trim(),
        Some(_) => return Err(invalid(format!("the argument {name} must be a text"))),
    };
    if given.chars().count() > LONGEST {
        return Err(invalid(format!(
            "the argument {name} has at most {LONGEST} characters"
        )));
    }
    match (given, argument.default) {
        ("", Some(default)) => Ok(default.to_owned()),
        ("", None) => Err(invalid(format!("the argument {name} is required"))),
        (given, _) if argument.kind.is_empty() => Ok(given.to_owned()),
        (given, _) => Ok(record_of(given).to_owned()),
    }
}
