//! Sections 4.2 to 4.5: errors about invalid arguments. Each argument of each tool is tried; the error
//! names it.

use frontdesk_protocol::{Declaration, Host, Role};
use frontdesk_tests::blocking::{Example, Http, Organization};
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// A staff member, and valid arguments.
struct Desk {
    staff: Http,
    example: Example,
}

/// An argument of a tool, with its schema.
struct Argument {
    tool: &'static Declaration,
    name: String,
    schema: Value,
    is_required: bool,
}

impl Desk {
    fn open() -> Desk {
        let organization = Organization::create();
        let mut staff = organization.sign_in(Role::Staff);
        let example = Example::create(&organization, &mut staff);
        Desk { staff, example }
    }

    /// Calls the tool with valid arguments, except this one.
    fn call_with(&mut self, argument: &Argument, value: Value) -> frontdesk_tests::Answer {
        let mut arguments = self.example.required(argument.tool.name);
        arguments[&argument.name] = value;
        self.staff.events(argument.tool.name, arguments)
    }

    /// Asserts that the tool refuses the value and names the argument.
    fn refuses(&mut self, argument: &Argument, value: Value) {
        let answer = self.call_with(argument, value.clone());
        let error = answer.tool_error();
        let what = format!(
            "{} {} = {value:.60}: {error}",
            argument.tool.name, argument.name
        );
        assert_eq!(error["code"], "invalid_argument", "{what}");
        let field = error["field"].as_str().unwrap_or_default();
        let root = field.split(['.', '[']).next();
        assert_eq!(root, Some(argument.name.as_str()), "{what}");
    }
}

fn arguments() -> Vec<Argument> {
    let mut arguments = Vec::new();
    for tool in Host::Events.tools() {
        let schema = tool.input_schema();
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        for (name, property) in schema["properties"].as_object().expect("properties") {
            arguments.push(Argument {
                tool,
                name: name.clone(),
                schema: property.clone(),
                is_required: required.contains(&json!(name)),
            });
        }
    }
    arguments
}

impl Argument {
    /// The JSON type: `string`, `number`, …
    fn kind(&self) -> &str {
        match &self.schema["type"] {
            Value::Array(kinds) => kinds[0].as_str().expect("a type"),
            kind => kind.as_str().expect("a type"),
        }
    }

    fn format(&self) -> &str {
        self.schema["format"].as_str().unwrap_or_default()
    }

    /// Whether it narrows what is read.
    fn is_filter(&self) -> bool {
        self.tool.effect.read_only && !self.is_required
    }

    /// Whether it is a text that null clears, and that may be empty.
    fn is_cleared(&self) -> bool {
        let is_nullable = self.schema["type"][1] == "null" && self.schema["minLength"] != 1;
        let is_free = self.format().is_empty() && self.schema.get("pattern").is_none();
        is_nullable && is_free && self.is_text()
    }

    /// Whether it is a list of ids.
    fn lists_ids(&self) -> bool {
        self.schema["items"]["format"] == "uuid"
    }

    /// Whether it is free text.
    fn is_text(&self) -> bool {
        self.kind() == "string"
            && !matches!(self.format(), "uuid" | "date" | "date-time")
            && self.schema.get("enum").is_none()
    }
}

#[test]
fn the_examples_hold_every_argument() {
    let desk = Desk::open();
    for tool in Host::Events.tools() {
        let names = |map: &Map<String, Value>| {
            let mut names: Vec<_> = map.keys().cloned().collect();
            names.sort();
            names
        };
        let schema = tool.input_schema();
        let declared = names(schema["properties"].as_object().expect("properties"));
        let example = desk.example.arguments(tool.name);
        assert_eq!(
            names(example.as_object().expect("arguments")),
            declared,
            "{}",
            tool.name
        );
    }
}

#[test]
fn an_unknown_argument_is_refused_by_every_tool() {
    let mut desk = Desk::open();
    for tool in Host::Events.tools() {
        for unknown in ["colour", "Id", "organization_id", "check_in", ""] {
            let mut arguments = desk.example.arguments(tool.name);
            arguments[unknown] = json!("x");
            let answer = desk.staff.events(tool.name, arguments);
            answer.refuses("invalid_argument", unknown);
            let hint = answer.tool_error()["hint"]
                .as_str()
                .expect("a hint")
                .to_owned();
            let known = tool.input_schema();
            for known in known["properties"].as_object().expect("properties").keys() {
                assert!(hint.contains(known.as_str()), "{}: {hint}", tool.name);
            }
        }
    }
}

