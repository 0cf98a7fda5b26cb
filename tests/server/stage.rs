//! A cluster, a server on it, and a staff member of the demo with an event.

use std::collections::BTreeMap;

use frontdesk_protocol::Host;
use frontdesk_server::database::Location;
use frontdesk_server::identity::IdentitySettings;
use frontdesk_server::server::{DEMO_PASSWORD, DEMO_PUBLIC_KEY, Limits, Server, Settings};
use frontdesk_tests::server::at;
use frontdesk_tests::world::PATIENT;
use frontdesk_tests::{Answer, Cluster, Http};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;
use tokio_postgres::{Client, NoTls};

/// A staff member of the demo.
pub(crate) const EMAIL: &str = "staff@demo.test";

/// A runtime for the server and the test.
pub(crate) fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime")
}

/// A server on the cluster with this many connections.
pub(crate) async fn serve(cluster: &Cluster, connections: usize) -> Server {
    serve_within(cluster, connections, PATIENT).await
}

/// The same with these time limits.
pub(crate) async fn serve_within(cluster: &Cluster, connections: usize, limits: Limits) -> Server {
    serve_at(at(&cluster.address()), connections, limits).await
}

/// A server on the database of this location.
pub(crate) async fn serve_at(location: Location, connections: usize, limits: Limits) -> Server {
    let settings = Settings {
        connections,
        limits,
        demo: true,
        calls_per_minute: 0,
        identity: IdentitySettings {
            public_key: Some(DEMO_PUBLIC_KEY.to_owned()),
            ..IdentitySettings::default()
        },
        ..Settings::local(location)
    };
    Server::start(settings).await.expect("the server starts")
}

/// A staff member, with an event of today.
#[derive(Debug, Clone)]
pub(crate) struct Staff {
    pub(crate) http: Http,
    pub(crate) event: Value,
}

impl Staff {
    /// Signs in at the server of this address.
    pub(crate) async fn of(url: &str) -> Staff {
        Staff::with(Http::sign_in(url, EMAIL, DEMO_PASSWORD).await).await
    }

    /// For a caller who is already signed in.
    pub(crate) async fn with(mut http: Http) -> Staff {
        let search = json!({ "search": "Open Day" });
        let found = http.events("list_events", search).await;
        let event = found.output()["events"][0]["id"].clone();
        Staff { http, event }
    }

    /// Adds a guest of this name.
    pub(crate) async fn add(&mut self, name: &str) -> Answer {
        let arguments = json!({ "event_id": self.event, "name": name });
        self.http.events("create_event_guest", arguments).await
    }

    /// The ids of the guests with exactly this name; the search also finds similar ones.
    pub(crate) async fn guests(&mut self, name: &str) -> Vec<Value> {
        let arguments = json!({ "event_id": self.event, "search": name, "limit": 100 });
        let found = self.http.events("list_event_guests", arguments).await;
        let guests = found.output()["guests"].as_array().expect("guests");
        let named = guests.iter().filter(|guest| guest["name"] == name);
        named.map(|guest| guest["id"].clone()).collect()
    }

    /// The names of all guests, with their number.
    pub(crate) async fn names(&mut self) -> BTreeMap<String, usize> {
        let mut names = BTreeMap::new();
        for offset in (0..).step_by(100) {
            let arguments = json!({ "event_id": self.event, "offset": offset, "limit": 100 });
            let found = self.http.events("list_event_guests", arguments).await;
            let page = found.output();
            for guest in page["guests"].as_array().expect("guests") {
                let name = guest["name"].as_str().expect("a name");
                *names.entry(name.to_owned()).or_default() += 1;
            }
            if page["has_more"] == false {
                break;
            }
        }
        names
    }

    /// Checks a guest in.
    pub(crate) async fn check_in(&mut self, guest: &Value) -> Answer {
        self.http
            .events("check_in_guest", json!({ "id": guest }))
            .await
    }

    pub(crate) async fn health(&self) -> u16 {
        let path = format!("/{}/health", Host::Events);
        let request = self.http.request(reqwest::Method::GET, &path);
        Answer::to(request).await.status.as_u16()
    }

    /// The condition of the database that `/health` reports.
    pub(crate) async fn condition(&self) -> Value {
        let path = format!("/{}/health", Host::Events);
        let request = self.http.request(reqwest::Method::GET, &path);
        Answer::to(request).await.body
    }
}

/// The cluster's superuser.
pub(crate) async fn superuser(cluster: &Cluster) -> Client {
    let (client, connection) = tokio_postgres::connect(&cluster.address(), NoTls)
        .await
        .expect("a connection");
    tokio::spawn(connection);
    client
}

/// Waits until this many sessions of the servers wait for a lock, the last of them for this call;
/// returns the process of one of them.
pub(crate) async fn waiting<T>(looker: &Client, count: usize, call: &JoinHandle<T>) -> i32 {
    let sessions = "select pid from pg_stat_activity \
         where application_name = 'frontdesk' and wait_event_type = 'Lock'";
    loop {
        let found = looker.query(sessions, &[]).await.expect("sessions");
        if found.len() >= count {
            return found[0].get(0);
        }
        assert!(!call.is_finished(), "the call did not wait");
    }
}

/// A guest locked by another session; the pending check-in continues when the lock is released.
pub(crate) struct Locked {
    pub(crate) guest: Value,
    pub(crate) holder: Client,
    pub(crate) check_in: JoinHandle<Answer>,
}

impl Locked {
    /// Adds the guest Zoltan, locks the row, and begins the check-in.
    pub(crate) async fn guest(cluster: &Cluster, staff: &mut Staff) -> Locked {
        let added = staff.add("Zoltan").await;
        let guest = added.output()["guest"]["id"].clone();
        let id: uuid::Uuid = serde_json::from_value(guest.clone()).expect("an id");
        let holder = superuser(cluster).await;
        holder.batch_execute("begin").await.expect("a transaction");
        let lock = "select from events.guests where id = $1 for update";
        holder.execute(lock, &[&id]).await.expect("a lock");
        let (mut client, to) = (staff.clone(), guest.clone());
        let check_in = tokio::spawn(async move { client.check_in(&to).await });
        Locked {
            guest,
            holder,
            check_in,
        }
    }

    /// Waits for the answer of the check-in.
    pub(crate) async fn answer(&mut self) -> Answer {
        (&mut self.check_in).await.expect("an answer")
    }

    /// Releases the lock and checks that the guest, who is not checked in, can be.
    pub(crate) async fn give_back(self, staff: &mut Staff) {
        self.holder
            .batch_execute("commit")
            .await
            .expect("committed");
        let again = staff.check_in(&self.guest).await;
        assert_eq!(again.output()["already_checked_in"], false);
    }
}

/// Asserts that the call was refused with this message and changed nothing.
#[track_caller]
pub(crate) fn is_undone(answer: &Answer, words: &str) {
    assert_eq!(answer.status.as_u16(), 503, "{}", answer.body);
    assert_eq!(answer.refusal(), "unavailable");
    assert_eq!(answer.header("retry-after"), "1");
    let message = answer.body["error"]["message"].as_str().expect("text");
    assert!(message.contains(words), "{message}");
}
