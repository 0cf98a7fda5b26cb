//! Results: one record under its singular name, or a page of records under the plural.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{DeserializeOwned, Error};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use crate::reference::SINGULAR;

/// A kind of record that tools return.
pub trait Record: Serialize + DeserializeOwned + JsonSchema + Send + 'static {
    /// The key of one record: `guest`.
    const SINGULAR: &'static str;
    /// The key of a list: `guests`.
    const PLURAL: &'static str;
}

/// Sets the keys of a record type.
macro_rules! record {
    ($type:ty, $singular:literal, $plural:literal) => {
        impl crate::record::Record for $type {
            const SINGULAR: &'static str = $singular;
            const PLURAL: &'static str = $plural;
        }
    };
}
pub(crate) use record;

/// Declares a record, and its shorter form for lists, which has the fields in `listed` only. The order of the fields is
/// that of the declaration.
macro_rules! with_summary {
    (
        $(#[$doc:meta])* $record:ident,
        $(#[$summary_doc:meta])* $summary:ident {
            $(
                listed { $($(#[$listed_doc:meta])* $listed:ident: $listed_type:ty,)+ }
                $(unlisted { $($(#[$unlisted_doc:meta])* $unlisted:ident: $unlisted_type:ty,)+ })?
            )+
        }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        pub struct $record {$(
            $($(#[$listed_doc])* pub $listed: $listed_type,)+
            $($($(#[$unlisted_doc])* pub $unlisted: $unlisted_type,)+)?
        )+}

        $(#[$summary_doc])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        pub struct $summary {
            $($($(#[$listed_doc])* pub $listed: $listed_type,)+)+
        }
    };
}
pub(crate) use with_summary;

/// The written record, or the last state of a deleted one: `{"guest": {…}}`.
#[derive(Debug, Clone, PartialEq)]
pub struct One<T>(pub T);

/// A record, or null if it does not exist or is not visible to the caller: `{"guest": null}`.
#[derive(Debug, Clone, PartialEq)]
pub struct Maybe<T>(pub Option<T>);

/// All records of a list without pages: `{"stages": […]}`.
#[derive(Debug, Clone, PartialEq)]
pub struct All<T>(pub Vec<T>);

/// A page of records: `{"guests": […], "limit": 50, "offset": 0, "has_more": true, "next_offset": 50}`. A page can end
/// early to bound its size. `next_offset` is present if more records follow.
#[derive(Debug, Clone, PartialEq)]
pub struct List<T> {
    /// The records of this page, in a stable order.
    pub items: Vec<T>,
    /// The requested page size.
    pub limit: u32,
    /// The number of records before this page.
    pub offset: u64,
    /// Whether more records follow.
    pub has_more: bool,
    /// The number of records on all pages: on the last page, and on others if the call asks for it.
    pub total: Option<u64>,
    /// Whether `total` is an estimate.
    pub total_is_estimate: bool,
}

/// A result that holds records of one type.
pub trait Holds {
    /// Their type.
    type Record: Record;
}

macro_rules! holds {
    ($($result:ident),+) => {
        $(impl<T: Record> Holds for $result<T> {
            type Record = T;
        })+
    };
}
holds!(One, Maybe, List, All);

fn take<T: DeserializeOwned, E: Error>(
    map: &mut Map<String, Value>,
    key: &'static str,
) -> Result<T, E> {
    let value = map.remove(key).ok_or_else(|| E::missing_field(key))?;
    T::deserialize(value).map_err(|error| E::custom(format_args!("{key}: {error}")))
}

/// A list in a record that was cut to bound the result's size, with the call that returns the rest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Missing {
    /// The list, as a path: `tasks`, `stages.milestones`.
    pub field: String,
    /// The tool that lists the rest.
    pub tool: String,
    /// Its arguments.
    pub arguments: Map<String, Value>,
}

/// Serializes a result as one value under one key.
macro_rules! keyed {
    ($result:ident<$record:ident>, $key:expr) => {
        impl<$record: Record> Serialize for $result<$record> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_map([($key, &self.0)])
            }
        }

        impl<'de, $record: Record> Deserialize<'de> for $result<$record> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                take(&mut Map::deserialize(deserializer)?, $key).map($result)
            }
        }
    };
}
keyed!(One<T>, T::SINGULAR);
keyed!(Maybe<T>, T::SINGULAR);
keyed!(All<T>, T::PLURAL);

impl<T: Record> JsonSchema for One<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("One{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        keyed(T::SINGULAR, generator.subschema_for::<T>())
    }
}

impl<T: Record> JsonSchema for Maybe<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("Maybe{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        keyed(T::SINGULAR, generator.subschema_for::<Option<T>>())
    }
}

impl<T: Record> JsonSchema for All<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("All{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "properties": {
                T::PLURAL: {
                    "type": "array",
                    "items": generator.subschema_for::<T>(),
                    SINGULAR: T::SINGULAR,
                },
            },
            "required": [T::PLURAL],
        })
    }
}

impl<T: Record> Serialize for List<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry(T::PLURAL, &self.items)?;
        map.serialize_entry("limit", &self.limit)?;
        map.serialize_entry("offset", &self.offset)?;
        map.serialize_entry("has_more", &self.has_more)?;
        if self.has_more {
            map.serialize_entry("next_offset", &(self.offset + self.items.len() as u64))?;
        }
        if let Some(total) = self.total {
            map.serialize_entry("total", &total)?;
        }
        if self.total_is_estimate {
            map.serialize_entry("total_is_estimate", &true)?;
        }
        map.end()
    }
}

impl<'de, T: Record> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut map = Map::deserialize(deserializer)?;
        Ok(List {
            items: take(&mut map, T::PLURAL)?,
            limit: take(&mut map, "limit")?,
            offset: take(&mut map, "offset")?,
            has_more: take(&mut map, "has_more")?,
            total: map.remove("total").as_ref().and_then(Value::as_u64),
            total_is_estimate: map.remove("total_is_estimate") == Some(Value::Bool(true)),
        })
    }
}

/// Omits `limit` and `offset` to save tokens: the caller knows both.
impl<T: Record> JsonSchema for List<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("{}List", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "properties": {
                T::PLURAL: {
                    "type": "array",
                    "items": generator.subschema_for::<T>(),
                    SINGULAR: T::SINGULAR,
                },
                "has_more": { "type": "boolean" },
                "next_offset": { "type": "integer" },
                "total": { "type": "integer" },
                "total_is_estimate": { "type": "boolean" },
            },
            "required": [T::PLURAL, "has_more"],
        })
    }
}

fn keyed(key: &str, schema: Schema) -> Schema {
    json_schema!({
        "type": "object",
        "properties": { key: schema },
        "required": [key],
    })
}
