//! What is only kept for a time.

use frontdesk_protocol::Role;
use frontdesk_tests::blocking::{Organization, world};
use frontdesk_tests::run;
use uuid::Uuid;

fn as_owner(sql: &str, organization: Uuid, account: Uuid) -> Vec<String> {
    let rows = run(world().as_owner(sql, &[&organization, &account]));
    rows.iter().map(|row| row.get(0)).collect()
}

#[test]
fn what_is_only_kept_for_a_time_goes_and_everything_else_stays() {
    let organization = Organization::create();
    organization.sign_in(Role::Staff);
    let (id, account) = (organization.id.0, organization.user(Role::Staff).0);
    for sql in [
        "insert into webhooks.events (organization_id, type, subject_id, created_at, delivered_at, given_up_at)
         select $1, 'meeting.created', $2, now() - old, case kind when 'delivered' then now() - old end,
           case kind when 'given up' then now() - old end
         from unnest(array['delivered', 'given up', 'waiting']) kind,
           unnest(array[interval '100 days', interval '1 day']) old
         returning null::text",
        "insert into auth.refresh_tokens (session_id, hash, created_at)
         select (select s.id from auth.sessions s where s.user_id = $2 and $1::uuid is not null limit 1),
           sha256(format('%s %s', $2, old)::bytea), now() - old
         from unnest(array[interval '50 days', interval '31 days']) old returning null::text",
        "insert into app.applied_plans (account_id, digest, applied_at)
         select $2, old::text, now() - old from unnest(array[interval '100 days', interval '1 day']) old
         where $1::uuid is not null returning null::text",
    ] {
        let rows = run(world().as_owner(sql, &[&id, &account]));
        assert!(!rows.is_empty());
    }
    // The age counts beside the latest token.
    organization.sign_in(Role::Staff);
    run(world().as_owner("select app.forget_old()", &[]));
    let kept = as_owner(
        "select format('%s %s', case when e.delivered_at is not null then 'delivered'
             when e.given_up_at is not null then 'given up' else 'waiting' end, (now() - e.created_at)::text)
         from webhooks.events e where e.organization_id = $1 and $2::uuid is not null order by 1",
        id,
        account,
    );
    let days: Vec<_> = kept
        .iter()
        .map(|line| line.split(" day").next().unwrap_or_default())
        .collect();
    let expected = [
        "delivered 1",
        "given up 1",
        "given up 100",
        "waiting 1",
        "waiting 100",
    ];
    assert_eq!(days, expected);
    let tokens = as_owner(
        "select extract(day from now() - t.created_at)::text from auth.refresh_tokens t
         join auth.sessions s on s.id = t.session_id
         where s.user_id = $2 and $1::uuid is not null and t.created_at < now() - interval '1 day'",
        id,
        account,
    );
    assert_eq!(tokens, ["31"]);
    let plans = as_owner(
        "select digest from app.applied_plans where account_id = $2 and $1::uuid is not null",
        id,
        account,
    );
    assert_eq!(plans, ["1 day"]);
}
