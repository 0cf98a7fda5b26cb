//! A session: it prepares each statement once and sends flights.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::BytesMut;
use futures::stream::FuturesUnordered;
use futures::{FutureExt, StreamExt};
use postgres_protocol::message::backend::Message;
use postgres_protocol::message::frontend;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_postgres::Config;
use tokio_postgres::config::TargetSessionAttrs;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::address::{Address, Stream, addresses, in_time, no_host};
use crate::cancel::Cancel;
use crate::error::{Error, Refusal};
use crate::login::{Encryption, log_in};
use crate::row::Row;
use crate::statement::Statement;

/// The maximum number of prepared statements in a session.
const MOST_STATEMENTS: usize = 500;

/// The initial size of the buffers, in bytes; a page of twenty guests fits.
const BUFFER: usize = 16 * 1024;

/// The maximum size of a buffer that is kept for the next flight, in bytes.
const MOST_KEPT: usize = 256 * 1024;

/// The time after which the next address is tried too: a machine that hangs accepts connections and does not answer.
const UNANSWERED: Duration = Duration::from_millis(250);

/// The pauses between requests to cancel the statement of an abandoned session, in ms.
const ASKED_AGAIN: [u64; 6] = [50, 100, 200, 400, 800, 1600];

/// The parameters of a statement.
pub type Params<'a> = &'a [&'a (dyn ToSql + Sync)];

/// A statement whose rows are not read. Its parameter types are known, so PostgreSQL does not have to
/// describe it. It is prepared in the first flight that uses it.
#[derive(Debug, Clone, Copy)]
pub struct Command<'a> {
    /// One statement.
    pub sql: &'a str,
    /// The types of its parameters.
    pub types: &'a [Type],
    /// As many values as `types`.
    pub params: Params<'a>,
}

impl Command<'_> {
    /// A statement without parameters.
    pub const fn plain(sql: &str) -> Command<'_> {
        Command {
            sql,
            types: &[],
            params: &[],
        }
    }
}

/// A session of PostgreSQL. Dropping it closes the connection; PostgreSQL rolls back an open transaction.
pub struct Session {
    stream: Stream,
    incoming: BytesMut,
    outgoing: BytesMut,
    statements: HashMap<String, Arc<Statement>>,
    /// The number of statements prepared so far; numbers the next name.
    prepared: u64,
    /// Whether a pooler may give each transaction another session of PostgreSQL, which has none of the statements.
    is_pooled: bool,
    condition: Condition,
    cancel: Option<Cancel>,
}

/// The state of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Condition {
    /// Outside a transaction.
    Idle,
    /// In a transaction, possibly a failed one.
    Within,
    /// In a flight. The session stays in this state and cannot be used again after an unfinished flight, a lost
    /// connection or [`Session::close`].
    Flying,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session")
            .field("condition", &self.condition)
            .field("statements", &self.statements.len())
            .finish_non_exhaustive()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.take_leave();
    }
}

/// A flight that is being assembled, and the answers it expects.
#[derive(Default)]
struct Flight {
    /// Statements prepared in this flight, in order.
    preparing: VecDeque<(String, Arc<Statement>)>,
    /// The statement that PostgreSQL is to describe.
    described: Option<Statement>,
    /// The number of statements executed.
    runs: usize,
    /// The statement whose rows are kept, and its number, counted from 1.
    wanted: Option<(usize, Arc<Statement>)>,
}

/// The results of a flight.
struct Landed {
    described: Option<Statement>,
    answer: Answer,
}

/// What a statement returned, and the commands after it in the same flight.
#[derive(Debug)]
pub struct Answer {
    /// The rows of the statement.
    pub rows: Vec<Row>,
    /// The number of rows that the commands after it returned.
    pub further: usize,
}

impl Session {
    /// Opens a session on the first host that accepts it; one that does not answer delays the next by little.
    ///
    /// # Errors
    /// The [`Error`] of the last host tried.
    pub async fn connect(config: &Arc<Config>, tls: &MakeRustlsConnect) -> Result<Session, Error> {
        Session::to(config, tls, false).await
    }

