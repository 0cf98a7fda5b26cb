//! The listeners of this process: clients that subscribe to resources. While there are any, the process asks the database once a
//! second for the organisations with changes. It then reads those of a listener's resources again that read a changed table, under
//! the listener's rights, and sends a notification for each that differs.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use axum::http::HeaderMap;
use frontdesk_protocol::calls::Called;
use frontdesk_protocol::id::UserId;
use frontdesk_protocol::rpc::Id;
use jiff::Timestamp;
use parking_lot::Mutex;
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior, interval};
use uuid::Uuid;

use super::Service;
use super::address::Addressed;
use super::asked::Asked;
use super::readings::Found;
use super::refusal::Refusal;
use super::resources::{called_result, contents};
use crate::call::{Capabilities, Hosts};
use crate::database::{Access, Actor, Proof, Reads, Tables, TransactionError, params};
use crate::identity::Verified;

/// The most streams of a caller at a host, and of all callers in a process.
const MOST_OF_A_CALLER: usize = 8;
const MOST: usize = 10_000;
/// The messages that wait for a client that reads slowly; then its stream ends.
const MOST_WAITING: usize = 256;
const BETWEEN_QUESTIONS: Duration = Duration::from_secs(1);
/// The listeners whose resources are read at the same time, and of those, the ones of one caller: a reading that waits for a
/// lock does not hold up the caller's others.
const AT_ONCE: usize = 4;
const AT_ONCE_OF_A_CALLER: usize = 2;
/// After it has read, a listener rests for this many times as long, or longer if its client asks for that.
const REST: u32 = 10;
/// What is seen of a resource that cannot be read as a whole.
const REFUSED: &str = "refused";

/// The key of the id of a subscription in `_meta`.
pub(super) const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

/// What was last seen of each resource, by address.
pub(super) type Watched = HashMap<String, Watch>;

/// What was last seen of a resource.
#[derive(Debug, Clone)]
pub(super) struct Watch {
    mark: String,
    /// The tables that were read for that, if only their changes can change it.
    tables: Option<Tables>,
}

impl Watch {
    pub(super) fn of(mark: String) -> Watch {
        Watch { mark, tables: None }
    }
}

/// What of a listener's resources has to be read again.
#[derive(Debug)]
enum Due {
    /// Everything.
    All,
    /// What was read from one of these tables.
    From(Tables),
}

impl Default for Due {
    fn default() -> Due {
        Due::From(Tables::new())
    }
}

impl Due {
    fn add(&mut self, changed: &Tables) {
        if let Due::From(tables) = self {
            tables.extend(changed);
        }
    }

    fn is_nothing(&self) -> bool {
        matches!(self, Due::From(tables) if tables.is_empty())
    }

    fn is_about(&self, watch: &Watch) -> bool {
        match (self, &watch.tables) {
            (Due::From(changed), Some(tables)) => !changed.is_disjoint(tables),
            (Due::All, _) | (_, None) => true,
        }
    }
}

/// A stream of notifications.
#[derive(Debug)]
pub(super) struct Listener {
    pub(super) addressed: Addressed,
    pub(super) caller: Verified,
    pub(super) hosts: Hosts,
    pub(super) way: Way,
    watched: Mutex<Watched>,
    /// The digest of the subscriptions of its session.
    known: Mutex<String>,
    /// The least time between two of its readings.
    pause: Duration,
    rests_until: Mutex<Option<Instant>>,
    due: Mutex<Due>,
    /// Its last reading.
    looking: Mutex<Option<JoinHandle<()>>>,
    /// The turns of its caller's listeners.
    turn: Arc<Semaphore>,
    /// None once it has ended.
    messages: Mutex<Option<mpsc::Sender<String>>>,
}

/// How a listener subscribes.
#[derive(Debug)]
pub(super) enum Way {
    /// By requests of its session, which has this key; any process can get them.
    Session(String),
    /// By the request with this id, whose answer the stream is.
    Request(Id),
}

impl Way {
    /// The key of its session; empty without one.
    fn session(&self) -> &str {
        match self {
            Way::Session(key) => key,
            Way::Request(_) => "",
        }
    }
}

