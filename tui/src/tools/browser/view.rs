//! Drawing of the list of tools, and details of the selected one.

use frontdesk_client::ToolInfo;
use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};
use serde_json::Value;

use super::Browser;
use crate::app::peer::Peer;
use crate::app::remote::Remote;
use crate::app::screen::Screen as _;
use crate::app::shared::Shared;
use crate::call_form::signature::{effect, has_dry_run, signature};
use crate::look::mark::Mark;
use crate::look::text::{clean, count};
use crate::tools::catalogue::CatalogueRow;
use crate::ui::frame::waiting;
use crate::ui::panel::{self, framed};
use crate::ui::problem::Problem;
use crate::ui::table::{self, Column, Row};
use crate::ui::trouble::trouble;
use crate::ui::wrap::wrapped;

/// Width of the list on narrow screens.
const LIST_WIDTH: u16 = 40;
/// Minimum width of a list that shows the effect beside the name.
const EFFECT_FROM: u16 = 46;

/// Draws the screen.
pub(super) fn draw(browser: &Browser, shared: &Shared, frame: &mut Frame, area: Rect) {
    if browser.schema.is_some() {
        draw_schema(browser, shared, frame, area);
        return;
    }
    let list = LIST_WIDTH.max(area.width * 2 / 5);
    let [list, about] = Layout::horizontal([Length(list), Fill(1)]).areas(area);
    draw_list(browser, shared, frame, list);
    draw_about(browser, shared, frame, about);
}

fn draw_list(browser: &Browser, shared: &Shared, frame: &mut Frame, area: Rect) {
    let theme = &shared.settings.theme;
    let places = browser.rows();
    let all = count(browser.catalogue.len(browser.mode), "tool", "tools");
    let title = match browser.search.is_empty() {
        true => Line::from(format!(" {all} ")),
        false => Line::from(format!(" {} of {all} ", places.len())),
    };
    let title = match browser.catalogue.is_loading() {
        true => waiting(shared, "asking the hosts"),
        false => title,
    };
    let inside = framed(frame, area, title, theme.focus);
    let inside = browser.search.draw_above(theme, frame, inside);
    if places.is_empty() {
        panel::note(frame, inside, Line::styled("No matching tool", theme.dim));
        return;
    }
    let selected = browser.row();
    let at = places.iter().position(|place| Some(*place) == selected);
    let is_search = !browser.search.is_empty();
    let columns = [
        Column::share("", 1),
        Column::fixed("", 12).only_from(EFFECT_FROM),
    ];
    table::draw(
        frame,
        inside,
        shared,
        &columns,
        places.len(),
        at,
        |at| match places[at] {
            CatalogueRow::Peer(peer) => Row::across(heading(browser, peer)).style(theme.dim),
            CatalogueRow::Tool(peer, name) => {
                let (mark, word) = match browser.catalogue.tool(peer, name) {
                    Some(tool) => effect(tool),
                    None => (Mark::Info, ""),
                };
                let name = match is_search {
                    true => format!("{} {name}", peer.name()),
                    false => name.to_owned(),
                };
                Row::new()
                    .cell(name)
                    .styled(format!("{} {word}", mark.glyph()), mark.style(theme))
            }
        },
    );
}

/// The heading of a host or server.
fn heading(browser: &Browser, peer: &Peer) -> String {
    let list = browser.catalogue.list(peer);
    let said = match (list.and_then(Remote::value), list.and_then(Remote::error)) {
        (_, Some(error)) => {
            let title = Problem::of(error).title.to_lowercase();
            format!("✗ {}", title.trim_start_matches("host "))
        }
        (Some(tools), None) if tools.is_empty() => "no tools".to_owned(),
        (Some(tools), None) => {
            let all = count(tools.len(), "tool", "tools");
            match browser.catalogue.offered(peer, browser.mode).count() {
                some if some < tools.len() => format!("{some} of {all}"),
                _ => all,
            }
        }
        (None, None) if list.is_some_and(Remote::is_loading) => "loading".to_owned(),
        (None, None) => "not opened".to_owned(),
    };
    format!("{} · {said}", peer.title())
}

