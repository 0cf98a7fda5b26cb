//! Drawing of a tree. Only the visible lines are built.

use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use serde_json::Value;

use super::Tree;
use super::nodes::{self, Node, Step};
use crate::app::shared::Shared;
use crate::look::text::{cells, clean, count, fit};
use crate::look::theme::Theme;
use crate::tabular;
use crate::ui::panel;
use crate::ui::table::visible;

/// Indentation per level.
const INDENT: usize = 2;
/// Deeper levels are not indented further, so their text stays visible.
const DEEPEST: usize = 16;

/// Draws the tree of this answer.
pub(in crate::answer) fn draw(
    tree: &Tree,
    answer: &Value,
    shared: &Shared,
    frame: &mut Frame,
    area: Rect,
) {
    let theme = &shared.settings.theme;
    let [line, list] = Layout::vertical([Length(1), Fill(1)]).areas(area);
    let width = usize::from(line.width);
    let path = fit(&tree.path(), width / 2);
    let [left, right] = Layout::horizontal([Fill(1), Length(cells(&path) as u16 + 1)]).areas(line);
    frame.render_widget(Span::styled(path, theme.dim), right);
    if tree.search.is_open() {
        tree.search.draw(theme, frame, left, Style::new());
    }
    if tree.shown.is_empty() {
        let words = format!("No match for “{}”", clean(&tree.search.text()));
        panel::note(frame, list, Line::styled(words, theme.dim));
        return;
    }
    let selected = tree.shown.binary_search(&tree.at).ok();
    let rows = visible(tree.shown.len(), selected, list.height.into());
    for (row, place) in rows.zip(list.rows()) {
        let at = tree.shown[row];
        let is_selected = selected == Some(row);
        if is_selected {
            frame.buffer_mut().set_style(place, theme.selected);
        }
        let mark = if is_selected { "▸ " } else { "  " };
        let is_found = !tree.search.folded().is_empty();
        let value = nodes::value(&tree.nodes, at, answer).unwrap_or(&Value::Null);
        let room = usize::from(place.width).saturating_sub(2);
        let mut line = of_node(&tree.nodes[at], value, is_found, theme, room);
        line.spans.insert(0, Span::raw(mark));
        if is_selected {
            // One style for the whole line: colours on a reversed one are hard to read.
            for span in &mut line.spans {
                span.style = theme.selected;
            }
        }
        frame.render_widget(line, place);
    }
}

fn of_node(
    node: &Node,
    value: &Value,
    is_found: bool,
    theme: &Theme,
    room: usize,
) -> Line<'static> {
    let indent = " ".repeat(node.depth.min(DEEPEST) * INDENT);
    let sign = match (node.is_nested, node.is_open || is_found) {
        (false, _) => "  ",
        (true, true) => "- ",
        (true, false) => "+ ",
    };
    let name = match &node.step {
        Step::Root => String::new(),
        Step::Key(key) => format!("{}: ", fit(key, room / 2)),
        Step::Place(place) => format!("{place}: "),
    };
    let used = cells(&indent) + cells(sign) + cells(&name);
    let room = room.saturating_sub(used);
    let (text, style) = match value {
        Value::Object(fields) if fields.is_empty() => ("{}".to_owned(), theme.dim),
        Value::Array(items) if items.is_empty() => ("[]".to_owned(), theme.dim),
        Value::Object(fields) => {
            let size = count(fields.len(), "field", "fields");
            // A folded record shows its name.
            let label = match node.is_open || is_found {
                true => None,
                false => tabular::label(value),
            };
            let text = label.map_or(size.clone(), |label| format!("{label} · {size}"));
            (text, theme.dim)
        }
        Value::Array(items) => (count(items.len(), "item", "items"), theme.dim),
        Value::String(_) => (tabular::preview_json(value, room * 4), Style::new()),
        Value::Null => ("null".to_owned(), theme.dim),
        value => (tabular::preview(value, room * 4), theme.key),
    };
    Line::from(vec![
        Span::raw(indent),
        Span::styled(sign, theme.key),
        Span::styled(name, theme.title),
        Span::styled(fit(&text, room), style),
    ])
}
