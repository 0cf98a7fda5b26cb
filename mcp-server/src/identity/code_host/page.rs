//! What the browser shows when a sign-in cannot go on: a page that needs nothing from anywhere.

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};
use url::Url;

const STYLE: &str = "body{font:1.1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;\
                     padding:0 1rem;color:#222;background:#fff}h1{font-size:1.3rem}\
                     @media(prefers-color-scheme:dark){body{color:#ddd;background:#111}}";

/// A page that says why nobody was signed in, and what to do.
pub(super) fn refusal(status: StatusCode, text: &str) -> Response {
    let text = escaped(text);
    let body = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>Frontdesk</title>\n\
         <style>{STYLE}</style>\n<h1>Not signed in</h1>\n<p>{text}</p>\n</html>\n"
    );
    (status, headers(), Html(body)).into_response()
}

/// Sends the browser on to this address.
pub(super) fn redirect(address: &Url) -> Response {
    let location = HeaderValue::from_str(address.as_str());
    match location {
        Ok(location) => {
            let location = [(header::LOCATION, location)];
            (StatusCode::SEE_OTHER, headers(), location).into_response()
        }
        // An address is ASCII.
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// Nothing is kept on the way, told to others or shown inside another page; and nothing runs.
fn headers() -> HeaderMap {
    let style = STANDARD.encode(Sha256::digest(STYLE));
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{style}'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'"
    );
    let mut headers: HeaderMap = [
        (header::CACHE_CONTROL, "no-store"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (HeaderName::from_static("x-robots-tag"), "noindex"),
    ]
    .into_iter()
    .map(|(name, value)| (name, HeaderValue::from_static(value)))
    .collect();
    if let Ok(policy) = policy.try_into() {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    headers
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        assert_eq!(
            escaped("<a href=\"x\">&</a>"),
            "&lt;a href=&quot;x&quot;&gt;&amp;&lt;/a&gt;"
        );
    }
}
