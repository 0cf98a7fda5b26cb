//! Resources, prompts and completion: what tools return, as documents.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Http, Organization};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::sessionless::{ask, ask_with};

/// The text of a resource.
fn text(http: &mut Http, host: Host, uri: &str) -> String {
    let answer = http.rpc(host, "resources/read", json!({ "uri": uri }));
    let text = answer.result()["contents"][0]["text"].as_str();
    text.expect("a text").to_owned()
}

fn complete(http: &mut Http, host: Host, of: Value, name: &str, value: &str) -> Vec<String> {
    let params = json!({ "ref": of, "argument": { "name": name, "value": value } });
    let answer = http.rpc(host, "completion/complete", params);
    let values = answer.result()["completion"]["values"].as_array();
    let values = values.expect("values").iter();
    values
        .map(|value| value.as_str().expect("a text").to_owned())
        .collect()
}

#[test]
fn the_guests_of_an_event_are_one_table_however_many_pages_they_are() {
    let organization = Organization::create();
    let mut staff = organization.sign_in(Role::Staff);
    let event = organization.event("Open day");
    let names: Vec<_> = (0..120)
        .map(|number| format!("Guest {number:03}"))
        .collect();
    organization.guests(event, &names.iter().map(String::as_str).collect::<Vec<_>>());
    organization.guest(event, "Ana \"Nana\", Lima");
    let table = text(
        &mut staff,
        Host::Events,
        &format!("frontdesk://events/event/{}/guests.csv", event.0),
    );
    let lines: Vec<_> = table.lines().collect();
    assert_eq!(lines.len(), 122);
    assert!(
        lines[0].starts_with("id,event_id,name,email,"),
        "{}",
        lines[0]
    );
    assert!(
        lines[1].contains(r#","Ana ""Nana"", Lima","#),
        "{}",
        lines[1]
    );
    for name in names {
        assert_eq!(table.matches(&name).count(), 1, "{name}");
    }
}

#[test]
fn an_article_is_read_as_markdown_by_its_id_or_slug() {
    let organization = Organization::create();
    let mut author = organization.sign_in(Role::Fellow);
    let article = json!({ "title": "First steps", "content": "Come **in**." });
    let made = author.call(Host::Learn, "create_wiki_article", article);
    let id = made.output()["wiki_article"]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    for name in [id.as_str(), "first-steps", &format!("First%20steps~{id}")] {
        let uri = format!("frontdesk://learn/wiki_article/{name}.md");
        assert_eq!(
            text(&mut author, Host::Learn, &uri),
            "# First steps\n\nCome **in**."
        );
    }
    let change = json!({ "id": id, "content": "# Steps" });
    author
        .call(Host::Learn, "update_wiki_article", change)
        .output();
    let uri = format!("frontdesk://learn/wiki_article/{id}.md");
    assert_eq!(text(&mut author, Host::Learn, &uri), "# Steps");
    let listed = author.rpc(Host::Learn, "resources/list", json!({}));
    let draft = &listed.result()["resources"][0];
    assert_eq!(
        draft["uri"],
        format!("frontdesk://learn/wiki_article/{id}.md")
    );
    assert_eq!(draft["name"], "First steps");
    assert!(draft["annotations"]["lastModified"].is_string(), "{draft}");
    // The list has the caller's own drafts only.
    let mut owner = organization.sign_in(Role::Owner);
    let listed = owner.rpc(Host::Learn, "resources/list", json!({}));
    assert_eq!(listed.result()["resources"], json!([]));
}

#[test]
fn a_result_links_to_the_text_of_its_record() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    for (host, tool, arguments, kind, expected) in [
        (
            Host::Learn,
            "create_wiki_article",
            json!({ "title": "First steps", "content": "Come **in**." }),
            "text/markdown",
            "# First steps\n\nCome **in**.",
        ),
        (
            Host::Plans,
            "create_plan",
            json!({ "name": "First steps", "description": "Come **in**." }),
            "text/markdown",
            "# First steps\n\nCome **in**.",
        ),
        (
            Host::Engineering,
            "create_document",
            json!({ "title": "First steps", "kind": "document", "content": "Come **in**." }),
            "text/plain",
            "Come **in**.",
        ),
    ] {
        let links = json!({ "frontdesk/links": true });
        let params = json!({ "name": tool, "arguments": arguments, "_meta": links });
        let answer = owner.rpc(host, "tools/call", params);
        answer.output();
        assert_eq!(answer.result()["content"][0]["type"], "text");
        let link = &answer.result()["content"][1];
        assert_eq!(*link, answer.result()["_meta"]["frontdesk/link"]);
        assert_eq!(link["type"], "resource_link");
        assert_eq!(link["name"], "First steps");
        assert_eq!(link["mimeType"], kind);
        let uri = link["uri"].as_str().expect("an address");
        assert_eq!(text(&mut owner, host, uri), expected);
    }
}

