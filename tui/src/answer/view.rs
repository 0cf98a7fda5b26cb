//! Drawing of an answer: a list of records as a table, a record as a card, everything else as JSON.

use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::text::{Line, Span};
use serde_json::Value;

use super::table::TOTAL;
use super::{AnswerScreen, DryRun, Showing};
use crate::app::peer::Peer;
use crate::app::shared::Shared;
use crate::look::mark::Mark;
use crate::look::text::{clean, count, fit};
use crate::preview::banner::{self, Words};
use crate::preview::{self, Gone, Machine, Previewed, Source};
use crate::ui::frame::waiting;
use crate::ui::panel;
use crate::ui::trouble::trouble;

/// Maximum number of lines for differences from the preview.
const MOST: usize = 6;

/// Height of the details below a picture.
const FACTS: u16 = 6;
/// Height needed in addition to a picture: breadcrumbs, title, details and footer.
pub(super) const BESIDE_PICTURE: u16 = FACTS + 4;

/// Draws the screen.
pub(super) fn draw(screen: &AnswerScreen, shared: &Shared, frame: &mut Frame, area: Rect) {
    let status = status(screen, shared);
    let height = panel::said_height(&status, area);
    // The line above a table or tree shows the selection.
    let body = screen.body();
    let gap = u16::from(body.table().is_none() && body.tree().is_none());
    let [head, said, _, body] =
        Layout::vertical([Length(1), Length(height), Length(gap), Fill(1)]).areas(area);
    frame.render_widget(title(screen, shared), head);
    panel::said(frame, status, said);
    let body = match &screen.picture {
        Some(picture) if !shared.settings.is_plain => {
            let areas = [Fill(1), Length(FACTS)];
            let [place, facts] = Layout::vertical(areas).areas(body);
            picture.draw(shared, frame, place);
            facts
        }
        _ => body,
    };
    let fields = &screen.fields;
    screen
        .body()
        .draw(screen.shown_value(), fields, shared, frame, body);
}

fn title(screen: &AnswerScreen, shared: &Shared) -> Line<'static> {
    let theme = &shared.settings.theme;
    let mut spans = vec![
        Span::styled(format!(" {} ", clean(screen.call.peer.name())), theme.dim),
        Span::styled(clean(&screen.call.tool).into_owned(), theme.title),
        Span::raw("  "),
    ];
    match screen.showing() {
        Showing::Answer => spans.push(Mark::Good.span(theme, "answered")),
        Showing::Applied => spans.push(Mark::Good.span(theme, "done")),
        Showing::Part => {
            let name = screen.name.as_deref().unwrap_or("one record");
            spans.push(Mark::Info.span(theme, &fit(name, 40)));
        }
        Showing::Preview => {
            let plan = screen.plan.as_deref();
            let dry_run = plan.and_then(|plan| plan.preview.value());
            match plan.and_then(|plan| plan.too_late().or_else(|| plan.no_true_plan())) {
                Some(why) => spans.push(Mark::Warn.span(theme, why)),
                None => {
                    spans.push(Mark::Waiting.span(theme, "not applied yet: "));
                    spans.push(panel::key(shared, "preview.apply"));
                    let bound = match dry_run.and_then(Previewed::digest) {
                        Some(_) => " applies exactly this",
                        None => " applies it",
                    };
                    spans.push(Span::raw(bound));
                }
            }
        }
    }
    if let Some(records) = screen.records() {
        let from = screen.offset();
        let total = screen.json().get(TOTAL).and_then(Value::as_u64);
        let of = total.map_or_else(String::new, |total| format!(" of {total}"));
        let more = match screen.json().get("has_more") == Some(&Value::Bool(true)) {
            true if total.is_none() => ", more available",
            _ => "",
        };
        let records = match total {
            _ if from > 0 => {
                let to = from + records.len() as u64;
                format!("records {} to {to}{of}", from + 1)
            }
            _ if screen.blocks.is_some() => {
                let blocks = count(records.len(), "block", "blocks");
                format!(
                    "{blocks} · {} saves one",
                    shared.settings.keymap.key("answer.save")
                )
            }
            Some(total) if total > records.len() as u64 => {
                format!("{}{of} records", records.len())
            }
            _ => count(records.len(), "record", "records"),
        };
        spans.push(Span::styled(format!("  {records}{more}"), theme.dim));
    }
    Line::from(spans)
}

/// Errors of the last request.
fn status(screen: &AnswerScreen, shared: &Shared) -> Vec<Line<'static>> {
    let theme = &shared.settings.theme;
    if let Some(plan) = &screen.plan {
        return plan_status(plan, &screen.call.peer, shared);
    }
    if screen.reply.is_loading() {
        return vec![waiting(shared, "refreshing")];
    }
    let Some(error) = screen.reply.error() else {
        return Vec::new();
    };
    let problem = trouble(error, &screen.call.peer, true);
    let words = format!("✗ {}. {}", problem.title, clean(&problem.what));
    let mut lines = vec![Line::styled(words, theme.bad)];
    if !problem.help.is_empty() {
        lines.push(Line::from(clean(&problem.help).into_owned()));
    }
    lines.push(panel::hint(shared, "app.refresh", "tries again"));
    lines
}

/// The state of a plan that is not applied, or whose outcome is unknown.
fn plan_status(plan: &Machine<DryRun>, peer: &Peer, shared: &Shared) -> Vec<Line<'static>> {
    match &plan.phase {
        preview::Phase::Applying { .. } => return vec![waiting(shared, "applying")],
        preview::Phase::Done(done) if done.source == Source::Look => {
            return vec![Line::from(
                "The answer was lost, but the call was carried out.",
            )];
        }
        preview::Phase::Gone(gone) => {
            let words = match gone {
                Gone::AfterLoss => {
                    "! The answer was lost. The record no longer exists: your call or somebody else \
                     removed it."
                }
                Gone::Meanwhile | Gone::NeverSeen => {
                    "! The record no longer exists. You have changed nothing."
                }
            };
            return vec![Line::styled(words, shared.settings.theme.warn)];
        }
        _ => {}
    }
    let words = Words {
        apply: "preview.apply",
        problem: &|error| trouble(error, peer, true),
    };
    let mut lines = match banner::of(plan, &words, shared, MOST) {
        Some(banner) => {
            let mut lines = vec![banner.title];
            lines.extend(banner.lines);
            lines
        }
        None => Vec::new(),
    };
    if plan.is_open() && plan.preview.is_loading() && lines.is_empty() {
        lines.push(waiting(shared, "refreshing"));
    }
    lines
}