/// All listeners of this process.
#[derive(Debug)]
pub(super) struct Listeners {
    registered: Mutex<Registered>,
    turns: Semaphore,
}

impl Default for Listeners {
    fn default() -> Listeners {
        Listeners {
            registered: Mutex::default(),
            turns: Semaphore::new(AT_ONCE),
        }
    }
}

#[derive(Debug, Default)]
struct Registered {
    all: Vec<Arc<Listener>>,
    is_asking: bool,
}

/// A listener that is registered as long as this exists.
#[derive(Debug)]
pub(super) struct Listening {
    service: Service,
    listener: Arc<Listener>,
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.service.inner.listeners.remove(&self.listener);
    }
}

impl Listener {
    pub(super) fn new(
        asked: &Asked<'_>,
        way: Way,
        watched: Watched,
        pause: Duration,
    ) -> (Listener, mpsc::Receiver<String>) {
        let (messages, received) = mpsc::channel(MOST_WAITING);
        let listener = Listener {
            addressed: asked.addressed,
            caller: asked.caller,
            hosts: asked.hosts.clone(),
            way,
            watched: Mutex::new(watched),
            known: Mutex::default(),
            pause,
            rests_until: Mutex::default(),
            due: Mutex::new(Due::All),
            looking: Mutex::default(),
            turn: asked.service.inner.listeners.turn_of(asked.caller.user),
            messages: Mutex::new(Some(messages)),
        };
        (listener, received)
    }

    /// The subscriptions of its session; of one that it has already, it knows what was last seen.
    fn subscribe(&self, subscribed: &Subscribed) {
        let mut watched = self.watched.lock();
        watched.retain(|uri, _| subscribed.seen.contains_key(uri));
        for (uri, seen) in &subscribed.seen {
            watched.entry(uri.clone()).or_insert_with(|| {
                *self.due.lock() = Due::All;
                Watch::of(seen.clone())
            });
        }
        self.known.lock().clone_from(&subscribed.digest);
    }

    /// The notification that a resource changed.
    fn message(&self, uri: &str) -> String {
        let mut params = json!({ "uri": uri });
        if let Way::Request(id) = &self.way {
            params["_meta"] = json!({ SUBSCRIPTION: id });
        }
        let method = "notifications/resources/updated";
        json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string()
    }

    /// Tells that a resource changed. Whether it hears.
    fn tell(&self, uri: &str) -> bool {
        let messages = self.messages.lock();
        let messages = messages.as_ref();
        messages.is_some_and(|messages| messages.try_send(self.message(uri)).is_ok())
    }

    /// Reads again what is due, and sends a notification for each resource that changed. Returns whether the listener stays.
    async fn look(&self, service: &Service, due: &Due) -> bool {
        let headers = HeaderMap::new();
        let asked = Asked {
            service,
            addressed: self.addressed,
            caller: self.caller,
            headers: &headers,
            hosts: self.hosts.clone(),
            request: "listener".to_owned(),
            client: Capabilities::default(),
            person: None,
            progress: None,
            stop: None,
            reads: None,
        };
        let mut watched = self.watched.lock().clone();
        watched.retain(|_, watch| due.is_about(watch));
        if watched.is_empty() {
            return true;
        }
        let offered = match asked.role().await {
            Ok(role) => asked.readings(role),
            Err(refusal) => return self.waits(&refusal),
        };
        for (uri, watch) in watched {
            let reads = Arc::new(Reads::default());
            let asked = Asked {
                reads: Some(Arc::clone(&reads)),
                ..asked.clone()
            };
            let (now, tables) = match see(&asked, &offered, &uri, &watch.mark).await {
                Ok(Some(seen)) => (seen, reads.tables()),
                Ok(None) => (Seen::nothing(), None),
                Err(refusal) if self.waits(&refusal) => continue,
                Err(_) => (Seen::refused(), None),
            };
            // What is gone for a caller whose rights have ended meanwhile has not changed.
            if now.is_gone()
                && now.differs(&watch.mark)
                && let Err(refusal) = asked.role().await
            {
                return self.waits(&refusal);
            }
            if now.differs(&watch.mark) && !self.tell(&uri) {
                return false;
            }
            if let Some(watch) = self.watched.lock().get_mut(&uri) {
                (watch.mark, watch.tables) = (now.mark, tables);
            }
        }
        true
    }

