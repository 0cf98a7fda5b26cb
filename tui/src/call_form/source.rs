//! Finds the tool of a third-party server that lists the records for a reference, by the names of
//! tools.

use frontdesk_client::ToolInfo;
use frontdesk_form::{Path, Segment, refers_to};
use serde_json::{Map, Value};

use crate::app::effects::call::Method;
use crate::app::peer::Peer;
use crate::records::chooser::call::{Call, Read};
use crate::records::chooser::{Entered, Fills, Step, Supply};

/// Names of search arguments, the likeliest first.
const SEARCHES: [&str; 8] = [
    "search",
    "query",
    "q",
    "title_contains",
    "name_contains",
    "keyword",
    "keywords",
    "filter",
];
/// Names of arguments that limit the number of records.
const LIMITS: [&str; 5] = ["limit", "page_size", "pageSize", "per_page", "perPage"];
/// The number of records to request.
const PAGE: u64 = 50;
/// Prefixes of tools that list records, the likeliest first.
const LISTS: [&str; 6] = ["list", "search", "find", "get", "query", "fetch"];
/// Prefixes of tools that get one record.
const GETS: [&str; 5] = ["get", "read", "fetch", "retrieve", "show"];
/// The maximum depth of nested references to follow.
const DEEPEST: usize = 3;

/// A tool that lists records of a kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source {
    /// The kind, e.g. `guest`.
    pub(crate) kind: String,
    /// The name of the tool.
    pub(crate) tool: String,
    /// The search argument.
    pub(crate) search: Option<String>,
    /// Whether the tool requires a search text.
    pub(crate) must_search: bool,
    /// The argument that limits the number of records, and its value.
    pub(crate) limit: Option<(String, u64)>,
    /// Required id arguments, and the tools that list their records.
    pub(crate) needs: Vec<(String, Source)>,
}

/// The kind of record that the field refers to, by its name; `id` belongs to the subject of the
/// tool.
pub(crate) fn kind_by_name(tool: &str, path: &Path) -> Option<String> {
    let name = path.last_key()?;
    let is_argument = matches!(path.segments(), [Segment::Key(_)]);
    match refers_to(name) {
        Some(kind) => Some(kind.to_owned()),
        None if is_argument && name == "id" => match words(tool).as_slice() {
            [_, kind @ ..] if !kind.is_empty() => Some(kind.join("_")),
            _ => None,
        },
        None => None,
    }
}

/// The offered tool that lists this kind of record.
pub(crate) fn lister(tools: &[ToolInfo], kind: &str) -> Option<Source> {
    find_lister(tools, kind, DEEPEST)
}

fn find_lister(tools: &[ToolInfo], kind: &str, depth: usize) -> Option<Source> {
    let depth = depth.checked_sub(1)?;
    let mut named: Vec<_> = tools
        .iter()
        .filter_map(|tool| Some((list_rank(&tool.name, kind)?, tool)))
        .collect();
    named.sort_by_key(|(rank, _)| *rank);
    named.into_iter().find_map(|(_, tool)| {
        source(tool, kind, |argument| {
            find_lister(tools, refers_to(argument)?, depth)
        })
    })
}

/// The steps to a record of this source. `entered` returns the known value of an argument.
pub(crate) fn steps(peer: &Peer, source: Source, entered: Entered) -> Vec<Step> {
    let mut steps = Vec::new();
    add_steps(&mut steps, peer, source, None, entered);
    // The steps were added backwards.
    steps.reverse();
    let last = steps.len().saturating_sub(1);
    for step in &mut steps {
        if let Some(fills) = &mut step.fills {
            fills.step = last - fills.step;
        }
    }
    steps
}

