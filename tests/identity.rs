//! Signing in, refreshing and signing out, through the routes as clients see them.
//!
//! Each test has its own identity provider and its own accounts.
#![allow(clippy::unwrap_used)]

use std::num::NonZeroU32;
use std::sync::LazyLock;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use frontdesk_protocol::id::UserId;
use frontdesk_server::clock::Clock;
use frontdesk_server::database::{Access, Actor, Proof};
use frontdesk_server::identity::{
    AuthError, Identity, IdentitySettings, OutsideKeys, OutsideProvider, Purpose, TokenError,
    TokenSource, add_user, hash_password,
};
use frontdesk_tests::{run, world};
use futures::future::join_all;
use jiff::Timestamp;
use serde_json::{Value, json};
use tower::ServiceExt;
use uuid::Uuid;

const PASSWORD: &str = "demo-password";
const KEY: &str = "demo";

/// The hash of [`PASSWORD`], made once: hashing is slow on purpose.
static HASH: LazyLock<String> = LazyLock::new(|| hash_password(PASSWORD).unwrap());

/// One server process: its identity provider and its clock.
struct Desk {
    identity: Identity,
    router: Router,
    clock: Clock,
}

fn settings() -> IdentitySettings {
    IdentitySettings {
        public_key: Some(KEY.to_owned()),
        password_attempts: None,
        pages_per_minute: None,
        ..IdentitySettings::default()
    }
}

/// Runs a test with the server's own provider.
fn desk(test: impl AsyncFnOnce(Desk)) {
    desk_with(settings(), test);
}

fn desk_with(settings: IdentitySettings, test: impl AsyncFnOnce(Desk)) {
    run(async {
        let clock = Clock::with_manual_limits();
        let identity = Identity::open(world().database().clone(), settings, clock.clone())
            .await
            .unwrap();
        test(Desk {
            router: identity.router(),
            identity,
            clock,
        })
        .await;
    });
}

/// Runs a statement as the owner, who is above the policies.
async fn as_owner(sql: &str, params: &[&(dyn tokio_postgres::types::ToSql + Sync)]) {
    world().owner().await.execute(sql, params).await.unwrap();
}

/// An account with [`PASSWORD`] that no other test has.
struct Person {
    id: UserId,
    email: String,
}

async fn person() -> Person {
    let id = UserId(Uuid::new_v4());
    let email = format!("{id}@demo.test");
    let mut transaction = world()
        .database()
        .transaction(Actor::Identity, Access::Write);
    let sql = "insert into auth.users (id, email, password_hash) values ($1, $2, $3)";
    transaction
        .query(sql, &[&id.0, &email, &*HASH])
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    Person { id, email }
}

async fn change(person: &Person, change: &str) {
    let mut transaction = world()
        .database()
        .transaction(Actor::Identity, Access::Write);
    let sql = format!("update auth.users set {change} where id = $1");
    transaction.query(&sql, &[&person.id.0]).await.unwrap();
    transaction.commit().await.unwrap();
}

/// An answer.
#[derive(Debug, Clone)]
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Value,
}

impl Answer {
    #[track_caller]
    fn refused(&self, status: u16, error_code: &str) {
        assert_eq!(self.status.as_u16(), status, "{self:?}");
        assert_eq!(self.body["error_code"], error_code, "{self:?}");
        assert_eq!(self.body["code"], status, "{self:?}");
        assert!(
            self.body["msg"].as_str().is_some_and(|msg| !msg.is_empty()),
            "{self:?}"
        );
    }

    #[track_caller]
    fn text(&self, name: &str) -> String {
        assert_eq!(self.status, StatusCode::OK, "{self:?}");
        self.body[name].as_str().unwrap().to_owned()
    }

    #[track_caller]
    fn refresh_token(&self) -> String {
        self.text("refresh_token")
    }

    #[track_caller]
    fn access_token(&self) -> String {
        self.text("access_token")
    }
}