#[test]
fn an_example_with_a_dry_run_writes_nothing() {
    let mut desk = Desk::open();
    let event = desk.example.id("event");
    let guests = |desk: &mut Desk| {
        let list = json!({ "event_id": event });
        desk.staff
            .events("list_event_guests", list)
            .output()
            .clone()
    };
    let before = guests(&mut desk);
    for tried in [json!("true"), json!("yes"), json!(1), json!([true])] {
        let arguments =
            json!({ "event_id": event, "guests": [{ "name": "Ana" }], "dry_run": tried });
        let answer = desk.staff.call(Host::Ops, "add_guests", arguments);
        let example = answer.tool_error()["details"]["example"].clone();
        assert_eq!(example["dry_run"], true, "{tried}");
        desk.staff.call(Host::Ops, "add_guests", example).output();
    }
    assert_eq!(guests(&mut desk), before);
}

#[test]
fn each_tool_has_an_example_of_its_required_arguments() {
    for tool in Host::ALL.into_iter().flat_map(Host::tools) {
        let Err(error) = tool.check("{}") else {
            continue;
        };
        let example = error
            .details
            .and_then(|details| details.get("example").cloned());
        let example = example.unwrap_or_else(|| panic!("{tool:?} has no example"));
        let names: Vec<_> = example.as_object().expect("arguments").keys().collect();
        let schema = tool.input_schema();
        let required = schema["required"].as_array().expect("required arguments");
        assert_eq!(json!(names), json!(required), "{tool:?}");
        tool.check(&example.to_string())
            .expect_err("nothing was given, so nothing is asked for");
    }
}

#[test]
fn a_required_argument_that_is_missing_or_null_is_named() {
    let mut desk = Desk::open();
    for argument in arguments().iter().filter(|argument| argument.is_required) {
        let mut arguments = desk.example.arguments(argument.tool.name);
        arguments
            .as_object_mut()
            .expect("an object")
            .remove(&argument.name);
        let answer = desk.staff.events(argument.tool.name, arguments);
        answer.refuses("invalid_argument", &argument.name);
        assert_eq!(answer.tool_error()["message"], "is required");
        desk.refuses(argument, Value::Null);
    }
}

#[test]
fn an_argument_of_another_type_is_named() {
    let mut desk = Desk::open();
    for argument in &arguments() {
        let others = match argument.kind() {
            "string" => [json!(1), json!(true), json!(["x"]), json!({ "x": 1 })],
            "number" | "integer" => [json!("1"), json!(true), json!([1]), json!({})],
            "boolean" => [json!("true"), json!(1), json!([]), json!({})],
            "array" => [json!("x"), json!(1), json!({}), json!([1])],
            "object" => [json!("x"), json!(1), json!([]), json!(true)],
            kind => panic!("{kind}"),
        };
        for other in others {
            desk.refuses(argument, other);
        }
    }
}

#[test]
fn a_nul_character_is_refused_in_every_kind_of_text() {
    let mut desk = Desk::open();
    for argument in arguments()
        .iter()
        .filter(|argument| argument.kind() == "string")
    {
        for text in ["\0", "a\0b", "\\u0000\0"] {
            desk.refuses(argument, json!(text));
        }
    }
    for argument in arguments()
        .iter()
        .filter(|argument| argument.kind() == "object")
    {
        for tags in [
            json!({ "a": "\0" }),
            json!({ "a\0": 1 }),
            json!({ "a": [{ "b": "\0" }] }),
        ] {
            desk.refuses(argument, tags);
        }
    }
    for argument in arguments()
        .iter()
        .filter(|argument| argument.kind() == "array")
    {
        desk.refuses(argument, json!(["\0"]));
    }
}

