//! The methods of a host, one row each. What a host announces follows from them.

use axum::http::StatusCode;
use frontdesk_protocol::changes::EXTENSION;
use frontdesk_protocol::mcp::Revision;
use frontdesk_protocol::rpc::{self, code};
use futures::future::BoxFuture;
use serde::de::IgnoredAny;
use serde_json::{Map, Value, json};

use super::asked::Asked;
use super::envelope::Envelope;
use super::refusal::Refusal;
use super::session::Session;
use super::{completion, handshake, life, listing, prompts, resources, subscribe};

/// The result of a method as JSON text.
type Answering<'a> = BoxFuture<'a, Result<String, Refusal>>;

/// The revisions that have a method.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Eras {
    /// Those with a handshake.
    Sessions,
    /// The one without.
    Sessionless,
    All,
}

/// A method.
struct Method {
    name: &'static str,
    eras: Eras,
    answer: for<'a> fn(&'a Asked<'a>, Revision, &'a Envelope<'a>) -> Answering<'a>,
}

impl Method {
    const fn new(
        name: &'static str,
        eras: Eras,
        answer: for<'a> fn(&'a Asked<'a>, Revision, &'a Envelope<'a>) -> Answering<'a>,
    ) -> Self {
        Method { name, eras, answer }
    }

    fn is_in(&self, revision: Revision) -> bool {
        match self.eras {
            Eras::All => true,
            Eras::Sessions => revision != Revision::Sessionless,
            Eras::Sessionless => revision == Revision::Sessionless,
        }
    }
}

/// All methods but `initialize`, which opens the session that the others need, and `subscriptions/listen`, which answers
/// with a stream.
const METHODS: &[Method] = &[
    Method::new("ping", Eras::Sessions, |_, _, envelope| {
        Box::pin(async { Ok(envelope.params::<IgnoredAny>().map(|_| "{}".to_owned())?) })
    }),
    Method::new(
        "server/discover",
        Eras::Sessionless,
        |asked, revision, _| Box::pin(handshake::discover(asked, capabilities(asked, revision))),
    ),
    Method::new("tools/list", Eras::All, |asked, revision, envelope| {
        Box::pin(listing::list(asked, revision, envelope))
    }),
    Method::new("tools/call", Eras::All, |asked, revision, envelope| {
        Box::pin(async move {
            let lived = life::live(asked, revision, envelope.params()?).await;
            lived.or_else(|end| end.answer(revision))
        })
    }),
    Method::new("resources/list", Eras::All, |asked, revision, envelope| {
        Box::pin(resources::list(asked, revision, envelope))
    }),
    Method::new(
        "resources/templates/list",
        Eras::All,
        |asked, revision, envelope| Box::pin(resources::templates(asked, revision, envelope)),
    ),
    Method::new("resources/read", Eras::All, |asked, revision, envelope| {
        Box::pin(resources::read(asked, revision, envelope))
    }),
    Method::new(
        "resources/subscribe",
        Eras::Sessions,
        |asked, revision, envelope| Box::pin(subscribe::subscribe(asked, revision, envelope)),
    ),
    Method::new(
        "resources/unsubscribe",
        Eras::Sessions,
        |asked, _, envelope| Box::pin(subscribe::unsubscribe(asked, envelope)),
    ),
    Method::new("prompts/list", Eras::All, |asked, revision, envelope| {
        Box::pin(prompts::list(asked, revision, envelope))
    }),
    Method::new("prompts/get", Eras::All, |asked, revision, envelope| {
        Box::pin(prompts::get(asked, revision, envelope))
    }),
    Method::new(
        "completion/complete",
        Eras::All,
        |asked, revision, envelope| Box::pin(completion::complete(asked, revision, envelope)),
    ),
];

/// What a host offers: a capability for each group of methods.
fn capabilities(asked: &Asked<'_>, revision: Revision) -> Value {
    const GROUPS: [(&str, &str); 4] = [
        ("tools/", "tools"),
        ("resources/", "resources"),
        ("prompts/", "prompts"),
        ("completion/", "completions"),
    ];
    let mut capabilities = Map::new();
    for method in METHODS.iter().filter(|method| method.is_in(revision)) {
        let mut groups = GROUPS.iter();
        if let Some((_, name)) = groups.find(|(group, _)| method.name.starts_with(group)) {
            capabilities.entry(*name).or_insert_with(|| json!({}));
        }
    }
    if subscribe::is_offered(asked) {
        capabilities["resources"] = json!({ "subscribe": true });
    }
    capabilities.insert("experimental".to_owned(), json!({ EXTENSION: {} }));
    capabilities.into()
}

/// Opens a session. Returns the result as JSON text.
pub(super) async fn initialize(
    asked: &Asked<'_>,
    envelope: &Envelope<'_>,
) -> Result<(String, Session), Refusal> {
    handshake::initialize(asked, envelope, |version| {
        capabilities(asked, Revision::Session(version))
    })
    .await
}

/// Answers a message, with or without a session. Returns the result as JSON text; `None` for a notification.
pub(super) async fn answer(
    asked: &Asked<'_>,
    revision: Revision,
    envelope: &Envelope<'_>,
) -> Result<Option<String>, Refusal> {
    let Some(name) = envelope.method.as_deref() else {
        // A response. JSON-RPC defines no reply to it.
        return Ok(None);
    };
    if envelope.id.is_none() {
        return Ok(None);
    }
    let mut methods = METHODS.iter();
    let method = methods.find(|method| method.name == name && method.is_in(revision));
    match method {
        Some(method) => (method.answer)(asked, revision, envelope).await.map(Some),
        None => Err(unknown(asked, name, revision)),
    }
}

fn unknown(asked: &Asked<'_>, name: &str, revision: Revision) -> Refusal {
    let status = match revision {
        Revision::Session(_) => StatusCode::OK,
        Revision::Sessionless => StatusCode::NOT_FOUND,
    };
    let known = METHODS.iter().filter(|method| method.is_in(revision));
    let listens = revision == Revision::Sessionless && subscribe::is_offered(asked);
    let streams = listens.then_some(subscribe::LISTEN);
    let known: Vec<_> = known.map(|method| method.name).chain(streams).collect();
    let message = format!(
        "there is no method `{name}`; this host has {}",
        known.join(", ")
    );
    Refusal::rpc(status, rpc::Error::new(code::METHOD_NOT_FOUND, message))
}
