//! The settings of a tape.

use std::ops::RangeInclusive;

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, Zoned};

use super::super::scan::Line;
use super::super::tape::{Action, Later, Place, TapeError};
use super::{Parser, nearest};
use crate::look::theme::SHIPPED;

/// The settings with an effect.
const SETTINGS: [&str; 8] = [
    "Account",
    "Clock",
    "Height",
    "Theme",
    "TypingSpeed",
    "WaitPattern",
    "WaitTimeout",
    "Width",
];
/// VHS's settings of the looks of a video.
const LOOKS: [&str; 15] = [
    "BorderRadius",
    "CursorBlink",
    "FontFamily",
    "FontSize",
    "Framerate",
    "LetterSpacing",
    "LineHeight",
    "LoopOffset",
    "Margin",
    "MarginFill",
    "Padding",
    "PlaybackSpeed",
    "Shell",
    "WindowBar",
    "WindowBarSize",
];
/// The environment variables that the app reads.
const VARIABLES: [&str; 4] = ["EDITOR", "NO_COLOR", "TZ", "VISUAL"];
/// The columns and rows of a terminal.
const COLUMNS: RangeInclusive<u16> = 20..=400;
const ROWS: RangeInclusive<u16> = 5..=200;

impl Parser {
    /// Reads a setting. One that changes the running app is a step.
    pub(super) fn set(&mut self, line: &mut Line) -> Result<Option<Action>, TapeError> {
        let place = line.place();
        let name = line.word();
        let at = line.place();
        match name {
            "Width" => {
                let columns = cells(line, "Width", "columns", COLUMNS)?;
                match self.has_begun {
                    true => return Ok(Some(Action::Resize(Some(columns), None))),
                    false => self.setup.size.0 = columns,
                }
            }
            "Height" => {
                let rows = cells(line, "Height", "rows", ROWS)?;
                match self.has_begun {
                    true => return Ok(Some(Action::Resize(None, Some(rows)))),
                    false => self.setup.size.1 = rows,
                }
            }
            "Clock" => {
                let text = line.text("the time")?;
                return self.clock(&at, &text);
            }
            "WaitTimeout" | "TypingSpeed" => {
                let given = line.duration()?;
                if name == "WaitTimeout" {
                    self.patience = given;
                }
            }
            "WaitPattern" => self.pattern = Some(line.some_pattern("Set WaitPattern")?),
            "Theme" => {
                self.before_the_first_step(&place, "Set Theme")?;
                let theme = line.text("the theme")?;
                self.setup.theme = Some(self.theme(&at, theme)?);
            }
            "Account" => {
                self.before_the_first_step(&place, "Set Account")?;
                self.setup.account = Some(line.text("the account")?);
            }
            name if LOOKS.contains(&name) => {
                line.text("the value")?;
            }
            name => {
                let known = SETTINGS.join(", ");
                let message = match nearest(name, SETTINGS.iter().chain(&LOOKS)) {
                    Some(near) => format!("there is no setting `{name}`; did you mean `{near}`?"),
                    None => format!(
                        "there is no setting `{name}`; there are {known}, and VHS's for the looks of a video, which have no effect"
                    ),
                };
                return Err(TapeError::at(&place, message));
            }
        }
        Ok(None)
    }

    fn before_the_first_step(&self, place: &Place, command: &str) -> Result<(), TapeError> {
        match self.has_begun {
            true => Err(TapeError::at(
                place,
                format!("`{command}` must come before the first step"),
            )),
            false => Ok(()),
        }
    }

    /// A theme of the app, or the path of a file.
    fn theme(&self, place: &Place, name: String) -> Result<String, TapeError> {
        let names = ["ansi"].into_iter().chain(SHIPPED.map(|(name, _)| name));
        if names.clone().any(|known| known == name) {
            return Ok(name);
        }
        let path = self.beside(&name);
        match path.is_file() {
            true => Ok(path.display().to_string()),
            false => {
                let names: Vec<_> = names.collect();
                let message = format!(
                    "there is no theme `{name}`; write {}, or the path of a TOML file",
                    names.join(", ")
                );
                Err(TapeError::at(place, message))
            }
        }
    }

    fn clock(&mut self, place: &Place, text: &str) -> Result<Option<Action>, TapeError> {
        if let Some(by) = text.strip_prefix('+') {
            let by = by
                .parse::<SignedDuration>()
                .ok()
                .filter(SignedDuration::is_positive);
            let by = by.ok_or_else(|| {
                TapeError::at(
                    place,
                    format!("`{text}` is not a duration; write it like +75s or +2h30m"),
                )
            })?;
            return Ok(Some(Action::Clock(Later::By(by))));
        }
        let time = time(text).ok_or_else(|| {
            TapeError::at(
                place,
                format!(
                    "`{text}` is not a time; write it like 2026-03-05T09:45-03:00[America/Sao_Paulo], \
                     2026-03-05T12:45Z, or +75s for that much later"
                ),
            )
        })?;
        match self.has_begun {
            true => Ok(Some(Action::Clock(Later::At(time.timestamp())))),
            false => {
                self.setup.clock = Some(time);
                Ok(None)
            }
        }
    }

    pub(super) fn variable(&mut self, line: &mut Line) -> Result<(), TapeError> {
        let place = line.place();
        self.before_the_first_step(&place, "Env")?;
        let name = line.text("the variable")?;
        if !VARIABLES.contains(&name.as_str()) {
            let message = format!(
                "the app does not read `{name}`; it reads {}",
                VARIABLES.join(", ")
            );
            return Err(TapeError::at(&place, message));
        }
        let at = line.place();
        let value = line.text("the value")?;
        if name == "TZ" && TimeZone::get(&value).is_err() {
            let message = format!("`{value}` is not a time zone; write it like America/Sao_Paulo");
            return Err(TapeError::at(&at, message));
        }
        self.setup.environment.insert(name, value);
        Ok(())
    }
}

fn cells(
    line: &mut Line,
    name: &str,
    unit: &str,
    range: RangeInclusive<u16>,
) -> Result<u16, TapeError> {
    let place = line.place();
    let text = line.word();
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| {
        let (least, most) = (range.start(), range.end());
        TapeError::at(
            &place,
            format!("`Set {name}` takes {least} to {most} {unit}, not `{text}`"),
        )
    })
}

/// A time with its zone; a time without one is in UTC.
fn time(text: &str) -> Option<Zoned> {
    if let Ok(time) = text.parse::<Zoned>() {
        return Some(time);
    }
    let Ok(time) = text.parse::<Timestamp>() else {
        let time: DateTime = text.parse().ok()?;
        return time.to_zoned(TimeZone::UTC).ok();
    };
    // The offset is the zone.
    let pieces = jiff::fmt::temporal::Pieces::parse(text).ok()?;
    let zone = pieces
        .to_numeric_offset()
        .map_or(TimeZone::UTC, TimeZone::fixed);
    Some(time.to_zoned(zone))
}
