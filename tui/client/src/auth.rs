//! Sign-in, and refreshing tokens.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use frontdesk_protocol::id::UserId;
use frontdesk_protocol::mcp::PERSON_HEADER;
use frontdesk_protocol::{ErrorCode, Host, Role, ToolError};
use http::Method;
use http::header::{COOKIE, DATE, SET_COOKIE};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::account::Account;
use crate::addresses::Addresses;
use crate::clock;
use crate::credentials::{CredentialStore, Credentials};
use crate::error::CallError;
use crate::factor::{self, SignInDetails};
use crate::failure::Failure;
use crate::http::{Http, Response};
use crate::provider::SignInWays;
use crate::secret::Secret;
use crate::setup;

/// Lifetime in seconds of a token whose issuer does not state one.
const USUAL_LIFETIME: u32 = 3600;

/// The credentials of the signed-in account.
#[derive(Debug)]
pub(crate) struct Auth {
    http: Http,
    addresses: Arc<Addresses>,
    store: CredentialStore,
    held: RwLock<Held>,
    /// Held by the task of this process that is replacing the credentials.
    replacing: tokio::sync::Mutex<()>,
}

#[derive(Debug, Default)]
struct Held {
    credentials: Option<Credentials>,
    /// The refused refresh token and the reason. It is not sent again.
    refused: Option<(Secret, String)>,
}

impl Auth {
    /// Loads the credentials from the store if they were issued by the service at these addresses.
    pub(crate) fn new(http: Http, addresses: Arc<Addresses>, store: CredentialStore) -> Self {
        let auth = Auth {
            http,
            addresses,
            store,
            held: RwLock::default(),
            replacing: tokio::sync::Mutex::new(()),
        };
        let credentials = auth.stored().unwrap_or_else(|reason| {
            tracing::warn!(%reason, "the credentials are ignored");
            None
        });
        auth.hold(credentials);
        auth
    }

    /// The stored credentials for these addresses. A token is only sent to its issuer.
    fn stored(&self) -> std::io::Result<Option<Credentials>> {
        let stored = self.store.load()?;
        Ok(stored.filter(|stored| stored.url == self.addresses.url()))
    }

    fn hold(&self, credentials: Option<Credentials>) {
        let mut held = self.held.write().unwrap_or_else(PoisonError::into_inner);
        held.credentials = credentials;
    }

    /// The current credentials.
    pub(crate) fn held(&self) -> Option<Credentials> {
        let held = self.held.read().unwrap_or_else(PoisonError::into_inner);
        held.credentials.clone()
    }

    /// The reason if the refresh token was refused.
    fn refusal(&self, credentials: &Credentials) -> Option<String> {
        let held = self.held.read().unwrap_or_else(PoisonError::into_inner);
        match &held.refused {
            Some((token, reason)) if *token == credentials.refresh_token => Some(reason.clone()),
            _ => None,
        }
    }

    fn refuse(&self, credentials: &Credentials, reason: &str) {
        let mut held = self.held.write().unwrap_or_else(PoisonError::into_inner);
        held.refused = Some((credentials.refresh_token.clone(), reason.to_owned()));
    }

    /// Whether there are credentials that have not been refused.
    pub(crate) fn is_signed_in(&self) -> bool {
        self.held()
            .is_some_and(|held| self.refusal(&held).is_none())
    }

    /// The token for a call to this host; `None` if nobody is signed in. It is refreshed first if
    /// it expires soon or was `rejected` with a 401.
    ///
    /// # Errors
    /// [`CallError::SignedOut`] if the refresh is refused; otherwise why the refresh could not be
    /// sent.
    pub(crate) async fn bearer(
        self: &Arc<Self>,
        host: Option<Host>,
        rejected: Option<&Secret>,
    ) -> Result<Option<Secret>, CallError> {
        let Some(held) = self.held() else {
            return Ok(None);
        };
        if usable(&held, rejected) {
            return Ok(Some(held.access_token));
        }
        // A separate task: a refresh token works once, so its answer must be saved even if the
        // caller stops waiting.
        let auth = Arc::clone(self);
        let rejected = rejected.cloned();
        let task = tokio::spawn(async move { auth.refreshed(host, rejected.as_ref()).await });
        match task.await {
            Ok(refreshed) => refreshed.map(Some),
            Err(error) => Err(CallError::Protocol(format!("the refresh failed: {error}"))),
        }
    }