/// Adds the steps, the last one first.
fn add_steps(
    steps: &mut Vec<Step>,
    peer: &Peer,
    source: Source,
    fills: Option<Fills>,
    entered: Entered,
) {
    let at = steps.len();
    let mut given = Map::new();
    let mut open = Vec::new();
    for (argument, need) in source.needs {
        match entered(&argument) {
            Some(value) => drop(given.insert(argument, value)),
            None => open.push((argument, need)),
        }
    }
    let one = source.kind.replace('_', " ");
    let call = Call {
        peer: peer.clone(),
        tool: source.tool,
        method: Method::Tool,
        search: source.search,
        must_search: source.must_search,
        limit: source.limit,
        read: Read::List(source.kind),
    };
    steps.push(Step {
        given,
        fills,
        ..Step::of(&one, Supply::Call(Box::new(call)))
    });
    for (argument, need) in open.into_iter().rev() {
        let fills = Fills {
            step: at,
            known_as: argument.clone(),
            argument,
        };
        add_steps(steps, peer, need, Some(fills), entered);
    }
}

/// The tool as a source, if every required argument can be determined.
fn source(tool: &ToolInfo, kind: &str, need: impl Fn(&str) -> Option<Source>) -> Option<Source> {
    let schema = &tool.input_schema;
    let properties = schema.get("properties").and_then(Value::as_object);
    let has = |name: &&&str| properties.is_some_and(|there| there.contains_key(**name));
    let search = SEARCHES.iter().find(has).map(|name| (*name).to_owned());
    let limit = LIMITS.iter().find(has).map(|name| {
        let most = properties.and_then(|there| there.get(*name)?.get("maximum")?.as_u64());
        ((*name).to_owned(), most.map_or(PAGE, |most| most.min(PAGE)))
    });
    let required = schema.get("required").and_then(Value::as_array);
    let required = required.into_iter().flatten().filter_map(Value::as_str);
    let (mut needs, mut must_search) = (Vec::new(), false);
    for argument in required {
        match &search {
            Some(search) if search == argument => must_search = true,
            _ => needs.push((argument.to_owned(), need(argument)?)),
        }
    }
    Some(Source {
        kind: kind.to_owned(),
        tool: tool.name.clone(),
        search,
        must_search,
        limit,
        needs,
    })
}

/// The tool that gets one record of this kind, with its only argument.
pub(crate) fn getter(tools: &[ToolInfo], kind: &str) -> Option<(String, String)> {
    let mut offered = tools.iter().filter(|tool| is_getter(&tool.name, kind));
    offered.find_map(|tool| {
        let required = tool.input_schema.get("required")?.as_array()?;
        match required.as_slice() {
            [Value::String(only)] => Some((tool.name.clone(), only.clone())),
            _ => None,
        }
    })
}

/// How likely a tool of this name lists this kind of record; 0 is the likeliest.
fn list_rank(tool: &str, kind: &str) -> Option<usize> {
    let (name, plural) = (words(tool), plural(kind));
    if name.len() > plural.len()
        && name[..name.len() - 1].ends_with(&plural)
        && ["list", "search"].contains(&name[name.len() - 1].as_str())
    {
        return Some(0);
    }
    let before = name.strip_suffix(plural.as_slice())?;
    let before = match before {
        [before @ .., all] if all == "all" => before,
        before => before,
    };
    let verb = before.last()?;
    LISTS.iter().position(|word| word == verb)
}

fn is_getter(tool: &str, kind: &str) -> bool {
    let (name, kind) = (words(tool), words(kind));
    let verb = name.strip_suffix(kind.as_slice()).and_then(<[_]>::last);
    verb.is_some_and(|verb| GETS.contains(&verb.as_str()))
}

/// Whether a tool of this name changes an existing record.
pub(crate) fn is_update(tool: &str) -> bool {
    let changes = |word: &String| ["update", "edit"].contains(&word.as_str());
    words(tool).iter().any(changes)
}

