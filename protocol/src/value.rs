//! Argument types with bounds: the type defines the schema, the check and the error message of a
//! rejected value.

use std::borrow::Cow;
use std::fmt;

use jiff::Timestamp;
use jiff::civil::{Date, Time};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use unicode_width::UnicodeWidthChar;

use crate::marks::AMOUNT;
use crate::text;
use crate::wire::{self, Reader, Schemas, Wire, deserialize_by_wire, nullable};

/// A field of an update that cannot be cleared: omitted keeps it, a value sets it, null is an error.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Change<T> {
    /// The argument was omitted: the field is unchanged.
    #[default]
    Keep,
    /// The field takes this value.
    To(T),
}

/// A field of an update that can be cleared: omitted keeps it, null or an empty text clears it, a value sets it.
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

impl<T: Serialize> Serialize for Patch<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Patch::Keep | Patch::Clear => serializer.serialize_none(),
            Patch::To(value) => value.serialize(serializer),
        }
    }
}

impl<T: Wire> Wire for Change<T> {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        T::read(value, reader).map(Change::To)
    }

    fn write(&self) -> Value {
        match self {
            Change::Keep => Value::Null,
            Change::To(value) => value.write(),
        }
    }

    fn schema(schemas: &mut Schemas) -> Value {
        T::schema(schemas)
    }

    fn omitted() -> Option<Self> {
        Some(Change::Keep)
    }

    fn is_omitted(&self) -> bool {
        self.is_keep()
    }
}