#[test]
fn text_that_is_too_long_is_named_and_the_longest_is_taken() {
    let mut desk = Desk::open();
    for argument in arguments().iter().filter(|argument| argument.is_text()) {
        let Some(longest) = argument.schema["maxLength"].as_u64() else {
            let have_a_form = ["phone_number", "empties_at"];
            assert!(
                have_a_form.contains(&argument.name.as_str()),
                "{}",
                argument.tool.name
            );
            continue;
        };
        let longest = usize::try_from(longest).expect("a length");
        let text = |length: usize| match argument.format() {
            "uri" => format!("https://example.org/{}", "a".repeat(length - 20)),
            "email" => "é".repeat(length - 12) + "@example.org",
            _ => "é".repeat(length),
        };
        desk.refuses(argument, json!(text(longest + 1)));
        desk.call_with(argument, json!(text(longest))).output();
    }
}

#[test]
fn a_name_must_not_be_empty_and_other_text_may() {
    let mut desk = Desk::open();
    for argument in arguments().iter().filter(|argument| argument.is_text()) {
        if argument.schema["minLength"] == 1 {
            let zero_width = "\u{200b}\u{200d}\u{feff}\u{2060} \u{ad}\u{fe0f}\u{202e}";
            for empty in [
                "",
                " ",
                "\n\t\u{3000}",
                zero_width,
                "\u{2800}",
                "\u{3164}\u{34f}",
            ] {
                if !(argument.is_filter() && empty.trim().is_empty()) {
                    desk.refuses(argument, json!(empty));
                }
            }
        } else if !["uri", "email"].contains(&argument.format())
            && argument.schema.get("pattern").is_none()
        {
            desk.call_with(argument, json!("")).output();
        }
    }
}

#[test]
fn a_filter_that_says_nothing_is_left_out() {
    let mut desk = Desk::open();
    for argument in arguments().iter().filter(|argument| argument.is_filter()) {
        let required = desk.example.required(argument.tool.name);
        let all = desk.staff.events(argument.tool.name, required);
        for nothing in [json!(""), json!("  "), Value::Null] {
            let listed = desk.call_with(argument, nothing);
            let what = format!("{} {}", argument.tool.name, argument.name);
            assert_eq!(listed.result(), all.result(), "{what}");
        }
    }
}

#[test]
fn an_empty_text_clears_a_field_and_says_so() {
    let mut desk = Desk::open();
    let mut cleared = 0;
    for argument in arguments().iter().filter(|argument| argument.is_cleared()) {
        for empty in ["", "  "] {
            let answer = desk.call_with(argument, json!(empty));
            let output = answer.output();
            let what = format!("{} {}: {output}", argument.tool.name, argument.name);
            let said = format!("an empty text clears a field: {};", argument.name);
            assert!(output["warnings"].to_string().contains(&said), "{what}");
            let mut records = output.as_object().into_iter().flatten();
            let record = records.find_map(|(_, record)| record.get(&argument.name));
            assert_eq!(record, Some(&Value::Null), "{what}");
        }
        cleared += 1;
    }
    assert!(cleared > 10, "{cleared}");
}

#[test]
fn a_name_with_other_spaces_is_the_same() {
    let organization = Organization::create();
    let event = organization.event("Launch");
    let mut staff = organization.sign_in(Role::Staff);
    let mut add = |tool: &str, guest: Value| staff.call(Host::Ops, tool, guest).output().clone();
    let guests = |name: &str| json!({ "event_id": event, "guests": [{ "name": name }] });
    add("add_guests", guests("Ana Souza"));
    let again = add("add_guests", guests(" Ana \u{a0} Souza\t"));
    assert_eq!(again["skipped"], 1, "{again}");
}

#[test]
fn a_text_of_one_line_has_no_line_break() {
    let mut desk = Desk::open();
    let is_free =
        |argument: &&Argument| argument.is_text() && argument.schema.get("pattern").is_none();
    for argument in arguments().iter().filter(is_free) {
        let most = argument.schema["maxLength"].as_u64();
        for text in ["Ana\nBia", "Ana\u{2028}Bia"] {
            match argument.format() == "uri" || most.is_some_and(|most| most <= 500) {
                true => desk.refuses(argument, json!(text)),
                false => {
                    desk.call_with(argument, json!(text)).output();
                }
            }
        }
    }
}

