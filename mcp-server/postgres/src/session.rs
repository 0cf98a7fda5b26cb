//! A session: statements that are prepared once, and flights of them.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::BytesMut;
use futures::FutureExt;
use postgres_protocol::message::backend::Message;
use postgres_protocol::message::frontend;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_postgres::Config;
use tokio_postgres::config::TargetSessionAttrs;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::address::{Address, Stream, addresses, no_host};
use crate::cancel::Cancel;
use crate::error::{Error, Refusal};
use crate::login::{Encryption, log_in};
use crate::row::Row;
use crate::statement::Statement;

/// The most statements that a session keeps prepared.
const MOST_STATEMENTS: usize = 500;

/// What the buffers begin with, in bytes: a page of twenty guests.
const BUFFER: usize = 16 * 1024;

/// What a buffer may have grown to, in bytes, to be kept for the next flight.
const MOST_KEPT: usize = 256 * 1024;

/// How long after each request to stop a session that was given up is asked again, in ms.
const ASKED_AGAIN: [u64; 6] = [50, 100, 200, 400, 800, 1600];

/// The parameters of a statement.
pub type Params<'a> = &'a [&'a (dyn ToSql + Sync)];

/// A statement whose rows nobody reads, and that PostgreSQL need not describe: what its parameters are
/// is known. It is prepared in the flight that first needs it.
#[derive(Debug, Clone, Copy)]
pub struct Command<'a> {
    /// The statement.
    pub sql: &'a str,
    /// What it takes.
    pub types: &'a [Type],
    /// What it is given, as many as `types`.
    pub params: Params<'a>,
}

impl Command<'_> {
    /// A statement that takes nothing.
    pub const fn plain(sql: &str) -> Command<'_> {
        Command {
            sql,
            types: &[],
            params: &[],
        }
    }
}

/// A session of PostgreSQL. Dropped, it is closed; PostgreSQL rolls back what it was at.
pub struct Session {
    stream: Stream,
    incoming: BytesMut,
    outgoing: BytesMut,
    statements: HashMap<String, Arc<Statement>>,
    /// How many statements were prepared, for the name of the next.
    prepared: u64,
    condition: Condition,
    cancel: Option<Cancel>,
}

/// Where a session is between two flights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Condition {
    /// Outside a transaction.
    Idle,
    /// In a transaction, which may have failed.
    Within,
    /// In a flight. It is left so, and of no use any more, by a flight that nobody waited for to the end, by
    /// a lost connection, and by [`Session::close`].
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

/// A flight while it is put together, and what is to come back.
#[derive(Default)]
struct Flight {
    /// Statements that are prepared on the way, in their order.
    preparing: VecDeque<(String, Arc<Statement>)>,
    /// The statement that PostgreSQL is asked to describe.
    described: Option<Statement>,
    /// How many statements are run.
    runs: usize,
    /// The one whose rows are wanted, counted from 1.
    wanted: Option<(usize, Arc<Statement>)>,
}

/// What came back.
struct Landed {
    described: Option<Statement>,
    rows: Vec<Row>,
}

