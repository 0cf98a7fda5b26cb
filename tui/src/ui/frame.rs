//! The frame of every screen: header and footer.

use std::borrow::Cow;

use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::app::hits::Hit;
use crate::app::input::chord::Chord;
use crate::app::input::command::Command;
use crate::app::shared::{Session, Shared};
use crate::app::state::{State, Typing};
use crate::look::mark::{Mark, spinner};
use crate::look::text::{cells, clean, count, fit};
use crate::look::time::place;

/// The header: breadcrumbs on the left, the account on the right.
pub(crate) fn header(state: &State, frame: &mut Frame, area: Rect) {
    let shared = &state.shared;
    let theme = &shared.settings.theme;
    let right = account(shared);
    let width = right.width().min(usize::from(area.width));
    let crumbs: Vec<String> = state
        .screens
        .iter()
        .map(|opened| clean(&opened.screen.crumb()).into_owned())
        .collect();
    let room = usize::from(area.width).saturating_sub(width + 2);
    let mut left = vec![Span::styled("Frontdesk", theme.title)];
    // If the path is too long, its beginning is cut.
    let mut path = crumbs.join(" › ");
    for first in 1..crumbs.len() {
        if cells(&path) + 12 <= room {
            break;
        }
        path = format!("… › {}", crumbs[first..].join(" › "));
    }
    let room = room.saturating_sub(12);
    // Of a record's tab the name of the tab stays.
    let tab = crumbs.last().and_then(|last| last.rsplit_once(" › "));
    let tab = tab.map_or(String::new(), |(_, tab)| format!(" › {tab}"));
    let name = path.strip_suffix(&tab).unwrap_or(&path);
    let path = match room.checked_sub(cells(&tab)) {
        Some(rest) if rest >= room / 3 => fit(name, rest) + &tab,
        _ => fit(&path, room),
    };
    left.push(Span::styled(format!(" › {path}"), theme.base));
    frame.render_widget(Line::from(left), area);
    frame.render_widget(right.alignment(Alignment::Right), area);
}

fn account(shared: &Shared) -> Line<'static> {
    let theme = &shared.settings.theme;
    let mut spans = Vec::new();
    let waiting = shared.waiting();
    if waiting > 0 {
        spans.push(Mark::Waiting.span(theme, &format!("{waiting} waiting")));
        spans.push(Span::raw("  "));
    }
    match &shared.session {
        Session::In(account) => {
            let role = account.role.map_or("no role", |role| role.name());
            spans.push(Span::raw(fit(&account.email, 32)));
            spans.push(Span::styled(format!(" · {role}"), theme.dim));
            if let Some(zone) = shared.foreign_zone() {
                let words = format!(" · {} time", place(zone));
                spans.push(Span::styled(words, theme.dim));
            }
        }
        Session::NoService => {}
        Session::Out => spans.push(Mark::Bad.span(theme, "signed out")),
        Session::Unknown => spans.push(Span::styled("signing in", theme.dim)),
    }
    if shared.mode.is_read_only() {
        spans.insert(0, Span::styled("read-only  ", theme.warn));
    }
    Line::from(spans)
}

