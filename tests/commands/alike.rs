//! Every command works alike at a host by its name, with the signed-in account, and at a server by its address.

use frontdesk_protocol::Role;
use frontdesk_tests::{program, world};

use crate::commands::stage::{Ended, Stage};

#[test]
fn what_a_server_can_be_asked_a_host_can_be_asked_by_its_name() {
    let stage = Stage::of(Role::Staff);
    let token = stage.frontdesk(&["token"]).stdout;
    let address = format!("{}/events/mcp", world().url());
    let event = format!("event={}", stage.event);
    let resource = format!("frontdesk://events/event/{}", stage.event);
    let calls = stage.directory().join("calls.toml");
    let step = format!(
        "[[call]]\nresource = \"{resource}\"\n\n[[call]]\nprompt = \"prepare_the_door\"\n\
         arguments = {{ event = \"{}\" }}\n\n[[call]]\ntool = \"list_events\"\n",
        stage.event
    );
    std::fs::write(&calls, step).expect("it is written");
    let calls = calls.to_str().expect("text");
    for (before, after, part) in [
        (&["tools"][..], &[][..], "list_events"),
        (&["describe"], &["list_events"], "search"),
        (&["call"], &["list_events"], "Launch"),
        (&["resources"], &[], "frontdesk://events/event/{id}"),
        (&["read"], &[&resource], "Launch"),
        (
            &["read"],
            &[
                "frontdesk://events/event/{id}",
                &format!("id={}", stage.event),
            ],
            "Launch",
        ),
        (&["prompts"], &[], "prepare_the_door event=…"),
        (
            &["prompt"],
            &["prepare_the_door", &event],
            "Prepare the door of this event",
        ),
        (&["complete"], &["prepare_the_door", "event=Lau"], "launch~"),
        (&["doctor"], &[], "session"),
        (&["diff", "events"], &[], ""),
        (
            &["check", calls, "--server"],
            &[],
            "ok      prepare_the_door",
        ),
    ] {
        let words = |callee| [before, &[callee], after].concat();
        let by_name = stage.frontdesk(&words("events"));
        let mut command = program::command("frontdesk", &words(&address));
        command.args(["--token-env", "TOKEN", "--home"]);
        command.arg(stage.directory()).env("TOKEN", token.trim());
        command.args(["--url", &world().url()]);
        let by_address = Ended::of(command.output().expect("it runs"));
        for ended in [&by_name, &by_address] {
            assert_eq!(ended.code, Some(0), "{before:?}: {ended:?}");
            let said = ended.stdout.contains(part);
            assert!(said, "{part}: {before:?}: {ended:?}");
        }
        if ["resources", "read", "prompts", "prompt", "complete"].contains(&before[0]) {
            assert_eq!(by_name.stdout, by_address.stdout, "{before:?}");
        }
    }
    // What a prompt misses is named before it is sent; a host has no tasks.
    for (words, wrong) in [
        (
            vec!["prompt", "events", "prepare_the_door"],
            "prepare_the_door requires event; write event= and its value",
        ),
        (
            vec!["tasks", "events", "7"],
            "events is a host of the service, whose calls are no tasks",
        ),
    ] {
        stage.frontdesk(&words).fails(2, wrong);
    }
    stage.frontdesk(&["logout"]);
    stage
        .frontdesk(&["prompts", "events"])
        .fails(3, "not signed in; run `frontdesk login");
}
