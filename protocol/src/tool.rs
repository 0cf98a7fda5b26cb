//! A tool is a type: its arguments are a struct, and everything else about it stands beside it.

use schemars::generate::{Contract, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::ToolError;
use crate::host::Host;
use crate::role::Roles;
use crate::value::CLEARABLE;

/// A tool: the type of its arguments, with its declaration.
pub trait Tool: Serialize + DeserializeOwned + JsonSchema + Send + 'static {
    /// What a successful call returns.
    type Output: Serialize + DeserializeOwned + JsonSchema + Send + 'static;
    /// The name in `tools/call`.
    const NAME: &'static str;
    /// The host that serves it.
    const HOST: Host;
    /// What a call does to the data.
    const EFFECT: Effect;
    /// The roles that are offered it in `tools/list`. The database decides who may use it.
    const AUDIENCE: Roles;
}

/// What a call does to the data. Becomes the four annotation hints, all explicit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effect {
    /// Changes nothing; runs in a READ ONLY transaction.
    pub read_only: bool,
    /// Removes or overwrites what cannot be had back.
    pub destructive: bool,
    /// The same call again changes nothing more.
    pub idempotent: bool,
}

impl Effect {
    /// Changes nothing.
    pub const READ: Effect = Effect {
        read_only: true,
        destructive: false,
        idempotent: true,
    };
    /// Adds something, each time anew.
    pub const CREATE: Effect = Effect {
        read_only: false,
        destructive: false,
        idempotent: false,
    };
    /// Changes something; the same call again changes nothing more.
    pub const UPDATE: Effect = Effect {
        read_only: false,
        destructive: false,
        idempotent: true,
    };
    /// Removes something.
    pub const DELETE: Effect = Effect {
        read_only: false,
        destructive: true,
        idempotent: true,
    };
}

/// A tool's declaration with its types erased: what lists, forms and references read.
#[derive(Clone, Copy)]
pub struct Declaration {
    /// The name in `tools/call`.
    pub name: &'static str,
    /// The host that serves it.
    pub host: Host,
    /// What a call does to the data.
    pub effect: Effect,
    /// The roles that are offered it.
    pub audience: Roles,
    input: fn() -> Value,
    output: fn() -> Value,
    check: fn(&str) -> Result<(), ToolError>,
}

impl std::fmt::Debug for Declaration {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.host, self.name)
    }
}

impl Declaration {
    /// The declaration of `T`.
    pub const fn of<T: Tool>() -> Self {
        Declaration {
            name: T::NAME,
            host: T::HOST,
            effect: T::EFFECT,
            audience: T::AUDIENCE,
            input: schema_of_arguments::<T>,
            output: schema_of_output::<T::Output>,
            check: |arguments| crate::args::parse::<T>(arguments).map(drop),
        }
    }

    /// The name for people: `check_in_guest` is "Check in guest".
    pub fn title(&self) -> String {
        let mut title = self.name.replace('_', " ");
        if let Some(first) = title.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        title
    }

    /// What the tool does, in one or two sentences.
    pub fn description(&self) -> String {
        match (self.input)().get("description") {
            Some(Value::String(text)) => text.clone(),
            _ => String::new(),
        }
    }

    /// The JSON Schema of the arguments.
    pub fn input_schema(&self) -> Value {
        let mut schema = (self.input)();
        if let Value::Object(map) = &mut schema {
            map.shift_remove("description");
        }
        schema
    }

    /// The JSON Schema of a successful result.
    pub fn output_schema(&self) -> Value {
        let mut schema = (self.output)();
        drop_descriptions(&mut schema);
        schema
    }

    /// Checks arguments, given as JSON text, without calling the tool.
    ///
    /// # Errors
    /// The first thing that is wrong, naming the field.
    pub fn check(&self, arguments: &str) -> Result<(), ToolError> {
        (self.check)(arguments)
    }

    /// The tool as it stands in `tools/list`.
    pub fn to_listing(&self) -> Value {
        serde_json::json!({
            "name": self.name,
            "title": self.title(),
            "description": self.description(),
            "inputSchema": self.input_schema(),
            "outputSchema": self.output_schema(),
            "annotations": {
                "readOnlyHint": self.effect.read_only,
                "destructiveHint": self.effect.destructive,
                "idempotentHint": self.effect.idempotent,
                "openWorldHint": false,
            },
        })
    }
}

fn schema_of_arguments<T: JsonSchema>() -> Value {
    schema::<T>(Contract::Deserialize)
}

/// As it is written: a field that may be null is there all the same.
fn schema_of_output<T: JsonSchema>() -> Value {
    schema::<T>(Contract::Serialize)
}

/// The schema of a type, inlined and without what says nothing: every client pays for each token.
fn schema<T: JsonSchema>(contract: Contract) -> Value {
    let is_arguments = contract.is_deserialize();
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
        settings.contract = contract;
    });
    let schema: Schema = settings.into_generator().into_root_schema_for::<T>();
    let mut schema = schema.to_value();
    tidy(&mut schema, is_arguments);
    schema
}

