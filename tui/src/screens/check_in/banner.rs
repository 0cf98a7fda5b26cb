//! The large answer to the last thing that was done at the desk: one glance says how it went.

use frontdesk_client::Action;
use jiff::Timestamp;
use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use crate::app::effect::RequestId;
use crate::app::shared::Shared;
use crate::door::{Attempt, Stage};
use crate::ui::mark::{Mark, spinner};
use crate::ui::text::{cells, clean, fit};
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
    /// Nobody is called like this.
    Nobody(String),
    /// An undo that is sent in a moment, unless typing goes on.
    Held(RequestId),
    /// There was nothing to undo.
    NothingToUndo,
}

/// What stands in the banner.
#[derive(Debug, PartialEq)]
struct Words {
    mark: Mark,
    verdict: &'static str,
    who: String,
    detail: String,
}

impl Banner {
    /// Draws the banner.
    pub(crate) fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.theme;
        let Some(words) = self.words(shared) else {
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
        let who = fit(&words.who, room);
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

    fn words(&self, shared: &Shared) -> Option<Words> {
        let words = |mark, verdict, who: &str, detail: String| {
            Some(Words {
                mark,
                verdict,
                who: clean(who).into_owned(),
                detail,
            })
        };
        match self {
            Banner::Welcome => None,
            Banner::Attempt(id) => shared.door.attempt(*id).map(|attempt| of(attempt, shared)),
            Banner::Looking => words(Mark::Busy, "LOOKING UP THE CODE", "", String::new()),
            Banner::Stranger(why) => words(Mark::Bad, "NOT CHECKED IN", "", why.clone()),
            Banner::Nobody(text) => {
                let detail = match shared.keymap.key("guest.add").as_str() {
                    "" => String::new(),
                    key => format!("{key} adds them as a guest"),
                };
                words(Mark::Warn, "NOBODY BY THAT NAME", text, detail)
            }
            Banner::Held(id) => {
                let name = shared.door.attempt(*id).map(Attempt::label);
                let detail = "in a moment · esc leaves it · typing on searches for “u…”";
                words(
                    Mark::Warn,
                    "UNDO",
                    &name.unwrap_or_default(),
                    detail.to_owned(),
                )
            }
            Banner::NothingToUndo => words(
                Mark::Info,
                "NOTHING TO UNDO",
                "",
                "nobody was checked in at this desk since it was opened".to_owned(),
            ),
        }
    }
}

/// How a check-in stands, in words.
fn of(attempt: &Attempt, shared: &Shared) -> Words {
    let local = |at: Timestamp| moment(at, shared.now, &shared.zone);
    let undo = || {
        let key = shared.keymap.key("guest.undo");
        match attempt.is_undoable() && !key.is_empty() {
            true => format!(" · {key} undoes it"),
            false => String::new(),
        }
    };
    let is_undo = attempt.wish == Action::Undo || attempt.is_unwanted();
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
                "came at {}; written down here, delivered once the host answers",
                local(attempt.at)
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
        Stage::Undone => (Mark::Good, "UNDONE", "is not checked in".to_owned()),
    };
    Words {
        mark,
        verdict,
        who: attempt.label(),
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
