//! What a server has beside its tools: its page, resources and prompts.

use std::path::Path;

use frontdesk_client::Config;
use frontdesk_protocol::Role;
use frontdesk_tests::{Desk, Era, Foreign, School, row, selected};

/// Opens the page of a server called `notes`.
fn at_the_page(foreign: &Foreign) -> Desk {
    let school = School::new();
    let mut t = school.desk(Role::Staff).config(foreign.config()).at_home();
    t.press("t /").enter("notes").press("/ ctrl-u");
    t.type_text("notes list_notes")
        .press("ctrl-s")
        .expect_path("› notes");
    t
}

/// Opens the list of its resources.
fn at_the_resources(foreign: &Foreign) -> Desk {
    let mut t = at_the_page(foreign);
    t.select("Resources")
        .press("enter")
        .expect_path("› Resources");
    t
}

#[test]
fn the_page_of_a_server_says_what_it_is_and_offers() {
    let foreign = Foreign::start();
    at_the_page(&foreign)
        .expect_head("notes 1  2025-11-25 · with a handshake")
        .expect_head("announces logging, completions, prompts, resources (subscribe), tools")
        .expect_row(row("Resources").with("4 resources and templates"))
        .expect_row(row("Prompts").with("1 prompt"))
        .expect_panel("Instructions", "Ask before you delete one.");
}

#[test]
fn a_resource_is_read_as_what_it_is() {
    let foreign = Foreign::start();
    let mut t = at_the_resources(&foreign);
    t.text_snapshot("resources");
    t.select("First note").press("enter");
    t.expect_path("› First note").expect("Edition 0.");
    t.press("Y");
    assert_eq!(t.copied(), ["frontdesk read notes notes://1"]);
    t.expect_toast("Copied as a command line");
    t.press("esc").select("guests").press("enter");
    t.expect_row(selected("Ana").with("7"))
        .expect_row(row("Bia").with("12"));
    t.press("w").expect_toast("frontdesk-guests.csv");
    t.press("esc").select("logo").press("enter");
    t.expect_row(row("image/png")).expect_row(row("3"));
}

#[test]
fn a_template_asks_for_its_variables_and_completes_them() {
    let foreign = Foreign::start();
    let mut t = at_the_resources(&foreign);
    t.select("Notes of an author").press("enter");
    t.expect_path("› notes://of/{author}{?tag*}");
    t.press("enter").expect_row(selected("Ana"));
    t.search("An")
        .expect_row(row("Anton"))
        .expect_no("Bia")
        .select("Anton");
    t.press("enter down ctrl-a").type_text("old");
    t.press("enter ctrl-s")
        .expect("read notes://of/Anton?tag=old");
}

#[test]
fn a_resource_on_screen_is_read_again_when_it_changes() {
    let foreign = Foreign::start();
    let mut t = at_the_resources(&foreign);
    t.select("First note").press("enter").expect("Edition 0.");
    assert_eq!(foreign.watched(), ["notes://1"]);
    foreign.edit();
    t.hears("Edition 1.");
    t.press("esc");
    foreign.unwatched();
}

#[test]
fn a_prompt_is_filled_in_and_its_messages_are_shown_as_returned() {
    let foreign = Foreign::start();
    let mut t = at_the_page(&foreign);
    t.select("Prompts").press("enter").expect_path("› Prompts");
    t.press("enter").expect_path("› summary");
    t.expect_row(selected("Author *")).press("enter");
    t.press("enter ctrl-s").expect_path("› Summary of notes");
    t.expect_row(selected("user").with("Sum up what Ana wrote."))
        .expect_row(row("assistant").with("Gladly."));
    t.press("y").expect_toast("Copied as JSON");
    assert!(t.copied()[0].contains("\"role\": \"assistant\""));
    t.press("w").expect_toast("frontdesk-");
}

#[test]
fn enter_on_a_link_in_a_result_reads_the_resource() {
    let foreign = Foreign::start();
    let mut t = at_the_page(&foreign);
    t.press("esc / ctrl-u").type_text("notes sketch");
    t.press("enter").select("first note").press("enter");
    t.expect("Edition 0.").expect_path("› notes://1");
}

