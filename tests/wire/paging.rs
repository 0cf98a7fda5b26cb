//! Pages of `tools/list`: of any size, in sessions and without.

use frontdesk_protocol::{Host, Role};
use frontdesk_server::database::Location;
use frontdesk_server::server::{Server, Settings};
use frontdesk_tests::blocking::{Answer, Http, Organization, world};
use frontdesk_tests::world::identity;
use serde_json::{Value, json};

use crate::wire::sessionless::ask;

fn server(tools_per_page: usize) -> Server {
    let settings = Settings {
        tools_per_page,
        calls_per_minute: 0,
        identity: identity(),
        ..Settings::local(Location::Memory)
    };
    world().server_with(settings)
}

/// The kind of request for a page.
#[derive(Clone, Copy, Debug)]
enum Era {
    Session(&'static str),
    Sessionless,
}

const ERAS: [Era; 5] = [
    Era::Session("2024-11-05"),
    Era::Session("2025-03-26"),
    Era::Session("2025-06-18"),
    Era::Session("2025-11-25"),
    Era::Sessionless,
];

fn list(caller: &Http, host: Host, era: Era, params: Value) -> Answer {
    match era {
        Era::Session(version) => {
            let mut caller = caller.speaking(host, version);
            caller.rpc(host, "tools/list", params)
        }
        Era::Sessionless => ask(caller, host, "tools/list", params),
    }
}

/// Every page, from the first to the last.
fn pages(caller: &Http, host: Host, era: Era) -> Vec<Vec<String>> {
    let mut pages = Vec::new();
    let mut params = json!({});
    loop {
        let answer = list(caller, host, era, params);
        let result = answer.result();
        let tools = result["tools"].as_array().expect("tools");
        let name = |tool: &Value| tool["name"].as_str().expect("a name").to_owned();
        pages.push(tools.iter().map(name).collect());
        match result.get("nextCursor") {
            None => return pages,
            Some(cursor) => params = json!({ "cursor": cursor }),
        }
        assert!(pages.len() < 100, "the cursors lead in circles");
    }
}

fn declared(host: Host) -> Vec<String> {
    host.tools().map(|tool| tool.name.to_owned()).collect()
}

#[test]
fn an_ordinary_host_is_one_page() {
    let organization = Organization::create();
    let owner = organization.sign_in(Role::Owner);
    for era in ERAS {
        for host in [Host::Events, Host::Work, Host::Skills] {
            assert_eq!(pages(&owner, host, era), [declared(host)], "{era:?}");
        }
    }
    for params in [json!({ "cursor": null }), json!({ "_meta": {} })] {
        let answer = list(&owner, Host::Events, ERAS[3], params);
        assert_eq!(answer.result().get("nextCursor"), None);
    }
}

#[test]
fn pages_hold_every_tool_once_and_in_the_same_order() {
    let organization = Organization::create();
    let owner = organization.sign_in(Role::Owner);
    let all = Host::Events.tools().count();
    for size in [1, 7, all - 1, all, all + 1] {
        let expected = all.div_ceil(size);
        let server = server(size);
        let owner = owner.at(&server.url());
        for era in ERAS {
            let pages = pages(&owner, Host::Events, era);
            assert_eq!(pages.len(), expected, "{size} {era:?}");
            assert!(
                pages.iter().all(|page| page.len() <= size),
                "{size} {era:?}"
            );
            assert_eq!(pages.concat(), declared(Host::Events), "{size} {era:?}");
        }
    }
}

#[test]
fn a_page_is_full_of_tools_offered_to_the_role() {
    let organization = Organization::create();
    let server = server(2);
    let teacher = organization.sign_in(Role::Teacher).at(&server.url());
    let offered: Vec<_> = Host::Events
        .tools()
        .filter(|tool| tool.audience.contains(Role::Teacher))
        .map(|tool| tool.name.to_owned())
        .collect();
    assert!(offered.len() < Host::Events.tools().count());
    let pages = pages(&teacher, Host::Events, Era::Sessionless);
    assert_eq!(pages.concat(), offered);
    let (_, full) = pages.split_last().expect("pages");
    assert!(full.iter().all(|page| page.len() == 2), "{pages:?}");

    // The cursor stays valid if the role changes: it leads to the following tools.
    let owner = organization.sign_in(Role::Owner).at(&server.url());
    let first = list(&owner, Host::Events, Era::Sessionless, json!({}));
    let cursor = json!({ "cursor": first.result()["nextCursor"] });
    let second = list(&teacher, Host::Events, Era::Sessionless, cursor);
    assert_eq!(second.result()["tools"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_cursor_is_good_in_every_session_and_at_its_host_alone() {
    let organization = Organization::create();
    let server = server(2);
    let owner = organization.sign_in(Role::Owner).at(&server.url());
    let first = list(&owner, Host::Events, ERAS[0], json!({}));
    let cursor = json!({ "cursor": first.result()["nextCursor"] });
    for era in ERAS {
        let answer = list(&owner, Host::Events, era, cursor.clone());
        assert_eq!(
            answer.result()["tools"][0]["name"],
            declared(Host::Events)[2].as_str()
        );
        let elsewhere = list(&owner, Host::Work, era, cursor.clone());
        assert_eq!(elsewhere.rpc_code(), -32602, "{era:?}");
    }
}

#[test]
fn a_cursor_that_was_not_given_is_an_error() {
    let organization = Organization::create();
    let server = server(2);
    let owner = organization.sign_in(Role::Owner).at(&server.url());
    let good = list(&owner, Host::Events, ERAS[3], json!({}));
    let good = good.result()["nextCursor"]
        .as_str()
        .expect("a cursor")
        .to_owned();
    let bad = [
        json!("next"),
        json!("list_events"),
        json!(format!("{good}=")),
        json!(good[1..]),
        json!(good[..good.len() - 2]),
        json!(1),
        json!({}),
        json!([good]),
    ];
    for era in ERAS {
        for cursor in &bad {
            let answer = list(&owner, Host::Events, era, json!({ "cursor": cursor }));
            assert_eq!(answer.status.as_u16(), 200, "{era:?} {cursor}");
            assert_eq!(answer.rpc_code(), -32602, "{era:?} {cursor}");
            let message = answer.body["error"]["message"].as_str().expect("text");
            assert!(
                message.contains("cursor") || message.contains("fit"),
                "{message}"
            );
        }
    }
}

#[test]
fn templates_and_prompts_have_pages_with_cursors_of_their_own() {
    let organization = Organization::create();
    let server = server(2);
    let owner = organization.sign_in(Role::Owner);
    let (whole, paged) = (owner.clone(), owner.at(&server.url()));
    for (method, list, key) in [
        (
            "resources/templates/list",
            "resourceTemplates",
            "uriTemplate",
        ),
        ("prompts/list", "prompts", "name"),
    ] {
        let names = |answer: &Answer| {
            let listed = answer.result()[list].as_array().expect("a list").clone();
            let names = listed
                .iter()
                .map(|one| one[key].as_str().expect("a name").to_owned());
            names.collect::<Vec<_>>()
        };
        let all = names(&ask(&whole, Host::Work, method, json!({})));
        assert!(all.len() > 2, "{all:?}");
        let (mut read, mut params) = (Vec::new(), json!({}));
        while read.len() < all.len() {
            let answer = ask(&paged, Host::Work, method, params);
            read.extend(names(&answer));
            params = json!({ "cursor": answer.result()["nextCursor"] });
        }
        assert_eq!(read, all);
        assert_eq!(params["cursor"], Value::Null);
        let tools = ask(&paged, Host::Work, "tools/list", json!({}));
        let cursor = json!({ "cursor": tools.result()["nextCursor"] });
        assert_eq!(ask(&paged, Host::Work, method, cursor).rpc_code(), -32602);
    }
}
