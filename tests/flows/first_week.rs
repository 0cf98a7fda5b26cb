//! The first week of an organisation, from an empty account to a working week, without an id typed or pasted.

use frontdesk_protocol::Role;
use frontdesk_server::accounts::{NewAccount, add};
use frontdesk_server::database::Location;
use frontdesk_server::server::{Server, Settings};
use frontdesk_tests::blocking::{Browser, join};
use frontdesk_tests::builder::PASSWORD;
use frontdesk_tests::world::identity;
use frontdesk_tests::{Desk, School, desk, hook, row, run, selected, world};
use serde_json::json;

use crate::flows::form::go_to;

/// The secret that the code host signs its events with.
const SECRET: &str = "the secret of the hook";

/// A server that hears of pull requests, and a new organisation on it.
struct Start {
    school: School,
    server: Server,
}

impl Start {
    fn new() -> Start {
        let settings = Settings {
            calls_per_minute: 0,
            identity: identity(),
            code_host_hook: vec![SECRET.parse().expect("a secret")],
            ..Settings::local(Location::Memory)
        };
        let start = Start {
            school: School::new(),
            server: run(world().server_with(settings)),
        };
        start.add_owner();
        start
    }

    /// Adds the organisation with its owner, as the operator does with `add-account`.
    fn add_owner(&self) {
        let account = NewAccount {
            email: self.email("ada"),
            name: "Ada Lang".to_owned(),
            password: PASSWORD.to_owned(),
            organization: format!("River School {}", self.school.organization.id),
            is_new_organization: true,
            role: Role::Owner,
        };
        run(async {
            let mut database = world().owner().await;
            add(&mut database, &account).await.expect("an account")
        });
    }

    fn email(&self, name: &str) -> String {
        let id = self.school.organization.id.to_string();
        format!("{name}@{}.test", &id[id.len() - 8..])
    }

    /// Signs in at a machine.
    fn sign_in(&self, address: &str) -> Desk {
        let mut t = desk(&self.school).over(self.server.url()).at_home();
        t.type_text(&self.email(address)).press("tab");
        t.enter(PASSWORD);
        t.expect_row(row("Signed in as"));
        t
    }

    /// Invites somebody, who accepts the copied link in a browser and signs in.
    fn invite(&self, t: &mut Desk, name: &str, address: &str) -> Desk {
        open(t, "invitations");
        t.press("a").type_text(&self.email(address)).press("tab");
        t.type_text(name)
            .press("ctrl-s")
            .expect_toast("Added invitation");
        self.accept(t, address)
    }

    /// The invited person accepts the copied link in a browser and signs in.
    fn accept(&self, t: &mut Desk, address: &str) -> Desk {
        t.press("c").expect_row(row("✓ Copied the link"));
        let link = t.copied().last().expect("a link").clone();
        join(&mut Browser::default(), &link, PASSWORD);
        t.press("esc");
        self.sign_in(address)
    }

    /// A spreadsheet with a line for each number up to the last one.
    fn sheet(&self, header: &str, last: usize, line: impl Fn(usize, &str) -> String) -> String {
        let place = self.email("");
        let lines = (1..=last).map(|number| format!("{}\n", line(number, &place)));
        format!("{header}\n{}", lines.collect::<String>())
    }

    /// The code host delivers a pull request that this person has merged.
    fn merge(&self, login: &str, title: &str) {
        let now = jiff::Timestamp::now().to_string();
        let body = hook::pull_request(login, title, &now, json!(now)).to_string();
        let signature = hook::signature(SECRET, &body);
        let answer = hook::deliver(&self.server.url(), "1", &signature, &body);
        assert_eq!(answer.body["outcome"], "stored");
    }
}

/// Opens the list of a kind from anywhere.
fn open(t: &mut Desk, kind: &str) {
    t.go_to(kind);
}

/// Writes a spreadsheet and imports it into the list on screen.
fn import(t: &mut Desk, name: &str, text: &str, rows: usize) {
    let file = t.directory().join(name);
    std::fs::write(&file, text).expect("a file");
    t.press("I")
        .type_text(file.to_str().expect("text"))
        .press("enter");
    t.expect_row(row(&format!("{rows} to add")));
    t.press("ctrl-y")
        .expect_row(row(&format!("Imported: {rows} added")));
    t.press("esc");
}

/// Fills in the fields of a form one after the other and saves it.
fn save(t: &mut Desk, texts: &[&str], toast: &str) {
    for (at, text) in texts.iter().enumerate() {
        if at > 0 {
            t.press("tab");
        }
        t.type_text(text);
    }
    t.press("ctrl-s").expect_toast(toast);
}