impl<T: Wire> Wire for Patch<T> {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        match value {
            Value::Null => Some(Patch::Clear),
            // Where an address or a day is asked for, an empty text is refused.
            value if wire::is_blank(value) => T::read(value, reader).map(|_| Patch::Clear),
            value => T::read(value, reader).map(Patch::To),
        }
    }

    fn write(&self) -> Value {
        match self {
            Patch::Keep | Patch::Clear => Value::Null,
            Patch::To(value) => value.write(),
        }
    }

    fn schema(schemas: &mut Schemas) -> Value {
        nullable(T::schema(schemas))
    }

    fn omitted() -> Option<Self> {
        Some(Patch::Keep)
    }

    fn is_omitted(&self) -> bool {
        self.is_keep()
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
fn whole(value: &Value, reader: &mut Reader) -> Option<f64> {
    let number = f64::read(value, reader)?;
    match number.fract() == 0.0 {
        true => Some(number),
        false => reader.complain(format!("must be a whole number, not {number}")),
    }
}

/// Reads a number from `min` to `max`.
fn within(number: f64, min: i64, max: i64, reader: &mut Reader) -> Option<f64> {
    match (min as f64..=max as f64).contains(&number) {
        true => Some(number),
        false => reader.complain(format!("must be from {min} to {max}, not {number}")),
    }
}

impl<const DEFAULT: u32, const MAX: u32> Wire for Limit<DEFAULT, MAX> {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        if value.is_null() {
            return Some(Self::default());
        }
        let number = whole(value, reader)?;
        within(number, 1, MAX.into(), reader).map(|number| Limit(number as u32))
    }

    fn write(&self) -> Value {
        self.0.into()
    }

    fn schema(_: &mut Schemas) -> Value {
        json!({ "type": "integer", "minimum": 1, "maximum": MAX, "default": DEFAULT })
    }

    fn omitted() -> Option<Self> {
        Some(Self::default())
    }

    fn is_omitted(&self) -> bool {
        *self == Self::default()
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

impl Wire for Offset {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        if value.is_null() {
            return Some(Offset(0));
        }
        let number = whole(value, reader)?;
        match number >= 0.0 {
            // The conversion ends at `u32::MAX`.
            true => Some(Offset(number as u32)),
            false => reader.complain(format!("must be 0 or more, not {number}")),
        }
    }

    fn write(&self) -> Value {
        self.0.into()
    }

    fn schema(_: &mut Schemas) -> Value {
        json!({ "type": "integer", "minimum": 0, "default": 0 })
    }

    fn omitted() -> Option<Self> {
        Some(Offset(0))
    }

    fn is_omitted(&self) -> bool {
        self.0 == 0
    }
}

/// Text of `MIN` to `MAX` characters. `FORM` says which: [`PROSE`], [`LINE`], [`CODE`] or [`MAIL`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Text<const MIN: usize, const MAX: usize, const FORM: u8 = PROSE>(String);

/// Any text. Invisible characters are removed.
pub const PROSE: u8 = 0;
/// Text without line breaks. Invisible characters are removed.
pub const LINE: u8 = 1;
/// Text that is compared: each character must look like what it is. Spaces around it are removed.
pub const CODE: u8 = 2;
/// An e-mail address. Spaces around it are removed.
pub const MAIL: u8 = 3;

/// A name or title: 1 to 200 characters on one line, at least one of them visible.
pub type Name = Text<1, 200, LINE>;
/// A short text on one line, at most 500 characters; may be empty.
pub type Line = Text<0, 500, LINE>;
/// A long text, at most 20,000 characters; may be empty.
pub type Prose = Text<0, 20_000>;
/// The e-mail address of a person, at most 254 characters.
pub type Mail = Text<0, 254, MAIL>;
/// The login of a person elsewhere: at most 500 characters; may be empty.
pub type Contact = Text<0, 500, CODE>;
/// A user name: 1 to 200 characters.
pub type Login = Text<1, 200, CODE>;

impl<const MIN: usize, const MAX: usize, const FORM: u8> Text<MIN, MAX, FORM> {
    /// Checks the text; the error is a message.
    pub fn new(text: impl Into<String>) -> Result<Self, String> {
        fitting(&text.into(), MIN, MAX, FORM).map(Text)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The text as it is kept; the error is a message.
fn fitting(text: &str, min: usize, max: usize, form: u8) -> Result<String, String> {
    // A character has at most four bytes: a text that is far too long is not looked at.
    if text.len() > 4 * max {
        return Err(too_long(text, max));
    }
    if form != PROSE && text::has_break(text) {
        return Err("must be on one line".to_owned());
    }
    let text = match form {
        CODE | MAIL => {
            // “ana@example.org ” is the same address.
            let text = text.trim();
            match form {
                MAIL => Email::CHECK(text)?,
                _ => is_plain(text)?,
            }
            Cow::Borrowed(text)
        }
        _ => text::visible(text),
    };
    if min > 0 && !text.chars().any(is_visible) {
        return Err("must not be empty".to_owned());
    }
    match text.chars().count() > max {
        true => Err(too_long(&text, max)),
        false => Ok(text.into_owned()),
    }
}

fn too_long(text: &str, max: usize) -> String {
    let length = text.chars().count();
    format!("must have at most {max} characters, not {length}")
}

/// Refuses characters that do not look like what they are; the error is a message.
fn is_plain(text: &str) -> Result<(), String> {
    match text::misleading(text) {
        Some((char, why)) => Err(format!("must not contain {}, {why}", text::number(char))),
        None => Ok(()),
    }
}

/// Whether the character is visible: not a space, a control character or a character of width zero.
fn is_visible(c: char) -> bool {
    !c.is_whitespace() && c.width().is_some_and(|width| width > 0)
}

impl<const MIN: usize, const MAX: usize, const FORM: u8> fmt::Display for Text<MIN, MAX, FORM> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Reads a text that passes a check.
fn checked<T>(
    value: &Value,
    reader: &mut Reader,
    check: impl Fn(&str) -> Result<T, String>,
) -> Option<T> {
    let text = reader.text(value)?;
    match check(text) {
        Ok(checked) => Some(checked),
        Err(message) => reader.complain(message),
    }
}

impl<const MIN: usize, const MAX: usize, const FORM: u8> Wire for Text<MIN, MAX, FORM> {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        checked(value, reader, |text| fitting(text, MIN, MAX, FORM)).map(Text)
    }

    fn write(&self) -> Value {
        self.0.as_str().into()
    }

    fn schema(_: &mut Schemas) -> Value {
        let mut schema = match FORM {
            MAIL => json!({ "type": "string", "format": "email", "maxLength": MAX }),
            _ => json!({ "type": "string", "maxLength": MAX }),
        };
        if MIN > 0 {
            schema["minLength"] = MIN.into();
        }
        schema
    }
}

deserialize_by_wire!([const MIN: usize, const MAX: usize, const FORM: u8] Text<MIN, MAX, FORM>);

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

impl Wire for TimeOfDay {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        match TimeOfDay::new(reader.text(value)?) {
            Ok(time) => Some(time),
            Err(message) => reader.complain(message),
        }
    }

    fn write(&self) -> Value {
        self.to_string().into()
    }

    fn schema(_: &mut Schemas) -> Value {
        json!({ "type": "string", "pattern": r"^([01][0-9]|2[0-3])(:[0-5][0-9]){1,2}$" })
    }
}

deserialize_by_wire!([] TimeOfDay);

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

impl<const MIN: i64, const MAX: i64> Wire for Within<MIN, MAX> {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        let number = f64::read(value, reader)?;
        within(number, MIN, MAX, reader).map(Within)
    }

    fn write(&self) -> Value {
        self.0.into()
    }

    fn schema(_: &mut Schemas) -> Value {
        json!({ "type": "number", "minimum": MIN, "maximum": MAX })
    }
}