/// The words of a name in any notation: `listEvents`, `list-events`, `events.list`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for letter in name.chars() {
        let begins = letter.is_uppercase() && (before.is_lowercase() || before.is_ascii_digit());
        if begins || !letter.is_alphanumeric() {
            words.push(String::new());
        }
        if let (true, Some(word)) = (letter.is_alphanumeric(), words.last_mut()) {
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The words of a kind in the plural.
fn plural(kind: &str) -> Vec<String> {
    let mut words = words(kind);
    if let Some(last) = words.last_mut() {
        let before_y = last
            .strip_suffix('y')
            .filter(|stem| !stem.ends_with(['a', 'e', 'i', 'o', 'u']) && !stem.is_empty());
        *last = match before_y {
            Some(stem) => format!("{stem}ies"),
            None if last.ends_with(['s', 'x']) || last.ends_with("ch") || last.ends_with("sh") => {
                format!("{last}es")
            }
            None => format!("{last}s"),
        };
    }
    words
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tool(name: &str, schema: Value) -> ToolInfo {
        ToolInfo {
            name: name.to_owned(),
            title: None,
            description: None,
            input_schema: schema.as_object().cloned().unwrap_or_default(),
            output_schema: None,
            read_only: false,
            destructive: true,
            idempotent: false,
            previews: false,
        }
    }

    fn bare(name: &str) -> ToolInfo {
        tool(name, json!({}))
    }

    fn elsewhere(tools: &[ToolInfo], kind: &str) -> Option<Source> {
        lister(tools, kind)
    }

    #[test]
    fn elsewhere_names_say_it() {
        for (name, kind) in [
            ("list_events", "event"),
            ("listEvents", "event"),
            ("get-all-events", "event"),
            ("events.list", "event"),
            ("tickets_list_categories", "category"),
            ("search_boxes", "box"),
            ("find_strategy_units", "strategyUnit"),
        ] {
            let source = elsewhere(&[bare(name)], kind);
            assert_eq!(source.map(|source| source.tool).as_deref(), Some(name));
        }
        for (name, kind) in [
            ("delete_events", "event"),
            ("list_event", "event"),
            ("list_events_of_member", "event"),
            ("events", "event"),
            ("list_subevents", "event"),
        ] {
            assert_eq!(elsewhere(&[bare(name)], kind), None, "{name}");
        }
        let both = [bare("get_events"), bare("list_events")];
        let source = elsewhere(&both, "event").expect("a source");
        assert_eq!(source.tool, "list_events");
    }

    #[test]
    fn what_a_list_wants_has_to_be_had() {
        let wants = |names: &[&str]| tool("list_issues", json!({ "required": names }));
        assert_eq!(elsewhere(&[wants(&["owner"])], "issue"), None);
        assert_eq!(elsewhere(&[wants(&["project_id"])], "issue"), None);
        let two = [wants(&["project_id"]), bare("list_projects")];
        assert_eq!(
            elsewhere(&two, "issue").map(|source| source.needs.len()),
            Some(1)
        );
        // A circular reference never ends.
        let endless = [wants(&["issue_id"])];
        assert_eq!(elsewhere(&endless, "issue"), None);
        let search = tool(
            "search_issues",
            json!({ "properties": { "q": {} }, "required": ["q"] }),
        );
        let source = elsewhere(&[search], "issue").expect("a source");
        assert!(source.must_search && source.needs.is_empty());
    }

    #[test]
    fn an_id_is_that_of_what_the_tool_is_about() {
        let kind = |tool: &str, path: &str| kind_by_name(tool, &Path::from(path));
        assert_eq!(kind("update_issue", "id").as_deref(), Some("issue"));
        assert_eq!(
            kind("update_issue", "assignee_id").as_deref(),
            Some("assignee")
        );
        assert_eq!(kind("move", "ids[0]"), None);
        assert_eq!(
            kind("link_issues", "issue_ids[1]").as_deref(),
            Some("issue")
        );
        assert_eq!(kind("update_issue", "about.id"), None);
        assert_eq!(kind("update", "id"), None);
    }
}
