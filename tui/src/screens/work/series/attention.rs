//! Marks in a list of series: no content, transcript text without an id, and likely duplicates of
//! an import.

use std::collections::HashMap;

use frontdesk_protocol::work::series::Series;
use jiff::Timestamp;
use jiff::civil::Time;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::look::locale::Locale;
use crate::look::text::{count, fold};
use crate::look::time::date;
use crate::records::record::Record;
use crate::records::view::NOTE;

/// The rank of a series without a mark.
pub(super) const FINE: u8 = 4;

/// The marks of a series.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Attention {
    occurrences: usize,
    /// Occurrences with transcript text but no transcript id; they prevent a removal.
    without_id: usize,
    /// No occurrence has text or an id: removing the series loses nothing.
    is_empty: bool,
    double: Option<Double>,
}

impl Attention {
    /// The marks of a series in a list.
    pub(super) fn of(series: &Record) -> Self {
        let number = |field: &str| series.number(field).unwrap_or_default() as usize;
        let with_text = number("occurrences_with_transcript");
        Attention {
            occurrences: number("occurrence_count"),
            without_id: number("occurrences_with_transcript_without_id"),
            is_empty: with_text + number("occurrences_with_transcript_id") == 0,
            double: Double::deserialize(series.get(NOTE)).ok(),
        }
    }

    /// The marks of a series without comparing it with others.
    pub(super) fn alone(series: &Series) -> Self {
        let carried = series.occurrences_with_transcript + series.occurrences_with_transcript_id;
        Attention {
            occurrences: series.occurrence_count as usize,
            without_id: series.occurrences_with_transcript_without_id as usize,
            is_empty: carried == 0,
            double: None,
        }
    }

    /// The urgency: lower is more urgent.
    pub(super) fn rank(&self) -> u8 {
        match (self.without_id > 0, self.double.is_some(), self.is_empty) {
            (true, ..) => 0,
            (_, true, true) => 1,
            (_, true, false) => 2,
            (_, false, true) => 3,
            _ => FINE,
        }
    }

    /// The marks as glyph and word, most urgent first.
    pub(super) fn marks(&self) -> String {
        let marks = [
            (self.without_id > 0, "! text without id"),
            (self.is_empty, "○ empty"),
            (self.double.is_some(), "≈ duplicate?"),
        ];
        let marks = marks.into_iter().filter(|(is_so, _)| *is_so);
        marks.map(|(_, mark)| mark).collect::<Vec<_>>().join(" ")
    }

    /// Whether there is a mark beyond "no content".
    pub(super) fn is_grave(&self) -> bool {
        self.without_id > 0 || self.double.is_some()
    }

    /// The first series of which this is a likely duplicate.
    pub(super) fn double_id(&self) -> Option<&str> {
        Some(&self.double.as_ref()?.id)
    }

    /// The marks explained in sentences.
    pub(super) fn reasons(&self, locale: &Locale) -> Vec<String> {
        let mut reasons = Vec::new();
        if self.without_id > 0 {
            let occurrences = count(self.without_id, "occurrence has", "occurrences have");
            reasons.push(format!(
                "! {occurrences} transcript text without an id, which blocks a removal."
            ));
        }
        if self.is_empty {
            reasons.push(match self.occurrences {
                0 => "○ No occurrences.".to_owned(),
                1 => "○ Its only occurrence has neither text nor an id.".to_owned(),
                all => format!("○ None of its {all} occurrences has text or an id."),
            });
        }
        if let Some(double) = &self.double {
            let created = date(double.created_at, locale);
            let others = match double.others {
                0 => String::new(),
                others => format!(" and {}", count(others, "other", "others")),
            };
            reasons.push(format!(
                "≈ Possible duplicate of “{}” of {created}{others}.",
                double.title.trim()
            ));
        }
        reasons
    }
}

/// The series of which another is a likely duplicate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Double {
    /// The first one's id.
    id: String,
    /// The first one's title.
    title: String,
    /// When the first one was created.
    created_at: Timestamp,
    /// The number of further duplicates.
    others: usize,
}

/// The likely duplicates among these series, by id.
pub(super) fn doubles_of(records: &[Record]) -> HashMap<String, Value> {
    let all: Vec<Series> = records.iter().filter_map(Record::decode).collect();
    let mut oldest: Vec<&Series> = all.iter().collect();
    oldest.sort_by_key(|series| (series.created_at, series.id));
    let doubles = oldest.iter().zip(doubles(&oldest));
    let doubles = doubles.filter_map(|(series, double)| Some((series.id.to_string(), double?)));
    let notes = doubles.filter_map(|(id, double)| Some((id, serde_json::to_value(double).ok()?)));
    notes.collect()
}

/// The likely duplicates: the same title (ignoring case, accents, spaces, and an addition in
/// brackets such as imports make) at the same time of the same weekday, as far as both are known.
fn doubles(all: &[&Series]) -> Vec<Option<Double>> {
    let mut by_title: HashMap<String, HashMap<Class, Vec<usize>>> = HashMap::new();
    for (at, series) in all.iter().enumerate() {
        let title = title(series);
        let group = by_title.entry(base(&title).to_owned()).or_default();
        let class = (title, schedule(series));
        group.entry(class).or_default().push(at);
    }
    let mut doubles = vec![None; all.len()];
    for (base, classes) in &by_title {
        // Series with the same title fall into few classes, so only classes are compared.
        for (class, members) in classes {
            let like = classes
                .iter()
                .filter(|(other, _)| is_like(class, other, base));
            let like: Vec<&[usize]> = like.map(|(_, others)| others.as_slice()).collect();
            let others = like.iter().map(|others| others.len()).sum::<usize>();
            for at in members {
                let firsts = like.iter().flat_map(|others| others.iter().take(2));
                let first = firsts.filter(|other| *other != at).min();
                doubles[*at] = first.map(|first| Double {
                    id: all[*first].id.to_string(),
                    title: all[*first].title.clone(),
                    created_at: all[*first].created_at,
                    others: others - 2,
                });
            }
        }
    }
    doubles
}

