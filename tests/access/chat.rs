//! `resolve_chat_id` finds the chat ids of the guests and members that the caller sees, and shows none.

use frontdesk_protocol::Role;
use serde_json::json;

use crate::access::stage::Stage;
use crate::access::who::Who;

#[test]
fn a_chat_id_is_found_by_callers_who_see_its_guest_or_member() {
    let stage = Stage::set();
    let calls = [
        (true, json!({ "guest_id": stage.rows.own_guest })),
        (true, json!({ "member_id": stage.ours.fellow })),
        (false, json!({ "guest_id": stage.rows.other_guest })),
        (false, json!({ "member_id": stage.ours.member })),
    ];
    for who in Who::all() {
        let mut http = who.sign_in(&stage);
        for (is_own, arguments) in &calls {
            let answer = http.events("resolve_chat_id", arguments.clone());
            let output = answer.output();
            let sees = match who {
                Who::Ours(Role::Automation) | Who::Theirs(_) | Who::Nobody | Who::Inactive => false,
                Who::Ours(Role::Fellow) => *is_own,
                Who::Ours(_) => true,
            };
            assert_eq!(output["resolved"], sees, "{arguments} as {who:?}: {output}");
            let text = output.to_string();
            let is_shown = text.contains("chat-0123456789") || text.contains("chat-fellow");
            assert!(!is_shown, "{arguments} as {who:?}: {text}");
        }
    }
}