    /// Has it read again what is due, unless it rests or still reads; then it does so later. Others do not wait for that.
    fn look_in_time(self: &Arc<Self>, service: &Service) {
        let rests = self
            .rests_until
            .lock()
            .is_some_and(|until| Instant::now() < until);
        if rests || self.due.lock().is_nothing() {
            return;
        }
        let mut looking = self.looking.lock();
        if looking.as_ref().is_none_or(JoinHandle::is_finished) {
            let look = Arc::clone(self).look_in_turn(service.clone());
            *looking = Some(tokio::spawn(look));
        }
    }

    /// Reads again what is due when it is its turn, and then rests. Ends if it does not stay.
    async fn look_in_turn(self: Arc<Self>, service: Service) {
        let _turns = (
            self.turn.acquire().await,
            service.inner.listeners.turns.acquire().await,
        );
        let begun = Instant::now();
        let due = std::mem::take(&mut *self.due.lock());
        if !self.look(&service, &due).await {
            self.end();
        }
        let rest = self.pause.max(begun.elapsed() * REST);
        *self.rests_until.lock() = Some(begun + rest);
    }

    /// Its stream ends with the last message, and with that its place.
    fn end(&self) {
        self.messages.lock().take();
    }

    /// Whether it reads again later, because of a refusal that passes.
    fn waits(&self, refusal: &Refusal) -> bool {
        let waits = refusal.passes();
        if waits {
            *self.due.lock() = Due::All;
        }
        waits
    }
}

/// What is seen of a resource at a time.
pub(super) struct Seen {
    /// The digest of its contents or, of a call that returns what changed since a place, the next place ([`follow`]).
    pub(super) mark: String,
    /// Whether that call returned a change.
    changes: Option<bool>,
}

impl Seen {
    fn of(contents: Option<&Value>) -> Seen {
        Seen {
            mark: digest(contents),
            changes: None,
        }
    }

    /// The place after what a call returned that follows changes.
    fn at(place: String, is_told: bool) -> Seen {
        Seen {
            mark: place,
            changes: Some(is_told),
        }
    }

    fn nothing() -> Seen {
        Seen::of(None)
    }

    fn refused() -> Seen {
        Seen {
            mark: REFUSED.to_owned(),
            changes: None,
        }
    }

    /// Whether the caller sees nothing.
    fn is_gone(&self) -> bool {
        [REFUSED, &Seen::nothing().mark].contains(&self.mark.as_str())
    }

    /// Whether it differs from what was seen before.
    fn differs(&self, before: &str) -> bool {
        self.changes.unwrap_or(self.mark != before)
    }
}

