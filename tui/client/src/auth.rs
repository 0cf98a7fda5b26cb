//! Signing in, and tokens that stay fresh.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use frontdesk_protocol::id::UserId;
use frontdesk_protocol::{ErrorCode, Host, Role, ToolError};
use http::Method;
use http::header::{COOKIE, SET_COOKIE};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::account::Account;
use crate::addresses::Addresses;
use crate::credentials::{CredentialStore, Credentials};
use crate::error::CallError;
use crate::failure::Failure;
use crate::http::{Answer, Http};
use crate::secret::Secret;

/// The lifetime of a token whose issuer names none, in seconds.
const USUAL_LIFETIME: u32 = 3600;

/// Who is signed in, with the tokens that show it.
#[derive(Debug)]
pub(crate) struct Auth {
    http: Http,
    addresses: Arc<Addresses>,
    store: CredentialStore,
    held: RwLock<Held>,
    /// Held by the one task of this process that is replacing credentials.
    replacing: tokio::sync::Mutex<()>,
}

#[derive(Debug, Default)]
struct Held {
    credentials: Option<Credentials>,
    /// The refresh token that was refused, with the reason: it is not shown to a host again.
    refused: Option<(Secret, String)>,
}

impl Auth {
    /// Takes up what the store holds, if it was issued by the service at these addresses.
    pub(crate) fn new(http: Http, addresses: Arc<Addresses>, store: CredentialStore) -> Self {
        let auth = Auth {
            http,
            addresses,
            store,
            held: RwLock::default(),
            replacing: tokio::sync::Mutex::new(()),
        };
        let credentials = auth.stored().unwrap_or_else(|reason| {
            tracing::warn!(%reason, "the credentials are left aside");
            None
        });
        auth.hold(credentials);
        auth
    }

    /// What the store holds for these addresses: a token goes nowhere but where it came from.
    fn stored(&self) -> std::io::Result<Option<Credentials>> {
        let stored = self.store.load()?;
        Ok(stored.filter(|stored| stored.url == self.addresses.url()))
    }

    fn hold(&self, credentials: Option<Credentials>) {
        let mut held = self.held.write().unwrap_or_else(PoisonError::into_inner);
        held.credentials = credentials;
    }

    /// The credentials at this moment.
    pub(crate) fn held(&self) -> Option<Credentials> {
        let held = self.held.read().unwrap_or_else(PoisonError::into_inner);
        held.credentials.clone()
    }

    /// Why the refresh token is of no use, if it was refused.
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

    /// Whether there are credentials that were not refused.
    pub(crate) fn is_signed_in(&self) -> bool {
        self.held()
            .is_some_and(|held| self.refusal(&held).is_none())
    }