deserialize_by_wire!([const MIN: i64, const MAX: i64] Within<MIN, MAX>);

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

    /// The number.
    pub fn get(self) -> i64 {
        self.0
    }
}

/// A year of the calendar.
pub type Year = Whole<1900, 9999>;

impl<const MIN: i64, const MAX: i64> Wire for Whole<MIN, MAX> {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        let number = whole(value, reader)?;
        within(number, MIN, MAX, reader).map(|number| Whole(number as i64))
    }

    fn write(&self) -> Value {
        self.0.into()
    }

    fn schema(_: &mut Schemas) -> Value {
        json!({ "type": "integer", "minimum": MIN, "maximum": MAX })
    }
}

deserialize_by_wire!([const MIN: i64, const MAX: i64] Whole<MIN, MAX>);

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

impl Wire for Amount {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        match Amount::new(f64::read(value, reader)?) {
            Ok(amount) => Some(amount),
            Err(message) => reader.complain(message),
        }
    }

    fn write(&self) -> Value {
        self.0.into()
    }

    fn schema(_: &mut Schemas) -> Value {
        json!({ "type": "number", "minimum": 0, "maximum": 999_999_999_999_i64, AMOUNT: true })
    }
}

deserialize_by_wire!([] Amount);

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

impl Wire for Day {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        match Day::new(reader.text(value)?) {
            Ok(day) => Some(day),
            Err(message) => reader.complain(message),
        }
    }

    fn write(&self) -> Value {
        self.0.to_string().into()
    }

    fn schema(_: &mut Schemas) -> Value {
        json!({ "type": "string", "format": "date" })
    }
}

deserialize_by_wire!([] Day);

/// Declares a text type with its own check.
macro_rules! checked_text {
    ($(#[$doc:meta])* $name:ident, $format:expr, $check:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Serialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Checks the text; the error is a message.
            pub fn new(text: impl Into<String>) -> Result<Self, String> {
                let text = text.into();
                Self::CHECK(&text).map(|()| $name(text))
            }

            const CHECK: fn(&str) -> Result<(), String> = $check;

            /// The unchanged text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl Wire for $name {
            fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
                checked(value, reader, |text| $name::new(text))
            }

            fn write(&self) -> Value {
                self.0.as_str().into()
            }

            fn schema(_: &mut Schemas) -> Value {
                $format
            }
        }

        deserialize_by_wire!([] $name);

        impl Argument for $name {
            type Plain = String;
        }
    };
}

checked_text!(
    /// A web address: `http://` or `https://`, at most 2,000 characters.
    WebUrl,
    json!({ "type": "string", "format": "uri", "maxLength": 2000 }),
    |text| {
        // The parser repairs surrounding spaces and missing slashes: reject both.
        let (scheme, rest) = text.split_once("://").unwrap_or_default();
        let is_web = ["http", "https"].iter().any(|web| scheme.eq_ignore_ascii_case(web));
        let is_mended = rest.contains(|c: char| c.is_whitespace() || c.is_control());
        let valid = is_web && !is_mended && url::Url::parse(text).is_ok_and(|url| url.has_host());
        if valid && text.chars().count() <= 2000 {
            Ok(())
        } else {
            Err("must be a web address such as https://example.org/photo.jpg".to_owned())
        }
    }
);

checked_text!(
    /// An e-mail address: a name, one `@` and a domain, without spaces, at most 254 characters.
    Email,
    json!({ "type": "string", "format": "email", "maxLength": 254 }),
    |text| {
        is_plain(text)?;
        let is_allowed = |c: char| !c.is_whitespace() && !c.is_control() && !"<>(),;:\"".contains(c);
        let parts = text.split_once('@');
        let valid = parts.is_some_and(|(name, domain)| {
            let is_label = |label: &str| !label.is_empty() && !label.starts_with('-');
            !name.is_empty() && !domain.contains('@') && domain.split('.').all(is_label)
        });
        if valid && text.chars().all(is_allowed) && text.chars().count() <= 254 {
            Ok(())
        } else {
            Err("must look like ana@example.org".to_owned())
        }
    }
);