    /// The token and its expiry, with at least half of its lifetime left if it can be replaced.
    ///
    /// # Errors
    /// [`CallError::SignedOut`] if nobody is signed in; otherwise as for any call.
    pub(crate) async fn access_token(self: &Arc<Self>) -> Result<(Secret, Timestamp), CallError> {
        let nobody = || CallError::SignedOut("nobody is signed in".to_owned());
        self.bearer(None, None).await?.ok_or_else(nobody)?;
        let held = self.held().ok_or_else(nobody)?;
        let half = SignedDuration::from_secs(i64::from(held.lifetime)) / 2;
        if held.expires_at.duration_since(Timestamp::now()) < half {
            match self.bearer(None, Some(&held.access_token)).await {
                Err(error) if !error.is_transient() => return Err(error),
                _ => {}
            }
        }
        let held = self.held().ok_or_else(nobody)?;
        Ok((held.access_token, held.expires_at))
    }

    /// Refreshes the token, unless another task or process has just done so.
    async fn refreshed(
        &self,
        host: Option<Host>,
        rejected: Option<&Secret>,
    ) -> Result<Secret, CallError> {
        let _turn = self.replacing.lock().await;
        let held = self.held().ok_or_else(signed_out_elsewhere)?;
        if usable(&held, rejected) {
            return Ok(held.access_token);
        }
        let fallback = (rejected != Some(&held.access_token) && held.is_valid(Timestamp::now()))
            .then(|| held.access_token.clone());

        let lock = match self.store.lock(self.http.timeouts.request).await {
            Ok(lock) => lock,
            Err(error) => return fallback.ok_or_else(|| self.unreachable(error.to_string())),
        };
        let current = match self.stored() {
            Ok(Some(stored)) => stored,
            Ok(None) => {
                self.hold(None);
                return Err(signed_out_elsewhere());
            }
            // Use the credentials in memory.
            Err(_) => held,
        };
        self.hold(Some(current.clone()));
        if usable(&current, rejected) {
            return Ok(current.access_token);
        }
        if let Some(reason) = self.refusal(&current) {
            return Err(CallError::SignedOut(reason));
        }
        let refreshed = match self.refresh(host, &current).await {
            Ok(refreshed) => refreshed,
            Err(CallError::SignedOut(reason)) => {
                self.refuse(&current, &reason);
                return Err(CallError::SignedOut(reason));
            }
            // The token has not expired yet, so use it.
            Err(error) => return fallback.ok_or(error),
        };
        if let Err(reason) = self.store.save(&refreshed) {
            // The credentials still work in this process.
            tracing::warn!(%reason, "the credentials cannot be kept");
        }
        drop(lock);
        let token = refreshed.access_token.clone();
        self.hold(Some(refreshed));
        Ok(token)
    }

    /// Requests new tokens from the host, or from the identity provider if the call is not to a
    /// host.
    async fn refresh(
        &self,
        host: Option<Host>,
        current: &Credentials,
    ) -> Result<Credentials, CallError> {
        let url = match host {
            Some(host) => self.addresses.refresh(host),
            None => self.addresses.auth("token?grant_type=refresh_token"),
        };
        let mut request = self
            .http
            .request(Method::POST, &url)
            .header(PERSON_HEADER, "yes")
            .json(&json!({ "refresh_token": current.refresh_token }));
        if host.is_none() {
            request = request.header("apikey", &current.api_key);
        }
        // Losing a refresh changes nothing for the user.
        let at = self.addresses.url();
        let answer = self
            .http
            .exchange(request)
            .await
            .map_err(|failure| failure.into_error(at, true))?;
        let refusal = answer.refusal();
        if refusal.is_about_account() {
            return Err(CallError::AccountClosed(refusal.message));
        }
        if refusal.is_about_grant() {
            return Err(CallError::SignedOut(refusal.message));
        }
        let grant: Grant = answer
            .json()
            .map_err(|failure| failure.into_error(at, true))?;
        let (email, api_key) = (current.email.clone(), current.api_key.clone());
        let mut refreshed = self.credentials(grant, email, api_key);
        if refreshed.account.is_none() {
            refreshed.account.clone_from(&current.account);
        }
        Ok(refreshed)
    }

