//! The Work host beside more tasks, changes and meetings than a call asks for.

use frontdesk_protocol::Host;
use serde_json::{Value, json};

use super::{Growth, PAGE, hexadecimal};

/// Tasks, of which the first epic has 2,000 and the first member 500; a tenth as many changes of status in these days,
/// of which that member made 50; as many segments of meetings, of which 1,000 are in the daily meetings of these days.
const FILL: &str = "
create function pg_temp.id(n integer) returns uuid
  return ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid;
insert into learn.members (id, organization_id, name)
select pg_temp.id(n), '{organization}', 'Member ' || md5(n::text) from generate_series(1, 1000) n;
insert into work.epics (id, organization_id, name)
select pg_temp.id(n), '{organization}', 'Epic ' || n from generate_series(1, 500) n;
insert into work.deliveries (id, organization_id, name, epic_id)
select pg_temp.id(n), '{organization}', 'Delivery ' || n, pg_temp.id(n) from generate_series(1, 500) n;

insert into work.tasks (id, organization_id, number, identifier, name, epic_id, delivery_id, owner_id, status,
                        priority, stage_id, estimated_date)
select pg_temp.id(n), '{organization}', 100000 + n, 'M-' || n, 'Task ' || md5(n::text), pg_temp.id(epic),
       case when n % 3 = 0 then pg_temp.id(epic) end, pg_temp.id(case when n <= 500 then 1 else 2 + n % 999 end),
       (array['to_do', 'in_progress', 'dev_completed', 'done', 'blocked'])[1 + n % 5], n::bigint * 7919 % {scale},
       (array['spec', 'design', 'execution', 'review', 'decision', 'qa'])[1 + n % 6], current_date + n % 30
from (select n, case when n <= 2000 then 1 else 2 + n % 499 end as epic from generate_series(1, {scale}) n) t;
insert into work.task_status_changes (organization_id, task_id, owner_id, from_status, to_status, changed_at)
select '{organization}', pg_temp.id(n), pg_temp.id(case when n <= 50 then 1 else 2 + n % 999 end), 'to_do', 'done',
       now() - n % 7 * interval '1 day'
from generate_series(1, {scale} / 10) n;

insert into work.meetings (id, organization_id, title, meeting_date)
select pg_temp.id(n), '{organization}', case when n <= 5 then 'Daily' else 'Meeting ' || n end,
       now() - n * interval '1 day'
from generate_series(1, {scale} / 200) n;
insert into work.transcript_segments (organization_id, meeting_id, position, speaker, member_id, content)
select '{organization}', pg_temp.id(1 + (n - 1) / 200), n, 'Speaker ' || n % 10,
       case when n % 2 = 0 then pg_temp.id(1 + n % 10) end, 'Words that somebody said, number ' || n
from generate_series(1, {scale}) n;
";

/// The id of the member, epic or delivery of this number.
fn id(number: u32) -> Value {
    json!(format!("00000000-0000-4000-8000-{number:012}"))
}

pub(crate) async fn run() {
    let growth = Growth {
        host: Host::Work,
        of: "tasks",
        scales: [10_000, 100_000, 1_000_000],
        fill: FILL,
        calls: &[
            ("first page", 20, "list_tasks", |_| json!({ "limit": PAGE })),
            (
                "page 400",
                20,
                "list_tasks",
                |_| json!({ "limit": PAGE, "offset": 7_980 }),
            ),
            (
                "of an epic",
                20,
                "list_tasks",
                |_| json!({ "epic_id": id(1), "limit": PAGE }),
            ),
            (
                "of a member",
                20,
                "list_tasks",
                |_| json!({ "owner_id": id(1), "limit": PAGE }),
            ),
            (
                "of a status",
                20,
                "list_tasks",
                |_| json!({ "status": "in_progress", "limit": PAGE }),
            ),
            (
                "found",
                20,
                "list_tasks",
                |at| json!({ "search": hexadecimal(at), "limit": PAGE }),
            ),
            (
                "not found",
                20,
                "list_tasks",
                |_| json!({ "search": "nothing here", "limit": PAGE }),
            ),
            ("epics", 20, "list_epics", |_| json!({ "limit": PAGE })),
            ("epic", 20, "get_epic", |_| json!({ "id": id(1) })),
            ("delivery", 20, "get_delivery", |_| json!({ "id": id(2) })),
            (
                "week",
                20,
                "get_weekly_updates",
                |_| json!({ "member_id": id(1) }),
            ),
        ],
    };
    growth.run().await;
}
