//! The search over all hosts: guests and identifiers here, everything else by the lists that can be searched, each with its
//! own rules and indexes.

use std::sync::OnceLock;

use frontdesk_protocol::ops::search::{EVENTS, Hit, Hits, MOST_FOUND, MOST_OF_A_KIND, Search};
use frontdesk_protocol::resource::{Kind, Verb};
use frontdesk_protocol::{ErrorCode, Host, Role, Tool, ToolError};
use serde_json::{Value, json};

use crate::call::{Answer, Call, Charge, Handler, Outcome};
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
        for (host, list, one, sql) in OWN {
            if is_asked(one) {
                is_known = true;
                if is_offered(call, role, host, list) {
                    hits.extend(own(call, host, one, sql, text).await?);
                }
            }
        }
        for list in searchable()
            .iter()
            .filter(|list| is_asked(list.kind.singular))
        {
            is_known = true;
            if is_offered(call, role, list.host, list.tool) {
                hits.extend(list.find(call, text).await?);
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

/// What no list finds by itself: its host, the list whose rights it has, its kind, and a statement that returns id, name and
/// context of those that fit $1, at most $2.
const OWN: [(Host, &str, &str, &str); 2] = [
    (
        Host::Events,
        "list_event_guests",
        "guest",
        "select g.id::text, g.name, e.name from (select id, name from events.events \
           order by abs(extract(epoch from coalesce(start_at, created_at) - now())), id limit $3) e, \
         lateral (select t.id, t.name from events.find_guests(e.id, $1, null, null, $2, 0) f \
           join events.guests t on t.id = f.id) g",
    ),
    (
        Host::Work,
        "list_tasks",
        "task",
        "select t.id::text, t.name, t.identifier from work.tasks t \
         where t.identifier = upper($1) limit $2 + 0 * $3",
    ),
];

async fn own(
    call: &mut Call,
    host: Host,
    kind: &str,
    sql: &str,
    text: &str,
) -> Result<Vec<Hit>, ToolError> {
    let (most, events) = (MOST_OF_A_KIND as i64, EVENTS as i64);
    let rows = call.query(sql, params![text, most, events]).await?;
    let hits = rows.iter().map(|row| Hit {
        host,
        kind: kind.to_owned(),
        id: row.get::<_, &str>(0).to_owned(),
        name: row.get::<_, &str>(1).to_owned(),
        context: row.get::<_, Option<&str>>(2).map(str::to_owned),
    });
    Ok(hits.collect())
}

fn is_offered(call: &Call, role: Option<Role>, host: Host, tool: &str) -> bool {
    let route = call.server.hosts.route(host, tool);
    route.is_some_and(|route| role.is_some_and(|role| route.tool.audience.contains(role)))
}

impl Searchable {
    async fn find(&self, call: &mut Call, text: &str) -> Result<Vec<Hit>, ToolError> {
        let Some(route) = call.server.hosts.route(self.host, self.tool) else {
            return Ok(Vec::new());
        };
        let arguments = json!({ "search": text, "limit": MOST_OF_A_KIND });
        let found = match route.handle(call, &arguments.to_string()).await {
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
