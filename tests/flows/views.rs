//! What people read at a glance: money with its currency, books with two sides, quizzes with their questions,
//! texts with their formatting, and progress in a course.

use frontdesk_client::Config;
use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Desk, LAUNCH, School, row, selected};
use serde_json::json;

use crate::flows::board::museum;

fn at_the(school: &School, role: Role, kind: &str) -> Desk {
    let mut t = school.desk(role).at_home();
    t.go_to(kind);
    t
}

#[test]
fn an_invoice_has_one_name_and_says_what_is_outstanding() {
    let school = School::new();
    let mut owner = school.colleague(Role::Owner);
    let invoice = json!({
        "billed_to": "Ana", "description": "Spring term", "amount": 1300, "due_on": "2025-04-01",
    });
    let id = &owner.make(Host::Staff, "create_invoice", invoice)["id"];
    owner.make(Host::Staff, "mark_invoice_sent", json!({ "id": id }));
    let payment = json!({ "invoice_id": id, "amount": 100, "paid_on": "2025-03-03" });
    owner.make(Host::Staff, "record_payment", payment);
    let mut t = at_the(&school, Role::Owner, "invoices");
    t.expect_row(selected("1").with("Ana").with("1,200.00 BRL"));
    t.press("enter")
        .expect_head("1 · Ana  invoice")
        .expect_head("1,200.00 BRL outstanding of 1,300.00 BRL");
    // The same name where an invoice is chosen and in the history of changes.
    t.press("C").expect_row(row("1 · Ana"));
}

#[test]
fn an_entry_of_the_journal_has_a_debit_and_a_credit_column() {
    let school = School::new();
    let mut finance = school.colleague(Role::Finance);
    let accounts = [("1000", "Bank", "asset"), ("4000", "Sales", "income")];
    let accounts = accounts.map(|(code, name, kind)| {
        let account = json!({ "code": code, "name": name, "kind": kind });
        finance.make(Host::Financing, "create_account", account)["id"].clone()
    });
    let entry = json!({ "entry_on": "2025-03-05", "description": "Sale", "lines": [
        { "account_id": accounts[0], "side": "debit", "amount": 12.5 },
        { "account_id": accounts[1], "side": "credit", "amount": 12.5 },
    ] });
    finance.make(Host::Financing, "post_journal_entry", entry);
    let mut t = at_the(&school, Role::Finance, "journal entries");
    t.expect_row(selected("Sale")).press("enter");
    t.expect_rows([
        row("Account").with("Debit  Credit"),
        row("Bank").with("12.50"),
        row("Sales").with("         12.50"),
    ]);
    let mut t = school.desk(Role::Finance).at_home();
    t.go_to("get_trial_balance").press("ctrl-s");
    t.expect_row(selected("Bank").with("12.50").with(" 0.00"))
        .expect_row(row("Sales").with("-12.50"));
}

#[test]
fn a_quiz_is_attempted_question_by_question_and_then_says_the_result() {
    let school = School::new();
    let quiz = json!({ "title": "Ownership", "max_attempts": 2, "questions": [
        { "prompt": "Who owns it?", "options": ["Nobody", "One", "All"], "right": 2 },
        { "prompt": "Is it dropped?", "options": ["Yes", "No"], "right": 1 },
    ] });
    school
        .colleague(Role::Teacher)
        .make(Host::Quiz, "create_quiz", quiz);
    let mut t = at_the(&school, Role::Fellow, "quizzes");
    t.press("enter").expect_row(row("1. Who owns it?"));
    t.press("a")
        .expect_row(selected("1. Who owns it?"))
        .press("2");
    t.press("down")
        .expect_row(selected("2. Is it dropped?"))
        .press("1");
    t.press("ctrl-s")
        .expect_head("✓ 2 of 2, passed")
        .expect_rows([
            row("1. Who owns it?"),
            row("→ One"),
            row("2. Is it dropped?"),
            row("→ Yes"),
        ]);
    // Its author sees which answers are right.
    let mut t = at_the(&school, Role::Teacher, "attempts");
    t.expect_row(selected("✓ 2 of 2, passed"))
        .press("enter")
        .expect_row(row("✓ One"));
}

#[test]
fn a_form_that_waits_for_an_answer_stands_on_home_and_is_answered_field_by_field() {
    let school = School::launch();
    school.add_fellow("Launch");
    let without_chat = "update learn.profiles set chat_user_id = null where member_id = $1";
    school.change(without_chat, &[&school.organization.fellow.0]);
    let mut staff = school.colleague(Role::Staff);
    let form = json!({ "title": "How was it?", "fields": [
        { "label": "Meal", "kind": "choice", "options": ["Fish", "Tofu"], "is_required": true },
        { "label": "Anything else?", "kind": "text" },
        { "label": "Stars", "kind": "number", "is_required": true },
    ] });
    let form = staff.make(Host::Quiz, "create_form", form);
    let event = school.event_id("Launch");
    let sent = json!({ "form_id": form["id"], "event_id": event });
    let sent = staff.make(Host::Quiz, "dispatch_interview", sent);
    assert_eq!(sent, 1, "an account is enough");
    let mut t = school.desk(Role::Fellow).at_home();
    t.expect_row(row("Forms to answer 1"))
        .expect_row(selected("How was it?"));
    t.press("enter").press("a");
    t.expect_row(selected("1. Meal")).press("t");
    t.press("tab")
        .expect_row(selected("3. Stars"))
        .type_text("5");
    t.press("ctrl-s")
        .expect_row(row("Tofu"))
        .expect_row(row("Stars"))
        .expect_no("undoes");
    let answers = school.texts("select answers::text from quiz.responses", &[]);
    assert!(
        answers.contains(&Some("{Tofu,\"\",5}".to_owned())),
        "{answers:?}"
    );
    t.press("esc esc").expect_no("Forms to answer");
}

