//! The `mcp-session-id`: a signed token that contains its caller, host and revision. There is no table of sessions:
//! every process on the database accepts the token, and a restart loses none.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use frontdesk_protocol::Host;
use frontdesk_protocol::id::UserId;
use frontdesk_protocol::mcp::Version;
use hmac::{Hmac, Mac};
use jiff::Timestamp;
use sha2::Sha256;

use crate::call::Capabilities;
use crate::clock::Clock;

/// The lifetime of a session; after it, clients initialize again.
pub const SESSION_LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);

/// Kind of token, host, revision, a number by which sessions of the same second differ (3 bytes), issued at (seconds, 5
/// bytes), subject. The signature follows.
const SIGNED: usize = 1 + 1 + 1 + 8 + 16;
const NUMBER: usize = 3;
const SIGNATURE: usize = 32;
const KIND: u8 = 1;
/// The kind of a sealed question, and the length of the time until which it can be answered.
const QUESTION: u8 = 2;
const TIME: usize = 8;
/// How long a question can be answered.
pub(super) const ANSWERED_WITHIN: jiff::SignedDuration = jiff::SignedDuration::from_mins(10);

/// Creates and reads session tokens.
pub(super) struct Sessions {
    key: Hmac<Sha256>,
    clock: Clock,
}

impl std::fmt::Debug for Sessions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sessions")
    }
}

/// What the handshake has agreed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Session {
    pub(super) version: Version,
    /// What the client can be asked.
    pub(super) client: Capabilities,
}

/// Why a token is not a valid session.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Rejected {
    /// Forged, incomplete, or of another host or caller: HTTP 400.
    Invalid,
    /// Expired: HTTP 404, after which clients initialize again.
    Expired,
}

impl Sessions {
    pub(super) fn new(key: &[u8; 32], clock: Clock) -> Self {
        let key = match Hmac::new_from_slice(key) {
            Ok(key) => key,
            Err(_) => unreachable!("HMAC takes a key of any length"),
        };
        Sessions { key, clock }
    }

    /// Opens a session and returns its token.
    pub(super) fn open(&self, host: Host, caller: UserId, session: Session) -> String {
        let mut token = Vec::with_capacity(SIGNED + SIGNATURE);
        token.push(KIND);
        token.push(host as u8);
        token.push(session.version as u8 | session.client.bits());
        let mut issued = self.clock.now().as_second().to_be_bytes();
        issued[..NUMBER].copy_from_slice(&rand::random::<[u8; NUMBER]>());
        token.extend(issued);
        token.extend(caller.0.as_bytes());
        let signature = self.key.clone().chain_update(&token).finalize();
        token.extend(signature.into_bytes());
        URL_SAFE_NO_PAD.encode(token)
    }

    /// This caller's session with this host.
    pub(super) fn read(
        &self,
        token: &str,
        host: Host,
        caller: UserId,
    ) -> Result<Session, Rejected> {
        let token = URL_SAFE_NO_PAD
            .decode(token)
            .map_err(|_| Rejected::Invalid)?;
        if token.len() != SIGNED + SIGNATURE {
            return Err(Rejected::Invalid);
        }
        let (signed, signature) = token.split_at(SIGNED);
        self.key
            .clone()
            .chain_update(signed)
            .verify_slice(signature)
            .map_err(|_| Rejected::Invalid)?;
        let [kind, of_host, version, rest @ ..] = signed else {
            return Err(Rejected::Invalid);
        };
        let (issued, of_caller) = rest.split_at(8);
        if *kind != KIND || *of_host != host as u8 || of_caller != caller.0.as_bytes() {
            return Err(Rejected::Invalid);
        }
        let mut second = [0; 8];
        second[NUMBER..].copy_from_slice(&issued[NUMBER..]);
        let issued = Timestamp::from_second(i64::from_be_bytes(second));
        let issued = issued.map_err(|_| Rejected::Invalid)?;
        if self.clock.now().duration_since(issued)
            >= jiff::SignedDuration::try_from(SESSION_LIFETIME).unwrap_or_default()
        {
            return Err(Rejected::Expired);
        }
        let known = Version::ALL.into_iter();
        let mut named = known.filter(|known| *known as u8 == version & !Capabilities::BITS);
        Ok(Session {
            version: named.next().ok_or(Rejected::Invalid)?,
            client: Capabilities::from_bits(*version),
        })
    }
}

