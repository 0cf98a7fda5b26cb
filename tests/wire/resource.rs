//! RFC 9728: the metadata of a host's sign-in, and the address of it in every 401.

use std::collections::BTreeMap;

use axum::Router;
use axum::routing::get;
use frontdesk_client::config::servers::{HttpServer, ServerConfig};
use frontdesk_protocol::Host;
use frontdesk_server::database::Location;
use frontdesk_server::identity::{IdentitySettings, OutsideKeys, OutsideProvider, TokenSource};
use frontdesk_server::server::{Server, Settings};
use frontdesk_tests::blocking::{Answer, Http, answer_to, serve, world};
use frontdesk_tests::run;
use frontdesk_tests::world::identity;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

/// A server with these names and this address.
fn known_as(names: &[&str], public: Option<&str>) -> Server {
    let settings = Settings {
        allowed_names: names.iter().map(ToString::to_string).collect(),
        identity: IdentitySettings {
            public_address: public.map_or_else(Default::default, |public| {
                public.parse().expect("an address")
            }),
            ..identity()
        },
        ..Settings::local(Location::Memory)
    };
    world().server_with(settings)
}

fn get_at(url: &str, name: Option<&str>, path: &str) -> Answer {
    let http = Http::with_token(url, "");
    let request = http.request(Method::GET, path);
    let request = match name {
        Some(name) => request.header("host", name),
        None => request,
    };
    answer_to(request)
}

/// The metadata of a resource; its address must be this one.
#[track_caller]
fn is_about(answer: &Answer, resource: &str, server: &str) {
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    assert_eq!(answer.body["resource"], resource);
    assert_eq!(answer.body["authorization_servers"], json!([server]));
    assert_eq!(answer.body["bearer_methods_supported"], json!(["header"]));
    let name = answer.body["resource_name"].as_str().expect("a name");
    assert!(name.starts_with("Frontdesk"), "{name}");
}

#[test]
fn every_host_says_where_to_sign_in_without_asking_who_calls() {
    let url = world().url();
    for host in Host::ALL {
        let path = format!("/.well-known/oauth-protected-resource/{host}/mcp");
        let answer = get_at(&url, None, &path);
        is_about(&answer, &format!("{url}/{host}/mcp"), &url);
    }
    let events = "/.well-known/oauth-protected-resource/events/mcp";
    let answer = get_at(&url, None, events);
    assert_eq!(answer.body["resource_name"], "Frontdesk: Events");
    assert_eq!(answer.header("cache-control"), "public, max-age=600");
}

#[test]
fn a_host_with_its_own_name_states_it_too() {
    let url = world().url();
    for path in ["", "/mcp"] {
        let path = format!("/.well-known/oauth-protected-resource{path}");
        let answer = get_at(&url, Some("events.localhost:9"), &path);
        let own = "http://events.localhost:9";
        is_about(&answer, &format!("{own}/mcp"), own);
        // The staff-management host answers at the base address.
        is_about(&get_at(&url, None, &path), &format!("{url}/mcp"), &url);
    }
}

#[test]
fn other_addresses_have_no_metadata() {
    let url = world().url();
    for path in ["/nowhere/mcp", "/events", "/events/health", "/a/b/mcp"] {
        let path = format!("/.well-known/oauth-protected-resource{path}");
        let answer = get_at(&url, None, &path);
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
    }
    let elsewhere = "/.well-known/oauth-protected-resource/mcp";
    let answer = get_at(&url, Some("evil.test"), elsewhere);
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    let answer = get_at(&url, Some("other.localhost"), elsewhere);
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
}

#[test]
fn a_server_behind_a_proxy_names_its_public_address() {
    let public = "https://example.org/desk";
    let server = known_as(&["example.org"], Some(public));
    let url = server.url();
    for path in ["/events/mcp", "/desk/events/mcp"] {
        let path = format!("/.well-known/oauth-protected-resource{path}");
        let answer = get_at(&url, None, &path);
        is_about(&answer, "https://example.org/desk/events/mcp", public);
    }
    let own = "/.well-known/oauth-protected-resource/mcp";
    let answer = get_at(&url, Some("events.example.org"), own);
    is_about(&answer, "https://events.example.org/mcp", public);
    // A request under the proxy's internal name still gets the public address.
    let answer = get_at(&url, None, own);
    is_about(&answer, "https://example.org/desk/mcp", public);
}

#[test]
fn every_401_names_the_metadata_of_its_host() {
    let server = known_as(&["example.org"], Some("https://example.org/desk"));
    let well_known = "/.well-known/oauth-protected-resource";
    for (name, path, metadata) in [
        (
            "example.org",
            "/events/mcp",
            format!("https://example.org{well_known}/desk/events/mcp"),
        ),
        (
            "events.example.org",
            "/mcp",
            format!("https://events.example.org{well_known}/mcp"),
        ),
    ] {
        for token in ["", "not.a.token"] {
            for method in [Method::POST, Method::GET, Method::DELETE] {
                let http = Http::with_token(&server.url(), token);
                let request = http.request(method, path).header("host", name);
                let request = match token {
                    "" => request,
                    token => request.bearer_auth(token),
                };
                let answer = answer_to(request);
                assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{}", answer.body);
                let challenge = answer.header("www-authenticate");
                let named = format!(r#"resource_metadata="{metadata}""#);
                assert!(challenge.ends_with(&named), "{challenge}");
                let says_why = challenge.contains(r#"error="invalid_token""#);
                assert_eq!(says_why, !token.is_empty(), "{challenge}");
            }
        }
    }
}

/// An outside provider with metadata for signing in and open registration.
fn outside() -> String {
    serve(|url| {
        let about = json!({
            "issuer": url, "authorization_endpoint": format!("{url}/authorize"),
            "token_endpoint": format!("{url}/token"),
            "response_types_supported": ["code"], "code_challenge_methods_supported": ["S256"],
        });
        let about = move || std::future::ready(axum::Json::<Value>(about.clone()));
        Router::new().route("/.well-known/oauth-authorization-server", get(about))
    })
}

#[test]
fn the_sign_in_of_the_client_finds_the_outside_provider_by_it() {
    let provider = outside();
    let settings = Settings {
        identity: IdentitySettings {
            source: TokenSource::Outside(OutsideProvider {
                keys: OutsideKeys::Secret("0123456789abcdef0123456789abcdef".to_owned()),
                issuer: "frontdesk".to_owned(),
                audience: "authenticated".to_owned(),
            }),
            outside_server: Some(provider.parse().expect("an address")),
            ..identity()
        },
        ..Settings::local(Location::Memory)
    };
    let server = world().server_with(settings);
    let resource = format!("{}/events/mcp", server.url());
    let mut config = HttpServer::new(&resource, None, BTreeMap::new()).expect("an address");
    config.client_id = Some("frontdesk".to_owned());
    let home = tempfile::tempdir().expect("a directory");
    let client = frontdesk_client::Server::new(
        "events",
        &ServerConfig::Http(config),
        Some(home.path().join("events.json")),
    )
    .expect("a client");
    let sign_in = run(client.sign_in()).expect("it finds where");
    let address: reqwest::Url = sign_in.address().parse().expect("an address");
    assert!(
        address
            .as_str()
            .starts_with(&format!("{provider}/authorize?"))
    );
    let asked: BTreeMap<_, _> = address.query_pairs().into_owned().collect();
    assert_eq!(asked["resource"], resource);
}
