//! A tool is a type: a struct of its arguments, with its declaration as associated items.

use serde_json::{Value, json};

use crate::error::ToolError;
use crate::host::Host;
use crate::marks::{SECRET, drop_marks};
use crate::role::Roles;
use crate::wire::{self, Schemas, Shape, Table, Wire};

/// A tool: implemented by the struct of its arguments.
pub trait Tool: Table + Send {
    /// What a successful call returns.
    type Output: Wire + Send;
    /// The name in `tools/call`.
    const NAME: &'static str;
    /// The host that serves the tool.
    const HOST: Host;
    /// The effect of a call on the data.
    const EFFECT: Effect;
    /// The roles that see the tool in `tools/list`. The database checks permissions.
    const AUDIENCE: Roles;
    /// True: the result has an output schema and is returned as text and as structured content. False: it is
    /// [`Contents`](crate::content::Contents).
    const STRUCTURED: bool = true;
    /// Whether the result is stored with the call's idempotency key. A secret must not be stored: the same call with the
    /// same key then runs again.
    const IS_REMEMBERED: bool = true;
}

/// The effect of a call on the data, listed as annotation hints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effect {
    /// The call changes nothing; it runs in a READ ONLY transaction.
    pub read_only: bool,
    /// The call deletes or overwrites data that cannot be restored.
    pub destructive: bool,
    /// Repeating the call changes nothing more.
    pub idempotent: bool,
    /// The call cannot be undone. Nor can writes of a kind that lasts (`Kind::lasting`).
    pub lasting: bool,
    /// Something leaves the hosts: a message to people.
    pub open_world: bool,
}

impl Effect {
    /// Each call adds something.
    pub const CREATE: Effect = Effect {
        read_only: false,
        destructive: false,
        idempotent: false,
        lasting: false,
        open_world: false,
    };
    /// Changes something; repeating the call changes nothing more.
    pub const UPDATE: Effect = Effect {
        idempotent: true,
        ..Effect::CREATE
    };
    /// Changes nothing.
    pub const READ: Effect = Effect {
        read_only: true,
        ..Effect::UPDATE
    };
    /// Removes something.
    pub const DELETE: Effect = Effect {
        destructive: true,
        ..Effect::UPDATE
    };
    /// Overwrites or ends something.
    pub const REPLACE: Effect = Effect::DELETE;
    /// Removes something for good.
    pub const FORGET: Effect = Effect {
        lasting: true,
        ..Effect::DELETE
    };
    /// Hands out something that is returned once.
    pub const ISSUE: Effect = Effect {
        lasting: true,
        ..Effect::CREATE
    };
    /// Makes something final.
    pub const SEAL: Effect = Effect {
        lasting: true,
        ..Effect::UPDATE
    };
    /// Sends something to people, once.
    pub const SEND: Effect = Effect {
        open_world: true,
        ..Effect::SEAL
    };
    /// Depends on the arguments: it can change or remove anything.
    pub const ANY: Effect = Effect {
        idempotent: false,
        ..Effect::DELETE
    };

    /// Hints for clients. Those with the protocol's default are omitted, except for `destructiveHint`: not all clients
    /// know its default. For a tool that only reads, two of the hints have no meaning.
    ///
    /// A call that cannot be undone counts as destructive, but for records with a tool that takes them back.
    pub(crate) fn to_hints(self) -> Value {
        let mut hints = serde_json::Map::new();
        let mut hint = |name: &str, value: bool| hints.insert(name.to_owned(), value.into());
        if self.read_only {
            hint("readOnlyHint", true);
        } else {
            hint("destructiveHint", self.destructive || self.lasting);
            if self.idempotent {
                hint("idempotentHint", true);
            }
        }
        hint("openWorldHint", self.open_world);
        hints.into()
    }
}

