//! The servers that the tests of a process share.

use std::cell::Cell;
use std::ops::{Deref, DerefMut};
use std::sync::{LazyLock, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use frontdesk_postgres::{Params, Row};
use frontdesk_server::clock::Clock;
use frontdesk_server::database::{Access, Actor, Database, Location, Owner};
use frontdesk_server::identity::IdentitySettings;
use frontdesk_server::server::{DEMO_PUBLIC_KEY, Limits, Server, Settings};
use tokio::runtime::{EnterGuard, Runtime};
use tokio::sync::{OnceCell, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::{prepared, server};

/// Longer than anything that a test waits for. On a busy machine, a call can take long.
pub const PATIENCE: Duration = Duration::from_secs(600);

/// The time limits of the tests' servers and databases.
pub const PATIENT: Limits = Limits {
    connection: PATIENCE,
    statement: PATIENCE,
    lock: PATIENCE,
    idle: PATIENCE,
    call: PATIENCE,
    trial: PATIENCE,
    answer: PATIENCE,
};

/// A running server and its runtime.
pub struct World {
    runtime: Runtime,
    /// The address of the database; `None` if it is embedded.
    location: Option<Location>,
    database: Database,
    server: Server,
    /// Held for reading by every owner's connection to the embedded database.
    owners: RwLock<()>,
    /// Whether the demo's organisation is in it.
    pub demo: OnceCell<()>,
}

/// The owner's connection in a test.
pub struct TestOwner {
    owner: Owner,
    _one_of: Option<RwLockReadGuard<'static, ()>>,
}

impl Deref for TestOwner {
    type Target = Owner;

    fn deref(&self) -> &Owner {
        &self.owner
    }
}

impl DerefMut for TestOwner {
    fn deref_mut(&mut self) -> &mut Owner {
        &mut self.owner
    }
}

/// The most worlds of a process: each has a copy of the database in memory.
const MOST_WORLDS: usize = 8;

/// The embedded database is one session. So that tests do not queue for it, there is a world for each core; a PostgreSQL
/// server has one.
static WORLDS: LazyLock<Vec<OnceLock<World>>> = LazyLock::new(|| {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let count = if is_embedded() {
        cores.min(MOST_WORLDS)
    } else {
        1
    };
    (0..count).map(|_| OnceLock::new()).collect()
});
/// The number of tests that run in each.
static TESTS: LazyLock<Mutex<Vec<usize>>> = LazyLock::new(|| Mutex::new(vec![0; WORLDS.len()]));

/// The world of a test, which has a thread: that with the fewest tests.
struct Place(usize);

impl Place {
    fn take() -> Place {
        let mut tests = TESTS.lock().unwrap_or_else(PoisonError::into_inner);
        let fewest = (0..tests.len())
            .min_by_key(|at| tests[*at])
            .unwrap_or_default();
        tests[fewest] += 1;
        Place(fewest)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        TESTS.lock().unwrap_or_else(PoisonError::into_inner)[self.0] -= 1;
    }
}

thread_local! {
    /// The world in which a part of the test runs, or to which this thread belongs.
    static SEPARATE: Cell<Option<&'static World>> = const { Cell::new(None) };
    static PLACE: Place = Place::take();
}

/// The world of this test, which keeps it to its end, unless [`World::with`] runs it in another. A thread that a test
/// starts is a test of its own, unless it runs in the test's world with [`World::with`].
pub fn world() -> &'static World {
    SEPARATE.get().unwrap_or_else(|| {
        let place = PLACE.with(|place| place.0);
        WORLDS[place].get_or_init(|| World::start(false))
    })
}

/// Runs a test in the world's runtime.
pub fn run<F: Future>(test: F) -> F::Output {
    world().runtime.block_on(test)
}

/// Enters the world's runtime: tasks started in this scope run there.
pub fn enter() -> EnterGuard<'static> {
    world().runtime.enter()
}

impl World {
    /// Another world, for tests that read or change what an organisation does not contain, such as the outbox.
    pub fn separate() -> World {
        World::start(true)
    }

    /// Runs a test in this world and its runtime; see [`World::with`].
    pub fn run<F: Future>(&'static self, test: F) -> F::Output {
        self.with(|| self.runtime.block_on(test))
    }

