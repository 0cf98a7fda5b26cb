//! `resources/list`, `resources/templates/list` and `resources/read`: what tools return, as documents. Each is read by a call
//! of its tool, so it shows a caller what the tool does.

use std::collections::HashSet;

use axum::http::StatusCode;
use frontdesk_protocol::calls::Called;
use frontdesk_protocol::mcp::{CallMeta, ListParams, Revision};
use frontdesk_protocol::ops::context::Caller;
use frontdesk_protocol::rpc::{self, code};
use frontdesk_protocol::{ErrorCode, Host, Role, Roles, ToolError};
use serde::Deserialize;
use serde_json::{Value, json};

use super::asked::Asked;
use super::envelope::Envelope;
use super::life::attempt;
use super::limit::Kind;
use super::listing::CACHED;
use super::paging::{Listed, page};
use super::readings::{Found, find};
use super::refusal::Refusal;
use super::render;
use super::through::Through;
use crate::call::{Entries, Form, Given, Route};

/// The most records of a list that are read as a table.
const MOST_ROWS: usize = 5_000;
/// The records of a page of it.
const PAGE: usize = 100;
/// Records are read again each time.
const FRESH: &str = r#""resultType":"complete","ttlMs":0,"cacheScope":"private","#;

/// The maximum size of the address of a resource in bytes.
const ADDRESS_BYTES: usize = 4096;

/// The address of a resource, as a request has it.
#[derive(Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Address(pub(super) String);

impl TryFrom<String> for Address {
    type Error = String;

    fn try_from(address: String) -> Result<Address, String> {
        match address.len() <= ADDRESS_BYTES {
            true => Ok(Address(address)),
            false => Err(format!("an address has at most {ADDRESS_BYTES} bytes")),
        }
    }
}

#[derive(Deserialize)]
struct ReadParams {
    uri: Address,
}

/// The beginning of a result that can be cached in the session-less revision, or must not be.
pub(super) fn hints(revision: Revision, is_fresh: bool) -> String {
    match (revision, is_fresh) {
        (Revision::Session(_), _) => String::new(),
        (Revision::Sessionless, true) => FRESH.to_owned(),
        (Revision::Sessionless, false) => format!("{CACHED},"),
    }
}

/// The templates that the caller can use.
pub(super) async fn templates(
    asked: &Asked<'_>,
    revision: Revision,
    envelope: &Envelope<'_>,
) -> Result<String, Refusal> {
    let params: ListParams = envelope.params()?;
    let offered = asked.readings(asked.role().await?);
    let cursor = params.cursor.as_deref();
    let (listed, per_page) = (Listed::Templates, asked.service.inner.per_page);
    let page = page(
        listed,
        &offered,
        cursor,
        per_page,
        Found::uri,
        Found::is_template,
    )?;
    let entries = page.entries.iter().map(|found| {
        let Found { reading, route } = found;
        json!({
            "uriTemplate": reading.uri, "name": reading.name, "mimeType": reading.form.mime_type(),
            "description": route.tool.description(),
        })
    });
    let entries: Vec<Value> = entries.collect();
    let hints = hints(revision, false);
    Ok(format!(
        r#"{{{hints}"resourceTemplates":{}{}}}"#,
        Value::from(entries),
        page.next
    ))
}

/// An entry of the list of resources.
struct Entry {
    uri: String,
    json: Value,
}