/// A tool's declaration with its types erased, for lists, forms and references.
#[derive(Clone, Copy)]
pub struct Declaration {
    /// The name in `tools/call`.
    pub name: &'static str,
    /// The host that serves the tool.
    pub host: Host,
    /// The effect of a call on the data.
    pub effect: Effect,
    /// The roles that see the tool in `tools/list`.
    pub audience: Roles,
    /// Whether the result is a record; otherwise it is content blocks.
    pub structured: bool,
    /// Whether the result is stored with the call's idempotency key.
    pub is_remembered: bool,
    /// The table of the arguments.
    pub shape: &'static Shape,
    output: fn(&mut Schemas) -> Value,
    reread: fn(&Value) -> Result<Value, ToolError>,
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
            is_remembered: T::IS_REMEMBERED,
            shape: T::SHAPE,
            output: T::Output::schema,
            reread: |result| wire::read::<T::Output>(result).map(|result| result.write()),
        }
    }

    /// The name for people: "Check in guest" for `check_in_guest`.
    pub fn title(&self) -> String {
        let mut title = self.name.replace('_', " ");
        if let Some(first) = title.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        title
    }

    /// Whether the specification names the tool. It lists the tools of three hosts, to which a few are added here, and
    /// four tools of the others; every other tool is an addition.
    pub fn is_specified(&self) -> bool {
        const NAMED: [&str; 4] = [
            "list_students",
            "invite_staff",
            "set_plan_tasks",
            "generate_thumbnail",
        ];
        const ADDED: [&str; 19] = [
            "set_member_progress",
            "list_meetings",
            "create_meeting",
            "import_calendar",
            "create_meeting_series",
            "add_meeting_occurrences",
            "set_occurrence_transcript",
            "update_meeting",
            "delete_event",
            "delete_event_session",
            "delete_event_task",
            "delete_event_expense",
            "delete_event_photo",
            "list_event_places",
            "create_event_place",
            "update_event_place",
            "delete_event_place",
            "list_movements",
            "record_movement",
        ];
        match self.host {
            Host::Learn | Host::Work | Host::Events => !ADDED.contains(&self.name),
            _ => NAMED.contains(&self.name),
        }
    }

    /// The tool's description, in one or two sentences.
    pub fn description(&self) -> &'static str {
        self.shape.document
    }

    /// The JSON Schema of the arguments: what [`Declaration::check`] accepts. In addition, the check takes null in an
    /// optional argument for its omission, as many clients send it; the schema has null only where it has its own
    /// meaning and clears a field.
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

    /// The fields of a result that are returned once only, such as the link of an invitation. In a trial they are null.
    pub fn secrets(&self) -> Vec<String> {
        let schema = self.marked_output();
        let fields = schema["properties"].as_object().into_iter().flatten();
        let secrets = fields.filter(|(_, field)| field["format"] == SECRET);
        secrets.map(|(name, _)| name.clone()).collect()
    }

    /// The schema of the arguments, with the marks of the `reference` module.
    pub(crate) fn marked_input(&self) -> Value {
        wire::of_arguments(self.shape)
    }

    /// The schema of the result, with the marks of the `reference` module.
    pub(crate) fn marked_output(&self) -> Value {
        wire::of_result(self.output)
    }

    /// Whether the result of a call with these arguments is stored with its idempotency key: also not if the result of a
    /// call within it must not be.
    pub fn remembers(&self, arguments: &Value) -> bool {
        let host = arguments["host"]
            .as_str()
            .and_then(|host| host.parse::<Host>().ok());
        let calls = arguments["calls"].as_array().into_iter().flatten();
        let mut within = calls.chain([arguments]).filter_map(|call| {
            let tool = call["tool"].as_str()?;
            host?.tool(tool)
        });
        self.is_remembered && within.all(|tool| tool.is_remembered)
    }

    /// Reads a result as the tool's output type and writes it again.
    ///
    /// # Errors
    /// If the result does not match the output type.
    pub fn reread(&self, result: &Value) -> Result<Value, ToolError> {
        (self.reread)(result)
    }

    /// The tool's entry in `tools/list`. It has no title, which would only repeat the name. Hosts only list the `outputSchema` on request
    /// ([`ListMeta`](crate::mcp::ListMeta)).
    pub fn to_listing(&self) -> Value {
        let mut entry = json!({
            "name": self.name,
            "description": self.description(),
            "inputSchema": self.input_schema(),
            "annotations": self.effect.to_hints(),
        });
        if self.structured {
            entry["outputSchema"] = self.output_schema();
        }
        entry
    }
}

/// Declares a tool like the tables of the specification: required arguments (`req`), then optional ones (`opt`), with
/// their default if the type has none: `status: Option<TaskStatus> = "todo"`, or `= default` for that of the type.
///
/// The struct's doc comment is the tool's description; a field's doc comment is the argument's. An
/// argument whose name says it all has none: agents pay for each word. `as content` marks a
/// result of type [`Contents`](crate::content::Contents), `as unremembered` one that is not stored with an idempotency key.
macro_rules! tool {
    (@as content) => {
        const STRUCTURED: bool = false;
    };
    (@as unremembered) => {
        const IS_REMEMBERED: bool = false;
    };
    (
        $(#[$doc:meta])*
        $name:ident = $tool:literal on $host:ident, $effect:ident, for $audience:expr
            => $output:ty $(as $mark:ident)? {
            $(req { $( $(#[$req_doc:meta])* $req:ident: $req_type:ty, )* })?
            $(opt { $( $(#[$opt_doc:meta])* $opt:ident: $opt_type:ty $(= $default:tt)?, )* })?
        }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, crate::wire::Wire)]
        #[wire(strict)]
        pub struct $name {
            $($( $(#[$req_doc])* pub $req: $req_type, )*)?
            $($(
                $(#[$opt_doc])*
                #[wire(optional)]
                $(#[wire($default)])?
                pub $opt: $opt_type,
            )*)?
        }

        impl crate::tool::Tool for $name {
            type Output = $output;
            const NAME: &'static str = $tool;
            const HOST: crate::host::Host = crate::host::Host::$host;
            const EFFECT: crate::tool::Effect = crate::tool::Effect::$effect;
            const AUDIENCE: crate::role::Roles = $audience;
            $(crate::tool::tool! { @as $mark })?
        }
    };
}
pub(crate) use tool;

/// A resource without records: `tools![GetWeeklyUpdates]`.
macro_rules! tools {
    ($($tool:ident),+ $(,)?) => {
        /// The tools of this resource.
        pub const RESOURCE: crate::resource::Resource = crate::resource::Resource {
            tools: &[$(crate::tool::Declaration::of::<$tool>()),+],
            kinds: &[],
        };
    };
}
pub(crate) use tools;