impl Desk {
    async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Vec<u8>,
    ) -> Answer {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Body::from(body)).unwrap();
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
        let body = match body.is_empty() {
            true => Value::Null,
            false => serde_json::from_slice(&body).unwrap(),
        };
        Answer {
            status: parts.status,
            headers: parts.headers,
            body,
        }
    }

    async fn grant(&self, grant_type: &str, body: &Value) -> Answer {
        let path = format!("/auth/v1/token?grant_type={grant_type}");
        self.send(
            Method::POST,
            &path,
            &[("apikey", KEY)],
            body.to_string().into(),
        )
        .await
    }

    async fn sign_in(&self, email: &str, password: &str) -> Answer {
        self.grant("password", &json!({ "email": email, "password": password }))
            .await
    }

    async fn refresh(&self, token: &str) -> Answer {
        self.grant("refresh_token", &json!({ "refresh_token": token }))
            .await
    }

    async fn with_token(&self, method: Method, path: &str, token: &str) -> Answer {
        let authorization = format!("Bearer {token}");
        self.send(
            method,
            path,
            &[("authorization", &authorization)],
            Vec::new(),
        )
        .await
    }

    async fn user(&self, token: &str) -> Answer {
        self.with_token(Method::GET, "/auth/v1/user", token).await
    }
}

/// One part of a token.
fn part(token: &str, at: usize) -> Value {
    let part = URL_SAFE_NO_PAD
        .decode(token.split('.').nth(at).unwrap())
        .unwrap();
    serde_json::from_slice(&part).unwrap()
}

#[test]
fn a_password_buys_tokens() {
    desk(async |desk| {
        let person = person().await;
        let before = desk.clock.now().as_second();
        let answer = desk.sign_in(&person.email, PASSWORD).await;
        let token = answer.access_token();
        assert_eq!(answer.headers[header::CACHE_CONTROL], "no-store");
        assert_eq!(answer.body["token_type"], "bearer");
        assert_eq!(answer.body["expires_in"], 3600);
        assert_eq!(
            answer.body["user"],
            json!({
                "id": person.id, "email": person.email,
                "aud": "authenticated", "role": "authenticated",
            }),
        );

        let expires_at = answer.body["expires_at"].as_i64().unwrap();
        assert!(expires_at >= before + 3600);
        let claims = part(&token, 1);
        assert_eq!(claims["sub"], json!(person.id));
        assert_eq!(claims["aud"], "authenticated");
        assert_eq!(claims["role"], "authenticated");
        assert_eq!(claims["email"], person.email.as_str());
        assert_eq!(claims["iss"], "frontdesk");
        assert_eq!(claims["exp"], expires_at);
        assert_eq!(claims["iat"], expires_at - 3600);
        let sign_in = claims["session_id"].as_str().unwrap().parse::<Uuid>();

        let verified = desk.identity.verify(&token).await.unwrap();
        assert_eq!(verified.user, person.id);
        assert_eq!(verified.proof, Proof::SignIn(sign_in.unwrap()));
    });
}

#[test]
fn an_address_is_one_in_any_case() {
    desk(async |desk| {
        let person = person().await;
        let answer = desk
            .sign_in(&format!(" {} ", person.email.to_uppercase()), PASSWORD)
            .await;
        assert_eq!(answer.body["user"]["id"], json!(person.id));
    });
}

#[test]
fn an_added_user_signs_in() {
    desk(async |desk| {
        let id = UserId(Uuid::new_v4());
        let owner = world().owner().await;
        add_user(&owner, id, &format!("Added-{id}@Demo.test"), "first")
            .await
            .unwrap();
        add_user(&owner, id, &format!("Added-{id}@Demo.test"), "second")
            .await
            .unwrap();
        drop(owner);
        let email = format!("added-{id}@demo.test");
        desk.sign_in(&email, "first")
            .await
            .refused(400, "invalid_credentials");
        assert_eq!(
            desk.sign_in(&email, "second").await.body["user"]["id"],
            json!(id)
        );
    });
}

