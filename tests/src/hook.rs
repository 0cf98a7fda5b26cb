//! A code host that delivers its events about pull requests.

use hmac::{Hmac, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

use crate::http::Answer;
use crate::world::run;

/// The body of an event `pull_request` as documented by the code host, reduced to the fields about
/// the pull request.
pub fn pull_request(login: &str, title: &str, updated_at: &str, merged_at: Value) -> Value {
    json!({
        "action": if merged_at.is_null() { "opened" } else { "closed" },
        "number": 2,
        "pull_request": {
            "url": "https://api.forge.example.org/repos/acme/site/pulls/2",
            "id": 279_147_437,
            "html_url": "https://forge.example.org/acme/site/pull/2",
            "number": 2,
            "state": if merged_at.is_null() { "open" } else { "closed" },
            "locked": false,
            "title": title,
            "user": { "login": login, "id": 21_031_067, "type": "User", "site_admin": false },
            "body": "This is a pretty simple change.",
            "created_at": "2026-03-01T15:20:33Z",
            "updated_at": updated_at,
            "closed_at": merged_at,
            "merged_at": merged_at,
            "merge_commit_sha": null,
            "draft": false,
            "merged": !merged_at.is_null(),
        },
        "repository": { "id": 186_853_002, "name": "site", "full_name": "acme/site", "private": true },
        "sender": { "login": login, "id": 21_031_067, "type": "User" },
    })
}

/// The signature of a body with this secret.
///
/// # Panics
///
/// Never: a key of HMAC can have any length.
pub fn signature(secret: &str, body: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("a key");
    mac.update(body.as_bytes());
    let bytes = mac.finalize().into_bytes();
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256={digits}")
}

/// Sends an event to the server at this address.
pub fn deliver(server: &str, id: &str, signature: &str, body: &str) -> Answer {
    let client = reqwest::Client::builder().tls_certs_only([]).build();
    let client = client.expect("a client");
    let request = client
        .post(format!("{server}/engineering/hooks/code-host"))
        .header("content-type", "application/json")
        .header("x-github-event", "pull_request")
        .header("x-github-delivery", id)
        .header("x-hub-signature-256", signature)
        .body(body.to_owned());
    run(Answer::to(request))
}
