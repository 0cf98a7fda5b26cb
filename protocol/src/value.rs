//! Argument types with bounds: the type defines the schema, the check and the error message of a
//! rejected value.

use std::borrow::Cow;
use std::fmt;

use jiff::Timestamp;
use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use unicode_width::UnicodeWidthChar;

use crate::reference::AMOUNT;

/// A field of an update that cannot be cleared: omitted keeps it, a value sets it, null is an error.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Change<T> {
    /// The argument was omitted: the field is unchanged.
    #[default]
    Keep,
    /// The field takes this value.
    To(T),
}

/// A field of an update that can be cleared: omitted keeps it, null clears it, a value sets it.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Patch<T> {
    /// The argument was omitted: the field is unchanged.
    #[default]
    Keep,
    /// The argument was null: the field becomes empty.
    Clear,
    /// The field takes this value.
    To(T),
}

impl<T> Change<T> {
    /// Whether the argument was omitted.
    pub fn is_keep(&self) -> bool {
        matches!(self, Change::Keep)
    }
}

impl<T> Patch<T> {
    /// Whether the argument was omitted.
    pub fn is_keep(&self) -> bool {
        matches!(self, Patch::Keep)
    }
}

impl<T: Serialize> Serialize for Change<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Change::Keep => serializer.serialize_none(),
            Change::To(value) => value.serialize(serializer),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Change<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Change::To)
    }
}

impl<T: JsonSchema> JsonSchema for Change<T> {
    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

impl<T: Serialize> Serialize for Patch<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Patch::Keep | Patch::Clear => serializer.serialize_none(),
            Patch::To(value) => value.serialize(serializer),
        }
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Patch<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Option::<T>::deserialize(deserializer)? {
            Some(value) => Patch::To(value),
            None => Patch::Clear,
        })
    }
}

/// Marks a property that accepts null. The `schema` module removes the mark.
pub(crate) const CLEARABLE: &str = "x-clearable";

impl<T: JsonSchema> JsonSchema for Patch<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("Patch{}", T::schema_name()).into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = Option::<T>::json_schema(generator);
        schema.insert(CLEARABLE.to_owned(), true.into());
        schema
    }
}

/// The page size: 1 to `MAX` records, default `DEFAULT`. A larger value is an error and is never
/// reduced silently (specification, section 8).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit<const DEFAULT: u32 = 50, const MAX: u32 = 100>(u32);

impl<const DEFAULT: u32, const MAX: u32> Limit<DEFAULT, MAX> {
    /// The maximum.
    pub const MAX: u32 = MAX;

    /// `None` outside 1 to `MAX`.
    pub fn new(limit: u32) -> Option<Self> {
        (1..=MAX).contains(&limit).then_some(Limit(limit))
    }

    /// The number of records.
    pub fn get(self) -> u32 {
        self.0
    }
}

impl<const DEFAULT: u32, const MAX: u32> From<Limit<DEFAULT, MAX>> for i64 {
    fn from(limit: Limit<DEFAULT, MAX>) -> i64 {
        limit.0.into()
    }
}

impl<const DEFAULT: u32, const MAX: u32> Default for Limit<DEFAULT, MAX> {
    fn default() -> Self {
        Limit(DEFAULT)
    }
}

impl<const DEFAULT: u32, const MAX: u32> Serialize for Limit<DEFAULT, MAX> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// Reads a JSON number without a fraction: 50 and 50.0 are the same number.
fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let number = Option::<f64>::deserialize(deserializer)?;
    match number {
        Some(number) if number.fract() != 0.0 => Err(D::Error::custom("must be a whole number")),
        number => Ok(number),
    }
}

impl<'de, const DEFAULT: u32, const MAX: u32> Deserialize<'de> for Limit<DEFAULT, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match whole(deserializer)? {
            None => Ok(Self::default()),
            Some(number) if number >= 1.0 && number <= f64::from(MAX) => Ok(Limit(number as u32)),
            Some(number) => Err(D::Error::custom(format_args!(
                "must be from 1 to {MAX}, not {number}"
            ))),
        }
    }
}

