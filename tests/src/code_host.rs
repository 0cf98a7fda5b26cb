//! A fake code-hosting provider on loopback, and the browser of a person who signs in through it.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use frontdesk_server::identity::{CodeHostAddresses, CodeHostSettings};
use reqwest::Url;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// The server's client id and secret at the provider.
pub const CLIENT: (&str, &str) = ("frontdesk-client", "frontdesk-secret");

/// The provider; dropping it stops it.
#[derive(Debug)]
pub struct CodeHost {
    url: String,
    account: Arc<Mutex<Account>>,
    serving: JoinHandle<()>,
}

/// The person at the provider's page, and the provider's answers.
#[derive(Debug)]
struct Account {
    emails: Value,
    refuses: Option<&'static str>,
    /// The answer of the next request to this address.
    broken: Option<(&'static str, StatusCode, String)>,
    /// The challenge of each unused code.
    codes: HashMap<String, String>,
    given: usize,
    /// The number of token requests.
    asked: usize,
}

type Shared = State<Arc<Mutex<Account>>>;

impl CodeHost {
    /// Starts a provider whose visitor has this verified primary address.
    pub async fn start(email: &str) -> CodeHost {
        let account = Arc::new(Mutex::new(Account {
            emails: primary(email, true),
            refuses: None,
            broken: None,
            codes: HashMap::new(),
            given: 0,
            asked: 0,
        }));
        let app = Router::new()
            .route("/login/oauth/authorize", get(authorize))
            .route("/login/oauth/access_token", post(token))
            .route("/user/emails", get(emails))
            .route("/user", get(user))
            .with_state(Arc::clone(&account));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let serving = tokio::spawn(async move {
            axum::serve(listener, app).await.expect("it serves");
        });
        CodeHost {
            url,
            account,
            serving,
        }
    }

    /// The server's settings for it.
    pub fn settings(&self) -> CodeHostSettings {
        let at = |path: &str| Url::parse(&format!("{}{path}", self.url)).expect("an address");
        let addresses = CodeHostAddresses {
            authorize: at("/login/oauth/authorize"),
            token: at("/login/oauth/access_token"),
            emails: at("/user/emails"),
            scope: "user:email".to_owned(),
        };
        CodeHostSettings::new("forge", CLIENT.0, CLIENT.1, addresses).expect("settings")
    }

    /// The same settings as options of `frontdesk-server`.
    pub fn options(&self) -> Vec<String> {
        let url = &self.url;
        [
            "--provider=forge".to_owned(),
            format!("--provider-client-id={}", CLIENT.0),
            format!("--provider-client-secret={}", CLIENT.1),
            format!("--provider-authorize-url={url}/login/oauth/authorize"),
            format!("--provider-token-url={url}/login/oauth/access_token"),
            format!("--provider-email-url={url}/user/emails"),
            "--provider-scope=user:email".to_owned(),
        ]
        .into()
    }

    /// From now on, the visitor has this address.
    pub fn visited_by(&self, email: &str, is_verified: bool) {
        self.account().emails = primary(email, is_verified);
    }

    /// Sets the answer to requests for addresses.
    pub fn says(&self, emails: Value) {
        self.account().emails = emails;
    }

    /// The visitor or the provider refuses, with this error.
    pub fn refuses(&self, error: &'static str) {
        self.account().refuses = Some(error);
    }

    /// Sets the answer of the next request to this path.
    pub fn breaks(&self, path: &'static str, status: u16, body: &str) {
        let status = StatusCode::from_u16(status).expect("a status");
        self.account().broken = Some((path, status, body.to_owned()));
    }

    /// The number of token requests.
    pub fn asked(&self) -> usize {
        self.account().asked
    }

    /// Stops listening.
    pub async fn go_down(&mut self) {
        self.serving.abort();
        let _ = (&mut self.serving).await;
    }