#[test]
fn invisible_characters_are_removed_and_in_an_address_refused() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let example = Example::create(&organization, &mut owner);
    let guest = |owner: &mut Http, name: &str, email: &str| {
        let event = example.id("event");
        let arguments = json!({ "event_id": event, "name": name, "email": email });
        owner.events("create_event_guest", arguments)
    };
    let answer = guest(
        &mut owner,
        "A\u{202e}na\u{200b} 👩\u{200d}👧",
        "ana@example.org",
    );
    assert_eq!(answer.output()["guest"]["name"], "Ana 👩\u{200d}👧");
    let id = answer.output()["guest"]["id"].clone();
    let tags = json!({ "ticket_\u{200b}code": "T\u{feff}-1", "with": ["B\u{ad}ia"] });
    let tagged = owner.events("update_event_guest", json!({ "id": id, "tags": tags }));
    let seen = json!({ "ticket_code": "T-1", "with": ["Bia"] });
    assert_eq!(tagged.output()["guest"]["tags"], seen);
    let invisible = "must not contain U+200B, which is invisible";
    for (email, message) in [
        ("bia.\u{200b}melo@example.org", invisible),
        (
            "bia\u{ff20}example.org",
            "must not contain U+FF20, which looks like another character",
        ),
        (
            "bia@ex\u{430}mple.org",
            "must not contain U+0430, which looks like a letter of another script",
        ),
    ] {
        let answer = guest(&mut owner, "Bia", email);
        assert_eq!(answer.tool_error()["field"], "email");
        assert_eq!(answer.tool_error()["message"], message);
    }
    let invited =
        json!({ "email": "bia.\u{200b}melo@example.org", "name": "Bia", "role": "teacher" });
    let answer = owner.call(Host::Staff, "invite_staff", invited);
    assert_eq!(answer.tool_error()["message"], invisible);
}

#[test]
fn a_number_out_of_its_bounds_is_named_and_the_bounds_are_taken() {
    let mut desk = Desk::open();
    let arguments = arguments();
    let numbers = arguments
        .iter()
        .filter(|argument| matches!(argument.kind(), "number" | "integer"));
    for argument in numbers {
        let bounds = (
            argument.schema["minimum"].as_f64(),
            argument.schema["maximum"].as_f64(),
        );
        assert!(
            bounds.0.is_some(),
            "{} {}",
            argument.tool.name,
            argument.name
        );
        for bound in [bounds.0, bounds.1].into_iter().flatten() {
            let beyond = if Some(bound) == bounds.0 {
                bound - 1.0
            } else {
                bound + 1.0
            };
            desk.refuses(argument, json!(beyond));
            desk.call_with(argument, json!(bound)).output();
        }
        if bounds.1.is_some() {
            desk.refuses(argument, json!(1e300));
        }
        desk.refuses(argument, json!(-1e300));
        if argument.kind() == "integer" {
            desk.refuses(argument, json!(1.5));
            desk.call_with(argument, json!(1.0)).output();
        }
    }
}

#[test]
fn a_limit_above_the_maximum_names_the_maximum() {
    let mut desk = Desk::open();
    let lists: Vec<_> = Host::Events
        .tools()
        .filter(|tool| tool.name.starts_with("list_"))
        .collect();
    assert_eq!(lists.len(), 8);
    for tool in lists {
        for limit in [json!(0), json!(101), json!(-1), json!(4_294_967_346_u64)] {
            let mut arguments = desk.example.required(tool.name);
            arguments["limit"] = limit;
            let answer = desk.staff.events(tool.name, arguments);
            answer.refuses("invalid_argument", "limit");
            let message = answer.tool_error()["message"]
                .as_str()
                .expect("a message")
                .to_owned();
            assert!(message.contains("1 to 100"), "{message}");
        }
        // Null is the same as no argument.
        let mut arguments = desk.example.required(tool.name);
        arguments["limit"] = Value::Null;
        arguments["offset"] = Value::Null;
        let answer = desk.staff.events(tool.name, arguments);
        assert_eq!(
            (&answer.output()["limit"], &answer.output()["offset"]),
            (&json!(50), &json!(0))
        );
    }
}

#[test]
fn an_id_must_be_a_uuid() {
    let mut desk = Desk::open();
    for argument in &arguments() {
        let bad = [
            "",
            "1",
            "not-a-uuid",
            "0190a1b2-0000-7000-8000-00000000000",
            "0190a1b2-0000-7000-8000-00000000000g",
        ];
        if argument.format() == "uuid" {
            for bad in bad {
                if !(argument.is_filter() && bad.is_empty()) {
                    desk.refuses(argument, json!(bad));
                }
            }
        }
        if argument.lists_ids() {
            for bad in bad {
                desk.refuses(argument, json!([bad]));
                desk.refuses(argument, json!([Uuid::nil(), bad]));
            }
        }
    }
}

