//! The Learn host beside more members, programs and articles than a call asks for.

use frontdesk_protocol::Host;
use serde_json::{Value, json};

use super::{Growth, hexadecimal};

/// Members, a tenth as many articles, and a program of 20 stages with 30 milestones and 200 dependencies for each
/// thousand of members. The first is a template; the others are instances, each of a cohort of 500.
const FILL: &str = "
create function pg_temp.id(n integer) returns uuid
  return ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid;
insert into learn.members (id, organization_id, name, personal_email)
select md5('member' || n)::uuid, '{organization}', 'Member ' || md5(n::text), 'member' || n || '@example.org'
from generate_series(1, {scale}) n;

insert into learn.cohorts (id, owner_id, name, slug)
select pg_temp.id(n), '{organization}', 'Measured ' || n, 'measured-' || n
from (select generate_series(1, {scale} / 1000) union select generate_series(1000, 1100)) c (n);
insert into learn.cohort_members (cohort_id, member_id, organization_id)
select pg_temp.id(n), md5('member' || (n * 997 + m) % {scale} + 1)::uuid, '{organization}'
from generate_series(1, {scale} / 1000) n, generate_series(1, 500) m;

insert into learn.programs (id, organization_id, name, slug, kind, cohort_id)
select pg_temp.id(n), '{organization}', 'Measured ' || n, 'measured-' || n,
       case n when 0 then 'template' else 'instance' end, case when n > 0 then pg_temp.id(n) end
from generate_series(0, {scale} / 1000) n;
insert into learn.stages (id, organization_id, program_id, title, position)
select md5('stage' || n || '.' || s)::uuid, '{organization}', pg_temp.id(n), 'Stage ' || s, s
from generate_series(0, {scale} / 1000) n, generate_series(1, 20) s;
insert into learn.milestones (id, organization_id, stage_id, title, position, status)
select md5('milestone' || n || '.' || s || '.' || m)::uuid, '{organization}', md5('stage' || n || '.' || s)::uuid,
       'Milestone ' || m, m, case m % 2 when 0 then 'done' else 'upcoming' end
from generate_series(0, {scale} / 1000) n, generate_series(1, 20) s, generate_series(1, 30) m;
insert into learn.stage_dependencies (organization_id, program_id, node_kind, predecessor_id, successor_id)
select '{organization}', pg_temp.id(n), 'milestone', md5('milestone' || n || '.' || s || '.' || m)::uuid,
       md5('milestone' || n || '.' || s || '.' || m + 1)::uuid
from generate_series(0, {scale} / 1000) n, generate_series(1, 20) s, generate_series(1, 10) m;
insert into learn.milestone_completions (milestone_id, member_id, organization_id)
select md5('milestone' || c.n || '.' || s || '.' || m)::uuid, c.member_id, '{organization}'
from (select n, t.member_id from generate_series(1, {scale} / 1000) n
      join learn.cohort_members t on t.cohort_id = pg_temp.id(n)) c,
     generate_series(1, case c.n when 1 then 20 else 1 end) s, generate_series(1, case c.n when 1 then 15 else 3 end) m;

insert into learn.wiki_articles (organization_id, author_id, title, slug, content, status)
select '{organization}', (select id from auth.users where email = 'owner@demo.test'), 'Article ' || md5(n::text),
       'measured-' || n, repeat('Words of an article. ', 100), 'published'
from generate_series(1, {scale} / 10) n;
";

/// Cohorts from this number on have no instance.
const SPARE: usize = 1_000;

/// The id of the program or the cohort of this number.
fn id(number: usize) -> Value {
    json!(format!("00000000-0000-4000-8000-{number:012}"))
}

pub(crate) async fn run() {
    let growth = Growth {
        host: Host::Learn,
        of: "members",
        scales: [1_000, 10_000, 100_000],
        fill: FILL,
        calls: &[
            ("first page", 20, "list_members", |_| json!({})),
            (
                "member, found",
                20,
                "list_members",
                |at| json!({ "search": hexadecimal(at) }),
            ),
            (
                "looked up by name",
                20,
                "lookup_member",
                |at| json!({ "name": hexadecimal(at) }),
            ),
            (
                "member, not found",
                20,
                "list_members",
                |_| json!({ "search": "nobody here" }),
            ),
            (
                "program",
                20,
                "get_program",
                |_| json!({ "slug": "measured-0" }),
            ),
            (
                "instantiation",
                20,
                "instantiate_program",
                |at| json!({ "template_id": id(0), "cohort_id": id(SPARE + at) }),
            ),
            (
                "progress",
                10,
                "get_program_member_progress",
                |_| json!({ "cohort_id": id(1), "limit": 500 }),
            ),
            (
                "title, found",
                20,
                "list_wiki_articles",
                |at| json!({ "search": hexadecimal(at) }),
            ),
            (
                "title, not found",
                20,
                "list_wiki_articles",
                |_| json!({ "search": "nothing here" }),
            ),
        ],
    };
    growth.run().await;
}
