//! A client of the authorization code grant: registered (RFC 7591), or described by the document at the address that is
//! its id. Clients are public and have no secret.

use frontdesk_protocol::text::is_invisible;
use serde::{Deserialize, Serialize};
use url::{Host, Url};

/// The maximum length of a redirect address in bytes.
const LONGEST_REDIRECT: usize = 512;
/// The maximum number of redirect addresses of a client.
const MOST_REDIRECTS: usize = 16;
/// The maximum length of a client's name in bytes.
const LONGEST_NAME: usize = 200;

/// A client. The id of a registered client is this record, signed, so registrations are not stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Client {
    redirects: Vec<Url>,
    /// The name that the client claims; it is not verified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// The time of its registration or of fetching its document, in seconds since 1970.
    pub(super) at: i64,
}

/// A client's metadata, from its registration or its document (RFC 7591, section 2).
#[derive(Deserialize)]
pub(super) struct Metadata {
    /// Only used in a document, where it must be the document's address.
    pub(super) client_id: Option<String>,
    redirect_uris: Vec<String>,
    client_name: Option<String>,
    pub(super) token_endpoint_auth_method: Option<String>,
    grant_types: Option<Vec<String>>,
    response_types: Option<Vec<String>>,
}

/// Why a client is refused: an error code of RFC 7591, section 3.2.2, and a description.
pub(super) type Wrong = (&'static str, &'static str);

impl Metadata {
    /// Validates the metadata. `at` is the current time in seconds since 1970.
    pub(super) fn client(self, at: i64) -> Result<Client, Wrong> {
        let wrong = |what| Err(("invalid_client_metadata", what));
        if self.redirect_uris.is_empty() || self.redirect_uris.len() > MOST_REDIRECTS {
            return Err((
                "invalid_redirect_uri",
                "redirect_uris must have 1 to 16 addresses",
            ));
        }
        let redirects: Option<Vec<Url>> =
            self.redirect_uris.iter().map(|it| redirect(it)).collect();
        let redirects = redirects.ok_or((
            "invalid_redirect_uri",
            "a redirect address must begin with https://, or be one of the client's own machine, like \
             http://127.0.0.1/callback",
        ))?;
        let asks_for = |asked: &Option<Vec<String>>, needed: &str| {
            asked
                .as_ref()
                .is_none_or(|asked| asked.iter().any(|it| it == needed))
        };
        if !asks_for(&self.grant_types, "authorization_code")
            || !asks_for(&self.response_types, "code")
        {
            return wrong("the only grant is authorization_code, with the response type code");
        }
        if self
            .client_name
            .as_ref()
            .is_some_and(|name| name.len() > LONGEST_NAME)
        {
            return wrong("client_name must have at most 200 bytes");
        }
        let name = self.client_name.as_deref().map(str::trim);
        if !name.is_none_or(|name| name.chars().all(is_printable)) {
            return wrong("client_name must be one line of printable text");
        }
        Ok(Client {
            redirects,
            name: name.filter(|name| !name.is_empty()).map(str::to_owned),
            at,
        })
    }
}

/// Whether a character is visible and looks the same everywhere: neither a space of another width nor one for private use.
fn is_printable(c: char) -> bool {
    let is_space = c.is_whitespace() && c != ' ';
    let is_private = matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..);
    !c.is_control() && !is_space && !is_private && !is_invisible(c)
}