impl<const DEFAULT: u32, const MAX: u32> JsonSchema for Limit<DEFAULT, MAX> {
    fn schema_name() -> Cow<'static, str> {
        "Limit".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": 1, "maximum": MAX, "default": DEFAULT })
    }
}

/// The number of records to skip, from 0. More than any list can have skips all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(transparent)]
pub struct Offset(u32);

impl Offset {
    /// Skips `offset` records.
    pub fn new(offset: u32) -> Self {
        Offset(offset)
    }

    /// The number of records.
    pub fn get(self) -> u32 {
        self.0
    }
}

impl From<Offset> for i64 {
    fn from(offset: Offset) -> i64 {
        offset.0.into()
    }
}

impl<'de> Deserialize<'de> for Offset {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match whole(deserializer)? {
            None => Ok(Offset(0)),
            // The conversion ends at `u32::MAX`.
            Some(number) if number >= 0.0 => Ok(Offset(number as u32)),
            Some(number) => Err(D::Error::custom(format_args!(
                "must be 0 or more, not {number}"
            ))),
        }
    }
}

impl JsonSchema for Offset {
    fn schema_name() -> Cow<'static, str> {
        "Offset".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": 0, "default": 0 })
    }
}

/// Text of `MIN` to `MAX` characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Text<const MIN: usize, const MAX: usize>(String);

/// A name or title: 1 to 200 characters, at least one of them visible.
pub type Name = Text<1, 200>;
/// A short text on one line, at most 500 characters; may be empty.
pub type Line = Text<0, 500>;
/// A long text, at most 20,000 characters; may be empty.
pub type Prose = Text<0, 20_000>;

impl<const MIN: usize, const MAX: usize> Text<MIN, MAX> {
    /// Checks the length; the error is a message.
    pub fn new(text: impl Into<String>) -> Result<Self, String> {
        let text = text.into();
        if MIN > 0 && !text.chars().any(is_visible) {
            return Err("must not be empty".to_owned());
        }
        let length = text.chars().count();
        if length < MIN || length > MAX {
            return Err(format!("must have at most {MAX} characters, not {length}"));
        }
        Ok(Text(text))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether the character is visible: not a space, a control character or a character of width zero.
fn is_visible(c: char) -> bool {
    !c.is_whitespace() && c.width().is_some_and(|width| width > 0)
}

impl<const MIN: usize, const MAX: usize> fmt::Display for Text<MIN, MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de, const MIN: usize, const MAX: usize> Deserialize<'de> for Text<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Text::new(String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl<const MIN: usize, const MAX: usize> JsonSchema for Text<MIN, MAX> {
    fn schema_name() -> Cow<'static, str> {
        "Text".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let mut schema = json_schema!({ "type": "string", "maxLength": MAX });
        if MIN > 0 {
            schema.insert("minLength".to_owned(), MIN.into());
        }
        schema
    }
}

/// A timestamp that can be absent.
pub trait Dated {
    /// The year in UTC, if there is a timestamp.
    fn year(&self) -> Option<i16>;
}

impl Dated for Timestamp {
    fn year(&self) -> Option<i16> {
        Some(TimeZone::UTC.to_datetime(*self).year())
    }
}

impl<T: Dated> Dated for Option<T> {
    fn year(&self) -> Option<i16> {
        self.as_ref().and_then(T::year)
    }
}

impl<T: Dated> Dated for Change<T> {
    fn year(&self) -> Option<i16> {
        match self {
            Change::To(date) => date.year(),
            Change::Keep => None,
        }
    }
}

impl<T: Dated> Dated for Patch<T> {
    fn year(&self) -> Option<i16> {
        match self {
            Patch::To(date) => date.year(),
            Patch::Keep | Patch::Clear => None,
        }
    }
}

