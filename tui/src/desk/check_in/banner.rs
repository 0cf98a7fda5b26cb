//! The large banner with the result of the last action at the desk.

use frontdesk_protocol::door::{Alert, alert};
use frontdesk_protocol::id::GuestId;
use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use super::CheckIn;
use super::verdict::{Words, again, of};
use crate::app::owner::RequestId;
use crate::app::shared::Shared;
use crate::desk::door::{Status, is_in};
use crate::look::mark::{Mark, spinner};
use crate::look::text::{cells, clean, fit, fit_ending};
use crate::look::time::{clock_seconds, day};

/// The subject of the banner.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) enum Banner {
    /// Nothing was done yet.
    #[default]
    Welcome,
    /// A check-in.
    Attempt(RequestId),
    /// The guest or code of this check-in, which waits, arrived again.
    Again(RequestId),
    /// This guest is blocked.
    Blocked(GuestId),
    /// This guest comes before the day of the event.
    Early(GuestId),
    /// The host is being asked for this name after Enter.
    Searching(String),
    /// No guest has this name; `is_asked` tells whether the host could be asked.
    Nobody { text: String, is_asked: bool },
    /// Several guests may be meant.
    Which { text: String, why: String },
    /// No guest has this code.
    Unknown { text: String, why: String },
    /// The host may know the guest, but cannot be asked.
    NotAsked { text: String, why: String },
}

impl Banner {
    /// Whether the banner disappears when the text changes: it answers that text, or says that
    /// nobody was checked in.
    pub(crate) fn ends_with_text(&self, shared: &Shared) -> bool {
        match self {
            Banner::Welcome => false,
            Banner::Searching(_)
            | Banner::Blocked(_)
            | Banner::Early(_)
            | Banner::Nobody { .. }
            | Banner::Which { .. }
            | Banner::Unknown { .. }
            | Banner::NotAsked { .. } => true,
            Banner::Attempt(id) | Banner::Again(id) => {
                let attempt = shared.door().attempt(*id);
                attempt.is_some_and(|attempt| matches!(attempt.status, Status::Refused { .. }))
            }
        }
    }

    pub(crate) fn draw(desk: &CheckIn, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.settings.theme;
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
            // If verdict or name leaves no room, the detail gets the line below.
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

    /// The verdict, if it needs attention, and how often the bell rings: a remark rings twice, a block three times.
    pub(super) fn alarm(&self, desk: &CheckIn, shared: &Shared) -> Option<(&'static str, usize)> {
        let words = self.words(desk, shared)?;
        let is_alarm = matches!(words.mark, Mark::Warn | Mark::Bad | Mark::Again);
        is_alarm.then_some(match self {
            Banner::Blocked(_) => (words.verdict, 3),
            // Once, although the verdict may change.
            Banner::Attempt(_) if words.has_note => ("a remark", 2),
            _ => (words.verdict, 1),
        })
    }

    fn words(&self, desk: &CheckIn, shared: &Shared) -> Option<Words> {
        let words = |mark, verdict, who: &str, detail: String| {
            Some(Words {
                mark,
                verdict,
                who: clean(who).into_owned(),
                apart: None,
                detail,
                has_note: false,
            })
        };
        match self {
            Banner::Welcome => None,
            Banner::Attempt(id) => shared.door().attempt(*id).map(|attempt| Words {
                apart: attempt
                    .guest
                    .and_then(|id| desk.roll.apart(id))
                    .map(str::to_owned),
                ..of(attempt, desk, shared)
            }),
            Banner::Blocked(id) => {
                let guest = desk.roll.get(*id)?;
                let why = match alert(&guest.tags) {
                    Some(Alert::Note(why) | Alert::Blocked(why)) => clean(&why).into_owned(),
                    None => String::new(),
                };
                let detail = match guest.check_in_at.filter(|_| is_in(shared, guest)) {
                    Some(at) => format!("{why} · in since {}", clock_seconds(at, &shared.locale)),
                    None => format!("{why}{}", desk.may_admit(shared)),
                };
                words(Mark::Bad, "BLOCKED", &guest.name, detail)
            }
            Banner::Early(id) => {
                let start = desk
                    .early_start(shared)
                    .map(|start| day(start, shared.now, &shared.locale));
                let key = shared.settings.keymap.key("guest.check_in");
                let detail = format!(
                    "the event is {} · {key} checks in",
                    start.unwrap_or_default()
                );
                words(Mark::Warn, "NOT TODAY", &desk.roll.get(*id)?.name, detail)
            }
            Banner::Again(id) => shared.door().attempt(*id).map(|attempt| Words {
                apart: attempt
                    .guest
                    .and_then(|id| desk.roll.apart(id))
                    .map(str::to_owned),
                ..again(attempt, desk, shared)
            }),
            Banner::Searching(text) => words(Mark::Busy, "LOOKING FOR", text, String::new()),
            Banner::Nobody { text, is_asked } => {
                let mut detail = match shared.settings.keymap.key("guest.add").as_str() {
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
            Banner::Which { why, .. } => words(Mark::Warn, "WHICH ONE?", why, desk.offer(shared)),
            Banner::Unknown { text, why } => {
                let offer = desk.offer(shared);
                let detail = if offer.is_empty() {
                    why.clone()
                } else {
                    format!("{why} · {offer}")
                };
                words(Mark::Bad, "UNKNOWN TICKET", text, detail)
            }
            Banner::NotAsked { text, why } => {
                let offer = desk.offer(shared);
                let detail = if offer.is_empty() {
                    why.clone()
                } else {
                    format!("{offer} · {why}")
                };
                words(Mark::Warn, "NOT ASKED", text, detail)
            }
        }
    }
}

fn middle_row(area: Rect) -> Rect {
    Rect {
        y: area.y + area.height / 2,
        height: 1.min(area.height),
        ..area
    }
}
