//! Messages between accounts: agents and the people who work with them.

use jiff::Timestamp;

use super::{EVERYBODY, STAFF};
use crate::id::{MessageId, PlatformAccountId};
use crate::record::record;
use crate::value::{Line, Name, Text};
use crate::words::words;

words! {
    /// Whether the caller sent or received a message.
    Side {
        Sent = "sent",
        Received = "received",
    }
}

record! {
    /// A message.
    Message = "message", "messages" (name: subject) {
        id: MessageId,
        subject: Name [create],
        sender_id: PlatformAccountId,
        /// The sender's name, if known.
        sender_name: Option<String>,
        /// The recipient; for an app, the account_id from list_apps.
        recipient_id: PlatformAccountId [create],
        /// The recipient's name, if known.
        recipient_name: Option<String>,
        body: Text<1, 10_000> [create],
        /// When it was sent.
        created_at: Timestamp,
    }
    /// Sends a private message to an account.
    create SendAgentMessage = "send_agent_message" on Ops for STAFF;
    /// Lists messages that you sent or received, latest first.
    list ListAgentMessages = "list_agent_messages" on Ops for EVERYBODY {
        opt {
            side: Option<Side>,
            with_account_id: Option<PlatformAccountId>,
            /// Part of the subject.
            search: Option<Line>,
        }
    }
}
