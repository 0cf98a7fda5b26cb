//! The search over all hosts: guests and events here, everything else by the lists that can be searched, each with its own
//! rules.

use std::sync::OnceLock;

use frontdesk_protocol::ops::search::{Hit, Hits, MOST_FOUND, MOST_OF_A_KIND, Search};
use frontdesk_protocol::resource::{Kind, Verb};
use frontdesk_protocol::{ErrorCode, Host, Role, Tool, ToolError};
use serde_json::{Value, json};

use crate::call::{Answer, Call, Charge, Given, Handler, Outcome, Route};
use crate::database::params;
use crate::hosts::routes;

/// Fields that tell records of one name apart.
const CONTEXTS: [&str; 6] = [
    "identifier",
    "number",
    "email",
    "personal_email",
    "corporate_email",
    "slug",
];

/// A list that can be searched without another argument.
struct Searchable {
    host: Host,
    tool: &'static str,
    kind: &'static Kind,
}

/// All of them.
fn searchable() -> &'static [Searchable] {
    static ALL: OnceLock<Vec<Searchable>> = OnceLock::new();
    ALL.get_or_init(|| {
        let kinds = Host::ALL
            .into_iter()
            .flat_map(|host| host.kinds().map(move |kind| (host, kind)));
        let lists = kinds.filter_map(|(host, kind)| {
            let list = kind.uses.iter().find(|one| one.verb == Verb::List)?;
            let input = host.tool(list.tool)?.input_schema();
            let is_searched =
                input["properties"].get("search").is_some() && kind.fields.name.is_some();
            (is_searched && input.get("required").is_none()).then_some(Searchable {
                host,
                tool: list.tool,
                kind,
            })
        });
        lists.collect()
    })
}

impl Handler for Search {
    const CHARGE: Option<fn(&Self) -> Charge> = Some(|search| {
        let is_of_all = search.kind.is_none();
        (Search::HOST, if is_of_all { 9 } else { 0 })
    });

    async fn handle(self, call: &mut Call) -> Outcome<Hits> {
        // Others are served between the statements.
        call.only_reads();
        let kind = self.kind.as_ref().map(|kind| kind.as_str());
        let is_asked = |one: &str| kind.is_none_or(|kind| kind == one);
        let role = call.role_at(Search::HOST).await?;
        let text = self.text.as_str().trim();
        let mut hits = Vec::new();
        let mut is_known = false;
        for (list, one, events, sql) in NEAR {
            if is_asked(one) {
                is_known = true;
                if offered(call, role, Host::Events, list).is_some() {
                    hits.extend(near(call, one, events, sql, text).await?);
                }
            }
        }
        let lists = searchable().iter().filter(|list| match kind {
            Some(kind) => kind == list.kind.singular,
            None => INDEXED.contains(&(list.host, list.tool)),
        });
        for list in lists {
            is_known = true;
            if let Some(route) = offered(call, role, list.host, list.tool) {
                hits.extend(list.find(call, route, text).await?);
            }
        }
        if !is_known {
            let kinds = searchable().iter().map(|list| list.kind.singular);
            let kinds: Vec<_> = kinds.chain(["guest"]).collect();
            let message = format!(
                "is not a kind that is searched; those are {}",
                kinds.join(", ")
            );
            return Err(ToolError::invalid("kind", message));
        }
        let wanted = text.to_lowercase();
        hits.sort_by_key(|hit: &Hit| {
            let name = hit.name.to_lowercase();
            let is_equal = name == wanted
                || hit
                    .context
                    .as_ref()
                    .is_some_and(|context| context.to_lowercase() == wanted);
            (!is_equal, !name.starts_with(&wanted))
        });
        let mut seen = std::collections::HashSet::new();
        hits.retain(|hit| seen.insert(hit.id.clone()));
        let has_more = hits.len() > MOST_FOUND;
        hits.truncate(MOST_FOUND);
        Answer::of(&Hits { hits, has_more })
    }
}