    /// Signs in with a password. Also returns the recovery codes, if that turned a second factor on.
    ///
    /// # Errors
    /// [`CallError::Tool`] with the code `unauthorized` for a wrong address or password, or about
    /// the field `organization` or `code` if it is required; otherwise as for any call.
    pub(crate) async fn sign_in(
        self: &Arc<Self>,
        api_key: &str,
        email: &str,
        password: &str,
        details: &SignInDetails,
    ) -> Result<(Account, Vec<String>), CallError> {
        let mut body = json!({ "email": email, "password": password });
        let organization = details.organization.as_deref();
        if let Some(organization) = organization {
            body["organization"] = organization.into();
        }
        if let Some(code) = &details.code {
            body["code"] = code.expose().into();
        }
        if let Some(enrolment) = &details.enrolment {
            body["enrolment"] = enrolment.enrolment.expose().into();
        }
        let mut request = self
            .http
            .request(
                Method::POST,
                &self.addresses.auth("token?grant_type=password"),
            )
            .header("apikey", api_key)
            .header(DATE, clock::date_header())
            .header(PERSON_HEADER, "yes")
            .json(&body);
        // A known machine is exempt from the lockout caused by strangers' guesses.
        let named = organization.map_or(String::new(), |name| format!(" {}", name.to_lowercase()));
        let device = format!(
            "{} {}{named}",
            self.addresses.url(),
            email.trim().to_lowercase()
        );
        match self.store.device(&device) {
            Ok(Some(cookie)) => request = request.header(COOKIE, cookie.expose()),
            Ok(None) => {}
            Err(reason) => tracing::warn!(%reason, "the device's cookie is ignored"),
        }
        let answer = self.exchange(request).await.map_err(setup::unreachable)?;
        let refusal = answer.refusal();
        if answer.error_code().as_deref() == Some("organization_required") {
            return Err(CallError::Tool(ToolError::invalid(
                "organization",
                refusal.message,
            )));
        }
        if let Some(asks) = factor::asks(&answer) {
            return Err(asks);
        }
        if refusal.is_about_grant() || refusal.is_of_another_program() {
            return Err(setup::refused_sign_in(self.addresses.url(), &answer));
        }
        let cookie = answer.headers.get(SET_COOKIE);
        let cookie = cookie.and_then(|cookie| cookie.to_str().ok()?.split(';').next());
        if let Some(cookie) = cookie.filter(|_| answer.status.is_success())
            && let Err(reason) = self.store.keep_device(&device, Secret::new(cookie))
        {
            tracing::warn!(%reason, "the device's cookie cannot be kept");
        }
        let recovery = serde_json::from_slice::<Value>(&answer.body).unwrap_or_default();
        let recovery = Vec::deserialize(&recovery["recovery_codes"]).unwrap_or_default();
        let account = self.take_up(&answer, Some(email), api_key).await?;
        Ok((account, recovery))
    }

    /// The ways to sign in.
    ///
    /// # Errors
    /// As for any call; also if the identity provider does not list its providers.
    pub(crate) async fn sign_in_ways(&self, api_key: &str) -> Result<SignInWays, CallError> {
        #[derive(Deserialize)]
        struct Settings {
            #[serde(default)]
            external: BTreeMap<String, bool>,
            #[serde(default)]
            needs_setup: bool,
        }
        let at = self.addresses.url();
        let request = self
            .http
            .request(Method::GET, &self.addresses.auth("settings"))
            .header("apikey", api_key);
        let answer = self.exchange(request).await?;
        if !answer.status.is_success() {
            return Err(Failure::Status(Box::new(answer.refusal())).into_error(at, true));
        }
        let Settings {
            external,
            needs_setup,
        } = answer
            .json()
            .map_err(|failure| failure.into_error(at, true))?;
        // The other entries are not external providers.
        let is_provider = |name: &str| !matches!(name, "email" | "phone" | "anonymous_users");
        let offered = external.into_iter();
        let providers = offered
            .filter(|(name, is_offered)| *is_offered && is_provider(name))
            .map(|(name, _)| name)
            .collect();
        Ok(SignInWays {
            providers,
            needs_setup,
        })
    }