#[test]
fn the_published_key_checks_the_tokens() {
    desk(async |desk| {
        let person = person().await;
        let token = desk.sign_in(&person.email, PASSWORD).await.access_token();
        let answer = desk
            .send(
                Method::GET,
                "/auth/v1/.well-known/jwks.json",
                &[],
                Vec::new(),
            )
            .await;
        assert!(
            answer.headers[header::CACHE_CONTROL]
                .to_str()
                .unwrap()
                .contains("max-age")
        );
        let key = &answer.body["keys"][0];
        assert_eq!(key["alg"], "ES256");
        assert_eq!(key["use"], "sig");
        assert_eq!(key["kid"], part(&token, 0)["kid"]);
        assert_eq!(part(&token, 0)["alg"], "ES256");
        assert!(key.get("d").is_none(), "the private half stays private");

        let key =
            jsonwebtoken::DecodingKey::from_jwk(&serde_json::from_value(key.clone()).unwrap());
        let mut validation = jsonwebtoken::Validation::new(jsonwebtoken::Algorithm::ES256);
        validation.set_audience(&["authenticated"]);
        jsonwebtoken::decode::<Value>(&token, &key.unwrap(), &validation).unwrap();
    });
}

#[test]
fn every_process_has_the_same_keys() {
    desk(async |desk| {
        let others =
            (0..4).map(|_| Identity::open(world().database().clone(), settings(), Clock::system()));
        let person = person().await;
        let token = desk.sign_in(&person.email, PASSWORD).await.access_token();
        for other in join_all(others).await {
            let other = other.unwrap();
            assert_eq!(other.session_key(), desk.identity.session_key());
            assert_eq!(other.verify(&token).await.unwrap().user, person.id);
        }
    });
}

#[test]
fn who_is_refused_is_not_told_why() {
    desk(async |desk| {
        let person = person().await;
        let (inactive, without) = (self::person().await, self::person().await);
        change(&inactive, "is_active = false").await;
        change(&without, "password_hash = null").await;
        let long = format!("{}@demo.test", "a".repeat(4000));
        let wrong = desk.sign_in(&person.email, "wrong").await;
        wrong.refused(400, "invalid_credentials");
        assert_eq!(wrong.body["msg"], "Invalid login credentials");
        for (email, password) in [
            ("nobody@demo.test", PASSWORD),
            (&inactive.email, "wrong"),
            (&without.email, PASSWORD),
            (&without.email, ""),
            (&person.email, ""),
            (&person.email, "demo-password\0"),
            (&format!("{}\0", person.email), PASSWORD),
            ("\0", "\0"),
            ("", ""),
            ("%", PASSWORD),
            (&long, PASSWORD),
        ] {
            let answer = desk.sign_in(email, password).await;
            assert_eq!(answer.status, wrong.status, "{email:?}");
            assert_eq!(answer.body, wrong.body, "{email:?}");
            assert_eq!(answer.headers, wrong.headers, "{email:?}");
        }
        // With its password, the state of an account is no secret.
        let answer = desk.sign_in(&inactive.email, PASSWORD).await;
        answer.refused(400, "user_banned");
    });
}

#[test]
fn the_public_key_is_asked_for() {
    desk(async |desk| {
        let person = person().await;
        let body = json!({ "email": person.email, "password": PASSWORD }).to_string();
        let path = "/auth/v1/token?grant_type=password";
        let none = desk
            .send(Method::POST, path, &[], body.clone().into())
            .await;
        assert_eq!(none.status, StatusCode::UNAUTHORIZED);
        assert_eq!(none.body["message"], "No API key found in request");
        let wrong = desk
            .send(Method::POST, path, &[("apikey", "other")], body.into())
            .await;
        assert_eq!(wrong.status, StatusCode::UNAUTHORIZED);
        assert_eq!(wrong.body["message"], "Invalid API key");
    });
}

