//! Drawing of one series: its data, its months and its occurrences.

use frontdesk_protocol::work::occurrence::Occurrence;
use frontdesk_protocol::work::series::Series;
use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::attention::Attention;
use super::{SeriesScreen, schedule, template};
use crate::app::shared::Shared;
use crate::look::mark::Mark;
use crate::look::text::{cells, count, fit};
use crate::look::time::{date, moment};
use crate::screens::work::occurrence::{Carries, Month, months};
use crate::ui::frame::waiting;
use crate::ui::panel::{self, framed};
use crate::ui::problem::Problem;
use crate::ui::table::{self, Column, Row};

/// Minimum width of the months in cells.
const MONTHS: u16 = 32;
/// Their width on a wide screen: a month of 31 days fits.
const WIDE: u16 = 49;
/// The part of that for the border, the mark, the name of the month and its count.
const AROUND: u16 = 18;
/// Narrower screens show no months beside the list.
const LEAST: u16 = 72;

pub(super) fn draw(screen: &SeriesScreen, shared: &Shared, frame: &mut Frame, area: Rect) {
    let head = head(screen, shared, usize::from(area.width));
    let [above, below, legend] =
        Layout::vertical([Length(head.len() as u16), Fill(1), Length(1)]).areas(area);
    frame.render_widget(Paragraph::new(head), above);
    match screen.occurrences() {
        Some(occurrences) if !occurrences.is_empty() && !screen.is_gone() => {
            draw_occurrences(screen, occurrences, shared, frame, below);
            frame.render_widget(draw_legend(shared), legend);
        }
        _ => draw_nothing(screen, shared, frame, below),
    }
}

fn head(screen: &SeriesScreen, shared: &Shared, width: usize) -> Vec<Line<'static>> {
    let theme = &shared.settings.theme;
    let record = screen.record();
    let Some(series) = record.value() else {
        return Vec::new();
    };
    let marks = Attention::alone(series).marks();
    let created = format!("  created {}  ", date(series.created_at, &shared.locale));
    let room = width.saturating_sub(cells(&created) + cells(&marks));
    let title = fit(&series.title, room);
    let about = format!("{} · template {}", schedule(series), template(series));
    let mut lines = vec![
        Line::from(vec![
            Span::styled(title, theme.title),
            Span::styled(created, theme.dim),
            Span::styled(marks, theme.warn),
        ]),
        Line::raw(fit(&about, width)),
        Line::styled(fit(&numbers(series), width), theme.dim),
    ];
    if let (Some(error), Some(seen)) = (record.error(), record.seen())
        && !screen.is_gone()
        && screen.occurrences().is_some()
    {
        let since = moment(seen.at, shared.now, &shared.locale);
        let words = format!("{} (as of {since})", Problem::of(error).title);
        lines.push(Line::from(Mark::Bad.span(theme, &words)));
    }
    lines
}

fn numbers(series: &Series) -> String {
    let occurrences = count(
        series.occurrence_count as usize,
        "occurrence",
        "occurrences",
    );
    let calendar = series.transcriber_calendar_id.as_deref();
    format!(
        "{occurrences} · {} with text · {} with id · {}",
        series.occurrences_with_transcript,
        series.occurrences_with_transcript_id,
        calendar.map_or("no calendar".to_owned(), |id| format!("calendar {id}")),
    )
}

fn draw_occurrences(
    screen: &SeriesScreen,
    occurrences: &[Occurrence],
    shared: &Shared,
    frame: &mut Frame,
    area: Rect,
) {
    let months = months(occurrences);
    let selected = screen.selected();
    let current = selected.and_then(|at| {
        let mut months = months.iter();
        months.position(|month| month.occurrences.contains(&at))
    });
    let most = months.iter().map(|month| month.occurrences.len()).max();
    let wanted = AROUND.saturating_add(most.unwrap_or(0) as u16);
    let width = match area.width {
        ..110 => MONTHS,
        _ => wanted.clamp(MONTHS, WIDE),
    };
    // On a narrow screen the headings of the list are enough.
    let width = if area.width < LEAST { 0 } else { width };
    let [left, right] = Layout::horizontal([Length(width), Fill(1)]).areas(area);
    draw_months(&months, current, occurrences, shared, frame, left);
    draw_list(&months, selected, occurrences, shared, frame, right);
}