/// Drops `title` and `default: null`, unwraps descriptions, folds `anyOf` with null into a type list and
/// `oneOf` of words into an `enum`, and, in arguments, drops null where leaving the argument out says the
/// same (a host takes null there all the same) and what a list's entries are, which the list has said.
fn tidy(schema: &mut Value, is_arguments: bool) {
    match schema {
        Value::Object(map) => {
            if map.get("default") == Some(&Value::Null) {
                map.shift_remove("default");
            }
            if let Some(Value::String(_)) = map.get("title") {
                map.shift_remove("title");
            }
            // A paragraph is one line, wherever the source breaks it.
            if let Some(Value::String(text)) = map.get_mut("description") {
                *text = text.replace('\n', " ");
            }
            // serde's number formats say nothing that the type does not.
            if let Some(Value::String(format)) = map.get("format")
                && (format == "double" || format.starts_with("uint") || format.starts_with("int"))
            {
                map.shift_remove("format");
            }
            fold_nullable(map);
            fold_words(map);
            let clearable = map.shift_remove(CLEARABLE).is_some();
            if is_arguments && !clearable {
                drop_null(map);
            }
            if let Some(Value::Object(properties)) = map.get_mut("properties") {
                for property in properties.values_mut() {
                    tidy(property, is_arguments);
                }
            }
            if let Some(items) = map.get_mut("items") {
                tidy(items, is_arguments);
                if let Value::Object(items) = items {
                    items.shift_remove("description");
                }
            }
        }
        Value::Array(several) => several.iter_mut().for_each(|one| tidy(one, is_arguments)),
        _ => {}
    }
}

/// A result says by its keys what it is; what the arguments say of a field need not be said again.
fn drop_descriptions(schema: &mut Value) {
    let Value::Object(map) = schema else { return };
    if let Some(Value::String(_)) = map.get("description") {
        map.shift_remove("description");
    }
    if let Some(Value::Object(properties)) = map.get_mut("properties") {
        properties.values_mut().for_each(drop_descriptions);
    }
    if let Some(items) = map.get_mut("items") {
        drop_descriptions(items);
    }
}

/// `anyOf: [X, null]` is `X` with null among its types.
fn fold_nullable(map: &mut serde_json::Map<String, Value>) {
    let Some(Value::Array(variants)) = map.get_mut("anyOf") else {
        return;
    };
    let null = serde_json::json!({ "type": "null" });
    if variants.len() != 2 || !variants.contains(&null) {
        return;
    }
    variants.retain(|variant| *variant != null);
    let Some(Value::Object(mut inner)) = variants.pop() else {
        return;
    };
    fold_words(&mut inner);
    map.shift_remove("anyOf");
    if let Some(kind) = inner.shift_remove("type") {
        inner.insert("type".to_owned(), serde_json::json!([kind, "null"]));
    }
    if let Some(Value::Array(values)) = inner.get_mut("enum") {
        values.push(Value::Null);
    }
    for (key, value) in inner {
        map.entry(key).or_insert(value);
    }
}

/// `oneOf` of documented constants is an `enum` of them.
fn fold_words(map: &mut serde_json::Map<String, Value>) {
    let Some(Value::Array(variants)) = map.get("oneOf") else {
        return;
    };
    let words: Option<Vec<Value>> = variants
        .iter()
        .map(|variant| variant.get("const").cloned())
        .collect();
    if let Some(words) = words {
        map.shift_remove("oneOf");
        map.insert("type".to_owned(), "string".into());
        map.insert("enum".to_owned(), words.into());
    }
}

fn drop_null(map: &mut serde_json::Map<String, Value>) {
    if let Some(Value::Array(kinds)) = map.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_slice() {
            let only = only.clone();
            map.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(values)) = map.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
}

/// Declares a tool. It reads like the specification's tables: what is required, what is optional.
///
/// The documentation of the struct is the tool's description, that of a field the argument's.
macro_rules! tool {
    (
        $(#[$doc:meta])*
        $name:ident = $tool:literal on $host:ident, $effect:ident, for $audience:expr => $output:ty {
            $(req { $( $(#[$req_doc:meta])* $req:ident: $req_type:ty, )* })?
            $(opt { $( $(#[$opt_doc:meta])* $opt:ident: $opt_type:ty, )* })?
        }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $($( $(#[$req_doc])* pub $req: $req_type, )*)?
            $($(
                $(#[$opt_doc])*
                #[serde(default, skip_serializing_if = "crate::value::Omit::is_omitted")]
                pub $opt: $opt_type,
            )*)?
        }

        impl crate::tool::Tool for $name {
            type Output = $output;
            const NAME: &'static str = $tool;
            const HOST: crate::host::Host = crate::host::Host::$host;
            const EFFECT: crate::tool::Effect = crate::tool::Effect::$effect;
            const AUDIENCE: crate::role::Roles = $audience;
        }
    };
}
pub(crate) use tool;

/// Lists the tools of one resource: `tools![ListEvents, GetEvent]`.
macro_rules! tools {
    ($($tool:ident),+ $(,)?) => {
        /// The tools of this resource, in the order in which they are listed.
        pub const TOOLS: &[crate::tool::Declaration] =
            &[$(crate::tool::Declaration::of::<$tool>()),+];
    };
}
pub(crate) use tools;
