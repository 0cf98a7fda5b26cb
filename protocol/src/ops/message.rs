//! Messages between accounts: agents, and people who work with them.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{EVERYBODY, STAFF};
use crate::id::{MessageId, PlatformAccountId};
use crate::record::{List, One, record};
use crate::tool::{tool, tools};
use crate::value::{Limit, Line, Name, Offset, Text};
use crate::words::words;

words! {
    /// Which side of a message the caller is.
    Side {
        Sent = "sent",
        Received = "received",
    }
}

/// A message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Message {
    /// Identifies the message.
    pub id: MessageId,
    /// What it is about.
    pub subject: String,
    /// Who sent it.
    pub sender_id: PlatformAccountId,
    /// What the sender is called, if anything.
    pub sender_name: Option<String>,
    /// To whom.
    pub recipient_id: PlatformAccountId,
    /// What the recipient is called, if anything.
    pub recipient_name: Option<String>,
    /// What it says.
    pub body: String,
    /// When it was sent.
    pub created_at: Timestamp,
}
record!(Message, "message", "messages");

tool! {
    /// Sends a message to an account; nobody else reads it.
    SendAgentMessage = "send_agent_message" on Ops, CREATE, for STAFF => One<Message> {
        req {
            /// To whom; list_apps says which account an app acts as.
            recipient_id: PlatformAccountId,
            /// What it is about.
            subject: Name,
            /// What it says.
            body: Text<1, 10_000>,
        }
    }
}

tool! {
    /// Lists messages that you sent or received, the latest first.
    ListAgentMessages = "list_agent_messages" on Ops, READ, for EVERYBODY => List<Message> {
        opt {
            /// Only those that you sent, or only those that you received.
            side: Option<Side>,
            /// Only messages from or to this account.
            with_account_id: Option<PlatformAccountId>,
            /// Part of the subject.
            search: Option<Line>,
            /// Most messages to return.
            limit: Limit,
            /// Messages to skip.
            offset: Offset,
        }
    }
}

tools![SendAgentMessage, ListAgentMessages];