    /// Exchanges the code of a provider sign-in for tokens.
    ///
    /// # Errors
    /// [`CallError::SignedOut`] if the code is refused; otherwise as for any call.
    pub(crate) async fn sign_in_with_code(
        self: &Arc<Self>,
        api_key: &str,
        code: &str,
        verifier: &str,
    ) -> Result<Account, CallError> {
        let request = self
            .http
            .request(Method::POST, &self.addresses.auth("token?grant_type=pkce"))
            .header("apikey", api_key)
            .header(PERSON_HEADER, "yes")
            .json(&json!({ "auth_code": code, "code_verifier": verifier }));
        let answer = self.exchange(request).await?;
        let refusal = answer.refusal();
        if refusal.is_about_grant() {
            return Err(CallError::SignedOut(refusal.message));
        }
        self.take_up(&answer, None, api_key).await
    }

    /// The token that makes a provider sign-in link the provider to the signed-in account.
    ///
    /// # Errors
    /// [`CallError::SignedOut`] if nobody is signed in; otherwise as for any call.
    pub(crate) async fn link(self: &Arc<Self>) -> Result<String, CallError> {
        #[derive(Deserialize)]
        struct Link {
            link: String,
        }
        let token = self.bearer(None, None).await?;
        let token = token.ok_or_else(|| CallError::SignedOut("nobody is signed in".to_owned()))?;
        let request = self
            .http
            .request(Method::POST, &self.addresses.auth("user/link"))
            .bearer_auth(token.expose());
        let answer = self.exchange(request).await?;
        let link = answer.json::<Link>();
        let link = link.map_err(|failure| failure.into_error(self.addresses.url(), true))?;
        Ok(link.link)
    }

    /// The answer of the identity provider, whatever its status.
    async fn exchange(&self, request: reqwest::RequestBuilder) -> Result<Response, CallError> {
        let answer = self.http.exchange(request).await;
        answer.map_err(|failure| failure.into_error(self.addresses.url(), true))
    }

    /// Saves the tokens of a sign-in and returns the account. If no e-mail address is given, the
    /// one of the account is used.
    async fn take_up(
        &self,
        answer: &Response,
        email: Option<&str>,
        api_key: &str,
    ) -> Result<Account, CallError> {
        let at = self.addresses.url();
        let grant: Grant = answer
            .json()
            .map_err(|failure| failure.into_error(at, true))?;
        let email = email.unwrap_or_default().to_owned();
        let mut credentials = self.credentials(grant, email, api_key.to_owned());
        let account = match credentials.account.clone() {
            Some(account) => account,
            None => {
                let answer = self
                    .user(&credentials.access_token, api_key)
                    .await
                    .map_err(|failure| failure.into_error(at, true))?;
                read_account(&answer).map_err(|failure| failure.into_error(at, true))?
            }
        };
        credentials.account = Some(account.clone());
        if credentials.email.is_empty() {
            credentials.email.clone_from(&account.email);
        }

        let _turn = self.replacing.lock().await;
        let _lock = self
            .store
            .lock(self.http.timeouts.request)
            .await
            .map_err(|error| self.unreachable(error.to_string()))?;
        if let Err(reason) = self.store.save(&credentials) {
            tracing::warn!(%reason, "the credentials cannot be kept");
        }
        self.hold(Some(credentials));
        Ok(account)
    }

    /// Deletes the tokens locally, then signs out at the identity provider.
    ///
    /// # Errors
    /// The credentials file could not be removed, or the provider could not be reached. This
    /// process has dropped the tokens in any case.
    pub(crate) async fn sign_out(&self) -> Result<(), CallError> {
        let held = {
            let _turn = self.replacing.lock().await;
            let held = self.held();
            self.hold(None);
            let _lock = self
                .store
                .lock(self.http.timeouts.request)
                .await
                .map_err(|error| self.unreachable(error.to_string()))?;
            self.store
                .clear()
                .map_err(|error| self.unreachable(error.to_string()))?;
            held
        };
        let Some(held) = held else {
            return Ok(());
        };
        let at = self.addresses.url();
        let request = self
            .http
            .request(Method::POST, &self.addresses.auth("logout"))
            .header("apikey", &held.api_key)
            .bearer_auth(held.access_token.expose());
        let answer = self.exchange(request).await?;
        // 401: the token has expired, so the sign-in has ended as well.
        if answer.status.is_success() || answer.status.as_u16() == 401 {
            return Ok(());
        }
        Err(Failure::Status(Box::new(answer.refusal())).into_error(at, true))
    }