/// Some resources that the caller is likely to want; all others are found by their templates.
pub(super) async fn list(
    asked: &Asked<'_>,
    revision: Revision,
    envelope: &Envelope<'_>,
) -> Result<String, Refusal> {
    let params: ListParams = envelope.params()?;
    let caller = asked.who().await?;
    let offered = asked.readings(caller.role);
    let fixed = offered.iter().filter(|found| !found.is_template());
    let mut entries: Vec<Entry> = fixed
        .map(|found| entry(found, &found.reading.uri, &found.reading.name, None))
        .collect();
    for source in asked.hosts.offers.entries {
        if asked.addressed.reads(source.host) {
            listed(asked, source, &caller, &offered, &mut entries).await?;
        }
    }
    let (listed, per_page) = (Listed::Resources, asked.service.inner.per_page);
    let cursor = params.cursor.as_deref();
    let page = page(
        listed,
        &entries,
        cursor,
        per_page,
        |entry| &entry.uri,
        |_| true,
    )?;
    let entries: Vec<_> = page
        .entries
        .iter()
        .map(|entry| entry.json.clone())
        .collect();
    let hints = hints(revision, true);
    Ok(format!(
        r#"{{{hints}"resources":{}{}}}"#,
        Value::from(entries),
        page.next
    ))
}

fn entry(found: &Found<'_>, uri: &str, name: &str, changed: Option<&str>) -> Entry {
    let mut json = json!({
        "uri": uri, "name": name, "mimeType": found.reading.form.mime_type(),
        "description": found.route.tool.description(),
    });
    if let Some(changed) = changed {
        json["annotations"] = json!({ "lastModified": changed });
    }
    Entry {
        uri: uri.to_owned(),
        json,
    }
}