    /// Runs a test in this world: [`world`] returns it on this thread meanwhile.
    pub fn with<T>(&'static self, test: impl FnOnce() -> T) -> T {
        struct Back;
        impl Drop for Back {
            fn drop(&mut self) {
                SEPARATE.set(None);
            }
        }
        SEPARATE.set(Some(self));
        let _back = Back;
        test()
    }

    fn start(is_separate: bool) -> World {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(4)
            .enable_all()
            .build()
            .expect("a runtime");
        let (location, database, server) = runtime.block_on(async {
            let location = match server::address() {
                Some(_) if is_separate => Some(server::at(&server::new_database().await)),
                _ => server::location(),
            };
            let database = match &location {
                Some(location) => Database::open(location, 8)
                    .await
                    .expect("the database opens"),
                None => prepared::open().await,
            };
            let database = database.with_limits(PATIENT).expect("a pool");
            let server = start(&database, Clock::system(), 0).await;
            (location, database, server)
        });
        World {
            runtime,
            location,
            database,
            server,
            owners: RwLock::default(),
            demo: OnceCell::new(),
        }
    }

    /// The base address of the server, which has no rate limit.
    pub fn url(&self) -> String {
        self.server.url()
    }

    /// The owner's connection, which bypasses the policies, to prepare data and check results.
    pub async fn owner(&'static self) -> TestOwner {
        let one_of = match is_embedded() {
            true => Some(self.owners.read().await),
            false => None,
        };
        TestOwner {
            owner: self.database.owner().await.expect("the owner is let in"),
            _one_of: one_of,
        }
    }

    /// Runs a statement as the owner, above the policies, and commits it. It takes a session of the pool: a connection
    /// would end the embedded database's session, with all statements that are prepared in it.
    ///
    /// # Panics
    ///
    /// If the database refuses the statement.
    pub async fn as_owner(&self, sql: &str, params: Params<'_>) -> Vec<Row> {
        let mut transaction = self.database.transaction(Actor::Identity, Access::Write);
        let login = match self.location {
            Some(_) => "set local session authorization default",
            // A single-user backend does not know its default.
            None => "set local session authorization postgres",
        };
        for setting in [login, "set local role frontdesk_owner"] {
            transaction.query(setting, &[]).await.expect(setting);
        }
        let rows = transaction.query(sql, params).await;
        let rows = rows.unwrap_or_else(|error| panic!("{sql}: {error:?}"));
        transaction.commit().await.expect("it is committed");
        rows
    }

    /// Excludes owners' connections until this is dropped: opening one ends the embedded database's
    /// single session.
    pub async fn without_owners(&'static self) -> RwLockWriteGuard<'static, ()> {
        self.owners.write().await
    }

    /// The database itself.
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// The location of the database; `None` if it is embedded.
    pub fn location(&self) -> Option<&Location> {
        self.location.as_ref()
    }

    /// Another handle of the database, as a second process has it; an embedded database has only one.
    ///
    /// # Panics
    ///
    /// If the database cannot be opened.
    pub async fn another_handle(&self) -> Database {
        match &self.location {
            Some(location) => {
                let database = Database::open(location, 4).await.expect("it opens");
                database.with_limits(PATIENT).expect("a pool")
            }
            None => self.database.clone(),
        }
    }

    /// Starts another server on the same database, with its own clock and rate limit.
    pub async fn server(&self, clock: Clock, calls_per_minute: u32) -> Server {
        start(&self.database, clock, calls_per_minute).await
    }

    /// Starts another server on the same database, with these settings; their database is ignored.
    pub async fn server_with(&self, settings: Settings) -> Server {
        over(&self.database, settings).await
    }
}

fn is_embedded() -> bool {
    server::address().is_none()
}

/// The identity settings of the world's servers.
pub fn identity() -> IdentitySettings {
    IdentitySettings {
        public_key: Some(DEMO_PUBLIC_KEY.to_owned()),
        access_lifetime: Duration::from_secs(3600),
        pages_per_minute: None,
        ..IdentitySettings::default()
    }
}

async fn start(database: &Database, clock: Clock, calls_per_minute: u32) -> Server {
    let settings = Settings {
        calls_per_minute,
        clock,
        identity: identity(),
        ..Settings::local(Location::Memory)
    };
    over(database, settings).await
}

async fn over(database: &Database, settings: Settings) -> Server {
    let limits = match settings.limits == Limits::default() {
        true => PATIENT,
        false => settings.limits,
    };
    let settings = Settings { limits, ..settings };
    Server::over(database.clone(), settings)
        .await
        .expect("the server starts")
}
