//! The hosts with `rmcp`, the official Rust client, over its own transport, in every revision that it negotiates. Other
//! people's clients that are no crates are run by `tests/interop/run`.

use std::time::Duration;

use frontdesk_protocol::{Host, Role};
use frontdesk_server::clock::Clock;
use frontdesk_server::database::Location;
use frontdesk_server::identity::IdentitySettings;
use frontdesk_server::server::{Server, Settings};
use frontdesk_server::wire::SESSION_LIFETIME;
use frontdesk_tests::builder::PASSWORD;
use frontdesk_tests::world::identity;
use frontdesk_tests::{Http, Organization, run, world};
use rmcp::RoleClient;
use rmcp::model::{CallToolRequestParams, ClientConfig, Implementation, ProtocolVersion};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::{Value, json};

type Client = RunningService<RoleClient, ClientConfig>;

/// How long anything may take; far longer than all of it does.
const PATIENCE: Duration = Duration::from_secs(600);

/// What comes of this. A client that cannot make sense of an answer may ask for ever, or wait for another
/// one.
async fn soon<T>(what: &str, version: &ProtocolVersion, coming: impl Future<Output = T>) -> T {
    let come = tokio::time::timeout(PATIENCE, coming).await;
    come.unwrap_or_else(|_| panic!("{version}: {what} did not come to an end"))
}

/// A server with its own clock, whose tokens outlast a session.
struct Stage {
    organization: Organization,
    server: Server,
    clock: Clock,
}

impl Stage {
    async fn set(calls_per_minute: u32) -> Stage {
        let clock = Clock::with_manual_limits();
        let settings = Settings {
            calls_per_minute,
            clock: clock.clone(),
            identity: IdentitySettings {
                access_lifetime: 2 * SESSION_LIFETIME,
                ..identity()
            },
            ..Settings::local(Location::Memory)
        };
        Stage {
            organization: Organization::create().await,
            server: world().server_with(settings).await,
            clock,
        }
    }

    async fn sign_in(&self, role: Role) -> String {
        let email = self.organization.email(role);
        Http::sign_in(&self.server.url(), &email, PASSWORD)
            .await
            .token
    }

    /// A client of this revision, or the text of the error.
    async fn open(
        &self,
        host: Host,
        version: &ProtocolVersion,
        token: &str,
    ) -> Result<Client, String> {
        let http = reqwest::Client::builder()
            .no_proxy()
            .build()
            .expect("a client");
        let config = StreamableHttpClientTransportConfig::with_uri(format!(
            "{}/{host}/mcp",
            self.server.url()
        ))
        .auth_header(token);
        let transport = StreamableHttpClientTransport::with_client(http, config);
        let mut info = ClientConfig::new(
            Default::default(),
            Implementation::new("frontdesk-interop", "0"),
        );
        info.protocol_version = version.clone();
        let lifecycle = if version.has_initialize() {
            ClientLifecycleMode::Initialize
        } else {
            ClientLifecycleMode::Discover {
                preferred_versions: vec![version.clone()],
            }
        };
        let opened = info.serve_with_lifecycle(transport, lifecycle);
        let opened = soon("the handshake", version, opened).await;
        opened.map_err(|error| format!("{error:?}"))
    }
}

fn call(tool: &'static str, arguments: Value) -> CallToolRequestParams {
    let Value::Object(arguments) = arguments else {
        panic!("arguments are an object")
    };
    CallToolRequestParams::new(tool).with_arguments(arguments)
}

/// What an error is made of, in the client's own words.
fn words(error: impl std::fmt::Debug) -> String {
    format!("{error:?}")
}

const ALL: &[ProtocolVersion] = ProtocolVersion::KNOWN_VERSIONS;

