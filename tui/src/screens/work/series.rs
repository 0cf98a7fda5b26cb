//! Series of meetings: the list with its duplicates, merges, and single series.

mod attention;
mod one;
#[cfg(test)]
mod tests;
mod view;

pub(crate) use one::COMMANDS as ONE_COMMANDS;

use frontdesk_protocol::Host;
use frontdesk_protocol::value::TimeOfDay;
use frontdesk_protocol::work::meeting::Template;
use frontdesk_protocol::work::series::Series;

use self::attention::Attention;
use self::one::SeriesScreen;
use crate::app::cx::Cx;
use crate::app::input::command::{Context, commands};
use crate::app::shared::Shared;
use crate::app::state::State;
use crate::fields::cell::{Cell, Tone};
use crate::fields::key::Key;
use crate::look::mark::Mark;
use crate::look::time::{date, moment_in, place, without_seconds};
use crate::record_screens::{self, ShowsRecords};
use crate::records::chooser;
use crate::records::columns::Column;
use crate::records::contexts::RECORDS;
use crate::records::kind::{self, Kind};
use crate::records::record::Record;
use crate::records::view::{NOTE, OwnFilter, View};
use crate::screens::work::meeting_change::{MeetingChange, not_permitted};

static SERIES_LIST: Context = Context::above("Meeting series", &RECORDS);

/// Occurrences are part of the series and have their own screen.
pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("title", "Series"),
        Column::own("Attention", marks, |series, _| {
            Key::Rank(Attention::of(series).rank().into())
        }),
        Column::own(
            "Created",
            |series, shared| Cell::new(created(series, shared)),
            |series, _| Key::time(series.time("created_at")),
        ),
        Column::field("occurrence_count", "Occ."),
        Column::field("occurrences_with_transcript", "Text"),
        Column::field("occurrences_with_transcript_id", "Id"),
        Column::field("template", "Template"),
        Column::field("transcriber_calendar_id", "Calendar"),
    ],
    facts: &[
        ("Why", |series, shared| {
            Cell::new(Attention::of(series).reasons(&shared.locale).join("\n"))
        }),
        ("Meets", |series, _| {
            Cell::new(
                series
                    .decode()
                    .map(|series| schedule(&series))
                    .unwrap_or_default(),
            )
        }),
        ("First meeting", |series, shared| {
            let first = series.time("meeting_date");
            let zone = series.text("time_zone").unwrap_or_default();
            Cell::new(
                first
                    .map(|at| moment_in(at, shared.now, zone, &shared.locale))
                    .unwrap_or_default(),
            )
        }),
    ],
    covered: &[
        "include_occurrences",
        "occurrences",
        "recurrence_start_time",
        "recurrence_end_time",
        "recurrence_day_of_week",
        "occurrences_with_transcript_without_id",
        "created_at",
        "meeting_date",
        "time_zone",
    ],
    notes: Some(attention::doubles_of),
    filters: &[NEEDS_ATTENTION],
    open: Some(|cx, record, at| {
        if let Some(series) = record.decode() {
            cx.open(SeriesScreen::new(series, at));
        }
    }),
    list: &SERIES_LIST,
    ..View::new(Host::Work, "series")
};

static NEEDS_ATTENTION: OwnFilter = ("needs attention", |series| {
    Attention::of(series).rank() < attention::FINE
});

commands! {
    /// Commands in addition to those of the tools.
    pub(crate) const COMMANDS;

    SERIES_LIST: "series.attention", ["!"], "Show only series that need attention, or all",
        run |state, out| {
            record_screens::act(state, out, |screen, cx| {
                if let Some(list) = screen.list_mut() {
                    list.turn_own(cx, &NEEDS_ATTENTION);
                }
            });
        }, hint("attention");
    SERIES_LIST: "series.merge", ["i"], "Preview a merge of the series into another one",
        run |state, out| record_screens::act(state, out, choose_other), over("record.mark"),
        hint("merge"), hinted_if(is_permitted), danger,
        unless(|state| no_series(state).or_else(|| cannot_change(state)));
    SERIES_LIST: "series.remove", ["d"], "Preview the removal of the series",
        run |state, out| {
            record_screens::act(state, out, |screen, cx| {
                if let Some(series) = selected(screen).and_then(Record::decode) {
                    cx.open(MeetingChange::removal(series));
                }
            });
        }, over("record.delete"), hint("remove"), hinted_if(is_permitted), danger,
        unless(|state| no_series(state).or_else(|| cannot_change(state)));
}

