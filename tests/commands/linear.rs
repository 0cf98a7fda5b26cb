//! `frontdesk --linear` with lines from a program.

use frontdesk_protocol::Role;

use crate::commands::stage::Stage;

#[test]
fn lines_from_a_program_have_their_effect_one_after_the_other() {
    let stage = Stage::of(Role::Staff);
    let ended = stage.given("e\n1\n", &["--linear"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    let (_, events) = ended
        .stdout
        .split_once("\nEvents\n1 event")
        .expect("the list");
    assert!(events.contains("\nLaunch\n"), "{events}");
    assert!(!ended.stdout.contains('\x1b'), "{}", ended.stdout);
}
