//! Plans, opened as their tasks; tasks can be added from other screens.

mod changes;
pub(crate) mod tasks;
mod view;

use frontdesk_protocol::Host;

use self::tasks::PlanTasks;
use crate::app::cx::Cx;
use crate::app::input::command::{Command, Context};
use crate::app::state::State;
use crate::records::columns::Column;
use crate::records::kind;
use crate::records::record::Record;
use crate::records::screen::{Choosing, Records, Then};
use crate::records::view::View;

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("name", "Plan"),
        Column::field("status", "Status"),
        Column::field("task_count", "Tasks"),
        Column::field("slug", "Slug"),
    ],
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
            state.act::<Records>(out, choose_plan);
        },
    )
    .writes()
    .unless(|state: &State| match state.shows::<Records>()?.current() {
        None => Some("no task is selected".to_owned()),
        Some(_) => tasks::not_offered_tasks(&state.shared),
    })
}

fn choose_plan(screen: &mut Records, cx: &mut Cx) {
    let (Some((kind, task)), Some(plans)) = (screen.current(), kind::find(Host::Plans, "plan"))
    else {
        return;
    };
    let choosing = Choosing {
        words: format!("{}: to which plan?", task.label(kind)),
        then: Then::Do(task.clone(), |cx: &mut Cx, task: &Record, plan: &Record| {
            let screen = PlanTasks::adding(plan.clone(), task.clone(), cx.now());
            // Esc goes back to the task.
            cx.back();
            cx.open(screen);
        }),
    };
    let list = Records::choosing(plans, choosing, cx.shared);
    cx.open(list);
}