checked_text!(
    /// A telephone number similar to E.164: 7 to 15 digits, optional leading `+`.
    Phone,
    json!({ "type": "string", "pattern": r"^\+?[0-9]{7,15}$" }),
    |text| {
        let digits = text.strip_prefix('+').unwrap_or(text);
        let valid =
            (7..=15).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
        if valid {
            Ok(())
        } else {
            Err("must be 7 to 15 digits, with or without a leading +, such as +5511987654321".to_owned())
        }
    }
);

checked_text!(
    /// A name in addresses: lower-case letters, digits and single '-' between them, at most 100 characters.
    Slug,
    json!({ "type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$", "maxLength": 100 }),
    |text| {
        let is_word = |word: &str| {
            !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_lowercase())
        };
        if text.len() <= 100 && text.split('-').all(is_word) {
            Ok(())
        } else {
            Err("must be lower-case letters a to z, digits and single '-' between them, such as open-day-2".to_owned())
        }
    }
);

checked_text!(
    /// An organisation's name in addresses: lower-case letters, digits and single '-' between them, at most 60
    /// characters.
    OrganizationSlug,
    json!({ "type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$", "maxLength": 60 }),
    |text| match text.len() <= 60 && Slug::new(text).is_ok() {
        true => Ok(()),
        false => Err("must be at most 60 lower-case letters, digits and single '-' between them, such as river-school".to_owned()),
    }
);

checked_text!(
    /// A fellow's name in addresses: lower-case letters, digits and '-' in any order, 1 to 100 characters.
    Handle,
    json!({ "type": "string", "pattern": "^[a-z0-9-]+$", "maxLength": 100 }),
    |text| {
        let is_plain = |b: u8| b.is_ascii_digit() || b.is_ascii_lowercase() || b == b'-';
        if (1..=100).contains(&text.len()) && text.bytes().all(is_plain) {
            Ok(())
        } else {
            Err("must be 1 to 100 characters of a to z, 0 to 9 and '-', such as ana-2".to_owned())
        }
    }
);

checked_text!(
    /// A colour: `#RRGGBB`.
    Color,
    json!({ "type": "string", "pattern": "^#[0-9A-Fa-f]{6}$" }),
    |text| {
        let is_color = text.strip_prefix('#').is_some_and(|digits| {
            digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
        });
        if is_color {
            Ok(())
        } else {
            Err("must be # and six hexadecimal digits, such as #1A2B3C".to_owned())
        }
    }
);

checked_text!(
    /// The name of a time zone in the form of the IANA database: `Europe/Lisbon`. The host knows which there are.
    TimeZoneName,
    json!({ "type": "string", "pattern": "^[A-Za-z][A-Za-z0-9_+/-]*$", "maxLength": 64 }),
    |text| {
        let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"_+/-".contains(&b);
        let is_name = text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.bytes().all(is_plain);
        match is_name && text.len() <= 64 {
            true => Ok(()),
            false => Err("must be a time zone, such as Europe/Lisbon".to_owned()),
        }
    }
);

checked_text!(
    /// A currency code (ISO 4217): `EUR`.
    Currency,
    json!({ "type": "string", "pattern": "^[A-Z]{3}$" }),
    |text| match text.len() == 3 && text.bytes().all(|it| it.is_ascii_uppercase()) {
        true => Ok(()),
        false => Err("must be a code of three capital letters, such as EUR".to_owned()),
    }
);

/// A required argument that may be null.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Nullable<T>(pub Option<T>);

impl<T: Wire> Wire for Nullable<T> {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        Option::read(value, reader).map(Nullable)
    }

    fn write(&self) -> Value {
        self.0.write()
    }

    fn schema(schemas: &mut Schemas) -> Value {
        nullable(T::schema(schemas))
    }
}

/// A JSON object with free keys, at most `BYTES` as JSON text. The limit also applies to the text that PostgreSQL
/// writes, with numbers in full, and to the result of a merge. Whole numbers must fit into 64 bits: larger ones would
/// be rounded. Invisible characters are removed from its keys and texts, unless it `IS_RAW`.
#[derive(Debug, Clone, PartialEq, Serialize, Default)]
#[serde(transparent)]
pub struct Object<const BYTES: usize = 16_384, const IS_RAW: bool = false>(Map<String, Value>);

/// The arguments of another call, which that call's tool reads.
pub type Arguments = Object<1_000_000, true>;

impl<const BYTES: usize, const IS_RAW: bool> Object<BYTES, IS_RAW> {
    /// The keys and values.
    pub fn as_map(&self) -> &Map<String, Value> {
        &self.0
    }
}

