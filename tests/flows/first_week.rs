//! The first week of an organisation, from an empty account to a working week, without an id typed or pasted.

use frontdesk_protocol::Role;
use frontdesk_server::accounts::{NewAccount, add};
use frontdesk_tests::blocking::{Browser, join};
use frontdesk_tests::builder::PASSWORD;
use frontdesk_tests::{Desk, School, desk, row, run, selected, world};

/// The first owner of a new organisation, at the sign-in card of their own machine.
struct Start(School);

impl Start {
    fn new() -> Start {
        let start = Start(School::new());
        let owner = NewAccount {
            email: start.email("ada"),
            name: "Ada Lang".to_owned(),
            password: PASSWORD.to_owned(),
            organization: format!("River School {}", start.0.organization.id),
            is_new_organization: true,
            role: Role::Owner,
        };
        run(async {
            let mut database = world().owner().await;
            add(&mut database, &owner).await.expect("an account")
        });
        start
    }

    fn email(&self, name: &str) -> String {
        format!("{name}@{}.test", self.0.organization.id)
    }

    /// Signs in at a machine.
    fn sign_in(&self, email: &str) -> Desk {
        let mut t = desk(&self.0).at_home();
        t.type_text(&self.email(email)).press("tab");
        t.type_text(PASSWORD).press("enter");
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
        t.press("c").expect_head("✓ Copied the link");
        let link = t.copied().last().expect("a link").clone();
        join(&mut Browser::default(), &link, PASSWORD);
        t.press("esc");
        self.sign_in(address)
    }
}

/// Opens the list of a kind from anywhere.
fn open(t: &mut Desk, kind: &str) {
    t.press(":").type_text(kind).press("enter");
}

/// Writes a spreadsheet and imports it into the list on screen.
fn import(t: &mut Desk, name: &str, text: &str, rows: usize) {
    let file = t.directory().join(name);
    std::fs::write(&file, text).expect("a file");
    t.press("I")
        .type_text(file.to_str().expect("text"))
        .press("enter");
    t.expect(&format!("{rows} to add"));
    t.press("ctrl-y").expect(&format!("Imported: {rows} added"));
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
    let mut bea = start.invite(&mut t, "Bea", "bea");
    open(&mut t, "members");
    let members: String = (1..=40)
        .map(|n| format!("Member {n:02},member{n:02}@river.test\n"))
        .collect();
    import(
        &mut t,
        "members.csv",
        &format!("Name,Personal email\n{members}"),
        40,
    );

    // A cohort with a student, and its program.
    open(&mut t, "cohorts");
    t.press("a");
    save(&mut t, &["Turma 1"], "Added cohort");
    open(&mut t, "programs");
    t.press("a");
    save(&mut t, &["Fellowship"], "Added program");
    t.press("enter a");
    save(&mut t, &["Arrival"], "Added stage");
    t.select("Arrival").press("space c");
    save(
        &mut t,
        &["Meet the house"],
        "Create milestone “Meet the house”",
    );
    t.press("i").expect_row(selected("Turma 1"));
    t.press("enter y")
        .expect_toast("Instantiated Fellowship for Turma 1");

    // A course.
    open(&mut t, "courses");
    t.press("a");
    save(&mut t, &["Carpentry"], "Added course");

    // An event with 500 guests, checked in at two desks.
    open(&mut t, "events");
    t.press("a").type_text("Open Day").press("down enter");
    t.expect_row(selected("Evening courses")).press("enter");
    t.press("ctrl-s").expect_toast("Added event");
    t.press("enter").expect_head("Open Day");
    let guests: String = (1..=500)
        .map(|n| format!("Guest {n:03};guest{n:03}@river.test\n"))
        .collect();
    open(&mut t, "guests");
    t.expect_row(selected("Open Day")).press("enter");
    import(&mut t, "guests.csv", &format!("Name;E-mail\n{guests}"), 500);
    t.expect_row(selected("Guest 001"));
    let mut ada = start.sign_in("ada");
    for (door, guest) in [(&mut ada, "Guest 001"), (&mut bea, "Guest 002")] {
        open(door, "events");
        door.select("Open Day").press("c");
        door.search(guest).press("enter");
        door.expect_banner(&[guest]);
    }

    // A student, chosen by name.
    open(&mut t, "students");
    t.press("a enter")
        .select("Member 01")
        .press("enter tab enter");
    t.expect_row(selected("Turma 1")).press("enter ctrl-s");
    t.expect_toast("Added student “Member 01”");
    t.expect_row(selected("Member 01").with("0 of 1"));

    // Work: a project, and its first epic.
    open(&mut t, "projects");
    t.press("a");
    save(&mut t, &["Museum"], "Added project");
    open(&mut t, "epics");
    t.press("a");
    save(&mut t, &["Tickets"], "Added epic");

    // An invoice.
    open(&mut t, "invoices");
    t.press("a");
    save(
        &mut t,
        &["Member 01", "Spring term", "300", "1.4.2025"],
        "Added invoice",
    );
    t.expect_row(selected("Member 01").with("300.00"));
    t.press("space m ctrl-s").expect_toast("Mark invoice sent");
    t.press("space r");
    save(&mut t, &["120.50"], "Record payment");
    t.press("enter").expect("120.50");
}
