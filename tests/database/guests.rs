//! The list of an event's guests at size: a page reads only its own guests, wherever it is.

use frontdesk_protocol::id::EventId;
use frontdesk_tests::lock::all_see;
use frontdesk_tests::{Organization, run, world};
use serde_json::{Value, json};

use crate::database::session::{Session, nodes};

/// Adds guests, a thousand at a time: the embedded database has one session, and other tests get
/// their turn in between.
pub(crate) async fn fill(organization: &Organization, event: EventId, thousands: i32) {
    for thousand in 0..thousands {
        world()
            .owner()
            .await
            .execute(
                "insert into events.guests (organization_id, event_id, name) \
                 select $1, $2, 'Guest ' || md5(n::text) \
                 from generate_series($3 * 1000 + 1, $3 * 1000 + 1000) n",
                &[&organization.id.0, &event.0, &thousand],
            )
            .await
            .expect("guests");
    }
    let owner = world().owner().await;
    all_see(&owner).await;
    let vacuumed = owner.batch_execute("vacuum (analyze) events.guests").await;
    vacuumed.expect("statistics");
}

#[test]
fn a_page_far_down_the_list_of_guests_skips_the_others_in_the_index() {
    run(async {
        let organization = Organization::create().await;
        let event = organization.event("Festival").await;
        fill(&organization, event, 20).await;
        let mut session = Session::of(&organization).await;
        let arguments = json!({ "event_id": event, "limit": 20, "offset": 15_000 });
        let answer = session.http.events("list_event_guests", arguments).await;
        assert_eq!(answer.output()["guests"].as_array().map(Vec::len), Some(20));

        let parameters = format!("'{event}', 20, 15000");
        let condition = "statement like 'select t.* from (select t.name_key%'";
        let plan = session
            .explain(
                condition,
                &parameters,
                "analyze, format json",
                "force_generic_plan",
            )
            .await;
        let plan = Value::Array(plan);
        let mut skipping = Vec::new();
        nodes(&plan, &mut |node| {
            let kind = node["Node Type"].as_str().expect("a kind");
            assert!(!kind.contains("Seq Scan"), "{plan:#}");
            if kind.contains("Scan") && node["Actual Rows"].as_f64() > Some(21.0) {
                // Guests of concurrent tests can make some pages not all-visible: of the 15,000
                // skipped guests hardly any is looked up.
                assert!(node["Heap Fetches"].as_f64() < Some(1_500.0), "{plan:#}");
                skipping.push(node["Index Name"].as_str().map(str::to_owned));
            }
        });
        assert_eq!(skipping, [Some("guests_listed_idx".to_owned())], "{plan:#}");
    });
}
