//! `resolve_chat_id`: the destination of a message, without the address itself.

use frontdesk_protocol::Role;
use frontdesk_tests::blocking::Organization;
use serde_json::{Value, json};
use uuid::Uuid;

use super::Desk;

/// A guest with this member and chat id.
fn guest(desk: &mut Desk, member: Value, chat_id: Value) -> Value {
    let event = desk.organization.event("Interviews");
    let arguments =
        json!({ "event_id": event, "name": "Ana", "member_id": member, "chat_id": chat_id });
    desk.get("create_event_guest", arguments)["guest"]["id"].clone()
}

#[test]
fn the_guest_s_own_id_comes_first_then_the_profile_then_none() {
    let mut desk = Desk::open();
    // The fellow's profile has the chat id `chat-fellow`, the member has no profile.
    let (fellow, member) = (
        json!(desk.organization.fellow),
        json!(desk.organization.member),
    );
    let own = guest(&mut desk, Value::Null, json!("chat-of-the-guest"));
    let own_and_fellow = guest(&mut desk, fellow.clone(), json!("chat-of-the-guest"));
    let only_fellow = guest(&mut desk, fellow.clone(), Value::Null);
    let only_member = guest(&mut desk, member.clone(), Value::Null);
    let nothing = guest(&mut desk, Value::Null, Value::Null);
    for (arguments, source, masked) in [
        (
            json!({ "guest_id": own }),
            "guest",
            json!("*************uest"),
        ),
        (
            json!({ "guest_id": own_and_fellow }),
            "guest",
            json!("*************uest"),
        ),
        (
            json!({ "guest_id": own, "member_id": fellow }),
            "guest",
            json!("*************uest"),
        ),
        (
            json!({ "guest_id": only_fellow }),
            "profile",
            json!("********low"),
        ),
        (
            json!({ "guest_id": nothing, "member_id": fellow }),
            "profile",
            json!("********low"),
        ),
        (
            json!({ "guest_id": only_member, "member_id": fellow }),
            "profile",
            json!("********low"),
        ),
        (
            json!({ "member_id": fellow }),
            "profile",
            json!("********low"),
        ),
        (
            json!({ "guest_id": null, "member_id": fellow }),
            "profile",
            json!("********low"),
        ),
        (json!({ "guest_id": only_member }), "none", Value::Null),
        (json!({ "guest_id": nothing }), "none", Value::Null),
        (
            json!({ "guest_id": nothing, "member_id": member }),
            "none",
            Value::Null,
        ),
        (json!({ "member_id": member }), "none", Value::Null),
    ] {
        let resolved = desk.get("resolve_chat_id", arguments.clone());
        let expected = json!({
            "resolved": source != "none", "source": source, "masked_chat_id": masked,
            "reason": resolved["reason"],
        });
        assert_eq!(resolved, expected, "{arguments}");
        let reason = resolved["reason"].as_str().expect("a reason");
        assert!(!reason.is_empty() && !reason.contains("chat-"), "{reason}");
    }
}

#[test]
fn a_masked_id_shows_at_most_a_third_and_at_most_its_last_four() {
    let mut desk = Desk::open();
    let alphabet: Vec<char> = "abcdefghijklmnopqrstuvwxyz日本語é".chars().collect();
    for length in 1..=alphabet.len() {
        let chat_id: String = alphabet[alphabet.len() - length..].iter().collect();
        let guest = guest(&mut desk, Value::Null, json!(chat_id));
        let resolved = desk.get("resolve_chat_id", json!({ "guest_id": guest }));
        let masked = resolved["masked_chat_id"].as_str().expect("a masked id");
        let shown = masked.trim_start_matches('*');
        assert!(chat_id.ends_with(shown), "{chat_id}: {masked}");
        let shown = shown.chars().count();
        assert!(shown * 3 <= length && shown <= 4, "{chat_id}: {masked}");
        assert!(
            masked.chars().filter(|character| *character == '*').count() >= 3,
            "{masked}"
        );
        assert!(shown > 0 || length < 3, "{chat_id}: {masked}");
    }
}

#[test]
fn a_person_without_a_chat_id_is_not_resolved() {
    let mut desk = Desk::open();
    let other = Organization::create();
    let event = other.event("Foreign");
    let mut theirs = other.sign_in(Role::Staff);
    let arguments = json!({ "event_id": event, "name": "Ana", "chat_id": "chat-foreign" });
    let foreign = theirs.events("create_event_guest", arguments).output()["guest"]["id"].clone();
    for arguments in [
        json!({ "guest_id": Uuid::now_v7() }),
        json!({ "guest_id": foreign }),
        json!({ "member_id": Uuid::now_v7() }),
        json!({ "member_id": other.fellow }),
        json!({ "guest_id": foreign, "member_id": other.fellow }),
    ] {
        let resolved = desk.get("resolve_chat_id", arguments.clone());
        assert_eq!(resolved["resolved"], false, "{arguments}");
        assert_eq!(resolved["source"], "none", "{arguments}");
        assert_eq!(resolved["masked_chat_id"], Value::Null, "{arguments}");
    }
    let unknown = desk.get("resolve_chat_id", json!({ "guest_id": foreign }));
    assert_eq!(
        unknown["reason"],
        "there is no such guest, or you cannot see it"
    );
}

#[test]
fn a_guest_or_a_member_must_be_given() {
    let mut desk = Desk::open();
    for arguments in [
        json!({}),
        json!({ "guest_id": null }),
        json!({ "guest_id": null, "member_id": null }),
    ] {
        desk.call("resolve_chat_id", arguments)
            .refuses("invalid_argument", "guest_id");
    }
}
