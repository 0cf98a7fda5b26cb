//! Output formats, and lists read to their end.

use frontdesk_protocol::Role;
use frontdesk_protocol::text::is_invisible;
use frontdesk_tests::hostile;
#[cfg(unix)]
use frontdesk_tests::{Pty, program::program};
use frontdesk_tests::{run, world};

use crate::commands::stage::Stage;

fn guests(stage: &Stage, arguments: &[&str]) -> String {
    let event = format!("event_id={}", stage.event);
    let command = ["call", "events", "list_event_guests", &event];
    let arguments: Vec<_> = command
        .into_iter()
        .chain(arguments.iter().copied())
        .collect();
    let ended = stage.frontdesk(&arguments);
    assert_eq!(
        (ended.code, ended.stderr.as_str()),
        (Some(0), ""),
        "{ended:?}"
    );
    ended.stdout
}

/// The output in a terminal of this width.
#[cfg(unix)]
fn on_terminal(stage: &Stage, columns: u16, arguments: &[&str]) -> String {
    typed_on_terminal(stage, columns, "", arguments)
}

/// The same after these lines were typed.
#[cfg(unix)]
fn typed_on_terminal(stage: &Stage, columns: u16, lines: &str, arguments: &[&str]) -> String {
    let mut command = portable_pty::CommandBuilder::new(program("frontdesk"));
    command.args(["--url", &world().url(), "--home"]);
    command.arg(stage.directory());
    command.args(arguments);
    command.env("HOME", stage.directory());
    let mut terminal = Pty::open(columns, 24);
    terminal.keyboard.type_text(lines);
    let mut child = terminal.slave.spawn_command(command).expect("it starts");
    child.wait().expect("it ends");
    // The output ends if the program's side is closed.
    drop(terminal.slave);
    let shown = terminal.output.iter().flat_map(|(_, chunk)| chunk);
    let shown: Vec<u8> = shown.collect();
    String::from_utf8(shown).expect("text")
}

fn names(stage: &Stage, names: &[String]) {
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    run(stage.organization.guests(stage.event, &names));
}

#[test]
fn json_is_one_line() {
    let stage = Stage::of(Role::Staff);
    names(&stage, &["Zoë".to_owned()]);
    let written = guests(&stage, &[]);
    assert_eq!(written.lines().count(), 1);
    let value: serde_json::Value = serde_json::from_str(&written).expect("JSON");
    assert_eq!(value["guests"][0]["name"], "Zoë");
    assert_eq!(value["has_more"], false);
}

#[cfg(unix)]
#[test]
fn on_a_terminal_the_json_of_no_command_controls_it() {
    let stage = Stage::of(Role::Staff);
    let server = hostile::configuration(&hostile::address());
    let calls = stage.directory().join("calls.toml");
    std::fs::write(stage.directory().join("config.toml"), server).expect("it is written");
    std::fs::write(&calls, "[[call]]\nserver = \"hostile\"\ntool = \"large\"\n")
        .expect("it is written");
    let calls = calls.to_str().expect("text");
    for command in [
        &["tools", "hostile"][..],
        &["describe", "hostile", "secret"],
        &["call", "hostile", "noisy"],
        &["call", "hostile", "large"],
        &["resources", "hostile"],
        &["read", "hostile", "evil://1"],
        &["prompts", "hostile"],
        &["prompt", "hostile", "evil"],
        &["complete", "hostile", "evil", "argument"],
        &["tasks"],
        &["check", calls],
        &["diff", "hostile", "events"],
        &["doctor", "hostile"],
        &["history"],
    ] {
        let arguments = [&["--json"], command].concat();
        let shown = on_terminal(&stage, 100, &arguments);
        let is_unsafe =
            |char: &char| char.is_control() && !"\r\n".contains(*char) || is_invisible(*char);
        let found = shown.chars().position(|char| is_unsafe(&char));
        let around: String = shown
            .chars()
            .skip(found.unwrap_or(0).saturating_sub(40))
            .take(80)
            .collect();
        assert_eq!(found, None, "{command:?}: {around:?}");
        // A table of tools has 5,000; what is refused says so.
        assert!(!shown.is_empty(), "{command:?}");
    }
}

#[test]
fn csv_and_markdown_have_a_header_and_a_line_for_each_record() {
    let stage = Stage::of(Role::Staff);
    names(&stage, &["Müller, Zoë".to_owned(), "a|b".to_owned()]);
    let csv = guests(&stage, &["--output", "csv"]);
    let lines: Vec<_> = csv.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0].starts_with("name,"), "{csv}");
    assert!(lines[2].starts_with("\"Müller, Zoë\","), "{csv}");
    let markdown = guests(&stage, &["--output", "markdown"]);
    let lines: Vec<_> = markdown.lines().collect();
    assert_eq!(lines.len(), 4);
    assert!(lines[2].starts_with("| a\\|b |"), "{markdown}");
}

#[test]
fn a_table_has_its_columns_below_each_other() {
    let stage = Stage::of(Role::Staff);
    names(&stage, &["Ana".to_owned(), "王小明".to_owned()]);
    let table = guests(&stage, &["--output", "table"]);
    let lines: Vec<_> = table.lines().collect();
    assert!(lines[0].starts_with("name"), "{table}");
    assert!(lines[1].starts_with("Ana"), "{table}");
    assert!(lines[2].starts_with("王小明"), "{table}");
}

