//! The claims of a token, and their validation.

use axum::http::HeaderMap;
use frontdesk_protocol::id::UserId;
use frontdesk_protocol::mcp::PERSON_HEADER;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::TokenError;

/// The audience and role of every token of a signed-in user.
pub(super) const AUDIENCE: &str = "authenticated";

/// What an access token is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// A program of ours with a person in front of it, who has agreed to what it does.
    Person,
    /// Any other program.
    Program,
    /// A program that only reads.
    Reading,
}

/// The tolerance for a provider's clock that is ahead of ours.
const SKEW: SignedDuration = SignedDuration::from_secs(60);

impl Purpose {
    /// Of a request for a token with these headers.
    pub(crate) fn of(headers: &HeaderMap) -> Purpose {
        match headers.get(PERSON_HEADER) {
            Some(_) => Purpose::Person,
            None => Purpose::Program,
        }
    }
}

/// The claims of the server's own tokens, with the names that supabase/auth uses.
#[derive(Serialize)]
pub(super) struct OwnClaims<'a> {
    pub(super) iss: &'a str,
    pub(super) sub: UserId,
    pub(super) aud: &'static str,
    pub(super) role: &'static str,
    pub(super) email: &'a str,
    pub(super) session_id: Uuid,
    /// What a token for less than its account's rights is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) frontdesk_access: Option<&'static str>,
    /// Whether a person has agreed to what is done with it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) frontdesk_person: bool,
    pub(super) iat: i64,
    pub(super) exp: i64,
}

/// The claims that are read from any provider's token.
#[derive(Deserialize)]
pub(super) struct Claims {
    sub: String,
    exp: NumericDate,
    nbf: Option<NumericDate>,
    iat: Option<NumericDate>,
    iss: Option<String>,
    aud: Option<Audience>,
    email: Option<String>,
    session_id: Option<String>,
    frontdesk_access: Option<serde_json::Value>,
    frontdesk_person: Option<serde_json::Value>,
}

/// Seconds since 1970, with or without a fraction (RFC 7519, section 2).
#[derive(Deserialize, Clone, Copy)]
#[serde(untagged)]
enum NumericDate {
    Whole(i64),
    Fraction(f64),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Many(Vec<String>),
}

/// The required issuer and audience.
#[derive(Debug, Clone)]
pub(super) struct Expected {
    pub(super) issuer: String,
    pub(super) audience: String,
}

/// The subject of a token and its validity period.
#[derive(Debug, Clone)]
pub(super) struct Bearer {
    pub(super) user: UserId,
    pub(super) expires_at: Timestamp,
    /// The later of the times before which the token is not valid.
    not_before: Option<Timestamp>,
    pub(super) email: Option<String>,
    /// The token's sign-in.
    pub(super) session: Option<Uuid>,
    pub(super) issued_at: Option<Timestamp>,
    /// Whether it only reads. A token for something that this server does not know reads, too.
    pub(super) reads_only: bool,
    /// Whether a person has agreed to what is done with it.
    pub(super) is_person: bool,
}

impl NumericDate {
    fn timestamp(self) -> Result<Timestamp, TokenError> {
        let second = match self {
            NumericDate::Whole(second) => second,
            // The cast saturates; values out of range are refused below.
            NumericDate::Fraction(second) => second as i64,
        };
        Timestamp::from_second(second).map_err(|_| TokenError::Malformed)
    }
}

impl Claims {
    /// The bearer, if all claims that do not depend on the time are acceptable.
    pub(super) fn bearer(self, expected: &Expected) -> Result<Bearer, TokenError> {
        let for_us = match &self.aud {
            None => false,
            Some(Audience::One(audience)) => *audience == expected.audience,
            Some(Audience::Many(audiences)) => audiences.contains(&expected.audience),
        };
        if self.iss.as_ref() != Some(&expected.issuer) {
            tracing::warn!(
                issuer = self
                    .iss
                    .map(|iss| iss.chars().take(200).collect::<String>()),
                accepted = expected.issuer,
                "an access token of another issuer is refused"
            );
            return Err(TokenError::Issuer);
        }
        if !for_us {
            return Err(TokenError::Audience);
        }
        let user: Uuid = self.sub.parse().map_err(|_| TokenError::Invalid)?;
        let not_before = self.nbf.map(NumericDate::timestamp).transpose()?;
        let issued_at = self.iat.map(NumericDate::timestamp).transpose()?;
        Ok(Bearer {
            user: UserId(user),
            expires_at: self.exp.timestamp()?,
            not_before: not_before.max(issued_at),
            email: self.email,
            session: self.session_id.and_then(|id| id.parse().ok()),
            issued_at,
            reads_only: self.frontdesk_access.is_some(),
            is_person: self.frontdesk_person == Some(true.into()),
        })
    }
}

impl Bearer {
    /// Checks that the token is valid at this time.
    pub(super) fn check(&self, now: Timestamp) -> Result<(), TokenError> {
        if now >= self.expires_at {
            return Err(TokenError::Expired);
        }
        match self.not_before {
            Some(from) if from.duration_since(now) > SKEW => Err(TokenError::NotYet),
            _ => Ok(()),
        }
    }
}