#[test]
fn a_sheet_is_a_table_and_a_skill_is_read_as_markdown() {
    let school = School::new();
    let mut staff = school.colleague(Role::Staff);
    let sheet = json!({ "kind": "sheet", "title": "Prices", "content": "thing,price\nChair,12\n" });
    staff.make(Host::Engineering, "create_document", sheet);
    let skill = json!({
        "slug": "check-in", "title": "Check in", "description": "At the door",
        "body": "# First\n\n- Ask for the **name**.\n",
    });
    staff.make(Host::Skills, "publish_skill", skill);
    let mut t = at_the(&school, Role::Staff, "documents");
    t.press("enter").expect("Chair │ 12").expect_no("Chair,12");
    let mut t = at_the(&school, Role::Staff, "skills");
    t.press("enter")
        .expect_row(row("Ask for the name."))
        .expect_no("**name**");
}

#[test]
fn lessons_show_what_is_completed_and_lead_to_the_next_one() {
    let school = School::new();
    let mut owner = school.colleague(Role::Owner);
    let course = owner.make(Host::Learn, "create_course", json!({ "title": "Rust" }));
    for (position, title, duration) in [(1, "Borrowing", 754), (2, "Traits", 3661)] {
        let lesson = json!({
            "course_id": course["id"], "title": title, "position": position, "duration": duration,
            "status": "published", "video_url": format!("https://video.example/{position}"),
        });
        owner.make(Host::Learn, "create_lesson", lesson);
    }
    let mut t = at_the(&school, Role::Fellow, "courses");
    t.press("enter")
        .expect_row(selected("Borrowing").with("0:12:34"))
        .expect_row(row("Traits").with("1:01:01"))
        .expect_row(row("0 of 2 completed · 1:13:35 in total"));
    t.press("n")
        .expect_head("Borrowing  lesson")
        .press("c")
        .expect_toast("Borrowing");
    t.press("n").expect_head("Traits  lesson");
    t.press("o")
        .expect_toast("Opened and copied https://video.example/2");
    assert_eq!(t.copied(), ["https://video.example/2"]);
    assert!(t.cannot_run("lesson.next").contains("last lesson"));
    t.press("esc")
        .expect_row(selected("Borrowing").with("✓ completed"))
        .expect_row(row("1 of 2 completed"));
    // The first one that is left.
    t.press("n").expect_head("Traits  lesson");
}

#[test]
fn cards_are_searched_sorted_and_assigned() {
    let school = museum();
    let member = json!({ "name": "Zuri Abara" });
    school.calls(Role::Owner, Host::Learn, [("create_member", member)]);
    let mut t = school.desk(Role::Staff).size(160, 40).at_home();
    t.go_to("board");
    t.press("/").enter("bank");
    t.expect_title("Shaping 1")
        .expect_title("QA / Test 0")
        .expect_row(selected("RS-4"));
    t.press("esc").expect_title("Shaping 2");
    t.press("s s").expect_head("by task ↑");
    t.expect_row(selected("RS-4"))
        .press("down")
        .expect_row(selected("RS-1"));
    t.press("up");
    t.press("A")
        .expect_title("Assign “Call the bank” to which member?")
        .enter("zuri")
        .expect_toast("Assigned “Call the bank” to Zuri Abara");
    t.expect_row(row("Zuri Abara"));
}

#[test]
fn a_wide_terminal_shows_a_long_title() {
    let school = museum();
    let title = "Ask every museum of the city for its opening hours in summer";
    let task = json!({ "name": title, "stage_id": "spec", "context": { "why": "Trips" } });
    school.calls(Role::Fellow, Host::Work, [("create_task", task)]);
    let mut t = school.desk(Role::Staff).size(200, 50).at_home();
    t.go_to("tasks (work");
    t.expect_row(row(title).with("○ to do"));
}

#[test]
fn a_theme_and_the_columns_of_a_list_are_chosen_and_kept() {
    let school = museum();
    let mut t = school.desk(Role::Staff).size(120, 30).at_home();
    t.run("app.theme").press("down down enter");
    t.go_to("tasks (work");
    t.expect_row(row("No.").with("Task").with("Status"))
        .press("|");
    t.expect_title("Columns")
        .select("Status")
        .press("space enter");
    t.expect_row(row("Task             Due"));
    let file = t.directory().join("config.toml");
    let config = Config::load(&file).expect("a configuration");
    assert_eq!(config.theme.as_deref(), Some("dark"));
    // The next start has them.
    let mut t = school
        .desk(Role::Staff)
        .size(120, 30)
        .config(config)
        .at_home();
    t.go_to("tasks (work");
    t.expect_row(row("Task             Due"));
    t.press("| d")
        .expect_row(row("No.").with("Task").with("Status"));
}

