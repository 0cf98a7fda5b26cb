//! The metadata of a host as a protected resource (RFC 9728), from which clients learn where to sign in. Needs no
//! authentication.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, Uri, header};
use axum::response::{IntoResponse, Response};
use frontdesk_protocol::Host;
use serde_json::json;

use super::Service;
use super::address::{Addressed, no_such_address};

/// The path of the metadata, before the resource's own path (RFC 9728, section 3.1).
const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";

/// The time others can cache the metadata, in seconds.
const CACHED: &str = "public, max-age=600";

/// `GET /.well-known/oauth-protected-resource`: the metadata of the host that the Host header names.
pub(super) async fn of_name(
    State(service): State<Service>,
    addressed: Addressed,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    answer(&service, addressed, uri, &headers).await
}

/// `GET /.well-known/oauth-protected-resource/…/mcp`: the metadata of the resource with that path.
pub(super) async fn of_path(
    State(service): State<Service>,
    Path(path): Path<String>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let path = format!("/{path}");
    let base = service.inner.identity.public_address().path();
    let below = path.strip_prefix(base).unwrap_or(&path);
    let addressed = match below.trim_end_matches('/').strip_suffix("/mcp") {
        Some("") => Addressed::by_name(&service, &headers, &uri),
        Some(area) => area
            .strip_prefix('/')
            .and_then(|area| Addressed::by_path(&service, area)),
        None => None,
    };
    match addressed {
        Some(addressed) => answer(&service, addressed, uri, &headers).await,
        None => no_such_address(uri).await,
    }
}

async fn answer(
    service: &Service,
    addressed: Addressed,
    uri: Uri,
    headers: &HeaderMap,
) -> Response {
    let identity = &service.inner.identity;
    let address = address(service, addressed, headers);
    let (Some(resource), Some(base)) = (address, identity.public_address().base(headers)) else {
        return no_such_address(uri).await;
    };
    let mut body = json!({
        "resource": resource,
        "resource_name": name(addressed.host),
        "bearer_methods_supported": ["header"],
    });
    if let Some(server) = identity.authorization_server(&base) {
        body["authorization_servers"] = json!([server]);
    }
    ([(header::CACHE_CONTROL, CACHED)], Json(body)).into_response()
}

/// The host's display name.
fn name(host: Host) -> String {
    format!("Frontdesk: {}", host.title())
}

/// The public address of the host's endpoint.
fn address(service: &Service, addressed: Addressed, headers: &HeaderMap) -> Option<String> {
    let public = service.inner.identity.public_address();
    Some(match addressed {
        Addressed { in_path: true, .. } => {
            format!("{}/{}/mcp", public.base(headers)?, addressed.name(service))
        }
        // The staff-management host answers at the base address.
        Addressed {
            host: Host::Staff, ..
        } if !names_staff(headers) => {
            format!("{}/mcp", public.base(headers)?)
        }
        Addressed { .. } => format!("{}/mcp", public.as_named(headers)?),
    })
}

/// Whether the Host header's first label is the staff-management host's area.
fn names_staff(headers: &HeaderMap) -> bool {
    let name = headers
        .get(header::HOST)
        .and_then(|name| name.to_str().ok());
    let label = name.and_then(|name| name.split('.').next());
    label.is_some_and(|label| label.eq_ignore_ascii_case(Host::Staff.area()))
}

/// The address of the host's metadata, for `WWW-Authenticate` (RFC 9728, section 5.1).
pub(super) fn metadata_address(
    service: &Service,
    addressed: Addressed,
    headers: &HeaderMap,
) -> Option<String> {
    let address = address(service, addressed, headers)?;
    // The path starts at the third slash, after the two of `https://`.
    let path = address.match_indices('/').nth(2)?.0;
    let (origin, path) = address.split_at(path);
    Some(format!("{origin}{WELL_KNOWN}{path}"))
}