/// Adds the records that a list returns for the caller, if the caller is offered both.
async fn listed(
    asked: &Asked<'_>,
    source: &Entries,
    caller: &Caller,
    offered: &[Found<'_>],
    entries: &mut Vec<Entry>,
) -> Result<(), Refusal> {
    let route = asked.hosts.route(source.listed_by, source.tool);
    let Some(route) = route.filter(|route| is_for(route.tool.audience, caller.role)) else {
        return Ok(());
    };
    let today = caller
        .today
        .map_or(String::new(), |today| today.to_string());
    let given = Given::read(&route.tool, source.arguments.replace("{today}", &today)).await;
    let made = attempt(asked, route, CallMeta::default(), None, None, &given);
    let (outcome, _) = made.await?;
    // The caller's lists fail by themselves, too, and say why.
    let found: Value = outcome
        .ok()
        .and_then(|found| serde_json::from_str(&found).ok())
        .unwrap_or_default();
    let account = caller.account_id.to_string();
    let is_own = |record: &&Value| source.own.is_empty() || record[source.own] == *account;
    for record in found[source.list]
        .as_array()
        .into_iter()
        .flatten()
        .filter(is_own)
    {
        let (Some(id), Some(name)) = (record["id"].as_str(), record[source.name].as_str()) else {
            continue;
        };
        for (before, after) in source.uris {
            let uri = format!("{before}{id}{after}");
            if let Some((found, _)) = find(offered, &uri) {
                entries.push(entry(&found, &uri, name, record["updated_at"].as_str()));
            }
        }
    }
    Ok(())
}

fn is_for(audience: Roles, role: Option<Role>) -> bool {
    role.is_some_and(|role| audience.contains(role))
}

/// Reads a resource.
pub(super) async fn read(
    asked: &Asked<'_>,
    revision: Revision,
    envelope: &Envelope<'_>,
) -> Result<String, Refusal> {
    let ReadParams { uri: Address(uri) } = envelope.params()?;
    let offered = asked.readings(asked.role().await?);
    let contents = contents(asked, &offered, &uri).await?;
    let contents = contents.ok_or_else(|| not_found(revision, &uri))?;
    let hints = hints(revision, true);
    Ok(format!(r#"{{{hints}"contents":[{contents}]}}"#))
}

/// The answer for a resource that does not exist or that the caller cannot read. Only its code depends on the revision.
pub(super) fn not_found(revision: Revision, uri: &str) -> Refusal {
    let code = match revision {
        Revision::Session(_) => code::RESOURCE_NOT_FOUND,
        Revision::Sessionless => code::INVALID_PARAMS,
    };
    let message = "there is no such resource, or you cannot read it";
    let error = ToolError::new(ErrorCode::NotFound, message)
        .hint("resources/templates/list has the addresses");
    let mut error = rpc::Error {
        code,
        ..rpc::Error::refusal(&error)
    };
    if let Some(Value::Object(data)) = &mut error.data {
        data.insert("uri".to_owned(), uri.into());
    }
    error.into()
}

/// The contents of a resource as JSON; `None` if it does not exist or the caller cannot read it.
pub(super) async fn contents(
    asked: &Asked<'_>,
    offered: &[Found<'_>],
    uri: &str,
) -> Result<Option<Value>, Refusal> {
    if let Some(called) = Called::read(uri) {
        let result = called_result(asked, called).await?;
        let text = result.map(|(text, _)| text);
        return Ok(text.map(
            |text| json!({ "uri": uri, "mimeType": Form::Record.mime_type(), "text": text }),
        ));
    }
    let Some((found, value)) = find(offered, uri) else {
        return Ok(None);
    };
    charge(asked, found.reading.host).await?;
    let mime_type = found.reading.form.mime_type();
    let text = match found.reading.form {
        Form::Csv(list) => table(asked, offered, &found, &value, list).await?,
        Form::Record => {
            let result = call(asked, &found, found.arguments(&value)).await?;
            result.filter(|result| !is_nothing(result))
        }
        Form::Text(text) => {
            let result = call(asked, &found, found.arguments(&value)).await?;
            result.and_then(|result| render::text(text, &serde_json::from_str(&result).ok()?))
        }
        Form::Block(_) => {
            let result = call(asked, &found, found.arguments(&value)).await?;
            return Ok(result.and_then(|result| block(uri, mime_type, &result)));
        }
    };
    Ok(text.map(|text| json!({ "uri": uri, "mimeType": mime_type, "text": text })))
}

/// Counts a read at a host against its limit. The request has been counted at its own host.
async fn charge(asked: &Asked<'_>, host: Host) -> Result<(), Refusal> {
    if host != asked.addressed.host {
        let limit = &asked.service.inner.limit;
        limit.check(asked.caller.user, host, Kind::Call).await?;
    }
    Ok(())
}

/// The result of a call that reads, and from where a reader of changes goes on. `None` if it is not one of this address,
/// or refused.
pub(super) async fn called_result(
    asked: &Asked<'_>,
    called: Called,
) -> Result<Option<(String, Option<String>)>, Refusal> {
    let route = asked.hosts.route(called.host, &called.tool);
    let is_read = |route: &&Route| {
        let tool = &route.tool;
        asked.addressed.reads(tool.host)
            && tool.effect.read_only
            && tool.structured
            && Through::of(tool).is_none()
    };
    let Some(route) = route.filter(is_read) else {
        return Ok(None);
    };
    charge(asked, called.host).await?;
    let given = Given::read(&route.tool, called.arguments.as_str()).await;
    answer(asked, route, called.meta, &given).await
}

/// Whether a result has null instead of a record.
fn is_nothing(result: &str) -> bool {
    let result: Value = serde_json::from_str(result).unwrap_or_default();
    let mut values = result
        .as_object()
        .into_iter()
        .flat_map(|result| result.values());
    values.next().is_none_or(Value::is_null)
}

/// The first content block of a result as the content of a resource.
fn block(uri: &str, mime_type: &str, result: &str) -> Option<Value> {
    let blocks: Value = serde_json::from_str(result).ok()?;
    let block = blocks.get(0)?;
    let (field, content) = match block.get("data") {
        Some(data) => ("blob", data),
        None => ("text", block.get("text")?),
    };
    let mime_type = block["mimeType"].as_str().unwrap_or(mime_type);
    Some(json!({ "uri": uri, "mimeType": mime_type, field: content }))
}

/// Calls the tool of a resource. `None` if it says that the record is not there, or not for this caller.
async fn call(
    asked: &Asked<'_>,
    found: &Found<'_>,
    arguments: Value,
) -> Result<Option<String>, Refusal> {
    let given = Given::of(&found.route.tool, arguments);
    let answer = answer(asked, found.route, CallMeta::default(), &given);
    Ok(answer.await?.map(|(result, _)| result))
}

/// The result of a call, and from where a reader goes on. `None` if it says that the record is not there, or not for this
/// caller.
async fn answer(
    asked: &Asked<'_>,
    route: &'static Route,
    meta: CallMeta,
    given: &Given<'_>,
) -> Result<Option<(String, Option<String>)>, Refusal> {
    let (outcome, effect) = attempt(asked, route, meta, None, None, given).await?;
    match outcome {
        Ok(result) => Ok(Some((result, effect.next))),
        Err(error) => match error.code {
            ErrorCode::NotFound | ErrorCode::InvalidArgument | ErrorCode::Forbidden => Ok(None),
            ErrorCode::Refused | ErrorCode::Conflict => {
                Err(Refusal::with_status(StatusCode::OK, error))
            }
            _ => Err(Refusal::new(&error)),
        },
    }
}

/// All records of a list as a table. `None` if they are those of a record that is not there.
async fn table(
    asked: &Asked<'_>,
    offered: &[Found<'_>],
    found: &Found<'_>,
    value: &str,
    list: &str,
) -> Result<Option<String>, Refusal> {
    let (mut rows, mut seen) = (Vec::new(), HashSet::new());
    for offset in (0..).step_by(PAGE) {
        let mut arguments = found.arguments(value);
        if found.route.tool.shape.field("offset").is_some() {
            arguments["limit"] = PAGE.into();
            arguments["offset"] = offset.into();
        }
        let Some(page) = call(asked, found, arguments).await? else {
            return Ok(None);
        };
        let mut page: Value = serde_json::from_str(&page).unwrap_or_default();
        let records = page[list]
            .as_array_mut()
            .map(std::mem::take)
            .unwrap_or_default();
        // Between two pages a record can have moved to the next one.
        rows.extend(records.into_iter().filter(|record| {
            record["id"]
                .as_str()
                .is_none_or(|id| seen.insert(id.to_owned()))
        }));
        if page["has_more"] != true {
            break;
        }
        if rows.len() >= MOST_ROWS {
            return Err(too_long(found));
        }
        let counted = (asked.caller.user, found.reading.host, Kind::Call);
        asked.service.inner.limit.charge(counted, 1);
    }
    if rows.is_empty() && !has_owner(asked, offered, &found.reading.uri, value).await? {
        return Ok(None);
    }
    let returned = found.route.tool.returns();
    let record = returned.iter().find(|one| one.key == list);
    let columns = record.and_then(|one| one.schema["properties"].as_object());
    let columns: Vec<_> = columns
        .into_iter()
        .flat_map(|fields| fields.keys().cloned())
        .collect();
    Ok(Some(render::csv(&columns, rows.iter())))
}

fn too_long(found: &Found<'_>) -> Refusal {
    let message = format!("the list has more than {MOST_ROWS} records");
    let error = ToolError::new(ErrorCode::Refused, message);
    let hint = format!("read it in pages, with the tool {}", found.reading.tool);
    Refusal::with_status(StatusCode::OK, error.hint(hint))
}

/// Whether the caller sees the record to which an empty list belongs, as far as a tool gets it.
async fn has_owner(
    asked: &Asked<'_>,
    offered: &[Found<'_>],
    template: &str,
    value: &str,
) -> Result<bool, Refusal> {
    let owner = template.split_once('{').map_or("", |(before, _)| before);
    match find(offered, &format!("{owner}{value}")) {
        Some((found, value)) if found.reading.form == Form::Record => {
            let result = call(asked, &found, found.arguments(&value)).await?;
            Ok(result.is_some_and(|result| !is_nothing(&result)))
        }
        _ => Ok(true),
    }
}
