//! A sign-in on its way through the browser: what `state` carries to the provider and back. It is signed
//! and says everything by itself, so that any server process can go on with it.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac};
use jiff::{SignedDuration, Timestamp};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use url::{Host, Url};

use super::client::Registered;

/// How long somebody has to sign in at the provider.
const LIFETIME: SignedDuration = SignedDuration::from_mins(10);
/// The longest address to be sent back to, and the longest state of a client, in bytes.
const LONGEST: usize = 512;
/// The longest id of a client, in bytes.
const LONGEST_ID: usize = 2048;
/// What is signed, so that one is not taken for the other.
const STATE: &[u8] = b"state\0";
const CLIENT: &[u8] = b"client\0";

/// The keys of what is signed and derived here: the same for every process on the database.
#[derive(Clone)]
pub(super) struct FlowKey(Hmac<Sha256>);

/// A sign-in on its way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Flow {
    /// Where the browser is sent in the end: an address of its own machine.
    pub(super) redirect: Url,
    /// SHA-256 of the verifier that whoever began has to show, in base64url (RFC 7636, S256).
    pub(super) challenge: String,
    /// What the one who began knows it by.
    pub(super) state: Option<String>,
    /// The hash of the client's id, in the standard grant.
    pub(super) client: Option<String>,
    /// The hash of the browser's cookie.
    browser: String,
    /// Seconds since 1970.
    began_at: i64,
    /// So that no two are the same.
    nonce: String,
}

/// What a client asks for; it is not checked yet.
pub(super) struct Asked<'a> {
    pub(super) redirect: Option<&'a str>,
    pub(super) challenge: Option<&'a str>,
    pub(super) method: Option<&'a str>,
    pub(super) state: Option<&'a str>,
    /// The client's id, in the standard grant.
    pub(super) client: Option<&'a str>,
}

impl FlowKey {
    pub(super) fn new(key: &[u8; 32]) -> Self {
        match Hmac::new_from_slice(key) {
            Ok(mac) => FlowKey(mac),
            Err(error) => unreachable!("HMAC takes a key of any length: {error}"),
        }
    }

    fn mac(&self, purpose: &[u8], text: &str) -> Hmac<Sha256> {
        self.0.clone().chain_update(purpose).chain_update(text)
    }

    fn sign<T: Serialize>(&self, purpose: &[u8], what: &T) -> Option<String> {
        let said = URL_SAFE_NO_PAD.encode(serde_json::to_vec(what).ok()?);
        let signature = self.mac(purpose, &said).finalize().into_bytes();
        Some(format!("{said}.{}", URL_SAFE_NO_PAD.encode(signature)))
    }

    fn verify<T: DeserializeOwned>(&self, purpose: &[u8], signed: &str) -> Option<T> {
        let (said, signature) = signed.split_once('.')?;
        let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
        self.mac(purpose, said).verify_slice(&signature).ok()?;
        serde_json::from_slice(&URL_SAFE_NO_PAD.decode(said).ok()?).ok()
    }

    /// What the provider is to bring back.
    pub(super) fn seal(&self, flow: &Flow) -> Option<String> {
        self.sign(STATE, flow)
    }

    /// The sign-in that the provider brought back: one that began here, in this browser, not too long ago.
    pub(super) fn open(&self, sealed: &str, browser: &str, now: Timestamp) -> Option<Flow> {
        let flow: Flow = self.verify(STATE, sealed)?;
        let began_at = Timestamp::from_second(flow.began_at).ok()?;
        let is_in_time = now.duration_since(began_at) < LIFETIME;
        let is_same = flow.browser.as_bytes().ct_eq(hash(browser).as_bytes());
        (is_in_time && bool::from(is_same)).then_some(flow)
    }

    /// The id of a client; none where it would be too long.
    pub(super) fn name(&self, client: &Registered) -> Option<String> {
        let id = self.sign(CLIENT, client)?;
        (id.len() <= LONGEST_ID).then_some(id)
    }

    /// The client with this id, if it registered here.
    pub(super) fn read(&self, id: &str) -> Option<Registered> {
        self.verify(CLIENT, id)
    }

    /// The verifier that the provider is shown with its code (RFC 7636): nobody else can tell it from
    /// the state.
    pub(super) fn verifier(&self, sealed: &str) -> String {
        let derived = self.mac(b"verifier\0", sealed).finalize().into_bytes();
        URL_SAFE_NO_PAD.encode(derived)
    }
}

