//! A sign-in in progress: a signed record that the browser carries through the page, to the provider and back, so
//! that any server process can continue it.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use frontdesk_protocol::id::UserId;
use hmac::{Hmac, Mac};
use jiff::{SignedDuration, Timestamp};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use url::Url;
use uuid::Uuid;

use super::client::Client;

/// The time limit for a sign-in.
const LIFETIME: SignedDuration = SignedDuration::from_mins(10);
/// The maximum length of a client's state in bytes.
const LONGEST_STATE: usize = 512;
/// The maximum length of a client's id in bytes.
const LONGEST_ID: usize = 2048;
/// The purposes of signatures: a record of one kind must not be accepted as one of another kind.
const STATE: &[u8] = b"state\0";
const CLIENT: &[u8] = b"client\0";
const DEVICE: &[u8] = b"device\0";
const TICKET: &[u8] = b"ticket\0";
const CHOICE: &[u8] = b"choice\0";
const PASSED: &[u8] = b"passed\0";
const SETUP: &[u8] = b"setup\0";
const FACTOR: &[u8] = b"factor\0";
#[cfg(feature = "code-host")]
const LINK: &[u8] = b"link\0";

/// The key of signed records, the same for every process on the database.
#[derive(Clone)]
pub(in crate::identity) struct FlowKey(Hmac<Sha256>);

/// A sign-in in progress.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::identity) struct Flow {
    /// The redirect address at the end of the sign-in.
    pub(in crate::identity) redirect: Url,
    /// The SHA-256 hash of the code's verifier, in base64url (RFC 7636, S256).
    pub(super) challenge: String,
    /// The client's `state` parameter.
    pub(in crate::identity) state: Option<String>,
    /// The client, in the standard grant.
    pub(in crate::identity) client: Option<FlowClient>,
    /// The account to link with an address at the provider, and the sign-in that asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::identity) link: Option<(UserId, Uuid)>,
    /// The hash of the browser's cookie.
    browser: String,
    /// The start of the sign-in, in seconds since 1970.
    began_at: i64,
    /// Makes each record unique.
    pub(super) nonce: String,
}

/// The client of a sign-in in the standard grant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::identity) struct FlowClient {
    /// The hash of its id.
    pub(super) id: String,
    pub(super) name: Option<String>,
    /// The host of its id, if the id is the address of a document.
    pub(super) host: Option<String>,
}

/// A sign-in request with a validated redirect address.
pub(in crate::identity) struct Asked<'a> {
    pub(in crate::identity) redirect: Url,
    pub(in crate::identity) challenge: Option<&'a str>,
    pub(in crate::identity) method: Option<&'a str>,
    pub(in crate::identity) state: Option<&'a str>,
    pub(in crate::identity) client: Option<FlowClient>,
    pub(in crate::identity) link: Option<(UserId, Uuid)>,
}

impl FlowKey {
    pub(in crate::identity) fn new(key: &[u8; 32]) -> Self {
        match Hmac::new_from_slice(key) {
            Ok(mac) => FlowKey(mac),
            Err(error) => unreachable!("HMAC takes a key of any length: {error}"),
        }
    }

    fn mac(&self, purpose: &[u8], text: &str) -> Hmac<Sha256> {
        self.0.clone().chain_update(purpose).chain_update(text)
    }

    fn sign<T: Serialize>(&self, purpose: &[u8], record: &T) -> Option<String> {
        let text = URL_SAFE_NO_PAD.encode(serde_json::to_vec(record).ok()?);
        let signature = self.mac(purpose, &text).finalize().into_bytes();
        Some(format!("{text}.{}", URL_SAFE_NO_PAD.encode(signature)))
    }

    fn verify<T: DeserializeOwned>(&self, purpose: &[u8], signed: &str) -> Option<T> {
        let (text, signature) = signed.split_once('.')?;
        let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
        self.mac(purpose, text).verify_slice(&signature).ok()?;
        serde_json::from_slice(&URL_SAFE_NO_PAD.decode(text).ok()?).ok()
    }

    /// Signs the record for the browser.
    pub(super) fn seal(&self, flow: &Flow) -> Option<String> {
        self.sign(STATE, flow)
    }

    /// Verifies the browser's record: signed here, for this browser, and within the time limit.
    pub(in crate::identity) fn open(
        &self,
        sealed: &str,
        browser: &str,
        now: Timestamp,
    ) -> Option<Flow> {
        let flow: Flow = self.verify(STATE, sealed)?;
        let began_at = Timestamp::from_second(flow.began_at).ok()?;
        let is_in_time = now.duration_since(began_at) < LIFETIME;
        let is_same = flow.browser.as_bytes().ct_eq(hash(browser).as_bytes());
        (is_in_time && bool::from(is_same)).then_some(flow)
    }

