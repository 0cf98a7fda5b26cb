//! Requests to the provider: its sign-in page, and the e-mail address and login of a person who signed in there.

use std::time::Duration;

use futures::future::BoxFuture;
use oauth2::basic::{BasicClient, BasicErrorResponse};

use oauth2::{
    AsyncHttpClient, AuthType, AuthUrl, AuthorizationCode, ClientId, ClientSecret, CsrfToken,
    HttpRequest, HttpResponse, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, RequestTokenError,
    Scope, TokenResponse, TokenUrl,
};
use reqwest::{Method, header};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::sync::Semaphore;
use url::Url;

use super::CodeHostSettings;
use crate::identity::IdentityError;

/// The time limit for an answer of the provider.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The maximum size of an answer in bytes.
const MAX_BODY: usize = 256 * 1024;
/// The maximum length of an e-mail address in bytes.
const MAX_ADDRESS: usize = 320;
/// The maximum number of sign-ins that wait for the provider: everyone can begin one.
const AT_ONCE: usize = 16;

/// The provider.
pub(in crate::identity) struct CodeHost {
    settings: CodeHostSettings,
    client: reqwest::Client,
    places: Semaphore,
}

/// Why the provider could not identify a person. The errors are logged, without addresses and without the answer's
/// content.
#[derive(Debug, thiserror::Error)]
pub(in crate::identity) enum ExchangeError {
    #[error("too many sign-ins wait for the provider")]
    Busy,
    #[error("it cannot be reached: {0}")]
    Http(#[from] reqwest::Error),
    #[error("it answered {0}")]
    Status(reqwest::StatusCode),
    #[error("its answer has more than {MAX_BODY} bytes")]
    TooLarge,
    #[error("its answer cannot be read")]
    Malformed,
    #[error("it refused the code")]
    Refused,
    #[error("it names no verified primary address")]
    NoAddress,
}

/// A person who signed in at the provider.
pub(in crate::identity) struct Person {
    /// The verified primary address, in lower case.
    pub(in crate::identity) address: String,
    /// The user name at the provider, if it says one.
    pub(in crate::identity) login: Option<String>,
}

/// The maximum length of a login in bytes.
const MAX_LOGIN: usize = 100;

/// The provider's answer about e-mail addresses, in GitHub's or OpenID Connect's format.
#[derive(Deserialize)]
#[serde(untagged)]
enum Addresses {
    List(Vec<Address>),
    One(UserInfo),
}

#[derive(Deserialize)]
struct Address {
    email: String,
    #[serde(default)]
    primary: bool,
    #[serde(default)]
    verified: bool,
}

#[derive(Deserialize)]
struct UserInfo {
    email: Option<String>,
    #[serde(default)]
    email_verified: bool,
    preferred_username: Option<String>,
}

/// The user, as GitHub, Forgejo and Gitea answer at the address above that of the e-mail addresses.
#[derive(Deserialize)]
struct User {
    login: Option<String>,
}

impl CodeHost {
    /// A provider with these settings. Does not connect yet.
    pub(in crate::identity) fn new(settings: CodeHostSettings) -> Result<Self, IdentityError> {
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(crate::tls::client_config())
            .user_agent(concat!("Frontdesk/", env!("CARGO_PKG_VERSION")))
            .timeout(TIMEOUT)
            // Redirects are refused: secrets only go to the configured addresses.
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(IdentityError::Client)?;
        Ok(CodeHost {
            settings,
            client,
            places: Semaphore::new(AT_ONCE),
        })
    }

    /// The provider's name.
    pub(in crate::identity) fn name(&self) -> &str {
        self.settings.name()
    }