    /// The token for a call to this host; none where nobody is signed in. It is refreshed first
    /// if little of it is left, or if it is the one that was `rejected` with a 401.
    ///
    /// # Errors
    /// [`CallError::SignedOut`] when the refresh is refused; else what kept it from being asked.
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
        // In a task of its own: a refresh token serves once, so the answer must be kept even if
        // the caller has stopped waiting.
        let auth = Arc::clone(self);
        let rejected = rejected.cloned();
        let task = tokio::spawn(async move { auth.refreshed(host, rejected.as_ref()).await });
        match task.await {
            Ok(refreshed) => refreshed.map(Some),
            Err(error) => Err(CallError::Protocol(format!(
                "the refresh broke off: {error}"
            ))),
        }
    }

    /// Refreshes, unless another task or another process did so in the meantime.
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
            // What is in memory still counts.
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
            // The token is still good for the moment: better than no call at all.
            Err(error) => return fallback.ok_or(error),
        };
        if let Err(reason) = self.store.save(&refreshed) {
            // They serve this process at least.
            tracing::warn!(%reason, "the credentials cannot be kept");
        }
        drop(lock);
        let token = refreshed.access_token.clone();
        self.hold(Some(refreshed));
        Ok(token)
    }

    /// Asks for the next tokens, at the host or, where the call is to none, at the identity
    /// provider.
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
            .json(&json!({ "refresh_token": current.refresh_token }));
        if host.is_none() {
            request = request.header("apikey", &current.api_key);
        }
        // A refresh that got lost has changed nothing that a person cares about.
        let at = self.addresses.url();
        let answer = self
            .http
            .exchange(request)
            .await
            .map_err(|failure| failure.into_error(at, true))?;
        let refusal = answer.refusal();
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

    /// The password grant, at this organisation where the password fits accounts at several.
    ///
    /// # Errors
    /// [`CallError::Tool`] with the code `unauthorized` for a wrong address or password, or about the field
    /// `organization` where it has to be named; else as any call.
    pub(crate) async fn sign_in(
        self: &Arc<Self>,
        api_key: &str,
        email: &str,
        password: &str,
        organization: Option<&str>,
    ) -> Result<Account, CallError> {
        let mut body = json!({ "email": email, "password": password });
        if let Some(organization) = organization {
            body["organization"] = organization.into();
        }
        let mut request = self
            .http
            .request(
                Method::POST,
                &self.addresses.auth("token?grant_type=password"),
            )
            .header("apikey", api_key)
            .json(&body);
        // A machine that has signed in before is not shut out by strangers' guesses.
        let named = organization.map_or(String::new(), |name| format!(" {}", name.to_lowercase()));
        let device = format!(
            "{} {}{named}",
            self.addresses.url(),
            email.trim().to_lowercase()
        );
        match self.store.device(&device) {
            Ok(Some(cookie)) => request = request.header(COOKIE, cookie.expose()),
            Ok(None) => {}
            Err(reason) => tracing::warn!(%reason, "the device's cookie is left aside"),
        }
        let answer = self.exchange(request).await?;
        let refusal = answer.refusal();
        if answer.error_code().as_deref() == Some("organization_required") {
            return Err(CallError::Tool(ToolError::invalid(
                "organization",
                refusal.message,
            )));
        }
        if refusal.is_about_grant() {
            return Err(CallError::Tool(ToolError::new(
                ErrorCode::Unauthorized,
                refusal.message,
            )));
        }
        let cookie = answer.headers.get(SET_COOKIE);
        let cookie = cookie.and_then(|cookie| cookie.to_str().ok()?.split(';').next());
        if let Some(cookie) = cookie.filter(|_| answer.status.is_success())
            && let Err(reason) = self.store.keep_device(&device, Secret::new(cookie))
        {
            tracing::warn!(%reason, "the device's cookie cannot be kept");
        }
        self.take_up(&answer, Some(email), api_key).await
    }

    /// The code-hosting providers that one can sign in through, by their names.
    ///
    /// # Errors
    /// As any call; also where the identity provider does not say.
    pub(crate) async fn providers(&self, api_key: &str) -> Result<Vec<String>, CallError> {
        #[derive(Deserialize)]
        struct Settings {
            #[serde(default)]
            external: BTreeMap<String, bool>,
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
        let Settings { external } = answer
            .json()
            .map_err(|failure| failure.into_error(at, true))?;
        // The others are not ways to sign in through somebody else.
        let is_provider = |name: &str| !matches!(name, "email" | "phone" | "anonymous_users");
        let offered = external.into_iter();
        Ok(offered
            .filter(|(name, is_offered)| *is_offered && is_provider(name))
            .map(|(name, _)| name)
            .collect())
    }

    /// The grant for the code that a sign-in through a provider ended with.
    ///
    /// # Errors
    /// [`CallError::SignedOut`] where the code is not taken; else as any call.
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
            .json(&json!({ "auth_code": code, "code_verifier": verifier }));
        let answer = self.exchange(request).await?;
        let refusal = answer.refusal();
        if refusal.is_about_grant() {
            return Err(CallError::SignedOut(refusal.message));
        }
        self.take_up(&answer, None, api_key).await
    }

    /// What a sign-in through the provider is begun with, so that it links the account that is signed in.
    ///
    /// # Errors
    /// [`CallError::SignedOut`] where nobody is signed in; else as any call.
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
    async fn exchange(&self, request: reqwest::RequestBuilder) -> Result<Answer, CallError> {
        let answer = self.http.exchange(request).await;
        answer.map_err(|failure| failure.into_error(self.addresses.url(), true))
    }

    /// Keeps what a sign-in brought, and says whose it is. Where it is not known yet, the address is
    /// that of the account.
    async fn take_up(
        &self,
        answer: &Answer,
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

    /// Forgets the tokens here, then tells the identity provider.
    ///
    /// # Errors
    /// The credentials file cannot be removed, or the provider was not told; the tokens are
    /// forgotten by this process in any case.
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
        // 401: the token has ended, and so has the sign-in that it stood for.
        if answer.status.is_success() || answer.status.as_u16() == 401 {
            return Ok(());
        }
        Err(Failure::Status(Box::new(answer.refusal())).into_error(at, true))
    }

    /// Who is signed in, asked now.
    ///
    /// # Errors
    /// [`CallError::SignedOut`] where nobody is, or the tokens are of no use any more; else as
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
            if answer.status.as_u16() == 401 && rejected.is_none() {
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

    async fn user(&self, token: &Secret, api_key: &str) -> Result<Answer, Failure> {
        let request = self
            .http
            .request(Method::GET, &self.addresses.auth("user"))
            .header("apikey", api_key)
            .bearer_auth(token.expose());
        self.http.exchange(request).await
    }

    fn credentials(&self, grant: Grant, email: String, api_key: String) -> Credentials {
        // Counted from now by this machine's clock, which may differ from the issuer's.
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
            // Without its metadata it does not say what the person is.
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

/// What both grants answer.
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

fn read_account(answer: &Answer) -> Result<Account, Failure> {
    account(answer.json()?)
        .map_err(|_| Failure::NotProtocol("it does not describe an account".to_owned()))
}

/// The identity provider's user as an account.
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
        role: Option<String>,
        #[serde(default)]
        level: Option<i32>,
    }

    let user: User = serde_json::from_value(user)?;
    Ok(Account {
        id: user.id,
        email: user.email,
        organization: user.app_metadata.organization,
        // A role that this version does not know offers nothing; the hosts decide anyway.
        role: user.app_metadata.role.as_deref().and_then(Role::from_name),
        level: user.app_metadata.level.unwrap_or_default(),
    })
}