#[test]
fn without_a_public_key_none_is_asked_for() {
    let settings = IdentitySettings {
        public_key: None,
        ..settings()
    };
    desk_with(settings, async |desk| {
        let person = person().await;
        let body = json!({ "email": person.email, "password": PASSWORD }).to_string();
        let path = "/auth/v1/token?grant_type=password";
        let answer = desk.send(Method::POST, path, &[], body.into()).await;
        assert_eq!(answer.status, StatusCode::OK);
    });
}

#[test]
fn what_is_no_grant_is_a_bad_request() {
    desk(async |desk| {
        let key = [("apikey", KEY)];
        for query in [
            "",
            "?grant_type=",
            "?grant_type=device_code",
            "?grant_type=a&grant_type=password",
            "?grant_type=%00",
        ] {
            let path = format!("/auth/v1/token{query}");
            let answer = desk.send(Method::POST, &path, &key, b"{}".to_vec()).await;
            answer.refused(400, "unsupported_grant_type");
        }
        for grant in ["password", "refresh_token"] {
            let path = format!("/auth/v1/token?grant_type={grant}");
            for body in ["", "{", "nonsense", "\u{0}", r#"{"email":"a","#] {
                let answer = desk.send(Method::POST, &path, &key, body.into()).await;
                answer.refused(400, "bad_json");
            }
            let answer = desk
                .send(Method::POST, &path, &key, vec![b'"', 0xff, b'"'])
                .await;
            assert_eq!(answer.status, StatusCode::BAD_REQUEST);
            let secret = r#"{"refresh_token":7,"email":7,"password":"secret"}"#;
            for body in ["{}", "[]", "null", r#"{"email":"a"}"#, secret] {
                let answer = desk.send(Method::POST, &path, &key, body.into()).await;
                answer.refused(400, "validation_failed");
                assert!(
                    !answer.body.to_string().contains("secret"),
                    "what was sent is not repeated"
                );
            }
            let answer = desk
                .send(Method::POST, &path, &key, vec![b' '; 9 * 1024])
                .await;
            answer.refused(413, "request_too_large");
        }
    });
}

#[test]
fn a_refresh_token_is_good_once() {
    desk(async |desk| {
        let person = person().await;
        let first = desk.sign_in(&person.email, PASSWORD).await;
        desk.clock.advance(Duration::from_secs(60));
        let second = desk.refresh(&first.refresh_token()).await;
        assert_ne!(second.refresh_token(), first.refresh_token());
        assert!(second.body["expires_at"].as_i64() > first.body["expires_at"].as_i64());
        assert_eq!(second.body["user"], first.body["user"]);
        assert_eq!(
            part(&second.access_token(), 1)["session_id"],
            part(&first.access_token(), 1)["session_id"],
        );
        assert_eq!(
            desk.identity
                .verify(&second.access_token())
                .await
                .unwrap()
                .user,
            person.id
        );
        let third = desk.refresh(&second.refresh_token()).await;
        assert_ne!(third.refresh_token(), second.refresh_token());
    });
}

#[test]
fn a_lost_reply_is_repeated() {
    desk(async |desk| {
        let person = person().await;
        let parent = desk.sign_in(&person.email, PASSWORD).await.refresh_token();
        let lost = desk.refresh(&parent).await;
        desk.clock.advance(Duration::from_secs(60));
        for _ in 0..3 {
            let repeated = desk.refresh(&parent).await;
            assert_eq!(repeated.refresh_token(), lost.refresh_token());
            assert!(repeated.body["expires_at"].as_i64() > lost.body["expires_at"].as_i64());
        }
        desk.refresh(&lost.refresh_token()).await.refresh_token();
    });
}

#[test]
fn an_old_token_ends_its_family_and_no_other() {
    desk(async |desk| {
        let person = person().await;
        let other = desk.sign_in(&person.email, PASSWORD).await.refresh_token();
        let first = desk.sign_in(&person.email, PASSWORD).await.refresh_token();
        let second = desk.refresh(&first).await.refresh_token();
        let third = desk.refresh(&second).await;
        desk.refresh(&first)
            .await
            .refused(400, "refresh_token_already_used");
        for token in [&first, &second, &third.refresh_token()] {
            desk.refresh(token)
                .await
                .refused(400, "refresh_token_not_found");
        }
        let token = third.access_token();
        desk.user(&token).await.refused(401, "session_not_found");
        desk.refresh(&other).await.refresh_token();
        desk.sign_in(&person.email, PASSWORD).await.refresh_token();
    });
}