    /// As [`Session::connect`], to a pooler with transaction pooling: each flight prepares its statements again,
    /// without a name.
    ///
    /// # Errors
    /// As [`Session::connect`].
    pub async fn pooled(config: &Arc<Config>, tls: &MakeRustlsConnect) -> Result<Session, Error> {
        Session::to(config, tls, true).await
    }

    async fn to(
        config: &Arc<Config>,
        tls: &MakeRustlsConnect,
        is_pooled: bool,
    ) -> Result<Session, Error> {
        let addresses = addresses(config).await?;
        let mut rest = addresses.iter();
        let mut trying = FuturesUnordered::new();
        let mut last = no_host();
        loop {
            match rest.next() {
                Some(address) => {
                    let opening = Session::at(address, config, tls, is_pooled);
                    trying.push(in_time(config, opening));
                }
                None if trying.is_empty() => return Err(last),
                None => {}
            }
            let answered = tokio::select! {
                answered = trying.next() => answered,
                () = tokio::time::sleep(UNANSWERED), if rest.len() > 0 => None,
            };
            match answered {
                Some(Ok(session)) => return Ok(session),
                Some(Err(error)) => last = error,
                None => {}
            }
        }
    }

    async fn at(
        address: &Address,
        config: &Arc<Config>,
        tls: &MakeRustlsConnect,
        is_pooled: bool,
    ) -> Result<Session, Error> {
        let stream = address.dial(config).await?;
        let (stream, token) = log_in(stream, config, Encryption::to(address, tls)).await?;
        let mut session = Session::over_logged_in(stream);
        session.is_pooled = is_pooled;
        // PgBouncer can end when a client asks it to cancel a statement (seen with 1.18), and its other clients with it.
        session.cancel = (!is_pooled).then(|| Cancel {
            token,
            address: address.clone(),
            config: Arc::clone(config),
            tls: tls.clone(),
        });
        session
            .is_as_wanted(config.get_target_session_attrs())
            .await?;
        Ok(session)
    }

    /// Opens a session over a private stream, without encryption. Its statements cannot be cancelled.
    ///
    /// # Errors
    /// [`Error::Connect`] if the database refuses the login.
    pub async fn over(
        stream: impl tokio::io::AsyncRead + tokio::io::AsyncWrite + Send + Unpin + 'static,
        config: &Config,
    ) -> Result<Session, Error> {
        let (stream, _) = log_in(Box::new(stream), config, Encryption::none()).await?;
        Ok(Session::over_logged_in(stream))
    }

    fn over_logged_in(stream: Stream) -> Session {
        Session {
            stream,
            incoming: BytesMut::with_capacity(BUFFER),
            outgoing: BytesMut::with_capacity(BUFFER),
            statements: HashMap::new(),
            prepared: 0,
            is_pooled: false,
            condition: Condition::Idle,
            cancel: None,
        }
    }

    /// Checks that the server is read-write or read-only, as the address demands.
    async fn is_as_wanted(&mut self, wanted: TargetSessionAttrs) -> Result<(), Error> {
        let wanted = match wanted {
            TargetSessionAttrs::ReadWrite => "off",
            TargetSessionAttrs::ReadOnly => "on",
            _ => return Ok(()),
        };
        let sql = "select current_setting('transaction_read_only')";
        let rows = self.query(&[], sql, &[], &[]).await?;
        match rows.first().map(|row| row.get::<_, String>(0)) {
            Some(is) if is == wanted => Ok(()),
            _ => Err(Error::Unreachable(io::Error::new(
                io::ErrorKind::Unsupported,
                "it does not match target_session_attrs",
            ))),
        }
    }