#[test]
fn a_result_without_a_text_elsewhere_has_no_link() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let article = json!({ "title": "First steps", "content": "Come in." });
    let create = |http: &mut Http, meta: Value| {
        let params = json!({ "name": "create_wiki_article", "arguments": article, "_meta": meta });
        http.rpc(Host::Learn, "tools/call", params).result().clone()
    };
    let blocks = |result: &Value| result["content"].as_array().map(Vec::len);
    let has_link = |result: &Value| result["_meta"]["frontdesk/link"].is_object();
    // Clients are in use that take a second block for an error.
    let made = create(&mut owner, json!({}));
    assert_eq!((blocks(&made), has_link(&made)), (Some(1), true));
    let asked = json!({ "frontdesk/links": true, "idempotencyKey": "meant" });
    assert_eq!(blocks(&create(&mut owner, asked)), Some(2));
    // What is rolled back is not there, and older clients do not know such blocks.
    let preview = create(&mut owner, json!({ "frontdesk/preview": true }));
    assert!(!has_link(&preview));
    let older = &mut owner.speaking(Host::Learn, "2025-03-26");
    assert!(!has_link(&create(older, json!({}))));
    // It has just been read, or a link would lead nowhere.
    let id = json!({ "id": made["structuredContent"]["wiki_article"]["id"] });
    let mut is_linked = |tool: &str, arguments: Value| {
        let answer = owner.call(Host::Learn, tool, arguments);
        has_link(answer.result())
    };
    assert!(!is_linked("get_wiki_article", id));
    assert!(!is_linked("list_wiki_articles", json!({})));
    let params = json!({ "name": "create_wiki_article", "arguments": article });
    for (header, expected) in [
        (("user-agent", "frontdesk/0.2.0"), false),
        (("x-frontdesk-tools", "learn.create_wiki_article"), false),
        (("x-frontdesk-tools", "learn"), true),
    ] {
        let answer = ask_with(&owner, Host::Learn, "tools/call", params.clone(), &[header]);
        assert_eq!(has_link(answer.result()), expected, "{header:?}");
    }
}

#[test]
fn the_list_begins_with_today() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let unit = organization.business_unit;
    for (name, start) in [
        ("Today", Timestamp::now().to_string()),
        ("Long ago", "2020-01-01T10:00:00Z".to_owned()),
    ] {
        let event = json!({ "name": name, "strategy_business_unit_id": unit, "start_at": start });
        owner.events("create_event", event).output();
    }
    let listed = owner.rpc(Host::Events, "resources/list", json!({}));
    let resources = listed.result()["resources"]
        .as_array()
        .expect("resources")
        .clone();
    let names: Vec<_> = resources
        .iter()
        .map(|one| (one["name"].as_str(), one["mimeType"].as_str()))
        .collect();
    assert_eq!(
        names,
        [
            (Some("Today"), Some("application/json")),
            (Some("Today"), Some("text/csv"))
        ]
    );
}

