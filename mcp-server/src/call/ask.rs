//! What a handler asks of the client of its call: a person fills in a form, its model writes a text, it names its folders.
//! The handler is run again from its start once the answers are there, so that nothing is held while a person thinks.

use frontdesk_protocol::{ErrorCode, ToolError};
use serde_json::{Map, Value, json};

use super::Call;

/// The maximum size of an answer in bytes.
pub const MOST_ANSWERED: usize = 16 * 1024;

/// Something that clients can declare to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capability {
    /// A person fills in forms.
    Elicitation = 0x80,
    /// A model writes.
    Sampling = 0x40,
    /// It names the folders that it works in.
    Roots = 0x20,
}

impl Capability {
    const ALL: [Capability; 3] = [
        Capability::Elicitation,
        Capability::Sampling,
        Capability::Roots,
    ];

    /// Its name in the capabilities of a client.
    pub fn name(self) -> &'static str {
        match self {
            Capability::Elicitation => "elicitation",
            Capability::Sampling => "sampling",
            Capability::Roots => "roots",
        }
    }

    /// The refusal of a call whose client does not answer.
    pub(crate) fn missing(self) -> ToolError {
        let message = "this tool asks for input, which is missing; nothing was changed";
        let hint = format!("call it with a client that declares {}", self.name());
        ToolError::new(ErrorCode::Refused, message).hint(hint)
    }

    fn is_in(self, capabilities: &Map<String, Value>) -> bool {
        let declared = capabilities.get(self.name()).and_then(Value::as_object);
        // Elicitation has other ways beside forms, which are its default.
        let has_forms = |ways: &Map<String, Value>| ways.is_empty() || ways.contains_key("form");
        declared.is_some_and(|ways| self != Capability::Elicitation || has_forms(ways))
    }
}

/// What a client answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Capabilities(u8);

impl Capabilities {
    /// The bits of a session's token that they take.
    pub(crate) const BITS: u8 = 0xE0;

    /// Those that the client declares.
    pub(crate) fn of(declared: &Map<String, Value>) -> Capabilities {
        let all = Capability::ALL.into_iter();
        let has = all.filter(|one| one.is_in(declared));
        Capabilities(has.fold(0, |bits, one| bits | one as u8))
    }

    /// Those of these bits.
    pub(crate) fn from_bits(bits: u8) -> Capabilities {
        Capabilities(bits & Capabilities::BITS)
    }

    pub(crate) fn bits(self) -> u8 {
        self.0
    }

    /// Whether the client answers nothing.
    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the client answers this.
    pub fn has(self, capability: Capability) -> bool {
        self.0 & capability as u8 != 0
    }
}

/// Something to ask.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// A person fills in a form, or declines.
    Form {
        /// What is asked.
        message: String,
        /// The JSON Schema of the form: an object of plain fields.
        schema: Value,
    },
    /// The client's model writes: the parameters of `sampling/createMessage`.
    Sampling(Value),
    /// The folders that the client works in.
    Roots,
}

impl Request {
    /// What the client needs to answer it.
    pub fn capability(&self) -> Capability {
        match self {
            Request::Form { .. } => Capability::Elicitation,
            Request::Sampling(_) => Capability::Sampling,
            Request::Roots => Capability::Roots,
        }
    }

    /// Its method on the wire.
    pub(crate) fn method(&self) -> &'static str {
        match self {
            Request::Form { .. } => "elicitation/create",
            Request::Sampling(_) => "sampling/createMessage",
            Request::Roots => "roots/list",
        }
    }

    /// Its parameters on the wire.
    pub(crate) fn params(&self) -> Value {
        match self {
            Request::Form { message, schema } => {
                json!({ "mode": "form", "message": message, "requestedSchema": schema })
            }
            Request::Sampling(params) => params.clone(),
            Request::Roots => json!({}),
        }
    }

    /// The answer of a client that reports an error, or cancels.
    pub(crate) fn unanswered(&self) -> Value {
        match self {
            Request::Form { .. } => json!({ "action": "cancel" }),
            Request::Sampling(_) | Request::Roots => Value::Null,
        }
    }

    /// What is wrong with an answer.
    fn wrong(&self, answer: &Value) -> Option<String> {
        if answer.to_string().len() > MOST_ANSWERED {
            return Some(format!("has at most {MOST_ANSWERED} bytes"));
        }
        match self {
            Request::Form { schema, .. } => match answer["action"].as_str() {
                Some("accept") => wrong_content(schema, &answer["content"]),
                Some("decline" | "cancel") => None,
                _ => Some("needs an `action`: accept, decline or cancel".to_owned()),
            },
            Request::Sampling(_)
                if !answer["content"].is_object() && !answer["content"].is_array() =>
            {
                Some("needs the `content` of a message".to_owned())
            }
            Request::Roots if !answer["roots"].is_array() => {
                Some("needs a list of `roots`".to_owned())
            }
            Request::Sampling(_) | Request::Roots => None,
        }
    }
}

