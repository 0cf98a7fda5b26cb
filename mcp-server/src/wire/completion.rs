//! `completion/complete`: records by name, for the variables of templates and the arguments of prompts. They are found by the
//! tools that list them, so a caller finds those that these show.

use std::collections::HashMap;
use std::sync::OnceLock;

use frontdesk_protocol::mcp::{CallMeta, Revision};
use frontdesk_protocol::ops::search::Search;
use frontdesk_protocol::resource::{Kind, Verb};
use frontdesk_protocol::{Host, Role, Tool};
use serde::Deserialize;
use serde_json::{Value, json};

use super::asked::Asked;
use super::envelope::Envelope;
use super::life::attempt;
use super::readings::readable;
use super::refusal::{Refusal, invalid};
use super::reply::kind;
use super::resources::Address;
use crate::call::{Given, Route};

/// The most values that are suggested.
const MOST: usize = 20;
/// The records of a list without a search among which names are looked for.
const PAGE: usize = 100;

#[derive(Deserialize)]
struct Params {
    #[serde(rename = "ref")]
    of: Reference,
    argument: Typed,
}

#[derive(Deserialize)]
#[serde(tag = "type")]
enum Reference {
    #[serde(rename = "ref/resource")]
    Resource { uri: Address },
    #[serde(rename = "ref/prompt")]
    Prompt { name: String },
}

#[derive(Deserialize)]
struct Typed {
    name: String,
    value: String,
}

/// A list of records of a kind that needs no other argument.
#[derive(Clone, Copy)]
struct Lister {
    host: Host,
    tool: &'static str,
    kind: &'static Kind,
}

/// The lists by the kinds that they list: as ids refer to them, and as results call them.
fn listers() -> &'static HashMap<String, Vec<Lister>> {
    static ALL: OnceLock<HashMap<String, Vec<Lister>>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all: HashMap<String, Vec<Lister>> = HashMap::new();
        for host in Host::ALL {
            for kind in host.kinds().filter(|kind| kind.fields.name.is_some()) {
                let mut lists = kind.uses.iter().filter(|one| one.verb == Verb::List);
                let Some(tool) = lists.find_map(|one| host.tool(one.tool)) else {
                    continue;
                };
                if tool.input_schema().get("required").is_some() {
                    continue;
                }
                let (tool, of) = (tool.name, tool.lists());
                let mut names = vec![kind.singular.to_owned()];
                names.extend(of.filter(|of| of != kind.singular));
                for name in names {
                    all.entry(name)
                        .or_default()
                        .push(Lister { host, tool, kind });
                }
            }
        }
        all
    })
}

/// Suggests values for what was typed.
pub(super) async fn complete(
    asked: &Asked<'_>,
    revision: Revision,
    envelope: &Envelope<'_>,
) -> Result<String, Refusal> {
    let Params { of, argument } = envelope.params()?;
    let role = asked.role().await?;
    let (host, wanted) = match &of {
        Reference::Resource { uri } => of_template(asked, role, &uri.0, &argument.name)?,
        Reference::Prompt { name } => of_prompt(asked, role, name, &argument.name)?,
    };
    let (found, has_more) = suggested(asked, role, host, &wanted, &argument.value).await?;
    let values: Vec<_> = found.into_iter().map(|one| one.value).collect();
    let completion = json!({ "values": values, "hasMore": has_more });
    Ok(format!(
        r#"{{{}"completion":{completion}}}"#,
        kind(revision)
    ))
}

/// The kind of record that a variable of a template identifies, and the template's host.
fn of_template(
    asked: &Asked<'_>,
    role: Option<Role>,
    uri: &str,
    name: &str,
) -> Result<(Host, String), Refusal> {
    let mut offered = asked
        .readings(role)
        .into_iter()
        .filter(|found| found.is_template());
    let Some(found) = offered.find(|found| found.uri() == uri) else {
        return Err(invalid(
            "there is no such template; resources/templates/list has those that there are",
        ));
    };
    if found.reading.argument != name {
        return Err(invalid(format!(
            "{uri} has no variable `{name}`; it has {}",
            found.reading.argument
        )));
    }
    let references = found.route.tool.references().into_iter();
    let mut references = references.filter(|(argument, _)| argument == name);
    Ok((
        found.reading.host,
        references.next().map_or(String::new(), |(_, kind)| kind),
    ))
}

/// The kind of record that an argument of a prompt identifies, and the prompt's host.
fn of_prompt(
    asked: &Asked<'_>,
    role: Option<Role>,
    prompt: &str,
    name: &str,
) -> Result<(Host, String), Refusal> {
    let mut offered = asked.prompts(role).into_iter();
    let Some(prompt) = offered.find(|offered| offered.name == prompt) else {
        return Err(invalid(
            "there is no such prompt; prompts/list has those that there are",
        ));
    };
    let mut arguments = prompt.arguments.iter();
    match arguments.find(|argument| argument.name == name) {
        Some(argument) => Ok((prompt.host, argument.kind().unwrap_or_default().to_owned())),
        None => Err(invalid(format!("{} has no argument `{name}`", prompt.name))),
    }
}