/// Reads a date in the years 1 to 9999. PostgreSQL accepts earlier dates, but writes them in a
/// format that clients cannot read.
///
/// # Errors
/// For an invalid date or a year before 1.
pub(crate) fn our_era<'de, D: Deserializer<'de>, T: Deserialize<'de> + Dated>(
    deserializer: D,
) -> Result<T, D::Error> {
    let date = T::deserialize(deserializer)?;
    match date.year() {
        Some(..=0) => Err(D::Error::custom("must not be before the year 1")),
        _ => Ok(date),
    }
}

/// A time of day on a 24-hour clock: reads `HH:MM` or `HH:MM:SS`, writes seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TimeOfDay(Time);

impl TimeOfDay {
    /// Parses `HH:MM` or `HH:MM:SS`; the error is a message.
    pub fn new(text: &str) -> Result<Self, &'static str> {
        let is_clock = matches!(text.len(), 5 | 8)
            && text.bytes().enumerate().all(|(at, byte)| match at % 3 {
                2 => byte == b':',
                _ => byte.is_ascii_digit(),
            });
        let time = if is_clock { text.parse().ok() } else { None };
        // The parser reads a leap second as the second before it: reject it.
        match time {
            Some(time) if !text.ends_with(":60") => Ok(TimeOfDay(time)),
            _ => Err("must be a time of day from 00:00 to 23:59:59, such as 09:30"),
        }
    }

    /// The time of day.
    pub fn get(self) -> Time {
        self.0
    }
}

impl fmt::Display for TimeOfDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.strftime("%H:%M:%S"))
    }
}

impl Serialize for TimeOfDay {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TimeOfDay {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        TimeOfDay::new(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl JsonSchema for TimeOfDay {
    fn schema_name() -> Cow<'static, str> {
        "TimeOfDay".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": r"^([01][0-9]|2[0-3])(:[0-5][0-9]){1,2}$",
        })
    }
}

/// A number from `MIN` to `MAX`, inclusive.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Within<const MIN: i64, const MAX: i64>(f64);

/// Degrees north of the equator.
pub type Latitude = Within<-90, 90>;
/// Degrees east of Greenwich.
pub type Longitude = Within<-180, 180>;
/// A position in a display order; lower comes first.
pub type Position = Within<-1_000_000_000, 1_000_000_000>;

impl<const MIN: i64, const MAX: i64> Within<MIN, MAX> {
    /// `None` outside the bounds.
    pub fn new(number: f64) -> Option<Self> {
        (MIN as f64..=MAX as f64)
            .contains(&number)
            .then_some(Within(number))
    }

    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl<'de, const MIN: i64, const MAX: i64> Deserialize<'de> for Within<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        Within::new(number).ok_or_else(|| {
            D::Error::custom(format_args!("must be from {MIN} to {MAX}, not {number}"))
        })
    }
}

impl<const MIN: i64, const MAX: i64> JsonSchema for Within<MIN, MAX> {
    fn schema_name() -> Cow<'static, str> {
        "Within".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "minimum": MIN, "maximum": MAX })
    }
}

/// A count or a position that is never negative.
pub type Natural = Within<0, 1_000_000_000>;

/// A whole number from `MIN` to `MAX`, inclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Whole<const MIN: i64, const MAX: i64>(i64);

impl<const MIN: i64, const MAX: i64> Whole<MIN, MAX> {
    /// `None` outside the bounds.
    pub fn new(number: i64) -> Option<Self> {
        (MIN..=MAX).contains(&number).then_some(Whole(number))
    }
}

/// A year of the calendar.
pub type Year = Whole<1900, 9999>;

impl<'de, const MIN: i64, const MAX: i64> Deserialize<'de> for Whole<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        if number.fract() != 0.0 {
            return Err(D::Error::custom(format_args!(
                "must be a whole number, not {number}"
            )));
        }
        let Within(number) = Within::<MIN, MAX>::new(number).ok_or_else(|| {
            D::Error::custom(format_args!("must be from {MIN} to {MAX}, not {number}"))
        })?;
        Ok(Whole(number as i64))
    }
}

impl<const MIN: i64, const MAX: i64> JsonSchema for Whole<MIN, MAX> {
    fn schema_name() -> Cow<'static, str> {
        "Whole".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": MIN, "maximum": MAX })
    }
}