    /// The id of a registered client, or `None` if it would be too long.
    pub(super) fn name(&self, client: &Client) -> Option<String> {
        let id = self.sign(CLIENT, client)?;
        (id.len() <= LONGEST_ID).then_some(id)
    }

    /// The client with this id, if it was registered here.
    pub(super) fn read(&self, id: &str) -> Option<Client> {
        self.verify(CLIENT, id)
    }

    /// Ties a form with this secret to a browser.
    pub(in crate::identity) fn ticket(&self, browser: &str, secret: &str) -> String {
        let ticket = self.mac(TICKET, &format!("{browser}\0{secret}"));
        URL_SAFE_NO_PAD.encode(ticket.finalize().into_bytes())
    }

    /// Whether the form was shown in this browser.
    pub(in crate::identity) fn is_ticket(&self, ticket: &str, browser: &str, secret: &str) -> bool {
        let expected = self.ticket(browser, secret);
        !browser.is_empty() && ticket.as_bytes().ct_eq(expected.as_bytes()).into()
    }

    /// Signs the record of a person's options.
    pub(super) fn sign_choice(&self, choice: &impl Serialize) -> Option<String> {
        self.sign(CHOICE, choice)
    }

    pub(super) fn read_choice<T: DeserializeOwned>(&self, signed: &str) -> Option<T> {
        self.verify(CHOICE, signed)
    }

    /// Signs the record of a person who is still to show a second factor.
    pub(super) fn sign_passed(&self, passed: &impl Serialize) -> Option<String> {
        self.sign(PASSED, passed)
    }

    pub(super) fn read_passed<T: DeserializeOwned>(&self, signed: &str) -> Option<T> {
        self.verify(PASSED, signed)
    }

    /// Signs the record of a second factor that is being turned on: account, epoch, key, and when that began.
    pub(in crate::identity) fn sign_enrolment(
        &self,
        record: &(UserId, i32, String, i64),
    ) -> Option<String> {
        self.sign(FACTOR, record)
    }

    /// The record, if it was signed here within the last ten minutes.
    pub(in crate::identity) fn read_enrolment(
        &self,
        signed: &str,
        now: Timestamp,
    ) -> Option<(UserId, i32, String, i64)> {
        let record: (UserId, i32, String, i64) = self.verify(FACTOR, signed)?;
        let at = Timestamp::from_second(record.3).ok()?;
        (now.duration_since(at) < LIFETIME).then_some(record)
    }

    /// Signs a proof, valid for ten minutes, that the person who begins a sign-in is signed in to this account. It ends
    /// with this sign-in.
    #[cfg(feature = "code-host")]
    pub(in crate::identity) fn sign_link(
        &self,
        user: UserId,
        session: Uuid,
        now: Timestamp,
    ) -> Option<String> {
        self.sign(LINK, &(user, session, now.as_second()))
    }

    /// The account and the sign-in of such a proof, if it was signed here and is recent.
    #[cfg(feature = "code-host")]
    pub(in crate::identity) fn read_link(
        &self,
        signed: &str,
        now: Timestamp,
    ) -> Option<(UserId, Uuid)> {
        let (user, session, at): (UserId, Uuid, i64) = self.verify(LINK, signed)?;
        let at = Timestamp::from_second(at).ok()?;
        (now.duration_since(at) < LIFETIME).then_some((user, session))
    }

    /// Signs the right to create the first organisation: until this time, and as long as the server had this number of
    /// organisations.
    pub(in crate::identity) fn sign_setup(&self, until: Timestamp, made: i64) -> Option<String> {
        self.sign(SETUP, &(until, made))
    }

    /// The end of this right and the number, if it was signed here.
    pub(in crate::identity) fn read_setup(&self, signed: &str) -> Option<(Timestamp, i64)> {
        self.verify(SETUP, signed)
    }

    /// Signs the record of a device.
    pub(in crate::identity) fn sign_device<T: Serialize>(&self, device: &T) -> Option<String> {
        self.sign(DEVICE, device)
    }

    /// The record of a device, if it was signed here.
    pub(in crate::identity) fn read_device<T: DeserializeOwned>(&self, signed: &str) -> Option<T> {
        self.verify(DEVICE, signed)
    }

    /// The verifier for the provider's code (RFC 7636), derived from the state. Only this server can derive it.
    #[cfg(feature = "code-host")]
    pub(in crate::identity) fn verifier(&self, sealed: &str) -> String {
        let derived = self.mac(b"verifier\0", sealed).finalize().into_bytes();
        URL_SAFE_NO_PAD.encode(derived)
    }
}

