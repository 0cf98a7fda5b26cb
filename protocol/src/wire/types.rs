//! The value types of the language and of libraries.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::schema::nullable;
use super::{Reader, Schemas, Wire};

impl Wire for bool {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        value
            .as_bool()
            .or_else(|| reader.expected("true or false", value))
    }

    fn write(&self) -> Value {
        (*self).into()
    }

    fn schema(_: &mut Schemas) -> Value {
        json!({ "type": "boolean" })
    }
}

impl Wire for String {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        reader.text(value).map(str::to_owned)
    }

    fn write(&self) -> Value {
        self.as_str().into()
    }

    fn schema(_: &mut Schemas) -> Value {
        json!({ "type": "string" })
    }
}

impl Wire for f64 {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        value
            .as_f64()
            .or_else(|| reader.expected("a number", value))
    }

    fn write(&self) -> Value {
        (*self).into()
    }

    fn schema(_: &mut Schemas) -> Value {
        json!({ "type": "number" })
    }
}

macro_rules! whole_numbers {
    ($($type:ident by $read:ident),+) => {$(
        impl Wire for $type {
            fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
                let number = value.$read().and_then(|number| $type::try_from(number).ok());
                number.or_else(|| reader.expected("a whole number", value))
            }

            fn write(&self) -> Value {
                (*self).into()
            }

            fn schema(_: &mut Schemas) -> Value {
                json!({ "type": "integer" })
            }
        }
    )+};
}
whole_numbers!(u16 by as_u64, u32 by as_u64, u64 by as_u64, i32 by as_i64, i64 by as_i64);

impl Wire for Uuid {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        reader.id(value)
    }

    fn write(&self) -> Value {
        let mut text = [0; uuid::fmt::Hyphenated::LENGTH];
        (*self.hyphenated().encode_lower(&mut text)).into()
    }

    fn schema(_: &mut Schemas) -> Value {
        json!({ "type": "string", "format": "uuid" })
    }
}

/// The time in the refusal of others.
pub const TIME_EXAMPLE: &str = "2026-03-12T18:30:00-03:00";

/// In the years 1 to 9999. PostgreSQL accepts earlier times, but writes them in a format that clients cannot read.
impl Wire for Timestamp {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        let Ok(time) = reader.text(value)?.parse::<Timestamp>() else {
            return reader.complain(format!(
                "must be a time with its offset, such as {TIME_EXAMPLE}"
            ));
        };
        match TimeZone::UTC.to_datetime(time).year() {
            ..=0 => reader.complain("must not be before the year 1"),
            _ => Some(time),
        }
    }

    fn write(&self) -> Value {
        self.to_string().into()
    }

    fn schema(_: &mut Schemas) -> Value {
        json!({ "type": "string", "format": "date-time" })
    }
}

impl Wire for Date {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        let date = reader.text(value)?.parse().ok();
        date.or_else(|| reader.complain("must be a day such as 2026-03-05"))
    }

    fn write(&self) -> Value {
        self.to_string().into()
    }

    fn schema(_: &mut Schemas) -> Value {
        json!({ "type": "string", "format": "date" })
    }
}

/// Null and omitted are the same; only results and required lists say which.
impl<T: Wire> Wire for Option<T> {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        match value {
            Value::Null => Some(None),
            value => Some(Some(T::read(value, reader)?)),
        }
    }

    fn write(&self) -> Value {
        match self {
            Some(value) => value.write(),
            None => Value::Null,
        }
    }

    fn schema(schemas: &mut Schemas) -> Value {
        let schema = T::schema(schemas);
        match schemas.is_of_arguments() {
            true => schema,
            false => nullable(schema),
        }
    }

    fn omitted() -> Option<Self> {
        Some(None)
    }

    fn is_omitted(&self) -> bool {
        self.is_none()
    }
}

impl<T: Wire> Wire for Vec<T> {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        let values = reader.list(value)?;
        let (mut read, mut at) = (Vec::with_capacity(values.len()), 0);
        // Read all of them, so that each can be complained about.
        while let Some(value) = values.get(at) {
            if let Some(value) = reader.item(at, value) {
                read.push(value);
            }
            at += 1;
        }
        (read.len() == values.len()).then_some(read)
    }

    fn write(&self) -> Value {
        let mut values = Vec::with_capacity(self.len());
        for value in self {
            values.push(value.write());
        }
        Value::Array(values)
    }

    fn schema(schemas: &mut Schemas) -> Value {
        schemas.list(T::schema)
    }
}

impl<T: Wire> Wire for Box<T> {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        T::read(value, reader).map(Box::new)
    }

    fn write(&self) -> Value {
        T::write(self)
    }

    fn schema(schemas: &mut Schemas) -> Value {
        T::schema(schemas)
    }
}

impl Wire for Map<String, Value> {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        let map = value.as_object().cloned();
        map.or_else(|| reader.expected("an object", value))
    }

    fn write(&self) -> Value {
        self.clone().into()
    }

    fn schema(_: &mut Schemas) -> Value {
        json!({ "type": "object", "additionalProperties": true })
    }
}

impl Wire for Value {
    fn read(value: &Value, _: &mut Reader) -> Option<Self> {
        Some(value.clone())
    }

    fn write(&self) -> Value {
        self.clone()
    }

    fn schema(_: &mut Schemas) -> Value {
        true.into()
    }
}