#[test]
fn refreshes_at_once_agree() {
    desk(async |desk| {
        let person = person().await;
        let parent = desk.sign_in(&person.email, PASSWORD).await.refresh_token();
        let answers = join_all((0..8).map(|_| desk.refresh(&parent))).await;
        for answer in &answers {
            assert_eq!(answer.refresh_token(), answers[0].refresh_token());
        }
        desk.refresh(&answers[0].refresh_token())
            .await
            .refresh_token();
    });
}

#[test]
fn what_was_never_given_out_is_not_found() {
    desk(async |desk| {
        let person = person().await;
        let token = desk.sign_in(&person.email, PASSWORD).await.refresh_token();
        for other in [
            "",
            "a",
            "\0",
            &token[1..],
            &format!("{token}="),
            &"A".repeat(43),
            &"é".repeat(20),
        ] {
            desk.refresh(other)
                .await
                .refused(400, "refresh_token_not_found");
        }
        desk.refresh(&token).await.refresh_token();
    });
}

#[test]
fn a_refresh_token_expires() {
    desk(async |desk| {
        let person = person().await;
        let first = desk.sign_in(&person.email, PASSWORD).await.refresh_token();
        desk.clock.advance(Duration::from_secs(29 * 24 * 60 * 60));
        let second = desk.refresh(&first).await.refresh_token();
        desk.clock.advance(Duration::from_secs(29 * 24 * 60 * 60));
        let third = desk.refresh(&second).await.refresh_token();
        desk.clock.advance(Duration::from_secs(30 * 24 * 60 * 60));
        desk.refresh(&third)
            .await
            .refused(400, "refresh_token_not_found");
    });
}

#[test]
fn an_account_that_was_shut_refreshes_nothing() {
    desk(async |desk| {
        let person = person().await;
        let token = desk.sign_in(&person.email, PASSWORD).await.refresh_token();
        change(&person, "is_active = false").await;
        desk.refresh(&token).await.refused(400, "user_banned");
        change(&person, "is_active = true").await;
        desk.refresh(&token).await.refresh_token();
    });
}

#[test]
fn the_database_has_no_token() {
    desk(async |desk| {
        let person = person().await;
        let first = desk.sign_in(&person.email, PASSWORD).await.refresh_token();
        let second = desk.refresh(&first).await.refresh_token();
        let mut transaction = world()
            .database()
            .transaction(Actor::Identity, Access::Read);
        let sql = "select encode(token.hash, 'base64') from auth.refresh_tokens token
                   join auth.sessions session on session.id = token.session_id
                   where session.user_id = $1";
        let rows = transaction.query(sql, &[&person.id.0]).await.unwrap();
        assert_eq!(rows.len(), 2);
        for row in rows {
            let stored: String = row.get(0);
            for token in [&first, &second] {
                let bytes = URL_SAFE_NO_PAD.decode(token).unwrap();
                assert_ne!(
                    stored,
                    base64::engine::general_purpose::STANDARD.encode(bytes)
                );
            }
        }
    });
}