/// The basis of comparison: the title and, if known, the schedule.
type Class<'a> = (String, Schedule<'a>);
/// Start time and weekday.
type Schedule<'a> = (Option<Time>, Option<&'a str>);

fn schedule(series: &Series) -> Schedule<'_> {
    (
        series.recurrence_start_time.map(|time| time.get()),
        series.recurrence_day_of_week.as_deref(),
    )
}

/// Whether two series of a group are likely duplicates. Two different additions distinguish them.
fn is_like(one: &Class, other: &Class, base: &str) -> bool {
    let ((title, (time, day)), (other_title, (other_time, other_day))) = (one, other);
    let is_same_title = title == other_title || title == base || other_title == base;
    let is_same_time = time.is_none() || other_time.is_none() || time == other_time;
    let is_same_day = day.is_none() || other_day.is_none() || day == other_day;
    is_same_title && is_same_time && is_same_day
}

/// The title without case, accents and superfluous spaces.
fn title(series: &Series) -> String {
    let words = fold(&series.title);
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The title without a final addition in brackets.
fn base(title: &str) -> &str {
    let open = match title.chars().last() {
        Some(')') => title.rfind('('),
        Some(']') => title.rfind('['),
        _ => None,
    };
    match open.map(|at| title[..at].trim_end()) {
        None | Some("") => title,
        Some(base) => base,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{all_series, series, weekly};

    fn of(all: &[Series]) -> Vec<Option<Double>> {
        doubles(&all.iter().collect::<Vec<_>>())
    }

    /// The number of duplicates of each.
    fn numbers(all: &[Series]) -> Vec<usize> {
        let number = |double: Option<Double>| double.map_or(0, |double| double.others + 1);
        of(all).into_iter().map(number).collect()
    }

    fn at(number: u128, title: &str, day: &str, start: &str) -> Series {
        weekly(series(number, title, "2025-01-01"), day, start, "23:00")
    }

    #[test]
    fn the_same_title_at_the_same_time_is_a_double() {
        let all = [
            at(1, "Café  com Líderes", "monday", "18:00"),
            at(2, "cafe com lideres ", "monday", "18:00"),
            at(3, "Café com Líderes", "monday", "20:00"),
            at(4, "Café com Líderes", "friday", "18:00"),
            at(5, "Café com todos", "monday", "18:00"),
        ];
        assert_eq!(numbers(&all), [1, 1, 0, 0, 0]);
    }

    #[test]
    fn an_addition_in_brackets_makes_no_other_title_but_two_additions_do() {
        let all = [
            at(1, "Retro (importada)", "monday", "18:00"),
            at(2, "Retro", "monday", "18:00"),
            at(3, "Retro [2]", "monday", "18:00"),
            at(4, "Team (a)", "monday", "18:00"),
            at(5, "Team (b)", "monday", "18:00"),
            at(6, "(a)", "monday", "18:00"),
            at(7, "(b)", "monday", "18:00"),
        ];
        assert_eq!(numbers(&all), [1, 2, 1, 0, 0, 0, 0]);
        let first = of(&all)[0].clone().expect("is a double");
        assert_eq!((first.title.as_str(), first.others), ("Retro", 0));
    }

    #[test]
    fn a_time_that_is_not_known_rules_nothing_out() {
        let all = [
            at(1, "Retro", "monday", "18:00"),
            at(2, "Retro", "friday", "18:00"),
            series(3, "Retro", "2025-01-01"),
        ];
        assert_eq!(numbers(&all), [1, 1, 2]);
        assert_eq!(numbers(&[]), Vec::<usize>::new());
    }

    #[test]
    fn marks_say_what_they_mean() {
        let all = all_series();
        let records = all.iter().map(serde_json::to_value);
        let records = records.map(|value| Record::new(&value.expect("is JSON")));
        let records: Vec<Record> = records.map(|record| record.expect("has an id")).collect();
        let notes = doubles_of(&records);
        let of = |record: &Record| {
            let note = notes.get(record.id()).cloned().unwrap_or_default();
            Attention::of(&record.noted(NOTE, note))
        };
        let marks: Vec<String> = records.iter().map(|record| of(record).marks()).collect();
        assert_eq!(
            marks,
            [
                "≈ duplicate?",
                "○ empty ≈ duplicate?",
                "! text without id",
                "○ empty",
                "",
            ]
        );
        let reasons = |at: usize| of(&records[at]).reasons(&jiff::tz::TimeZone::UTC.into());
        assert_eq!(
            reasons(1),
            [
                "○ None of its 2 occurrences has text or an id.",
                "≈ Possible duplicate of “Weekly leaders” of 1 Oct 2024.",
            ]
        );
        assert_eq!(
            reasons(2),
            ["! 1 occurrence has transcript text without an id, which blocks a removal."]
        );
    }
}