/// The months, with a glyph for each occurrence.
fn draw_months(
    months: &[Month],
    current: Option<usize>,
    occurrences: &[Occurrence],
    shared: &Shared,
    frame: &mut Frame,
    area: Rect,
) {
    let theme = &shared.settings.theme;
    let title = count(months.len(), "month", "months");
    let inside = framed(frame, area, format!(" {title} "), theme.border);
    let shown = table::visible(months.len(), current, inside.height.into());
    for (at, y) in shown.zip(inside.y..) {
        let month = &months[at];
        let of_month = &occurrences[month.occurrences.clone()];
        let (mark, style) = match current == Some(at) {
            true => ("› ", theme.title),
            false => ("  ", theme.base),
        };
        let mut spans = vec![Span::styled(
            format!("{mark}{} ", month.short(shared.locale.language)),
            style,
        )];
        // Without room for the glyphs, only their number is shown.
        match of_month.len() <= usize::from(area.width.saturating_sub(AROUND)) {
            true => spans.extend(of_month.iter().map(|occurrence| {
                let carries = Carries::of(occurrence);
                Span::styled(carries.glyph(), carries.style(theme))
            })),
            false => spans.extend(tally(of_month).map(|(carries, number)| {
                let text = format!("{number}{} ", carries.glyph());
                Span::styled(text, carries.style(theme))
            })),
        }
        let line = Rect {
            y,
            height: 1,
            ..inside
        };
        frame.render_widget(Line::from(spans), line);
        let number = Line::styled(of_month.len().to_string(), theme.dim).right_aligned();
        frame.render_widget(number, line);
    }
}

/// The number of occurrences by content, without zeros.
fn tally(occurrences: &[Occurrence]) -> impl Iterator<Item = (Carries, usize)> {
    Carries::ALL
        .into_iter()
        .map(|carries| {
            let like = occurrences.iter().map(Carries::of);
            (carries, like.filter(|other| *other == carries).count())
        })
        .filter(|(_, number)| *number > 0)
}

/// A row of the list.
#[derive(Clone, Copy)]
enum Item {
    Month(usize),
    Occurrence(usize),
}

fn draw_list(
    months: &[Month],
    selected: Option<usize>,
    occurrences: &[Occurrence],
    shared: &Shared,
    frame: &mut Frame,
    area: Rect,
) {
    let theme = &shared.settings.theme;
    let number = count(occurrences.len(), "occurrence", "occurrences");
    let inside = framed(frame, area, format!(" {number} "), theme.border);
    let items: Vec<Item> = months
        .iter()
        .enumerate()
        .flat_map(|(at, month)| {
            let of_month = month.occurrences.clone().map(Item::Occurrence);
            std::iter::once(Item::Month(at)).chain(of_month)
        })
        .collect();
    let is_selected = |item: &Item| matches!(item, Item::Occurrence(at) if Some(*at) == selected);
    let columns = [
        Column::fixed("", 10),
        Column::share("", 2),
        Column::fixed("", 17),
        Column::share("", 3).only_from(66),
    ];
    let (len, at) = (items.len(), items.iter().position(is_selected));
    table::draw(frame, inside, shared, &columns, len, at, |at| {
        match items[at] {
            Item::Month(at) => {
                let month = &months[at];
                heading(month, &occurrences[month.occurrences.clone()], shared)
            }
            Item::Occurrence(at) => row(&occurrences[at], shared),
        }
    });
}

/// "March 2025 · 3● 1○".
fn heading(month: &Month, occurrences: &[Occurrence], shared: &Shared) -> Row {
    let mut text = format!("{} ·", month.title(shared.locale.language));
    for (carries, number) in tally(occurrences) {
        text = format!("{text} {number}{}", carries.glyph());
    }
    Row::across(text).style(shared.settings.theme.dim)
}

fn row(occurrence: &Occurrence, shared: &Shared) -> Row {
    let carries = Carries::of(occurrence);
    let (day, language) = (occurrence.occurrence_date, shared.locale.language);
    // The months stand below each other.
    let gap = if day.day() < 10 { " " } else { "" };
    let day = format!(
        "{} {gap}{}",
        language.weekday(day),
        language.day(day, false)
    );
    Row::new()
        .cell(day)
        .cell(occurrence.status.clone())
        .styled(
            format!("{} {}", carries.glyph(), carries.words()),
            carries.style(&shared.settings.theme),
        )
        .styled(
            occurrence
                .transcriber_transcript_id
                .clone()
                .unwrap_or_default(),
            shared.settings.theme.dim,
        )
}

fn draw_legend(shared: &Shared) -> Line<'static> {
    let theme = &shared.settings.theme;
    let legend = Carries::ALL.into_iter().flat_map(|carries| {
        [
            Span::styled(carries.glyph(), carries.style(theme)),
            Span::styled(format!(" {}  ", carries.words()), theme.dim),
        ]
    });
    legend.collect()
}

/// The reason for an empty list of occurrences.
fn draw_nothing(screen: &SeriesScreen, shared: &Shared, frame: &mut Frame, area: Rect) {
    let theme = &shared.settings.theme;
    let record = screen.record();
    if screen.is_gone() {
        let text = "This series no longer exists: it was removed or merged.";
        panel::note(frame, area, Mark::Warn.span(theme, text));
    } else if screen.occurrences().is_some() {
        let text = "No occurrences.";
        panel::note(frame, area, Line::styled(text, theme.dim));
    } else if record.is_loading() {
        panel::note(frame, area, waiting(shared, "asking the host"));
    } else if let Some(error) = record.error() {
        panel::failed(frame, shared, area, error);
    }
}
