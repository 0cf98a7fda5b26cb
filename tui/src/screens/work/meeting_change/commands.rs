//! Commands on the screen of a plan.

use frontdesk_protocol::Role;
use frontdesk_protocol::id::MeetingId;
use frontdesk_protocol::work::series::OccurrencePolicy;

use super::MeetingChange;
use crate::app::cx::Out;
use crate::app::input::command::{ANYWHERE, Command, Context};
use crate::app::shared::Shared;
use crate::app::state::State;
use crate::app::toast::UNDO;
use crate::ui::prompt::Prompt;

/// A plan before it is applied.
pub(crate) static PLAN: Context = Context::list("Plans: remove, promote, merge");
pub(crate) static REMOVAL: Context = Context::above("Removing a series", &PLAN);
pub(crate) static PROMOTION: Context = Context::above("Promoting an occurrence", &PLAN);
pub(crate) static MERGE: Context = Context::above("Merging two meetings", &PLAN);
/// An applied plan.
pub(crate) static DONE: Context = Context::list("Reports on meetings");

pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        &PLAN,
        "plan.apply",
        "Apply the plan, after typing the title",
        &["a"],
        |state, out| state.act::<MeetingChange>(out, MeetingChange::confirm),
    )
    .writes()
    .hint("apply")
    .danger()
    .unless(|state| look(state, MeetingChange::obstacle)),
    Command::new(
        &PLAN,
        "plan.rows",
        "Switch between the occurrences and the changed rows",
        &["v"],
        |state, out| state.act::<MeetingChange>(out, MeetingChange::turn_rows),
    )
    .hint("rows")
    .unless(is_closed),
    Command::new(
        &PLAN,
        "plan.fields",
        "Show or hide the fields of the selected row",
        &["enter"],
        // Enter also ends the title.
        |state, out| {
            state.act::<MeetingChange>(out, |plan, cx| {
                if !plan.end_title(cx) {
                    plan.changed.toggle();
                }
            });
        },
    )
    .unless(|state| {
        look(state, |plan| {
            let is_ready = plan.changed.is_shown || plan.is_typing;
            (!is_ready).then(|| "the rows are not shown".to_owned())
        })
    }),
    Command::new(
        &REMOVAL,
        "plan.policy_real",
        "Policy: occurrences with a transcript become meetings, empty ones are deleted",
        &["1"],
        |state, out| {
            let policy = OccurrencePolicy::PromoteRealDiscardEmpty;
            state.act::<MeetingChange>(out, |plan, cx| plan.set_policy(cx, policy));
        },
    )
    .hint("transcripts")
    .unless(is_closed),
    Command::new(
        &REMOVAL,
        "plan.policy_all",
        "Policy: all occurrences become meetings",
        &["2"],
        |state, out| {
            state.act::<MeetingChange>(out, |plan, cx| {
                plan.set_policy(cx, OccurrencePolicy::PromoteAll);
            });
        },
    )
    .hint("all")
    .unless(is_closed),
    Command::new(
        &REMOVAL,
        "plan.policy_empty",
        "Policy: remove only a series without occurrences",
        &["3"],
        |state, out| {
            state.act::<MeetingChange>(out, |plan, cx| {
                plan.set_policy(cx, OccurrencePolicy::RequireEmpty);
            });
        },
    )
    .hint("if empty")
    .unless(is_closed),
    Command::new(
        &REMOVAL,
        "plan.next_policy",
        "Next policy",
        &["right", "tab", "l"],
        |state, out| state.act::<MeetingChange>(out, |plan, cx| plan.turn_policy(cx, 1)),
    )
    .unless(is_closed),
    Command::new(
        &REMOVAL,
        "plan.previous_policy",
        "Previous policy",
        &["left", "backtab", "h"],
        |state, out| state.act::<MeetingChange>(out, |plan, cx| plan.turn_policy(cx, -1)),
    )
    .unless(is_closed),
    Command::new(
        &REMOVAL,
        "plan.allow_non_recurring",
        "Allow a meeting that does not recur",
        &["n"],
        |state, out| state.act::<MeetingChange>(out, MeetingChange::toggle_non_recurring),
    )
    .unless(|state| is_closed(state).or_else(|| look(state, MeetingChange::no_non_recurring))),
    Command::new(
        &REMOVAL,
        "plan.merge",
        "Merge it into another series instead",
        &["i"],
        |state, out| state.act::<MeetingChange>(out, MeetingChange::choose_other),
    )
    .unless(is_closed),
    Command::new(
        &PROMOTION,
        "plan.title",
        "Type another title for the new meeting",
        &["t"],
        |state, out| state.act::<MeetingChange>(out, |plan, _| plan.edit_title()),
    )
    .hint("title")
    .unless(is_closed),
    Command::new(
        &PROMOTION,
        "plan.keep_occurrence",
        "Also keep the occurrence in its series",
        &["o"],
        |state, out| state.act::<MeetingChange>(out, MeetingChange::toggle_keep),
    )
    .hint("keep")
    .unless(is_closed),
    Command::new(
        &MERGE,
        "plan.swap",
        "Swap the kept meeting and the one merged away",
        &["w"],
        |state, out| state.act::<MeetingChange>(out, MeetingChange::swap),
    )
    .hint("swap sides")
    .unless(is_closed),
    Command::new(
        &DONE,
        "plan.undo",
        "Undo what the report is about, after a preview",
        &["U"],
        |state, out| state.act::<MeetingChange>(out, MeetingChange::undo),
    )
    .over(UNDO)
    .writes()
    .hint("undo")
    .unless(|state| look(state, MeetingChange::no_undo)),
    Command::new(
        &DONE,
        "plan.copy",
        "Copy the report as JSON",
        &["c"],
        |state, out| state.act::<MeetingChange>(out, MeetingChange::copy),
    )
    .hint("copy as JSON")
    .unless(|state| look(state, MeetingChange::no_report)),
    Command::new(
        &DONE,
        "plan.export",
        "Export the report to a JSON file",
        &["x"],
        |state, out| state.act::<MeetingChange>(out, MeetingChange::export),
    )
    .hint("export")
    .unless(|state| look(state, MeetingChange::no_report)),
];

