//! The stream on which a host reports that the results of calls have changed.

use std::time::Duration;

use frontdesk_protocol::Host;
use frontdesk_protocol::mcp::{
    META_CAPABILITIES, META_VERSION, METHOD_HEADER, SESSIONLESS, VERSION_HEADER,
};
use http::Method;
use http::header::{ACCEPT, CONTENT_TYPE};
use serde_json::{Value, json};

use crate::answers::Answers;
use crate::client::Client;
use crate::error::CallError;
use crate::failure::Failure;
use crate::http::Http;
use crate::http::coding::Body;
use crate::stream::{Events, TooLarge};
use crate::trace::Tap;
use crate::transport::{LISTENING, Transport};

const LISTEN: &str = "subscriptions/listen";

/// What a stream about results tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// It is open, and about these addresses.
    Open(Vec<String>),
    /// The result at this address changed.
    Changed(String),
}

impl Heard {
    fn read(message: &Value) -> Option<Heard> {
        let params = &message["params"];
        match message["method"].as_str()? {
            "notifications/subscriptions/acknowledged" => {
                let about = &params["notifications"]["resourceSubscriptions"];
                let about = about.as_array().into_iter().flatten();
                let about = about.filter_map(Value::as_str).map(str::to_owned);
                Some(Heard::Open(about.collect()))
            }
            "notifications/resources/updated" => {
                Some(Heard::Changed(params["uri"].as_str()?.to_owned()))
            }
            _ => None,
        }
    }
}

impl Client {
    /// Listens to the changes of the results at these addresses
    /// ([`frontdesk_protocol::calls::address`]), until the host ends the stream. The host looks at them at most once in
    /// `pause`.
    ///
    /// # Errors
    /// As for a read; also if the host has no such streams.
    pub async fn listen(
        &self,
        host: Host,
        uris: &[String],
        pause: Duration,
        mut hear: impl FnMut(Heard) + Send,
    ) -> Result<(), CallError> {
        let base = self.addresses().base(host);
        let told = self.tell(host, uris, pause, &mut hear);
        told.await
            .map_err(|failure| failure.into_error(&base, true))
    }

    async fn tell(
        &self,
        host: Host,
        uris: &[String],
        pause: Duration,
        hear: &mut (impl FnMut(Heard) + Send),
    ) -> Result<(), Failure> {
        let (http, bearer, tap) = self.parts_of(host);
        let transport = Transport::new(http.clone(), bearer, Answers::new(false, tap.clone()));
        let body = request(uris, pause).to_string();
        tap.sent(body.as_bytes());
        let build = |uri: &str| {
            http.request(Method::POST, uri)
                .header(ACCEPT, "application/json, text/event-stream")
                .header(CONTENT_TYPE, "application/json")
                .header(VERSION_HEADER, SESSIONLESS)
                .header(METHOD_HEADER, LISTEN)
                .timeout(LISTENING)
                .body(body.clone())
        };
        let address = self.addresses().mcp(host);
        let response = transport.send(&address, false, build).await?;
        if !response.status().is_success() {
            let refusal = Http::read(response).await?.refusal();
            return Err(Failure::Status(Box::new(refusal)));
        }
        follow(Body::of(response)?, &tap, hear).await
    }
}

/// Reads a stream to its end.
async fn follow(
    mut body: Body,
    tap: &Tap,
    hear: &mut (impl FnMut(Heard) + Send),
) -> Result<(), Failure> {
    let mut events = Events::default();
    while let Some(chunk) = body.chunk().await? {
        let mut read = Vec::new();
        let too_large = |TooLarge| Failure::NotProtocol("the message is too large".to_owned());
        events.read(&chunk, &mut read).map_err(too_large)?;
        for data in read.into_iter().filter_map(|event| event.data) {
            tap.heard(data.as_bytes());
            let message = serde_json::from_str(&data).unwrap_or_default();
            if let Some(heard) = Heard::read(&message) {
                hear(heard);
            }
        }
    }
    Ok(())
}

fn request(uris: &[String], pause: Duration) -> Value {
    let meta = json!({
        META_VERSION: SESSIONLESS, META_CAPABILITIES: {}, "frontdesk/pause": pause.as_secs(),
    });
    json!({
        "jsonrpc": "2.0", "id": 1, "method": LISTEN,
        "params": { "notifications": { "resourceSubscriptions": uris }, "_meta": meta },
    })
}