#[test]
fn what_is_not_there_and_what_is_hidden_are_refused_alike() {
    let organization = Organization::create();
    let other = Organization::create();
    let mut fellow = organization.sign_in(Role::Fellow);
    let theirs = other.event("Theirs");
    let own = organization.event("Ours");
    let spare = organization.guest(own, "Somebody else");
    let mut answers = Vec::new();
    for uri in [
        format!("frontdesk://events/event/{}", theirs.0),
        format!("frontdesk://events/event/{}/guests.csv", theirs.0),
        format!("frontdesk://events/guest/{}", spare.0),
        format!("frontdesk://events/event/{}/expenses.csv", own.0),
        "frontdesk://events/event/nothing".to_owned(),
        "frontdesk://events/nothing/1".to_owned(),
        "frontdesk://learn/course/1".to_owned(),
        "file:///etc/passwd".to_owned(),
    ] {
        let answer = fellow.rpc(Host::Events, "resources/read", json!({ "uri": uri }));
        assert_eq!(answer.rpc_code(), -32002, "{uri}");
        let mut error = answer.body["error"].clone();
        assert_eq!(error["data"]["uri"], uri);
        error["data"]["uri"].take();
        answers.push(error);
        let answer = ask(
            &fellow,
            Host::Events,
            "resources/read",
            json!({ "uri": uri }),
        );
        assert_eq!(answer.rpc_code(), -32602, "{uri}");
    }
    assert!(
        answers.windows(2).all(|two| two[0] == two[1]),
        "{answers:?}"
    );
}

#[test]
fn a_narrow_connection_has_the_resources_of_its_tools() {
    let organization = Organization::create();
    let owner = organization.sign_in(Role::Owner);
    let event = organization.event("Open day");
    let uri = format!("frontdesk://events/event/{}", event.0);
    for (words, templates, code) in [
        ("events.get_event", 1, None),
        ("events.list_events", 0, Some(-32602)),
        ("work", 0, Some(-32602)),
    ] {
        let header = [("x-frontdesk-tools", words)];
        let listed = ask_with(
            &owner,
            Host::Events,
            "resources/templates/list",
            json!({}),
            &header,
        );
        let count = listed.result()["resourceTemplates"]
            .as_array()
            .map(Vec::len);
        assert_eq!(count, Some(templates), "{words}");
        let read = ask_with(
            &owner,
            Host::Events,
            "resources/read",
            json!({ "uri": uri }),
            &header,
        );
        assert_eq!(read.body["error"]["code"].as_i64(), code, "{words}");
    }
}

#[test]
fn a_record_is_chosen_by_its_name() {
    let organization = Organization::create();
    let mut staff = organization.sign_in(Role::Staff);
    let event = organization.event("Ópen day, 3rd");
    organization.event("Closing");
    let template = json!({ "type": "ref/resource", "uri": "frontdesk://events/event/{id}" });
    let found = complete(&mut staff, Host::Events, template.clone(), "id", "open");
    assert_eq!(found, [format!("ópen-day-3rd~{}", event.0)]);
    // A suggestion can be completed again, and is an address.
    assert_eq!(
        complete(&mut staff, Host::Events, template.clone(), "id", &found[0]).len(),
        1
    );
    let uri = format!(
        "frontdesk://events/event/{}",
        found[0].replace('ó', "%C3%B3")
    );
    assert!(text(&mut staff, Host::Events, &uri).contains("Ópen day"));
    assert_eq!(
        complete(&mut staff, Host::Events, template, "id", "").len(),
        2
    );
    let prompt = json!({ "type": "ref/prompt", "name": "prepare_the_door" });
    assert_eq!(
        complete(&mut staff, Host::Events, prompt, "event", "clos").len(),
        1
    );
    // Another organisation finds none of it.
    let mut other = Organization::create().sign_in(Role::Owner);
    let template = json!({ "type": "ref/resource", "uri": "frontdesk://events/event/{id}" });
    assert_eq!(
        complete(&mut other, Host::Events, template, "id", "open"),
        [""; 0]
    );
}

