//! Values as JSON text, from PostgreSQL's binary format. The text is that of `row_to_json` in a session with the time
//! zone UTC; PostgreSQL spends more time on writing it than on finding the rows.

use std::fmt::Write as _;

use fallible_iterator::FallibleIterator;
use postgres_protocol::types::{ArrayValues, array_from_sql};
use tokio_postgres::types::{Kind, Type};

/// Why a value cannot be written.
type Cause = Box<dyn std::error::Error + Send + Sync>;

/// Days from 0000-03-01 to 2000-01-01, where PostgreSQL's time begins.
const DAYS_BEFORE: i64 = 730_425;
/// Days in 400 years.
const ERA: i64 = 146_097;
const MICROSECONDS_PER_DAY: i64 = 86_400_000_000;

/// Appends a value.
pub(crate) fn write(out: &mut String, r#type: &Type, value: Option<&[u8]>) -> Result<(), Cause> {
    let Some(value) = value else {
        out.push_str("null");
        return Ok(());
    };
    if let Kind::Array(of) = r#type.kind() {
        return array(out, of, value);
    }
    match *r#type {
        Type::TEXT | Type::VARCHAR | Type::BPCHAR | Type::NAME => {
            quoted(out, std::str::from_utf8(value)?);
        }
        Type::UUID => {
            let id = uuid::Uuid::from_slice(value)?;
            let mut buffer = uuid::Uuid::encode_buffer();
            quoted_plain(out, id.hyphenated().encode_lower(&mut buffer));
        }
        Type::BOOL => out.push_str(if value == [0] { "false" } else { "true" }),
        Type::INT2 => write!(out, "{}", i16::from_be_bytes(value.try_into()?))?,
        Type::INT4 => write!(out, "{}", i32::from_be_bytes(value.try_into()?))?,
        Type::INT8 => write!(out, "{}", i64::from_be_bytes(value.try_into()?))?,
        Type::FLOAT4 => {
            let number = f32::from_be_bytes(value.try_into()?);
            float(out, number.into(), &format!("{number:e}"), 6)?;
        }
        Type::FLOAT8 => {
            let number = f64::from_be_bytes(value.try_into()?);
            float(out, number, &format!("{number:e}"), 15)?;
        }
        Type::NUMERIC => numeric(out, value)?,
        Type::DATE => date(out, i32::from_be_bytes(value.try_into()?))?,
        Type::TIMESTAMPTZ => time(out, i64::from_be_bytes(value.try_into()?))?,
        Type::TIME => {
            out.push('"');
            clock(out, i64::from_be_bytes(value.try_into()?))?;
            out.push('"');
        }
        Type::JSON => out.push_str(std::str::from_utf8(value)?),
        // One byte is the version of the format, 1.
        Type::JSONB => out.push_str(std::str::from_utf8(value.get(1..).unwrap_or_default())?),
        _ => return Err(format!("{type} is not written").into()),
    }
    Ok(())
}

/// Appends a text in quotation marks.
pub(crate) fn quoted(out: &mut String, text: &str) {
    out.push('"');
    let mut written = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escaped = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0x08 => "\\b",
            0x0c => "\\f",
            0..0x20 => "",
            _ => continue,
        };
        out.push_str(&text[written..at]);
        match escaped {
            "" => _ = write!(out, "\\u{byte:04x}"),
            _ => out.push_str(escaped),
        }
        written = at + 1;
    }
    out.push_str(&text[written..]);
    out.push('"');
}

/// Appends a text without characters to escape.
fn quoted_plain(out: &mut String, text: &str) {
    out.push('"');
    out.push_str(text);
    out.push('"');
}

fn array(out: &mut String, of: &Type, value: &[u8]) -> Result<(), Cause> {
    let array = array_from_sql(value)?;
    let lengths: Vec<i32> = array.dimensions().map(|one| Ok(one.len)).collect()?;
    if lengths.is_empty() {
        out.push_str("[]");
        return Ok(());
    }
    nested(out, of, &lengths, &mut array.values())
}

/// Appends the next values in arrays of these lengths, the outermost first.
fn nested(
    out: &mut String,
    of: &Type,
    lengths: &[i32],
    values: &mut ArrayValues<'_>,
) -> Result<(), Cause> {
    out.push('[');
    for at in 0..lengths.first().copied().unwrap_or(0) {
        if at > 0 {
            out.push(',');
        }
        match lengths {
            [_] => write(out, of, values.next()?.flatten())?,
            [_, inner @ ..] => nested(out, of, inner, values)?,
            [] => {}
        }
    }
    out.push(']');
    Ok(())
}