#[test]
fn a_thumbnail_is_shown_on_its_record() {
    let school = School::new();
    let thumbnail = json!({ "title": "Rust" });
    school.calls(
        Role::Staff,
        Host::Studio,
        [("generate_thumbnail", thumbnail)],
    );
    let mut t = at_the(&school, Role::Staff, "thumbnails");
    t.press("enter")
        .expect_head("Rust  thumbnail")
        .expect_row(row("▀"));
}

#[test]
fn one_long_name_takes_no_column_from_the_other_rows() {
    let school = museum();
    let name = "Repaint the entrance hall and the stairs";
    let fellow = school.organization.fellow;
    let context = json!({ "why": "Open day" });
    let task = json!({ "name": name, "context": context, "stage_id": "spec", "owner_id": fellow });
    let mut owner = school.colleague(Role::Owner);
    owner.make(Host::Work, "create_task", task);
    let mut t = school.desk(Role::Staff).size(80, 24).at_home();
    t.go_to("tasks (work");
    t.expect_row(row("Repaint the entrance hal…").with("Shaping"))
        .expect_row(selected("Sell at the door").with("Shaping"));
}

#[test]
fn a_message_leaves_with_its_screen() {
    let mut t = museum().desk(Role::Staff).size(80, 24).at_home();
    t.go_to("tasks (work").press("y enter");
    t.expect_row(row("Copied")).expect_toast("Copied id");
    t.press("enter").expect_no("Copied");
}

#[test]
fn the_palette_finds_records_and_searches_the_list_that_is_named() {
    let school = museum();
    let mut owner = school.colleague(Role::Owner);
    for email in ["rita@example.org", "other@example.org"] {
        let member = json!({ "name": "Rita Zander", "personal_email": email });
        owner.make(Host::Learn, "create_member", member);
    }
    let mut t = school.desk(Role::Staff).size(80, 24).at_home();
    t.press(":").type_text("zander").seconds(1);
    t.expect("Rita Zander · other@example.org")
        .expect("Rita Zander · rita@example.org")
        .press("esc");
    t.press(":").type_text("paint the").seconds(1);
    t.expect_row(selected("RS-3 Paint the hall").with("task"));
    t.press("enter")
        .expect_head("Paint the hall  task")
        .press("esc");
    t.go_to("task bank");
    t.expect_title(" 1 task ")
        .expect_row(selected("Call the bank"));
    t.press(":").type_text("xyzzy").seconds(1);
    t.expect_row(row("No match for “xyzzy”"));
}

#[test]
fn anybody_at_the_event_is_found_by_name_and_what_was_open_is_found_again() {
    let school = School::launch();
    let mut t = school.desk(Role::Staff).over_a_network().at_home();
    // The next letter cancels what was asked; nothing is preselected that only resembles the text.
    let asked = t.network().count_of("list_event_guests");
    t.press(":").type_text("mül").seconds(1);
    t.expect_row(selected("Zoë Müller").with(LAUNCH).with("guest"));
    assert_eq!(t.network().count_of("list_event_guests"), asked + 1);
    t.press("enter").expect_head("Zoë Müller").press("esc");
    t.press(":").type_text("launch").seconds(1);
    t.expect_row(selected(LAUNCH).with("event")).press("enter");
    // `-` goes from one to the other.
    t.run("app.home").press("-");
    let first = t.screen();
    t.press("-");
    assert_ne!(t.screen(), first);
    t.press("-");
    assert_eq!(t.screen(), first);
    // The palette lists them before anything is typed.
    t.run("app.home").press(":");
    t.expect_row(row("Zoë Müller").with("guest"));
}

#[test]
fn a_name_that_is_typed_without_a_search_opens_nothing() {
    let mut t = museum().desk(Role::Staff).size(80, 24).at_home();
    // `e`, `s`, `t` and `a` by themselves would open events and a form, and write.
    t.type_text("Festa").expect_toast("“F” does nothing here");
    t.expect_path("› Home").press("esc").expect_path("› Home");
    t.go_to("tasks (work");
    t.type_text("Half")
        .expect_toast("“H” does nothing here · / searches")
        .expect_title(" 4 tasks ");
    t.seconds(1).press("/").type_text("ice");
    t.expect_row(selected("Half price")).expect_title(" 1 task");
    // The first leaves the field, the second the search, the third the list.
    t.press("enter q q").expect_path("› Home");
}

#[test]
fn the_facts_beside_a_list_are_hidden_and_shown() {
    let mut t = museum().desk(Role::Staff).size(160, 30).at_home();
    t.go_to("tasks (work");
    t.expect_title(" Sell at the door ").press("V");
    t.expect_title(" 4 tasks ").expect_row(selected("RS-1"));
    t.expect_no("╮╭")
        .press("V")
        .expect_title(" Sell at the door ");
}
