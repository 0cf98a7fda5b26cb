//! Drawing of the desk.

use frontdesk_client::clock_error;
use frontdesk_protocol::Host;
use frontdesk_protocol::door::is_nearly_full;
use frontdesk_protocol::events::guest::{Guest, Matched};
use frontdesk_protocol::events::place::Place;
use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::CheckIn;
use super::banner::Banner;
use super::roll::MOST_FOUND;
use crate::app::shared::Shared;
use crate::app::state::Typing;
use crate::desk::door::{Attempt, Status, is_mistake};
use crate::look::mark;
use crate::look::mark::Mark;
use crate::look::text::{cells, clean, fit, fit_ending};
use crate::look::time::{clock, clock_seconds, moment, span};
use crate::ui::frame::waiting;
use crate::ui::gauge;
use crate::ui::panel::{self, framed};
use crate::ui::problem::Problem;
use crate::ui::table::{self, Column, Row};

/// Minimum width of the event's name.
const SHORTEST: usize = 12;
/// Minimum width for the arrivals beside the list; below it, names would be cut.
const BESIDE: u16 = 72;

pub(super) fn draw(desk: &CheckIn, shared: &Shared, frame: &mut Frame, area: Rect) {
    let [title, progress, search, banner, body] =
        Layout::vertical([Length(1), Length(1), Length(3), Length(3), Fill(1)]).areas(area);
    draw_title(desk, shared, frame, title);
    draw_progress(desk, shared, frame, progress);
    let inside = framed(frame, search, " Find a guest ", shared.settings.theme.focus);
    let field = inside.inner(panel::INSET);
    desk.search.draw(frame, field, Style::new(), true);
    Banner::draw(desk, shared, frame, banner);
    if desk.question.is_some() || area.width < BESIDE || shared.is_locked {
        // Role and e-mail identify the guest and need the room.
        draw_list(desk, shared, frame, body);
        return;
    }
    let [list, arrivals] =
        Layout::horizontal([Fill(1), Length((area.width * 2 / 5).clamp(26, 48))])
            .spacing(1)
            .areas(body);
    draw_list(desk, shared, frame, list);
    draw_arrivals(desk, shared, frame, arrivals);
}

fn draw_title(desk: &CheckIn, shared: &Shared, frame: &mut Frame, area: Rect) {
    let Some(event) = desk.record.value() else {
        return;
    };
    let theme = &shared.settings.theme;
    let room = usize::from(area.width);
    let attention = match shared.door().concerns(desk.event).count() {
        0 => String::new(),
        number => {
            let key = shared.settings.keymap.key("guest.attention");
            let verb = if number == 1 { "needs" } else { "need" };
            format!("  {} {number} {verb} attention: {key}", Mark::Warn.glyph())
        }
    };
    let place = desk.place_name(shared).map(clean);
    let gate = shared.settings.desk.gate.as_deref().map(clean);
    let gate = [gate, place].into_iter().flatten();
    let gate: String = gate.map(|name| format!(" · {name}")).collect();
    let left = (room * 3 / 5).saturating_sub(cells(&attention) + cells(&gate));
    let name = fit(&event.name, left.max(SHORTEST)) + &gate;
    let rest = room.saturating_sub(cells(&name) + cells(&attention) + 2);
    // If the host does not answer or accepts no check-ins, that is more important than time and
    // place.
    let is_limited = shared
        .limited_until(Host::Events)
        .is_some_and(|until| until > shared.now);
    let trouble = match (desk.record.error(), desk.record.seen()) {
        // The host is up and will be called again automatically.
        _ if is_limited && desk.heard.is_some() => None,
        (Some(error), Some(seen)) => {
            let title = Problem::of(error).title;
            let since = moment(seen.at, shared.now, &shared.locale);
            Some(format!("{title} (as of {since})"))
        }
        _ => shared
            .door()
            .rests_because()
            .map(|title| format!("{title} (check-ins wait)")),
    };
    let apart = shared.clock_ahead;
    let (detail, style) = match trouble {
        Some(trouble) => (format!("{} {trouble}", Mark::Bad.glyph()), theme.bad),
        None if !apart.is_zero() => {
            let words = format!(
                "{} this clock is {}: arrivals get the host's time",
                Mark::Warn.glyph(),
                clock_error(apart)
            );
            (words, theme.warn)
        }
        None => {
            let when = span(event.start_at, event.end_at, shared.now, &shared.locale);
            match event.location.as_deref() {
                None | Some("") => (when, theme.dim),
                Some(place) => (format!("{when} · {place}"), theme.dim),
            }
        }
    };
    frame.render_widget(
        Line::from(vec![
            Span::styled(name, theme.title),
            Span::styled(attention, theme.warn),
            Span::styled(format!("  {}", fit(&detail, rest)), style),
        ]),
        area,
    );
}

