//! What the operator settles about the code-hosting provider.

use std::fmt;

use url::{Host, Url};

/// A provider through which people sign in: one of the OAuth 2 web flow, which tells their verified
/// e-mail addresses. `github` is known; any other, a forge of one's own as well, is given by its addresses.
#[derive(Clone)]
pub struct CodeHostSettings {
    pub(super) name: String,
    pub(super) client_id: String,
    pub(super) client_secret: String,
    pub(super) addresses: CodeHostAddresses,
}

/// Where a provider answers, and what is asked for there.
#[derive(Clone, Debug)]
pub struct CodeHostAddresses {
    /// The page that people are sent to.
    pub authorize: Url,
    /// Where a code is exchanged for a token.
    pub token: Url,
    /// Where that token tells the e-mail addresses: a list of `{email, primary, verified}` as GitHub,
    /// Forgejo and Gitea have it, or an object with `email` and `email_verified` as OpenID Connect has it.
    pub emails: Url,
    /// The scopes to ask for, separated by spaces; empty asks for none.
    pub scope: String,
}

/// The settings are not fit for use.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CodeHostError {
    /// It stands in addresses and on pages.
    #[error("the provider's name must have 1 to 32 of a-z, 0-9 and -")]
    Name,
    /// The provider knows this server by them.
    #[error("the provider's client id and client secret must not be empty")]
    Client,
    /// Codes, the client's secret and tokens are sent there.
    #[error(
        "the provider's addresses must begin with https://, or be on this machine; {0} does not"
    )]
    NotHttps(&'static str),
}

impl CodeHostAddresses {
    /// Those of the provider with this name, where it is known.
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
    /// The provider of this name at these addresses, which knows this server by id and secret.
    ///
    /// # Errors
    /// [`CodeHostError`], which says what would be right.
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
            (&addresses.authorize, "that of the page to sign in"),
            (&addresses.token, "that of tokens"),
            (&addresses.emails, "that of e-mail addresses"),
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

    /// How the provider is called in addresses and on pages.
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
