//! The harness without `async`: the same names as in its other modules, with methods that wait.
//!
//! Calls at the same time are closures in threads: [`at_once`].

use std::ops::{Deref, DerefMut};

use frontdesk_protocol::id::{EventId, GuestId, MeetingId, MemberId, OccurrenceId};
use frontdesk_protocol::mcp::PERSON_HEADER;
use frontdesk_protocol::{Host, Role, Tool};
use frontdesk_server::clock::Clock;
use frontdesk_server::server::{Server, Settings};
use jiff::Timestamp;
use reqwest::{Method, RequestBuilder, Url};
use serde_json::{Value, json};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Error, Row};

use crate::builder::PASSWORD;
use crate::code_host::Page;
pub use crate::http::Answer;
use crate::world::{TestOwner, World, enter, run};
use crate::{account, builder, caller, code_host, example, http};

/// Wraps a type of the harness, whose fields and other methods it keeps. Each listed method calls
/// the `async` method of the same name and waits for it.
macro_rules! blocking {
    (
        $(#[$attribute:meta])* $name:ident($inner:ty);
        $(fn $method:ident $(<$generic:ident: $bound:path>)? ($($parameters:tt)*) $(-> $output:ty)?;)*
    ) => {
        $(#[$attribute])*
        pub struct $name($inner);

        impl Deref for $name {
            type Target = $inner;

            fn deref(&self) -> &$inner {
                &self.0
            }
        }

        impl DerefMut for $name {
            fn deref_mut(&mut self) -> &mut $inner {
                &mut self.0
            }
        }

        impl $name {
            $(blocking! { @method $method $(<$generic: $bound>)? ($($parameters)*) $(-> $output)? })*
        }
    };
    (@method $method:ident $(<$generic:ident: $bound:path>)?
        (&$self:ident $(, $argument:ident: $type:ty)*) $(-> $output:ty)?) => {
        /// Waits for the method of the same name.
        pub fn $method $(<$generic: $bound>)? (&$self $(, $argument: $type)*) $(-> $output)? {
            run($self.0.$method($($argument),*))
        }
    };
    (@method $method:ident $(<$generic:ident: $bound:path>)?
        (&mut $self:ident $(, $argument:ident: $type:ty)*) $(-> $output:ty)?) => {
        /// Waits for the method of the same name.
        pub fn $method $(<$generic: $bound>)? (&mut $self $(, $argument: $type)*) $(-> $output)? {
            run($self.0.$method($($argument),*))
        }
    };
}

blocking! {
    /// See [`http::Http`].
    #[derive(Debug, Clone)]
    Http(http::Http);

    fn password_grant(&self, email: &str, password: &str) -> Answer;
    fn initialize(&self, host: Host, version: &str) -> Answer;
    fn session(&mut self, host: Host) -> String;
    fn send(&mut self, host: Host, body: impl Into<reqwest::Body>) -> Answer;
    fn refresh(&self, host: Option<Host>, refresh_token: &str) -> Answer;
    fn rpc(&mut self, host: Host, method: &str, params: Value) -> Answer;
    fn request_of(&mut self, host: Host, method: &str, params: Value) -> RequestBuilder;
    fn call(&mut self, host: Host, tool: &str, arguments: Value) -> Answer;
    fn events_at(&mut self, tool: &str, arguments: Value, occurred_at: &str) -> Answer;
    fn events(&mut self, tool: &str, arguments: Value) -> Answer;
    fn typed<T: Tool>(&mut self, arguments: &T) -> T::Output;
}

impl Http {
    /// A caller with this token.
    pub fn with_token(url: &str, token: &str) -> Http {
        Http(http::Http::with_token(url, token))
    }

    /// Signs in with a password.
    pub fn sign_in(url: &str, email: &str, password: &str) -> Http {
        Http(run(http::Http::sign_in(url, email, password)))
    }

    /// A sign-in of this address whose person agrees to what the program does.
    pub fn with_person(&self, email: &str) -> Http {
        let request = self.request(Method::POST, "/auth/v1/token?grant_type=password");
        let request = request
            .header("apikey", "demo")
            .header(PERSON_HEADER, "yes")
            .json(&json!({ "email": email, "password": PASSWORD }));
        let mut http = self.clone();
        http.take_tokens(&answer_to(request));
        http
    }

    /// The same caller at another server.
    pub fn at(&self, url: &str) -> Http {
        Http(self.0.at(url))
    }

    /// The same caller in a new session of this revision.
    pub fn speaking(&self, host: Host, version: &str) -> Http {
        Http(run(self.0.speaking(host, version)))
    }

    /// The same with these capabilities.
    pub fn speaking_with(&self, host: Host, version: &str, capabilities: Value) -> Http {
        Http(run(self.0.speaking_with(host, version, capabilities)))
    }

    /// Opens the stream of the session.
    pub fn stream(&mut self, host: Host) -> Waiting {
        Waiting(run(self.0.stream(host)))
    }

    /// Sends a request whose answer is a stream.
    pub fn listen_to(&self, request: RequestBuilder) -> Waiting {
        Waiting(run(http::Waiting::to(request)))
    }

    /// Calls a tool whose answer waits for a person.
    pub fn wait(&mut self, host: Host, params: Value) -> Waiting {
        let request = self.request_of(host, "tools/call", params);
        Waiting(run(http::Waiting::to(request)))
    }
}

/// See [`http::Waiting`].
#[derive(Debug)]
pub struct Waiting(http::Waiting);

impl Waiting {
    /// The next message of the stream.
    pub fn message(&mut self) -> Value {
        run(self.0.message())
    }

    /// Whether the stream ends without a further message.
    pub fn is_over(&mut self) -> bool {
        run(self.0.is_over())
    }

    /// The answer to the call.
    pub fn end(self) -> Answer {
        run(self.0.end())
    }
}

blocking! {
    /// See [`builder::Organization`].
    #[derive(Debug, Clone, Copy)]
    Organization(builder::Organization);

    fn level(&self, role: Role, level: i32);
    fn join_cohort(&self, cohort: &Value, member: MemberId);
    fn event(&self, name: &str) -> EventId;
    fn guest(&self, event: EventId, name: &str) -> GuestId;
    fn guest_with(&self, event: EventId, name: &str, role: &str, email: &str) -> GuestId;
    fn guests(&self, event: EventId, names: &[&str]) -> Vec<GuestId>;
    fn series(&self, title: &str) -> MeetingId;
    fn occurrence(&self, series: MeetingId, date: &str, text: Option<&str>, transcript_id: Option<&str>) -> OccurrenceId;
    fn checked_in_at(&self, guest: GuestId) -> Option<Timestamp>;
}

impl Organization {
    /// Creates an organisation.
    pub fn create() -> Organization {
        Organization(run(builder::Organization::create()))
    }

    /// Signs in as this role.
    pub fn sign_in(&self, role: Role) -> Http {
        Http(run(self.0.sign_in(role)))
    }

    /// A caller of this host, signed in as this role.
    pub fn caller(&self, role: Role, host: Host) -> Caller {
        Caller(run(self.0.caller(role, host)))
    }
}

blocking! {
    /// See [`caller::Caller`].
    #[derive(Debug, Clone)]
    Caller(caller::Caller);

    fn call(&mut self, tool: &str, arguments: Value) -> Answer;
    fn output(&mut self, tool: &str, arguments: Value) -> Value;
    fn record(&mut self, tool: &str, arguments: Value) -> Value;
    fn make(&mut self, tool: &str, arguments: Value) -> Value;
}

impl Caller {
    /// The same caller at another host.
    pub fn at(&self, host: Host) -> Caller {
        let http = self.0.http.clone();
        Caller(caller::Caller { http, host })
    }
}

blocking! {
    /// See [`account::Account`].
    #[derive(Debug, Clone)]
    Account(account::Account);
}

impl Account {
    /// Creates an account.
    pub fn create() -> Account {
        Account(run(account::Account::create()))
    }

    /// Signs the account in.
    pub fn sign_in(&self) -> Http {
        Http(run(self.0.sign_in()))
    }
}

/// See [`account::invite`].
pub fn invite(owner: &mut Http, email: &str, role: Role) -> String {
    run(account::invite(owner, email, role))
}

/// See [`account::join`].
pub fn join(browser: &mut Browser, link: &str, password: &str) -> Page {
    run(account::join(browser, link, password))
}

/// See [`account::invited`].
pub fn invited(organization: &Organization, email: &str, password: &str) {
    run(account::invited(organization, email, password));
}

blocking! {
    /// See [`code_host::Browser`].
    #[derive(Debug, Clone, Default)]
    Browser(code_host::Browser);

    fn get(&mut self, address: &str) -> Page;
    fn post(&mut self, address: &str, fields: &[(&str, &str)]) -> Page;
    fn post_with(&mut self, address: &str, fields: &[(&str, &str)], header: (&'static str, &str)) -> Page;
    fn goes_through(&mut self, address: &str) -> Url;
    fn comes_back_from(&mut self, provider: &str) -> Url;
    fn signs_in(&mut self, address: &str, email: &str, password: &str) -> Page;
}

blocking! {
    /// See [`code_host::CodeHost`].
    #[derive(Debug)]
    CodeHost(code_host::CodeHost);

    fn go_down(&mut self);
}

impl CodeHost {
    /// Starts a provider whose visitor has this verified primary address.
    pub fn start(email: &str) -> CodeHost {
        CodeHost(run(code_host::CodeHost::start(email)))
    }
}

blocking! {
    /// See [`example::Example`].
    #[derive(Debug, Clone)]
    Example(example::Example);
}

impl Example {
    /// Creates the records as this caller.
    pub fn create(organization: &Organization, caller: &mut Http) -> Example {
        Example(run(example::Example::create(organization, caller)))
    }
}

blocking! {
    /// The owner's connection to the database, which bypasses the policies.
    Owner(TestOwner);

    fn execute(&self, sql: &str, parameters: &[&(dyn ToSql + Sync)]) -> Result<u64, Error>;
    fn query(&self, sql: &str, parameters: &[&(dyn ToSql + Sync)]) -> Result<Vec<Row>, Error>;
    fn query_one(&self, sql: &str, parameters: &[&(dyn ToSql + Sync)]) -> Result<Row, Error>;
    fn batch_execute(&self, sql: &str) -> Result<(), Error>;
}

/// See [`crate::world::world`].
pub fn world() -> Shared {
    Shared(crate::world::world())
}

/// The world that all tests of the process share.
#[derive(Clone, Copy)]
pub struct Shared(&'static World);

impl Deref for Shared {
    type Target = World;

    fn deref(&self) -> &World {
        self.0
    }
}

impl Shared {
    /// See [`World::owner`].
    pub fn owner(self) -> Owner {
        Owner(run(self.0.owner()))
    }

    /// See [`World::server`].
    pub fn server(self, clock: Clock, calls_per_minute: u32) -> Server {
        run(self.0.server(clock, calls_per_minute))
    }

    /// See [`World::server_with`].
    pub fn server_with(self, settings: Settings) -> Server {
        run(self.0.server_with(settings))
    }
}

/// Sends a request.
pub fn answer_to(request: RequestBuilder) -> Answer {
    run(Answer::to(request))
}

/// Makes all calls at the same time, each in its thread; returns their results in this order.
pub fn at_once<T: Send>(calls: impl IntoIterator<Item = impl FnOnce() -> T + Send>) -> Vec<T> {
    std::thread::scope(|scope| {
        let here = crate::world::world();
        let calls = calls
            .into_iter()
            .map(|call| scope.spawn(|| here.with(call)));
        let calls: Vec<_> = calls.collect();
        let results = calls.into_iter().map(|call| call.join());
        results.map(|result| result.expect("a result")).collect()
    })
}

/// Serves routes on loopback until the process ends; returns their address, which they can name.
pub fn serve(routes: impl FnOnce(&str) -> axum::Router) -> String {
    let _runtime = enter();
    let listener = run(tokio::net::TcpListener::bind("127.0.0.1:0")).expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let routes = routes(&url);
    tokio::spawn(async move { axum::serve(listener, routes).await });
    url
}
