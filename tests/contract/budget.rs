//! What the lists of tools cost: agents pay for each token of them, in every conversation.
//!
//! Tokens are estimated, so that the figure is the same everywhere and needs no vocabulary of megabytes: a
//! word is a token for every 8 letters begun, a number for every 3 digits, punctuation for every 4
//! characters. On these lists that is 0 to 8 % more than what `o200k_base` makes of them.

use frontdesk_protocol::{Declaration, Host};
use serde_json::json;

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

/// The most tokens that the list of any host may take.
const LIMIT: usize = 8000;
/// The most tokens of a host's whole list, as of now and a little more. A new tool raises it by what the tool takes,
/// up to the limit.
const HOSTS: &[(Host, usize)] = &[
    (Host::Staff, 4700),
    (Host::Studio, 2300),
    (Host::Learn, 7700),
    (Host::Events, 7900),
    (Host::Work, 5650),
    (Host::Plans, 4450),
    (Host::Engineering, 2500),
    (Host::Payments, 1700),
    (Host::Financing, 2750),
    (Host::Campaigns, 2550),
    (Host::Strategy, 2300),
    (Host::Proposals, 4000),
    (Host::Quiz, 3500),
    (Host::Ops, 3050),
    (Host::Skills, 1150),
];
/// The most tokens of one tool without its result: what every client shows to a model.
const ASKED: usize = 290;
/// Articles, deliveries, placements and tasks have ten fields and more to write.
const LONG: [(&str, usize); 5] = [
    ("update_wiki_article", 330),
    ("update_delivery", 360),
    ("create_task", 440),
    ("update_task", 390),
    ("create_placement", 430),
];
/// The most tokens of a tool's result, where the host lists it.
const RESULT: usize = 250;
/// A record with those that belong to it takes more to describe than a record.
const RESULTS: [(&str, usize); 4] = [
    ("list_questions", 270),
    ("get_invoice", 310),
    ("get_plan", 310),
    ("set_plan_tasks", 310),
];

/// The tokens of a tool without its result, and of its result where the host lists it.
fn cost(tool: &Declaration) -> (usize, usize) {
    let mut listing = tool.to_listing();
    let result = listing
        .as_object_mut()
        .and_then(|listing| listing.remove("outputSchema"));
    let result = result.map_or(0, |result| tokens(&result.to_string()));
    (tokens(&listing.to_string()), result)
}

/// The tokens of a host's whole list.
fn taken(host: Host) -> usize {
    let tools: Vec<_> = host.tools().map(Declaration::to_listing).collect();
    tokens(&json!({ "tools": tools }).to_string())
}

#[test]
fn a_tool_is_listed_in_few_tokens() {
    for tool in Host::ALL.into_iter().flat_map(Host::tools) {
        let (asked, result) = cost(tool);
        let most = LONG.iter().find(|(name, _)| *name == tool.name);
        let most = most.map_or(ASKED, |(_, most)| *most);
        assert!(asked <= most, "{tool:?} takes {asked} tokens");
        let most = RESULTS.iter().find(|(name, _)| *name == tool.name);
        let most = most.map_or(RESULT, |(_, most)| *most);
        assert!(
            result <= most,
            "the result of {tool:?} takes {result} tokens"
        );
    }
}

#[test]
fn a_host_is_listed_within_its_budget() {
    for host in Host::ALL {
        let taken = taken(host);
        let budget = HOSTS.iter().find(|(of, _)| *of == host);
        let (_, budget) = budget.unwrap_or_else(|| panic!("{host} has no budget"));
        assert!(*budget <= LIMIT, "{host} is above the limit of a host");
        assert!(taken <= *budget, "{host} takes {taken} tokens of {budget}");
        // A budget that is far above what is taken holds nothing back.
        assert!(taken * 10 >= budget * 9, "{host}: {taken} of {budget}");
    }
}

#[test]
fn a_host_leaves_out_results_only_where_they_exceed_the_limit() {
    for host in Host::ALL.into_iter().filter(|host| !host.lists_results()) {
        let results = host.tools().map(|tool| tool.output_schema().to_string());
        let results: usize = results.map(|result| tokens(&result)).sum();
        assert!(taken(host) + results > LIMIT, "{host} has room for them");
    }
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