fn draw_progress(desk: &CheckIn, shared: &Shared, frame: &mut Frame, area: Rect) {
    let theme = &shared.settings.theme;
    let counts = desk.counts();
    let width = usize::from(area.width / 4);
    let mut line = match (shared.place(desk.event), desk.inside(shared)) {
        (Some(known), Some(inside)) => {
            let most = known.place.capacity.map_or(counts.guests as u64, u64::from);
            let mut line = gauge::line(theme, width, inside.into(), most);
            line.push_span(Span::raw(" inside"));
            let place = Place {
                inside_count: inside,
                ..known.place.clone()
            };
            if is_nearly_full(&place) {
                line.push_span(Span::raw("   "));
                let is_full = known.place.capacity.is_some() && u64::from(inside) >= most;
                let words = if is_full { "full" } else { "nearly full" };
                line.push_span(Mark::Warn.span(theme, words));
            }
            line
        }
        _ => {
            let mut line = gauge::line(theme, width, counts.here as u64, counts.guests as u64);
            line.push_span(Span::raw(" here"));
            line
        }
    };
    if shared.settings.desk.gate.is_some() && shared.place(desk.event).is_none() {
        let inside = counts.here.saturating_sub(desk.roll.outside());
        line.push_span(Span::raw(format!(" · {inside} inside")));
    }
    let waiting = shared
        .door()
        .of_event(desk.event)
        .filter(|attempt| attempt.is_waiting())
        .count();
    if waiting > 0 {
        let when = match shared.door().rests_until() {
            Some(until) => format!(
                "{waiting} waiting, next try at {}",
                clock_seconds(until, &shared.locale)
            ),
            None => format!("{waiting} waiting"),
        };
        line.push_span(Span::raw("   "));
        line.push_span(Mark::Waiting.span(theme, &when));
    }
    frame.render_widget(line, area);
}

fn draw_list(desk: &CheckIn, shared: &Shared, frame: &mut Frame, area: Rect) {
    let theme = &shared.settings.theme;
    let is_search = !desk.search.text().trim().is_empty();
    let count = |number: usize| shared.locale.language.count(number);
    let known = count(desk.roll.len());
    let is_found = is_search || desk.question.is_some();
    let mut title = match (is_found, desk.knows_all()) {
        (true, _) => {
            let more = if desk.rows().len() < MOST_FOUND {
                ""
            } else {
                "+"
            };
            format!(" {}{more} found ", count(desk.rows().len()))
        }
        (false, true) => format!(" {known} on this desk {} ", Mark::Good.glyph()),
        (false, false) => format!(" {known} of {} loaded ", count(desk.counts().guests)),
    };
    if let Some(at) = desk.old.filter(|_| !is_found) {
        let at = moment(at, shared.now, &shared.locale);
        title += &format!("as of {at} ");
    }
    let inside = framed(frame, area, title, theme.border);
    if desk.rows().is_empty() {
        draw_nobody(desk, shared, frame, inside, is_search);
        return;
    }
    let at = desk.selected.and_then(|id| desk.place(id));
    let columns = [
        Column::fixed("State", 14),
        Column::name("Name"),
        Column::text("Role"),
        Column::text("E-mail"),
    ];
    table::draw(
        frame,
        inside,
        shared,
        match shared.is_locked {
            true => &columns[..3],
            false => &columns,
        },
        desk.rows().len(),
        at,
        |at| match desk.roll.get(desk.rows()[at]) {
            Some(guest) => row(guest, at, desk, shared),
            None => Row::new(),
        },
    );
}

