//! Series of meetings: two that a calendar import has doubled, one of each kind that needs attention,
//! and one that is fine.

use frontdesk_protocol::id::{MeetingId, OccurrenceId};
use frontdesk_protocol::value::TimeOfDay;
use frontdesk_protocol::work::meeting::Template;
use frontdesk_protocol::work::occurrence::Occurrence;
use frontdesk_protocol::work::series::{ListMeetingSeries, Series};
use jiff::ToSpan;
use jiff::civil::{Date, date};
use uuid::Uuid;

use crate::look::text::fold;

/// The id of the series of this number.
pub(crate) fn series_id(number: u128) -> MeetingId {
    MeetingId(Uuid::from_u128(0x5e_0000 + number))
}

/// A series without occurrences, made on this day.
pub(crate) fn series(number: u128, title: &str, created: &str) -> Series {
    Series {
        id: series_id(number),
        title: title.to_owned(),
        template: None,
        transcriber_calendar_id: Some(format!("cal-{number:03}@aurora.example")),
        meeting_date: None,
        created_at: format!("{created}T12:00:00Z")
            .parse()
            .expect("is a timestamp"),
        recurrence_start_time: None,
        recurrence_end_time: None,
        recurrence_day_of_week: None,
        recurrence_rule: None,
        recurrence_zone: None,
        time_zone: "America/Sao_Paulo".to_owned(),
        occurrence_count: 0,
        occurrences_with_transcript: 0,
        occurrences_with_transcript_id: 0,
        occurrences_with_transcript_without_id: 0,
        occurrences: Some(Vec::new()),
    }
}

/// The same series at this time of the week.
pub(crate) fn weekly(mut series: Series, day: &str, start: &str, end: &str) -> Series {
    let time = |text| TimeOfDay::new(text).expect("is a time of day");
    series.recurrence_day_of_week = Some(day.to_owned());
    series.recurrence_start_time = Some(time(start));
    series.recurrence_end_time = Some(time(end));
    series
}

/// The same series with one more occurrence.
pub(crate) fn with(
    mut series: Series,
    day: Date,
    status: &str,
    has_transcript: bool,
    transcript_id: Option<&str>,
) -> Series {
    let occurrences = series.occurrences.get_or_insert_default();
    let number = series.id.0.as_u128() * 1000 + occurrences.len() as u128;
    occurrences.push(Occurrence {
        id: OccurrenceId(Uuid::from_u128(number)),
        occurrence_date: day,
        status: status.to_owned(),
        has_transcript,
        transcriber_transcript_id: transcript_id.map(str::to_owned),
    });
    series.occurrence_count += 1;
    series.occurrences_with_transcript += u32::from(has_transcript);
    series.occurrences_with_transcript_id += u32::from(transcript_id.is_some());
    series.occurrences_with_transcript_without_id +=
        u32::from(has_transcript && transcript_id.is_none());
    series
}

/// Five series: of 60 weeks, its empty double, one with text that has no id, one without
/// occurrences, and one that is fine.
pub(crate) fn all_series() -> Vec<Series> {
    let mut leaders = weekly(
        series(1, "Weekly leaders", "2024-10-01"),
        "tuesday",
        "18:00",
        "19:30",
    );
    leaders.template = Some(Template::WeeklyLeaders);
    for week in 0..60 {
        let day = date(2024, 10, 1).saturating_add((week * 7).days());
        let id = format!("tr-{week:04}");
        leaders = match week % 5 {
            0 => with(leaders, day, "scheduled", false, None),
            1 => with(leaders, day, "held", false, Some(&id)),
            _ => with(leaders, day, "held", true, Some(&id)),
        };
    }
    let double = weekly(
        series(2, "weekly LEADERS ", "2025-11-03"),
        "tuesday",
        "18:00",
        "19:30",
    );
    let double = with(double, date(2025, 11, 4), "scheduled", false, None);
    let double = with(double, date(2025, 11, 11), "scheduled", false, None);
    let retro = weekly(
        series(3, "Retrô do programa", "2025-01-15"),
        "friday",
        "16:00",
        "17:00",
    );
    let retro = with(retro, date(2025, 1, 17), "held", true, None);
    let retro = with(retro, date(2025, 1, 31), "held", true, Some("tr-retro"));
    let empty = series(4, "Mentoring circle", "2025-02-01");
    let mut fine = weekly(
        series(5, "Partners", "2025-03-01"),
        "monday",
        "23:00",
        "00:30",
    );
    fine.transcriber_calendar_id = None;
    let fine = with(fine, date(2025, 3, 3), "held", true, Some("tr-partners"));
    vec![leaders, double, retro, empty, fine]
}

/// The series that a list finds.
pub(crate) fn found(all: &[Series], arguments: &ListMeetingSeries) -> Vec<Series> {
    let contains = |text: Option<&str>, part: Option<&str>| {
        part.is_none_or(|part| text.is_some_and(|text| fold(text).contains(&fold(part))))
    };
    let mut found: Vec<Series> = all
        .iter()
        .filter(|series| {
            arguments
                .created_after
                .is_none_or(|after| series.created_at > after)
                && arguments
                    .created_before
                    .is_none_or(|before| series.created_at < before)
                && contains(
                    Some(&series.title),
                    arguments.title_contains.as_ref().map(|part| part.as_str()),
                )
                && contains(
                    series.transcriber_calendar_id.as_deref(),
                    arguments
                        .transcriber_calendar_id_contains
                        .as_ref()
                        .map(|part| part.as_str()),
                )
        })
        .cloned()
        .collect();
    found.sort_by_key(|series| (series.created_at, series.id));
    if !arguments.include_occurrences.0 {
        for series in &mut found {
            series.occurrences = None;
        }
    }
    found
}
