//! The tool whose schema has keywords that none of ours needs; they must be listed as they were declared.

use frontdesk_protocol::content::{Content, Contents};
use frontdesk_protocol::wire::{Reader, Schemas, Shape, Table, Wire};
use frontdesk_server::call::{Answer, Call, Handler, Outcome};
use serde_json::{Map, Value, json};

/// Arguments of any kind.
#[derive(Debug)]
pub(crate) struct SchemaKeywords(Map<String, Value>);

impl Wire for SchemaKeywords {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        Map::read(value, reader).map(SchemaKeywords)
    }

    fn write(&self) -> Value {
        self.0.write()
    }

    fn schema(_: &mut Schemas) -> Value {
        schema()
    }
}

impl Table for SchemaKeywords {
    const SHAPE: &'static Shape = &Shape {
        name: "SchemaKeywords",
        document: "Takes what its schema says.",
        is_strict: false,
        is_inline: true,
        fields: &[],
        schema: Some(schema),
    };
}

fn schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
            },
        },
        "properties": {
            "name": { "type": "string" },
            "address": { "$ref": "#/$defs/address" },
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
            "phone": { "type": "string" },
            "email": { "type": "string" },
        },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false,
    })
}

shows!(SchemaKeywords = "json_schema_2020_12_tool");

impl Handler for SchemaKeywords {
    async fn handle(self, _: &mut Call) -> Outcome<Contents> {
        let text = Value::from(self.0).to_string();
        Answer::of(&Contents(vec![Content::Text { text }]))
    }
}
