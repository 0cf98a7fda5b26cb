//! The results of calls, as JSON text.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::changes::{META_ACTION, META_CHANGE, META_CHANGES};
use frontdesk_protocol::error::ErrorBody;
use frontdesk_protocol::mcp::{META_LINK, META_NEXT, Revision};
use serde_json::{Map, Value, json};

use super::asked::{Asked, is_own};
use super::links::Links;
use super::reply::kind;
use crate::call::{Effect, Route};

/// The link of a result, for a client whose revision has links. Frontdesk's own programs show records with their texts in any
/// case.
pub(super) fn link(
    asked: &Asked<'_>,
    revision: Revision,
    route: &Route,
    result: &str,
    effect: &Effect,
) -> Option<Value> {
    if !revision.has_structured_content() || is_own(asked.headers) {
        return None;
    }
    let links = asked.service.inner.links.get_or_init(|| {
        let readings = asked.service.inner.hosts.offers.readings;
        Links::of(readings)
    });
    links.of_result(&asked.hosts, route, result, effect)
}

/// The result of a call. A record is returned as text and, if the revision supports it, as structured content; `link` is a
/// content block after the text. Content blocks are returned unchanged.
pub(super) fn success(
    result: &str,
    revision: Revision,
    is_record: bool,
    meta: &str,
    link: &str,
) -> String {
    let kind = kind(revision);
    if !is_record {
        return format!(r#"{{{kind}{meta}"content":{result},"isError":false}}"#);
    }
    // Reserve memory for both copies of the record at once; one has escaped quotation marks.
    let mut written = Vec::with_capacity(result.len() * 5 / 2 + 128);
    written.extend_from_slice(b"{");
    written.extend_from_slice(kind.as_bytes());
    written.extend_from_slice(meta.as_bytes());
    written.extend_from_slice(br#""content":[{"type":"text","text":"#);
    let text = serde_json::to_writer(&mut written, result);
    debug_assert!(text.is_ok(), "a text can be written to memory");
    written.extend_from_slice(b"}");
    written.extend_from_slice(link.as_bytes());
    written.extend_from_slice(b"]");
    if revision.has_structured_content() {
        written.extend_from_slice(br#","structuredContent":"#);
        written.extend_from_slice(result.as_bytes());
    }
    written.extend_from_slice(br#","isError":false}"#);
    String::from_utf8(written).unwrap_or_default()
}

/// A tool's refusal. It is not structured content, because clients validate that against the tool's output type.
pub(super) fn failure(error: ToolError, revision: Revision, meta: &str) -> String {
    let text = serde_json::to_string(&ErrorBody { error }).unwrap_or_default();
    let text = serde_json::to_string(&text).unwrap_or_default();
    let kind = kind(revision);
    format!(r#"{{{kind}{meta}"content":[{{"type":"text","text":{text}}}],"isError":true}}"#)
}

/// The `_meta` of a result: its changes, or the place from which a reader of changes goes on, and its link.
pub(super) fn meta(effect: Effect, link: Option<&Value>) -> String {
    let mut meta = match (effect.changes, effect.change, effect.action) {
        (Some(changes), ..) => json!({ META_CHANGES: changes }),
        (None, Some(change), None) => json!({ META_CHANGE: change }),
        (None, Some(change), action) => json!({ META_CHANGE: change, META_ACTION: action }),
        (None, None, _) => match effect.next {
            Some(next) => json!({ META_NEXT: next }),
            None => json!({}),
        },
    };
    if let Some(link) = link {
        meta[META_LINK] = link.clone();
    }
    match meta.as_object().is_none_or(Map::is_empty) {
        true => String::new(),
        false => format!(r#""_meta":{meta},"#),
    }
}