/// Appends a floating-point number from its shortest digits, `1.25e-7`. Exponents from this one on are written.
fn float(out: &mut String, number: f64, shortest: &str, exponent_from: i32) -> Result<(), Cause> {
    if !number.is_finite() {
        let name = if number.is_nan() { "NaN" } else { "Infinity" };
        write!(out, "\"{}{name}\"", if number < 0.0 { "-" } else { "" })?;
        return Ok(());
    }
    let (digits, exponent) = shortest.split_once('e').ok_or("no exponent")?;
    let exponent: i32 = exponent.parse()?;
    if !(-4..exponent_from).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        write!(out, "{digits}e{sign}{:02}", exponent.abs())?;
    } else if exponent_from == 6 {
        write!(out, "{}", number as f32)?;
    } else {
        write!(out, "{number}")?;
    }
    Ok(())
}

/// Appends a decimal number. PostgreSQL sends its digits in base 10,000, and the power of the first one.
fn numeric(out: &mut String, value: &[u8]) -> Result<(), Cause> {
    let mut words = value
        .chunks_exact(2)
        .map(|two| u16::from_be_bytes([two[0], two[1]]));
    let mut word = || words.next().ok_or("too short");
    let (_, weight, sign, scale) = (word()?, word()?.cast_signed(), word()?, word()?);
    match sign {
        0 => {}
        0x4000 => out.push('-'),
        _ => {
            let name = match sign {
                0xc000 => "NaN",
                0xd000 => "Infinity",
                _ => "-Infinity",
            };
            quoted_plain(out, name);
            return Ok(());
        }
    }
    if weight < 0 {
        out.push('0');
    }
    for at in 0..=weight {
        let digits = words.next().unwrap_or(0);
        match at {
            0 => write!(out, "{digits}")?,
            _ => write!(out, "{digits:04}")?,
        }
    }
    if scale == 0 {
        return Ok(());
    }
    out.push('.');
    let end = out.len() + usize::from(scale);
    for _ in weight..-1 {
        out.push_str("0000");
    }
    while out.len() < end {
        write!(out, "{:04}", words.next().unwrap_or(0))?;
    }
    out.truncate(end);
    Ok(())
}

/// Year, month and day of a day since 2000-01-01. Years are counted from March, so that a leap day is the last of its
/// year.
fn civil(day: i64) -> (i64, i64, i64) {
    let day = day + DAYS_BEFORE;
    let (era, day) = (day.div_euclid(ERA), day.rem_euclid(ERA));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    (400 * era + year + next, month, day)
}

/// The mark of a year before the first, and the year that is written.
fn year_of_era(year: i64) -> (i64, &'static str) {
    match year {
        1.. => (year, ""),
        _ => (1 - year, " BC"),
    }
}

fn date(out: &mut String, day: i32) -> Result<(), Cause> {
    match day {
        i32::MAX => quoted_plain(out, "infinity"),
        i32::MIN => quoted_plain(out, "-infinity"),
        _ => {
            let (year, month, day) = civil(day.into());
            let (year, era) = year_of_era(year);
            write!(out, "\"{year:04}-{month:02}-{day:02}{era}\"")?;
        }
    }
    Ok(())
}

/// Appends microseconds since 2000 as a time in UTC.
fn time(out: &mut String, time: i64) -> Result<(), Cause> {
    if let i64::MAX | i64::MIN = time {
        quoted_plain(out, if time > 0 { "infinity" } else { "-infinity" });
        return Ok(());
    }
    let (year, month, day) = civil(time.div_euclid(MICROSECONDS_PER_DAY));
    let (year, era) = year_of_era(year);
    write!(out, "\"{year:04}-{month:02}-{day:02}T")?;
    clock(out, time.rem_euclid(MICROSECONDS_PER_DAY))?;
    write!(out, "+00:00{era}\"")?;
    Ok(())
}

/// Appends microseconds since midnight as a time of day.
fn clock(out: &mut String, time: i64) -> std::fmt::Result {
    let (second, fraction) = (time / 1_000_000, time % 1_000_000);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    write!(out, "{hour:02}:{minute:02}:{second:02}")?;
    if fraction > 0 {
        write!(out, ".{fraction:06}")?;
        out.truncate(out.trim_end_matches('0').len());
    }
    Ok(())
}
