//! Series of meetings: their list, and one of them.

mod attention;
mod edit;
mod filter;
mod known;
mod list;
mod merge;
mod one;
#[cfg(test)]
mod tests;
mod view;

pub(crate) use list::{COMMANDS as LIST_COMMANDS, SeriesList};
pub(crate) use one::{COMMANDS, SeriesScreen};

use frontdesk_client::CallError;
use frontdesk_protocol::Host;
use frontdesk_protocol::record::List;
use frontdesk_protocol::value::{Flag, Limit, Line, Offset, TimeOfDay};
use frontdesk_protocol::work::meeting::Template;
use frontdesk_protocol::work::series::{ListMeetingSeries, Series};
use uuid::Uuid;

use self::attention::Double;
use self::filter::Filters;
use crate::app::effect::{Answer, ToolCall};
use crate::app::shared::Shared;
use crate::app::state::State;
use crate::records::view::View;
use crate::screens::listing::{Key, Listed};
use crate::screens::work::plan::not_permitted;
use crate::ui::table::{Column, Row};
use crate::ui::time::date;

/// Series have a list of their own, in which doubles are found and merged.
pub(crate) static VIEW: View = View {
    screen: Some(|cx| cx.open(SeriesList::default())),
    ..View::new(Host::Work, "series")
};

/// A series in the list, and what the others say about it.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    series: Series,
    /// What it is probably a double of.
    double: Option<Double>,
    /// Whether it is marked as one side of a merge.
    is_side: bool,
}

impl Entry {
    fn new(series: Series) -> Self {
        Entry {
            series,
            double: None,
            is_side: false,
        }
    }

    fn marks(&self) -> String {
        let marks = attention::marks(&self.series, self.double.as_ref());
        match self.is_side {
            true => format!("⇄ merge {marks}"),
            false => marks,
        }
    }

    fn needs_attention(&self) -> bool {
        attention::rank(&self.series, self.double.as_ref()) < attention::FINE
    }
}

impl Listed for Entry {
    type Scope = Filters;
    const NAMES: (&'static str, &'static str) = ("series", "series");
    // Doubles are found among those that are loaded.
    const AT_ONCE: usize = 1_000;

    fn id(&self) -> Uuid {
        self.series.id.0
    }

    fn text(&self) -> &str {
        &self.series.title
    }

    fn columns() -> Vec<Column> {
        vec![
            Column::share("Series", 4),
            Column::fixed("Template", 14).only_from(110),
            Column::fixed("Created", 11),
            Column::fixed("Occ.", 4).right(),
            Column::fixed("Text", 4).right(),
            Column::fixed("Id", 4).right(),
            Column::share("Calendar", 3).only_from(110),
            Column::share("Attention", 4),
        ]
    }

    fn column_names() -> &'static [&'static str] {
        &[
            "title",
            "template",
            "created",
            "occurrences",
            "with transcript",
            "with transcript id",
            "calendar",
            "attention",
        ]
    }

    fn row(&self, shared: &Shared) -> Row {
        let series = &self.series;
        let is_grave = attention::is_without_id(series) || self.double.is_some();
        let style = match is_grave {
            true => shared.theme.warn,
            false => shared.theme.dim,
        };
        Row::new()
            .cell(series.title.clone())
            .cell(template(series))
            .cell(date(series.created_at, &shared.zone))
            .cell(series.occurrence_count.to_string())
            .cell(series.occurrences_with_transcript.to_string())
            .cell(series.occurrences_with_transcript_id.to_string())
            .cell(series.transcriber_calendar_id.clone().unwrap_or_default())
            .styled(self.marks(), style)
    }

    fn key(&self, column: usize) -> Key<'_> {
        let series = &self.series;
        match column {
            0 => Key::folded(&series.title),
            1 => Key::Text(Some(template(series))),
            2 => Key::Time(Some(series.created_at)),
            3 => Key::Number(series.occurrence_count as usize),
            4 => Key::Number(series.occurrences_with_transcript as usize),
            5 => Key::Number(series.occurrences_with_transcript_id as usize),
            6 => Key::Text(series.transcriber_calendar_id.as_deref()),
            _ => Key::Number(attention::rank(series, self.double.as_ref()) as usize),
        }
    }

    fn ask(filters: Filters, search: Option<Line>, limit: Limit, offset: Offset) -> ToolCall {
        ToolCall::of(&ListMeetingSeries {
            created_after: filters.from.map(|day| day.after),
            created_before: filters.to.map(|day| day.before),
            title_contains: search,
            transcriber_calendar_id_contains: filters.calendar,
            include_occurrences: Flag(false),
            limit: Limit::new(limit.get()).unwrap_or_default(),
            offset,
        })
    }

    fn take(answer: &Answer) -> Option<Result<List<Self>, CallError>> {
        let result = answer.of::<ListMeetingSeries>()?;
        Some(result.map(|page| List {
            items: page.items.into_iter().map(Entry::new).collect(),
            limit: page.limit,
            offset: page.offset,
            has_more: page.has_more,
        }))
    }

    fn belongs(&self, filters: &Filters) -> bool {
        filters.fit(&self.series)
    }
}

/// Why the account cannot change meetings. The host has the last word.
fn cannot_change(state: &State) -> Option<String> {
    not_permitted(&state.shared)
}

/// The template's name; none is as good as default.
fn template(series: &Series) -> &'static str {
    series.template.unwrap_or(Template::Default).name()
}

/// "Every Tuesday 18:00–19:30", as far as it is known.
fn schedule(series: &Series) -> String {
    let day = series.recurrence_day_of_week.as_deref().map(|day| {
        let mut letters = day.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    });
    let time = match (series.recurrence_start_time, series.recurrence_end_time) {
        (Some(start), Some(end)) => Some(format!("{}–{}", clock(start), clock(end))),
        (Some(start), None) => Some(format!("from {}", clock(start))),
        (None, Some(end)) => Some(format!("until {}", clock(end))),
        (None, None) => None,
    };
    match (day, time) {
        (Some(day), Some(time)) => format!("Every {day} {time}"),
        (Some(day), None) => format!("Every {day}, no time set"),
        (None, Some(time)) => format!("{time}, no day of the week"),
        (None, None) => "No time set".to_owned(),
    }
}

/// "18:00"; with seconds only where there are any.
fn clock(time: TimeOfDay) -> String {
    let text = time.to_string();
    text.strip_suffix(":00").unwrap_or(&text).to_owned()
}
