//! `GET /`: says in a browser what answers here, and how to connect the app.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use super::address::no_such_address;
use super::wiki::Reader;
use super::{Service, wiki};
use crate::page::{PLAIN, escaped, plain};

/// Answers a browser with the page, and other clients as at any unknown address.
pub(super) async fn page(
    _reader: Reader,
    State(service): State<Service>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let accepted = headers.get(header::ACCEPT).and_then(|it| it.to_str().ok());
    if !accepted.is_some_and(|it| it.contains("text/html")) {
        return no_such_address(uri).await;
    }
    let identity = &service.inner.identity;
    let base = (identity.public_address().base(&headers)).unwrap_or_default();
    // Without the database the page says less.
    let has_organization = identity.has_organization().await.unwrap_or(true);
    let has_wiki = wiki::is_public(&service).await.unwrap_or(false);
    let first = match has_organization || identity.accounts_at(&headers).is_none() {
        true => "",
        false => {
            "<p>This server has no organisation yet. Its operator creates one with the link that the server printed \
             at its start, or with <code>frontdesk-server setup</code>.</p>\n"
        }
    };
    let wiki = match has_wiki {
        true => format!(
            "<p><a href=\"{}/learn/wiki\">Public wiki</a></p>\n",
            escaped(&base)
        ),
        false => String::new(),
    };
    let base = escaped(&base);
    let body = format!(
        "<h1>Frontdesk</h1>\n\
         <p>A Frontdesk server answers here: members, events, projects and the rest of an organisation's work, as MCP \
         servers.</p>\n{first}\
         <p>Connect the app in a terminal:</p>\n\
         <pre>frontdesk login --url {base} --email YOUR-ADDRESS\nfrontdesk --url {base}</pre>\n\
         <p>Any MCP client connects to <code>{base}/AREA/mcp</code>, for example <code>{base}/events/mcp</code>, and \
         signs in through the browser.</p>\n{wiki}"
    );
    let about = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8".to_owned()),
        (header::CACHE_CONTROL, "no-store".to_owned()),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
        (header::REFERRER_POLICY, "no-referrer".to_owned()),
        (
            header::CONTENT_SECURITY_POLICY,
            PLAIN.policy("form-action 'none'"),
        ),
    ];
    (StatusCode::OK, about, plain("Frontdesk", &body)).into_response()
}
