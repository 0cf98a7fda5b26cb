//! Messages between accounts.

use frontdesk_protocol::ops::message::{ListAgentMessages, Message, SendAgentMessage};

use crate::call::{SqlByName, Stored};
use crate::hosts::routes;

impl Stored for Message {
    const TABLE: &'static str = "ops.messages";
    const ORDER: &'static str = "t.created_at desc, t.id";
    const COMPUTED: SqlByName = &[
        ("sender_name", "ops.party_name(t.sender_id)"),
        ("recipient_name", "ops.party_name(t.recipient_id)"),
    ];
    const FILTERS: SqlByName = &[
        (
            "search",
            "t.subject_key like (select app.search_pattern($))",
        ),
        (
            "side",
            "(select app.caller_id()) = case $ when 'sent' then t.sender_id else t.recipient_id end",
        ),
        ("with_account_id", "$ in (t.sender_id, t.recipient_id)"),
    ];
}

routes![SendAgentMessage, ListAgentMessages];