#[test]
fn sign_ins_that_are_over_are_forgotten_and_others_stay() {
    desk(async |desk| {
        let (person, other) = (person().await, person().await);
        let count = async |person: &Person| {
            let mut transaction = world()
                .database()
                .transaction(Actor::Identity, Access::Read);
            let sql = "select count(*) from auth.sessions where user_id = $1";
            let rows = transaction.query(sql, &[&person.id.0]).await.unwrap();
            rows[0].get::<_, i64>(0)
        };
        let over = desk.sign_in(&person.email, PASSWORD).await.refresh_token();
        desk.refresh(&over).await.refresh_token();
        let kept = desk.sign_in(&person.email, PASSWORD).await.refresh_token();
        desk.sign_in(&other.email, PASSWORD).await;
        desk.clock.advance(Duration::from_secs(20 * 24 * 60 * 60));
        let kept = desk.refresh(&kept).await.refresh_token();
        desk.clock.advance(Duration::from_secs(20 * 24 * 60 * 60));
        desk.sign_in(&person.email, PASSWORD).await;
        assert_eq!(
            count(&person).await,
            2,
            "the new one, and the one that was refreshed"
        );
        assert_eq!(count(&other).await, 1, "nobody else's");
        desk.refresh(&kept).await.refresh_token();
        desk.refresh(&over)
            .await
            .refused(400, "refresh_token_not_found");
    });
}

#[test]
fn signing_out_ends_the_sign_in() {
    desk(async |desk| {
        let person = person().await;
        let other = desk.sign_in(&person.email, PASSWORD).await;
        let signed_in = desk.sign_in(&person.email, PASSWORD).await;
        let token = signed_in.access_token();
        let answer = desk
            .with_token(Method::POST, "/auth/v1/logout", &token)
            .await;
        assert_eq!(
            (answer.status, answer.body),
            (StatusCode::NO_CONTENT, Value::Null)
        );
        desk.refresh(&signed_in.refresh_token())
            .await
            .refused(400, "refresh_token_not_found");
        desk.refresh(&other.refresh_token()).await.refresh_token();
        let again = desk
            .with_token(Method::POST, "/auth/v1/logout", &token)
            .await;
        assert_eq!(again.status, StatusCode::UNAUTHORIZED);
    });
}

#[test]
fn no_good_token_no_answer() {
    desk(async |desk| {
        let person = person().await;
        let token = desk.sign_in(&person.email, PASSWORD).await.access_token();
        let both = [
            (Method::GET, "/auth/v1/user"),
            (Method::POST, "/auth/v1/logout"),
        ];
        for (method, path) in both.clone() {
            let none = desk.send(method.clone(), path, &[], Vec::new()).await;
            none.refused(401, "no_authorization");
            assert_eq!(none.headers[header::WWW_AUTHENTICATE], "Bearer");
            for value in [
                "Basic dGVzdA==",
                "Bearer",
                "Bearer ",
                &token,
                "Bearer a.b.c",
            ] {
                let answer = desk
                    .send(
                        method.clone(),
                        path,
                        &[("authorization", value)],
                        Vec::new(),
                    )
                    .await;
                assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{value}");
            }
        }
        desk.clock.advance(Duration::from_secs(3600));
        for (method, path) in both {
            let answer = desk.with_token(method, path, &token).await;
            answer.refused(401, "bad_jwt");
            let challenge = answer.headers[header::WWW_AUTHENTICATE].to_str().unwrap();
            assert_eq!(
                challenge,
                r#"Bearer error="invalid_token", error_description="the access token has expired""#,
            );
        }
        assert_eq!(
            desk.identity.verify(&token).await.unwrap_err(),
            TokenError::Expired
        );
    });
}

