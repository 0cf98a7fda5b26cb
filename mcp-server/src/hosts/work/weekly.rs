//! The weekly update. Each source is a separate statement and transaction, so that one failure does not affect the
//! others.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::id::MemberId;
use frontdesk_protocol::plans::plan::PlanStatus;
use frontdesk_protocol::work::weekly::{GetWeeklyUpdates, Replanned, Source, WeeklyUpdates};
use jiff::civil::Date;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use crate::call::{Answer, Call, Handler, Outcome};
use crate::database::{Said, internal, params};
use crate::hosts::routes;

/// The maximum number of items from one source.
const MOST: usize = 50;

/// Tasks of the member `$1` that changed status since `$4` and still have that status. In every source, `$2` and
/// `$3` are the repositories and the prefix to leave out of the daily text.
const COMPLETED: &str = "select * from (
     select distinct on (k.number) k.id, k.identifier, k.name, k.status, c.changed_at, work.plain_text(k.name, $2, $3) as plain
     from work.task_status_changes c join work.tasks k on k.id = c.task_id
     where c.owner_id = $1 and c.changed_at >= $4 and c.to_status in ('done', 'dev_completed')
       and k.status in ('done', 'dev_completed')
     order by k.number, c.changed_at desc) d
   order by d.changed_at desc, d.identifier";

const IN_PROGRESS: &str = "select k.id, k.identifier, k.name, k.estimated_date, work.plain_text(k.name, $2, $3) as plain
   from work.tasks k where k.owner_id = $1 and k.status = 'in_progress' order by k.priority, k.number";

const MERGED: &str = "select r.title, r.url, r.merged_at, work.plain_text(r.title, $2, $3) as plain
   from engineering.pull_requests r where r.author_id = $1 and r.merged_at >= $4 order by r.merged_at desc, r.id";

const SPOKEN: &str =
    "select l.day, l.title as meeting, l.line, null::text as plain from work.daily_lines($1, $2) l";

const REPLANNED: &str =
    "select p.id, p.name, c.from_status, c.to_status, c.changed_at, work.plain_text(p.name, $2, $3) as plain
   from plans.plan_status_changes c join plans.plans p on p.id = c.plan_id
   where c.changed_at >= $4
     and (c.changed_by in (select u.id from learn.profiles u where u.member_id = $1)
       or exists (select from plans.plan_tasks t join work.tasks k on k.id = t.task_id
                  where t.plan_id = c.plan_id and k.owner_id = $1))
   order by c.changed_at desc, c.id";

/// Tasks of the member `$1` that are blocked or late, with their lines in the daily text; a warning for each.
const HELD_UP: &str = "select coalesce(k.plain, k.name) || case when k.is_late then ' (atrasada)' else '' end,
     format('%s: %s %s', case when k.status = 'blocked' then 'blocked' else 'late' end, k.identifier, app.quoted(k.name))
   from (select t.*, work.plain_text(t.name, $2, $3) as plain,
           coalesce(t.estimated_date < (now() at time zone 'America/Sao_Paulo')::date, false) as is_late
         from work.tasks t
         where t.owner_id = $1 and t.status in ('to_do', 'in_progress', 'blocked')) k
   where k.status = 'blocked' or k.is_late order by k.priority, k.number limit 10";

/// A row of a source, and its line in the daily text.
#[derive(Debug, Deserialize)]
struct Row<T> {
    #[serde(flatten)]
    item: T,
    plain: Option<String>,
}

/// The rows of a source. If the statement fails, the source is unavailable.
async fn source<T: DeserializeOwned + Clone>(
    call: &mut Call,
    select: &str,
    params: &[&(dyn ToSql + Sync)],
) -> Result<(Source<T>, Vec<(T, String)>), ToolError> {
    let sql = format!("select row_to_json(r)::text from ({select} limit {MOST} + 1) r");
    let Ok(rows) = call.query(&sql, params).await else {
        return Ok((unavailable(), Vec::new()));
    };
    let (mut items, mut said) = (Vec::new(), Vec::new());
    for row in rows.iter().take(MOST) {
        let row: Row<T> = serde_json::from_str(row.get(0)).map_err(|error| {
            internal(format_args!(
                "a row of a weekly update cannot be read: {error}"
            ))
        })?;
        if let Some(plain) = row.plain {
            said.push((row.item.clone(), plain));
        }
        items.push(row.item);
    }
    let source = Source {
        unavailable: false,
        truncated: rows.len() > MOST,
        items,
    };
    Ok((source, said))
}

