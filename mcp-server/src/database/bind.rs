//! From a tool's arguments to the parameters of a statement.

use std::error::Error;
use std::fmt::Write;

use bytes::BytesMut;
use frontdesk_protocol::events::task::TaskStatus;
use frontdesk_protocol::id;
use frontdesk_protocol::value::{
    Amount, Day, Flag, Limit, Object, Offset, Phone, Text, TimeOfDay, UpTo, WebUrl, Within,
};
use frontdesk_protocol::work::meeting::Template;
use jiff::Timestamp;
use jiff::civil::{Date, Time};
use tokio_postgres::types::{Format, IsNull, Json, ToSql, Type, to_sql_checked};
use uuid::Uuid;

/// A value that can stand in a statement as `$n`.
pub trait Bind {
    /// What is sent.
    type Sql<'a>: ToSql + Sync + Send
    where
        Self: 'a;

    /// The parameter.
    fn bind(&self) -> Self::Sql<'_>;
}

/// The parameters of a statement, from arguments: `binds![self.event_id, self.search]`.
macro_rules! binds {
    ($($value:expr),* $(,)?) => {
        &[$(&$crate::database::Bind::bind(&$value) as &(dyn tokio_postgres::types::ToSql + Sync)),*]
    };
}
pub(crate) use binds;

impl<T: Bind> Bind for Option<T> {
    type Sql<'a>
        = Option<T::Sql<'a>>
    where
        T: 'a;

    fn bind(&self) -> Self::Sql<'_> {
        self.as_ref().map(T::bind)
    }
}

impl<T: Bind + ?Sized> Bind for &T {
    type Sql<'a>
        = T::Sql<'a>
    where
        Self: 'a;

    fn bind(&self) -> Self::Sql<'_> {
        T::bind(self)
    }
}

/// Types that are sent as they are.
macro_rules! bind_as_is {
    ($($type:ty),+) => {$(
        impl Bind for $type {
            type Sql<'a> = $type;
            fn bind(&self) -> $type {
                *self
            }
        }
    )+};
}
bind_as_is!(bool, i32, i64, f64, Uuid, Timestamp, Date, Time);

/// Identifiers are sent as UUIDs.
macro_rules! bind_ids {
    ($($name:ident),+ $(,)?) => {$(
        impl Bind for id::$name {
            type Sql<'a> = Uuid;
            fn bind(&self) -> Uuid {
                self.0
            }
        }
    )+};
}
bind_ids!(
    OrganizationId,
    UserId,
    MemberId,
    BusinessUnitId,
    EventId,
    SessionId,
    GuestId,
    TaskId,
    ExpenseId,
    PhotoId,
    MeetingId,
    OccurrenceId,
);

/// Texts are sent as text.
macro_rules! bind_text {
    ($($type:ty),+) => {$(
        impl Bind for $type {
            type Sql<'a> = &'a str;
            fn bind(&self) -> &str {
                self.as_str()
            }
        }
    )+};
}
bind_text!(String, WebUrl, Phone);

impl Bind for str {
    type Sql<'a> = &'a str;
    fn bind(&self) -> &str {
        self
    }
}

impl<const MIN: usize, const MAX: usize> Bind for Text<MIN, MAX> {
    type Sql<'a> = &'a str;
    fn bind(&self) -> &str {
        self.as_str()
    }
}

/// A number for a column of any numeric type. As text, which PostgreSQL reads as what the column
/// is: `numeric` keeps the cents that binary fractions cannot.
#[derive(Debug, Clone, Copy)]
pub struct Number(f64);

impl ToSql for Number {
    fn to_sql(&self, _: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        write!(out, "{}", self.0)?;
        Ok(IsNull::No)
    }

    fn accepts(ty: &Type) -> bool {
        matches!(*ty, Type::FLOAT8 | Type::NUMERIC)
    }

    fn encode_format(&self, _: &Type) -> Format {
        Format::Text
    }

    to_sql_checked!();
}

impl<const MIN: i64, const MAX: i64> Bind for Within<MIN, MAX> {
    type Sql<'a> = Number;
    fn bind(&self) -> Number {
        Number(self.get())
    }
}

impl Bind for Amount {
    type Sql<'a> = Number;
    fn bind(&self) -> Number {
        Number(self.get())
    }
}

impl Bind for Day {
    type Sql<'a> = Date;
    fn bind(&self) -> Date {
        self.get()
    }
}

impl<const DEFAULT: u32, const MAX: u32> Bind for Limit<DEFAULT, MAX> {
    type Sql<'a> = i64;
    fn bind(&self) -> i64 {
        i64::from(self.get())
    }
}

impl Bind for Offset {
    type Sql<'a> = i64;
    fn bind(&self) -> i64 {
        i64::from(self.get())
    }
}

impl<const DEFAULT: bool> Bind for Flag<DEFAULT> {
    type Sql<'a> = bool;
    fn bind(&self) -> bool {
        self.0
    }
}

impl Bind for Object {
    type Sql<'a> = Json<&'a serde_json::Map<String, serde_json::Value>>;
    fn bind(&self) -> Self::Sql<'_> {
        Json(self.as_map())
    }
}

/// Words of a fixed set are sent as text.
macro_rules! bind_words {
    ($($type:ty),+) => {$(
        impl Bind for $type {
            type Sql<'a> = &'static str;
            fn bind(&self) -> &'static str {
                self.name()
            }
        }
    )+};
}
bind_words!(TaskStatus, Template);

impl Bind for TimeOfDay {
    type Sql<'a> = Time;
    fn bind(&self) -> Time {
        self.get()
    }
}

impl<T: Bind> Bind for Vec<T> {
    type Sql<'a>
        = Vec<T::Sql<'a>>
    where
        T: 'a;

    fn bind(&self) -> Self::Sql<'_> {
        self.iter().map(T::bind).collect()
    }
}

impl<T: Bind, const MAX: usize> Bind for UpTo<T, MAX> {
    type Sql<'a>
        = Vec<T::Sql<'a>>
    where
        T: 'a;

    fn bind(&self) -> Self::Sql<'_> {
        self.as_slice().iter().map(T::bind).collect()
    }
}
