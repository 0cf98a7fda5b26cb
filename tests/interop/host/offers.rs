//! The suite's resources and prompts.

use std::borrow::Cow;

use frontdesk_protocol::Host;
use frontdesk_server::call::{Form, Message, Offers, Prompt, PromptArgument, Reading, Takes};

pub(crate) const OFFERS: Offers = Offers {
    readings: READINGS,
    entries: &[],
    prompts: PROMPTS,
};

const READINGS: &[Reading] = &[
    reading("test://static-text", "test_static_text", "", "text/plain"),
    reading(
        "test://static-binary",
        "test_image_content",
        "",
        "image/png",
    ),
    reading(
        "test://example-resource",
        "test_simple_text",
        "",
        "text/plain",
    ),
    reading(
        "test://watched-resource",
        "test_simple_text",
        "",
        "text/plain",
    ),
    reading(
        "test://template/{id}/data",
        "test_template",
        "id",
        "application/json",
    ),
];

const fn reading(
    uri: &'static str,
    tool: &'static str,
    argument: &'static str,
    mime_type: &'static str,
) -> Reading {
    Reading {
        host: Host::Skills,
        uri: Cow::Borrowed(uri),
        name: Cow::Borrowed(tool),
        tool,
        argument: Cow::Borrowed(argument),
        form: Form::Block(mime_type),
    }
}

const PROMPTS: &[Prompt] = &[
    prompt(
        "test_simple_prompt",
        &[],
        &[Message::Text("This is a simple prompt for testing.")],
    ),
    prompt(
        "test_prompt_with_arguments",
        &[argument("arg1"), argument("arg2")],
        &[Message::Text(
            "Prompt with arguments: arg1='{arg1}', arg2='{arg2}'",
        )],
    ),
    prompt(
        "test_prompt_with_embedded_resource",
        &[argument("resourceUri")],
        &[
            Message::Shows("{resourceUri}"),
            Message::Text("Please process the embedded resource above."),
        ],
    ),
    prompt(
        "test_input_required_result_prompt",
        &[argument("context")],
        &[Message::Text("Context: {context}")],
    ),
    prompt(
        "test_prompt_with_image",
        &[],
        &[
            Message::Shows("test://static-binary"),
            Message::Text("Please analyze the image above."),
        ],
    ),
];

const fn prompt(
    name: &'static str,
    arguments: &'static [PromptArgument],
    messages: &'static [Message],
) -> Prompt {
    Prompt {
        host: Host::Skills,
        name,
        description: "A prompt of the suite.",
        arguments,
        tools: &[],
        messages,
    }
}

const fn argument(name: &'static str) -> PromptArgument {
    PromptArgument {
        name,
        description: "An argument of the suite.",
        default: None,
        takes: Takes::Text,
    }
}