    /// The provider's sign-in page. It sends the browser back to `callback` with `state` and a code, which requires
    /// `verifier`.
    pub(in crate::identity) fn page(
        &self,
        callback: RedirectUrl,
        state: String,
        verifier: String,
    ) -> Url {
        let verifier = PkceCodeVerifier::new(verifier);
        let challenge = PkceCodeChallenge::from_code_verifier_sha256(&verifier);
        let scopes = self.settings.addresses.scope.split_whitespace();
        let client = BasicClient::new(ClientId::new(self.settings.client_id.clone()))
            .set_auth_uri(AuthUrl::from_url(self.settings.addresses.authorize.clone()))
            .set_redirect_uri(callback);
        let request = client
            .authorize_url(|| CsrfToken::new(state))
            .add_scopes(scopes.map(|scope| Scope::new(scope.to_owned())))
            .set_pkce_challenge(challenge);
        request.url().0
    }

    /// The person who signed in.
    pub(super) async fn person(
        &self,
        callback: RedirectUrl,
        code: &str,
        verifier: String,
    ) -> Result<Person, ExchangeError> {
        let _place = self.places.try_acquire().map_err(|_| ExchangeError::Busy)?;
        let client = BasicClient::new(ClientId::new(self.settings.client_id.clone()))
            .set_client_secret(ClientSecret::new(self.settings.client_secret.clone()))
            .set_auth_type(AuthType::RequestBody)
            .set_token_uri(TokenUrl::from_url(self.settings.addresses.token.clone()))
            .set_redirect_uri(callback);
        let token = client
            .exchange_code(AuthorizationCode::new(code.to_owned()))
            .set_pkce_verifier(PkceCodeVerifier::new(verifier))
            .request_async(self)
            .await
            .map_err(refusal)?;
        let token = token.access_token().secret();
        let emails = self.settings.addresses.emails.clone();
        let addresses: Addresses = self.ask(emails.clone(), token).await?;
        let login = match &addresses {
            Addresses::One(one) => one.preferred_username.clone(),
            Addresses::List(_) => match above(emails) {
                // The address alone identifies the person: without a login the sign-in goes on.
                Some(user) => self.ask::<User>(user, token).await.map_or_else(
                    |error| {
                        tracing::warn!(%error, "the provider did not return a person's login");
                        None
                    },
                    |user| user.login,
                ),
                None => None,
            },
        };
        let is_login = |login: &String| {
            !login.is_empty()
                && login.len() <= MAX_LOGIN
                && !login.contains(|c: char| c.is_control() || c.is_whitespace())
        };
        Ok(Person {
            address: addresses.verified().ok_or(ExchangeError::NoAddress)?,
            login: login.filter(is_login),
        })
    }

    /// What the provider answers to the bearer of this token.
    async fn ask<T: DeserializeOwned>(
        &self,
        address: Url,
        token: &str,
    ) -> Result<T, ExchangeError> {
        let asked = self
            .client
            .request(Method::GET, address)
            .header(header::ACCEPT, "application/json")
            .bearer_auth(token);
        let answer = self.read(asked).await?;
        if answer.status() != reqwest::StatusCode::OK {
            return Err(ExchangeError::Status(answer.status()));
        }
        serde_json::from_slice(answer.body()).map_err(|_| ExchangeError::Malformed)
    }

    /// Sends a request of the `oauth2` library.
    async fn carry(&self, request: HttpRequest) -> Result<HttpResponse, ExchangeError> {
        let (parts, body) = request.into_parts();
        let request = self
            .client
            .request(parts.method, parts.uri.to_string())
            .headers(parts.headers)
            .body(body);
        let answer = self.read(request).await?;
        // Otherwise the library would parse an error page of the provider's proxy.
        match answer.status() {
            status if status.is_server_error() || status.is_redirection() => {
                Err(ExchangeError::Status(status))
            }
            _ => Ok(answer),
        }
    }

    async fn read(&self, request: reqwest::RequestBuilder) -> Result<HttpResponse, ExchangeError> {
        // Errors are logged without the address, which can contain secrets.
        let answer = request.send().await;
        let mut answer = answer.map_err(reqwest::Error::without_url)?;
        let mut body = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(reqwest::Error::without_url)? {
            if body.len() + chunk.len() > MAX_BODY {
                return Err(ExchangeError::TooLarge);
            }
            body.extend_from_slice(&chunk);
        }
        let mut response = HttpResponse::new(body);
        *response.status_mut() = answer.status();
        *response.headers_mut() = answer.headers().clone();
        Ok(response)
    }
}

impl<'a> AsyncHttpClient<'a> for CodeHost {
    type Error = ExchangeError;
    type Future = BoxFuture<'a, Result<HttpResponse, ExchangeError>>;