/// What the caller sees of a resource now; `None` if it cannot be read. `before` is what was seen before, empty at first.
pub(super) async fn see(
    asked: &Asked<'_>,
    offered: &[Found<'_>],
    uri: &str,
    before: &str,
) -> Result<Option<Seen>, Refusal> {
    let follows = |called: &Called| called.meta.guests_since.is_some();
    match Called::read(uri).filter(follows) {
        Some(called) => follow(asked, called, before).await,
        None => {
            let contents = contents(asked, offered, uri).await?;
            Ok(contents.map(|contents| Seen::of(Some(&contents))))
        }
    }
}

/// What changed since `before`, or, at first, since the place that the call has. The mark is the next place and, while running
/// transactions keep that back, the digest of what was seen after it.
async fn follow(
    asked: &Asked<'_>,
    mut called: Called,
    before: &str,
) -> Result<Option<Seen>, Refusal> {
    let asked_for = called.meta.guests_since.take().unwrap_or_default();
    let (place, seen) = before.split_once(' ').unwrap_or((before, ""));
    let since = if before.is_empty() { &asked_for } else { place };
    let Some((result, next)) = changes(asked, &called, since).await? else {
        return Ok(None);
    };
    // The client has not seen yet what changed before its first reading here.
    if before.is_empty() && !asked_for.is_empty() {
        return Ok(Some(Seen::at(asked_for, false)));
    }
    let result: Value = serde_json::from_str(&result).unwrap_or_default();
    let is_empty = result["guests"].as_array().is_none_or(Vec::is_empty);
    let digest = digest(Some(&result["guests"]));
    let is_lost = next.is_none();
    let is_told = !since.is_empty() && (is_lost || !is_empty && digest != seen);
    let next = match next {
        Some(next) if result["has_more"] != true => format!("{next} {digest}"),
        // The client reads on to the end by itself. Or a backup was restored, and it reads everything again.
        _ => {
            let whole = changes(asked, &called, "").await?;
            whole.and_then(|(_, next)| next).unwrap_or_default()
        }
    };
    Ok(Some(Seen::at(next, is_told)))
}

/// The result of a call that returns what changed since a place, and the next place.
async fn changes(
    asked: &Asked<'_>,
    called: &Called,
    since: &str,
) -> Result<Option<(String, Option<String>)>, Refusal> {
    let mut called = called.clone();
    called.meta.guests_since = Some(since.to_owned());
    called_result(asked, called).await
}

/// What tells whether a resource changed.
fn digest(contents: Option<&Value>) -> String {
    let text = contents.map_or(String::new(), Value::to_string);
    hex(&Sha256::digest(text))
}

/// The first half of a digest as text.
pub(super) fn hex(digest: &[u8]) -> String {
    digest[..16]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

impl Listeners {
    /// What the readings of a caller's listeners share.
    fn turn_of(&self, caller: UserId) -> Arc<Semaphore> {
        let registered = self.registered.lock();
        let mut all = registered.all.iter();
        let other = all.find(|one| one.caller.user == caller);
        let turns = || Arc::new(Semaphore::new(AT_ONCE_OF_A_CALLER));
        other.map_or_else(turns, |one| Arc::clone(&one.turn))
    }

    /// Registers a listener, unless its caller has too many; the first one has the database asked. A session has one: the
    /// stream that it had before ends.
    pub(super) fn add(&self, service: &Service, listener: Listener) -> Option<Listening> {
        let listener = Arc::new(listener);
        let mut registered = self.registered.lock();
        let is_same = |one: &Arc<Listener>| {
            matches!(&one.way, Way::Session(key) if key == listener.way.session())
                && one.caller.user == listener.caller.user
        };
        let is_own = |one: &&Arc<Listener>| {
            one.caller.user == listener.caller.user
                && one.addressed.host == listener.addressed.host
                && !is_same(one)
        };
        let is_full = registered.all.len() >= MOST;
        if is_full || registered.all.iter().filter(is_own).count() >= MOST_OF_A_CALLER {
            return None;
        }
        registered.all.retain(|one| {
            let goes = is_same(one);
            if goes {
                one.end();
            }
            !goes
        });
        registered.all.push(Arc::clone(&listener));
        if !std::mem::replace(&mut registered.is_asking, true) {
            tokio::spawn(ask(service.clone()));
        }
        Some(Listening {
            service: service.clone(),
            listener,
        })
    }

    fn remove(&self, listener: &Arc<Listener>) {
        self.registered
            .lock()
            .all
            .retain(|one| !Arc::ptr_eq(one, listener));
    }

    /// All listeners; none ends the asking.
    fn all(&self) -> Vec<Arc<Listener>> {
        let mut registered = self.registered.lock();
        registered.is_asking = !registered.all.is_empty();
        registered.all.clone()
    }
}

/// Up to where the history was heard.
#[derive(Debug, Default)]
struct Place {
    /// All changes up to here.
    heard: i64,
    /// Places up to which all will have been heard once the transactions before these numbers have ended.
    open: VecDeque<(u64, i64)>,
}

impl Place {
    /// Goes on to `last`, which was seen while the transactions from `oldest` to before `next` were running.
    fn go_on(&mut self, last: i64, oldest: u64, next: u64) {
        self.open.push_back((next, last));
        while let Some((_, place)) = self.open.pop_front_if(|(next, _)| *next <= oldest) {
            self.heard = place;
        }
    }
}

/// The answer of the database.
struct Heard {
    last: i64,
    oldest: u64,
    next: u64,
    touched: Vec<Touched>,
    ended: Vec<i32>,
    subscribed: Vec<Subscribed>,
}

/// The listeners of an organisation, and the tables that changed there.
#[derive(Deserialize)]
struct Touched {
    places: Vec<usize>,
    tables: Tables,
}

/// The subscriptions of a listener's session, if they are others than it knows.
#[derive(Deserialize)]
struct Subscribed {
    place: usize,
    digest: String,
    seen: HashMap<String, String>,
}

/// Asks once a second, as long as somebody listens.
async fn ask(service: Service) {
    let mut place = Place::default();
    let mut ticks = interval(BETWEEN_QUESTIONS);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let all = service.inner.listeners.all();
        if all.is_empty() {
            return;
        }
        match hear(&service, &place, &all).await {
            Ok(heard) => {
                tell(&service, &all, &heard);
                place.go_on(heard.last, heard.oldest, heard.next);
            }
            // What happens meanwhile may be older than what is looked at.
            Err(error) => {
                tracing::debug!(%error, "listeners wait");
                all.iter().for_each(|one| *one.due.lock() = Due::All);
            }
        }
    }
}

async fn hear(
    service: &Service,
    place: &Place,
    all: &[Arc<Listener>],
) -> Result<Heard, TransactionError> {
    let users: Vec<Uuid> = all.iter().map(|one| one.caller.user.0).collect();
    let sign_in = |one: &Arc<Listener>| match one.caller.proof {
        Proof::SignIn(id) => Some(id),
        Proof::IssuedAt(_) => None,
    };
    let issued = |one: &Arc<Listener>| match one.caller.proof {
        Proof::IssuedAt(at) => Some(at),
        Proof::SignIn(_) => None,
    };
    let session = |one: &Arc<Listener>| one.way.session().to_owned();
    let known = |one: &Arc<Listener>| one.known.lock().clone();
    let sign_ins: Vec<Option<Uuid>> = all.iter().map(sign_in).collect();
    let issued: Vec<Option<Timestamp>> = all.iter().map(issued).collect();
    let sessions: Vec<String> = all.iter().map(session).collect();
    let known: Vec<String> = all.iter().map(known).collect();
    let mut transaction = service
        .inner
        .database
        .transaction(Actor::Webhooks, Access::Read);
    let sql = "select last, oldest, next, \
           case when touched = '{}' then '[]' else app.changed_tables($1, $2) end, ended, \
           app.subscribed($2, $5, $6) \
         from app.heard($1, $2, $3, $4, '{}')";
    let params = params![place.heard, users, sign_ins, issued, sessions, known];
    let rows = transaction.query(sql, params).await?;
    let row = &rows[0];
    let number = |at: usize| row.get::<_, &str>(at).parse().unwrap_or_default();
    Ok(Heard {
        last: row.get(0),
        oldest: number(1),
        next: number(2),
        touched: serde_json::from_str(row.get(3)).unwrap_or_default(),
        ended: row.get(4),
        subscribed: serde_json::from_str(row.get(5)).unwrap_or_default(),
    })
}

/// Has the listeners read again what may have changed, a few at a time, and ends those whose rights have ended.
fn tell(service: &Service, all: &[Arc<Listener>], heard: &Heard) {
    for subscribed in &heard.subscribed {
        all[subscribed.place - 1].subscribe(subscribed);
    }
    for touched in &heard.touched {
        for place in &touched.places {
            all[place - 1].due.lock().add(&touched.tables);
        }
    }
    let now = service.inner.clock.now();
    for (place, listener) in (1..).zip(all) {
        let is_over = listener.caller.expires_at <= now || heard.ended.contains(&place);
        match is_over {
            true => listener.end(),
            false => listener.look_in_time(service),
        }
    }
}
