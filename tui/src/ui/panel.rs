//! Boxes, cards and messages.

use frontdesk_client::CallError;
use ratatui::Frame;
use ratatui::layout::{Margin, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, BorderType, Clear, Padding, Paragraph, Wrap};

use super::frame::wrapped_heights;
use super::problem::{Problem, Remedy};
use crate::app::shared::Shared;
use crate::app::state::Typing;
use crate::look::theme::Theme;

/// The margin of text in a box or on a screen.
pub(crate) const INSET: Margin = Margin::new(1, 0);

/// A box with a title.
pub(crate) fn titled<'a>(title: impl Into<Line<'a>>, border: Style) -> Block<'a> {
    Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(border)
        .title(title)
}

/// Draws a box with a title around an area. Returns the area inside.
pub(crate) fn framed<'a>(
    frame: &mut Frame,
    area: Rect,
    title: impl Into<Line<'a>>,
    border: Style,
) -> Rect {
    let block = titled(title, border);
    let inside = block.inner(area);
    frame.render_widget(block, area);
    inside
}

/// An area of this size in the middle of another, limited to it.
pub(crate) fn middle(area: Rect, width: u16, height: u16) -> Rect {
    let width = width.min(area.width);
    let height = height.min(area.height);
    Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    }
}

/// A card over the screen. Returns the area inside.
pub(crate) fn card(
    frame: &mut Frame,
    theme: &Theme,
    area: Rect,
    width: u16,
    height: u16,
    title: &str,
) -> Rect {
    let area = middle(area, width, height);
    let block = titled(Span::styled(format!(" {title} "), theme.title), theme.focus)
        .padding(Padding::horizontal(1));
    let inner = block.inner(area);
    frame.render_widget(Clear, area);
    frame.buffer_mut().set_style(area, theme.base);
    frame.render_widget(block, area);
    inner
}

/// The height of [`said`] in this area.
pub(crate) fn said_height(lines: &[Line], area: Rect) -> u16 {
    wrapped_heights(lines, area.inner(INSET).width.into())
}

/// Draws a text that is wrapped.
pub(crate) fn text<'a>(frame: &mut Frame, area: Rect, text: impl Into<Text<'a>>) {
    frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
}

/// Draws a message with a margin.
pub(crate) fn said(frame: &mut Frame, lines: Vec<Line>, area: Rect) {
    text(frame, area.inner(INSET), lines);
}

/// The key of a command, as it is drawn.
pub(crate) fn key(shared: &Shared, id: &str) -> Span<'static> {
    let settings = &shared.settings;
    Span::styled(settings.keymap.key(id), settings.theme.key)
}

/// The key of a command and what it does.
pub(crate) fn hint(shared: &Shared, id: &str, words: &str) -> Line<'static> {
    Line::from(vec![key(shared, id), Span::raw(format!(" {words}"))])
}

/// A line in the middle of an area, in place of rows.
pub(crate) fn note<'a>(frame: &mut Frame, area: Rect, line: impl Into<Line<'a>>) {
    let place = middle(area, area.width.saturating_sub(4), 1);
    frame.render_widget(line.into(), place);
}

/// A failed request in place of its data, on a screen where nothing is typed.
pub(crate) fn failed(frame: &mut Frame, shared: &Shared, area: Rect, error: &CallError) {
    problem(frame, shared, area, &Problem::of(error), Typing::No);
}

/// An error in place of the data: what happened, and which key to press.
pub(crate) fn problem(
    frame: &mut Frame,
    shared: &Shared,
    area: Rect,
    problem: &Problem,
    typing: Typing,
) {
    let theme = &shared.settings.theme;
    let keymap = &shared.settings.keymap;
    let mut lines = vec![
        Line::from(Span::styled(
            format!("✗ {}", problem.title),
            theme.bad.patch(theme.title),
        )),
        Line::default(),
        Line::from(crate::look::text::clean(&problem.what).into_owned()),
    ];
    if !problem.help.is_empty() {
        lines.push(Line::styled(problem.help.clone(), theme.dim));
    }
    lines.push(Line::default());
    let key = |id: &str, words: &str| {
        let key = match typing {
            Typing::No => keymap.key(id),
            Typing::Beginning | Typing::Yes | Typing::Secret => keymap.key_while_typing(id),
        };
        Line::from(vec![
            Span::styled(key, theme.key),
            Span::raw(format!(" {words}")),
        ])
    };
    match problem.remedy {
        Remedy::Retry => lines.push(key("app.refresh", "tries again")),
        Remedy::SignIn => lines.push(key("session.sign_in", "signs in again")),
        Remedy::Nothing => {}
    }
    let area = middle(
        area,
        area.width.saturating_sub(4).min(72),
        lines.len() as u16 + 3,
    );
    text(frame, area, lines);
}
