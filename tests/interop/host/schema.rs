//! The tool whose schema has keywords that none of ours needs; they must be listed as they were declared.

use std::borrow::Cow;

use frontdesk_protocol::content::{Content, Contents};
use frontdesk_protocol::{Effect, Host, Role, Roles, Tool};
use frontdesk_server::call::{Answer, Call, Handler, Outcome};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Arguments of any kind.
#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct SchemaKeywords(Map<String, Value>);

impl JsonSchema for SchemaKeywords {
    fn schema_name() -> Cow<'static, str> {
        "SchemaKeywords".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "description": "Takes what its schema says.",
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
}

impl Tool for SchemaKeywords {
    type Output = Contents;
    const NAME: &'static str = "json_schema_2020_12_tool";
    const HOST: Host = Host::Skills;
    const EFFECT: Effect = Effect::READ;
    const AUDIENCE: Roles = Roles::of(&Role::ALL);
    const STRUCTURED: bool = false;
}

impl Handler for SchemaKeywords {
    async fn handle(self, _: &mut Call) -> Outcome<Contents> {
        let text = Value::from(self.0).to_string();
        Answer::of(&Contents(vec![Content::Text { text }]))
    }
}