fn selected(screen: &dyn ShowsRecords) -> Option<&Record> {
    Some(screen.current()?.1)
}

fn no_series(state: &State) -> Option<String> {
    let is_none = selected(record_screens::shown(state)?).is_none();
    is_none.then(|| "no series is selected".to_owned())
}

/// The kind of series.
fn series_kind() -> Option<&'static Kind> {
    kind::find(Host::Work, "meeting")
}

/// Opens the chooser of the series to merge with; a likely duplicate is selected.
fn choose_other(screen: &mut dyn ShowsRecords, cx: &mut Cx) {
    let (Some(kind), Some(series)) = (series_kind(), selected(screen)) else {
        return;
    };
    let question = format!("Merge “{}” with which series?", series.label(kind));
    let double = Attention::of(series).double_id().map(str::to_owned);
    let series = series.clone();
    let id = series.id().to_owned();
    let chooser = chooser::of_kind(kind, question, cx.shared, move |state, out, other| {
        if let (Some(one), Some(other)) = (series.decode(), other.decode()) {
            let (canonical, skeleton) = proposed(one, other);
            state.cx(out).open(MeetingChange::merge(
                (canonical.id, canonical.title),
                (skeleton.id, skeleton.title),
            ));
        }
    });
    let chooser = chooser.except(&id).proposing(double.as_deref());
    chooser.open(cx);
}

/// The proposed merge: which series is kept, and which is merged into it. The one with more
/// transcripts is kept, otherwise the older one.
fn proposed(one: Series, two: Series) -> (Series, Series) {
    let worth = |series: &Series| {
        let carried = series.occurrences_with_transcript;
        (carried, series.occurrences_with_transcript_id)
    };
    let is_second =
        worth(&two) > worth(&one) || worth(&two) == worth(&one) && two.created_at < one.created_at;
    if is_second { (two, one) } else { (one, two) }
}

fn created(series: &Record, shared: &Shared) -> String {
    let at = series.time("created_at");
    at.map_or_else(String::new, |at| date(at, &shared.locale))
}

/// The series with marks, most urgent first.
pub(crate) fn needing_attention(all: Vec<Record>) -> Vec<Record> {
    let doubles = attention::doubles_of(&all);
    let noted = all.into_iter().map(|series| {
        let double = doubles.get(series.id()).cloned().unwrap_or_default();
        series.noted(NOTE, double)
    });
    let mut needing: Vec<Record> = noted.filter(NEEDS_ATTENTION.1).collect();
    needing.sort_by_key(|series| Attention::of(series).rank());
    needing
}

/// The marks of a series.
pub(crate) fn marks(series: &Record, _: &Shared) -> Cell {
    let attention = Attention::of(series);
    let tone = match attention.is_grave() {
        true => Tone::Marked(Mark::Warn),
        false => Tone::Dim,
    };
    Cell {
        tone,
        ..Cell::new(attention.marks())
    }
}

/// Why the account cannot change meetings. The host decides in any case.
fn cannot_change(state: &State) -> Option<String> {
    not_permitted(&state.shared)
}

/// Whether the account can change meetings.
fn is_permitted(state: &State) -> bool {
    not_permitted(&state.shared).is_none()
}

/// The template's name, or "default".
fn template(series: &Series) -> &'static str {
    series.template.unwrap_or(Template::Default).name()
}

/// "Every Tuesday 18:00–19:30 (Sao Paulo)", as far as known.
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
    let there = || {
        let (name, first) = (series.recurrence_zone.as_deref()?, series.meeting_date?);
        let zone = jiff::tz::TimeZone::get(name).or_else(|_| jiff::tz::TimeZone::posix(name));
        let there = first.to_zoned(zone.ok()?).strftime("%H:%M");
        Some(format!(", {there} in {}", place(name)))
    };
    let there = there().unwrap_or_default();
    let time = time.map(|time| format!("{time} ({}){there}", place(&series.time_zone)));
    match (day, time) {
        (Some(day), Some(time)) => format!("Every {day} {time}"),
        (Some(day), None) => format!("Every {day}, no time set"),
        (None, Some(time)) => format!("{time}, no weekday set"),
        (None, None) => "No time set".to_owned(),
    }
}

/// "18:00"; seconds only if they are not zero.
fn clock(time: TimeOfDay) -> String {
    let text = time.to_string();
    without_seconds(&text).unwrap_or(&text).to_owned()
}
