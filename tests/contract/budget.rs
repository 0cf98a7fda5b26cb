//! The cost of the lists of tools: agents pay for each token of them, in every conversation.
//!
//! Tokens are estimated, so that the figure is the same everywhere and needs no vocabulary of megabytes: a
//! word is a token for every 8 letters begun, a number for every 3 digits, punctuation for every 4
//! characters. On these lists that is 0 to 8 % more than what `o200k_base` makes of them.

use frontdesk_protocol::listing::Listing;
use frontdesk_protocol::{Host, Role};
use serde_json::{Value, json};

/// The tokens of a JSON text.
fn tokens(json: &str) -> usize {
    let kind = |character: char| match character {
        'a'..='z' | 'A'..='Z' => 8,
        '0'..='9' => 3,
        _ => 4,
    };
    json.split_whitespace()
        .map(|word| {
            let characters: Vec<char> = word.chars().collect();
            let runs = characters.chunk_by(|a, b| kind(*a) == kind(*b));
            runs.map(|run| run.len().div_ceil(kind(run[0])))
                .sum::<usize>()
        })
        .sum()
}

/// The most tokens of a host's whole list.
const HOST: usize = 8000;
/// The most tokens of the lists of all hosts for the staff.
const STAFF: usize = 30_000;
/// The most tokens of a tool without its result, and of each of its arguments.
const TOOL: (usize, usize) = (130, 30);
/// The most tokens of a listed result, and of each of its fields.
const RESULT: (usize, usize) = (40, 8);

/// The names that a schema declares.
fn names(schema: &Value) -> usize {
    let below = match schema {
        Value::Object(map) => map.values().map(names).sum(),
        Value::Array(several) => several.iter().map(names).sum(),
        _ => 0,
    };
    let own = schema.get("properties").and_then(Value::as_object);
    below + own.map_or(0, |own| own.len())
}

/// The tokens of a host's whole list for a role.
fn taken(host: Host, role: Role) -> usize {
    let mut listing = Listing::default();
    let offered = host.tools().filter(|tool| tool.audience.contains(role));
    let tools: Vec<_> = offered.map(|tool| listing.entry(tool)).collect();
    tokens(&json!({ "tools": tools }).to_string())
}

#[test]
fn a_tool_is_listed_in_few_tokens() {
    for tool in Host::ALL.into_iter().flat_map(Host::tools) {
        let mut listing = tool.to_listing();
        let result = listing
            .as_object_mut()
            .and_then(|listing| listing.remove("outputSchema"))
            .unwrap_or_default();
        let most = TOOL.0 + TOOL.1 * names(&listing["inputSchema"]);
        let taken = tokens(&listing.to_string());
        assert!(taken <= most, "{tool:?} takes {taken} tokens of {most}");
        let most = RESULT.0 + RESULT.1 * names(&result);
        let taken = tokens(&result.to_string());
        assert!(
            taken <= most,
            "the result of {tool:?} takes {taken} tokens of {most}"
        );
    }
}

#[test]
fn a_host_is_listed_in_few_tokens() {
    for host in Host::ALL {
        let taken = taken(host, Role::Owner);
        assert!(taken <= HOST, "{host} takes {taken} tokens of {HOST}");
    }
}

#[test]
fn the_staff_is_listed_all_hosts_in_few_tokens() {
    let taken: usize = Host::ALL.map(|host| taken(host, Role::Staff)).iter().sum();
    assert!(taken <= STAFF, "all hosts take {taken} tokens of {STAFF}");
}

#[test]
fn tokens_are_counted_as_a_tokenizer_would() {
    let tool = r#"{"name":"move_guest","description":"Moves a guest to another event. Fields left out stay.","inputSchema":{"type":"object","additionalProperties":false,"properties":{"id":{"type":"string","format":"uuid","description":"The guest."},"arrives_at":{"type":["string","null"],"format":"date-time","description":"When it comes."},"places":{"type":"integer","minimum":1,"maximum":2147483647,"default":50}},"required":["id"]}}"#;
    const O200K_BASE: usize = 100;
    let counted = tokens(tool);
    assert!(
        (O200K_BASE..=O200K_BASE * 11 / 10).contains(&counted),
        "{counted}"
    );
}