impl Sessions {
    /// Seals a text for ten minutes. Only this caller gets it back, with the same `context`.
    pub(super) fn seal(&self, caller: UserId, context: &[u8], text: &str) -> String {
        let ends = self.clock.now().saturating_add(ANSWERED_WITHIN);
        let ends = ends.unwrap_or(Timestamp::MAX).as_second();
        let mut token = ends.to_be_bytes().to_vec();
        token.extend(text.as_bytes());
        let signature = self.sealed(caller, context, &token).finalize();
        token.extend(signature.into_bytes());
        URL_SAFE_NO_PAD.encode(token)
    }

    /// The sealed text; `None` if it was not sealed here for this caller and context, or too long ago.
    pub(super) fn unseal(&self, caller: UserId, context: &[u8], token: &str) -> Option<String> {
        let token = URL_SAFE_NO_PAD.decode(token).ok()?;
        let (signed, signature) = token.split_at_checked(token.len().checked_sub(SIGNATURE)?)?;
        let sealed = self.sealed(caller, context, signed);
        sealed.verify_slice(signature).ok()?;
        let (ends, text) = signed.split_at_checked(TIME)?;
        let ends = i64::from_be_bytes(ends.try_into().ok()?);
        let is_open = self.clock.now().as_second() < ends;
        is_open.then(|| String::from_utf8(text.to_vec()).ok())?
    }

    fn sealed(&self, caller: UserId, context: &[u8], signed: &[u8]) -> Hmac<Sha256> {
        let length = (context.len() as u64).to_be_bytes();
        let parts: [&[u8]; 5] = [&[QUESTION], caller.0.as_bytes(), &length, context, signed];
        let key = self.key.clone();
        parts
            .into_iter()
            .fold(key, |key, part| key.chain_update(part))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session() -> Session {
        Session {
            version: Version::NEWEST,
            client: Capabilities::default(),
        }
    }

    fn sessions(clock: &Clock) -> Sessions {
        Sessions::new(&[7; 32], clock.clone())
    }

    #[test]
    fn a_session_is_its_caller_s_and_its_host_s_alone() {
        let clock = Clock::system();
        let sessions = sessions(&clock);
        let (anna, bert) = (
            UserId(uuid::Uuid::from_u128(1)),
            UserId(uuid::Uuid::from_u128(2)),
        );
        let opened = Session {
            version: Version::V2025_06_18,
            client: Capabilities::from_bits(0xC0),
        };
        let token = sessions.open(Host::Events, anna, opened);
        assert_eq!(sessions.read(&token, Host::Events, anna), Ok(opened));
        assert_eq!(
            sessions.read(&token, Host::Work, anna),
            Err(Rejected::Invalid)
        );
        assert_eq!(
            sessions.read(&token, Host::Events, bert),
            Err(Rejected::Invalid)
        );
        let other = Sessions::new(&[8; 32], clock.clone());
        assert_eq!(
            other.read(&token, Host::Events, anna),
            Err(Rejected::Invalid)
        );
    }

    #[test]
    fn sessions_of_the_same_second_are_not_one() {
        let sessions = sessions(&Clock::system());
        let anna = UserId(uuid::Uuid::from_u128(1));
        let open = || sessions.open(Host::Events, anna, session());
        assert_ne!(open(), open());
    }

    #[test]
    fn no_changed_token_is_accepted() {
        let clock = Clock::system();
        let sessions = sessions(&clock);
        let anna = UserId(uuid::Uuid::from_u128(1));
        let token = sessions.open(Host::Events, anna, session());
        for at in 0..token.len() {
            let mut forged = token.clone().into_bytes();
            forged[at] = if forged[at] == b'A' { b'B' } else { b'A' };
            let forged = String::from_utf8(forged).expect("ASCII");
            // The last base64 character has unused bits, which must be zero.
            assert_eq!(
                sessions.read(&forged, Host::Events, anna),
                Err(Rejected::Invalid)
            );
        }
        assert_eq!(
            sessions.read("", Host::Events, anna),
            Err(Rejected::Invalid)
        );
        assert_eq!(
            sessions.read(&token[1..], Host::Events, anna),
            Err(Rejected::Invalid)
        );
    }

    #[test]
    fn a_session_expires_after_a_day() {
        let clock = Clock::system();
        let sessions = sessions(&clock);
        let anna = UserId(uuid::Uuid::from_u128(1));
        let token = sessions.open(Host::Events, anna, session());
        clock.advance(SESSION_LIFETIME - Duration::from_secs(60));
        assert!(sessions.read(&token, Host::Events, anna).is_ok());
        clock.advance(Duration::from_secs(60));
        assert_eq!(
            sessions.read(&token, Host::Events, anna),
            Err(Rejected::Expired)
        );
    }
}
