//! The credentials for a server: a configured token, the tokens of a sign-in, or nothing.

use std::sync::{Arc, Mutex, PoisonError};

use http::HeaderValue;

use crate::error::CallError;
use crate::secret::Secret;
use crate::server::grants::Grants;

/// The credentials for one server.
#[derive(Debug)]
pub(crate) struct Keys {
    kind: Kind,
    /// The server's challenge for a sign-in.
    challenge: Mutex<Option<String>>,
}

#[derive(Debug)]
enum Kind {
    None,
    Fixed(Secret),
    Granted(Arc<Grants>),
}

impl Keys {
    /// No credentials.
    pub(super) fn none() -> Self {
        Keys::of(Kind::None)
    }

    /// The tokens of a sign-in, if there is one.
    pub(super) fn granted(grants: Grants) -> Self {
        Keys::of(Kind::Granted(Arc::new(grants)))
    }

    /// A fixed token.
    pub(super) fn fixed(token: Secret) -> Self {
        Keys::of(Kind::Fixed(token))
    }

    /// The token in this environment variable.
    ///
    /// # Errors
    /// [`CallError::SignedOut`] if the variable is not set or has an invalid value.
    pub(super) fn variable(name: &str) -> Result<Self, CallError> {
        let wrong = |what| CallError::SignedOut(format!("the variable {name} {what}"));
        let token = std::env::var(name).map_err(|_| wrong("that holds the token is not set"))?;
        if token.is_empty() || HeaderValue::from_str(&token).is_err() {
            return Err(wrong("holds no token"));
        }
        Ok(Keys::fixed(Secret::new(token)))
    }

    fn of(kind: Kind) -> Self {
        Keys {
            kind,
            challenge: Mutex::default(),
        }
    }

    /// The token for the next request, if any.
    ///
    /// # Errors
    /// [`CallError::SignedOut`] if a `rejected` token cannot be replaced.
    pub(crate) async fn token(
        &self,
        rejected: Option<&Secret>,
    ) -> Result<Option<Secret>, CallError> {
        match &self.kind {
            Kind::None => Ok(None),
            Kind::Fixed(token) if rejected == Some(token) => Err(CallError::SignedOut(
                "the server refuses the token that is configured".to_owned(),
            )),
            Kind::Fixed(token) => Ok(Some(token.clone())),
            Kind::Granted(grants) => grants.token(rejected).await,
        }
    }

    /// The tokens of a sign-in, if this server supports one.
    pub(super) fn grants(&self) -> Option<&Grants> {
        match &self.kind {
            Kind::Granted(grants) => Some(grants),
            Kind::None | Kind::Fixed(_) => None,
        }
    }

    /// The current token.
    pub(crate) fn held(&self) -> Option<Secret> {
        match &self.kind {
            Kind::None => None,
            Kind::Fixed(token) => Some(token.clone()),
            Kind::Granted(grants) => grants.held(),
        }
    }

    /// Keeps the first of these challenges that supports a sign-in.
    pub(crate) fn hear_challenge<'a>(&self, challenges: impl Iterator<Item = &'a str>) {
        let bearer = challenges.into_iter().find(|it| {
            it.trim_start()
                .get(..6)
                .is_some_and(|it| it.eq_ignore_ascii_case("bearer"))
        });
        *self
            .challenge
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = bearer.map(str::to_owned);
    }

    /// Notes the scopes that a refused call lacked, for the next sign-in.
    pub(crate) fn lack(&self, challenge: &str) {
        let scopes = challenge.split("scope=\"").nth(1);
        let scopes = scopes.and_then(|scopes| scopes.split('"').next());
        let scopes: Vec<_> = scopes.into_iter().flat_map(str::split_whitespace).collect();
        if let (Some(grants), false) = (self.grants(), scopes.is_empty())
            && let Err(error) = grants.file.lack(&scopes)
        {
            tracing::warn!(%error, "the scopes of a call are not kept");
        }
    }

    /// The last challenge.
    pub(super) fn challenge(&self) -> Option<String> {
        let challenge = self
            .challenge
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        challenge.clone()
    }
}
