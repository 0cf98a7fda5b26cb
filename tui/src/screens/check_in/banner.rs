//! The large answer to the last thing that was done at the desk: one glance says how it went.

use frontdesk_client::ADDED_BY_MISTAKE;
use jiff::Timestamp;
use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use super::CheckIn;
use crate::app::effect::RequestId;
use crate::app::shared::Shared;
use crate::door::{Attempt, Stage};
use crate::ui::mark::{Mark, spinner};
use crate::ui::text::{cells, clean, fit, fit_ending};
use crate::ui::time::{clock_seconds, moment};

/// What the banner is about.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) enum Banner {
    /// Nothing was done yet.
    #[default]
    Welcome,
    /// A check-in.
    Attempt(RequestId),
    /// A code was scanned; the host is asked whose it is.
    Looking,
    /// A scanned code is not one of a guest of this event.
    Stranger(String),
    /// Enter was pressed; the host is asked who is called like this.
    Searching(String),
    /// Nobody is called like this; `is_asked` says whether the host could be asked, too.
    Nobody { text: String, is_asked: bool },
    /// Enter stopped before it might have taken the wrong one.
    Which(Doubt),
}

/// Why somebody other than the selected guest may be meant.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Doubt {
    /// The text is the name of this guest, who is in.
    IsIn(String),
    /// So many who are not in have this name.
    Namesakes(usize, String),
    /// Nobody has the name that was typed, only a similar one.
    Similar,
}

/// What stands in the banner.
#[derive(Debug, PartialEq)]
struct Words {
    mark: Mark,
    verdict: &'static str,
    who: String,
    /// What tells them from others of that name.
    apart: Option<String>,
    detail: String,
}

impl Banner {
    /// Whether it answers the text in the box, and goes when that changes.
    pub(crate) fn is_about_text(&self) -> bool {
        matches!(
            self,
            Banner::Stranger(_) | Banner::Searching(_) | Banner::Nobody { .. } | Banner::Which(_)
        )
    }

    /// Draws the banner of this desk.
    pub(crate) fn draw(desk: &CheckIn, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.theme;
        let Some(words) = desk.banner.words(desk, shared) else {
            let text = "Type a name, or scan a code. Then enter.";
            let line = Line::styled(text, theme.dim).alignment(Alignment::Center);
            frame.render_widget(line, middle_row(area));
            return;
        };
        let style = words
            .mark
            .style(theme)
            .add_modifier(Modifier::REVERSED | Modifier::BOLD);
        frame.buffer_mut().set_style(area, style);
        for y in area.top()..area.bottom() {
            for x in area.left()..area.right() {
                frame.buffer_mut()[(x, y)].set_symbol(" ");
            }
        }
        let glyph = match words.mark {
            Mark::Busy => spinner(shared.spin),
            mark => mark.glyph(),
        };
        let verdict = format!(" {glyph} {}  ", words.verdict);
        let room = usize::from(area.width).saturating_sub(cells(&verdict) + 1);
        let who = fit_ending(&words.who, words.apart.as_deref(), room);
        let rest = room.saturating_sub(cells(&who) + 3);
        let detail = match (who.is_empty(), cells(&words.detail) <= rest) {
            _ if words.detail.is_empty() => String::new(),
            (true, _) if cells(&words.detail) <= room => words.detail.clone(),
            (false, true) => format!(" · {}", words.detail),
            // What does not fit beside the verdict or the name stands below it.
            _ => String::new(),
        };
        let below = match detail.is_empty() {
            true => fit(&words.detail, usize::from(area.width).saturating_sub(4)),
            false => String::new(),
        };
        let line = Line::from(vec![
            Span::styled(verdict, style),
            Span::styled(who, style),
            Span::styled(detail, style),
        ]);
        frame.render_widget(line, middle_row(area));
        if area.height >= 3 {
            let row = Rect {
                x: area.x + 3,
                y: area.bottom() - 1,
                width: area.width.saturating_sub(3),
                height: 1,
            };
            frame.render_widget(Line::styled(below, style), row);
        }
    }