impl Client {
    pub(super) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The redirect address, if it is registered. A loopback address may have a different port at each sign-in (RFC
    /// 8252, section 7.3); any other address must match exactly.
    pub(super) fn redirect(&self, address: &str) -> Option<Url> {
        let asked = redirect(address)?;
        let is_known = |known: &Url| match asked.scheme() {
            "http" => without_port(known) == without_port(&asked),
            _ => *known == asked,
        };
        self.redirects.iter().any(is_known).then_some(asked)
    }
}

fn without_port(url: &Url) -> Url {
    let mut url = url.clone();
    // This only fails for an address without a host, and every redirect address has one.
    let _ = url.set_port(None);
    url
}

/// Parses a redirect address that may receive a code: an https address, or a loopback address (RFC 8252, section 7.3).
/// From here on the parsed address is used, not the text.
pub(super) fn redirect(address: &str) -> Option<Url> {
    let url = Url::parse(address)
        .ok()
        .filter(|_| address.len() <= LONGEST_REDIRECT)?;
    let is_plain =
        url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
    let is_taken = match url.scheme() {
        "https" => true,
        "http" => is_this_machine(&url) && url.port() != Some(0),
        _ => false,
    };
    (is_plain && is_taken).then_some(url)
}

/// Parses a loopback address with a port.
#[cfg(feature = "code-host")]
pub(in crate::identity) fn loopback(address: &str) -> Option<Url> {
    redirect(address).filter(|url| url.scheme() == "http" && url.port().is_some())
}

fn is_this_machine(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(ip)) => ip.octets() == [127, 0, 0, 1],
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::json;

    use super::*;

    const BACK: &str = "http://127.0.0.1:5000/callback";

    fn client(redirects: &[&str]) -> Client {
        let metadata = json!({ "redirect_uris": redirects });
        let metadata: Metadata = serde_json::from_value(metadata).unwrap();
        metadata.client(0).unwrap()
    }

    #[test]
    #[cfg(feature = "code-host")]
    fn the_terminal_is_gone_back_to_on_the_machine_of_the_browser_alone() {
        for address in [
            BACK,
            "http://[::1]:5000/callback",
            "http://localhost:5000/callback?from=here",
        ] {
            assert_eq!(loopback(address).unwrap().as_str(), address);
        }
        for address in [
            "https://example.org:5000/callback",
            "http://127.0.0.1/callback",
            "http://127.0.0.1:80/callback",
            "https://127.0.0.1:5000/callback",
        ] {
            assert_eq!(loopback(address), None, "{address}");
        }
    }

    #[test]
    fn a_redirect_address_is_https_or_of_the_machine_of_the_browser() {
        for address in [
            BACK,
            "http://[::1]:5000/callback",
            "http://localhost:5000/callback?from=here",
            "http://127.0.0.1/callback",
            "https://client.example.org/callback?from=here",
        ] {
            assert_eq!(redirect(address).unwrap().as_str(), address);
        }
        for address in [
            "",
            "callback",
            "http://example.org:5000/callback",
            "http://127.0.0.1.example.org:5000/",
            "http://localhost.example.org:5000/",
            "http://127.0.0.1@example.org:5000/",
            "http://me@127.0.0.1:5000/",
            "https://me:hunter2@example.org/",
            "http://127.0.0.1:0/callback",
            "http://127.0.0.1:5000/#fragment",
            "https://example.org/#fragment",
            "http://0.0.0.0:5000/callback",
            "http://127.0.0.2:5000/callback",
            "http://10.0.0.1:5000/callback",
            "javascript:alert(1)",
            "frontdesk://callback",
            "//127.0.0.1:5000/callback",
            "http:\\\\example.org:5000\\@127.0.0.1:5000/",
            &format!("{BACK}?{}", "a".repeat(LONGEST_REDIRECT)),
        ] {
            assert_eq!(redirect(address), None, "{address}");
        }
    }

    #[test]
    fn a_port_may_change_on_the_machine_of_the_browser_alone() {
        let native = client(&["http://127.0.0.1/callback", "http://[::1]:1/"]);
        for address in [BACK, "http://127.0.0.1/callback", "http://[::1]:7/"] {
            assert!(native.redirect(address).is_some(), "{address}");
        }
        let web = client(&["https://example.org/callback"]);
        assert!(web.redirect("https://example.org/callback").is_some());
        for address in [
            "https://example.org:8443/callback",
            "https://example.org/callback/",
            "https://example.org/callback?x=1",
            "https://evil.test/callback",
            "http://example.org/callback",
            BACK,
        ] {
            assert_eq!(web.redirect(address), None, "{address}");
        }
        assert_eq!(native.redirect("http://localhost:5000/callback"), None);
        assert_eq!(native.redirect("http://127.0.0.1:5000/elsewhere"), None);
    }
}