    fn call(&'a self, request: HttpRequest) -> Self::Future {
        Box::pin(self.carry(request))
    }
}

/// The address of the user, if that of the e-mail addresses ends with `/emails`.
fn above(mut emails: Url) -> Option<Url> {
    let user = emails.path().strip_suffix("/emails")?.to_owned();
    emails.set_path(&user);
    Some(emails)
}

fn refusal(error: RequestTokenError<ExchangeError, BasicErrorResponse>) -> ExchangeError {
    match error {
        RequestTokenError::Request(error) => error,
        RequestTokenError::ServerResponse(_) => ExchangeError::Refused,
        // GitHub refuses a code with status 200.
        RequestTokenError::Parse(_, body)
            if serde_json::from_slice::<BasicErrorResponse>(&body).is_ok() =>
        {
            ExchangeError::Refused
        }
        RequestTokenError::Parse(..) | RequestTokenError::Other(_) => ExchangeError::Malformed,
    }
}

impl Addresses {
    /// The primary address, if it is verified: other addresses can belong to somebody else by now. Only ASCII letters
    /// are lowercased: some other letters have an ASCII lower case, which would be another person's address.
    fn verified(self) -> Option<String> {
        let address = match self {
            Addresses::List(list) => {
                let primary = list.into_iter().find(|it| it.primary && it.verified);
                primary.map(|primary| primary.email)
            }
            Addresses::One(one) => one.email.filter(|_| one.email_verified),
        }?;
        let is_one = address.len() <= MAX_ADDRESS
            && address.contains('@')
            && !address.contains(|c: char| c.is_control() || c.is_whitespace());
        is_one.then(|| address.to_ascii_lowercase())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn verified(said: &str) -> Option<String> {
        serde_json::from_str::<Addresses>(said).unwrap().verified()
    }

    #[test]
    fn only_the_verified_primary_address_counts() {
        let entry = |email: &str, primary: bool, verified: bool| {
            format!(r#"{{"email":"{email}","primary":{primary},"verified":{verified},"x":1}}"#)
        };
        let other = entry("other@id.test", false, true);
        let list = format!("[{other},{}]", entry("Me@ID.test", true, true));
        assert_eq!(verified(&list).unwrap(), "me@id.test");
        let list = format!("[{other},{}]", entry("me@id.test", true, false));
        assert_eq!(verified(&list), None);
        assert_eq!(verified("[]"), None);
        assert_eq!(verified(r#"[{"email":"me@id.test"}]"#), None);
    }

    #[test]
    fn a_user_info_counts_where_it_says_that_the_address_is_verified() {
        let said = r#"{"sub":"1","email":"Me@id.test","email_verified":true}"#;
        assert_eq!(verified(said).unwrap(), "me@id.test");
        for said in [
            r#"{"sub":"1","email":"me@id.test"}"#,
            r#"{"email":"me@id.test","email_verified":false}"#,
            r#"{"email":null,"email_verified":true}"#,
            r#"{"message":"Bad credentials"}"#,
        ] {
            assert_eq!(verified(said), None, "{said}");
        }
    }

    #[test]
    fn no_other_letter_becomes_an_ascii_one() {
        // The lower case of the Kelvin sign is the letter k.
        let said = r#"{"email":"mi\u212ae@id.test","email_verified":true}"#;
        assert_eq!(verified(said).unwrap(), "mi\u{212a}e@id.test");
        for email in ["no-address", "a b@id.test", "a@id.test\\u0000"] {
            let said = format!(r#"{{"email":"{email}","email_verified":true}}"#);
            assert_eq!(verified(&said), None, "{email}");
        }
    }
}