fn draw_about(browser: &Browser, shared: &Shared, frame: &mut Frame, area: Rect) {
    let theme = &shared.settings.theme;
    let inside = framed(frame, area, " Details ", theme.border);
    let inside = inside.inner(panel::INSET);
    if let Some((peer, tool)) = browser.tool() {
        panel::text(frame, inside, about(shared, peer, tool));
        return;
    }
    let Some(CatalogueRow::Peer(peer)) = browser.row() else {
        return;
    };
    let list = browser.catalogue.list(peer);
    match list.and_then(Remote::error) {
        Some(error) => {
            let problem = trouble(error, peer, true);
            panel::problem(frame, shared, inside, &problem, browser.typing());
        }
        None if list.is_some_and(Remote::is_loading) => {
            frame.render_widget(waiting(shared, "asking"), inside);
        }
        None if browser.catalogue.is_unopened(peer) => {
            let key = shared.settings.keymap.key("tools.open");
            let words = format!("{key} opens {} and lists its tools.", peer.title());
            panel::text(frame, inside, words);
        }
        None => {
            let words = format!("{} offers you no tools.", peer.title());
            let text = Paragraph::new(words).style(theme.dim);
            frame.render_widget(text.wrap(Wrap { trim: true }), inside);
        }
    }
}

/// The description of a tool.
fn about(shared: &Shared, peer: &Peer, tool: &ToolInfo) -> Vec<Line<'static>> {
    let theme = &shared.settings.theme;
    let mut lines = Vec::new();
    if let Some(title) = &tool.title {
        lines.push(Line::styled(clean(title).into_owned(), theme.title));
    }
    lines.push(Line::from(vec![
        Span::styled(format!("{} ", clean(peer.name())), theme.dim),
        Span::styled(clean(&tool.name).into_owned(), theme.title),
    ]));
    let (mark, word) = effect(tool);
    let words = match word {
        "reads" => "reads, and changes nothing",
        "writes" => "writes",
        _ => "writes, and may delete irreversibly",
    };
    lines.push(Line::from(mark.span(theme, words)));
    if !tool.read_only && tool.idempotent {
        lines.push(Line::from(
            "· repeating the same call has no further effect",
        ));
    }
    if has_dry_run(tool) {
        lines.push(Line::from("· supports a dry run"));
    }
    if shared.changed.of_tool(peer, &tool.name).is_some() {
        let words = "has changed since you accepted it";
        lines.push(Line::from(Mark::Warn.span(theme, words)));
    }
    lines.push(Line::default());
    let described = tool.description.as_deref();
    let paragraphs = described.unwrap_or("No description.").split('\n');
    lines.extend(paragraphs.map(|text| Line::from(clean(text).into_owned())));
    lines.push(Line::default());
    lines.push(Line::styled(signature(tool), theme.key));
    lines
}

/// Number of schema lines that fit in a terminal of this height.
pub(super) fn schema_height(terminal: u16) -> usize {
    // Header, footer, and the frame.
    usize::from(terminal.saturating_sub(4))
}

/// The schemas of the selected tool as lines.
pub(super) fn schema_lines(browser: &Browser, width: usize) -> Vec<String> {
    let Some((_, tool)) = browser.tool() else {
        return Vec::new();
    };
    let mut schemas = vec![("Arguments", Value::Object(tool.input_schema.clone()))];
    let output = tool.output_schema.clone();
    schemas.extend(output.map(|schema| ("Result", Value::Object(schema))));
    let mut lines = Vec::new();
    for (title, schema) in schemas {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.push(format!("{title}:"));
        let text = serde_json::to_string_pretty(&schema).unwrap_or_default();
        lines.extend(wrapped(&text, width));
    }
    lines
}

fn draw_schema(browser: &Browser, shared: &Shared, frame: &mut Frame, area: Rect) {
    let theme = &shared.settings.theme;
    let name = browser.tool().map_or("", |(_, tool)| tool.name.as_str());
    let title = format!(" Schema of {} ", clean(name));
    let inside = framed(frame, area, title, theme.focus);
    let lines = schema_lines(browser, inside.width.into());
    let height = usize::from(inside.height);
    let top = browser.schema.unwrap_or(0);
    let top = top.min(lines.len().saturating_sub(height));
    for (line, place) in lines.iter().skip(top).zip(inside.rows()) {
        frame.render_widget(Line::from(line.as_str()), place);
    }
}