/// An amount of money in the organisation's currency: from 0 to 999,999,999,999 with at most two
/// decimal places. More decimal places are an error, never rounded.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Amount(f64);

impl Amount {
    const MAX: f64 = 999_999_999_999.0;

    /// Checks the bounds and decimal places; the error is a message.
    pub fn new(number: f64) -> Result<Self, String> {
        if !(0.0..=Self::MAX).contains(&number) {
            return Err(format!("must be from 0 to {}, not {number}", Self::MAX));
        }
        // Count the decimal places of the text: 0.29 has two, whatever its binary fraction is.
        let digits = number.to_string();
        match digits.split_once('.') {
            Some((_, behind)) if behind.len() > 2 => Err(format!(
                "must have at most two decimal places, not {number}"
            )),
            _ => Ok(Amount(number)),
        }
    }

    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Amount::new(f64::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl JsonSchema for Amount {
    fn schema_name() -> Cow<'static, str> {
        "Amount".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "number",
            "minimum": 0,
            "maximum": 999_999_999_999_i64,
            AMOUNT: true,
        })
    }
}

/// A day: `YYYY-MM-DD` in the years 1 to 9999. A time after it is an error, never dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Day(Date);

impl Day {
    /// Parses `YYYY-MM-DD`; the error is a message.
    pub fn new(text: &str) -> Result<Self, &'static str> {
        let is_day = text.len() == 10;
        match text.parse::<Date>() {
            Ok(date) if is_day && date.year() > 0 => Ok(Day(date)),
            _ => Err("must be a day such as 2026-03-05"),
        }
    }

    /// The date.
    pub fn get(self) -> Date {
        self.0
    }
}

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Day::new(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl JsonSchema for Day {
    fn schema_name() -> Cow<'static, str> {
        "Day".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "date" })
    }
}

/// Declares a text type with its own check.
macro_rules! checked_text {
    ($(#[$doc:meta])* $name:ident, $format:expr, $check:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Serialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Checks the text; the error is a message.
            pub fn new(text: impl Into<String>) -> Result<Self, &'static str> {
                let text = text.into();
                let check: fn(&str) -> Result<(), &'static str> = $check;
                check(&text).map(|()| $name(text))
            }

            /// The unchanged text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $name::new(String::deserialize(deserializer)?).map_err(D::Error::custom)
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                $format
            }
        }
    };
}

checked_text!(
    /// A web address: `http://` or `https://`, at most 2,000 characters.
    WebUrl,
    json_schema!({ "type": "string", "format": "uri", "maxLength": 2000 }),
    |text| {
        // The parser repairs surrounding spaces and missing slashes: reject both.
        let (scheme, rest) = text.split_once("://").unwrap_or_default();
        let is_web = ["http", "https"].iter().any(|web| scheme.eq_ignore_ascii_case(web));
        let is_mended = rest.contains(|c: char| c.is_whitespace() || c.is_control());
        let valid = is_web && !is_mended && url::Url::parse(text).is_ok_and(|url| url.has_host());
        if valid && text.chars().count() <= 2000 {
            Ok(())
        } else {
            Err("must be a web address such as https://example.org/photo.jpg")
        }
    }
);

checked_text!(
    /// An e-mail address: a name, one `@` and a domain, without spaces, at most 254 characters.
    Email,
    json_schema!({ "type": "string", "format": "email", "maxLength": 254 }),
    |text| {
        let is_plain = |c: char| !c.is_whitespace() && !c.is_control() && !"<>(),;:\"".contains(c);
        let parts = text.split_once('@');
        let valid = parts.is_some_and(|(name, domain)| {
            let is_label = |label: &str| !label.is_empty() && !label.starts_with('-');
            !name.is_empty() && !domain.contains('@') && domain.split('.').all(is_label)
        });
        if valid && text.chars().all(is_plain) && text.chars().count() <= 254 {
            Ok(())
        } else {
            Err("must look like ana@example.org")
        }
    }
);

