//! The filters of the list of series, and the panel in which they are filled in.

use frontdesk_protocol::value::Line;
use frontdesk_protocol::work::series::Series;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

use crate::ui::fields::{Field, Fields};
use crate::ui::text::fold;

/// Years before this are a slip: a year of two digits.
const FIRST_YEAR: i16 = 1000;

/// What the listed series have in common, beside a part of their title.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Filters {
    /// Made on this day or later.
    pub(super) from: Option<Day>,
    /// Made on this day or earlier.
    pub(super) to: Option<Day>,
    /// Part of the calendar id.
    pub(super) calendar: Option<Line>,
}

impl Filters {
    /// Whether all series are listed.
    pub(super) fn is_empty(&self) -> bool {
        *self == Filters::default()
    }

    /// Whether the series is like that.
    pub(super) fn fit(&self, series: &Series) -> bool {
        let is_later = self.from.is_none_or(|day| series.created_at > day.after);
        let is_earlier = self.to.is_none_or(|day| series.created_at < day.before);
        let calendar = series.transcriber_calendar_id.as_deref();
        let is_calendar = self.calendar.as_ref().is_none_or(|part| {
            calendar.is_some_and(|calendar| fold(calendar).contains(&fold(part.as_str())))
        });
        is_later && is_earlier && is_calendar
    }

    /// Each filter in a few words.
    pub(super) fn chips(&self) -> Vec<String> {
        let mut chips = Vec::new();
        if let Some(calendar) = &self.calendar {
            chips.push(format!("calendar “{}”", calendar.as_str()));
        }
        match (self.from, self.to) {
            (Some(from), Some(to)) => {
                chips.push(format!("created {} to {}", from.date, to.date));
            }
            (Some(from), None) => chips.push(format!("created from {}", from.date)),
            (None, Some(to)) => chips.push(format!("created to {}", to.date)),
            (None, None) => {}
        }
        chips
    }
}

/// A day where the person is, as the host is asked for it: all of the day counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Day {
    date: Date,
    /// The last moment before it.
    pub(super) after: Timestamp,
    /// The first moment after it.
    pub(super) before: Timestamp,
}

impl Day {
    /// The day of this text.
    fn parse(text: &str, zone: &TimeZone) -> Result<Day, String> {
        let date = Date::strptime("%Y-%m-%d", text)
            .ok()
            .filter(|date| date.year() >= FIRST_YEAR)
            .ok_or("write the day like 2025-03-12")?;
        let start = |date: Date| date.to_zoned(zone.clone()).map(|start| start.timestamp());
        let bounds = start(date)
            .and_then(|first| first.checked_sub(1.microsecond()))
            .and_then(|after| Ok((after, start(date.tomorrow()?)?)));
        let (after, before) = bounds.map_err(|_| "is too far away")?;
        Ok(Day {
            date,
            after,
            before,
        })
    }
}

/// The panel with these filters and this part of the title filled in.
pub(super) fn fields(filters: &Filters, title: &str) -> Fields {
    let day = |day: Option<Day>| day.map_or_else(String::new, |day| day.date.to_string());
    let calendar = filters.calendar.as_ref().map_or("", Line::as_str);
    Fields::new(vec![
        Field::new("title", "Title contains", title),
        Field::new("calendar", "Calendar contains", calendar),
        Field::new("from", "Created on or after", &day(filters.from)),
        Field::new("to", "Created on or before", &day(filters.to)),
    ])
}

/// The filters that are filled in and the part of the title; or none, with what is wrong marked at
/// its field.
pub(super) fn filled(fields: &mut Fields, zone: &TimeZone) -> Option<(Filters, String)> {
    fields.forget_errors();
    let mut part = |key: &str| match fields.text(key) {
        text if text.is_empty() => Some(None),
        text => fields.note(key, Line::new(text)).map(Some),
    };
    let (title, calendar) = (part("title"), part("calendar"));
    let mut day = |key: &str| match fields.text(key) {
        text if text.is_empty() => Some(None),
        text => fields.note(key, Day::parse(&text, zone)).map(Some),
    };
    let (from, to) = (day("from"), day("to"));
    if let (Some(Some(from)), Some(Some(to))) = (from, to)
        && to.date < from.date
    {
        fields.mark("to", &format!("must not be before {}", from.date));
        return None;
    }
    let filters = Filters {
        from: from?,
        to: to?,
        calendar: calendar?,
    };
    let title = title?.map_or_else(String::new, |title| title.as_str().to_owned());
    Some((filters, title))
}

#[cfg(test)]
mod tests {
    use jiff::tz::offset;

    use super::*;

    #[test]
    fn a_day_counts_from_its_first_to_its_last_moment() {
        let zone = TimeZone::fixed(offset(-3));
        let day = Day::parse("2025-03-12", &zone).expect("is a day");
        let first: Timestamp = "2025-03-12T03:00:00Z".parse().expect("is a time");
        assert!(day.after < first && first - 1.microsecond() == day.after);
        assert_eq!(day.before, first + 24.hours());
    }

    #[test]
    fn what_is_no_day_is_told_how_to_write_one() {
        for text in [
            "12.03.2025",
            "2025-13-01",
            "2025-02-29",
            "25-03-12",
            "soon",
            "2025-03",
        ] {
            let wrong = Day::parse(text, &TimeZone::UTC).expect_err(text);
            assert_eq!(wrong, "write the day like 2025-03-12");
        }
        assert_eq!(
            Day::parse("9999-12-31", &TimeZone::UTC).expect_err("has no next day"),
            "is too far away"
        );
    }

    #[test]
    fn what_is_filled_in_is_shown_again() {
        let mut panel = fields(&Filters::default(), "stand-up");
        panel.focus(1);
        panel.paste("aurora");
        panel.focus(1);
        panel.paste("2025-01-01");
        let (filters, title) = filled(&mut panel, &TimeZone::UTC).expect("is fine");
        assert_eq!(title, "stand-up");
        assert_eq!(
            filters.chips(),
            ["calendar “aurora”", "created from 2025-01-01"]
        );
        let mut again = fields(&filters, &title);
        assert_eq!(filled(&mut again, &TimeZone::UTC), Some((filters, title)));
        panel.focus(1);
        panel.paste("2024-12-31");
        assert_eq!(filled(&mut panel, &TimeZone::UTC), None);
    }
}