    fn account(&self) -> MutexGuard<'_, Account> {
        self.account.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for CodeHost {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

fn primary(email: &str, is_verified: bool) -> Value {
    json!([
        { "email": "other@elsewhere.test", "primary": false, "verified": true },
        { "email": email, "primary": true, "verified": is_verified },
    ])
}

fn of(account: &Mutex<Account>) -> MutexGuard<'_, Account> {
    account.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Account {
    fn broken(&mut self, path: &str) -> Option<Response> {
        let (_, status, body) = self.broken.take_if(|(at, ..)| *at == path)?;
        let kind = match body.starts_with('{') {
            true => "application/json",
            false => "text/html",
        };
        Some((status, [(header::CONTENT_TYPE, kind)], body).into_response())
    }
}

async fn authorize(
    State(account): Shared,
    Query(asked): Query<HashMap<String, String>>,
) -> Response {
    let mut account = of(&account);
    assert_eq!(asked["client_id"], CLIENT.0);
    assert_eq!(asked["response_type"], "code");
    assert_eq!(asked["scope"], "user:email");
    assert_eq!(asked["code_challenge_method"], "S256");
    let mut back = Url::parse(&asked["redirect_uri"]).expect("an address");
    match account.refuses {
        Some(error) => {
            back.query_pairs_mut().append_pair("error", error);
        }
        None => {
            account.given += 1;
            let code = format!("code-{}", account.given);
            let challenge = asked["code_challenge"].clone();
            account.codes.insert(code.clone(), challenge);
            back.query_pairs_mut().append_pair("code", &code);
        }
    }
    back.query_pairs_mut().append_pair("state", &asked["state"]);
    Redirect::to(back.as_str()).into_response()
}

/// GitHub also refuses with status 200.
async fn token(State(account): Shared, body: String) -> Response {
    let sent = Url::parse(&format!("http://forge.test/?{body}")).expect("a form");
    let sent = parameters(&sent);
    let mut account = of(&account);
    account.asked += 1;
    if let Some(broken) = account.broken("/login/oauth/access_token") {
        return broken;
    }
    let is_known = (&*sent["client_id"], &*sent["client_secret"]) == CLIENT;
    let shown = URL_SAFE_NO_PAD.encode(Sha256::digest(&sent["code_verifier"]));
    let challenge = account.codes.remove(&sent["code"]);
    if !is_known || challenge != Some(shown) {
        return Json(json!({ "error": "bad_verification_code" })).into_response();
    }
    Json(json!({ "access_token": "forge-token", "token_type": "bearer", "scope": "user:email" }))
        .into_response()
}

async fn emails(State(account): Shared, headers: HeaderMap) -> Response {
    let mut account = of(&account);
    if let Some(broken) = account.broken("/user/emails") {
        return broken;
    }
    let sent = headers.get(header::AUTHORIZATION);
    let is_known = sent.is_some_and(|sent| sent == "Bearer forge-token");
    if !is_known || !headers.contains_key(header::USER_AGENT) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    Json(account.emails.clone()).into_response()
}

/// The login is the visitor's address before the @, in upper case.
async fn user(State(account): Shared) -> Response {
    let mut account = of(&account);
    if let Some(broken) = account.broken("/user") {
        return broken;
    }
    let mut emails = account.emails.as_array().into_iter().flatten();
    let primary = emails.rfind(|email| email["primary"] == true);
    let email = primary.and_then(|email| email["email"].as_str());
    let email = email.unwrap_or_default();
    let login = email.split('@').next().unwrap_or_default();
    Json(json!({ "login": login.to_uppercase() })).into_response()
}

/// A browser: it follows redirections and keeps the server's cookies.
#[derive(Debug, Clone, Default)]
pub struct Browser {
    cookies: BTreeMap<String, String>,
}

/// A page in a browser.
#[derive(Debug)]
pub struct Page {
    /// The HTTP status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The text.
    pub text: String,
}

impl Page {
    /// A header's value; empty if missing.
    pub fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().expect("text"))
    }

    /// The target of the redirection.
    ///
    /// # Panics
    ///
    /// If the page is not a redirection.
    #[track_caller]
    pub fn location(&self) -> Url {
        assert!(self.status.is_redirection(), "{self:?}");
        self.header("location").parse().expect("an address")
    }

    /// The value of the attribute after this text.
    ///
    /// # Panics
    ///
    /// If the page does not contain it.
    #[track_caller]
    fn attribute(&self, before: &str) -> String {
        let (_, rest) = (self.text.split_once(before))
            .unwrap_or_else(|| panic!("no {before} in {}", self.text));
        let (value, _) = rest.split_once('"').expect("its end");
        value.replace("&quot;", "\"").replace("&amp;", "&")
    }

    /// The address of the link that begins with this text.
    #[track_caller]
    pub fn link(&self, words: &str) -> String {
        let before = format!("\">{words}");
        let (until, _) = (self.text.split_once(&before))
            .unwrap_or_else(|| panic!("no link {words} in {}", self.text));
        let (_, address) = until.rsplit_once("<a href=\"").expect("a link");
        address.replace("&amp;", "&")
    }

