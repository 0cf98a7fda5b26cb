//! The accounts that everything is tried as.

use frontdesk_protocol::Role;
use frontdesk_tests::blocking::{Account, Http, world};

use crate::access::stage::Stage;

/// Somebody, as seen from the organisation whose rows are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Who {
    /// This role in the organisation.
    Ours(Role),
    /// This role in another organisation.
    Theirs(Role),
    /// An account with neither a staff row nor a profile.
    Nobody,
    /// An owner of the organisation whose staff row is not active, without a profile.
    Inactive,
}

impl Who {
    /// Everybody.
    pub(crate) fn all() -> impl Iterator<Item = Who> {
        let ours = Role::ALL.into_iter().map(Who::Ours);
        let theirs = Role::ALL.into_iter().map(Who::Theirs);
        ours.chain(theirs).chain([Who::Nobody, Who::Inactive])
    }

    /// The role that the account has somewhere.
    pub(crate) fn role(self) -> Option<Role> {
        match self {
            Who::Ours(role) | Who::Theirs(role) => Some(role),
            Who::Nobody | Who::Inactive => None,
        }
    }

    /// A client that is signed in as this.
    pub(crate) fn sign_in(self, stage: &Stage) -> Http {
        match self {
            Who::Ours(role) => stage.ours.sign_in(role),
            Who::Theirs(role) => stage.theirs.sign_in(role),
            Who::Nobody => Account::create().sign_in(),
            Who::Inactive => {
                let account = Account::create();
                world()
                    .owner()
                    .execute(
                        "insert into staff.users (id, organization_id, role, is_active) \
                         values ($1, $2, 'owner', false)",
                        &[&account.id.0, &stage.ours.id.0],
                    )
                    .expect("a staff row");
                account.sign_in()
            }
        }
    }
}
