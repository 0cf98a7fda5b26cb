//! Links of results: a record that is also a text or a picture is read there without the JSON around it.

use std::borrow::Cow;
use std::collections::HashMap;

use frontdesk_protocol::resource::{Kind, Verb};
use frontdesk_protocol::{Declaration, Host, Role};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::call::{Effect, Form, Hosts, Reading, Route};

/// The link of what a tool returns.
#[derive(Debug)]
struct Link {
    host: Host,
    tool: &'static str,
    kind: &'static Kind,
    /// The address before and after the id.
    around: (String, String),
    mime_type: &'static str,
    /// The tool that reads it.
    read_by: &'static str,
}

/// The links of all tools.
#[derive(Debug)]
pub(super) struct Links(Vec<Link>);

impl Links {
    /// Those that follow from the declarations: of the tools that return one record of a kind which is read as a text or a
    /// picture, but for the one that reads it.
    pub(super) fn of(readings: &[Reading]) -> Links {
        Links(readings.iter().flat_map(links).collect())
    }

    /// The link of a result, as a content block.
    pub(super) fn of_result(
        &self,
        hosts: &Hosts,
        route: &Route,
        result: &str,
        effect: &Effect,
    ) -> Option<Value> {
        let tool = &route.tool;
        let mut links = self.0.iter();
        let link = links.find(|link| link.host == tool.host && link.tool == tool.name);
        // What a preview adds is not there.
        let link = link.filter(|link| {
            effect.changes.is_none() && hosts.route(link.host, link.read_by).is_some()
        });
        link.and_then(|link| link.to_record(result))
    }
}

impl Link {
    fn to_record(&self, result: &str) -> Option<Value> {
        let fields: HashMap<&str, &RawValue> = serde_json::from_str(result).ok()?;
        let record: Record<'_> =
            serde_json::from_str(fields.get(self.kind.singular)?.get()).ok()?;
        let word = |field: &str| {
            let value = record.0.get(field)?.get();
            serde_json::from_str::<Cow<'_, str>>(value).ok()
        };
        let id = word("id").filter(|_| !fields.contains_key("dry_run"))?;
        let name = self.kind.fields.name.and_then(word);
        let name = name.unwrap_or_else(|| self.kind.singular.replace('_', " ").into());
        let (before, after) = &self.around;
        Some(json!({
            "type": "resource_link", "uri": format!("{before}{id}{after}"), "name": name,
            "mimeType": self.mime_type,
        }))
    }
}

/// The fields of a record, unread.
#[derive(Deserialize)]
struct Record<'a>(#[serde(borrow)] HashMap<&'a str, &'a RawValue>);

fn links(reading: &Reading) -> Vec<Link> {
    let Some((before, rest)) = reading.uri.split_once('{') else {
        return Vec::new();
    };
    let after = rest.split_once('}').map_or("", |(_, after)| after);
    let kind = before.trim_end_matches('/').rsplit('/').next();
    let kind = reading.host.kinds().find(|one| {
        Some(one.singular) == kind && !matches!(reading.form, Form::Record | Form::Csv(_))
    });
    let reader = reading.host.tool(reading.tool);
    let (Some(kind), Some(reader)) = (kind, reader) else {
        return Vec::new();
    };
    let returns = |verb| matches!(verb, Verb::Get | Verb::Create | Verb::Change | Verb::Set);
    let tools = kind.uses.iter().filter(|one| returns(one.verb));
    let tools = tools.filter_map(|one| reading.host.tool(one.tool));
    let link = |tool: &Declaration| Link {
        host: reading.host,
        tool: tool.name,
        kind,
        around: (before.to_owned(), after.to_owned()),
        mime_type: reading.form.mime_type(),
        read_by: reading.tool,
    };
    tools
        .filter(|tool| tool.name != reader.name && tool.structured && is_for_all_of(reader, tool))
        .map(link)
        .collect()
}

/// Whether all who are offered one tool are offered another.
fn is_for_all_of(offered: &Declaration, tool: &Declaration) -> bool {
    let mut roles = Role::ALL.into_iter();
    roles.all(|role| offered.audience.contains(role) || !tool.audience.contains(role))
}