#[test]
fn a_time_must_be_one_that_can_be_stored_and_read_back() {
    let mut desk = Desk::open();
    for argument in &arguments() {
        let bad: &[&str] = match argument.format() {
            "date-time" => &[
                "",
                "now",
                "tomorrow",
                "2026-03-12",
                "10:00",
                "2026-03-12T10:00:00",
                "2026-13-12T10:00:00Z",
                "2026-02-30T10:00:00Z",
                "2026-03-12T25:00:00Z",
                "infinity",
                "-infinity",
                "1773309600",
                "-000044-03-15T12:00:00Z",
                "-004713-01-01T00:00:00Z",
                "-009999-06-01T00:00:00Z",
                "0000-06-01T00:00:00Z",
                "+010000-06-01T00:00:00Z",
            ],
            "date" => &[
                "",
                "today",
                "2026-13-01",
                "2026-02-30",
                "12/03/2026",
                "infinity",
                "-000044-03-15",
                "-009999-06-01",
                "0000-06-01",
                "+010000-01-01",
            ],
            _ => continue,
        };
        for bad in bad {
            desk.refuses(argument, json!(bad));
        }
    }
}

#[test]
fn an_unknown_status_is_named_with_those_that_there_are() {
    let mut desk = Desk::open();
    let arguments = arguments();
    let closed: Vec<_> = arguments
        .iter()
        .filter(|argument| argument.schema.get("enum").is_some())
        .collect();
    let names: Vec<_> = closed
        .iter()
        .map(|argument| (argument.tool.name, argument.name.as_str()))
        .collect();
    assert_eq!(
        names,
        [
            ("list_event_tasks", "status"),
            ("create_event_task", "status"),
            ("update_event_task", "status"),
            ("list_movements", "verdict"),
            ("record_movement", "direction"),
            ("record_movement", "source"),
            ("record_movement", "decided"),
        ]
    );
    for argument in closed {
        let words = argument.schema["enum"].as_array().expect("words").iter();
        let words: Vec<_> = words.filter_map(Value::as_str).collect();
        let unknown = ["", "Todo", "doing", "done ", "todo,done"];
        for unknown in unknown.into_iter().skip(argument.is_filter().into()) {
            let answer = desk.call_with(argument, json!(unknown));
            answer.refuses("invalid_argument", &argument.name);
            let message = answer.tool_error()["message"]
                .as_str()
                .expect("a message")
                .to_owned();
            assert!(message.contains(&words.join(", ")), "{message}");
        }
    }
}

#[test]
fn an_argument_given_twice_is_named() {
    let mut desk = Desk::open();
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"get_event",
            "arguments":{{"id":{0},"id":{0}}}}}}}"#,
        desk.example.id("event")
    );
    desk.staff
        .send(Host::Events, body)
        .refuses("invalid_argument", "id");
}

#[test]
fn half_a_surrogate_pair_is_refused() {
    let mut desk = Desk::open();
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"create_event_task",
            "arguments":{{"event_id":{},"title":"\ud800"}}}}}}"#,
        desk.example.id("event")
    );
    desk.staff
        .send(Host::Events, body)
        .refuses("invalid_argument", "title");
}

#[test]
fn the_id_of_another_organisation_is_as_good_as_none() {
    let mut own = Desk::open();
    let foreign = Desk::open();
    for argument in &arguments() {
        let theirs = foreign.example.arguments(argument.tool.name)[&argument.name].clone();
        let (theirs, nobodys) = match argument.kind() {
            "string" if argument.format() == "uuid" => (theirs, json!(Uuid::now_v7())),
            "array" if argument.lists_ids() => (theirs, json!([Uuid::now_v7()])),
            _ => continue,
        };
        let theirs = own.call_with(argument, theirs);
        let nobodys = own.call_with(argument, nobodys);
        let what = format!("{} {}", argument.tool.name, argument.name);
        if argument.tool.effect.read_only {
            // Read-level security filters: nothing is found.
            assert_eq!(theirs.output(), nobodys.output(), "{what}");
        } else {
            assert_eq!(theirs.tool_error(), nobodys.tool_error(), "{what}");
            theirs.refuses("not_found", &argument.name);
        }
    }
}