/// The footer with the available keys.
pub(crate) fn footer(state: &State, frame: &mut Frame, area: Rect) {
    let theme = &state.shared.settings.theme;
    let keymap = &state.shared.settings.keymap;
    let context = state.context();
    let typing = state.typing();
    if state.ahead.len() > 0 {
        let keys = count(state.ahead.len(), "key waits", "keys wait");
        let words = format!("{keys} for what is being loaded · ");
        let line = Line::from(vec![
            Mark::Waiting.span(theme, &words),
            Span::styled("esc", theme.key),
            Span::raw(" drop"),
        ]);
        return frame.render_widget(line, area);
    }
    let mut spans: Vec<Span> = Vec::new();
    let mut used = 0;
    let hints = state.shared.parts.commands.all();
    let hints = hints.filter(|command| {
        context.distance(command.context).is_some() && !command.is_hidden(&state.shared)
    });
    // Help always has its place at the end.
    // What is impossible now gets no hint; only the deed that the place is for stays, dimmed.
    let is_possible = |command: &&'static Command| {
        let is_deed = command.acts && !command.context.is_general;
        (command.is_hinted)(state) && (is_deed || (command.why_not)(state).is_none())
    };
    let mut hints: Vec<_> = hints
        .filter(is_possible)
        .filter_map(|command| {
            // While typing, only keys that do not type are shown.
            let is_usable = |chord: &Chord| {
                let runs = keymap.command(*chord, context);
                runs == Some(command.id)
                    && match typing {
                        Typing::No => true,
                        Typing::Beginning => command.context == context || !chord.is_letter(),
                        Typing::Yes | Typing::Secret => !chord.is_text(),
                    }
            };
            let chord = keymap.keys(command.id).find(is_usable)?;
            let hint = command.hint?;
            let hint = (command.hint_here)(state).map_or(Cow::from(hint), Cow::from);
            Some((command, hint, chord))
        })
        .collect();
    // What names its record comes right after the commands of the place itself.
    hints.sort_by_key(|(command, hint, _)| {
        let distance = context.distance(command.context);
        let is_precise = matches!(hint, Cow::Owned(_));
        distance.map(|distance| distance.min(if is_precise { 1 } else { usize::MAX }))
    });
    let help = hints
        .iter()
        .position(|(command, ..)| command.id == "app.help")
        .map(|at| hints.remove(at));
    let widest = usize::from(area.width);
    let of_help = help
        .iter()
        .map(|(_, hint, chord)| cells(&chord.to_string()) + cells(hint) + 4);
    let room = widest.saturating_sub(of_help.sum());
    for (command, hint, chord) in hints.into_iter().chain(help) {
        let key = chord.to_string();
        let width = cells(&key) + 1 + cells(&hint) + 3;
        let limit = match command.id {
            "app.help" => widest + 3,
            _ => room + 3,
        };
        if used + width > limit {
            continue;
        }
        let place = Rect {
            x: area.x + used as u16,
            width: (width - 3) as u16,
            ..area
        };
        state.shared.hits.add(place, Hit::Command(command.id));
        used += width;
        let (key_style, hint_style) = match (command.why_not)(state) {
            Some(_) => (theme.dim, theme.dim),
            None => (theme.key, Style::new()),
        };
        if !spans.is_empty() {
            spans.push(Span::styled(" · ", theme.dim));
        }
        spans.push(Span::styled(key, key_style));
        spans.push(Span::styled(format!(" {hint}"), hint_style));
    }
    frame.render_widget(Line::from(spans), area);
}

/// The height of a text wrapped at words.
pub(crate) fn wrapped_height(text: &str, width: usize) -> u16 {
    let mut lines = 1;
    let mut used = 0;
    for word in text.split_whitespace() {
        let cells = cells(word);
        if used > 0 && used + 1 + cells > width {
            lines += 1;
            used = 0;
        }
        used += cells + usize::from(used > 0);
        while used > width {
            lines += 1;
            used -= width;
        }
    }
    lines
}

/// The height of these lines, each wrapped at words.
pub(crate) fn wrapped_heights<'a>(
    lines: impl IntoIterator<Item = &'a Line<'a>>,
    width: usize,
) -> u16 {
    let heights = lines
        .into_iter()
        .map(|line| wrapped_height(&line.to_string(), width));
    heights.sum()
}

/// A spinner with a text.
pub(crate) fn waiting(shared: &Shared, words: &str) -> Line<'static> {
    Line::from(vec![
        Span::styled(
            format!("{} ", spinner(shared.spin)),
            shared.settings.theme.busy,
        ),
        Span::styled(words.to_owned(), shared.settings.theme.dim),
    ])
}
