//! Results: one record under its singular name, or a page of records under the plural.

use serde_json::{Map, Value};

use crate::wire::{self, Reader, Schemas, Wire, deserialize_by_wire};

/// A kind of record that tools return.
pub trait Record: Wire + Send {
    /// The key of one record: `guest`.
    const SINGULAR: &'static str;
    /// The key of a list: `guests`.
    const PLURAL: &'static str;
}

/// Sets the keys of a record type.
macro_rules! keys {
    ($type:ty, $singular:literal, $plural:literal) => {
        impl crate::record::Record for $type {
            const SINGULAR: &'static str = $singular;
            const PLURAL: &'static str = $plural;
        }
    };
}
pub(crate) use frontdesk_derive::record;
pub(crate) use keys;

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
    /// Whether there are more than `total`.
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

/// A list in a record that was cut to bound the result's size, with the call that returns the rest.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Missing {
    /// The list, as a path: `tasks`, `stages.milestones`.
    pub field: String,
    /// The tool that lists the rest.
    pub tool: String,
    /// Its arguments.
    pub arguments: Map<String, Value>,
}

fn keyed(key: &str, value: Value) -> Value {
    let mut map = Map::new();
    map.insert(key.to_owned(), value);
    map.into()
}

/// A result with one value under one key.
macro_rules! keyed {
    ($result:ident<$record:ident>, $key:expr, $schemas:ident => $schema:expr) => {
        impl<$record: Record> Wire for $result<$record> {
            fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
                Some($result(reader.under($key, value)?))
            }

            fn write(&self) -> Value {
                keyed($key, self.0.write())
            }

            fn schema($schemas: &mut Schemas) -> Value {
                let schema = $schema;
                wire::of_key($key, schema)
            }
        }

        deserialize_by_wire!([$record: Record] $result<$record>);
    };
}
keyed!(One<T>, T::SINGULAR, schemas => T::schema(schemas));
keyed!(Maybe<T>, T::SINGULAR, schemas => Option::<T>::schema(schemas));
keyed!(All<T>, T::PLURAL, schemas => schemas.records(T::schema, T::SINGULAR));

impl<T: Record> Wire for List<T> {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        Some(List {
            items: reader.under(T::PLURAL, value)?,
            limit: reader.under("limit", value)?,
            offset: reader.under("offset", value)?,
            has_more: reader.under("has_more", value)?,
            total: value.get("total").and_then(Value::as_u64),
            total_is_estimate: value.get("total_is_estimate") == Some(&Value::Bool(true)),
        })
    }

    fn write(&self) -> Value {
        let mut list = Map::new();
        let mut put = |key: &str, value: Value| list.insert(key.to_owned(), value);
        put(T::PLURAL, self.items.write());
        put("limit", self.limit.into());
        put("offset", self.offset.into());
        put("has_more", self.has_more.into());
        if self.has_more {
            put(
                "next_offset",
                (self.offset + self.items.len() as u64).into(),
            );
        }
        if let Some(total) = self.total {
            put("total", total.into());
        }
        if self.total_is_estimate {
            put("total_is_estimate", true.into());
        }
        list.into()
    }

    fn schema(schemas: &mut Schemas) -> Value {
        schemas.page(T::schema, T::SINGULAR, T::PLURAL)
    }
}

deserialize_by_wire!([T: Record] List<T>);

#[cfg(test)]
#[allow(unreachable_pub, reason = "the macro declares public items")]
mod tests {
    use serde_json::json;

    use crate::id::GuestId;
    use crate::role::Roles;
    use crate::tool::{Declaration, Tool};
    use crate::value::{Amount, Line, Name};
    use crate::wire::{self, Table};

    super::record! {
        /// A guest with a field more.
        Diner {
            id: GuestId,
            name: Name [create, change],
            dietary_needs: Option<Line> [create, change],
            /// Paid at the door.
            fee: Amount [create = 0],
            // Nobody sets it.
            seat: u32,
        }
        /// Adds a diner.
        create AddDiner = "add_diner" on Events for Roles::DESK;
        /// Changes a diner.
        change ChangeDiner = "change_diner" on Events for Roles::DESK {
            req {
                reason: Line,
            }
        }
    }

    super::keys!(Diner, "diner", "diners");

    #[test]
    fn a_field_is_declared_once_for_the_record_and_its_tools() {
        let diner = json!({
            "id": "0190a1b2-0000-7000-8000-000000000001", "name": "Ana", "dietary_needs": null, "fee": 7.5, "seat": 4,
        });
        let read: Diner = wire::read(&diner).expect("a diner");
        assert_eq!((read.name.as_str(), read.fee), ("Ana", 7.5));

        let add = Declaration::of::<AddDiner>();
        assert_eq!(add.effect, AddDiner::EFFECT);
        assert_eq!(
            add.input_schema(),
            json!({
                "type": "object",
                "properties": {
                    "name": { "type": "string", "maxLength": 200, "minLength": 1 },
                    "dietary_needs": { "type": "string", "maxLength": 500 },
                    "fee": {
                        "type": "number", "minimum": 0, "maximum": 999_999_999_999_i64,
                        "description": "Paid at the door.", "default": 0,
                    },
                },
                "additionalProperties": false,
                "required": ["name"],
            })
        );
        assert_eq!(AddDiner::SHAPE.document, "Adds a diner.");

        let change = Declaration::of::<ChangeDiner>();
        let schema = change.input_schema();
        assert_eq!(schema["required"], json!(["id", "reason"]));
        assert_eq!(
            schema["properties"]["dietary_needs"]["type"],
            json!(["string", "null"])
        );
        assert_eq!(schema["properties"].get("fee"), None);
        let arguments = json!({ "id": diner["id"], "reason": "vegan", "dietary_needs": null });
        let checked = change.check(&arguments.to_string()).expect("is fine");
        assert_eq!(checked.get("dietary_needs"), Some(&json!(null)));
    }
}
