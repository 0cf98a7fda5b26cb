//! What the tools for business units answer is what they declare.

use frontdesk_protocol::work::business_unit::TOOLS;
use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Organization, run};
use serde_json::json;
use uuid::Uuid;

use crate::output::fits;

#[test]
fn every_tool_for_business_units_answers_with_what_it_declares() {
    run(async {
        let organization = Organization::create().await;
        let mut finance = organization.sign_in(Role::Finance).await;
        let full = json!({
            "name": "Unit", "profile_image_url": "https://example.org/1.png", "tags": ["a", "b"],
        });
        let create = "create_business_unit";
        let id = finance
            .call(Host::Work, create, full.clone())
            .await
            .output()["business_unit"]["id"]
            .clone();
        for tool in TOOLS {
            let calls = match tool.name {
                "list_business_units" => vec![json!({}), json!({ "search": "u", "tag": "a" })],
                "create_business_unit" => vec![json!({ "name": "Other" }), full.clone()],
                "update_business_unit" => vec![json!({ "id": id, "tags": null })],
                "get_business_unit" => vec![json!({ "id": id }), json!({ "id": Uuid::nil() })],
                _ => vec![json!({ "id": id })],
            };
            for arguments in calls {
                fits(tool, &finance.call(Host::Work, tool.name, arguments).await);
            }
        }
    });
}