    /// The value of a field of the form.
    #[track_caller]
    pub fn field(&self, name: &str) -> String {
        self.attribute(&format!("name=\"{name}\" value=\""))
    }

    /// The value of the button with this label.
    #[track_caller]
    pub fn value_of(&self, label: &str) -> String {
        let before = format!("\">{label}</button>");
        let (until, _) = (self.text.split_once(&before))
            .unwrap_or_else(|| panic!("no button {label} in {}", self.text));
        let (_, value) = until.rsplit_once("value=\"").expect("a value");
        value.to_owned()
    }

    /// The address to which the form is sent.
    #[track_caller]
    pub fn form_address(&self) -> String {
        self.attribute("<form method=\"post\" action=\"")
    }

    /// The form's address and its hidden fields.
    #[track_caller]
    pub fn form(&self) -> (String, String) {
        (self.form_address(), self.field("flow"))
    }
}

impl Browser {
    /// Loads a page without following redirections.
    pub async fn get(&mut self, address: &str) -> Page {
        let request = Browser::client().get(address);
        self.send(request).await
    }

    /// Submits a form.
    pub async fn post(&mut self, address: &str, fields: &[(&str, &str)]) -> Page {
        self.post_with(address, fields, ("accept", "text/html"))
            .await
    }

    /// Submits a form with this header.
    pub async fn post_with(
        &mut self,
        address: &str,
        fields: &[(&str, &str)],
        (name, value): (&'static str, &str),
    ) -> Page {
        let form = Url::parse_with_params("http://form.test", fields).expect("a form");
        let origin = Url::parse(address).expect("an address").origin();
        let request = Browser::client()
            .post(address)
            .header("content-type", "application/x-www-form-urlencoded")
            .header("origin", origin.ascii_serialization())
            .header(name, value)
            .body(form.query().unwrap_or_default().to_owned());
        self.send(request).await
    }

    fn client() -> reqwest::Client {
        let _ = rustls::crypto::ring::default_provider().install_default();
        reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .expect("a client")
    }

    async fn send(&mut self, request: reqwest::RequestBuilder) -> Page {
        let cookies = self.cookies.iter();
        let cookies: Vec<_> = cookies
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let request = match cookies.is_empty() {
            true => request,
            false => request.header("cookie", cookies.join("; ")),
        };
        let response = request.send().await.expect("an answer");
        for cookie in response.headers().get_all("set-cookie") {
            let cookie = cookie.to_str().expect("text").split(';').next();
            let (name, value) = cookie.and_then(|it| it.split_once('=')).expect("a cookie");
            self.cookies.insert(name.to_owned(), value.to_owned());
        }
        Page {
            status: response.status(),
            headers: response.headers().clone(),
            text: response.text().await.expect("text"),
        }
    }

    /// Follows redirections from this address through the provider to the final one, which is not
    /// loaded.
    pub async fn goes_through(&mut self, address: &str) -> Url {
        let provider = self.get(address).await.location();
        self.comes_back_from(provider.as_str()).await
    }

    /// Follows redirections from the provider's page to the final one, which is not loaded.
    pub async fn comes_back_from(&mut self, provider: &str) -> Url {
        let callback = self.get(provider).await.location();
        self.get(callback.as_str()).await.location()
    }

    /// Opens the sign-in page and submits it with this address and password.
    pub async fn signs_in(&mut self, address: &str, email: &str, password: &str) -> Page {
        let page = self.get(address).await;
        assert_eq!(page.status, StatusCode::OK, "{page:?}");
        let (action, flow) = page.form();
        let fields = [("flow", &*flow), ("email", email), ("password", password)];
        self.post(&action, &fields).await
    }
}

/// The address with the usual parameters, some replaced; an empty value removes the parameter.
pub fn address_with(address: &str, usual: &[(&str, &str)], instead: &[(&str, &str)]) -> Url {
    let kept = usual
        .iter()
        .filter(|(name, _)| instead.iter().all(|(other, _)| other != name));
    let given = kept.chain(instead).filter(|(_, value)| !value.is_empty());
    Url::parse_with_params(address, given).expect("an address")
}

/// The parameters of an address.
pub fn parameters(address: &Url) -> HashMap<String, String> {
    address.query_pairs().into_owned().collect()
}