/// A record for a value.
pub(super) struct Suggested {
    /// Its name.
    pub(super) name: String,
    /// Its id, after its name in plain letters: `open-day~0190…`.
    pub(super) value: String,
}

impl Suggested {
    fn of(name: &str, id: &str) -> Suggested {
        Suggested {
            name: name.to_owned(),
            value: readable(name, id),
        }
    }
}

/// The tool that lists records of this kind for a caller with this role, that of this host first.
fn lister(
    asked: &Asked<'_>,
    role: Option<Role>,
    host: Host,
    kind: &str,
) -> Option<(Lister, &'static Route)> {
    let listers = listers().get(kind).into_iter().flatten();
    let mut listers: Vec<_> = listers.copied().collect();
    listers.sort_by_key(|lister| lister.host != host);
    let mut listers = listers.into_iter();
    listers.find_map(|one| Some((one, offered(asked, role, one.host, one.tool)?)))
}

/// The tool that lists records of this kind, and its host: "list_events (events)".
pub(super) fn source(
    asked: &Asked<'_>,
    role: Option<Role>,
    host: Host,
    kind: &str,
) -> Option<String> {
    let (found, _) = lister(asked, role, host, kind)?;
    Some(format!("{} ({})", found.tool, found.host))
}

/// The records of this kind that fit what was typed, and whether there are more.
pub(super) async fn suggested(
    asked: &Asked<'_>,
    role: Option<Role>,
    host: Host,
    kind: &str,
    typed: &str,
) -> Result<(Vec<Suggested>, bool), Refusal> {
    // What was suggested before is complete.
    if typed.contains('~') {
        let (name, value) = (typed.to_owned(), typed.to_owned());
        return Ok((vec![Suggested { name, value }], false));
    }
    let name = typed.trim();
    if let Some((lister, route)) = lister(asked, role, host, kind) {
        return lister.find(asked, route, name).await;
    }
    match offered(asked, role, Search::HOST, Search::NAME) {
        Some(route) if kind == "guest" && !name.is_empty() => found(asked, route, kind, name).await,
        _ => Ok((Vec::new(), false)),
    }
}

/// The route of a tool, if the caller is offered it.
fn offered(
    asked: &Asked<'_>,
    role: Option<Role>,
    host: Host,
    tool: &str,
) -> Option<&'static Route> {
    let route = asked.hosts.route(host, tool)?;
    role.is_some_and(|role| route.tool.audience.contains(role))
        .then_some(route)
}

/// A result; that of a refused call is null.
async fn result(
    asked: &Asked<'_>,
    route: &'static Route,
    arguments: Value,
) -> Result<Value, Refusal> {
    let given = Given::of(&route.tool, arguments);
    let made = attempt(asked, route, CallMeta::default(), None, None, &given);
    let (outcome, _) = made.await?;
    Ok(outcome
        .ok()
        .and_then(|found| serde_json::from_str(&found).ok())
        .unwrap_or_default())
}

impl Lister {
    async fn find(
        &self,
        asked: &Asked<'_>,
        route: &'static Route,
        text: &str,
    ) -> Result<(Vec<Suggested>, bool), Refusal> {
        let shape = route.tool.shape;
        let is_searched = shape.field("search").is_some();
        let mut arguments = json!({});
        if shape.field("limit").is_some() {
            arguments["limit"] = if is_searched { MOST } else { PAGE }.into();
        }
        if is_searched && !text.is_empty() {
            arguments["search"] = text.into();
        }
        let found = result(asked, route, arguments).await?;
        let wanted = text.to_lowercase();
        let records = found[self.kind.plural].as_array().into_iter().flatten();
        let named = records.filter_map(|record| {
            let name = record[self.kind.fields.name?].as_str()?;
            let fits = is_searched || name.to_lowercase().contains(&wanted);
            fits.then_some(Suggested::of(name, record["id"].as_str()?))
        });
        let named: Vec<_> = named.collect();
        let has_more = found["has_more"] == true || named.len() > MOST;
        Ok((named.into_iter().take(MOST).collect(), has_more))
    }
}

/// As [`Lister::find`], by the search over all hosts.
async fn found(
    asked: &Asked<'_>,
    route: &'static Route,
    kind: &str,
    text: &str,
) -> Result<(Vec<Suggested>, bool), Refusal> {
    let found = result(asked, route, json!({ "text": text, "kind": kind })).await?;
    let hits = found["hits"].as_array().into_iter().flatten();
    let named =
        hits.filter_map(|hit| Some(Suggested::of(hit["name"].as_str()?, hit["id"].as_str()?)));
    Ok((named.take(MOST).collect(), found["has_more"] == true))
}