    fn words(&self, desk: &CheckIn, shared: &Shared) -> Option<Words> {
        let words = |mark, verdict, who: &str, detail: String| {
            Some(Words {
                mark,
                verdict,
                who: clean(who).into_owned(),
                apart: None,
                detail,
            })
        };
        match self {
            Banner::Welcome => None,
            Banner::Attempt(id) => shared.door().attempt(*id).map(|attempt| Words {
                apart: desk.roll.apart(attempt.guest).map(str::to_owned),
                ..of(attempt, shared)
            }),
            Banner::Looking => words(Mark::Busy, "LOOKING UP THE CODE", "", String::new()),
            Banner::Stranger(why) => words(Mark::Bad, "NOT CHECKED IN", "", why.clone()),
            Banner::Searching(text) => words(Mark::Busy, "LOOKING FOR", text, String::new()),
            Banner::Nobody { text, is_asked } => {
                let mut detail = match shared.keymap.key("guest.add").as_str() {
                    "" => String::new(),
                    key => format!("{key} adds them as a guest"),
                };
                let verdict = match is_asked {
                    true => "NOBODY BY THAT NAME",
                    false => {
                        detail = format!("the host cannot be asked now · {detail}");
                        "NOT FOUND HERE"
                    }
                };
                words(Mark::Warn, verdict, text, detail)
            }
            Banner::Which(doubt) => {
                let who = match doubt {
                    Doubt::IsIn(name) => format!("{name} is in"),
                    Doubt::Namesakes(number, name) => format!("{number} guests are called {name}"),
                    Doubt::Similar => format!("only similar to {}", desk.search.text().trim()),
                };
                let guest = desk.selected.and_then(|id| desk.roll.get(id))?;
                let parts = [
                    Some(guest.name.as_str()),
                    guest.role.as_deref(),
                    guest.email.as_deref(),
                ];
                let parts: Vec<&str> = parts.into_iter().flatten().collect();
                let key = shared.keymap.key("guest.check_in");
                let detail = format!("{key} takes {}", clean(&parts.join(" · ")));
                words(Mark::Warn, "WHICH ONE?", &who, detail)
            }
        }
    }
}

/// How a check-in stands, in words.
fn of(attempt: &Attempt, shared: &Shared) -> Words {
    let local = |at: Timestamp| moment(at, shared.now, &shared.zone);
    let undo = || {
        let key = shared.keymap.key("guest.undo");
        match (attempt.is_undoable() && !key.is_empty(), attempt.is_added()) {
            (true, true) => format!(" · a new guest · {key} takes them back"),
            (true, false) => format!(" · {key} undoes it"),
            (false, _) => String::new(),
        }
    };
    let is_undo = attempt.is_undo();
    let (mark, verdict, detail) = match &attempt.stage {
        Stage::Sending if is_undo => (Mark::Busy, "UNDOING", String::new()),
        Stage::Sending => (Mark::Busy, "CHECKING IN", String::new()),
        Stage::Saving => (Mark::Busy, "WRITING IT DOWN", String::new()),
        Stage::Waiting if is_undo => (
            Mark::Waiting,
            "UNDO WAITS",
            "written down here; the host is told once it answers".to_owned(),
        ),
        Stage::Waiting => (
            Mark::Waiting,
            "WAITING",
            format!(
                "came at {}; written down here, {} once the host answers",
                local(attempt.at),
                match attempt.is_added() {
                    true => "added",
                    false => "delivered",
                }
            ),
        ),
        Stage::Unsaved { why } => (
            Mark::Bad,
            "NOT SAVED",
            format!("only in memory, keep the app open: {}", clean(why)),
        ),
        Stage::Delivering { .. } => (
            Mark::Waiting,
            "DELIVERING",
            format!("came at {}", local(attempt.at)),
        ),
        Stage::Withdrawing => (Mark::Busy, "UNDOING", String::new()),
        Stage::In {
            at,
            was_before: false,
        } => (
            Mark::Good,
            "CHECKED IN",
            format!("at {}{}", clock_seconds(*at, &shared.zone), undo()),
        ),
        Stage::In {
            at,
            was_before: true,
        } => (
            Mark::Warn,
            "ALREADY CHECKED IN",
            format!("since {}", local(*at)),
        ),
        Stage::Refused { why } => (Mark::Bad, "REFUSED", clean(why).into_owned()),
        Stage::Undone if attempt.is_added() && is_undo => (
            Mark::Good,
            "TAKEN BACK",
            format!("no host can delete a guest: the list says “{ADDED_BY_MISTAKE}”"),
        ),
        Stage::Undone if attempt.is_added() => (Mark::Good, "UNDONE", "was not added".to_owned()),
        Stage::Undone => (Mark::Good, "UNDONE", "is not checked in".to_owned()),
    };
    Words {
        mark,
        verdict,
        who: attempt.label(),
        apart: None,
        detail,
    }
}

fn middle_row(area: Rect) -> Rect {
    Rect {
        y: area.y + area.height / 2,
        height: 1.min(area.height),
        ..area
    }
}
