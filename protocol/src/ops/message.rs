//! Messages between accounts: agents and the people who work with them.

use jiff::Timestamp;

use super::{EVERYBODY, STAFF};
use crate::id::{MessageId, PlatformAccountId};
use crate::record::{List, One};
use crate::resource::resource;
use crate::tool::tool;
use crate::value::{Limit, Line, Name, Offset, Text};
use crate::wire::Wire;
use crate::words::words;

words! {
    /// Whether the caller sent or received a message.
    Side {
        Sent = "sent",
        Received = "received",
    }
}

/// A message.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Message {
    pub id: MessageId,
    pub subject: String,
    pub sender_id: PlatformAccountId,
    /// The sender's name, if known.
    pub sender_name: Option<String>,
    pub recipient_id: PlatformAccountId,
    /// The recipient's name, if known.
    pub recipient_name: Option<String>,
    /// Text.
    pub body: String,
    /// When it was sent.
    pub created_at: Timestamp,
}

resource! {
    Message = "message", "messages" (name: subject) {
        create: SendAgentMessage,
        list: ListAgentMessages,
    }
}

tool! {
    /// Sends a private message to an account.
    SendAgentMessage = "send_agent_message" on Ops, CREATE, for STAFF => One<Message> {
        req {
            /// The recipient; for an app, the account_id from list_apps.
            recipient_id: PlatformAccountId,
            subject: Name,
            body: Text<1, 10_000>,
        }
    }
}

tool! {
    /// Lists messages that you sent or received, latest first.
    ListAgentMessages = "list_agent_messages" on Ops, READ, for EVERYBODY => List<Message> {
        opt {
            side: Option<Side>,
            with_account_id: Option<PlatformAccountId>,
            /// Part of the subject.
            search: Option<Line>,
            limit: Limit,
            offset: Offset,
        }
    }
}