    /// Fetches the signed-in account.
    ///
    /// # Errors
    /// [`CallError::SignedOut`] if nobody is signed in or the tokens are refused; otherwise as for
    /// any call.
    pub(crate) async fn account(self: &Arc<Self>) -> Result<Account, CallError> {
        let at = self.addresses.url();
        let mut rejected = None;
        loop {
            let Some(token) = self.bearer(None, rejected.as_ref()).await? else {
                return Err(CallError::SignedOut("nobody is signed in".to_owned()));
            };
            let api_key = self.held().map(|held| held.api_key).unwrap_or_default();
            let answer = self
                .user(&token, &api_key)
                .await
                .map_err(|failure| failure.into_error(at, true))?;
            let is_open = !answer.refusal().is_about_account();
            if answer.status.as_u16() == 401 && is_open && rejected.is_none() {
                rejected = Some(token);
                continue;
            }
            let account = read_account(&answer).map_err(|failure| failure.into_error(at, true))?;
            let mut held = self.held.write().unwrap_or_else(PoisonError::into_inner);
            if let Some(held) = &mut held.credentials {
                held.account = Some(account.clone());
            }
            return Ok(account);
        }
    }

    /// Changes the password of the signed-in account. Its other sign-ins end.
    ///
    /// # Errors
    /// [`CallError::Tool`] if the current password is wrong or the new one is refused;
    /// [`CallError::SignedOut`] if nobody is signed in; otherwise as for any call.
    pub(crate) async fn change_password(
        self: &Arc<Self>,
        current: &str,
        new: &str,
    ) -> Result<(), CallError> {
        let at = self.addresses.url();
        let body = json!({ "current_password": current, "password": new });
        let answer = self.as_account(Method::PUT, "user", &body).await?;
        match answer.status.as_u16() {
            200..=299 => Ok(()),
            400 | 422 => Err(CallError::Tool(ToolError::new(
                ErrorCode::InvalidArgument,
                answer.refusal().message,
            ))),
            _ => Err(Failure::Status(Box::new(answer.refusal())).into_error(at, false)),
        }
    }

    /// The identity provider's answer to a request of the signed-in account, whatever its status.
    ///
    /// # Errors
    /// [`CallError::SignedOut`] if nobody is signed in; otherwise as for any call.
    pub(crate) async fn as_account(
        self: &Arc<Self>,
        method: Method,
        path: &str,
        body: &Value,
    ) -> Result<Response, CallError> {
        let Some(token) = self.bearer(None, None).await? else {
            return Err(CallError::SignedOut("nobody is signed in".to_owned()));
        };
        let api_key = self.held().map(|held| held.api_key).unwrap_or_default();
        let request = self
            .http
            .request(method, &self.addresses.auth(path))
            .header("apikey", api_key)
            .bearer_auth(token.expose())
            .json(body);
        self.exchange(request).await
    }

    /// The address of the service.
    pub(crate) fn url(&self) -> &str {
        self.addresses.url()
    }

    /// The content of a successful answer.
    pub(crate) fn read<T: DeserializeOwned>(&self, answer: &Response) -> Result<T, CallError> {
        let read = answer.json();
        read.map_err(|failure| failure.into_error(self.url(), true))
    }

    /// An access token of the sign-in for another program, and its expiry: what the program does has not been agreed to.
    ///
    /// # Errors
    /// [`CallError::SignedOut`] if nobody is signed in; otherwise as for any call.
    pub(crate) async fn other_token(
        self: &Arc<Self>,
        read_only: bool,
    ) -> Result<(Secret, Timestamp), CallError> {
        #[derive(Deserialize)]
        struct Other {
            access_token: Secret,
            expires_in: u32,
        }
        let asked = json!({ "read_only": read_only });
        let answer = match self.as_account(Method::POST, "user/token", &asked).await {
            // Of a provider that has no such tokens.
            Err(CallError::Host { status: 404, .. }) if !read_only => {
                let held = self.held().ok_or_else(signed_out_elsewhere)?;
                return Ok((held.access_token, held.expires_at));
            }
            answer => answer?,
        };
        let token: Other = self.read(&answer)?;
        let lifetime = SignedDuration::from_secs(i64::from(token.expires_in));
        let until = Timestamp::now().saturating_add(lifetime);
        Ok((token.access_token, until.unwrap_or(Timestamp::MAX)))
    }

