//! The keys in `app.secrets`, shared by all processes on the database.

use std::collections::HashMap;

use super::{IdentityError, key};
use crate::database::{Access, Actor, Database};

const SESSION: &str = "session_hmac";
const REFRESH: &str = "refresh_token_hmac";
const SIGN_IN: &str = "sign_in_hmac";

pub(super) struct Secrets {
    /// Signs access tokens; PKCS#8 DER.
    pub(super) access_token_key: Vec<u8>,
    /// Signs `mcp-session-id`.
    pub(super) session_key: [u8; 32],
    /// Derives a refresh token from its parent.
    pub(super) refresh_key: [u8; 32],
    /// Signs the records that a browser carries through a sign-in.
    pub(super) sign_in_key: [u8; 32],
}

/// Reads the keys, and creates missing ones.
pub(super) async fn load(database: &Database) -> Result<Secrets, IdentityError> {
    let mut stored = read(database).await?;
    let missing: Vec<&str> = [key::NAME, SESSION, REFRESH, SIGN_IN]
        .into_iter()
        .filter(|name| !stored.contains_key(*name))
        .collect();
    if !missing.is_empty() {
        create(database, &missing).await?;
        // Another process may have created some of them first: use the stored ones.
        stored = read(database).await?;
    }
    Ok(Secrets {
        access_token_key: take(&mut stored, key::NAME)?,
        session_key: bytes(&mut stored, SESSION)?,
        refresh_key: bytes(&mut stored, REFRESH)?,
        sign_in_key: bytes(&mut stored, SIGN_IN)?,
    })
}

async fn read(database: &Database) -> Result<HashMap<String, Vec<u8>>, IdentityError> {
    let mut transaction = database.transaction(Actor::Identity, Access::Read);
    let rows = transaction
        .query("select name, value from app.secrets", &[])
        .await?;
    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}

async fn create(database: &Database, names: &[&str]) -> Result<(), IdentityError> {
    let mut values = Vec::new();
    for name in names {
        values.push(match *name {
            key::NAME => key::generate()?,
            _ => rand::random::<[u8; 32]>().to_vec(),
        });
    }
    let mut transaction = database.transaction(Actor::Identity, Access::Write);
    transaction
        .query(
            "insert into app.secrets (name, value) select * from unnest($1::text[], $2::bytea[])
             on conflict (name) do nothing",
            &[&names, &values],
        )
        .await?;
    Ok(transaction.commit().await?)
}

fn take(
    stored: &mut HashMap<String, Vec<u8>>,
    name: &'static str,
) -> Result<Vec<u8>, IdentityError> {
    stored.remove(name).ok_or(IdentityError::Key(name))
}

fn bytes(
    stored: &mut HashMap<String, Vec<u8>>,
    name: &'static str,
) -> Result<[u8; 32], IdentityError> {
    take(stored, name)?
        .try_into()
        .map_err(|_| IdentityError::Key(name))
}