impl<const BYTES: usize, const IS_RAW: bool> Wire for Object<BYTES, IS_RAW> {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        let map = Map::read(value, reader)?;
        if map.values().any(is_rounded) {
            return reader
                .complain("whole numbers must fit into 64 bits; write a larger one as a string");
        }
        let bytes = value.to_string().len();
        if bytes > BYTES {
            return reader.complain(format!(
                "must be at most {BYTES} bytes as JSON text, not {bytes}"
            ));
        }
        Some(Object(if IS_RAW { map } else { visible(map) }))
    }

    fn write(&self) -> Value {
        self.0.clone().into()
    }

    fn schema(_: &mut Schemas) -> Value {
        json!({ "type": "object", "additionalProperties": true })
    }
}

deserialize_by_wire!([const BYTES: usize, const IS_RAW: bool] Object<BYTES, IS_RAW>);

/// The object without invisible characters in its keys and texts.
fn visible(map: Map<String, Value>) -> Map<String, Value> {
    fn of(value: Value) -> Value {
        match value {
            Value::String(text) => text::visible(&text).into(),
            Value::Array(values) => values.into_iter().map(of).collect(),
            Value::Object(map) => visible(map).into(),
            value => value,
        }
    }
    let entries = map.into_iter();
    entries
        .map(|(key, value)| (text::visible(&key).into_owned(), of(value)))
        .collect()
}

/// Whether the value contains a whole number that `f64` rounds: 2^53 or larger.
fn is_rounded(value: &Value) -> bool {
    const EXACT: f64 = (1_u64 << 53) as f64;
    match value {
        Value::Number(number) if number.is_f64() => number
            .as_f64()
            .is_none_or(|number| number.fract() == 0.0 && number.abs() >= EXACT),
        Value::Array(values) => values.iter().any(is_rounded),
        Value::Object(map) => map.values().any(is_rounded),
        _ => false,
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

impl<T: Wire, const MAX: usize> Wire for UpTo<T, MAX> {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        let length = value.as_array().map_or(0, Vec::len);
        if length > MAX {
            return reader.complain(format!("must have at most {MAX} entries, not {length}"));
        }
        Vec::read(value, reader).map(UpTo)
    }

    fn write(&self) -> Value {
        self.0.write()
    }

    fn schema(schemas: &mut Schemas) -> Value {
        let mut schema = schemas.list(T::schema);
        schema["maxItems"] = MAX.into();
        schema
    }
}

deserialize_by_wire!([T: Wire, const MAX: usize] UpTo<T, MAX>);

/// A boolean argument whose default is `DEFAULT`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Flag<const DEFAULT: bool>(pub bool);

impl<const DEFAULT: bool> Default for Flag<DEFAULT> {
    fn default() -> Self {
        Flag(DEFAULT)
    }
}

impl<const DEFAULT: bool> Wire for Flag<DEFAULT> {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        match value.is_null() {
            true => Some(Self::default()),
            false => bool::read(value, reader).map(Flag),
        }
    }

    fn write(&self) -> Value {
        self.0.into()
    }

    fn schema(_: &mut Schemas) -> Value {
        json!({ "type": "boolean", "default": DEFAULT })
    }

    fn omitted() -> Option<Self> {
        Some(Self::default())
    }

    fn is_omitted(&self) -> bool {
        self.0 == DEFAULT
    }
}

deserialize_by_wire!([const DEFAULT: bool] Flag<DEFAULT>);

/// The type of an argument that a record stores.
pub trait Argument {
    /// The type of the record's field: without the bounds, which only matter to the sender.
    type Plain;
}

macro_rules! stored_as {
    ($([$($parameters:tt)*] $argument:ty => $plain:ty),+ $(,)?) => {
        $(impl<$($parameters)*> crate::value::Argument for $argument {
            type Plain = $plain;
        })+
    };
}
pub(crate) use stored_as;

stored_as! {
    [const MIN: usize, const MAX: usize, const FORM: u8] Text<MIN, MAX, FORM> => String,
    [const MIN: i64, const MAX: i64] Within<MIN, MAX> => f64,
    [const MIN: i64, const MAX: i64] Whole<MIN, MAX> => u32,
    [const BYTES: usize] Object<BYTES> => Map<String, Value>,
    [T: Argument, const MAX: usize] UpTo<T, MAX> => Vec<T::Plain>,
    [] Amount => f64,
    [] Day => Date,
    [] TimeOfDay => TimeOfDay,
    [] Timestamp => Timestamp,
    [] bool => bool,
}
