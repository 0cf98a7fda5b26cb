//! A tool is a type: its arguments are a struct, and everything else about it stands beside it.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::ToolError;
use crate::host::Host;
use crate::reference::drop_marks;
use crate::role::Roles;
use crate::schema;

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
    /// Whether the result is a record with an output schema, told as text and structured. Otherwise it is
    /// [`Contents`](crate::content::Contents), shown as they are.
    const STRUCTURED: bool = true;
}

/// What a call does to the data. Becomes the annotation hints.
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

    /// The hints that differ from what the protocol takes for granted: that a tool writes, may destroy, is not
    /// idempotent, and reaches beyond its host. Of a tool that reads, two of them mean nothing.
    fn to_hints(self) -> Value {
        let mut hints = serde_json::Map::new();
        let mut hint = |name: &str, value: bool| hints.insert(name.to_owned(), value.into());
        if self.read_only {
            hint("readOnlyHint", true);
        } else {
            if !self.destructive {
                hint("destructiveHint", false);
            }
            if self.idempotent {
                hint("idempotentHint", true);
            }
        }
        hint("openWorldHint", false);
        hints.into()
    }
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
    /// Whether the result is a record; otherwise it is content blocks.
    pub structured: bool,
    input: fn() -> Value,
    output: fn() -> Value,
    check: fn(&str) -> Result<(), ToolError>,
    reread: fn(Value) -> Result<Value, serde_json::Error>,
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
            structured: T::STRUCTURED,
            input: schema::of_arguments::<T>,
            output: schema::of_result::<T::Output>,
            check: |arguments| crate::args::parse::<T>(arguments).map(drop),
            reread: |result| serde_json::to_value(serde_json::from_value::<T::Output>(result)?),
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

    /// Whether the specification names the tool. Of three hosts it shows all tools, of the others these four;
    /// every other tool is ours.
    pub fn is_specified(&self) -> bool {
        const NAMED: [&str; 4] = [
            "list_students",
            "invite_staff",
            "set_plan_tasks",
            "generate_thumbnail",
        ];
        matches!(self.host, Host::Learn | Host::Work | Host::Events) || NAMED.contains(&self.name)
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
        let mut schema = self.marked_input();
        drop_marks(&mut schema);
        if let Value::Object(map) = &mut schema {
            map.shift_remove("description");
        }
        schema
    }

    /// The JSON Schema of a successful result.
    pub fn output_schema(&self) -> Value {
        let mut schema = self.marked_output();
        drop_marks(&mut schema);
        schema
    }

    /// The same, with the marks that say whose id a value is.
    pub(crate) fn marked_input(&self) -> Value {
        (self.input)()
    }

    /// The same of the result.
    pub(crate) fn marked_output(&self) -> Value {
        (self.output)()
    }

    /// Checks arguments, given as JSON text, without calling the tool.
    ///
    /// # Errors
    /// The first thing that is wrong, naming the field.
    pub fn check(&self, arguments: &str) -> Result<(), ToolError> {
        (self.check)(arguments)
    }

    /// Reads a result as the tool's output type, and writes it again.
    ///
    /// # Errors
    /// What does not fit the type.
    pub fn reread(&self, result: Value) -> Result<Value, serde_json::Error> {
        (self.reread)(result)
    }

    /// The tool as it stands in `tools/list`. What a client takes for granted or finds in the name is left out: the
    /// title, descriptions of arguments that repeat their names, and hints that are the protocol's defaults.
    pub fn to_listing(&self) -> Value {
        let mut input = self.input_schema();
        schema::drop_repetitions(&mut input);
        let mut listing = serde_json::json!({
            "name": self.name,
            "description": self.description(),
            "inputSchema": input,
            "annotations": self.effect.to_hints(),
        });
        if self.structured && self.host.lists_results() {
            listing["outputSchema"] = self.output_schema();
        }
        listing
    }
}

/// Declares a tool. It reads like the specification's tables: what is required, what is optional.
///
/// The documentation of the struct is the tool's description, that of a field the argument's. A result that is
/// shown as it is, [`Contents`](crate::content::Contents), stands `as content`.
macro_rules! tool {
    (@structured content) => { false };
    (
        $(#[$doc:meta])*
        $name:ident = $tool:literal on $host:ident, $effect:ident, for $audience:expr
            => $output:ty $(as $content:ident)? {
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
            $(const STRUCTURED: bool = crate::tool::tool!(@structured $content);)?
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