/// Texts to leave out of the daily text; `None` if they cannot be read.
async fn left_out(call: &mut Call, select: &str) -> Option<String> {
    let rows = call.query(select, &[]).await.ok()?;
    rows.first().and_then(|row| row.get(0))
}

fn unavailable<T>() -> Source<T> {
    Source {
        unavailable: true,
        truncated: false,
        items: Vec::new(),
    }
}

/// A plan's new status, in Portuguese for the daily text.
fn became(plan: &Replanned) -> &'static str {
    match plan.to_status {
        PlanStatus::Draft => "em rascunho",
        PlanStatus::Active => "em andamento",
        PlanStatus::Done => "concluído",
        PlanStatus::Dropped => "cancelado",
    }
}

/// These items, one per line, without duplicates.
fn lines(items: impl Iterator<Item = String>) -> String {
    let mut lines: Vec<String> = Vec::new();
    for item in items {
        let line = format!("- {item}\n");
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines.concat()
}

impl Handler for GetWeeklyUpdates {
    async fn handle(self, call: &mut Call) -> Outcome<WeeklyUpdates> {
        // A member who is not visible to the caller does not exist.
        let sql = "select m.id, w.since::text, (w.since at time zone 'America/Sao_Paulo')::date::text, \
                     (now() at time zone 'America/Sao_Paulo')::date::text \
                   from learn.members m, work.days_begin(now(), coalesce($2::integer, 7)) w (since) \
                   where m.id = (select coalesce($1, app.caller_member()))";
        let rows = call.query(sql, params![self.member_id, self.days]).await?;
        let Some(row) = rows.first() else {
            return Err(match self.member_id {
                Some(_) => ToolError::not_found("member").on("member_id"),
                None => ToolError::invalid(
                    "member_id",
                    "is required, because your account is not linked to a member",
                ),
            });
        };
        let member: Uuid = row.get(0);
        let since: String = row.get(1);
        let day = |at: usize| row.get::<_, &str>(at).parse::<Date>().map_err(internal);
        let (from, to) = (day(2)?, day(3)?);

        // If this fails, paths stay in the daily text, and no source loses items.
        let repositories = left_out(call, "select work.repositories()::text").await;
        let prefix = left_out(call, "select work.task_prefix()").await;
        let all = params![member, repositories, prefix, since];
        let (tasks_completed, done) = source(call, COMPLETED, all).await?;
        let (tasks_in_progress, doing) = source(call, IN_PROGRESS, &all[..3]).await?;
        let (pull_requests, merged) = source(call, MERGED, all).await?;
        let (daily_lines, _) = source(call, SPOKEN, params![member, since]).await?;
        let (plans, replanned) = source(call, REPLANNED, all).await?;
        let replanned = replanned.iter().map(|(plan, plain)| {
            match plain.to_lowercase().starts_with("plano ") {
                true => format!("{plain}: {}", became(plan)),
                false => format!("Plano {plain}: {}", became(plan)),
            }
        });
        let done = done.into_iter().map(|(_, plain)| plain);
        let done = done
            .chain(merged.into_iter().map(|(_, plain)| plain))
            .chain(replanned);
        let doing = doing.into_iter().map(|(_, plain)| plain);
        let mut held_up = Vec::new();
        for row in call.query(HELD_UP, &all[..3]).await? {
            held_up.push(row.get(0));
            call.warn(row.get::<_, Said>(1));
        }
        let held_up = match lines(held_up.into_iter()) {
            none if none.is_empty() => "No blockers\n".to_owned(),
            lines => format!("Blockers\n{lines}"),
        };
        let (done, doing) = (lines(done), lines(doing));
        let daily_text = format!("Bom dia\n\nOntem\n{done}\nHoje\n{doing}\n{held_up}");
        Answer::of(&WeeklyUpdates {
            member_id: MemberId(member),
            from,
            to,
            tasks_completed,
            tasks_in_progress,
            pull_requests,
            daily_lines,
            plans,
            daily_text,
        })
    }
}

routes![GetWeeklyUpdates => own];