/// The reason for an empty list.
fn draw_nobody(desk: &CheckIn, shared: &Shared, frame: &mut Frame, area: Rect, is_search: bool) {
    let theme = &shared.settings.theme;
    let error = desk
        .found
        .error()
        .or(desk.list_error.as_ref())
        .or(desk.record.error());
    let line = if shared.hides_names(&desk.search.text()) {
        Line::styled("Type three letters of a name, or scan a code.", theme.dim)
    } else if desk.found.is_loading() || desk.pause.is_some() {
        waiting(shared, "asking the host")
    } else if let Some(error) = error {
        let problem = Problem::of(error);
        panel::problem(frame, shared, area, &problem, Typing::Beginning);
        return;
    } else if desk.pages.is_loading() {
        waiting(shared, "loading the guest list")
    } else if is_search {
        Line::styled("Nobody by that name.", theme.dim)
    } else {
        Line::styled("This event has no guests that you can see.", theme.dim)
    };
    frame.render_widget(line, panel::middle(area, area.width.saturating_sub(2), 1));
}

/// Where a name begins to differ from the names beside it.
fn differs_at(name: &str, row: usize, desk: &CheckIn) -> Option<usize> {
    let neighbours = [row.checked_sub(1), Some(row + 1)].into_iter().flatten();
    let names = neighbours.filter_map(|row| Some(&desk.roll.get(*desk.rows().get(row)?)?.name));
    let common = names.map(|other| {
        let mut pairs = name.char_indices().zip(other.chars());
        let differs = pairs.find(|((_, own), other)| own != other);
        differs.map_or(name.len().min(other.len()), |((at, _), _)| at)
    });
    common.max().filter(|at| *at > 0)
}

fn row(guest: &Guest, at: usize, desk: &CheckIn, shared: &Shared) -> Row {
    let (glyph, words, style) = state(guest, shared);
    let apart = match desk.matched.get(&guest.id) {
        Some(Matched::Similar) => Some("similar"),
        _ if desk.question.is_none() => desk.roll.apart(guest.id),
        _ => desk.roll.apart_unseen(guest.id),
    };
    let row = Row::new()
        .styled(format!("{glyph} {words}"), style)
        .cell(guest.name.clone())
        .ending(apart)
        .keeping(differs_at(&guest.name, at, desk))
        .cell(guest.role.clone().unwrap_or_default());
    // Those who stand before a locked desk see it, too.
    match shared.is_locked {
        true => row,
        false => row.cell(guest.email.clone().unwrap_or_default()),
    }
}

/// A guest's state. A check-in in progress at this desk takes precedence over the host's data.
fn state(guest: &Guest, shared: &Shared) -> (&'static str, String, Style) {
    let theme = &shared.settings.theme;
    let of = |mark: Mark, words: String| (mark.glyph(), words, mark.style(theme));
    if let Some(attempt) = shared.door().latest(guest.id)
        && let Some((mark, words)) = attempt_state(attempt)
    {
        let glyph = match mark {
            Mark::Busy => mark::spinner(shared.spin),
            mark => mark.glyph(),
        };
        return (glyph, words.to_owned(), mark.style(theme));
    }
    let is_of_place = shared.place(guest.event_id).is_some();
    let last = shared.passage(guest);
    let came = match is_of_place {
        true => last.map(|last| last.at),
        false => guest.check_in_at,
    };
    let left = last.filter(|_| came.is_some() && !shared.is_inside(guest));
    match came {
        Some(_) if let Some(left) = left => (
            "○",
            format!("out {}", clock(left.at, &shared.locale)),
            theme.dim,
        ),
        Some(at) => of(Mark::Good, format!("in {}", clock(at, &shared.locale))),
        None if is_mistake(guest) => (Mark::Bad.glyph(), "mistake".to_owned(), theme.dim),
        None => ("○", "not yet".to_owned(), theme.dim),
    }
}

