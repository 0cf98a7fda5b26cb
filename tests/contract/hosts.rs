//! docs/hosts.md: every tool of every host, from the declarations.

use std::fmt::Write;

use frontdesk_protocol::resource::Verb;
use frontdesk_protocol::{Declaration, Effect, Host, Role};

const HEAD: &str = "# Hosts and their tools

Every tool of every host, as it is declared; `tools/list` has its arguments. \"Offered to\" are the roles that
`tools/list` shows it to; [access.md](access.md) says who may what. A tool of the [specification](specification.md) keeps
its name, arguments and meaning. A tool that is **ours** is Frontdesk's own: the specification names the host and its
subject and shows no tool, so that no other client counts on it.

`tests/contract/snapshots/` has a text for each host, with a line for each argument and each field of a result.

Below the tools of a host stand its records: the fields with the id of their parent, their name, state and position, and the
tools for the usual verbs.

This file is written by `UPDATE_REFERENCE=1 cargo test --workspace --test suite contract::hosts`.
";

fn effect(effect: Effect) -> &'static str {
    match effect {
        Effect::READ => "reads",
        Effect::CREATE => "adds",
        Effect::DELETE => "removes or replaces",
        _ => "changes",
    }
}

fn offered_to(tool: &Declaration) -> String {
    let roles = Role::ALL
        .into_iter()
        .filter(|role| tool.audience.contains(*role));
    let roles: Vec<_> = roles.map(Role::name).collect();
    match roles.len() == Role::ALL.len() {
        true => "everybody".to_owned(),
        false => roles.join(", "),
    }
}

fn reference() -> String {
    let mut text = HEAD.to_owned();
    for host in Host::ALL {
        let count = host.tools().count();
        let _ = write!(
            text,
            "\n## {}\n\n`/{host}/mcp`, {count} tools.\n",
            host.title()
        );
        text.push_str("\n| Tool | | Effect | Offered to | Whose |\n|---|---|---|---|---|\n");
        for tool in host.tools() {
            let whose = match tool.is_specified() {
                true => "specification",
                false => "ours",
            };
            let description = tool.description().replace('\n', " ").replace('|', "\\|");
            let _ = writeln!(
                text,
                "| `{}` | {description} | {} | {} | {whose} |",
                tool.name,
                effect(tool.effect),
                offered_to(tool),
            );
        }
        text.push_str(&records(host));
    }
    text
}

/// The kinds of records of a host, with the tools for each verb.
fn records(host: Host) -> String {
    const VERBS: [Verb; 5] = [
        Verb::List,
        Verb::Get,
        Verb::Create,
        Verb::Change,
        Verb::Delete,
    ];
    let mut rows = String::new();
    for kind in host.kinds() {
        let tools = VERBS.map(|verb| {
            let uses = kind.uses.iter().filter(|one| one.verb == verb);
            let names: Vec<_> = uses.map(|one| format!("`{}`", one.tool)).collect();
            names.join(", ")
        });
        if tools.iter().all(String::is_empty) {
            continue;
        }
        let fields = kind.fields;
        let fields = [fields.parent, fields.name, fields.state, fields.position];
        let fields = fields.map(|name| name.map_or(String::new(), |name| format!("`{name}`")));
        let singular = kind.singular.replace('_', " ");
        let _ = writeln!(
            rows,
            "| {singular} | {} | {} |",
            fields.join(" | "),
            tools.join(" | ")
        );
    }
    match rows.is_empty() {
        true => rows,
        false => format!(
            "\n| Record | Parent | Name | State | Position | List | Get | Create | Change | Delete |\n\
             |---|---|---|---|---|---|---|---|---|---|\n{rows}"
        ),
    }
}

#[test]
fn the_reference_of_the_hosts_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/hosts.md");
    let reference = reference();
    if std::env::var_os("UPDATE_REFERENCE").is_some() {
        std::fs::write(path, &reference).expect("is written");
    }
    let current = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        current == reference,
        "docs/hosts.md is out of date; UPDATE_REFERENCE=1 cargo test --workspace --test suite contract::hosts writes it"
    );
}