#[test]
fn a_tool_that_has_changed_is_told_and_asked_about_before_its_next_call() {
    let foreign = Foreign::start();
    let t = at_the_page(&foreign);
    foreign.change();
    // It is noticed at the next start as well.
    let mut t = t.crash().at_home();
    t.press("t /").enter("notes").press("/ ctrl-u");
    t.type_text("notes write_note")
        .expect_row(row("! has changed since you accepted it"));
    t.press("ctrl-s")
        .expect_row(row("write_note").with("! changed"))
        .select("write_note")
        .expect_panel("write_note", "+ Keeps a note, and sends it to a friend.")
        .expect_panel("write_note", "- Keeps a note.");
    t.press("esc enter").type_text("Chairs").press("ctrl-s");
    t.expect_title("Call write_note, which has changed?")
        .expect_row(row("+ Keeps a note, and sends it to a friend."));
    t.press("n ctrl-s").expect_title("which has changed?");
    assert!(foreign.called().is_empty());
    t.press("y").expect_title("Call write_note?");
    t.press("y").expect_row(row("kept"));
    t.press("esc ctrl-s").expect_title("Call write_note?");
}

#[test]
fn changes_of_tools_are_accepted_on_the_page_of_their_server() {
    let foreign = Foreign::start();
    let mut t = at_the_page(&foreign);
    foreign.change();
    t.hears("Changed since")
        .press("a")
        .expect_no("Changed since");
    let mut t = t.crash().at_home();
    t.press("t /").enter("notes").press("/ ctrl-u");
    t.type_text("notes list_notes").press("ctrl-s");
    t.expect_row(row("Tools")).expect_no("Changed since");
}

#[test]
fn a_call_that_became_a_task_survives_the_end_of_the_app() {
    for era in [Era::Handshake, Era::Discover] {
        let foreign = Foreign::start_in(era);
        let mut t = at_the_page(&foreign);
        t.press("esc / ctrl-u").type_text("notes print");
        t.press_at_once("enter").hears("page 3 is working");
        let mut t = t.crash().at_home();
        t.press("t /").enter("notes").press("/ ctrl-u");
        t.type_text("notes print")
            .press("ctrl-s")
            .select("Tasks")
            .press("enter");
        t.expect_row(selected("print").with("working"));
        foreign.finish();
        t.press("enter").expect("all notes are printed");
        t.press("esc esc r").expect_no("begun call");
    }
}

#[test]
fn a_task_that_nobody_waits_for_goes_on() {
    for era in [Era::Handshake, Era::Discover] {
        let foreign = Foreign::start_in(era);
        let mut t = at_the_page(&foreign);
        t.press("esc / ctrl-u").type_text("notes print");
        t.press_at_once("enter").hears("page 3 is working");
        t.expect("leaves the task").press("esc");
        t.expect_toast("The task goes on: see Tasks on the page of notes")
            .expect_no("Outcome unknown");
        t.press("esc / ctrl-u");
        t.type_text("notes print")
            .press("ctrl-s")
            .select("Tasks")
            .press("enter");
        t.expect_row(selected("print").with("working"));
        // Waiting for it again is left as well.
        t.press_at_once("enter").hears("page 3 is working");
        t.press("esc")
            .expect_toast("The task goes on: see Tasks on the page of notes");
    }
}

#[test]
fn the_page_shows_the_log_from_the_chosen_level_on() {
    for era in [Era::Handshake, Era::Discover] {
        let foreign = Foreign::start_in(era);
        let mut t = at_the_page(&foreign);
        let index = |t: &mut Desk| {
            t.press("esc / ctrl-u").enter("notes index");
            t.press_at_once("ctrl-s").hears("1 of 3 · reading");
            t.press("esc");
            foreign.cancelled();
            t.press("esc ctrl-s").expect_path("› notes");
        };
        t.expect("Log: info and worse");
        index(&mut t);
        t.expect_row(row("! warning").with("index: two notes are damaged"))
            .expect_no("note 1 is read");
        t.press("+").expect("Log: debug and worse");
        index(&mut t);
        t.expect_row(row("debug").with("index: note 1 is read"));
        t.press("- - - -").expect("Log: error and worse");
        let why = t.press("- - -").cannot_run("server.log_less");
        assert!(why.ends_with("this is the last level"), "{why}");
        t.press("v").expect_path("› Messages");
    }
}

