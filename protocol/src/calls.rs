//! A call that reads, as a resource: its address has its arguments. It is listed nowhere; a client that shows the result
//! subscribes to it.

use serde_json::{Map, Value};
use url::form_urlencoded::{Serializer, parse};

use crate::host::Host;
use crate::mcp::CallMeta;

/// The word of the address between the host and the tool.
const CALLS: &str = "calls";
const ARGUMENTS: &str = "arguments";
const META: &str = "meta";

/// A call that was read from an address.
#[derive(Debug, Clone)]
pub struct Called {
    /// The host.
    pub host: Host,
    /// The name of the tool, which may not exist.
    pub tool: String,
    /// JSON text.
    pub arguments: String,
    /// Those options that matter to a call that reads.
    pub meta: CallMeta,
}

/// The address of a call.
#[must_use]
pub fn address(host: Host, tool: &str, arguments: &Map<String, Value>, meta: &CallMeta) -> String {
    let mut query = Serializer::new(String::new());
    if !arguments.is_empty() {
        query.append_pair(ARGUMENTS, &Value::from(arguments.clone()).to_string());
    }
    let meta = serde_json::to_value(meta).unwrap_or_default();
    if meta.as_object().is_some_and(|meta| !meta.is_empty()) {
        query.append_pair(META, &meta.to_string());
    }
    let query = query.finish();
    format!("frontdesk://{host}/{CALLS}/{tool}?{query}")
}

impl Called {
    /// The call at this address; `None` if it is the address of no call.
    #[must_use]
    pub fn read(uri: &str) -> Option<Called> {
        let path = uri.strip_prefix("frontdesk://")?;
        let (path, query) = path.split_once('?')?;
        let (host, tool) = path.split_once('/')?;
        let tool = tool.strip_prefix(CALLS)?.strip_prefix('/')?;
        let mut called = Called {
            host: host.parse().ok()?,
            tool: tool.to_owned(),
            arguments: "{}".to_owned(),
            meta: CallMeta::default(),
        };
        for (name, value) in parse(query.as_bytes()) {
            match &*name {
                ARGUMENTS => called.arguments = value.into_owned(),
                META => {
                    let meta: CallMeta = serde_json::from_str(&value).ok()?;
                    called.meta.total = meta.total;
                    called.meta.place = meta.place;
                    called.meta.guests_since = meta.guests_since;
                }
                _ => return None,
            }
        }
        Some(called)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_read_from_its_address() {
        let arguments = serde_json::json!({ "search": "Zoë & Co. 50%+", "limit": 2 });
        let meta = CallMeta {
            guests_since: Some("7.x".to_owned()),
            idempotency_key: Some("left out".to_owned()),
            ..CallMeta::default()
        };
        let arguments = arguments.as_object().expect("an object");
        let uri = address(Host::Events, "list_event_guests", arguments, &meta);
        let called = Called::read(&uri).expect("a call");
        assert_eq!(
            (called.host, &*called.tool),
            (Host::Events, "list_event_guests")
        );
        assert_eq!(
            called.arguments,
            Value::from(arguments.clone()).to_string(),
            "{uri}"
        );
        assert_eq!(called.meta.guests_since.as_deref(), Some("7.x"));
        assert_eq!(called.meta.idempotency_key, None);
    }

    #[test]
    fn another_address_is_no_call() {
        for uri in [
            "frontdesk://events/event/7",
            "frontdesk://events/calls/list_events",
            "frontdesk://nowhere/calls/list_events?",
            "frontdesk://events/calls/list_events?filter=1",
            "frontdesk://events/calls/list_events?meta=1",
            "https://events/calls/list_events?",
        ] {
            assert!(Called::read(uri).is_none(), "{uri}");
        }
        assert!(Called::read("frontdesk://events/calls/list_events?").is_some());
    }
}