#[test]
fn an_owner_goes_from_an_empty_organisation_to_a_working_week() {
    let start = Start::new();
    let mut t = start.sign_in("ada");

    // The place, and the people.
    open(&mut t, "business units");
    t.press("a");
    save(&mut t, &["Evening courses"], "Added business unit");
    t.press("a");
    save(&mut t, &["Day courses"], "Added business unit");
    let mut bea = start.invite(&mut t, "Bea Lima", "bea");
    let teo = start.invite(&mut t, "Teo Alves", "teo");
    drop(teo);
    open(&mut t, "members");
    let members = start.sheet("Name,Personal email", 40, |n, place| {
        format!("Member {n:02},member{n:02}{place}")
    });
    import(&mut t, "members.csv", &members, 40);

    // A cohort, a program, and its copy for the cohort.
    open(&mut t, "cohorts");
    t.press("a");
    save(&mut t, &["Turma 1"], "Added cohort");
    open(&mut t, "programs");
    t.press("a");
    save(&mut t, &["Fellowship"], "Added program");
    t.press("enter a");
    save(&mut t, &["Arrival"], "Added stage");
    t.select("Arrival").press("space");
    t.select("Add milestone to Arrival").press("enter");
    save(&mut t, &["Meet the house"], "Added milestone");
    t.press("i").expect_row(selected("Turma 1"));
    t.press("enter y")
        .expect_toast("Instantiated Fellowship for Turma 1");

    // Twelve students: one chosen by name, the others from a spreadsheet.
    open(&mut t, "students");
    t.press("a enter")
        .select("Member 12")
        .press("enter tab enter");
    t.expect_row(selected("Turma 1")).press("enter ctrl-s");
    t.expect_toast("Added student “Member 12”");
    let students = start.sheet("Member;Cohort", 11, |n, place| {
        format!("member{n:02}{place};Turma 1")
    });
    import(&mut t, "students.csv", &students, 11);
    t.expect_title(" 12 students ")
        .expect_row(row("Member 07").with("0 of 1"));

    // A course with lessons, one of them published.
    open(&mut t, "courses");
    t.press("a");
    save(&mut t, &["Carpentry"], "Added course");
    t.press("enter a");
    save(&mut t, &["Joints"], "Added lesson");
    t.press("a").type_text("Tools");
    go_to(&mut t, "Status");
    t.press("left ctrl-s").expect_toast("Added lesson “Tools”");
    t.expect_rows([
        row("Joints").with("draft"),
        selected("Tools").with("published"),
    ]);

    // An event with a session and 500 guests, checked in at two desks.
    open(&mut t, "events");
    t.press("a").type_text("Open Day").press("down enter");
    t.select("Evening courses").press("enter ctrl-s");
    t.expect_toast("Added event");
    t.press("enter tab a");
    save(&mut t, &["Opening"], "Added session “Opening”");
    let guests = start.sheet("Name;E-mail", 500, |n, place| {
        format!("Guest {n:03};guest{n:03}{place}")
    });
    t.press("backtab");
    import(&mut t, "guests.csv", &guests, 500);
    t.expect_row(selected("Guest 001"));
    let mut ada = start.sign_in("ada");
    for (door, guest) in [(&mut ada, "Guest 001"), (&mut bea, "Guest 002")] {
        open(door, "events");
        door.select("Open Day").press("c");
        door.search(guest).press("enter");
        door.expect_banner(&[guest]);
    }

    // A project with a board, and a plan.
    open(&mut t, "projects");
    t.press("a");
    save(&mut t, &["Museum"], "Added project");
    t.press("enter a");
    save(&mut t, &["Tickets"], "Added epic");
    t.select("Tickets").press("enter B a");
    save(&mut t, &["Sell at the door"], "Added task");
    t.expect_title("Shaping 1").press("L");
    t.expect_toast("to Ideation");
    t.expect_title("Ideation 1").press("= d");
    t.expect_toast("Set “Sell at the door” to dev completed");
    open(&mut t, "plans");
    t.press("a");
    save(&mut t, &["Opening"], "Added plan");
    t.press("enter a").expect_row(selected("Sell at the door"));
    t.press("enter esc ctrl-s y")
        .expect_toast("Sent: Opening has 1 task");
    t.press("esc e");
    go_to(&mut t, "Status");
    t.press("a ctrl-s y").expect_toast("Saved Opening");

    // The owner's week, with a merged pull request.
    open(&mut t, "staff users");
    t.select("Ada Lang").press("e");
    go_to(&mut t, "Code host login");
    let login = format!("ada-{}", start.school.organization.id);
    t.type_text(&login).press("ctrl-s y");
    t.expect_toast("Saved Ada Lang");
    start.merge(&login, "Update the README");
    t.go_to("my week");
    t.expect_row(row("Tasks completed ✓ 1 entry"))
        .expect_row(selected("Sell at the door"));
    t.expect_row(row("Pull requests merged ✓ 1 entry"))
        .expect_row(row("Update the README"));
    t.expect_row(row("Opening").with("draft → active"));

    // An invoice that is paid in part.
    open(&mut t, "invoices");
    t.press("a");
    save(
        &mut t,
        &["Member 01", "Spring term", "300", "1.4.2025"],
        "Added invoice",
    );
    t.expect_row(selected("Member 01").with("300.00"));
    t.press("space").select("Mark invoice sent");
    t.press("enter ctrl-s").expect_toast("Mark invoice sent");
    t.press("space").select("Record payment").press("enter");
    save(&mut t, &["120.50"], "Record payment");
    t.press("enter").expect_row(row("120.50"));

    // A thumbnail, added where thumbnails are listed.
    open(&mut t, "thumbnails");
    t.press("a");
    save(&mut t, &["Joints by hand"], "Added thumbnail");
    t.press("enter space 1 ctrl-s")
        .expect_row(selected("1280×720"));

    // A student is invited, and sees as a fellow only what is theirs.
    open(&mut t, "students");
    t.select("Member 03")
        .press("space")
        .select("Invite student");
    t.press("enter ctrl-s").expect_toast("Invite student");
    let mut fellow = start.accept(&mut t, "member03");
    fellow.expect_row(row("Fellowship").with("0 of 1"));
    open(&mut fellow, "members");
    fellow
        .expect_title(" 1 member ")
        .expect_row(selected("Member 03"));
    open(&mut fellow, "courses");
    fellow.press("enter").expect_title(" 1 lesson ");
    fellow.expect_row(selected("Tools"));
    open(&mut fellow, "guests");
    fellow.press("enter").expect_title(" 0 guests ");
    open(&mut fellow, "invoices");
    fellow.expect_row(row("Caller is not a registered staff user."));
}
