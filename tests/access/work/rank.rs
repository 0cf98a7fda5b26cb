//! A caller's global level, which decides together with the role.

use frontdesk_protocol::id::{OrganizationId, UserId};
use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Account, Http};
use serde_json::json;

use super::stage::Meetings;
use super::table::{Right, right};
use crate::access::stage::write;
use crate::access::verdict::{Verdict, ids};
use crate::access::who::Who;

/// Gives an account a profile of this level, or its profile the level.
pub(crate) fn set_level(user: UserId, organization: OrganizationId, level: u8) {
    write(
        "insert into learn.profiles (id, organization_id, name, level) values ($1, $2, 'Ranked', $3) \
         on conflict (id) do update set level = excluded.level",
        &[&user.0, &organization.0, &i32::from(level)],
    );
}

/// Somebody with a global level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ranked {
    pub(crate) who: Who,
    pub(crate) level: u8,
}

impl Ranked {
    /// Everybody, on both sides of the level that makes the difference.
    pub(crate) fn all() -> impl Iterator<Item = Ranked> {
        Who::all().flat_map(|who| {
            let levels: &[u8] = match who {
                Who::Ours(_) | Who::Theirs(_) => &[79, 80],
                Who::Nobody | Who::Inactive => &[0],
            };
            levels.iter().map(move |&level| Ranked { who, level })
        })
    }

    /// What may be done with the first organisation's meetings.
    pub(crate) fn right(self) -> Right {
        match self.who {
            Who::Ours(role) => right(role, self.level),
            Who::Theirs(_) | Who::Nobody | Who::Inactive => Right::Nothing,
        }
    }

    /// A client that is signed in as this.
    pub(crate) fn sign_in(self, meetings: &Meetings) -> Http {
        let stage = &meetings.stage;
        let home = match self.who {
            Who::Ours(role) => Some((&stage.ours, role)),
            Who::Theirs(role) => Some((&stage.theirs, role)),
            Who::Nobody | Who::Inactive => None,
        };
        if let Some((organization, role)) = home {
            set_level(organization.user(role), organization.id, self.level);
        }
        self.who.sign_in(stage)
    }
}

fn series(http: &mut Http) -> usize {
    let answer = http.call(Host::Work, "list_meeting_series", json!({}));
    ids(answer.output(), "series").len()
}

fn set_template(http: &mut Http, meetings: &Meetings) -> Verdict {
    let arguments = json!({ "meeting_id": meetings.ours.series, "template": "weekly_leaders" });
    let answer = http.call(Host::Work, "set_meeting_template", arguments);
    Verdict::of(&answer)
}

#[test]
#[ignore = "runs on PostgreSQL; here with --include-ignored"]
fn a_level_that_is_taken_away_is_gone_at_the_next_call() {
    let meetings = Meetings::set();
    let ours = &meetings.stage.ours;
    let mut staff = Ranked {
        who: Who::Ours(Role::Staff),
        level: 80,
    }
    .sign_in(&meetings);
    assert_eq!(set_template(&mut staff, &meetings), Verdict::Done);
    set_level(ours.user(Role::Staff), ours.id, 79);
    assert_eq!(set_template(&mut staff, &meetings), Verdict::Forbidden);
    assert_eq!(series(&mut staff), 4);
    write(
        "update staff.users set is_active = false where id = $1",
        &[&ours.user(Role::Staff).0],
    );
    assert_eq!(series(&mut staff), 0);
}

/// Without an active staff row in the organisation, the highest level gives no access.
#[test]
#[ignore = "runs on PostgreSQL; here with --include-ignored"]
fn a_level_without_an_active_staff_row_opens_nothing() {
    let meetings = Meetings::set();
    let ours = meetings.stage.ours.id;
    let account = Account::create();
    set_level(account.id, ours, 100);
    write(
        "insert into staff.users (id, organization_id, role, is_active) \
         values ($1, $2, 'owner', false)",
        &[&account.id.0, &ours.0],
    );
    let before = meetings.stage.snapshot();
    let mut http = account.sign_in();
    assert_eq!(series(&mut http), 0);
    let not_found = Verdict::NotFound("meeting_id".to_owned());
    assert_eq!(set_template(&mut http, &meetings), not_found);
    assert_eq!(meetings.stage.snapshot(), before);
}