/// The content of a filled-in form.
///
/// # Errors
/// `refused` if the person did not fill it in.
pub fn content(answer: &Value) -> Result<&Value, ToolError> {
    match answer["action"] == "accept" {
        true => Ok(&answer["content"]),
        false => Err(ToolError::new(
            ErrorCode::Refused,
            "the person who was asked did not answer; nothing was changed",
        )),
    }
}

/// What is wrong with the content of a form. Further fields are ignored.
fn wrong_content(schema: &Value, content: &Value) -> Option<String> {
    let fields = schema["properties"].as_object().into_iter().flatten();
    let is_required = |name: &str| {
        let required = schema["required"].as_array();
        required.is_some_and(|names| names.iter().any(|one| one == name))
    };
    let mut wrong = fields.filter(|(name, schema)| match content.get(name.as_str()) {
        Some(value) => !fits(schema, value),
        None => is_required(name),
    });
    let (name, schema) = wrong.next()?;
    Some(format!("needs a `content.{name}` of the schema {schema}"))
}

/// Whether a value fits the schema of a plain field.
fn fits(schema: &Value, value: &Value) -> bool {
    let bound = |name: &str| schema[name].as_f64();
    let is_within = |size: f64, least: &str, most: &str| {
        bound(least).is_none_or(|least| size >= least)
            && bound(most).is_none_or(|most| size <= most)
    };
    let is_number = || {
        value
            .as_f64()
            .is_some_and(|it| is_within(it, "minimum", "maximum"))
    };
    let is_of_type = match schema["type"].as_str() {
        Some("string") => value
            .as_str()
            .is_some_and(|text| is_within(text.chars().count() as f64, "minLength", "maxLength")),
        Some("integer") => value.as_f64().is_some_and(|it| it.fract() == 0.0) && is_number(),
        Some("number") => is_number(),
        Some("boolean") => value.is_boolean(),
        Some("array") => value.as_array().is_some_and(|items| {
            is_within(items.len() as f64, "minItems", "maxItems")
                && items.iter().all(|item| fits(&schema["items"], item))
        }),
        _ => true,
    };
    is_of_type && words(schema).is_none_or(|words| words.contains(&value))
}

/// The values between which a field chooses.
fn words(schema: &Value) -> Option<Vec<&Value>> {
    if let Some(words) = schema["enum"].as_array() {
        return Some(words.iter().collect());
    }
    let titled = schema["oneOf"].as_array().or(schema["anyOf"].as_array())?;
    Some(titled.iter().map(|one| &one["const"]).collect())
}

/// What the client of a call answers, and has answered.
#[derive(Debug, Clone, Default)]
pub struct Inputs {
    /// What it answers.
    pub client: Capabilities,
    /// Its answers by the keys of the questions. Nobody has checked them.
    pub answers: Map<String, Value>,
}

/// What a handler has asked.
#[derive(Debug, Clone, Default)]
pub struct Asks {
    /// What is still to be answered, by key.
    pub missing: Vec<(String, Request)>,
    /// The answers that it got.
    pub answered: Map<String, Value>,
    /// The refusal of a wrong answer.
    pub wrong: Option<ToolError>,
}

impl Asks {
    /// The result of the answer under this key; without one the request becomes a question.
    ///
    /// # Errors
    /// `refused` while there is no answer, and for a wrong one.
    pub(crate) fn ask(
        &mut self,
        inputs: &Inputs,
        key: &str,
        request: Request,
    ) -> Result<Value, ToolError> {
        let Some(answer) = inputs.answers.get(key) else {
            let error = request.capability().missing();
            self.missing.push((key.to_owned(), request));
            return Err(error);
        };
        if let Some(wrong) = request.wrong(answer) {
            let message = format!("the answer to `{key}` {wrong}");
            let error = ToolError::new(ErrorCode::Refused, message);
            return Err(self.wrong.insert(error).clone());
        }
        self.answered.insert(key.to_owned(), answer.clone());
        Ok(answer.clone())
    }
}

impl Call {
    /// Whether the client of this call answers this.
    pub fn can_ask(&self, capability: Capability) -> bool {
        let inputs = self.server.inputs.as_ref();
        inputs.is_some_and(|inputs| inputs.client.has(capability))
    }

    /// Asks the client of this call under a key of this handler. The result of its answer, once it is there: until then,
    /// an error with which the handler ends, and after which it is run again from its start. Several questions are asked
    /// at once if the handler asks them all before it ends.
    ///
    /// A form's result has the `action`, and the `content` if that is `accept`; see [`content`].
    ///
    /// # Errors
    /// `refused` while there is no answer, also if there can be none: in a batch, and for a client that does not answer.
    pub fn ask(&mut self, key: &str, request: Request) -> Result<Value, ToolError> {
        let Some(inputs) = &self.server.inputs else {
            let message =
                "this tool asks for input, and nobody can be asked here; nothing was changed";
            let name = request.capability().name();
            let hint = format!("call it alone, with a client that declares {name}");
            return Err(ToolError::new(ErrorCode::Refused, message).hint(hint));
        };
        let asks = self.effect.asks.get_or_insert_default();
        asks.ask(inputs, key, request)
    }
}