#[test]
fn a_task_is_ended_from_the_list() {
    let foreign = Foreign::start();
    let mut t = at_the_page(&foreign);
    t.press("esc / ctrl-u").type_text("notes print");
    t.press_at_once("enter").hears("page 3 is working");
    let mut t = t.crash().at_home();
    t.press("t /").enter("notes").press("/ ctrl-u");
    t.type_text("notes print").press("ctrl-s").select("Tasks");
    t.press("enter").expect_row(selected("print"));
    t.press("d")
        .expect_toast("Ended the task")
        .expect_no("print ");
}

#[test]
fn every_message_is_listed_searched_opened_copied_and_repeated() {
    let foreign = Foreign::start();
    let mut t = at_the_resources(&foreign);
    t.select("First note").press("enter").expect("Edition 0.");
    t.press("esc esc tab").expect("[Messages]");
    t.expect_row(row("→ request").with("resources/read notes://1"));
    t.press("/")
        .type_text("notes://1 read")
        .expect("2 messages");
    t.press("enter down enter")
        .expect("\"method\": \"resources/read\"");
    t.press("y").expect_toast("Copied as JSON");
    assert!(t.copied()[0].contains("\"uri\": \"notes://1\""));
    foreign.edit();
    t.press("a").expect("Edition 1.");
    // The repeated request is there, too, as soon as the tab looks again.
    t.press("esc esc").seconds(1).expect("4 messages");
    // A search goes on outside the loop. What was listed stays until its end, and only the last one counts.
    t.press("esc /").press_at_once("q").expect("· searching…");
    t.press_at_once("backspace").settle();
    t.expect_row(row("resources/read notes://1"))
        .expect_no("searching");
    t.press("esc f f f").expect("· notifications ");
    t.expect_row(selected("→ notification"))
        .expect_no("→ request");
    t.press("esc D").expect("0 messages");
    t.press("tab").expect("[Page]");
}

#[test]
fn a_server_is_started_again_from_its_page() {
    let foreign = Foreign::start();
    let mut t = at_the_page(&foreign);
    t.press("tab /").type_text("initialized");
    t.expect("1 message ").press("enter R").seconds(1);
    t.expect("2 messages ");
}

/// A server in a shell, whose tool takes these properties.
fn shell_server(path: &Path, tool: &str, properties: &str) {
    let script = format!(
        r#"while read -r line; do
  id=$(printf '%s' "$line" | sed 's/.*"id":\([0-9]*\).*/\1/')
  case "$line" in
    *server/discover*) r='"resultType":"complete","supportedVersions":["2026-07-28"],"ttlMs":0,"cacheScope":"private","capabilities":{{"tools":{{}}}},"serverInfo":{{"name":"own","version":"1"}}' ;;
    *tools/list*) r='"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[{{"name":"{tool}","inputSchema":{{"type":"object","properties":{properties}}}}}]' ;;
    *) continue ;;
  esac
  printf '{{"jsonrpc":"2.0","id":%s,"result":{{%s}}}}\n' "$id" "$r"
done
"#
    );
    std::fs::write(path, script).expect("it is written");
}

#[test]
fn a_server_is_started_again_when_its_file_changes_and_the_open_form_follows() {
    let school = School::new();
    let setup = school.desk(Role::Staff);
    let file = setup.directory().join("own.sh");
    shell_server(&file, "say", r#"{"text":{"type":"string"}}"#);
    let config = format!("[servers.own]\ncommand = [\"/bin/sh\", {file:?}]\nwatch = [{file:?}]\n");
    let config = Config::parse(&config, Path::new("config.toml")).expect("a configuration");
    let mut t = setup.config(config).at_home();
    t.press("t /").enter("own").press("/ ctrl-u");
    t.enter("own say").expect_path("› say");
    t.press("enter").type_text("good morning");
    shell_server(
        &file,
        "say",
        r#"{"text":{"type":"string"},"loudly":{"type":"boolean"}}"#,
    );
    t.hears("own was started again: ! say");
    t.expect_toast("own was started again: ! say");
    t.expect("Loudly").expect("good morning");
    // The toast goes before the next one.
    t.seconds(10);
    shell_server(&file, "shout", "{}");
    t.hears("own was started again: - say, + shout");
    t.expect_toast("own was started again: - say, + shout");
    // Its author knows: no question about changed tools, and the page shows them.
    t.press("esc y / ctrl-u").type_text("own shout");
    t.press("ctrl-s")
        .expect("Changed when it was started again");
    t.select("say").expect_panel("say", "- writes");
}
