//! Which tool reads which resource. Every record with a tool that gets it is one, as `frontdesk://AREA/KIND/ID`, and every
//! list of what belongs to a record, as `…/ID/LIST.csv`.

use std::sync::OnceLock;

use frontdesk_protocol::resource::{Kind, Verb};
use frontdesk_protocol::{Declaration, Host, Role};
use percent_encoding::percent_decode_str;
use serde_json::Value;

use super::address::Addressed;
use crate::call::{Form, Hosts, Reading, Route};

/// The maximum length of a name before an id, in characters.
const LONGEST_NAME: usize = 60;

/// The resources of all hosts, derived when first requested.
#[derive(Debug, Default)]
pub(super) struct Readings(OnceLock<Vec<Reading>>);

/// A resource that was found by its address.
#[derive(Clone, Copy)]
pub(super) struct Found<'a> {
    pub(super) reading: &'a Reading,
    pub(super) route: &'static Route,
}

impl Readings {
    fn all(&self, hosts: &Hosts) -> &[Reading] {
        self.0.get_or_init(|| {
            let declared = hosts.offers.readings.iter().cloned();
            let derived = Host::ALL.into_iter().flat_map(of_host);
            declared.chain(derived).collect()
        })
    }

    /// Those of an address that a caller with this role is offered.
    pub(super) fn offered(
        &self,
        hosts: &Hosts,
        addressed: Addressed,
        role: Option<Role>,
    ) -> Vec<Found<'_>> {
        let all = self.all(hosts).iter();
        let here = all.filter(|reading| addressed.reads(reading.host));
        let offered = here.filter_map(|reading| {
            let route = hosts.route(reading.host, reading.tool)?;
            let is_offered = role.is_some_and(|role| route.tool.audience.contains(role));
            is_offered.then_some(Found { reading, route })
        });
        offered.collect()
    }
}

/// The resource at this address, and the value of its variable.
pub(super) fn find<'a>(offered: &[Found<'a>], uri: &str) -> Option<(Found<'a>, String)> {
    offered
        .iter()
        .find_map(|found| Some((*found, value(&found.reading.uri, uri)?)))
}

/// The value of a template's only variable in an address; empty without a variable. What stands before its last `~` only
/// makes it readable.
fn value(template: &str, uri: &str) -> Option<String> {
    let Some((before, rest)) = template.split_once('{') else {
        return (template == uri).then(String::new);
    };
    let (_, after) = rest.split_once('}')?;
    let value = uri.strip_prefix(before)?.strip_suffix(after)?;
    let is_whole = !value.is_empty() && !value.contains(['/', '.', '?', '#']);
    let value = percent_decode_str(value)
        .decode_utf8()
        .ok()
        .filter(|_| is_whole)?;
    Some(record_of(&value).to_owned())
}

/// The id or slug in a value that [`readable`] made, or that is one.
pub(super) fn record_of(value: &str) -> &str {
    value.rsplit('~').next().unwrap_or(value)
}

/// An id with its record's name before it, for people who choose one: `open-day~0190…`.
pub(super) fn readable(name: &str, id: &str) -> String {
    let plain = name.to_lowercase();
    let words = plain
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let name: String = words
        .collect::<Vec<_>>()
        .join("-")
        .chars()
        .take(LONGEST_NAME)
        .collect();
    match name.is_empty() {
        true => id.to_owned(),
        false => format!("{name}~{id}"),
    }
}

impl Found<'_> {
    /// The arguments of its tool. A record that has a slug is found by that, too.
    pub(super) fn arguments(&self, value: &str) -> Value {
        let argument = &*self.reading.argument;
        let is_slug = argument == "id"
            && self.route.tool.shape.field("slug").is_some()
            && value.parse::<uuid::Uuid>().is_err();
        let mut arguments = serde_json::Map::new();
        if !argument.is_empty() {
            let argument = if is_slug { "slug" } else { argument };
            arguments.insert(argument.to_owned(), value.into());
        }
        arguments.into()
    }

    /// Its address, or its template.
    pub(super) fn uri(&self) -> &str {
        &self.reading.uri
    }

    /// Whether it is a template of resources.
    pub(super) fn is_template(&self) -> bool {
        !self.reading.argument.is_empty()
    }
}

/// The resources that the declarations of a host's records are.
fn of_host(host: Host) -> impl Iterator<Item = Reading> {
    let records = host.kinds().filter_map(move |kind| record(host, kind));
    records.chain(host.kinds().filter_map(move |kind| list(host, kind)))
}

/// A record.
fn record(host: Host, kind: &'static Kind) -> Option<Reading> {
    let get = kind.uses.iter().find(|one| one.verb == Verb::Get)?;
    let tool = host.tool(get.tool).filter(|tool| tool.structured)?;
    let is_enough = required(tool).iter().all(|name| name == get.id);
    is_enough.then(|| Reading {
        host,
        uri: format!("frontdesk://{host}/{}/{{{}}}", kind.singular, get.id).into(),
        name: kind.singular.replace('_', " ").into(),
        tool: tool.name,
        argument: get.id.into(),
        form: Form::Record,
    })
}

/// The list of what belongs to a record.
fn list(host: Host, kind: &'static Kind) -> Option<Reading> {
    let list = kind.uses.iter().find(|one| one.verb == Verb::List)?;
    let tool = host.tool(list.tool)?;
    let [parent] = <[String; 1]>::try_from(required(tool)).ok()?;
    let references = tool.references();
    let (_, of) = references.iter().find(|(name, _)| *name == parent)?;
    let plural = kind.plural;
    Some(Reading {
        host,
        uri: format!("frontdesk://{host}/{of}/{{{parent}}}/{plural}.csv").into(),
        name: format!("{} of a {}", plural.replace('_', " "), of.replace('_', " ")).into(),
        tool: tool.name,
        argument: parent.into(),
        form: Form::Csv(plural),
    })
}

/// The arguments that a tool requires.
fn required(tool: &Declaration) -> Vec<String> {
    let schema = tool.input_schema();
    let required = schema["required"].as_array().into_iter().flatten();
    required
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_the_value_of_the_variable() {
        let of = |template, uri| value(template, uri);
        let record = "frontdesk://events/event/{id}";
        let list = "frontdesk://events/event/{event_id}/guests.csv";
        assert_eq!(
            of(record, "frontdesk://events/event/7").as_deref(),
            Some("7")
        );
        assert_eq!(
            of(record, "frontdesk://events/event/Caf%C3%A9~7").as_deref(),
            Some("7")
        );
        assert_eq!(of(record, "frontdesk://events/event/7/guests.csv"), None);
        assert_eq!(of(record, "frontdesk://events/event/7.md"), None);
        assert_eq!(of(record, "frontdesk://events/event/"), None);
        assert_eq!(
            of(list, "frontdesk://events/event/7/guests.csv").as_deref(),
            Some("7")
        );
        assert_eq!(of("frontdesk://x", "frontdesk://x").as_deref(), Some(""));
    }
}
