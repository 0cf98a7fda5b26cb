//! What does not depend on the rows of others, and what each call adds.

use frontdesk_protocol::Role;
use frontdesk_tests::{Organization, run, world};
use serde_json::json;

/// The guests that a search finds, and how.
const FOUND: &str = "select array_agg(f.id::text || f.matched order by f.id) \
    from events.find_guests($1, $2, null, null, 51, 0) f";

#[test]
fn a_search_in_one_of_many_events_reads_its_guests_and_finds_the_same() {
    run(async {
        let organization = Organization::create().await;
        let event = organization.event("Open day").await;
        let names = [
            "Ana Souza",
            "Mariana Lima",
            "Rafaela Ana",
            "Anna Souza",
            "Silvia Prado",
        ];
        organization.guests(event, &names).await;
        let mut owner = world().owner().await;
        let transaction = owner.transaction().await.expect("a transaction");
        let caller = "select set_config('app.organization_id', $1, true), set_config('app.role', 'staff', true)";
        let id = organization.id.to_string();
        transaction
            .batch_execute("reset role")
            .await
            .expect("a superuser");
        transaction.query(caller, &[&id]).await.expect("a caller");
        let reads = "select coalesce(pg_stat_get_xact_numscans('events.guests_words_idx'::regclass), 0)::bigint";
        let mut found = Vec::new();
        for guests in [1_000_f32, 10_000_000.0] {
            let are_many =
                "update pg_class set reltuples = $1 where oid = 'events.guests'::regclass";
            transaction
                .execute(are_many, &[&guests])
                .await
                .expect("superuser");
            let before: i64 = transaction
                .query_one(reads, &[])
                .await
                .expect("scans")
                .get(0);
            let mut rows = Vec::new();
            for search in ["ana", "maria", "souza ana", "silvai", "nobody"] {
                let row = transaction.query_one(FOUND, &[&event.0, &search]).await;
                rows.push(row.expect(search).get::<_, Option<Vec<String>>>(0));
            }
            let after: i64 = transaction
                .query_one(reads, &[])
                .await
                .expect("scans")
                .get(0);
            if guests > 1_000_000.0 {
                assert_eq!(after, before, "the index of all guests is read");
            }
            found.push(rows);
        }
        assert_eq!(found[0], found[1]);
        assert!(found[0][0].is_some() && found[0][4].is_none(), "{found:?}");
        let setting = "select current_setting('enable_bitmapscan')";
        let setting: String = transaction
            .query_one(setting, &[])
            .await
            .expect("it is set")
            .get(0);
        assert_eq!(setting, "on", "the function's setting ends with it");
    });
}

#[test]
fn a_check_in_adds_little_to_the_history() {
    run(async {
        let organization = Organization::create().await;
        let event = organization.event("Open day").await;
        let guests = organization.guests(event, &["Ana Souza"]).await;
        let mut staff = organization.sign_in(Role::Staff).await;
        let came = staff.events("check_in_guest", json!({ "id": guests[0] }));
        assert_eq!(came.await.output()["already_checked_in"], false);
        let bytes = "select sum(pg_column_size(c) + (select sum(pg_column_size(r)) from app.changed_rows r \
             where r.change_id = c.id))::bigint from app.changes c where c.organization_id = $1";
        let owner = world().owner().await;
        let row = owner.query_one(bytes, &[&organization.id.0]).await;
        let bytes: i64 = row.expect("an entry").get(0);
        // Without its indexes.
        assert!((1..=600).contains(&bytes), "{bytes} bytes");
    });
}