checked_text!(
    /// A telephone number similar to E.164: 7 to 15 digits, optional leading `+`.
    Phone,
    json_schema!({ "type": "string", "pattern": r"^\+?[0-9]{7,15}$" }),
    |text| {
        let digits = text.strip_prefix('+').unwrap_or(text);
        let valid =
            (7..=15).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
        if valid {
            Ok(())
        } else {
            Err("must be 7 to 15 digits, with or without a leading +, such as +5511987654321")
        }
    }
);

checked_text!(
    /// A name in addresses: lower-case letters, digits and single '-' between them, at most 100 characters.
    Slug,
    json_schema!({ "type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$", "maxLength": 100 }),
    |text| {
        let is_word = |word: &str| {
            !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_lowercase())
        };
        if text.len() <= 100 && text.split('-').all(is_word) {
            Ok(())
        } else {
            Err("must be lower-case letters a to z, digits and single '-' between them, such as open-day-2")
        }
    }
);

checked_text!(
    /// An organisation's name in addresses: lower-case letters, digits and single '-' between them, at most 60
    /// characters.
    OrganizationSlug,
    json_schema!({ "type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$", "maxLength": 60 }),
    |text| match text.len() <= 60 && Slug::new(text).is_ok() {
        true => Ok(()),
        false => Err("must be at most 60 lower-case letters, digits and single '-' between them, such as river-school"),
    }
);

checked_text!(
    /// A fellow's name in addresses: lower-case letters, digits and '-' in any order, 1 to 100 characters.
    Handle,
    json_schema!({ "type": "string", "pattern": "^[a-z0-9-]+$", "maxLength": 100 }),
    |text| {
        let is_plain = |b: u8| b.is_ascii_digit() || b.is_ascii_lowercase() || b == b'-';
        if (1..=100).contains(&text.len()) && text.bytes().all(is_plain) {
            Ok(())
        } else {
            Err("must be 1 to 100 characters of a to z, 0 to 9 and '-', such as ana-2")
        }
    }
);

checked_text!(
    /// A colour: `#RRGGBB`.
    Color,
    json_schema!({ "type": "string", "pattern": "^#[0-9A-Fa-f]{6}$" }),
    |text| {
        let is_color = text.strip_prefix('#').is_some_and(|digits| {
            digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
        });
        if is_color {
            Ok(())
        } else {
            Err("must be # and six hexadecimal digits, such as #1A2B3C")
        }
    }
);

/// A required argument that may be null.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Nullable<T>(pub Option<T>);

impl<'de, T: DeserializeOwned> Deserialize<'de> for Nullable<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Read as any value first: serde would take a missing argument for null.
        let value = serde_json::Value::deserialize(deserializer)?;
        let value = Option::<T>::deserialize(value);
        value.map(Nullable).map_err(D::Error::custom)
    }
}

impl<T: JsonSchema> JsonSchema for Nullable<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("Nullable{}", T::schema_name()).into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Patch::<T>::json_schema(generator)
    }
}

/// A JSON object with free keys, at most `BYTES` as JSON text. The limit also applies to the text that PostgreSQL
/// writes, with numbers in full, and to the result of a merge. Whole numbers must fit into 64 bits: larger ones would
/// be rounded.
#[derive(Debug, Clone, PartialEq, Serialize, Default)]
#[serde(transparent)]
pub struct Object<const BYTES: usize = 16_384>(serde_json::Map<String, serde_json::Value>);

impl<const BYTES: usize> Object<BYTES> {
    /// The keys and values.
    pub fn as_map(&self) -> &serde_json::Map<String, serde_json::Value> {
        &self.0
    }
}

impl<'de, const BYTES: usize> Deserialize<'de> for Object<BYTES> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let map = serde_json::Map::deserialize(deserializer)?;
        if map.values().any(is_rounded) {
            return Err(D::Error::custom(
                "whole numbers must fit into 64 bits; write a larger one as a string",
            ));
        }
        let bytes = serde_json::to_string(&map).map_err(D::Error::custom)?.len();
        if bytes > BYTES {
            return Err(D::Error::custom(format_args!(
                "must be at most {BYTES} bytes as JSON text, not {bytes}"
            )));
        }
        Ok(Object(map))
    }
}