#[test]
fn the_user_is_what_the_database_says() {
    desk(async |desk| {
        let (nobody, staff, fellow) = (person().await, person().await, person().await);
        let organization = Uuid::new_v4();
        let insert = "insert into app.organizations (id, name) values ($1, 'Casa Aurora')";
        as_owner(insert, &[&organization]).await;
        let insert =
            "insert into staff.users (id, organization_id, role) values ($1, $2, 'teacher')";
        as_owner(insert, &[&staff.id.0, &organization]).await;
        let insert = "insert into learn.profiles (id, organization_id, name, level) values ($1, $2, 'Zoë', 85)";
        as_owner(insert, &[&fellow.id.0, &organization]).await;

        let expected = [
            (
                &nobody,
                json!({ "organization": null, "role": null, "level": 0 }),
            ),
            (
                &staff,
                json!({ "organization": "Casa Aurora", "role": "teacher", "level": 0 }),
            ),
            (
                &fellow,
                json!({ "organization": "Casa Aurora", "role": "fellow", "level": 85 }),
            ),
        ];
        for (person, known) in expected {
            let token = desk.sign_in(&person.email, PASSWORD).await.access_token();
            let mut answer = desk.user(&token).await;
            let all = answer.body["app_metadata"].as_object_mut();
            let app_metadata = all.expect("metadata");
            // The rest is the account page's.
            app_metadata.retain(|name, _| known.get(name).is_some());
            let app_metadata = Value::Object(app_metadata.clone());
            assert_eq!(app_metadata, known);
            assert_eq!(answer.status, StatusCode::OK);
            assert_eq!(
                answer.body,
                json!({
                    "id": person.id, "email": person.email,
                    "aud": "authenticated", "role": "authenticated",
                    "app_metadata": app_metadata,
                }),
            );
        }

        let token = desk.sign_in(&staff.email, PASSWORD).await.access_token();
        as_owner(
            "update staff.users set is_active = false where id = $1",
            &[&staff.id.0],
        )
        .await;
        let revoked = desk.user(&token).await;
        assert_eq!(
            revoked.body["app_metadata"]["role"],
            Value::Null,
            "whatever the token says"
        );
    });
}

#[test]
fn guessing_is_limited_for_each_address() {
    let settings = IdentitySettings {
        password_attempts: NonZeroU32::new(2),
        ..settings()
    };
    desk_with(settings, async |desk| {
        let (person, other) = (person().await, person().await);
        let unknown = format!("{}@demo.test", Uuid::new_v4());
        for email in [&person.email, &unknown] {
            desk.sign_in(email, "wrong")
                .await
                .refused(400, "invalid_credentials");
            desk.sign_in(&email.to_uppercase(), "wrong")
                .await
                .refused(400, "invalid_credentials");
            let limited = desk.sign_in(email, PASSWORD).await;
            limited.refused(429, "over_request_rate_limit");
            let wait = limited.body["retry_after"].as_u64().unwrap();
            assert_eq!(limited.headers[header::RETRY_AFTER], wait.to_string());
            assert_eq!(wait, 30);
        }
        desk.sign_in(&other.email, PASSWORD).await.access_token();
        desk.clock.advance(Duration::from_secs(30));
        desk.sign_in(&person.email, PASSWORD).await.access_token();
    });
}

#[test]
fn another_providers_tokens_are_taken_and_none_given() {
    const SECRET: &str = "the other provider's secret, which is long";
    let settings = IdentitySettings {
        source: TokenSource::Outside(OutsideProvider {
            keys: OutsideKeys::Secret(SECRET.to_owned()),
            issuer: "https://id.test".to_owned(),
            audience: "desk".to_owned(),
        }),
        ..settings()
    };
    desk_with(settings, async |desk| {
        let person = person().await;
        desk.sign_in(&person.email, PASSWORD)
            .await
            .refused(404, "not_found");
        desk.refresh("a").await.refused(404, "not_found");
        let keys = desk
            .send(
                Method::GET,
                "/auth/v1/.well-known/jwks.json",
                &[],
                Vec::new(),
            )
            .await;
        keys.refused(404, "not_found");
        assert!(matches!(
            desk.identity.refresh("a", Purpose::Program).await,
            Err(AuthError::NotOurs)
        ));

        let claims = json!({
            "iss": "https://id.test", "aud": "desk", "sub": person.id, "email": person.email,
            "exp": Timestamp::now().as_second() + 60,
        });
        let key = jsonwebtoken::EncodingKey::from_secret(SECRET.as_bytes());
        let token = jsonwebtoken::encode(&jsonwebtoken::Header::default(), &claims, &key).unwrap();
        assert_eq!(desk.user(&token).await.body["email"], person.email.as_str());
        let logout = desk
            .with_token(Method::POST, "/auth/v1/logout", &token)
            .await;
        logout.refused(404, "not_found");
    });
}
