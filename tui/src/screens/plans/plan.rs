//! Plans, opened as their tasks; tasks can be added from other screens.

mod changes;
pub(crate) mod tasks;
mod view;

use frontdesk_protocol::Host;

use self::tasks::PlanTasks;
use crate::app::cx::Cx;
use crate::app::input::command::{Command, Context};
use crate::app::state::State;
use crate::record_screens::{self, ShowsRecords};
use crate::records::columns::Column;
use crate::records::view::View;
use crate::records::{chooser, kind};

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("name", "Plan"),
        Column::field("status", "Status"),
        Column::field("task_count", "Tasks"),
        Column::field("slug", "Slug"),
    ],
    covered: &["updated_at"],
    open: Some(|cx, plan, at| {
        let screen = PlanTasks::new(plan.clone(), at);
        cx.open(screen);
    }),
    ..View::new(Host::Plans, "plans")
};

/// Adds the selected task to a plan of the user's choice.
pub(crate) const fn adding(context: &'static Context, id: &'static str) -> Command {
    Command::new(
        context,
        id,
        "Add the task to a plan",
        &["p"],
        |state, out| {
            record_screens::act(state, out, choose_plan);
        },
    )
    .writes()
    .unless(
        |state: &State| match record_screens::shown(state)?.current() {
            None => Some("no task is selected".to_owned()),
            Some(_) => tasks::not_offered_tasks(&state.shared),
        },
    )
}

fn choose_plan(screen: &mut dyn ShowsRecords, cx: &mut Cx) {
    let (Some((kind, task)), Some(plans)) = (screen.current(), kind::find(Host::Plans, "plan"))
    else {
        return;
    };
    let question = format!("{}: to which plan?", task.label(kind));
    let task = task.clone();
    chooser::of_kind(plans, question, cx.shared, move |state, out, plan| {
        let mut cx = state.cx(out);
        let screen = PlanTasks::adding(plan.clone(), task.clone(), cx.now());
        cx.open(screen);
    })
    .open(cx);
}