    /// Gives up the session in the middle of a flight. The returned future cancels the running statement, so
    /// PostgreSQL does not continue needlessly. `None` if nothing is running or it cannot be cancelled.
    pub fn abandon(mut self) -> Option<impl Future<Output = ()> + Send + 'static> {
        let is_flying = self.condition == Condition::Flying;
        let cancel = self.cancel.take().filter(|_| is_flying)?;
        Some(async move {
            // PostgreSQL forgets a cancel request that arrives before the statement has begun, so repeat it.
            let asked_to_stop = async {
                for pause in ASKED_AGAIN {
                    if cancel.send().await.is_err() {
                        break;
                    }
                    tokio::time::sleep(Duration::from_millis(pause)).await;
                }
            };
            tokio::select! {
                () = self.landed() => {}
                () = asked_to_stop => {}
            }
        })
    }

    /// Waits for the end of the abandoned flight or of the connection.
    async fn landed(&mut self) {
        loop {
            match self.next_message() {
                Ok(Some(Message::ReadyForQuery(_))) | Err(_) => return,
                Ok(Some(_)) => {}
                Ok(None) => {
                    if !matches!(self.stream.read_buf(&mut self.incoming).await, Ok(1..)) {
                        return;
                    }
                }
            }
        }
    }

    /// Whether a query of this statement is one flight.
    pub fn has_prepared(&self, sql: &str) -> bool {
        self.statements.contains_key(sql)
    }

    /// Whether the session is outside a transaction and has read every answer.
    pub fn is_idle(&self) -> bool {
        self.condition == Condition::Idle
    }

    /// Whether the session is in a transaction, possibly a failed one.
    pub fn is_within(&self) -> bool {
        self.condition == Condition::Within
    }

    /// Ends the session and its connection. The object cannot be used again.
    pub fn close(&mut self) {
        self.take_leave();
        self.condition = Condition::Flying;
        self.stream = Box::new(tokio::io::empty());
    }

    /// Sends an idle server `Terminate`, if that is possible without waiting. It only keeps the server's log
    /// clean.
    fn take_leave(&mut self) {
        if self.condition == Condition::Idle {
            self.outgoing.clear();
            frontend::terminate(&mut self.outgoing);
            let _ = self.stream.write_all(&self.outgoing).now_or_never();
        }
    }

    /// Whether the connection is known to be unusable. Neither sends nor waits.
    pub fn is_closed(&mut self) -> bool {
        if self.condition == Condition::Flying {
            return true;
        }
        loop {
            match self.next_message() {
                Ok(Some(Message::ErrorResponse(_))) | Err(_) => break,
                Ok(Some(_)) => continue,
                Ok(None) => {}
            }
            match self.stream.read_buf(&mut self.incoming).now_or_never() {
                None => return false,
                Some(Ok(1..)) => {}
                Some(Ok(0) | Err(_)) => break,
            }
        }
        self.condition = Condition::Flying;
        true
    }

    /// Runs statements without parameters, separated by semicolons, and ignores their rows. They are not kept
    /// prepared. For settings, for example.
    ///
    /// # Errors
    /// [`Error`]; the statements after the failing one are not run.
    pub async fn batch(&mut self, sql: &str) -> Result<(), Error> {
        self.begin()?;
        frontend::query(sql, &mut self.outgoing)?;
        self.fly(Flight::default()).await.map(drop)
    }

    /// Runs commands in one flight and counts the rows that they return.
    ///
    /// # Errors
    /// [`Error`]; the commands after the failing one are not run.
    pub async fn run(&mut self, commands: &[Command<'_>]) -> Result<usize, Error> {
        self.begin()?;
        let mut flight = Flight::default();
        for command in commands {
            self.add_command(&mut flight, command)?;
        }
        Ok(self.finish_and_fly(flight).await?.answer.further)
    }

    /// Runs a statement between commands in one flight and returns its rows. If the session has not prepared
    /// the statement yet, two flights are needed: one up to its description, and one that runs it.
    ///
    /// # Errors
    /// [`Error`]; everything after the failing statement is not run.
    pub async fn query(
        &mut self,
        before: &[Command<'_>],
        sql: &str,
        params: Params<'_>,
        after: &[Command<'_>],
    ) -> Result<Vec<Row>, Error> {
        Ok(self.query_counting(before, sql, params, after).await?.rows)
    }

    /// As [`Session::query`]; also counts the rows of the commands after the statement.
    ///
    /// # Errors
    /// As [`Session::query`].
    pub async fn query_counting(
        &mut self,
        before: &[Command<'_>],
        sql: &str,
        params: Params<'_>,
        after: &[Command<'_>],
    ) -> Result<Answer, Error> {
        self.begin()?;
        let mut flight = Flight::default();
        for command in before {
            self.add_command(&mut flight, command)?;
        }
        let statement = match self.statements.get(sql) {
            Some(statement) => Arc::clone(statement),
            None => {
                let statement = self.prepare(flight, sql).await?;
                self.begin()?;
                flight = Flight::default();
                statement
            }
        };
        if self.is_pooled {
            let types = statement.parameters.iter().map(Type::oid);
            frontend::parse("", sql, types, &mut self.outgoing)?;
        }
        self.bind(&statement, params)?;
        if self.is_pooled {
            // A migration by another process can have changed the columns.
            frontend::describe(b'P', "", &mut self.outgoing)?;
        }
        self.execute(&mut flight)?;
        flight.wanted = Some((flight.runs, statement));
        for command in after {
            self.add_command(&mut flight, command)?;
        }
        Ok(self.finish_and_fly(flight).await?.answer)
    }

    /// Ends the flight with a request to describe a statement.
    async fn prepare(&mut self, mut flight: Flight, sql: &str) -> Result<Arc<Statement>, Error> {
        // Some tools build a different statement for every set of fields, too many to keep. All are dropped at
        // the limit, and those still needed are prepared again.
        if self.statements.len() >= MOST_STATEMENTS {
            for (_, statement) in self.statements.drain() {
                if !self.is_pooled {
                    frontend::close(b'S', &statement.name, &mut self.outgoing)?;
                }
            }
        }
        let statement = Statement::named(self.next_name());
        frontend::parse(&statement.name, sql, [], &mut self.outgoing)?;
        frontend::describe(b'S', &statement.name, &mut self.outgoing)?;
        flight.described = Some(statement);
        let landed = self.finish_and_fly(flight).await?;
        let statement = landed
            .described
            .ok_or_else(|| Error::unexpected("the statement was not described"))?;
        let statement = Arc::new(statement);
        self.statements
            .insert(sql.to_owned(), Arc::clone(&statement));
        Ok(statement)
    }

    fn next_name(&mut self) -> String {
        if self.is_pooled {
            return String::new();
        }
        self.prepared += 1;
        format!("s{}", self.prepared)
    }

    /// Starts a flight.
    fn begin(&mut self) -> Result<(), Error> {
        if self.condition == Condition::Flying {
            return Err(Error::closed());
        }
        self.outgoing.clear();
        Ok(())
    }

    fn add_command(&mut self, flight: &mut Flight, command: &Command<'_>) -> Result<(), Error> {
        let known = self.statements.get(command.sql);
        let statement = match known.filter(|_| !self.is_pooled) {
            Some(statement) => Arc::clone(statement),
            None => {
                let statement = Arc::new(Statement {
                    parameters: command.types.to_vec(),
                    ..Statement::named(self.next_name())
                });
                let types = command.types.iter().map(Type::oid);
                frontend::parse(&statement.name, command.sql, types, &mut self.outgoing)?;
                if !self.is_pooled {
                    flight
                        .preparing
                        .push_back((command.sql.to_owned(), Arc::clone(&statement)));
                }
                statement
            }
        };
        self.bind(&statement, command.params)?;
        self.execute(flight)
    }

    fn execute(&mut self, flight: &mut Flight) -> Result<(), Error> {
        frontend::execute("", 0, &mut self.outgoing)?;
        flight.runs += 1;
        Ok(())
    }

    fn bind(&mut self, statement: &Statement, params: Params<'_>) -> Result<(), Error> {
        let types = &statement.parameters;
        if params.len() != types.len() {
            return Err(Error::Parameters {
                expected: types.len(),
                given: params.len(),
            });
        }
        let mut number = 0;
        let formats = params.iter().zip(types);
        let formats: Vec<i16> = formats
            .map(|(param, r#type)| param.encode_format(r#type) as i16)
            .collect();
        let bound = frontend::bind(
            "",
            &statement.name,
            formats,
            params.iter().zip(types),
            |(param, r#type), buffer| {
                number += 1;
                Ok(match param.to_sql_checked(r#type, buffer)? {
                    tokio_postgres::types::IsNull::No => postgres_protocol::IsNull::No,
                    tokio_postgres::types::IsNull::Yes => postgres_protocol::IsNull::Yes,
                })
            },
            Some(1),
            &mut self.outgoing,
        );
        match bound {
            Ok(()) => Ok(()),
            Err(frontend::BindError::Conversion(cause)) => Err(Error::Parameter { number, cause }),
            Err(frontend::BindError::Serialization(error)) => Err(error.into()),
        }
    }

    async fn finish_and_fly(&mut self, flight: Flight) -> Result<Landed, Error> {
        frontend::sync(&mut self.outgoing);
        self.fly(flight).await
    }

    /// Sends the flight and reads its answer to the end.
    async fn fly(&mut self, mut flight: Flight) -> Result<Landed, Error> {
        self.condition = Condition::Flying;
        self.stream.write_all(&self.outgoing).await?;
        self.stream.flush().await?;
        self.outgoing.clear();

        let mut answer = Answer {
            rows: Vec::new(),
            further: 0,
        };
        let mut refusal = None;
        let mut run = 0;
        loop {
            let Some(message) = self.next_message()? else {
                self.incoming.reserve(BUFFER);
                if self.stream.read_buf(&mut self.incoming).await? == 0 {
                    // An error before the end, such as a shutdown, tells more than the end itself.
                    return Err(match refusal {
                        Some(refusal) => Error::Refused(Box::new(refusal)),
                        None => Error::Lost(io::ErrorKind::UnexpectedEof.into()),
                    });
                }
                continue;
            };
            match message {
                Message::DataRow(body) => match &flight.wanted {
                    Some((wanted, statement)) if *wanted == run => {
                        answer.rows.push(Row::new(Arc::clone(statement), body));
                    }
                    Some((wanted, _)) if run < *wanted => {}
                    _ => answer.further += 1,
                },
                Message::BindComplete => run += 1,
                Message::ParseComplete => {
                    if let Some((sql, statement)) = flight.preparing.pop_front() {
                        self.statements.insert(sql, statement);
                    }
                }
                Message::ParameterDescription(body) => {
                    if let Some(statement) = &mut flight.described {
                        statement.takes(&body)?;
                    }
                }
                Message::RowDescription(body) => {
                    if let Some(statement) = &mut flight.described {
                        statement.answers(&body)?;
                    } else if let Some((_, statement)) = &mut flight.wanted {
                        let mut described = Statement::named(String::new());
                        described.answers(&body)?;
                        *statement = Arc::new(described);
                    }
                }
                Message::ErrorResponse(body) => {
                    let said = Refusal {
                        is_before_last: run < flight.runs,
                        ..Refusal::of(&body)?
                    };
                    refusal.get_or_insert(said);
                }
                Message::ReadyForQuery(body) => {
                    self.condition = match body.status() {
                        b'I' => Condition::Idle,
                        _ => Condition::Within,
                    };
                    break;
                }
                Message::NoticeResponse(body) if run >= flight.runs && refusal.is_none() => {
                    refusal = Refusal::of_commit(&body)?;
                }
                Message::CommandComplete(_)
                | Message::NoticeResponse(_)
                | Message::EmptyQueryResponse
                | Message::NoData
                | Message::CloseComplete
                | Message::ParameterStatus(_)
                | Message::NotificationResponse(_) => {}
                _ => {
                    return Err(Error::unexpected("it sent an unexpected message"));
                }
            }
        }
        for buffer in [&mut self.incoming, &mut self.outgoing] {
            if buffer.is_empty() && buffer.capacity() > MOST_KEPT {
                *buffer = BytesMut::with_capacity(BUFFER);
            }
        }
        match refusal {
            Some(refusal) => {
                if is_about_prepared(&refusal.code) {
                    self.condition = Condition::Flying;
                }
                Err(Error::Refused(Box::new(refusal)))
            }
            None => Ok(Landed {
                described: flight.described,
                answer,
            }),
        }
    }

    fn next_message(&mut self) -> io::Result<Option<Message>> {
        Message::parse(&mut self.incoming)
    }
}

/// Whether PostgreSQL no longer has a statement that this session has prepared, or its result columns have
/// changed. A new session prepares it again.
fn is_about_prepared(code: &SqlState) -> bool {
    [
        SqlState::INVALID_SQL_STATEMENT_NAME,
        SqlState::FEATURE_NOT_SUPPORTED,
    ]
    .contains(code)
}
