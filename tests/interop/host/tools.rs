//! The suite's tools that belong to what our hosts advertise, and those that read its resources. Those for logging and tasks
//! are not here.

use frontdesk_protocol::content::{Content, Contents, Resource};
use frontdesk_protocol::wire::Wire;
use frontdesk_protocol::{ErrorCode, ToolError};
use frontdesk_server::call::{Answer, Call, Handler, Outcome, Route};

use serde_json::json;

use crate::asks;
use crate::progress::WithProgress;
use crate::schema::SchemaKeywords;

/// A picture of one pixel.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
/// Silence, 8 samples of it.
const WAV: &str = "UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQgAAACAgICAgICAgA==";

/// The tools, in the order in which they are listed.
pub(crate) const ROUTES: &[&[Route]] = &[
    &[
        Route::to::<SimpleText>(),
        Route::to::<ImageContent>(),
        Route::to::<AudioContent>(),
        Route::to::<EmbeddedResource>(),
        Route::to::<MultipleContentTypes>(),
        Route::to::<ErrorHandling>(),
        Route::to::<Streaming>(),
        Route::to::<Logging>(),
        Route::to::<SchemaKeywords>(),
        Route::to::<WithProgress>(),
        Route::to::<StaticText>(),
        Route::to::<Template>(),
        Route::to::<Region>(),
    ],
    asks::ROUTES,
];

/// A tool without arguments that shows something.
macro_rules! fixture {
    ($(#[$doc:meta])* $name:ident = $tool:literal => $outcome:expr) => {
        $(#[$doc])*
        #[derive(Debug, Wire)]
        #[wire(strict)]
        pub(crate) struct $name {}

        shows!($name = $tool);

        impl Handler for $name {
            async fn handle(self, _: &mut Call) -> Outcome<Contents> {
                Answer::of(&Contents($outcome?))
            }
        }
    };
}

type Blocks = Result<Vec<Content>, ToolError>;

fn said(text: &str) -> Content {
    Content::Text {
        text: text.to_owned(),
    }
}

fn image() -> Content {
    Content::Image {
        data: PNG.to_owned(),
        mime_type: "image/png".to_owned(),
    }
}

fn resource(uri: &str, mime_type: &str, text: &str) -> Content {
    Content::Resource {
        resource: Resource {
            uri: uri.to_owned(),
            mime_type: mime_type.to_owned(),
            text: text.to_owned(),
        },
    }
}

fixture! {
    /// Says a sentence.
    SimpleText = "test_simple_text"
        => Blocks::Ok(vec![said("This is a simple text response for testing.")])
}
fixture! {
    /// Shows a picture.
    ImageContent = "test_image_content" => Blocks::Ok(vec![image()])
}
fixture! {
    /// Lets one hear something.
    AudioContent = "test_audio_content" => Blocks::Ok(vec![Content::Audio {
        data: WAV.to_owned(),
        mime_type: "audio/wav".to_owned(),
    }])
}
fixture! {
    /// Hands over a document.
    EmbeddedResource = "test_embedded_resource" => Blocks::Ok(vec![resource(
        "test://embedded-resource",
        "text/plain",
        "This is an embedded resource content.",
    )])
}
fixture! {
    /// Says, shows and hands over.
    MultipleContentTypes = "test_multiple_content_types" => Blocks::Ok(vec![
        said("Multiple content types test:"),
        image(),
        resource(
            "test://mixed-content-resource",
            "application/json",
            r#"{"test":"data","value":123}"#,
        ),
    ])
}
fixture! {
    /// Refuses.
    ErrorHandling = "test_error_handling" => Blocks::Err(ToolError::new(
        ErrorCode::Refused,
        "This tool intentionally returns an error for testing",
    ))
}
fixture! {
    /// Asks nothing back, whatever the client can answer.
    Streaming = "test_streaming_elicitation" => Blocks::Ok(vec![said("Nothing was asked.")])
}
fixture! {
    /// Writes no log to the client.
    Logging = "test_logging_tool" => Blocks::Ok(vec![said("Nothing was logged.")])
}
fixture! {
    /// Says what the suite's static resource says.
    StaticText = "test_static_text"
        => Blocks::Ok(vec![said("This is the content of the static text resource.")])
}

/// Says which of the suite's templated resources it is.
#[derive(Debug, Wire)]
#[wire(strict)]
pub(crate) struct Template {
    id: String,
}

shows!(Template = "test_template");

impl Handler for Template {
    async fn handle(self, _: &mut Call) -> Outcome<Contents> {
        let id = &self.id;
        let data = json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") });
        Answer::of(&Contents(vec![said(&data.to_string())]))
    }
}

/// Says which region its request names, in a header as well.
#[derive(Debug, Wire)]
#[wire(strict)]
pub(crate) struct Region {
    #[wire(header = "Region")]
    region: String,
}

shows!(Region = "test_region");

impl Handler for Region {
    async fn handle(self, _: &mut Call) -> Outcome<Contents> {
        Answer::of(&Contents(vec![said(&self.region)]))
    }
}
