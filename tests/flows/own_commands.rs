//! Commands of the user's own: a program runs with the fields of the selected record, after a question.

use std::fs;
use std::path::Path;

use frontdesk_client::Config;
use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Desk, School, Setup, selected};
use serde_json::json;

/// A school with one project with this title.
fn school(title: &str) -> School {
    let school = School::new();
    let project = json!({ "name": title });
    school
        .colleague(Role::Owner)
        .make(Host::Work, "create_project", project);
    school
}

/// An owner with this `[[commands]]` entry; `DIR` in it is the directory of the test.
fn owner(school: &School, entry: &str) -> Setup {
    let setup = school.desk(Role::Owner);
    let directory = setup.directory().display().to_string();
    let text = format!("[[commands]]\n{}", entry.replace("DIR", &directory));
    setup.config(Config::parse(&text, Path::new("config.toml")).expect("is fine"))
}

fn at_projects(setup: Setup) -> Desk {
    let mut t = setup.at_home();
    t.go_to("projects");
    t
}

/// What the program wrote.
fn written(t: &Desk) -> Option<String> {
    fs::read_to_string(t.directory().join("told")).ok()
}

const TELL: &str = r#"
    name = "Tell"
    key = "ctrl-t"
    on = "projects"
    run = ["/bin/sh", "-c", "printf '%s|' \"$@\" > \"$0\"; echo told", "DIR/told", "name={name}", "--", "{name}"]
"#;

#[test]
fn a_program_gets_each_field_as_one_argument_once_its_command_line_was_confirmed() {
    let school = school("Open; day $(id) 'x'");
    let mut t = at_projects(owner(&school, TELL));
    t.expect_row(selected("Open; day"));
    t.press("ctrl-t")
        .expect_title("Run “Tell”?")
        .expect("$(id)");
    t.press("n");
    assert_eq!(written(&t), None);
    t.press("ctrl-t y")
        .expect_toast("Running “Tell”")
        .expect_toast("“Tell” is done: told")
        .expect_no("Running");
    let title = "Open; day $(id) 'x'";
    let told = format!("name={title}|--|{title}|");
    assert_eq!(written(&t), Some(told));
}

#[test]
fn the_menu_the_palette_and_the_help_have_it_where_it_applies() {
    let school = school("Show");
    let mut t = at_projects(owner(&school, TELL));
    t.press("space").expect("Tell…").press("esc");
    t.press("?")
        .type_text("tell")
        .expect("Your commands")
        .press("esc");
    t.press("enter").go_to("tell");
    t.expect_title("Run “Tell”?").press("esc").press("esc");
    t.go_to("courses");
    t.press("ctrl-t").expect_no("Run “Tell”?");
}

#[test]
fn a_value_that_could_be_an_option_is_refused_unless_the_line_ends_its_options() {
    let school = school("-rf");
    let tell = r#"
        name = "Tell"
        key = "ctrl-t"
        run = ["/bin/sh", "-c", "printf '%s|' \"$@\" > \"$0\"", "DIR/told", "{name}"]
    "#;
    let mut t = at_projects(owner(&school, tell));
    t.press("ctrl-t")
        .expect_toast("Tell not run: -rf could be taken for an option");
    let mut t = at_projects(owner(&school, TELL));
    t.press("ctrl-t y")
        .expect_toast("Running “Tell”")
        .expect_toast("“Tell” is done");
    assert_eq!(written(&t).as_deref(), Some("name=-rf|--|-rf|"));
}

#[test]
fn a_record_without_the_field_and_a_program_that_fails_say_so() {
    let school = school("Show");
    let due = r#"
        name = "Due"
        key = "ctrl-t"
        run = ["echo", "{no_such_field}"]
    "#;
    let mut t = at_projects(owner(&school, due));
    t.press("ctrl-t")
        .expect_toast("Due not run: projects have no field `no_such_field`");
    let fails = r#"
        name = "Break"
        key = "ctrl-t"
        run = ["/bin/sh", "-c", "echo first; echo out of paper >&2; exit 3"]
    "#;
    let mut t = at_projects(owner(&school, fails));
    t.press("ctrl-t y")
        .expect_toast("Running “Break”")
        .expect_toast("“Break” failed: it ended with status 3: out of paper (2 lines");
    t.go_to("messages of servers");
    t.expect("first");
    let missing = "name = \"Miss\"\nkey = \"ctrl-t\"\nrun = [\"no-such-program\"]";
    let mut t = at_projects(owner(&school, missing));
    t.press("ctrl-t y")
        .expect_toast("Running “Miss”")
        .expect_toast("“Miss” did not run: no-such-program: No such file");
}
