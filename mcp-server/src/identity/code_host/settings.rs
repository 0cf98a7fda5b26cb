//! The operator's settings of the code-hosting provider.

use std::fmt;

use url::{Host, Url};

/// A provider for sign-in. It must support the OAuth 2 web flow and return verified e-mail addresses. `github` is
/// predefined; any other provider, including a self-hosted forge, needs its addresses.
#[derive(Clone)]
pub struct CodeHostSettings {
    pub(super) name: String,
    pub(super) client_id: String,
    pub(super) client_secret: String,
    pub(super) addresses: CodeHostAddresses,
}

/// A provider's addresses, and the scopes to request.
#[derive(Clone, Debug)]
pub struct CodeHostAddresses {
    /// The page that people are sent to.
    pub authorize: Url,
    /// The endpoint that exchanges a code for a token.
    pub token: Url,
    /// The endpoint that returns the e-mail addresses for a token: a list of `{email, primary, verified}` as with
    /// GitHub, Forgejo and Gitea, or an object with `email` and `email_verified` as in OpenID Connect.
    pub emails: Url,
    /// The scopes to request, separated by spaces; can be empty.
    pub scope: String,
}

/// Why the settings are invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CodeHostError {
    /// The name is invalid; it is part of addresses and shown on pages.
    #[error("the provider's name must have 1 to 32 of a-z, 0-9 and -")]
    Name,
    /// The client id or secret is empty.
    #[error("the provider's client id and client secret must not be empty")]
    Client,
    /// An address is neither https:// nor on this machine, so it does not protect codes, secret and tokens.
    #[error(
        "the provider's addresses must begin with https://, or be on this machine; {0} does not"
    )]
    NotHttps(&'static str),
}

impl CodeHostAddresses {
    /// The addresses of a predefined provider.
    pub fn known(name: &str) -> Option<CodeHostAddresses> {
        if name != "github" {
            return None;
        }
        Some(CodeHostAddresses {
            authorize: Url::parse("https://github.com/login/oauth/authorize").ok()?,
            token: Url::parse("https://github.com/login/oauth/access_token").ok()?,
            emails: Url::parse("https://api.github.com/user/emails").ok()?,
            scope: "user:email".to_owned(),
        })
    }
}

impl CodeHostSettings {
    /// A provider with this name and these addresses, with the id and secret of this server there.
    ///
    /// # Errors
    /// [`CodeHostError`], with advice.
    pub fn new(
        name: &str,
        client_id: &str,
        client_secret: &str,
        addresses: CodeHostAddresses,
    ) -> Result<CodeHostSettings, CodeHostError> {
        let is_plain =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if name.is_empty() || name.len() > 32 || !name.bytes().all(is_plain) {
            return Err(CodeHostError::Name);
        }
        if client_id.is_empty() || client_secret.is_empty() {
            return Err(CodeHostError::Client);
        }
        for (address, which) in [
            (&addresses.authorize, "the address of the sign-in page"),
            (&addresses.token, "the address for tokens"),
            (&addresses.emails, "the address for e-mail addresses"),
        ] {
            if address.scheme() != "https" && !(address.scheme() == "http" && is_here(address)) {
                return Err(CodeHostError::NotHttps(which));
            }
        }
        Ok(CodeHostSettings {
            name: name.to_owned(),
            client_id: client_id.to_owned(),
            client_secret: client_secret.to_owned(),
            addresses,
        })
    }

    /// The provider's name in addresses and on pages.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// Whether the address is on this machine.
fn is_here(address: &Url) -> bool {
    match address.host() {
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

impl fmt::Debug for CodeHostSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CodeHostSettings")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn at(authorize: &str) -> CodeHostAddresses {
        CodeHostAddresses {
            authorize: authorize.parse().unwrap(),
            ..CodeHostAddresses::known("github").unwrap()
        }
    }

    #[test]
    fn a_secret_goes_over_tls_or_stays_on_this_machine() {
        for (address, is_taken) in [
            ("https://forge.example.org/login/oauth/authorize", true),
            ("http://127.0.0.1:3000/authorize", true),
            ("http://[::1]:3000/authorize", true),
            ("http://localhost:3000/authorize", true),
            ("http://forge.example.org/authorize", false),
            ("http://127.0.0.1.example.org/authorize", false),
            ("ftp://127.0.0.1/authorize", false),
        ] {
            let settings = CodeHostSettings::new("forge", "id", "hunter2", at(address));
            assert_eq!(settings.is_ok(), is_taken, "{address}");
            assert!(!format!("{settings:?}").contains("hunter2"));
        }
    }

    #[test]
    fn a_name_is_plain_and_a_client_is_known() {
        let page = "https://forge.example.org/";
        for name in ["", "Forge", "a b", "a/b", &"a".repeat(33)] {
            let error = CodeHostSettings::new(name, "id", "secret", at(page)).unwrap_err();
            assert_eq!(error, CodeHostError::Name, "{name}");
        }
        for (id, secret) in [("", "secret"), ("id", "")] {
            let error = CodeHostSettings::new("forge", id, secret, at(page)).unwrap_err();
            assert_eq!(error, CodeHostError::Client);
        }
        assert!(CodeHostAddresses::known("forge").is_none());
    }
}