impl Session {
    /// Opens a session on the first of the hosts that takes us.
    ///
    /// # Errors
    /// [`Error`] of the last host that was tried.
    pub async fn connect(config: &Arc<Config>, tls: &MakeRustlsConnect) -> Result<Session, Error> {
        let mut last = no_host();
        for address in addresses(config).await? {
            match Session::at(&address, config, tls).await {
                Ok(session) => return Ok(session),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    async fn at(
        address: &Address,
        config: &Arc<Config>,
        tls: &MakeRustlsConnect,
    ) -> Result<Session, Error> {
        let stream = address.dial(config).await?;
        let (stream, token) = log_in(stream, config, Encryption::to(address, tls)).await?;
        let mut session = Session::over_logged_in(stream);
        session.cancel = Some(Cancel {
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

    /// Opens a session over a stream that has nothing to be encrypted from, and whose statements nobody
    /// can cancel.
    ///
    /// # Errors
    /// [`Error::Connect`] where the database refuses.
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
            condition: Condition::Idle,
            cancel: None,
        }
    }

    /// Whether this server writes, or only reads, as the address wants it.
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
                "it is not one of those that target_session_attrs asks for",
            ))),
        }
    }

    /// Gives the session up in the middle of something. This is what remains to be waited for then, so that
    /// PostgreSQL does not go on with what nobody wants any more; nothing, where it is at nothing or cannot
    /// be asked to stop.
    pub fn abandon(mut self) -> Option<impl Future<Output = ()> + Send + 'static> {
        let is_flying = self.condition == Condition::Flying;
        let cancel = self.cancel.take().filter(|_| is_flying)?;
        Some(async move {
            // Who is asked before it has begun with the statement forgets it.
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

    /// Until the flight that nobody waited for is over, or the connection is.
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

    /// Whether it is outside a transaction, with every answer read.
    pub fn is_idle(&self) -> bool {
        self.condition == Condition::Idle
    }

    /// Whether it is in a transaction, which may have failed.
    pub fn is_within(&self) -> bool {
        self.condition == Condition::Within
    }

    /// Ends the session and leaves nothing of it but the object, which is of no use any more.
    pub fn close(&mut self) {
        self.take_leave();
        self.condition = Condition::Flying;
        self.stream = Box::new(tokio::io::empty());
    }

    /// Tells an idle server that this is the end: a courtesy to its log, as far as it goes without
    /// waiting.
    fn take_leave(&mut self) {
        if self.condition == Condition::Idle {
            self.outgoing.clear();
            frontend::terminate(&mut self.outgoing);
            let _ = self.stream.write_all(&self.outgoing).now_or_never();
        }
    }

    /// Whether the connection is known to be of no use any more. Nothing is sent, and nothing waited for.
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

    /// Runs statements that take nothing and whose rows nobody reads, separated by semicolons, without
    /// keeping any of them prepared: settings, say.
    ///
    /// # Errors
    /// [`Error`]; those after the one that fails are not run.
    pub async fn batch(&mut self, sql: &str) -> Result<(), Error> {
        self.begin()?;
        frontend::query(sql, &mut self.outgoing)?;
        self.fly(Flight::default()).await.map(drop)
    }

    /// Runs commands in one flight.
    ///
    /// # Errors
    /// [`Error`]; those after the one that fails are not run.
    pub async fn run(&mut self, commands: &[Command<'_>]) -> Result<(), Error> {
        self.begin()?;
        let mut flight = Flight::default();
        for command in commands {
            self.add_command(&mut flight, command)?;
        }
        self.finish_and_fly(flight).await.map(drop)
    }

    /// Runs a statement between commands, all in one flight, and returns its rows. Where this session has
    /// not prepared the statement yet, it takes two: one up to its description, and one that runs it.
    ///
    /// # Errors
    /// [`Error`]; what comes after whatever fails is not run.
    pub async fn query(
        &mut self,
        before: &[Command<'_>],
        sql: &str,
        params: Params<'_>,
        after: &[Command<'_>],
    ) -> Result<Vec<Row>, Error> {
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
        self.add(&mut flight, &statement, params)?;
        flight.wanted = Some((flight.runs, statement));
        for command in after {
            self.add_command(&mut flight, command)?;
        }
        Ok(self.finish_and_fly(flight).await?.rows)
    }

    /// Ends the flight with the description of a statement.
    async fn prepare(&mut self, mut flight: Flight, sql: &str) -> Result<Arc<Statement>, Error> {
        // Some tools have a statement for every set of fields that somebody sends: too many to keep them
        // all for ever. Whoever needs one of those that go prepares it once more.
        if self.statements.len() >= MOST_STATEMENTS {
            for (_, statement) in self.statements.drain() {
                frontend::close(b'S', &statement.name, &mut self.outgoing)?;
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
        self.prepared += 1;
        format!("s{}", self.prepared)
    }

    /// Before anything is put into a flight.
    fn begin(&mut self) -> Result<(), Error> {
        if self.condition == Condition::Flying {
            return Err(Error::closed());
        }
        self.outgoing.clear();
        Ok(())
    }

    fn add_command(&mut self, flight: &mut Flight, command: &Command<'_>) -> Result<(), Error> {
        let known = self.statements.get(command.sql);
        let statement = match known {
            Some(statement) => Arc::clone(statement),
            None => {
                let statement = Arc::new(Statement {
                    parameters: command.types.to_vec(),
                    ..Statement::named(self.next_name())
                });
                let types = command.types.iter().map(Type::oid);
                frontend::parse(&statement.name, command.sql, types, &mut self.outgoing)?;
                flight
                    .preparing
                    .push_back((command.sql.to_owned(), Arc::clone(&statement)));
                statement
            }
        };
        self.add(flight, &statement, command.params)
    }

    /// Bind and Execute.
    fn add(
        &mut self,
        flight: &mut Flight,
        statement: &Statement,
        params: Params<'_>,
    ) -> Result<(), Error> {
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
            Ok(()) => {}
            Err(frontend::BindError::Conversion(cause)) => {
                return Err(Error::Parameter { number, cause });
            }
            Err(frontend::BindError::Serialization(error)) => return Err(error.into()),
        }
        frontend::execute("", 0, &mut self.outgoing)?;
        flight.runs += 1;
        Ok(())
    }

    async fn finish_and_fly(&mut self, flight: Flight) -> Result<Landed, Error> {
        frontend::sync(&mut self.outgoing);
        self.fly(flight).await
    }

    /// Sends what was put together and reads what comes back, to the end.
    async fn fly(&mut self, mut flight: Flight) -> Result<Landed, Error> {
        self.condition = Condition::Flying;
        self.stream.write_all(&self.outgoing).await?;
        self.stream.flush().await?;
        self.outgoing.clear();

        let mut rows = Vec::new();
        let mut refusal = None;
        let mut run = 0;
        loop {
            let Some(message) = self.next_message()? else {
                self.incoming.reserve(BUFFER);
                if self.stream.read_buf(&mut self.incoming).await? == 0 {
                    // What it was told before the end, being shut down for one, says more.
                    return Err(match refusal {
                        Some(refusal) => Error::Refused(Box::new(refusal)),
                        None => Error::Lost(io::ErrorKind::UnexpectedEof.into()),
                    });
                }
                continue;
            };
            match message {
                Message::DataRow(body) => {
                    if let Some((_, statement)) =
                        flight.wanted.as_ref().filter(|(wanted, _)| *wanted == run)
                    {
                        rows.push(Row::new(Arc::clone(statement), body));
                    }
                }
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
                    }
                }
                Message::ErrorResponse(body) => {
                    let said = Refusal::of(&body)?;
                    refusal.get_or_insert(said);
                }
                Message::ReadyForQuery(body) => {
                    self.condition = match body.status() {
                        b'I' => Condition::Idle,
                        _ => Condition::Within,
                    };
                    break;
                }
                Message::CommandComplete(_)
                | Message::EmptyQueryResponse
                | Message::NoData
                | Message::CloseComplete
                | Message::NoticeResponse(_)
                | Message::ParameterStatus(_)
                | Message::NotificationResponse(_) => {}
                _ => {
                    return Err(Error::unexpected(
                        "it said something that was not asked for",
                    ));
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
                rows,
            }),
        }
    }

    fn next_message(&mut self) -> io::Result<Option<Message>> {
        Message::parse(&mut self.incoming)
    }
}

/// Whether PostgreSQL no longer has what this session has prepared, or has it otherwise: somebody has
/// discarded it, or has changed what the statement answers. Another session prepares it anew.
fn is_about_prepared(code: &SqlState) -> bool {
    [
        SqlState::INVALID_SQL_STATEMENT_NAME,
        SqlState::FEATURE_NOT_SUPPORTED,
    ]
    .contains(code)
}
