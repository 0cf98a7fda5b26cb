//! The message above a plan: unknown outcome, changes, errors.

use frontdesk_client::CallError;
use ratatui::style::Style;
use ratatui::text::Line;

use super::{Check, Machine, Notice, Phase, Previewed};
use crate::app::shared::Shared;
use crate::look::text::clean;
use crate::look::time::clock_seconds;
use crate::ui::frame::waiting;
use crate::ui::panel;
use crate::ui::problem::{Problem, Remedy};

/// A box with a title.
pub(crate) struct Banner {
    pub(crate) title: Line<'static>,
    pub(crate) border: Style,
    pub(crate) lines: Vec<Line<'static>>,
}

impl Banner {
    pub(crate) fn new(title: &str, style: Style, shared: &Shared) -> Banner {
        Banner {
            title: Line::styled(title.to_owned(), style.patch(shared.settings.theme.title)),
            border: style,
            lines: Vec::new(),
        }
    }

    pub(crate) fn say(mut self, line: impl Into<Line<'static>>) -> Banner {
        self.lines.push(line.into());
        self
    }
}

/// The texts of a screen about its plans.
pub(crate) struct Words<'a> {
    /// The command that applies the plan.
    pub(crate) apply: &'static str,
    /// Explains an error.
    pub(crate) problem: &'a dyn Fn(&CallError) -> Problem,
}

/// The current message, with at most this many differences.
pub(crate) fn of<P: Previewed>(
    machine: &Machine<P>,
    words: &Words<'_>,
    shared: &Shared,
    most: usize,
) -> Option<Banner> {
    match &machine.phase {
        Phase::Checking(check) => return Some(checking(check, shared)),
        Phase::Done(_) | Phase::Applying { .. } | Phase::Gone(_) => return None,
        Phase::Choosing | Phase::Confirming(_) => {}
    }
    if let Some(notice) = &machine.notice {
        return Some(of_notice(notice, words, shared, most));
    }
    // If a plan is shown, the failure of a refresh is reported here.
    machine.preview.value()?;
    let problem = (words.problem)(machine.preview.error()?);
    let banner = Banner::new(
        &format!("✗ {}", problem.title),
        shared.settings.theme.bad,
        shared,
    );
    Some(helped(banner, &problem, shared))
}

/// The outcome is unknown.
fn checking<P: Previewed>(check: &Check<P>, shared: &Shared) -> Banner {
    let theme = &shared.settings.theme;
    let why = Problem::of_write(&check.why);
    let banner = Banner::new(
        "! CHECK: it may or may not have been done",
        theme.warn,
        shared,
    )
    .say(clean(&why.what).into_owned());
    match (&check.request, &check.error) {
        (Some(_), _) => banner.say(waiting(shared, "checking whether it was done")),
        (None, Some(error)) => {
            let error = Problem::of(error);
            banner
                .say(Line::styled(
                    format!("It could not be checked: {}", clean(&error.what)),
                    theme.bad,
                ))
                .say("Do not do it again before this is known.")
                .say(panel::hint(shared, "app.refresh", "checks again"))
        }
        (None, None) => banner.say(panel::hint(shared, "app.refresh", "checks again")),
    }
}

fn of_notice<P: Previewed>(
    notice: &Notice<P>,
    words: &Words<'_>,
    shared: &Shared,
    most: usize,
) -> Banner {
    let theme = &shared.settings.theme;
    match notice {
        Notice::Changed { lines: None, .. } => Banner::new(
            "! Nothing was done: the data has changed",
            theme.warn,
            shared,
        )
        .say(waiting(shared, "requesting a new preview")),
        Notice::Changed {
            lines: Some(lines), ..
        } => {
            let title = "! Nothing was done: the data has changed since the preview";
            let banner = Banner::new(title, theme.warn, shared);
            match lines.is_empty() {
                true => banner.say("It is the same as before; you can apply it."),
                false => differences(banner.say("Differences from the preview:"), lines, most),
            }
        }
        Notice::NotDone { at, lines } => {
            let at = clock_seconds(*at, &shared.locale);
            let title = format!("! Not done, as of {at}");
            let banner = Banner::new(&title, theme.warn, shared).say(
                "The answer was lost, and a check shows that nothing was changed. If the call is still on its way, it can only do what you confirmed.",
            );
            match lines.is_empty() {
                true => banner.say("The plan is the same; you can apply it again."),
                false => differences(
                    banner.say("But the data has changed since the preview. Differences:"),
                    lines,
                    most,
                ),
            }
        }
        Notice::Unclear { at, lines } => {
            let at = clock_seconds(*at, &shared.locale);
            let title = format!("! CHECK: the data is different, as of {at}");
            let banner = Banner::new(&title, theme.warn, shared).say(
                "The answer was lost, and the data is not as you saw it: it was done, or somebody else changed something. Check before you apply anything.",
            );
            differences(banner, lines, most)
        }
        Notice::Failed(error) => failed(error, words, shared),
    }
}

fn failed(error: &CallError, words: &Words<'_>, shared: &Shared) -> Banner {
    let problem = (words.problem)(error);
    let title = format!("✗ Nothing was done: {}", problem.title.to_lowercase());
    let banner = Banner::new(&title, shared.settings.theme.bad, shared);
    let mut banner = helped(banner, &problem, shared);
    if problem.remedy == Remedy::Retry {
        banner.lines.pop();
        banner = banner.say(panel::hint(shared, words.apply, "tries again"));
    }
    banner
}

/// An error with help and the key for it.
fn helped(banner: Banner, problem: &Problem, shared: &Shared) -> Banner {
    let banner = banner
        .say(clean(&problem.what).into_owned())
        .say(clean(&problem.help).into_owned());
    match problem.remedy {
        Remedy::Retry => banner.say(panel::hint(shared, "app.refresh", "checks again")),
        Remedy::SignIn => banner.say(panel::hint(shared, "session.sign_in", "signs in again")),
        Remedy::Nothing => banner,
    }
}

fn differences(mut banner: Banner, lines: &[String], most: usize) -> Banner {
    for line in lines.iter().take(most) {
        banner = banner.say(format!("≠ {}", clean(line)));
    }
    match lines.len().saturating_sub(most) {
        0 => banner,
        more => banner.say(format!("  and {more} more")),
    }
}