#[test]
fn tools_are_listed_and_called_and_refuse() {
    run(async {
        let stage = Stage::set(0).await;
        let event = stage.organization.event("Launch").await;
        let staff = stage.sign_in(Role::Staff).await;
        for version in ALL {
            let client = stage
                .open(Host::Events, version, &staff)
                .await
                .expect("it opens");
            let peer = client.peer_info().expect("a server");
            assert_eq!(peer.protocol_version, *version);
            let tools = soon("the list", version, client.list_all_tools()).await;
            let tools = tools.expect("tools");
            assert_eq!(tools.len(), Host::Events.tools().count(), "{version}");

            let got = client.call_tool(call("get_event", json!({ "id": event })));
            let got = soon("a call", version, got).await.expect("a result");
            assert_eq!(got.is_error, Some(false), "{version}");
            let text = &got.content[0].as_text().expect("text").text;
            assert!(text.contains("Launch"), "{version}: {text}");
            assert_eq!(
                got.structured_content.is_some(),
                *version >= ProtocolVersion::V_2025_06_18,
                "{version}"
            );

            let refused = client.call_tool(call("get_event", json!({ "id": "one" })));
            let refused = soon("a call that is refused", version, refused).await;
            let refused = refused.expect("a result");
            assert_eq!(refused.is_error, Some(true), "{version}");
            let text = &refused.content[0].as_text().expect("text").text;
            assert!(text.contains("invalid_argument"), "{version}: {text}");
        }
    });
}

#[test]
fn a_wrong_token_and_a_missing_right_are_told() {
    run(async {
        let stage = Stage::set(0).await;
        let event = stage.organization.event("Launch").await;
        let teacher = stage.sign_in(Role::Teacher).await;
        for version in ALL {
            let error = stage
                .open(Host::Events, version, "nobody")
                .await
                .expect_err("a 401");
            assert!(error.contains("AuthRequired"), "{version}: {error}");

            let client = stage
                .open(Host::Events, version, &teacher)
                .await
                .expect("it opens");
            let mine = call("update_event", json!({ "id": event, "name": "Mine" }));
            let refused = soon("a forbidden call", version, client.call_tool(mine)).await;
            let error = words(refused.expect_err("a 403"));
            assert!(error.contains("403"), "{version}: {error}");
        }
    });
}

#[test]
fn a_session_that_is_over_is_opened_anew() {
    run(async {
        for version in ALL {
            let stage = Stage::set(0).await;
            let staff = stage.sign_in(Role::Staff).await;
            let client = stage
                .open(Host::Events, version, &staff)
                .await
                .expect("it opens");
            let mut other = Http::with_token(&stage.server.url(), &staff);
            other.session(Host::Events).await;
            stage.clock.advance(SESSION_LIFETIME);
            let over = other.rpc(Host::Events, "ping", json!({})).await;
            assert_eq!(over.status, 404, "{version}: there is no end to a session");
            let listed = client.call_tool(call("list_events", json!({})));
            let listed = soon("a call in a session that is over", version, listed).await;
            assert_eq!(listed.expect("a result").is_error, Some(false), "{version}");
        }
    });
}

#[test]
fn too_many_calls_are_told() {
    run(async {
        for version in ALL {
            let stage = Stage::set(10).await;
            let staff = stage.sign_in(Role::Staff).await;
            let client = stage
                .open(Host::Events, version, &staff)
                .await
                .expect("it opens");
            // A list may be kept by the client; a call is always made.
            let mut error = None;
            for _ in 0..20 {
                let called = client.call_tool(call("list_events", json!({})));
                if let Err(refused) = soon("one call too many", version, called).await {
                    error = Some(words(refused));
                    break;
                }
            }
            let error = error.expect("a 429");
            assert!(error.contains("429"), "{version}: {error}");
            stage.clock.advance(Duration::from_secs(60));
            let again = client.call_tool(call("list_events", json!({})));
            let again = soon("a call a minute later", version, again).await;
            assert_eq!(again.expect("a result").is_error, Some(false), "{version}");
        }
    });
}