#[test]
fn all_follows_the_pages_to_the_end_as_one_result() {
    let stage = Stage::of(Role::Staff);
    let all: Vec<_> = (0..7).map(|number| format!("Guest {number}")).collect();
    names(&stage, &all);
    let written = guests(&stage, &["--all", "limit=3"]);
    let value: serde_json::Value = serde_json::from_str(&written).expect("one JSON document");
    let listed = value["guests"].as_array().expect("guests");
    let listed: Vec<_> = listed
        .iter()
        .map(|guest| guest["name"].as_str().expect("a name"))
        .collect();
    assert_eq!(listed, all);
    let csv = guests(&stage, &["--all", "limit=3", "--output", "csv"]);
    assert_eq!(csv.lines().count(), 8, "{csv}");
    let rest = guests(&stage, &["--all", "limit=3", "offset=5", "--output", "csv"]);
    assert_eq!(rest.lines().count(), 3, "{rest}");
}

#[test]
fn columns_are_chosen_in_every_table_and_a_missing_one_is_named() {
    let stage = Stage::of(Role::Staff);
    names(&stage, &["Zoë".to_owned()]);
    let chosen = guests(&stage, &["--columns", "role,name", "-o", "csv"]);
    assert_eq!(chosen, "role,name\n,Zoë\n");
    let chosen = guests(&stage, &["--columns", "name"]);
    assert_eq!(chosen, "name\nZoë\n", "a table");

    let event = format!("event_id={}", stage.event);
    let call = ["call", "events", "list_event_guests", &event, "--columns"];
    let ended = stage.frontdesk(&[&call[..], &["nam,name"]].concat());
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let said = "frontdesk: no record has a field `nam`; did you mean `name`?\n";
    assert_eq!(ended.stderr, said);
    stage
        .frontdesk(&[&call[..], &["name", "-o", "json"]].concat())
        .fails(2, "--columns needs -o table, csv or markdown");
}

#[test]
fn a_result_is_saved_whole_or_not_at_all() {
    let stage = Stage::of(Role::Staff);
    names(&stage, &["Zoë".to_owned()]);
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("guests.csv");
    let path = file.to_str().expect("text");
    for more in [&[][..], &["--all"]] {
        let chosen = [
            "--columns",
            "name",
            "-o",
            "csv",
            "--save",
            path,
            "--overwrite",
        ];
        let ended = guests(&stage, &[&chosen[..], more].concat());
        assert_eq!(ended, "", "stdout is empty");
        let saved = std::fs::read_to_string(&file).expect("it is there");
        assert_eq!(saved, "name\nZoë\n");
    }
    let id = format!("id={}", stage.event);
    let call = ["call", "events", "get_event", &id, "--save"];
    let nowhere = directory.path().join("no").join("such.json");
    let nowhere = nowhere.to_str().expect("text");
    stage
        .frontdesk(&[&call[..], &[nowhere]].concat())
        .fails(1, &format!("frontdesk: {nowhere}: "));
    stage
        .frontdesk(&[&call[..], &[path]].concat())
        .fails(2, "it exists; give another name, or --overwrite");
    #[cfg(unix)]
    stage
        .frontdesk(&[&call[..], &["/dev/full", "--overwrite"]].concat())
        .fails(2, "--save /dev/full: it is not a regular file");
    let left = std::fs::read_dir(directory.path()).expect("it is there");
    assert_eq!(left.count(), 1, "no temporary file is left");
}

#[cfg(unix)]
#[test]
fn a_table_fits_the_terminal_unless_all_of_it_is_wanted() {
    let stage = Stage::of(Role::Staff);
    names(&stage, &["Zoë Müller".to_owned()]);
    let event = format!("event_id={}", stage.event);
    let call = ["call", "events", "list_event_guests", &event, "-o", "table"];
    let table = on_terminal(&stage, 70, &call);
    let rows: Vec<_> = table.lines().take(2).collect();
    assert!(rows[0].starts_with("name"), "{table}");
    assert!(rows.iter().all(|row| row.chars().count() <= 70), "{table}");
    assert!(table.contains("frontdesk: not shown: "), "{table}");
    let full = on_terminal(&stage, 70, &[&call[..], &["--full"]].concat());
    let first = full.lines().next().unwrap_or_default();
    assert!(
        first.contains("phone_number") && first.contains("event_id"),
        "{full}"
    );
    assert!(!full.contains("not shown"), "{full}");
}

#[cfg(unix)]
#[test]
fn a_missing_argument_is_asked_for_in_a_terminal() {
    let stage = Stage::of(Role::Staff);
    let event = format!("event_id={}", stage.event);
    let create = ["call", "events", "create_event_guest", &event];
    let shown = typed_on_terminal(&stage, 80, "\nZoë\n", &create);
    // An empty line is asked again once.
    assert_eq!(shown.matches("name:").count(), 2, "{shown}");
    assert!(guests(&stage, &[]).contains("\"name\":\"Zoë\""), "{shown}");
    let shown = typed_on_terminal(&stage, 80, "\n\n", &create);
    assert!(shown.contains("frontdesk: name is required"), "{shown}");
}
