//! What needs attention in a list of series: those that carry nothing, those whose transcript
//! text has no id, and those that an import has probably doubled.

use std::collections::HashMap;

use frontdesk_protocol::work::series::Series;
use jiff::Timestamp;
use jiff::civil::Time;
use jiff::tz::TimeZone;

use crate::ui::text::{count, fold};
use crate::ui::time::date;

/// Whether no occurrence carries text or an id: nothing would be lost with it.
pub(super) fn is_empty(series: &Series) -> bool {
    series.occurrences_with_transcript == 0 && series.occurrences_with_transcript_id == 0
}

/// Whether an occurrence has transcript text and no transcript id, which is in the way of a removal.
pub(super) fn is_without_id(series: &Series) -> bool {
    series.occurrences_with_transcript_without_id > 0
}

/// The rank of a series that needs no attention.
pub(super) const FINE: u8 = 4;

/// How much attention a series needs: the lower, the more.
pub(super) fn rank(series: &Series, double: Option<&Double>) -> u8 {
    match (is_without_id(series), double.is_some(), is_empty(series)) {
        (true, ..) => 0,
        (_, true, true) => 1,
        (_, true, false) => 2,
        (_, false, true) => 3,
        _ => FINE,
    }
}

/// The marks of a series, glyph and word, the gravest first.
pub(super) fn marks(series: &Series, double: Option<&Double>) -> String {
    let mut marks = Vec::new();
    if is_without_id(series) {
        marks.push("! text without id");
    }
    if is_empty(series) {
        marks.push("○ empty");
    }
    if double.is_some() {
        marks.push("≈ duplicate?");
    }
    marks.join(" ")
}

/// The same in sentences, with what it means.
pub(super) fn reasons(series: &Series, double: Option<&Double>, zone: &TimeZone) -> Vec<String> {
    let mut reasons = Vec::new();
    let without = series.occurrences_with_transcript_without_id as usize;
    if without > 0 {
        let occurrences = count(without, "occurrence has", "occurrences have");
        reasons.push(format!(
            "! {occurrences} transcript text without an id: in the way of a removal."
        ));
    }
    if is_empty(series) {
        reasons.push(match series.occurrence_count {
            0 => "○ It has no occurrences.".to_owned(),
            1 => "○ Its one occurrence carries neither text nor an id.".to_owned(),
            all => format!("○ None of its {all} occurrences carries text or an id."),
        });
    }
    if let Some(double) = double {
        let created = date(double.created_at, zone);
        let others = match double.others {
            0 => String::new(),
            others => format!(" and {}", count(others, "other", "others")),
        };
        reasons.push(format!(
            "≈ Perhaps the same as “{}” of {created}{others}.",
            double.title.trim()
        ));
    }
    reasons
}

/// What a series is probably a double of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Double {
    /// The title of the first one.
    title: String,
    /// When that one was made.
    created_at: Timestamp,
    /// How many there are beside it.
    others: usize,
}

/// What each series is probably a double of: the same title, whatever its case, accents and spaces
/// and an addition in brackets such as an import makes, at the same time of the same day of the week
/// as far as both are known.
pub(super) fn doubles(all: &[&Series]) -> Vec<Option<Double>> {
    let mut by_title: HashMap<String, HashMap<Class, Vec<usize>>> = HashMap::new();
    for (at, series) in all.iter().enumerate() {
        let title = title(series);
        let group = by_title.entry(base(&title).to_owned()).or_default();
        let class = (title, schedule(series));
        group.entry(class).or_default().push(at);
    }
    let mut doubles = vec![None; all.len()];
    for (base, classes) in &by_title {
        // Series of one title fall into few classes: compare those, not each with each.
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
                    title: all[*first].title.clone(),
                    created_at: all[*first].created_at,
                    others: others - 2,
                });
            }
        }
    }
    doubles
}

/// What makes series alike: the title, and when they meet, as far as it is known.
type Class<'a> = (String, Schedule<'a>);
/// From, and on which day of the week.
type Schedule<'a> = (Option<Time>, Option<&'a str>);

fn schedule(series: &Series) -> Schedule<'_> {
    (
        series.recurrence_start_time.map(|time| time.get()),
        series.recurrence_day_of_week.as_deref(),
    )
}

/// Whether two of a group are probably one. Two with different additions are not: these tell them
/// apart.
fn is_like(one: &Class, other: &Class, base: &str) -> bool {
    let ((title, (time, day)), (other_title, (other_time, other_day))) = (one, other);
    let is_same_title = title == other_title || title == base || other_title == base;
    let is_same_time = time.is_none() || other_time.is_none() || time == other_time;
    let is_same_day = day.is_none() || other_day.is_none() || day == other_day;
    is_same_title && is_same_time && is_same_day
}

/// The title without case, accents and needless spaces.
fn title(series: &Series) -> String {
    let words = fold(&series.title);
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A title without what stands in brackets at its end.
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

    /// How many each is a double of.
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
        let doubles = of(&all);
        let marks: Vec<String> = all
            .iter()
            .zip(&doubles)
            .map(|(series, double)| marks(series, double.as_ref()))
            .collect();
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
        let reasons = |at: usize| reasons(&all[at], doubles[at].as_ref(), &TimeZone::UTC);
        assert_eq!(
            reasons(1),
            [
                "○ None of its 2 occurrences carries text or an id.",
                "≈ Perhaps the same as “Weekly leaders” of 1 Oct 2024.",
            ]
        );
        assert_eq!(
            reasons(2),
            ["! 1 occurrence has transcript text without an id: in the way of a removal."]
        );
    }
}
