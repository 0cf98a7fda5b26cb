//! Prepared statements of a tool, seen from within its session.

use frontdesk_protocol::Role;
use frontdesk_server::clock::Clock;
use frontdesk_server::database::{Access, Actor, Database, Location};
use frontdesk_server::identity::IdentitySettings;
use frontdesk_server::server::{DEMO_PUBLIC_KEY, Server, Settings};
use frontdesk_tests::world::PATIENT;
use frontdesk_tests::{Http, Organization, world};
use serde_json::Value;
use tokio::sync::RwLockWriteGuard;

/// A staff member on a database with one session, in which the tool's prepared statements are
/// visible.
pub(crate) struct Session {
    database: Database,
    /// The world's server serves on the embedded database, which has one session.
    _server: Option<Server>,
    actor: Actor,
    pub(crate) http: Http,
    /// Keeps others from ending this session.
    _undisturbed: Option<RwLockWriteGuard<'static, ()>>,
}

impl Session {
    pub(crate) async fn of(organization: &Organization) -> Session {
        let http = organization.sign_in(Role::Staff).await;
        let actor = Actor::Caller(organization.user(Role::Staff));
        let Some(location) = world().location() else {
            return Session {
                database: world().database().clone(),
                _server: None,
                actor,
                http,
                _undisturbed: Some(world().without_owners().await),
            };
        };
        // A replica would have the statements in another session.
        let location = match location.clone() {
            Location::Server {
                address, pooler, ..
            } => Location::Server {
                address,
                pooler,
                replicas: Vec::new(),
            },
            embedded => embedded,
        };
        let database = Database::open(&location, 1).await.expect("a database");
        let database = database.with_limits(PATIENT).expect("a pool");
        let settings = Settings {
            calls_per_minute: 0,
            clock: Clock::system(),
            identity: IdentitySettings {
                public_key: Some(DEMO_PUBLIC_KEY.to_owned()),
                ..IdentitySettings::default()
            },
            limits: PATIENT,
            ..Settings::local(Location::Memory)
        };
        let server = Server::over(database.clone(), settings)
            .await
            .expect("a server");
        Session {
            database,
            http: http.at(&server.url()),
            _server: Some(server),
            actor,
            _undisturbed: None,
        }
    }

    /// Asks PostgreSQL how it did, or would with this `plan_cache_mode`, what was prepared last of the
    /// statements that hold for `condition`, with these parameters.
    pub(crate) async fn explain(
        &self,
        condition: &str,
        parameters: &str,
        options: &str,
        mode: &str,
    ) -> Vec<Value> {
        let mut transaction = self.database.transaction(self.actor, Access::Write);
        let count = parameters.split(',').count().to_string();
        let prepared = format!(
            "select quote_ident(name), set_config('plan_cache_mode', $1, true) \
             from pg_prepared_statements \
             where {condition} and cardinality(parameter_types)::text = $2 \
             order by prepare_time desc limit 1"
        );
        let rows = transaction.query(&prepared, &[&mode, &count]).await;
        let rows = rows.expect("what is prepared");
        let name: String = rows.first().expect("the statement").get(0);
        let explain = format!("explain ({options}) execute {name}({parameters})");
        let rows = transaction.query(&explain, &[]).await.expect(&explain);
        let json = options.contains("json");
        let lines = rows.iter().map(|row| match json {
            true => row.get(0),
            false => Value::String(row.get(0)),
        });
        let lines = lines.collect();
        transaction.rollback().await.expect("rolled back");
        lines
    }
}

/// Visits each node of a plan.
pub(crate) fn nodes(plan: &Value, visit: &mut impl FnMut(&Value)) {
    match plan {
        Value::Object(node) => {
            if node.contains_key("Node Type") {
                visit(plan);
            }
            node.values().for_each(|value| nodes(value, visit));
        }
        Value::Array(values) => values.iter().for_each(|value| nodes(value, visit)),
        _ => {}
    }
}
