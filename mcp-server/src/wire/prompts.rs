//! `prompts/list` and `prompts/get`: what people ask agents again and again, written with what the caller may see.

use frontdesk_protocol::mcp::{ListParams, Revision};
use frontdesk_protocol::{Role, Roles};
use jiff::civil::Date;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::asked::Asked;
use super::asking::{Asking, End};
use super::completion::{Suggested, source, suggested};
use super::envelope::Envelope;
use super::paging::{Listed, page};
use super::readings::record_of;
use super::refusal::{Refusal, invalid};
use super::reply::kind;
use super::resources::{contents, hints};
use crate::call::{Capability, Message, Prompt, PromptArgument, Request, Takes, content};
use crate::database::{plain, quoted};

/// The maximum length of an argument in characters.
const LONGEST: usize = 200;

/// The keys of the questions for arguments, in order: their values, and which of several records is meant.
const KEYS: [&str; 2] = ["arguments", "choice"];

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct GetParams<'a> {
    name: String,
    #[serde(default)]
    arguments: Map<String, Value>,
    #[serde(borrow, default)]
    input_responses: Option<&'a RawValue>,
    #[serde(default)]
    request_state: Option<String>,
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
    let params: GetParams<'_> = envelope.params()?;
    let caller = asked.who().await?;
    let mut offered = asked.prompts(caller.role).into_iter();
    let Some(prompt) = offered.find(|prompt| prompt.name == params.name) else {
        return Err(invalid(
            "there is no such prompt; prompts/list has those that there are",
        ));
    };
    let mut given = params.arguments;
    is_known(prompt, &given)?;
    let text = Value::from(given.clone()).to_string();
    let state = params.request_state.as_deref();
    let of = ["prompts/get", prompt.name, &text];
    let mut asking = Asking::read(asked, revision, of, params.input_responses, state)?;
    let missing = Missing {
        asked,
        prompt,
        role: caller.role,
        has_titles: revision.has_titled_choices(),
    };
    if let Err(end) = missing.ask(&mut asking, &mut given).await {
        return end.answer(revision);
    }
    let mut values = missing.values(&given).await?;
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

/// The required arguments of a prompt that are missing. A person is asked for them, if the client asks people.
struct Missing<'a> {
    asked: &'a Asked<'a>,
    prompt: &'static Prompt,
    role: Option<Role>,
    /// Whether choices have titles.
    has_titles: bool,
}