/// Whether the value contains a whole number that `f64` rounds: 2^53 or larger.
fn is_rounded(value: &serde_json::Value) -> bool {
    const EXACT: f64 = (1_u64 << 53) as f64;
    match value {
        serde_json::Value::Number(number) if number.is_f64() => number
            .as_f64()
            .is_none_or(|number| number.fract() == 0.0 && number.abs() >= EXACT),
        serde_json::Value::Array(values) => values.iter().any(is_rounded),
        serde_json::Value::Object(map) => map.values().any(is_rounded),
        _ => false,
    }
}

impl<const BYTES: usize> JsonSchema for Object<BYTES> {
    fn schema_name() -> Cow<'static, str> {
        "Object".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object", "additionalProperties": true })
    }
}

/// A list of at most `MAX` values.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct UpTo<T, const MAX: usize>(Vec<T>);

impl<T, const MAX: usize> Default for UpTo<T, MAX> {
    fn default() -> Self {
        UpTo(Vec::new())
    }
}

impl<T, const MAX: usize> UpTo<T, MAX> {
    /// `None` for more than `MAX` values.
    pub fn new(values: Vec<T>) -> Option<Self> {
        (values.len() <= MAX).then_some(UpTo(values))
    }

    /// The values.
    pub fn as_slice(&self) -> &[T] {
        &self.0
    }
}

impl<'de, T: Deserialize<'de>, const MAX: usize> Deserialize<'de> for UpTo<T, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let values = Vec::deserialize(deserializer)?;
        let length = values.len();
        UpTo::new(values).ok_or_else(|| {
            D::Error::custom(format_args!(
                "must have at most {MAX} entries, not {length}"
            ))
        })
    }
}

impl<T: JsonSchema, const MAX: usize> JsonSchema for UpTo<T, MAX> {
    fn schema_name() -> Cow<'static, str> {
        format!("{}List", T::schema_name()).into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "array", "items": generator.subschema_for::<T>(), "maxItems": MAX })
    }
}

/// A boolean argument whose default is `DEFAULT`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flag<const DEFAULT: bool>(pub bool);

impl<const DEFAULT: bool> Default for Flag<DEFAULT> {
    fn default() -> Self {
        Flag(DEFAULT)
    }
}

impl<const DEFAULT: bool> Serialize for Flag<DEFAULT> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de, const DEFAULT: bool> Deserialize<'de> for Flag<DEFAULT> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Flag(
            Option::<bool>::deserialize(deserializer)?.unwrap_or(DEFAULT),
        ))
    }
}

impl<const DEFAULT: bool> JsonSchema for Flag<DEFAULT> {
    fn schema_name() -> Cow<'static, str> {
        "Flag".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "boolean", "default": DEFAULT })
    }
}

/// An optional argument that can be omitted from a call.
pub trait Omit {
    /// Whether omitting the argument means the same as sending it.
    fn is_omitted(&self) -> bool;
}

impl<T> Omit for Option<T> {
    fn is_omitted(&self) -> bool {
        self.is_none()
    }
}

impl<T> Omit for Change<T> {
    fn is_omitted(&self) -> bool {
        self.is_keep()
    }
}

impl<T> Omit for Patch<T> {
    fn is_omitted(&self) -> bool {
        self.is_keep()
    }
}

impl<const DEFAULT: u32, const MAX: u32> Omit for Limit<DEFAULT, MAX> {
    fn is_omitted(&self) -> bool {
        *self == Self::default()
    }
}

impl Omit for Offset {
    fn is_omitted(&self) -> bool {
        self.0 == 0
    }
}

impl<const DEFAULT: bool> Omit for Flag<DEFAULT> {
    fn is_omitted(&self) -> bool {
        self.0 == DEFAULT
    }
}
