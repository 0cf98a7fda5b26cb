//! Invitations of staff and students: single-use links.

use jiff::Timestamp;

use super::user::StaffRole;
use super::{ADMINS, OWNERS};
use crate::id::{InvitationId, MemberId, StudentId, UserId};
use crate::record::record;
use crate::role::Role;
use crate::tool::tool;
use crate::value::{Email, Line, Name};
use crate::wire::Wire;
use crate::words::words;

words! {
    /// Whether an invitation is still open.
    InvitationStatus {
        Open = "open",
        Accepted = "accepted",
        Revoked = "revoked",
        Expired = "expired",
        // The account with the address is closed.
        Closed = "closed",
        // The account with the address is already on the staff, or the student has an account.
        Taken = "taken",
    }
}

record! {
    /// An invitation.
    Invitation = "invitation", "invitations" (name: name, state: status)
        lasting "an invitation is not undone: use revoke_invitation or invite_staff" {
        id: InvitationId,
        /// The invited person's name.
        name: String,
        /// The sign-in address.
        email: String,
        /// The role of the account; a student's is fellow.
        role: Role,
        /// The invited student.
        member_id: Option<MemberId>,
        /// Whether it is still open.
        status: InvitationStatus,
        /// The owner who sent the invitation.
        invited_by: UserId,
        invited_by_name: Option<String>,
        /// When the link was created.
        created_at: Timestamp,
        /// When the link expires.
        expires_at: Timestamp,
    }
    /// Lists invitations, latest first.
    list ListInvitations = "list_invitations" on Staff for ADMINS {
        opt {
            status: Option<InvitationStatus>,
            /// Part of the name or e-mail address.
            search: Option<Line>,
        }
    }
    create InviteStaff;
    other InviteStudent(member_id);
    /// Revokes an invitation that was not accepted. Owners only.
    delete RevokeInvitation = "revoke_invitation" on Staff for OWNERS;
    other RenewInvitation;
}

/// An invitation with its link. The link is returned once only.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Invited {
    pub invitation: Invitation,
    /// The link for the invited person: single use, valid for three days; null in a trial.
    #[wire(secret)]
    pub link: Option<String>,
}

tool! {
    /// Invites a person to the staff. No mail is sent: pass on the link in the result. Inviting the same address
    /// again replaces the link. Owners only.
    InviteStaff = "invite_staff" on Staff, CREATE, for OWNERS => Invited as unremembered {
        req {
            /// To sign in with. An existing account with it joins the staff.
            email: Email,
            name: Name,
            #[wire("staff")]
            role: StaffRole,
        }
    }
}

tool! {
    /// Invites a student to sign in as a fellow, with the student's e-mail address. No mail is sent: pass on the link in
    /// the result. Inviting again replaces the link. Owners only.
    InviteStudent = "invite_student" on Staff, CREATE, for OWNERS => Invited as unremembered {
        req {
            /// The student.
            member_id: StudentId,
        }
    }
}

tool! {
    /// Replaces the link of an invitation that was not accepted or revoked. Owners only.
    RenewInvitation = "renew_invitation" on Staff, CREATE, for OWNERS => Invited as unremembered {
        req {
            id: InvitationId,
        }
    }
}