#[test]
fn a_prompt_shows_what_it_is_about() {
    let organization = Organization::create();
    let mut staff = organization.sign_in(Role::Staff);
    let event = organization.event("Open day");
    let params = json!({ "name": "prepare_the_door", "arguments": { "event": format!("open-day~{}", event.0) } });
    let answer = staff.rpc(Host::Events, "prompts/get", params);
    let messages = answer.result()["messages"].clone();
    let resource = &messages[0]["content"]["resource"];
    assert_eq!(
        resource["uri"],
        format!("frontdesk://events/event/{}", event.0)
    );
    assert!(
        resource["text"]
            .as_str()
            .is_some_and(|text| text.contains("Open day")),
        "{resource}"
    );
    let text = messages[1]["content"]["text"].as_str().expect("a text");
    assert!(
        text.contains("list_event_guests") && !text.contains('{'),
        "{text}"
    );
}

#[test]
fn a_prompt_says_what_is_wrong_with_its_arguments() {
    let organization = Organization::create();
    let mut staff = organization.sign_in(Role::Staff);
    let theirs = Organization::create().event("Theirs");
    for (arguments, message) in [
        (json!({}), "the argument event is required"),
        (
            json!({ "events": "1" }),
            "prepare_the_door has no argument `events`; it has event",
        ),
        (json!({ "event": 1 }), "the argument event must be a text"),
        (
            json!({ "event": "x".repeat(201) }),
            "the argument event has at most 200 characters",
        ),
        (json!({ "event": theirs.0 }), "or you cannot read it"),
    ] {
        let params = json!({ "name": "prepare_the_door", "arguments": arguments });
        let answer = staff.rpc(Host::Events, "prompts/get", params);
        assert_eq!(answer.rpc_code(), -32602);
        let said = answer.body["error"]["message"].as_str().unwrap_or_default();
        assert!(said.contains(message), "{said}");
    }
    let mut owner = organization.sign_in(Role::Owner);
    for name in ["Fair", "Twice", "Twice"] {
        organization.event(name);
    }
    for (host, prompt, arguments, message) in [
        (
            Host::Financing,
            "month_s_end",
            json!({ "month": "2026-13" }),
            "must be a month such as 2026-10, not “2026-13”",
        ),
        (
            Host::Financing,
            "month_s_end",
            json!({ "month": "October" }),
            "must be a month such as 2026-10, not “October”",
        ),
        (
            Host::Work,
            "what_is_late",
            json!({ "owner": "x" }),
            "the argument owner must be an id from list_members (learn) or the name of one member; \
             no member that you can see is “x”",
        ),
        (
            Host::Events,
            "prepare_the_door",
            json!({ "event": "twice" }),
            "from list_events (events) or the name of one event; more than one event that you can see is “twice”",
        ),
        (
            Host::Events,
            "prepare_the_door",
            json!({ "event": "Fai" }),
            "no event that you can see is “Fai”",
        ),
    ] {
        let params = json!({ "name": prompt, "arguments": arguments });
        let refused = owner.rpc(host, "prompts/get", params);
        let said = refused.body["error"]["message"]
            .as_str()
            .unwrap_or_default();
        assert!(said.contains(message), "{said}");
    }
    let article = json!({ "title": "First steps", "content": "Come in." });
    owner
        .call(Host::Learn, "create_wiki_article", article)
        .output();
    for (host, prompt, arguments) in [
        (
            Host::Financing,
            "month_s_end",
            json!({ "month": "2026-12" }),
        ),
        (
            Host::Learn,
            "review_an_article",
            json!({ "article": "first-steps" }),
        ),
        (Host::Work, "what_is_late", json!({ "owner": "everybody" })),
        (Host::Events, "prepare_the_door", json!({ "event": "fair" })),
    ] {
        let params = json!({ "name": prompt, "arguments": arguments });
        let messages = owner.rpc(host, "prompts/get", params).result()["messages"].clone();
        assert!(messages.is_array(), "{messages}");
    }
    let mut fellow = organization.sign_in(Role::Fellow);
    let hidden = fellow.rpc(
        Host::Financing,
        "prompts/get",
        json!({ "name": "month_s_end" }),
    );
    let unknown = fellow.rpc(Host::Financing, "prompts/get", json!({ "name": "nothing" }));
    assert_eq!(hidden.body["error"], unknown.body["error"]);
}
