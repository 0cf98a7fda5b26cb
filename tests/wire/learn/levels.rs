//! Levels: 80 and above makes a global admin, whatever the role; and the rights without a level.

use frontdesk_protocol::{Host, Role};
use serde_json::{Value, json};

use super::{each, stage};

/// The roles that are not global admins by themselves.
const OTHERS: [Role; 6] = [
    Role::Admin,
    Role::Staff,
    Role::Teacher,
    Role::Finance,
    Role::Fellow,
    Role::Automation,
];

#[test]
fn everybody_of_level_80_sees_all_fellow_slugs_and_who_has_one() {
    let (organization, mut admin) = stage();
    let owner = organization.user(Role::Owner);
    let give = |user: &Value| json!({ "user_id": user, "fellow_slug": "ana" });
    admin.output("set_profile_fellow_slug", give(&json!(owner)));
    for role in OTHERS {
        organization.level(role, 80);
        let mut caller = organization.caller(role, Host::Learn);
        let listed = caller.output("list_profile_fellow_slugs", json!({}));
        assert_eq!(
            each(&listed, "fellow_slugs", "fellow_slug"),
            ["ana"],
            "{role:?}"
        );
        let taken = give(&json!(organization.user(role)));
        let taken = caller.output("set_profile_fellow_slug", taken);
        assert_eq!(
            (&taken["outcome"], &taken["held_by"]),
            (&json!("slug_taken"), &json!(owner)),
            "{role:?}"
        );
    }
}

#[test]
fn everybody_of_level_80_sees_everybody_s_progress_and_writes_programs() {
    let (organization, mut admin) = stage();
    let template = admin.make("create_program", json!({ "name": "Fellowship" }));
    let cohort = admin.make("create_cohort", json!({ "name": "2026" }));
    let copy = json!({ "template_id": template, "cohort_id": cohort });
    admin.output("instantiate_program", copy);
    organization.join_cohort(&cohort, organization.fellow);
    organization.join_cohort(&cohort, organization.member);
    let mut fellow = organization.caller(Role::Fellow, Host::Learn);
    let of = json!({ "cohort_id": cohort });
    let own = fellow.output("get_program_member_progress", of.clone());
    assert_eq!(each(&own, "progress", "member_name"), ["Fellow"]);
    for role in OTHERS {
        organization.level(role, 80);
        let mut caller = organization.caller(role, Host::Learn);
        let all = caller.output("get_program_member_progress", of.clone());
        let names = each(&all, "progress", "member_name");
        assert_eq!(names, ["Fellow", "Member"], "{role:?}");
        let program = caller.output("create_program", json!({ "name": "Mine" }));
        let program = program["program"]["id"].clone();
        let seen = caller.output("get_program", json!({ "id": program }));
        assert_eq!(seen["program"]["name"], "Mine", "{role:?}");
    }
}

#[test]
fn everybody_who_is_signed_in_lists_cohorts() {
    let (organization, mut admin) = stage();
    admin.make("create_cohort", json!({ "name": "2026" }));
    for role in Role::ALL {
        let mut caller = organization.caller(role, Host::Learn);
        let listed = caller.output("list_cohorts", json!({}));
        assert_eq!(each(&listed, "cohorts", "name"), ["2026"], "{role:?}");
    }
    let mut machine = organization.caller(Role::Automation, Host::Learn);
    let nothing = machine.output("list_programs", json!({}));
    assert_eq!(nothing["programs"], json!([]));
}
