//! Ids that are chosen from a list.

use frontdesk_protocol::Role;
use frontdesk_tests::{desk, row, run, selected};
use jiff::SignedDuration;

use crate::launch::{LAUNCH, launch};
use crate::tools::at_the_form;

#[test]
fn an_event_is_chosen_by_its_name_and_not_by_its_id() {
    run(async {
        let (organization, event) = launch().await;
        let setup = desk(&organization).signed_in_as(Role::Staff);
        let mut t = at_the_form(setup, "get_event").await;
        t.expect("enter finds it").press("enter").await;
        t.expect("Which event?").expect_row(selected(LAUNCH));
        t.snapshot("picker").await;
        t.search("nowhere")
            .await
            .expect("Nothing here fits “nowhere”");
        t.press("ctrl-u").await.search("LAUN").await;
        t.expect_row(selected(LAUNCH)).press("enter").await;
        t.expect_row(selected("Id").with(LAUNCH))
            .expect(&event.to_string());
        t.snapshot("picker_taken").await;
        t.press("ctrl-s").await.expect("guest_count");
    });
}

#[test]
fn a_guest_is_found_by_way_of_the_event() {
    run(async {
        let (organization, _) = launch().await;
        let setup = desk(&organization).signed_in_as(Role::Staff);
        let mut t = at_the_form(setup, "check_in_guest").await;
        t.press("enter").await.expect("First, which event?");
        t.press("enter").await.expect("Which guest of Launch?");
        // Case and accents do not matter: the host searches.
        t.search("zoe mul").await;
        t.expect_row(selected("Zoë Müller"))
            .snapshot("picker_guest")
            .await;
        t.press("enter")
            .await
            .expect_row(selected("Id").with("Zoë Müller"));
        t.press("ctrl-s").await.expect("already_checked_in");
        t.database().guest("Zoë Müller").await.is_checked_in();
    });
}

#[test]
fn somebody_is_found_although_the_first_page_does_not_have_them() {
    run(async {
        let (organization, event) = launch().await;
        let names: Vec<String> = (0..60).map(|at| format!("Crowd {at:02}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        organization.guests(event, &names).await;
        let setup = desk(&organization).signed_in_as(Role::Staff);
        let mut t = at_the_form(setup, "get_event_guest").await;
        t.press("enter enter").await.expect("The first 50.");
        t.expect_no("Zoë Müller").search("zoë").await;
        t.expect_row(selected("Zoë Müller"));
    });
}

#[test]
fn whom_one_moved_to_stays_selected_when_the_host_finds_more() {
    run(async {
        let (organization, event) = launch().await;
        let crowd = ["Crowd 1", "Crowd 2", "Crowd 3"];
        organization.guests(event, &crowd).await;
        let setup = desk(&organization).signed_in_as(Role::Staff);
        let mut t = at_the_form(setup, "get_event_guest").await;
        t.press("enter enter")
            .await
            .expect("Which guest of Launch?");
        // Among those who are there already, before the host is asked.
        t.type_text("crowd").await.press("down").await;
        t.expect_rows([row("Crowd 1"), selected("Crowd 2"), row("Crowd 3")]);
        organization.guest(event, "A Crowd").await;
        t.passes(SignedDuration::from_millis(300)).await;
        t.expect_rows([row("A Crowd"), row("Crowd 1"), selected("Crowd 2")]);
        // Who types on has not chosen yet: the first one is taken.
        t.search(" ").await.expect_row(selected("A Crowd"));
    });
}
