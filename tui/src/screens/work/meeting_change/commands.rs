//! Commands on the screen of a plan.

use frontdesk_protocol::Role;
use frontdesk_protocol::id::MeetingId;
use frontdesk_protocol::work::series::OccurrencePolicy;

use super::MeetingChange;
use crate::app::cx::Out;
use crate::app::input::command::{ANYWHERE, Context, commands};
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

commands! {
    pub(crate) const COMMANDS;

    PLAN: "plan.apply", ["a"], "Apply the plan, after typing the title", act MeetingChange::confirm,
        writes, hint("apply"), danger, lacks(MeetingChange::obstacle);
    PLAN: "plan.rows", ["v"], "Switch between the occurrences and the changed rows",
        act MeetingChange::turn_rows, hint("rows"), unless(is_closed);
    // Enter also ends the title.
    PLAN: "plan.fields", ["enter"], "Show or hide the fields of the selected row",
        act |plan: &mut MeetingChange, cx| {
            if !plan.end_title(cx) {
                plan.changed.toggle();
            }
        }, unless(|state| {
            look(state, |plan| {
                let is_ready = plan.changed.is_shown || plan.is_typing;
                (!is_ready).then(|| "the rows are not shown".to_owned())
            })
        });
    REMOVAL: "plan.policy_real", ["1"],
        "Policy: occurrences with a transcript become meetings, empty ones are deleted",
        run |state, out| {
            let policy = OccurrencePolicy::PromoteRealDiscardEmpty;
            state.act::<MeetingChange>(out, |plan, cx| plan.set_policy(cx, policy));
        }, hint("transcripts"), unless(is_closed);
    REMOVAL: "plan.policy_all", ["2"], "Policy: all occurrences become meetings",
        act |plan: &mut MeetingChange, cx| { plan.set_policy(cx, OccurrencePolicy::PromoteAll); },
        hint("all"), unless(is_closed);
    REMOVAL: "plan.policy_empty", ["3"], "Policy: remove only a series without occurrences",
        act |plan: &mut MeetingChange, cx| {
            plan.set_policy(cx, OccurrencePolicy::RequireEmpty);
        }, hint("if empty"), unless(is_closed);
    REMOVAL: "plan.next_policy", ["right", "tab", "l"], "Next policy",
        act |plan: &mut MeetingChange, cx| plan.turn_policy(cx, 1), unless(is_closed);
    REMOVAL: "plan.previous_policy", ["left", "backtab", "h"], "Previous policy",
        act |plan: &mut MeetingChange, cx| plan.turn_policy(cx, -1), unless(is_closed);
    REMOVAL: "plan.allow_non_recurring", ["n"], "Allow a meeting that does not recur",
        act MeetingChange::toggle_non_recurring,
        unless(|state| is_closed(state).or_else(|| look(state, MeetingChange::no_non_recurring)));
    REMOVAL: "plan.merge", ["i"], "Merge it into another series instead",
        act MeetingChange::choose_other, unless(is_closed);
    PROMOTION: "plan.title", ["t"], "Type another title for the new meeting",
        act |plan: &mut MeetingChange, _| plan.edit_title(), hint("title"), unless(is_closed);
    PROMOTION: "plan.keep_occurrence", ["o"], "Also keep the occurrence in its series",
        act MeetingChange::toggle_keep, hint("keep"), unless(is_closed);
    MERGE: "plan.swap", ["w"], "Swap the kept meeting and the one merged away",
        act MeetingChange::swap, hint("swap sides"), unless(is_closed);
    DONE: "plan.undo", ["U"], "Undo what the report is about, after a preview",
        act MeetingChange::undo, over(UNDO), writes, hint("undo"), lacks(MeetingChange::no_undo);
    DONE: "plan.copy", ["c"], "Copy the report as JSON", act MeetingChange::copy,
        hint("copy as JSON"), lacks(MeetingChange::no_report);
    DONE: "plan.export", ["x"], "Export the report to a JSON file", act MeetingChange::export,
        hint("export"), lacks(MeetingChange::no_report);
}

commands! {
    /// Commands that open a plan without a list.
    pub(crate) const EVERYWHERE;

    ANYWHERE: "plan.remove_by_id", [], "Remove a meeting by its id",
        run |state, out| {
            state.cx(out).raise(Prompt::new(
                "Remove a meeting",
                "The id of the meeting. Next you see the plan; nothing is removed yet.",
                open_by_id,
            ));
        }, danger, of_service, unless(|state| not_permitted(&state.shared));
}

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