impl Missing<'_> {
    /// Adds them to those that are given.
    ///
    /// # Errors
    /// As [`Asking::one`].
    async fn ask(
        &self,
        asking: &mut Asking<'_>,
        given: &mut Map<String, Value>,
    ) -> Result<(), End> {
        let arguments = self.prompt.arguments.iter();
        let is_missing = |argument: &&PromptArgument| {
            argument.default.is_none() && typed(given, argument).is_empty()
        };
        let missing: Vec<_> = arguments.filter(is_missing).collect();
        if missing.is_empty() || !self.asked.client.has(Capability::Elicitation) {
            return Ok(());
        }
        for key in KEYS {
            let mut fields = Map::new();
            for argument in &missing {
                if let Some(field) = self.field(argument, given).await? {
                    fields.insert(argument.name.to_owned(), field);
                }
            }
            if fields.is_empty() {
                break;
            }
            let answer = asking.one(self.asked, key, self.form(&fields)).await?;
            let content = content(&answer).map_err(|error| invalid(error.message))?;
            for name in fields.keys() {
                given.insert(name.clone(), content[name].clone());
            }
        }
        Ok(())
    }

    fn form(&self, fields: &Map<String, Value>) -> Request {
        let names: Vec<_> = fields.keys().collect();
        Request::Form {
            message: format!("{}: {}", self.prompt.name, self.prompt.description),
            schema: json!({ "type": "object", "properties": fields, "required": names }),
        }
    }

    /// The field in which an argument is asked for: a record by name, or a choice between those with that name. `None` if
    /// it is known.
    async fn field(
        &self,
        argument: &PromptArgument,
        given: &mut Map<String, Value>,
    ) -> Result<Option<Value>, Refusal> {
        let name = typed(given, argument).to_owned();
        let is_known = argument.kind().is_none() || is_id(&name);
        if is_known && !name.is_empty() {
            return Ok(None);
        }
        let title = argument.description;
        let text =
            json!({ "type": "string", "title": title, "minLength": 1, "maxLength": LONGEST });
        let Some(kind) = argument.kind() else {
            return Ok(Some(text));
        };
        let host = self.prompt.host;
        let (found, has_more) = suggested(self.asked, self.role, host, kind, &name).await?;
        match found.as_slice() {
            [] if !name.is_empty() => {
                let kind = words(kind);
                Err(invalid(format!(
                    "there is no {kind} {}, or you cannot read it",
                    quoted(&name)
                )))
            }
            [only] if !name.is_empty() => {
                given.insert(argument.name.to_owned(), only.value.as_str().into());
                Ok(None)
            }
            [] => Ok(Some(text)),
            _ if has_more && name.is_empty() => Ok(Some(text)),
            several => Ok(Some(self.choice(title, several))),
        }
    }

    fn choice(&self, title: &str, records: &[Suggested]) -> Value {
        let name = |one: &Suggested| {
            let same = records.iter().filter(|other| other.name == one.name);
            match same.count() {
                1 => plain(&one.name),
                _ => one.value.clone(),
            }
        };
        if !self.has_titles {
            let values: Vec<_> = records.iter().map(|one| &one.value).collect();
            let names: Vec<_> = records.iter().map(name).collect();
            return json!({ "type": "string", "title": title, "enum": values, "enumNames": names });
        }
        let titled = records
            .iter()
            .map(|one| json!({ "const": one.value, "title": name(one) }));
        let titled: Vec<Value> = titled.collect();
        json!({ "type": "string", "title": title, "oneOf": titled })
    }

    /// The values of all arguments, by name.
    async fn values(
        &self,
        given: &Map<String, Value>,
    ) -> Result<Vec<(&'static str, String)>, Refusal> {
        let mut values = Vec::new();
        for argument in self.prompt.arguments {
            let value = match (value(argument, given.get(argument.name))?, argument.kind()) {
                (value, Some(kind)) if !is_id(&value) && argument.default != Some(&*value) => {
                    self.named(argument, kind, &value).await?
                }
                (value, _) => record_of(&value).to_owned(),
            };
            values.push((argument.name, value));
        }
        Ok(values)
    }

    /// Whether the prompt's record has a slug, which identifies it as its id does.
    fn reads_slugs(&self) -> bool {
        let tools = self.prompt.tools.iter();
        let mut tools = tools.filter_map(|tool| self.prompt.host.tool(tool));
        tools.any(|tool| tool.shape.field("slug").is_some())
    }

    /// The id of the only record with this name, or its slug.
    async fn named(
        &self,
        argument: &PromptArgument,
        kind: &str,
        name: &str,
    ) -> Result<String, Refusal> {
        let (asked, role, host) = (self.asked, self.role, self.prompt.host);
        let (found, _) = suggested(asked, role, host, kind, name).await?;
        let wanted = name.to_lowercase();
        let mut same = found.iter().filter(|one| one.name.to_lowercase() == wanted);
        let how_many = match (same.next(), same.next()) {
            (Some(only), None) => return Ok(record_of(&only.value).to_owned()),
            (None, _) if self.reads_slugs() => return Ok(name.to_owned()),
            (None, _) => "no",
            (Some(_), Some(_)) => "more than one",
        };
        let source = source(asked, role, host, kind)
            .map_or(String::new(), |source| format!("from {source} "));
        Err(invalid(format!(
            "the argument {} must be an id {source}or the name of one {}; {how_many} {} that you can see is {}",
            argument.name,
            words(kind),
            words(kind),
            quoted(name)
        )))
    }
}

fn words(kind: &str) -> String {
    kind.replace('_', " ")
}

/// Whether a value is an id, with or without its record's name before it.
fn is_id(value: &str) -> bool {
    record_of(value).parse::<Uuid>().is_ok()
}

/// What is given for an argument; empty if it is no text.
fn typed<'a>(given: &'a Map<String, Value>, argument: &PromptArgument) -> &'a str {
    let text = given.get(argument.name).and_then(Value::as_str);
    text.unwrap_or_default().trim()
}

/// Refuses arguments that the prompt does not have.
fn is_known(prompt: &Prompt, given: &Map<String, Value>) -> Result<(), Refusal> {
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
    Ok(())
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
        (given, _) if argument.takes == Takes::Month && !is_month(given) => Err(invalid(format!(
            "the argument {name} must be a month such as 2026-10, not {}",
            quoted(given)
        ))),
        (given, _) => Ok(given.to_owned()),
    }
}

fn is_month(text: &str) -> bool {
    text.len() == "2026-10".len() && format!("{text}-01").parse::<Date>().is_ok()
}
