//! Placements and label aliases.

use serde_json::{Value, json};

use super::stage;

#[test]
fn a_placement_takes_missing_values_from_the_specification() {
    let (organization, mut owner) = stage();
    let placement = json!({
        "member_id": organization.member, "company": "Museum", "role": "Developer",
        "started_at": "2026-01-05", "ended_at": "2026-02-05", "placement_tier": "B",
    });
    let placement = owner.record("create_placement", placement);
    for (field, value) in [
        ("type", json!("employed")),
        ("source_of_record", json!("self_report")),
        ("is_internal_hire_promoted", json!(false)),
        ("had_prior_tech_background", Value::Null),
        ("consent_to_report", json!(false)),
    ] {
        assert_eq!(placement[field], value, "{field}");
    }
    let me = organization.user(frontdesk_protocol::Role::Owner);
    assert_eq!(placement["created_by"], json!(me));
}

#[test]
fn invalid_placements_are_refused_at_the_field() {
    let (organization, mut owner) = stage();
    let stranger = uuid::Uuid::now_v7();
    for (code, field, value) in [
        ("invalid_argument", "reason_we_helped", json!(["mentoring"])),
        ("invalid_argument", "reason_we_helped", json!([])),
        ("invalid_argument", "ended_at", json!("2026-01-04")),
        ("invalid_argument", "placement_tier", json!("D")),
        ("invalid_argument", "type", json!("gift")),
        ("invalid_argument", "evidence_url", json!("contract.pdf")),
        ("not_found", "created_by", json!(stranger)),
        ("not_found", "member_id", json!(stranger)),
    ] {
        let mut placement = json!({
            "member_id": organization.member, "company": "Museum", "role": "Developer",
            "started_at": "2026-01-05",
        });
        placement[field] = value;
        let refused = owner.call("create_placement", placement);
        refused.refuses(code, field);
        if field == "reason_we_helped" {
            let message = refused.tool_error()["message"].to_string();
            assert!(message.contains("migration is pending"), "{message}");
        }
    }
}

#[test]
fn an_alias_is_kept_to_the_letter_and_refreshed_when_it_comes_again() {
    let (organization, mut owner) = stage();
    let alias = |more: Value| {
        let mut alias = json!({ "alias": " ana S. ", "member_id": organization.member });
        if let (Some(alias), Value::Object(more)) = (alias.as_object_mut(), more) {
            alias.extend(more);
        }
        alias
    };
    let tool = "create_member_label_alias";
    let first = owner.record(tool, alias(json!({})));
    assert_eq!(first["alias"], " ana S. ");
    assert_eq!(
        (&first["source"], &first["confidence"]),
        (&json!("manual"), &json!(1))
    );
    let again = alias(json!({ "source": "import", "confidence": 0.5, "context": "Weekly" }));
    let again = owner.record(tool, again);
    assert_eq!(again["id"], first["id"]);
    assert_eq!(
        (&again["source"], &again["confidence"]),
        (&json!("import"), &json!(0.5))
    );
    let other = json!({ "alias": " Ana S. ", "member_id": organization.member });
    assert_ne!(owner.record(tool, other)["id"], first["id"]);
    for confidence in [-0.1, 1.1] {
        let refused = owner.call(tool, alias(json!({ "confidence": confidence })));
        refused.refuses("invalid_argument", "confidence");
    }
}