impl Flow {
    /// A sign-in that begins, in the browser with this cookie.
    ///
    /// # Errors
    /// What is wrong with what was asked for, and where the browser can be sent with it: nowhere, where
    /// that is what is wrong.
    pub(super) fn begin(
        asked: &Asked<'_>,
        browser: &str,
        now: Timestamp,
    ) -> Result<Flow, (&'static str, Option<Url>)> {
        let redirect = asked.redirect.and_then(loopback).ok_or((
            "the address to come back to must be one of this machine, like \
             http://127.0.0.1:PORT/callback",
            None,
        ))?;
        let wrong = |what| (what, Some(redirect.clone()));
        if asked.state.is_some_and(|state| state.len() > LONGEST) {
            return Err(wrong("the state is too long"));
        }
        let challenge = asked.challenge.unwrap_or_default();
        let is_hash = URL_SAFE_NO_PAD.decode(challenge);
        if !is_hash.is_ok_and(|hash| hash.len() == 32) {
            return Err(wrong("code_challenge must be a SHA-256 in base64url"));
        }
        if !asked
            .method
            .is_some_and(|it| it.eq_ignore_ascii_case("S256"))
        {
            return Err(wrong("code_challenge_method must be S256"));
        }
        Ok(Flow {
            challenge: challenge.to_owned(),
            state: asked.state.map(str::to_owned),
            client: asked.client.map(hash),
            browser: hash(browser),
            began_at: now.as_second(),
            nonce: URL_SAFE_NO_PAD.encode(rand::random::<[u8; 16]>()),
            redirect,
        })
    }
}

/// The SHA-256 in base64url.
pub(super) fn hash(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(text))
}

/// The address, if it is one of the machine that the browser is on (RFC 8252, section 7.3), at a port. What
/// is returned is what was checked, not what was sent.
pub(super) fn loopback(address: &str) -> Option<Url> {
    let url = Url::parse(address)
        .ok()
        .filter(|_| address.len() <= LONGEST)?;
    let is_here = match url.host()? {
        Host::Ipv4(ip) => ip.octets() == [127, 0, 0, 1],
        Host::Ipv6(ip) => ip.is_loopback(),
        Host::Domain(name) => name == "localhost",
    };
    let is_plain = url.scheme() == "http"
        && url.username().is_empty()
        && url.password().is_none()
        && url.fragment().is_none()
        && url.port().is_some_and(|port| port != 0);
    (is_here && is_plain).then_some(url)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
    const BACK: &str = "http://127.0.0.1:5000/callback";

    fn asked() -> Asked<'static> {
        Asked {
            redirect: Some(BACK),
            challenge: Some(CHALLENGE),
            method: Some("S256"),
            state: Some("mine"),
            client: None,
        }
    }

    fn key() -> FlowKey {
        FlowKey::new(&[7; 32])
    }

    #[test]
    fn only_addresses_of_this_machine_are_gone_back_to() {
        for address in [
            BACK,
            "http://[::1]:5000/callback",
            "http://localhost:5000/callback?from=here",
        ] {
            assert_eq!(loopback(address).unwrap().as_str(), address);
        }
        for address in [
            "",
            "callback",
            "https://example.org:5000/callback",
            "http://example.org:5000/callback",
            "http://127.0.0.1.example.org:5000/",
            "http://localhost.example.org:5000/",
            "http://127.0.0.1@example.org:5000/",
            "http://me@127.0.0.1:5000/",
            "http://127.0.0.1/callback",
            "http://127.0.0.1:80/callback",
            "http://127.0.0.1:0/callback",
            "http://127.0.0.1:5000/#fragment",
            "https://127.0.0.1:5000/callback",
            "http://0.0.0.0:5000/callback",
            "http://127.0.0.2:5000/callback",
            "http://10.0.0.1:5000/callback",
            "javascript:alert(1)",
            "frontdesk://callback",
            "//127.0.0.1:5000/callback",
            "http:\\\\example.org:5000\\@127.0.0.1:5000/",
            &format!("{BACK}?{}", "a".repeat(LONGEST)),
        ] {
            assert_eq!(loopback(address), None, "{address}");
        }
    }

    #[test]
    fn what_comes_back_is_what_began_here_in_this_browser_and_in_time() {
        let now = Timestamp::from_second(1_800_000_000).unwrap();
        let flow = Flow::begin(&asked(), "cookie", now).unwrap();
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
        assert_ne!(other.verifier(&sealed), key().verifier(&sealed));
        let again = key().seal(&Flow::begin(&asked(), "cookie", now).unwrap());
        assert_ne!(again.unwrap(), sealed);
    }

    #[test]
    fn no_changed_state_is_taken() {
        let now = Timestamp::now();
        let flow = Flow::begin(&asked(), "cookie", now).unwrap();
        let sealed = key().seal(&flow).unwrap();
        for at in 0..sealed.len() {
            let mut forged = sealed.clone().into_bytes();
            forged[at] = if forged[at] == b'A' { b'B' } else { b'A' };
            let forged = String::from_utf8(forged).unwrap();
            assert_eq!(key().open(&forged, "cookie", now), None, "{at}");
        }
        let verifier = key().verifier(&sealed);
        for forged in ["", ".", &sealed[1..], &format!("{sealed}."), &verifier] {
            assert_eq!(key().open(forged, "cookie", now), None);
        }
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
            let (_, back) = Flow::begin(&asked, "cookie", now).unwrap_err();
            assert_eq!(back.unwrap().as_str(), BACK);
        }
        let nowhere = Asked {
            redirect: Some("https://example.org"),
            ..asked()
        };
        assert_eq!(Flow::begin(&nowhere, "cookie", now).unwrap_err().1, None);
    }
}