/// Commands that open a plan without a list.
pub(crate) const EVERYWHERE: &[Command] = &[Command::new(
    &ANYWHERE,
    "plan.remove_by_id",
    "Remove a meeting by its id",
    &[],
    |state, out| {
        state.cx(out).raise(Prompt::new(
            "Remove a meeting",
            "The id of the meeting. Next you see the plan; nothing is removed yet.",
            open_by_id,
        ));
    },
)
.danger()
.of_service()
.unless(|state| not_permitted(&state.shared))];

fn look<T>(state: &State, look: impl FnOnce(&MeetingChange) -> Option<T>) -> Option<T> {
    look(state.shows()?)
}

/// Why the choices are closed.
fn is_closed(state: &State) -> Option<String> {
    look(state, |plan| {
        (!plan.machine.is_open()).then(|| "the plan is already applied".to_owned())
    })
}

fn open_by_id(state: &mut State, out: &mut Out, text: &str) -> Result<(), String> {
    let id: MeetingId = text
        .parse()
        .map_err(|_| "an id looks like 01890000-0000-7000-8000-000000000000".to_owned())?;
    let screen = MeetingChange::removal_by_id(id);
    state.cx(out).open(screen);
    Ok(())
}

/// Why the account cannot change meetings. The host decides in any case.
pub(crate) fn not_permitted(shared: &Shared) -> Option<String> {
    let account = shared.account()?;
    let is_permitted = account.role == Some(Role::Owner) || account.level >= 80;
    (!is_permitted).then(|| {
        let role = account.role.map_or("without a role", Role::name);
        format!("only the owner and global admins (level 80) can; you are {role}")
    })
}
