//! The suite's tools that ask their client: a person, a model, or for its folders.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::content::{Content, Contents};
use frontdesk_protocol::wire::Wire;
use frontdesk_server::call::{Answer, Call, Capability, Handler, Outcome, Request, Route};
use serde_json::{Value, json};

/// The tools, in the order in which they are listed.
pub(crate) const ROUTES: &[Route] = &[
    Route::to::<Sampling>(),
    Route::to::<Elicitation>(),
    Route::to::<Defaults>(),
    Route::to::<Choices>(),
    Route::to::<UserName>(),
    Route::to::<Capital>(),
    Route::to::<Roots>(),
    Route::to::<Confirmation>(),
    Route::to::<TamperedState>(),
    Route::to::<Several>(),
    Route::to::<Rounds>(),
    Route::to::<WhatIsDeclared>(),
    Route::to::<MissingCapability>(),
];

/// A tool that says what it was answered.
macro_rules! asks {
    ($(#[$doc:meta])* $name:ident { $($field:ident),* } = $tool:literal => |$call:ident| $said:expr) => {
        $(#[$doc])*
        #[derive(Debug, Wire)]
        #[wire(strict)]
        pub(crate) struct $name {
            $($field: String,)*
        }

        shows!($name = $tool);

        impl Handler for $name {
            async fn handle(self, $call: &mut Call) -> Outcome<Contents> {
                let $name { $($field),* } = self;
                let text = $said;
                Answer::of(&Contents(vec![Content::Text { text }]))
            }
        }
    };
}

type Answered = Result<Value, ToolError>;

fn form(call: &mut Call, key: &str, message: &str, fields: Value, required: Value) -> Answered {
    let schema = json!({ "type": "object", "properties": fields, "required": required });
    let message = message.to_owned();
    call.ask(key, Request::Form { message, schema })
}

/// Asks for one text.
fn text(call: &mut Call, key: &str, message: &str, field: &str) -> Answered {
    let fields = json!({ field: { "type": "string" } });
    form(call, key, message, fields, json!([field]))
}

/// Asks for a yes.
fn yes(call: &mut Call) -> Answered {
    let fields = json!({ "ok": { "type": "boolean" } });
    form(call, "confirm", "Please confirm", fields, json!(["ok"]))
}

fn sample(call: &mut Call, key: &str, prompt: &str, tokens: u32) -> Answered {
    let content = json!({ "type": "text", "text": prompt });
    let messages = json!([{ "role": "user", "content": content }]);
    let params = json!({ "messages": messages, "maxTokens": tokens });
    call.ask(key, Request::Sampling(params))
}

fn completed(answer: &Value) -> String {
    let (action, content) = (&answer["action"], &answer["content"]);
    let action = action.as_str().unwrap_or_default();
    format!("Elicitation completed: action={action}, content={content}")
}

asks! {
    /// Has the client's model write.
    Sampling { prompt } = "test_sampling" => |call| {
        let answer = sample(call, "response", &prompt, 100)?;
        format!("LLM response: {}", answer["content"])
    }
}
asks! {
    /// Asks for a name and an address.
    Elicitation { message } = "test_elicitation" => |call| {
        let fields = json!({
            "username": { "type": "string", "description": "User's response" },
            "email": { "type": "string", "description": "User's email address" },
        });
        let answer = form(call, "user", &message, fields, json!(["username", "email"]))?;
        format!("User response: {answer}")
    }
}
asks! {
    /// Asks with defaults.
    Defaults {} = "test_elicitation_sep1034_defaults" => |call| {
        let fields = json!({
            "name": { "type": "string", "default": "John Doe" },
            "age": { "type": "integer", "default": 30 },
            "score": { "type": "number", "default": 95.5 },
            "status": { "type": "string", "enum": ["active", "inactive", "pending"], "default": "active" },
            "verified": { "type": "boolean", "default": true },
        });
        completed(&form(call, "profile", "Review the profile", fields, json!([]))?)
    }
}
asks! {
    /// Asks with choices of all kinds.
    Choices {} = "test_elicitation_sep1330_enums" => |call| {
        let options = json!(["option1", "option2", "option3"]);
        let titled = |what: &str| json!([
            { "const": "value1", "title": format!("First {what}") },
            { "const": "value2", "title": format!("Second {what}") },
            { "const": "value3", "title": format!("Third {what}") },
        ]);
        let fields = json!({
            "untitledSingle": { "type": "string", "enum": options },
            "titledSingle": { "type": "string", "oneOf": titled("Option") },
            "legacyEnum": {
                "type": "string", "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"],
            },
            "untitledMulti": { "type": "array", "items": { "type": "string", "enum": options } },
            "titledMulti": { "type": "array", "items": { "anyOf": titled("Choice") } },
        });
        completed(&form(call, "choices", "Choose", fields, json!([]))?)
    }
}
asks! {
    /// Greets a person by name.
    UserName {} = "test_input_required_result_elicitation" => |call| {
        let answer = text(call, "user_name", "What is your name?", "name")?;
        format!("Hello, {}!", answer["content"]["name"].as_str().unwrap_or("stranger"))
    }
}
asks! {
    /// Asks a model for a capital.
    Capital {} = "test_input_required_result_sampling" => |call| {
        let answer = sample(call, "capital_question", "What is the capital of France?", 100)?;
        answer["content"].to_string()
    }
}
asks! {
    /// Names the client's folders.
    Roots {} = "test_input_required_result_list_roots"
        => |call| call.ask("client_roots", Request::Roots)?["roots"].to_string()
}
asks! {
    /// Asks for a yes.
    Confirmation {} = "test_input_required_result_request_state" => |call| {
        format!("state-ok: {}", yes(call)?["content"])
    }
}
asks! {
    /// Asks for a yes, too.
    TamperedState {} = "test_input_required_result_tampered_state"
        => |call| yes(call)?["content"].to_string()
}
asks! {
    /// Asks everything at once.
    Several {} = "test_input_required_result_multiple_inputs" => |call| {
        let name = text(call, "user_name", "What is your name?", "name");
        let greeting = sample(call, "greeting", "Generate a greeting", 50);
        let roots = call.ask("client_roots", Request::Roots);
        format!("{} {} {}", name?, greeting?, roots?)
    }
}
asks! {
    /// Asks twice.
    Rounds {} = "test_input_required_result_multi_round" => |call| {
        let name = text(call, "step1", "Step 1: What is your name?", "name")?;
        let color = text(call, "step2", "Step 2: What is your favorite color?", "color")?;
        format!("{} likes {}", name["content"]["name"], color["content"]["color"])
    }
}
asks! {
    /// Asks what the client declares to answer.
    WhatIsDeclared {} = "test_input_required_result_capabilities" => |call| {
        let mut answers = Vec::new();
        if call.can_ask(Capability::Elicitation) {
            answers.push(text(call, "user_name", "What is your name?", "name"));
        }
        if call.can_ask(Capability::Sampling) {
            answers.push(sample(call, "greeting", "Generate a greeting", 50));
        }
        let answers: Result<Vec<Value>, ToolError> = answers.into_iter().collect();
        Value::from(answers?).to_string()
    }
}
asks! {
    /// Needs a model.
    MissingCapability {} = "test_missing_capability"
        => |call| sample(call, "greeting", "Generate a greeting", 50)?["content"].to_string()
}
