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

/// The most tokens of a host's whole list, as of now and a little more. Whoever adds a tool raises it, by
/// no more than the tool takes.
const HOSTS: &[(Host, usize)] = &[
    (Host::Staff, 5000),
    (Host::Studio, 2500),
    (Host::Learn, 17000),
    (Host::Events, 8800),
    (Host::Work, 15200),
    (Host::Plans, 4500),
    (Host::Engineering, 2760),
    (Host::Payments, 1860),
    (Host::Financing, 3000),
    (Host::Campaigns, 2750),
    (Host::Strategy, 2600),
    (Host::Proposals, 3850),
    (Host::Quiz, 3950),
    (Host::Ops, 3400),
    (Host::Skills, 1250),
];
/// The most tokens of one tool without its result: what every client shows to a model.
const ASKED: usize = 315;
/// Articles, deliveries, placements and tasks have ten fields and more to write.
const LONG: [(&str, usize); 6] = [
    ("create_wiki_article", 330),
    ("update_wiki_article", 385),
    ("update_delivery", 410),
    ("create_task", 480),
    ("update_task", 435),
    ("create_placement", 470),
];
/// The most tokens of a tool's result, which few clients show.
const RESULT: usize = 225;
/// A plan, a series with its occurrences, and a record with those that belong to it take more to describe than a
/// record; a task has sixteen fields.
const RESULTS: [(&str, usize); 17] = [
    ("get_invoice", 250),
    ("get_plan", 310),
    ("set_plan_tasks", 310),
    ("get_weekly_updates", 625),
    ("get_epic", 540),
    ("get_delivery", 535),
    ("get_task", 585),
    ("create_task", 285),
    ("update_task", 285),
    ("list_tasks", 255),
    ("list_deliveries", 245),
    ("create_placement", 285),
    ("get_program", 600),
    ("list_meeting_series", 400),
    ("merge_meetings", 720),
    ("promote_occurrence_to_standalone", 560),
    ("remove_meeting_series", 560),
];

/// The tokens of a tool without its result, and of its result.
fn cost(tool: &Declaration) -> (usize, usize) {
    let mut listing = tool.to_listing();
    let result = listing["outputSchema"].take();
    (tokens(&listing.to_string()), tokens(&result.to_string()))
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
        let tools: Vec<_> = host.tools().map(Declaration::to_listing).collect();
        let taken = tokens(&json!({ "tools": tools }).to_string());
        let budget = HOSTS.iter().find(|(of, _)| *of == host);
        let budget = budget.map_or(10, |(_, budget)| *budget);
        assert!(taken <= budget, "{host} takes {taken} tokens of {budget}");
        // A budget that is far above what is taken holds nothing back.
        assert!(
            taken * 10 >= budget * 9 || tools.is_empty(),
            "{host}: {taken} of {budget}"
        );
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