    async fn user(&self, token: &Secret, api_key: &str) -> Result<Response, Failure> {
        let request = self
            .http
            .request(Method::GET, &self.addresses.auth("user"))
            .header("apikey", api_key)
            .bearer_auth(token.expose());
        self.http.exchange(request).await
    }

    fn credentials(&self, grant: Grant, email: String, api_key: String) -> Credentials {
        // Counted from now by this machine's clock, which can differ from the issuer's.
        let lifetime = grant.expires_in.unwrap_or(USUAL_LIFETIME);
        let in_lifetime = || {
            let now = Timestamp::now();
            now.checked_add(SignedDuration::from_secs(i64::from(lifetime)))
                .unwrap_or(Timestamp::MAX)
        };
        let expires_at = match (grant.expires_in, grant.expires_at) {
            (None, Some(seconds)) => {
                Timestamp::from_second(seconds).unwrap_or_else(|_| in_lifetime())
            }
            _ => in_lifetime(),
        };
        Credentials {
            access_token: grant.access_token,
            refresh_token: grant.refresh_token,
            expires_at,
            lifetime,
            url: self.addresses.url().to_owned(),
            email,
            api_key,
            // Without metadata the role is unknown.
            account: (grant.user)
                .filter(|user| user.get("app_metadata").is_some())
                .and_then(|user| account(user).ok()),
        }
    }

    fn unreachable(&self, reason: String) -> CallError {
        CallError::Unreachable {
            host: self.addresses.url().to_owned(),
            reason,
        }
    }
}

fn usable(credentials: &Credentials, rejected: Option<&Secret>) -> bool {
    rejected != Some(&credentials.access_token) && credentials.is_fresh(Timestamp::now())
}

fn signed_out_elsewhere() -> CallError {
    CallError::SignedOut("somebody signed out or signed in elsewhere".to_owned())
}

/// The response to both grants.
#[derive(Deserialize)]
struct Grant {
    access_token: Secret,
    refresh_token: Secret,
    /// Seconds.
    #[serde(default)]
    expires_in: Option<u32>,
    /// Unix seconds.
    #[serde(default)]
    expires_at: Option<i64>,
    #[serde(default)]
    user: Option<Value>,
}

fn read_account(answer: &Response) -> Result<Account, Failure> {
    account(answer.json()?)
        .map_err(|_| Failure::NotProtocol("it does not describe an account".to_owned()))
}

/// Converts the identity provider's user to an account.
fn account(user: Value) -> serde_json::Result<Account> {
    #[derive(Deserialize)]
    struct User {
        id: UserId,
        email: String,
        #[serde(default)]
        app_metadata: Metadata,
    }

    #[derive(Default, Deserialize)]
    struct Metadata {
        #[serde(default)]
        organization: Option<String>,
        #[serde(default)]
        organization_slug: Option<String>,
        #[serde(default)]
        time_zone: Option<String>,
        #[serde(default)]
        name: Option<String>,
        #[serde(default)]
        member: Option<Member>,
        #[serde(default)]
        role: Option<String>,
        #[serde(default)]
        level: Option<i32>,
    }

    #[derive(Deserialize)]
    struct Member {
        name: String,
    }

    let user: User = serde_json::from_value(user)?;
    Ok(Account {
        id: user.id,
        email: user.email,
        organization: user.app_metadata.organization,
        organization_slug: user.app_metadata.organization_slug,
        time_zone: user.app_metadata.time_zone,
        name: user.app_metadata.name,
        member: user.app_metadata.member.map(|member| member.name),
        // A role unknown to this version offers no commands; the hosts check permissions anyway.
        role: user.app_metadata.role.as_deref().and_then(Role::from_name),
        level: user.app_metadata.level.unwrap_or_default(),
    })
}
