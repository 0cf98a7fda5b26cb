//! Levels: 80 and above makes a global admin, whatever the role; and the rights without a level.

use frontdesk_protocol::Role;
use frontdesk_tests::run;
use serde_json::{Value, json};

use super::{Admin, each, stage};

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
    run(async {
        let (organization, mut admin) = stage().await;
        let owner = organization.user(Role::Owner);
        let give = |user: &Value| json!({ "user_id": user, "fellow_slug": "ana" });
        admin
            .output("set_profile_fellow_slug", give(&json!(owner)))
            .await;
        for role in OTHERS {
            organization.level(role, 80).await;
            let mut caller = Admin(organization.sign_in(role).await);
            let listed = caller.output("list_profile_fellow_slugs", json!({})).await;
            assert_eq!(
                each(&listed, "fellow_slugs", "fellow_slug"),
                ["ana"],
                "{role:?}"
            );
            let taken = give(&json!(organization.user(role)));
            let taken = caller.output("set_profile_fellow_slug", taken).await;
            assert_eq!(
                (&taken["outcome"], &taken["held_by"]),
                (&json!("slug_taken"), &json!(owner)),
                "{role:?}"
            );
        }
    });
}

#[test]
fn everybody_of_level_80_sees_everybody_s_progress_and_writes_programs() {
    run(async {
        let (organization, mut admin) = stage().await;
        let template = admin
            .make("create_program", json!({ "name": "Fellowship" }))
            .await;
        let cohort = admin.make("create_cohort", json!({ "name": "2026" })).await;
        let copy = json!({ "template_id": template, "cohort_id": cohort });
        admin.output("instantiate_program", copy).await;
        organization.join_cohort(&cohort, organization.fellow).await;
        organization.join_cohort(&cohort, organization.member).await;
        let mut fellow = Admin(organization.sign_in(Role::Fellow).await);
        let of = json!({ "cohort_id": cohort });
        let own = fellow
            .output("get_program_member_progress", of.clone())
            .await;
        assert_eq!(each(&own, "progress", "member_name"), ["Fellow"]);
        for role in OTHERS {
            organization.level(role, 80).await;
            let mut caller = Admin(organization.sign_in(role).await);
            let all = caller
                .output("get_program_member_progress", of.clone())
                .await;
            let names = each(&all, "progress", "member_name");
            assert_eq!(names, ["Fellow", "Member"], "{role:?}");
            let program = caller.output("create_program", json!({ "name": "Mine" }));
            let program = program.await["program"]["id"].clone();
            let seen = caller.output("get_program", json!({ "id": program })).await;
            assert_eq!(seen["program"]["name"], "Mine", "{role:?}");
        }
    });
}

#[test]
fn everybody_who_is_signed_in_lists_cohorts() {
    run(async {
        let (organization, mut admin) = stage().await;
        admin.make("create_cohort", json!({ "name": "2026" })).await;
        for role in Role::ALL {
            let mut caller = Admin(organization.sign_in(role).await);
            let listed = caller.output("list_cohorts", json!({})).await;
            assert_eq!(each(&listed, "cohorts", "name"), ["2026"], "{role:?}");
        }
        let mut machine = Admin(organization.sign_in(Role::Automation).await);
        let nothing = machine.output("list_programs", json!({})).await;
        assert_eq!(nothing["programs"], json!([]));
    });
}
