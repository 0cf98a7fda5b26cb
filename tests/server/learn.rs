//! Two callers at once at the Learn host: no cycle is closed, no copy is made twice, and a slug is
//! unique.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Answer, Http, Organization, run};
use serde_json::{Value, json};

use crate::server::together::held_by;

/// An organisation and two of its admins.
struct Two {
    organization: Organization,
    admins: [Http; 2],
}

impl Two {
    async fn new() -> Two {
        let organization = Organization::create().await;
        for role in [Role::Owner, Role::Admin] {
            organization.level(role, 80).await;
        }
        let mut admins = [
            organization.sign_in(Role::Owner).await,
            organization.sign_in(Role::Admin).await,
        ];
        for admin in &mut admins {
            admin.session(Host::Learn).await;
        }
        Two {
            organization,
            admins,
        }
    }

    /// Creates a record as one of them; returns its id.
    async fn make(&mut self, tool: &str, arguments: Value) -> Value {
        let made = self.admins[0].call(Host::Learn, tool, arguments).await;
        let record = made
            .output()
            .as_object()
            .and_then(|output| output.values().next());
        record.expect("a record")["id"].clone()
    }

    /// Makes both calls of the tool while the test holds this lock of the organisation, and
    /// releases it once they wait; the answer with an effect comes first.
    async fn both(self, lock: &str, tool: &'static str, calls: [Value; 2]) -> [Answer; 2] {
        let [first, second] = self.admins;
        let call = |mut admin: Http, arguments: Value| async move {
            admin.call(Host::Learn, tool, arguments).await
        };
        let [one, other] = calls;
        let id = self.organization.id.0;
        let mut ended = held_by(lock, id, call(first, one), call(second, other)).await;
        ended.sort_by_key(|answer| {
            let output = &answer.body["result"]["structuredContent"];
            (answer.body["result"]["isError"] == true)
                || output["created"] == false
                || output["outcome"] == "slug_taken"
        });
        ended
    }
}

pub(crate) fn of_two_edges_that_close_a_way_round_one_is_added() {
    run(async {
        let mut two = Two::new().await;
        let program = two.make("create_program", json!({ "name": "A" })).await;
        let mut stages = Vec::new();
        for title in ["First", "Last"] {
            let stage = json!({ "program_id": program, "title": title });
            stages.push(two.make("create_stage", stage).await);
        }
        let edge = |from: usize, to: usize| {
            json!({ "program_id": program, "node_kind": "stage",
                    "predecessor_id": stages[from], "successor_id": stages[to] })
        };
        let lock = "learn.programs where organization_id = $1 for update";
        let calls = [edge(0, 1), edge(1, 0)];
        let [done, refused] = two.both(lock, "add_stage_dependency", calls).await;
        done.output();
        refused.refuses("invalid_argument", "successor_id");
    });
}

pub(crate) fn of_two_instantiations_one_copies() {
    run(async {
        let mut two = Two::new().await;
        let template = two.make("create_program", json!({ "name": "A" })).await;
        let cohort = two.make("create_cohort", json!({ "name": "A" })).await;
        let copy = || json!({ "template_id": template, "cohort_id": cohort });
        let lock = "learn.programs where organization_id = $1 for update";
        let [done, again] = two
            .both(lock, "instantiate_program", [copy(), copy()])
            .await;
        assert_eq!(done.output()["created"], true);
        assert_eq!(again.output()["created"], false);
        assert_eq!(done.output()["program_id"], again.output()["program_id"]);
    });
}

pub(crate) fn of_two_users_given_one_slug_one_has_it() {
    run(async {
        let two = Two::new().await;
        let user = |role| two.organization.user(role);
        let give = |role| json!({ "user_id": user(role), "fellow_slug": "ana" });
        let calls = [give(Role::Owner), give(Role::Admin)];
        let lock = "pg_advisory_xact_lock(hashtextextended($1::uuid || 'ana', 80))";
        let [done, taken] = two.both(lock, "set_profile_fellow_slug", calls).await;
        assert_eq!(done.output()["outcome"], "set");
        assert_eq!(taken.output()["outcome"], "slug_taken");
        assert_eq!(taken.output()["held_by"], done.output()["user_id"]);
    });
}

pub(crate) fn of_two_articles_put_below_each_other_one_is() {
    run(async {
        let mut two = Two::new().await;
        for title in ["One", "Other"] {
            two.make("create_wiki_article", json!({ "title": title }))
                .await;
        }
        let below = |slug, parent| json!({ "slug": slug, "metadata": { "parent_slug": parent } });
        let calls = [below("one", "other"), below("other", "one")];
        let lock = "pg_advisory_xact_lock(hashtextextended($1::uuid::text, 42))";
        let [done, refused] = two.both(lock, "update_wiki_article", calls).await;
        done.output();
        refused.refuses("invalid_argument", "metadata.parent_slug");
    });
}