/// The words for a check-in that the host has not confirmed yet.
fn attempt_state(attempt: &Attempt) -> Option<(Mark, &'static str)> {
    let is_undo = attempt.is_undo();
    Some(match &attempt.status {
        Status::Withdrawing => (Mark::Busy, "undoing"),
        Status::Unsaved { .. } => (Mark::Bad, "not saved"),
        Status::Saving | Status::Waiting | Status::Delivering { .. }
            if attempt.turns_away() && !attempt.is_fresh() =>
        {
            (Mark::Bad, "turned away")
        }
        Status::Saving | Status::Waiting | Status::Delivering { .. } => {
            match (attempt.is_fresh(), is_undo) {
                (true, false) if attempt.leaves() => (Mark::Busy, "letting out"),
                (false, false) if attempt.leaves() => (Mark::Waiting, "exit waits"),
                (true, true) => (Mark::Busy, "undoing"),
                (true, false) => (Mark::Busy, "checking in"),
                (false, true) => (Mark::Waiting, "undo waits"),
                (false, false) => (Mark::Waiting, "waiting"),
            }
        }
        Status::Refused { .. } if attempt.turns_away() => return None,
        Status::Refused { .. } => (Mark::Bad, "refused"),
        Status::In { .. } | Status::Out { .. } | Status::Undone => return None,
    })
}

/// The last arrivals, newest first; above them the check-ins in progress at this desk.
fn draw_arrivals(desk: &CheckIn, shared: &Shared, frame: &mut Frame, area: Rect) {
    let theme = &shared.settings.theme;
    let title = match shared.place(desk.event) {
        Some(_) => " Who came to the event ",
        None => " Who came when ",
    };
    let inside = framed(frame, area, title, theme.border);
    let height = usize::from(inside.height);
    let width = usize::from(inside.width);
    let mut lines: Vec<Line> = Vec::with_capacity(height);
    let under_way = shared
        .door()
        .of_event(desk.event)
        .filter(|attempt| attempt.is_listed());
    for attempt in under_way.take(height) {
        let Some((mark, _)) = attempt_state(attempt) else {
            continue;
        };
        lines.push(arrival(
            &clock(attempt.at, &shared.locale),
            mark,
            (
                &attempt.name,
                attempt.guest.and_then(|id| desk.roll.apart(id)),
            ),
            width,
            shared,
        ));
    }
    let room = height.saturating_sub(lines.len());
    lines.extend(desk.recent.iter().take(room).map(|one| {
        let at = clock(one.check_in_at, &shared.locale);
        let name = (one.name.as_str(), desk.roll.apart(one.guest_id));
        arrival(&at, Mark::Good, name, width, shared)
    }));
    if lines.is_empty() && desk.roll.len() > 0 {
        lines.push(Line::styled("Nobody yet.", theme.dim));
    }
    frame.render_widget(ratatui::widgets::Paragraph::new(lines), inside);
}

fn arrival(
    at: &str,
    mark: Mark,
    (name, apart): (&str, Option<&str>),
    width: usize,
    shared: &Shared,
) -> Line<'static> {
    let theme = &shared.settings.theme;
    Line::from(vec![
        Span::styled(format!("{at} "), theme.dim),
        Span::styled(format!("{} ", mark.glyph()), mark.style(theme)),
        Span::raw(fit_ending(name, apart, width.saturating_sub(at.len() + 3))),
    ])
}
