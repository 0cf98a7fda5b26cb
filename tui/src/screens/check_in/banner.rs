//! The large banner with the result of the last action at the desk.

use frontdesk_client::{ADDED_BY_MISTAKE, OwnCheckIn};
use frontdesk_protocol::door::{Alert, alert, guest_of};
use frontdesk_protocol::id::GuestId;
use jiff::{SignedDuration, Timestamp};
use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use super::CheckIn;
use crate::app::effects::effect::RequestId;
use crate::app::shared::Shared;
use crate::door::{Attempt, Status};
use crate::ui::mark::{Mark, spinner};
use crate::ui::text::{cells, clean, fit, fit_ending};
use crate::ui::time::{clock_seconds, moment};

/// A guest who came this long before a check-in has come before.
const OWN: SignedDuration = SignedDuration::from_secs(1);

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

/// The content of the banner.
#[derive(Debug, PartialEq)]
struct Words {
    mark: Mark,
    verdict: &'static str,
    who: String,
    /// What distinguishes the guest from namesakes.
    apart: Option<String>,
    detail: String,
    /// The detail begins with a remark about the guest.
    has_note: bool,
}

impl Banner {
    /// Whether the banner disappears when the text changes: it answers that text, or says that
    /// nobody was checked in.
    pub(crate) fn ends_with_text(&self, shared: &Shared) -> bool {
        match self {
            Banner::Welcome => false,
            Banner::Searching(_)
            | Banner::Blocked(_)
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
                apart: desk.roll.apart(attempt.guest).map(str::to_owned),
                ..of(attempt, desk, shared)
            }),
            Banner::Blocked(id) => {
                let guest = desk.roll.get(*id)?;
                let why = match alert(&guest.tags) {
                    Some(Alert::Note(why) | Alert::Blocked(why)) => clean(&why).into_owned(),
                    None => String::new(),
                };
                let key = shared.keymap.key("guest.admit");
                let detail = format!("{why} · {key} checks in for a reason");
                words(Mark::Bad, "BLOCKED", &guest.name, detail)
            }
            Banner::Again(id) => shared.door().attempt(*id).map(|attempt| Words {
                apart: desk.roll.apart(attempt.guest).map(str::to_owned),
                ..again(attempt, desk, shared)
            }),
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
            Banner::Which { why, .. } => words(Mark::Warn, "WHICH ONE?", why, desk.offer(shared)),
            Banner::Unknown { text, why } => {
                let offer = desk.offer(shared);
                let detail = if offer.is_empty() {
                    why.clone()
                } else {
                    format!("{why} {offer}")
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

impl CheckIn {
    /// When a guest came before this check-in, as the host knows. Not if that is being undone.
    pub(super) fn came_before(&self, attempt: &Attempt, shared: &Shared) -> Option<Timestamp> {
        let at = self.roll.get(attempt.guest)?.check_in_at?;
        let undoes =
            |other: &Attempt| other.guest == attempt.guest && other.is_pending() && other.is_undo();
        let is_undone = shared.door().of_event(self.event).any(undoes);
        (at < attempt.at - OWN && !is_undone).then_some(at)
    }

    /// Where a guest was checked in who came at this time.
    fn place(&self, guest_id: GuestId, at: Timestamp, shared: &Shared) -> &'static str {
        let is_here = |other: &Attempt| {
            let came = matches!(
                other.status,
                Status::In {
                    was_before: false,
                    ..
                }
            );
            other.guest == guest_id && came
        };
        let is_own = self.own.contains(&OwnCheckIn { guest_id, at });
        match is_own || shared.door().of_event(self.event).any(is_here) {
            true => "this desk",
            false => "another desk",
        }
    }

    /// The guest whom Enter takes while a choice is open, in words.
    fn offer(&self, shared: &Shared) -> String {
        let selected = self.selected.filter(|_| self.question.is_some());
        let Some(guest) = selected.and_then(|id| self.roll.get(id)) else {
            return String::new();
        };
        let parts = [
            Some(guest.name.as_str()),
            guest.role.as_deref(),
            guest.email.as_deref(),
        ];
        let parts: Vec<&str> = parts.into_iter().flatten().collect();
        let key = shared.keymap.key("guest.check_in");
        format!("{key} takes {}", clean(&parts.join(" · ")))
    }
}

/// A check-in whose guest or code arrived again, in words.
fn again(attempt: &Attempt, desk: &CheckIn, shared: &Shared) -> Words {
    let (at, saved) = match &attempt.status {
        Status::In {
            at,
            was_before: false,
        } => (*at, ""),
        _ if attempt.is_pending() && !attempt.is_of_unknown() => (attempt.at, "; saved here"),
        _ => return of(attempt, desk, shared),
    };
    let at = clock_seconds(at, &shared.zone);
    Words {
        mark: Mark::Again,
        verdict: "ALREADY CHECKED IN",
        who: attempt.label(),
        apart: None,
        detail: format!("at {at} at this desk{saved}"),
        has_note: false,
    }
}

/// A check-in's state in words.
fn of(attempt: &Attempt, desk: &CheckIn, shared: &Shared) -> Words {
    let local = |at: Timestamp| moment(at, shared.now, &shared.zone);
    let is_undo = attempt.is_undo();
    let (mark, verdict, detail) = match &attempt.status {
        _ if attempt.is_fresh() && is_undo => (Mark::Busy, "UNDOING", String::new()),
        Status::Withdrawing => (Mark::Busy, "UNDOING", String::new()),
        Status::Unsaved { why } => (
            Mark::Bad,
            "NOT SAVED",
            format!("only in memory, keep the app open: {}", clean(why)),
        ),
        _ if attempt.is_fresh() => (Mark::Busy, "CHECKING IN", String::new()),
        Status::Saving | Status::Waiting | Status::Delivering { .. } if is_undo => (
            Mark::Waiting,
            "UNDO WAITS",
            "saved here; delivered once the host answers".to_owned(),
        ),
        _ if attempt.is_pending() && attempt.listed.is_some() => {
            let key = shared.keymap.key("guest.attention");
            let detail = format!("{} · {key} decides", attempt.why);
            (Mark::Warn, "THE SAME PERSON?", detail)
        }
        Status::Saving | Status::Waiting | Status::Delivering { .. } if attempt.is_of_unknown() => {
            let saved = "saved here; the host is asked once it answers";
            let detail = match attempt.why.as_str() {
                "" => saved.to_owned(),
                why => format!("{why} · {saved}"),
            };
            match desk.knows_all() {
                true => (Mark::Bad, "UNKNOWN TICKET", detail),
                false => (Mark::Warn, "NOT ASKED", detail),
            }
        }
        Status::Saving | Status::Waiting | Status::Delivering { .. }
            if let Some(at) = desk.came_before(attempt, shared) =>
        {
            let detail = format!(
                "since {} at {}",
                local(at),
                desk.place(attempt.guest, at, shared)
            );
            (Mark::Again, "ALREADY CHECKED IN", detail)
        }
        Status::Saving | Status::Waiting | Status::Delivering { .. } => (
            Mark::Waiting,
            "WAITING",
            format!(
                "came at {}; saved here, {} once the host answers",
                local(attempt.at),
                match attempt.is_added() {
                    true => "added",
                    false => "delivered",
                }
            ),
        ),
        Status::In {
            at,
            was_before: false,
        } => {
            let key = shared.keymap.key("guest.undo");
            let undo = match (attempt.is_undoable() && !key.is_empty(), attempt.is_added()) {
                (true, true) => format!(" · a new guest · {key} undoes it"),
                (true, false) => format!(" · {key} undoes it"),
                (false, _) => String::new(),
            };
            let at = clock_seconds(*at, &shared.zone);
            (Mark::Good, "CHECKED IN", format!("at {at}{undo}"))
        }
        Status::In {
            at,
            was_before: true,
        } => {
            let place = desk.place(attempt.guest, *at, shared);
            let detail = format!("since {} at {place}", local(*at));
            (Mark::Again, "ALREADY CHECKED IN", detail)
        }
        Status::Refused { why } => {
            let verdict = match attempt.is_scanned {
                true => "UNKNOWN TICKET",
                false => "NOT CHECKED IN",
            };
            (Mark::Bad, verdict, clean(why).into_owned())
        }
        Status::Undone
            if attempt.is_added() && is_undo && desk.roll.get(attempt.guest).is_some() =>
        {
            (
                Mark::Good,
                "UNDONE",
                format!("stays on the list as “{ADDED_BY_MISTAKE}”"),
            )
        }
        Status::Undone if attempt.is_added() => (Mark::Good, "UNDONE", "was not added".to_owned()),
        Status::Undone => (Mark::Good, "UNDONE", "is not checked in".to_owned()),
    };
    let guest = desk.roll.get(attempt.guest);
    let note = match guest.and_then(|guest| alert(&guest.tags)) {
        Some(Alert::Note(note) | Alert::Blocked(note)) if !is_undo => Some(note),
        _ => None,
    };
    let host = guest.and_then(|guest| desk.roll.get(guest_of(&guest.tags)?));
    let host = host.map(|host| format!("guest of {}", host.name));
    let is_noted = note.is_some() && !matches!(mark, Mark::Bad | Mark::Again | Mark::Busy);
    let has_note = note.is_some();
    let about = note.into_iter().chain(host);
    let about = about.map(|text| clean(&text).into_owned());
    let details: Vec<String> = about
        .chain([detail])
        .filter(|text| !text.is_empty())
        .collect();
    Words {
        mark: if is_noted { Mark::Warn } else { mark },
        verdict,
        who: attempt.label(),
        apart: None,
        has_note,
        detail: details.join(" · "),
    }
}

fn middle_row(area: Rect) -> Rect {
    Rect {
        y: area.y + area.height / 2,
        height: 1.min(area.height),
        ..area
    }
}