impl Flow {
    /// Begins a sign-in in the browser with this cookie.
    ///
    /// # Errors
    /// The OAuth error of an invalid request.
    pub(super) fn begin(
        asked: Asked<'_>,
        browser: &str,
        now: Timestamp,
    ) -> Result<Flow, &'static str> {
        if asked.state.is_some_and(|state| state.len() > LONGEST_STATE) {
            return Err("the state is too long");
        }
        let challenge = asked.challenge.unwrap_or_default();
        let is_hash = URL_SAFE_NO_PAD.decode(challenge);
        if !is_hash.is_ok_and(|hash| hash.len() == 32) {
            return Err("code_challenge must be a SHA-256 in base64url");
        }
        if !asked
            .method
            .is_some_and(|it| it.eq_ignore_ascii_case("S256"))
        {
            return Err("code_challenge_method must be S256");
        }
        Ok(Flow {
            challenge: challenge.to_owned(),
            state: asked.state.map(str::to_owned),
            client: asked.client,
            link: asked.link,
            browser: hash(browser),
            began_at: now.as_second(),
            nonce: URL_SAFE_NO_PAD.encode(rand::random::<[u8; 16]>()),
            redirect: asked.redirect,
        })
    }
}

/// The SHA-256 hash in base64url.
pub(super) fn hash(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(text))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

    fn asked() -> Asked<'static> {
        Asked {
            redirect: "http://127.0.0.1:5000/callback".parse().unwrap(),
            challenge: Some(CHALLENGE),
            method: Some("S256"),
            state: Some("mine"),
            client: None,
            link: None,
        }
    }

    fn key() -> FlowKey {
        FlowKey::new(&[7; 32])
    }

    #[test]
    fn what_comes_back_is_what_began_here_in_this_browser_and_in_time() {
        let now = Timestamp::from_second(1_800_000_000).unwrap();
        let flow = Flow::begin(asked(), "cookie", now).unwrap();
        let sealed = key().seal(&flow).unwrap();
        let later = |seconds| now + SignedDuration::from_secs(seconds);
        assert_eq!(
            key().open(&sealed, "cookie", later(599)),
            Some(flow.clone())
        );
        assert_eq!(key().open(&sealed, "cookie", later(600)), None);
        assert_eq!(key().open(&sealed, "another", now), None);
        assert_eq!(key().open(&sealed, "", now), None);
        let other = FlowKey::new(&[8; 32]);
        assert_eq!(other.open(&sealed, "cookie", now), None);
        let again = key().seal(&Flow::begin(asked(), "cookie", now).unwrap());
        assert_ne!(again.unwrap(), sealed);
    }

    #[test]
    fn no_changed_state_is_taken() {
        let now = Timestamp::now();
        let flow = Flow::begin(asked(), "cookie", now).unwrap();
        let sealed = key().seal(&flow).unwrap();
        for at in 0..sealed.len() {
            let mut forged = sealed.clone().into_bytes();
            forged[at] = if forged[at] == b'A' { b'B' } else { b'A' };
            let forged = String::from_utf8(forged).unwrap();
            assert_eq!(key().open(&forged, "cookie", now), None, "{at}");
        }
        for forged in ["", ".", &sealed[1..], &format!("{sealed}.")] {
            assert_eq!(key().open(forged, "cookie", now), None);
        }
    }

    #[test]
    #[cfg(feature = "code-host")]
    fn a_verifier_is_the_server_s_own_and_no_state() {
        let now = Timestamp::now();
        let flow = Flow::begin(asked(), "cookie", now).unwrap();
        let sealed = key().seal(&flow).unwrap();
        let verifier = key().verifier(&sealed);
        assert_ne!(FlowKey::new(&[8; 32]).verifier(&sealed), verifier);
        assert_eq!(key().open(&verifier, "cookie", now), None);
    }

    #[test]
    fn a_sign_in_without_a_good_challenge_does_not_begin() {
        let now = Timestamp::now();
        for (challenge, method) in [
            (None, Some("S256")),
            (Some(""), Some("S256")),
            (Some("short"), Some("S256")),
            (Some(&*format!("{CHALLENGE}AA")), Some("S256")),
            (Some(CHALLENGE), None),
            (Some(CHALLENGE), Some("plain")),
        ] {
            let asked = Asked {
                challenge,
                method,
                ..asked()
            };
            assert!(Flow::begin(asked, "cookie", now).is_err());
        }
    }
}
