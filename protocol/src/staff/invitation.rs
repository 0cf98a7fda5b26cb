//! Invitations to the staff: links for one use.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::user::StaffRole;
use super::{ADMINS, OWNERS};
use crate::id::{InvitationId, UserId};
use crate::record::{List, One, record};
use crate::tool::{tool, tools};
use crate::value::{Email, Limit, Line, Name, Offset};
use crate::words::words;

words! {
    /// What has become of an invitation.
    InvitationStatus {
        Open = "open",
        Accepted = "accepted",
        Revoked = "revoked",
        Expired = "expired",
        /// The account with the address is closed.
        Closed = "closed",
        /// The account with the address is on the staff already.
        Taken = "taken",
    }
}

/// An invitation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Invitation {
    /// Identifies the invitation.
    pub id: InvitationId,
    /// Who is invited.
    pub name: String,
    /// The address that the account signs in with.
    pub email: String,
    /// What the account becomes.
    pub role: StaffRole,
    /// What has become of it.
    pub status: InvitationStatus,
    /// The owner who invited.
    pub invited_by: UserId,
    /// When the link was made.
    pub created_at: Timestamp,
    /// Until when the link is good.
    pub expires_at: Timestamp,
}
record!(Invitation, "invitation", "invitations");

/// An invitation, and its link, which is told once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Invited {
    /// The invitation.
    pub invitation: Invitation,
    /// What to send to the invited person: good for one use and three days.
    pub link: String,
}

tool! {
    /// Lists invitations, the latest first.
    ListInvitations = "list_invitations" on Staff, READ, for ADMINS => List<Invitation> {
        opt {
            /// Only those of this status.
            status: Option<InvitationStatus>,
            /// Part of the name or e-mail address.
            search: Option<Line>,
            /// Most invitations to return.
            limit: Limit,
            /// Invitations to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Invites somebody to the staff. Nothing is sent: the result has a link to pass on. Inviting the same address
    /// again makes a new link and ends the old one. Owners only.
    InviteStaff = "invite_staff" on Staff, CREATE, for OWNERS => Invited {
        req {
            /// E-mail address to sign in with. An account that has it joins the staff.
            email: Email,
            /// Name.
            name: Name,
            /// What the account becomes.
            role: StaffRole,
        }
    }
}

tool! {
    /// Ends an invitation that was not accepted. Owners only.
    RevokeInvitation = "revoke_invitation" on Staff, DELETE, for OWNERS => One<Invitation> {
        req {
            /// The invitation.
            id: InvitationId,
        }
    }
}

tools![ListInvitations, InviteStaff, RevokeInvitation];
