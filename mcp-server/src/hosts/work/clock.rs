//! The clocks of series: which moment a day and a time are.

use jiff::Timestamp;
use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;

/// The moment of a day and time in this zone. If a clock change skips it, it is that much later; if it occurs twice, the
/// first is used.
pub(super) fn moment(day: Date, time: Time, zone: &TimeZone) -> Option<Timestamp> {
    let there = day.to_datetime(time).to_zoned(zone.clone());
    there.ok().map(|there| there.timestamp())
}

/// The zone of this name, or of these rules (POSIX) if a calendar defines its own.
pub(super) fn zone_of(name: &str) -> Option<TimeZone> {
    TimeZone::get(name).or_else(|_| TimeZone::posix(name)).ok()
}

/// The clock of a series: its zone, its time of the day there, and the organisation's zone.
#[derive(Debug, Clone)]
pub(super) struct Clock {
    pub(super) zone: TimeZone,
    pub(super) time: Time,
    pub(super) own: TimeZone,
}

impl Clock {
    /// Its moment on a day of its zone.
    pub(super) fn moment(&self, day: Date) -> Option<Timestamp> {
        moment(day, self.time, &self.zone)
    }

    /// The day in the organisation's zone.
    pub(super) fn here(&self, day: Date) -> Option<Date> {
        let moment = self.moment(day)?;
        Some(moment.to_zoned(self.own.clone()).date())
    }

    /// The day in its zone of a day in the organisation's. Zones are up to 26 hours apart.
    pub(super) fn there(&self, day: Date) -> Option<Date> {
        let days = (-2_i64..=2).map(|by| day.saturating_add(jiff::Span::new().days(by)));
        days.rev().find(|there| self.here(*there) == Some(day))
    }
}
