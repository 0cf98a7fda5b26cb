//! Odd tools, results and numbers: the good ones stay, digits stay, and what is left out is named.

use serde_json::{Value, json};

use super::child;
use super::foreign::Foreign;

/// A tool, the JSON of its result, and what `call` writes with `-o json`, `table` and `csv`.
struct Kind(&'static str, &'static str, [&'static str; 3]);

const NUMBERS: &str = r#"{"n":123456789012345678901234567890,"m":-98765432109876543210.5,"s":0.1234567890123456789,"c":1.10,"e":1e3}"#;

const RESULTS: [Kind; 13] = [
    Kind(
        "unknown-block",
        r#"{"content":[{"type":"text","text":"ok"},{"type":"chart","series":[1, 2]}]}"#,
        [
            // Byte for byte.
            r#"{"content":[{"type":"text","text":"ok"},{"type":"chart","series":[1, 2]}]}"#,
            "type   text  series\ntext   ok\nchart        [1,2]",
            "type,text,series\ntext,ok,\nchart,,\"[1,2]\"",
        ],
    ),
    Kind(
        "image-without-type",
        r#"{"content":[{"type":"image","data":"iVBORw0KGgo="}]}"#,
        [
            r#"{"content":[{"type":"image","data":"iVBORw0KGgo="}]}"#,
            "type   mime_type  bytes\nimage  image/png  8",
            "type,mime_type,bytes\nimage,image/png,8",
        ],
    ),
    Kind(
        "null-text",
        r#"{"content":[{"type":"text","text":null},{"type":"text","text":"ok"}]}"#,
        [
            r#"{"content":[{"type":"text","text":null},{"type":"text","text":"ok"}]}"#,
            "type  text\ntext\ntext  ok",
            "type,text\ntext,\ntext,ok",
        ],
    ),
    Kind(
        "number-text",
        r#"{"content":[{"type":"text","text":7}]}"#,
        ["\"7\"", "7", "7"],
    ),
    Kind(
        "one-block",
        r#"{"content":{"type":"text","text":"ok"}}"#,
        ["\"ok\"", "ok", "ok"],
    ),
    Kind(
        "text-content",
        r#"{"content":"ok"}"#,
        ["\"ok\"", "ok", "ok"],
    ),
    Kind("nothing", "null", ["null", "", ""]),
    Kind(
        "old",
        r#"{"toolResult":{"a":1}}"#,
        [r#"{"a":1}"#, "a  1", "a\n1"],
    ),
    Kind(
        "list",
        r#"{"content":[],"structuredContent":[{"a":1},{"a":2}]}"#,
        [r#"[{"a":1},{"a":2}]"#, "a\n1\n2", "a\n1\n2"],
    ),
    Kind(
        "error-as-text",
        r#"{"content":[{"type":"text","text":"ok"}],"isError":"false"}"#,
        ["\"ok\"", "ok", "ok"],
    ),
    Kind(
        "digits-as-text",
        r#"{"content":[{"type":"text","text":"1.10"}]}"#,
        ["\"1.10\"", "1.10", "1.10"],
    ),
    Kind(
        "beside",
        r#"{"content":[{"type":"text","text":"look twice"}],"structuredContent":{"a":1}}"#,
        [r#"{"a":1}"#, "a  1", "a\n1"],
    ),
    Kind(
        "numbers",
        r#"{"content":[],"structuredContent":{"n":123456789012345678901234567890,"m":-98765432109876543210.5,"s":0.1234567890123456789,"c":1.10,"e":1e3}}"#,
        [
            NUMBERS,
            "n  123456789012345678901234567890\nm  -98765432109876543210.5\ns  0.1234567890123456789\nc  1.10\ne  1e3",
            "n,m,s,c,e\n123456789012345678901234567890,-98765432109876543210.5,0.1234567890123456789,1.10,1e3",
        ],
    ),
];

/// The list of the odd server.
pub(super) fn tools() -> Value {
    let plain = json!({ "type": "object" });
    let results = RESULTS
        .iter()
        .map(|Kind(name, ..)| json!({ "name": name, "inputSchema": plain }));
    let echo = json!({ "type": "object", "properties": {
        "id": { "type": "integer" }, "amount": { "type": "number" } } });
    let odd = [
        json!({ "name": "echo", "inputSchema": echo }),
        json!({ "name": "echo", "description": "Again." }),
        json!({ "name": "ask" }),
        json!({ "name": "no schema" }),
        json!({ "name": "null schema", "inputSchema": null, "title": null, "annotations": null }),
        json!({ "name": "true schema", "inputSchema": true, "outputSchema": true }),
        json!({ "name": "text schema", "inputSchema": { "type": "string" } }),
        json!({ "name": "type list", "inputSchema": { "type": ["object", "null"] } }),
        json!({ "name": "property list", "inputSchema": { "type": "object", "properties": [] } }),
        json!({ "name": "text hint", "annotations": { "readOnlyHint": "true" } }),
        json!({ "name": "strict", "outputSchema": { "type": "object", "properties": {
            "files": { "items": { "properties": { "bytes": { "type": "integer" } } } } } } }),
        json!({ "description": "It has no name." }),
        json!("a text"),
    ];
    json!({ "tools": results.chain(odd).collect::<Vec<_>>() })
}

/// The answer of the odd server to a call, which came as this line.
pub(super) fn answer(line: &str, request: &Value) -> String {
    let name = request["params"]["name"].as_str().expect("a tool");
    let found = RESULTS.iter().find(|Kind(tool, ..)| *tool == name);
    let files = json!({ "content": [], "structuredContent": { "files": [{ "bytes": "many" }] } });
    let result = match found {
        None if name == "strict" => files.to_string(),
        Some(Kind(_, result, _)) => (*result).to_owned(),
        None => json!({ "content": [{ "type": "text", "text": line }] }).to_string(),
    };
    format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":{result}}}",
        request["id"]
    )
}

#[test]
fn odd_results_stay_in_every_format() {
    let foreign = Foreign::start();
    for Kind(tool, _, expected) in RESULTS {
        for (format, expected) in ["json", "table", "csv"].into_iter().zip(expected) {
            let ended = foreign.with_program(child::ODD, &["call", tool, "-o", format]);
            assert_eq!(ended.code, Some(0), "{tool}: {ended:?}");
            let shown: Vec<_> = ended.stdout.lines().map(str::trim_end).collect();
            assert_eq!(shown.join("\n"), expected, "{tool} as {format}");
            let beside = if tool == "beside" {
                "frontdesk: it also says: look twice\n"
            } else {
                ""
            };
            assert_eq!(ended.stderr, beside, "{tool}");
        }
    }
}

#[test]
fn odd_tools_leave_the_others_and_are_named() {
    let foreign = Foreign::start();
    let ended = foreign.with_program(child::ODD, &["tools"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    for name in [
        "echo",
        "no schema",
        "null schema",
        "true schema",
        "text schema",
        "type list",
        "property list",
        "text hint",
    ] {
        assert!(
            ended.stdout.contains(&format!(" {name}")),
            "{name}: {ended:?}"
        );
        let called = foreign.with_program(child::ODD, &["call", name]);
        assert_eq!(called.code, Some(0), "{name}: {called:?}");
    }
    for why in [
        "item 25 of the tools: it has no name",
        "item 26 of the tools: it is not an object",
        "the tool echo is listed twice",
    ] {
        assert!(
            ended.stderr.contains(&format!("left out: {why}")),
            "{why}: {ended:?}"
        );
    }
    let described = foreign.with_program(child::ODD, &["describe", "no schema"]);
    assert!(
        described.stdout.contains("frontdesk call 'no schema' -- "),
        "{described:?}"
    );
}

#[test]
fn numbers_are_sent_with_their_digits() {
    let foreign = Foreign::start();
    for (argument, sent) in [
        (
            "id=123456789012345678901234567890",
            r#"{"id":123456789012345678901234567890}"#,
        ),
        ("id=1e3", r#"{"id":1e3}"#),
        ("amount=100.10", r#"{"amount":100.10}"#),
        (
            "amount:=0.1234567890123456789",
            r#"{"amount":0.1234567890123456789}"#,
        ),
    ] {
        let ended = foreign.with_program(child::ODD, &["call", "echo", argument, "-o", "text"]);
        assert!(
            ended.stdout.contains(&format!("\"arguments\":{sent}")),
            "{argument}: {ended:?}"
        );
    }
    let ended = foreign.with_program(child::ODD, &["call", "echo", "id=0.5"]);
    ended.fails(2, "id must be a whole number");
}

#[test]
fn a_result_that_contradicts_its_schema_says_where() {
    let foreign = Foreign::start();
    let said =
        "the result contradicts the tool's output schema: files[0].bytes must be a whole number";
    let ended = foreign.with_program(child::ODD, &["call", "strict"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(ended.stdout, "{\"files\":[{\"bytes\":\"many\"}]}\n");
    assert!(ended.stderr.contains(said), "{ended:?}");
    let ended = foreign.with_program(child::ODD, &["call", "strict", "--strict"]);
    assert_eq!(ended.code, Some(10), "{ended:?}");
    assert!(ended.stderr.contains(said), "{ended:?}");
}