/// What is found among the events next to now, of the past and of the future: the list whose rights it has, its kind, the number
/// of events in each direction, and a statement that returns id, name and context of those that fit $1, at most $2.
const NEAR: [(&str, &str, i64, &str); 2] = [
    (
        "list_event_guests",
        "guest",
        // An index finds the guests of one event, so each costs a search.
        2,
        "select g.id::text, g.name, e.name from near e, \
         lateral (select t.id, t.name from events.find_guests(e.id, $1, null, null, $2, 0) f \
           join events.guests t on t.id = f.id) g",
    ),
    (
        "list_events",
        "event",
        100,
        "select e.id::text, e.name, null from near e \
         where e.name_key like (select app.search_pattern($1)) limit $2",
    ),
];

/// The events of [`NEAR`].
const EVENTS_NEAR: &str = "with near as materialized ( \
       (select id, name, name_key from events.events where start_at >= now() \
         order by start_at nulls first, id desc limit $3) union all \
       (select id, name, name_key from events.events where start_at < now() \
         order by start_at desc nulls last, id limit $3)) ";

/// The lists that are searched for any kind: those with a finder, whose index finds what fits, however many records there are.
const INDEXED: [(Host, &str); 9] = [
    (Host::Learn, "list_members"),
    (Host::Work, "list_tasks"),
    (Host::Work, "list_projects"),
    (Host::Work, "list_epics"),
    (Host::Work, "list_deliveries"),
    (Host::Learn, "list_wiki_articles"),
    (Host::Staff, "list_invoices"),
    (Host::Campaigns, "list_posts"),
    (Host::Engineering, "list_spec_runs"),
];

async fn near(
    call: &mut Call,
    kind: &str,
    events: i64,
    sql: &str,
    text: &str,
) -> Result<Vec<Hit>, ToolError> {
    let most = MOST_OF_A_KIND as i64;
    let sql = [EVENTS_NEAR, sql].concat();
    let rows = call.query(&sql, params![text, most, events]).await?;
    let hits = rows.iter().map(|row| Hit {
        host: Host::Events,
        kind: kind.to_owned(),
        id: row.get::<_, &str>(0).to_owned(),
        name: row.get::<_, &str>(1).to_owned(),
        context: row.get::<_, Option<&str>>(2).map(str::to_owned),
    });
    Ok(hits.collect())
}

/// The route of a tool, if the caller is offered it.
fn offered(call: &Call, role: Option<Role>, host: Host, tool: &str) -> Option<&'static Route> {
    let route = call.server.hosts.route(host, tool)?;
    role.is_some_and(|role| route.tool.audience.contains(role))
        .then_some(route)
}

impl Searchable {
    async fn find(
        &self,
        call: &mut Call,
        route: &Route,
        text: &str,
    ) -> Result<Vec<Hit>, ToolError> {
        let arguments = json!({ "search": text, "limit": MOST_OF_A_KIND });
        let given = Given::of(&route.tool, arguments);
        let found = match call.include(route, &given).await {
            Ok(found) => found,
            Err(error) if error.code == ErrorCode::Forbidden => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let found: Value = serde_json::from_str(&found).unwrap_or_default();
        let records = found[self.kind.plural].as_array().into_iter().flatten();
        let name = self.kind.fields.name.unwrap_or_default();
        let hits = records.filter_map(|record| {
            let context = CONTEXTS.iter().find_map(|field| match &record[field] {
                Value::String(text) => Some(text.clone()),
                Value::Number(number) => Some(number.to_string()),
                _ => None,
            });
            Some(Hit {
                host: self.host,
                kind: self.kind.singular.to_owned(),
                id: record["id"].as_str()?.to_owned(),
                name: record[name].as_str()?.to_owned(),
                context,
            })
        });
        Ok(hits.collect())
    }
}

routes![Search => own];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_list_with_an_index_can_be_searched() {
        for (host, tool) in INDEXED {
            let mut lists = searchable().iter();
            assert!(
                lists.any(|list| (list.host, list.tool) == (host, tool)),
                "{tool}"
            );
        }
    }
}
