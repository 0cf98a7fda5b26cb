//! A server in a process: JSON-RPC over stdin and stdout, one message per line.
//!
//! Threads read and write the pipes, which works on every platform. On Unix the process has its own
//! group, so programs started by a launcher such as `npx` end with it.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use frontdesk_protocol::exact;
use rmcp::RoleClient;
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, ErrorData, JsonRpcMessage, RequestId, ServerJsonRpcMessage,
};
use rmcp::transport::Transport;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout_at};

use super::lines::{self, Output};
use crate::answers::Answers;
use crate::config::servers::{CommandServer, Era};
use crate::failure::LARGEST_ANSWER;
use crate::running::Running;
use crate::trace::Tap;

/// Number of lines that are not messages, kept for errors.
const LAST_WORDS: usize = 8;
/// Maximum length of such a line in bytes.
const LONGEST_WORD: usize = 400;
/// The time for the server to end after its stdin is closed.
const TO_END: Duration = Duration::from_secs(2);
/// The time for the server to end after it was asked to.
const TO_OBEY: Duration = Duration::from_secs(1);
/// The time for an answer to `server/discover`; older servers can ignore it.
const TO_DISCOVER: Duration = Duration::from_secs(3);
/// Maximum number of queued messages in each direction.
const QUEUE: usize = 32;

/// A message to send, and the channel that reports when it is written.
type Outgoing = (Vec<u8>, oneshot::Sender<io::Result<()>>);

/// The last output of a process that is not a message, and its end.
#[derive(Debug, Clone, Default)]
pub(super) struct Fate {
    words: Arc<Mutex<VecDeque<String>>>,
    /// Those of stdout.
    strays: Arc<Mutex<VecDeque<String>>>,
    /// How processes ended before the one that opened the session.
    before: Arc<Mutex<Vec<String>>>,
    /// Whether `server/discover` was not answered.
    is_deaf: Arc<AtomicBool>,
    end: Arc<Mutex<Option<String>>>,
}

impl Fate {
    /// Forgets an earlier process.
    pub(super) fn begin(&self) {
        for lines in [&self.words, &self.strays] {
            (lines.lock().unwrap_or_else(PoisonError::into_inner)).clear();
        }
        (self.before.lock().unwrap_or_else(PoisonError::into_inner)).clear();
        *self.end.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.is_deaf.store(false, Ordering::Relaxed);
    }

    /// Whether the process did not answer `server/discover`.
    pub(super) fn is_deaf(&self) -> bool {
        self.is_deaf.load(Ordering::Relaxed)
    }

    /// Notes that the program is started again, after this end.
    fn again(&self) {
        let end = self
            .end
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        let mut before = self.before.lock().unwrap_or_else(PoisonError::into_inner);
        before.extend(end);
    }

    /// How processes ended before the one that opened the session.
    pub(super) fn before(&self) -> Vec<String> {
        (self.before.lock().unwrap_or_else(PoisonError::into_inner)).clone()
    }

    fn hear(&self, line: &[u8]) {
        Self::keep(&self.words, line);
    }

    /// Keeps a line of stdout that is no message.
    fn stray(&self, line: &[u8]) {
        Self::keep(&self.words, line);
        Self::keep(&self.strays, line);
    }

    fn keep(lines: &Mutex<VecDeque<String>>, line: &[u8]) {
        let line = line.get(..LONGEST_WORD).unwrap_or(line);
        let line = String::from_utf8_lossy(line).trim().to_owned();
        // Node.js writes many of them below the line that says what is wrong, and where.
        let is_of_node = line.starts_with("at ") && line.contains("(node:internal/");
        if line.is_empty() || is_of_node {
            return;
        }
        let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == LAST_WORDS {
            lines.pop_front();
        }
        lines.push_back(line);
    }

    /// The last lines of stdout that are no messages.
    pub(super) fn strays(&self) -> Vec<String> {
        let strays = self.strays.lock().unwrap_or_else(PoisonError::into_inner);
        strays.iter().cloned().collect()
    }

    fn ended(&self, status: Option<ExitStatus>) {
        let ended = match status {
            Some(status) => format!("it ended ({status})"),
            None => "it closed its stdout".to_owned(),
        };
        *self.end.lock().unwrap_or_else(PoisonError::into_inner) = Some(ended);
    }

    /// How it ended, for people: exit status and last output. `None` if it has not.
    pub(super) fn tell(&self) -> Option<String> {
        let end = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        end.clone().map(|ended| self.with_words(ended))
    }

    /// A description of a process without a message so far.
    pub(super) fn silence(&self) -> String {
        self.with_words("it has not written an MCP message to its stdout".to_owned())
    }

    /// The last output.
    pub(super) fn words(&self) -> Vec<String> {
        let words = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        words.iter().cloned().collect()
    }

    fn with_words(&self, text: String) -> String {
        let words = self.words();
        match words.is_empty() {
            true => text,
            false => format!("{text} and said: {}", words.join(" / ")),
        }
    }
}

/// A running process, used as a transport.
#[derive(Debug)]
pub(super) struct Process {
    child: Running,
    fate: Fate,
    answers: Answers,
    outgoing: Option<mpsc::Sender<Outgoing>>,
    incoming: mpsc::Receiver<ServerJsonRpcMessage>,
    /// Whether a handshake follows a discovery that is ignored.
    can_shake: bool,
    /// The discovery that is not answered yet, and its end.
    discovery: Option<(RequestId, Instant)>,
    /// Resolves when stderr closes.
    silence: oneshot::Receiver<()>,
    /// Resolves when the process ends, if that can be watched.
    exit: Option<oneshot::Receiver<()>>,
    has_ended: bool,
    /// How it ended.
    status: Option<ExitStatus>,
}

impl Process {
    /// Starts the program.
    ///
    /// # Errors
    /// The program cannot be started.
    pub(super) fn start(server: &CommandServer, fate: Fate, answers: Answers) -> io::Result<Self> {
        let mut command = Command::new(server.program());
        command
            .args(server.command.iter().skip(1))
            .envs(
                server
                    .env
                    .iter()
                    .map(|(name, value)| (name, value.expose())),
            )
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(cwd) = &server.cwd {
            command.current_dir(cwd);
        }
        fate.again();
        let mut child = Running::start(&mut command)?;
        let pipes = child.pipes();
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(io::Error::other("it has no pipes"));
        };
        let (outgoing, to_write) = mpsc::channel(QUEUE);
        let (read, incoming) = mpsc::channel(QUEUE);
        std::thread::Builder::new().spawn(move || write_all(stdin, to_write))?;
        let (written, lines) = sync_channel(QUEUE);
        let (heard, too_large, words) = (answers.clone(), read.clone(), fate.clone());
        std::thread::Builder::new()
            .spawn(move || read_all(stdout, &written, &heard, &too_large, &words))?;
        let (heard, words) = (answers.clone(), fate.clone());
        std::thread::Builder::new().spawn(move || hear_all(&lines, &heard, &read, &words))?;
        let (speaking, silence) = oneshot::channel();
        let (words, tap) = (fate.clone(), answers.tap.clone());
        std::thread::Builder::new().spawn(move || {
            listen(stderr, &words, &tap);
            drop(speaking);
        })?;
        let exit = child.exited()?;
        Ok(Process {
            child,
            fate,
            answers,
            outgoing: Some(outgoing),
            incoming,
            can_shake: server.era == Era::Auto,
            discovery: None,
            silence,
            exit,
            has_ended: false,
            status: None,
        })
    }

    /// The next message. If the process ends, programs that it started are ended with it: they can hold
    /// its stdout, but do not answer.
    async fn next(&mut self) -> Option<ServerJsonRpcMessage> {
        match &mut self.exit {
            None => return self.incoming.recv().await,
            Some(exit) if !self.has_ended => tokio::select! {
                biased;
                message = self.incoming.recv() => return message,
                _ = exit => self.has_ended = true,
            },
            Some(_) => {}
        }
        if self.status.is_none() {
            self.status = self.child.wait_within(TO_OBEY).await;
        }
        let rest = tokio::time::timeout(TO_OBEY, self.incoming.recv());
        rest.await.ok().flatten()
    }
}

impl Transport<RoleClient> for Process {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ClientJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let (outgoing, tap) = (self.outgoing.clone(), self.answers.tap.clone());
        self.answers.ask(&message);
        self.discovery = match &message {
            JsonRpcMessage::Request(request) => match request.request {
                ClientRequest::DiscoverRequest(_) if self.can_shake => {
                    Some((request.id.clone(), Instant::now() + TO_DISCOVER))
                }
                _ => None,
            },
            _ => None,
        };
        async move {
            let gone = || io::Error::new(io::ErrorKind::BrokenPipe, "it reads no more");
            let mut line = exact::to_vec(&message)?;
            tap.sent(&line);
            line.push(b'\n');
            let (written, outcome) = oneshot::channel();
            outgoing
                .ok_or_else(gone)?
                .send((line, written))
                .await
                .map_err(|_| gone())?;
            match outcome.await.map_err(|_| gone())? {
                // The process is ending; the next receive reports the reason.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
                outcome => outcome,
            }
        }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        let message = match self.discovery.clone() {
            None => self.next().await,
            Some((id, end)) => match timeout_at(end, self.next()).await {
                Ok(message) => {
                    self.discovery = None;
                    message
                }
                Err(_) => {
                    // It is answered for the server, so the handshake follows.
                    self.discovery = None;
                    self.fate.is_deaf.store(true, Ordering::Relaxed);
                    self.answers.forget(&id);
                    let error = ErrorData::invalid_request("it was ignored", None);
                    return Some(ServerJsonRpcMessage::error(error, Some(id)));
                }
            },
        };
        if message.is_none() {
            if self.status.is_none() {
                self.status = self.child.wait_within(TO_OBEY).await;
            }
            if self.status.is_some() {
                // Wait for the rest of stderr.
                let _ = tokio::time::timeout(TO_OBEY, &mut self.silence).await;
            }
            self.fate.ended(self.status);
        }
        message
    }

    /// Closes stdin; if the process does not end, asks it to, then kills it.
    async fn close(&mut self) -> io::Result<()> {
        self.outgoing = None;
        if self.child.wait_within(TO_END).await.is_none() {
            self.child.ask();
            self.child.wait_within(TO_OBEY).await;
        }
        self.child.end();
        Ok(())
    }
}

/// Writes until the queue closes, then closes stdin.
fn write_all(mut stdin: ChildStdin, mut lines: mpsc::Receiver<Outgoing>) {
    while let Some((line, written)) = lines.blocking_recv() {
        let outcome = stdin.write_all(&line).and_then(|()| stdin.flush());
        // The receiver can be gone.
        let _ = written.send(outcome);
    }
}

/// Reads lines until stdout closes. One that is too large is an answer that cannot be read.
fn read_all(
    stdout: ChildStdout,
    lines: &SyncSender<Vec<u8>>,
    answers: &Answers,
    messages: &mpsc::Sender<ServerJsonRpcMessage>,
    fate: &Fate,
) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let limit = LARGEST_ANSWER as u64 + 1;
        match (&mut stdout).take(limit).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(read) if read > LARGEST_ANSWER => {
                let most = LARGEST_ANSWER / 1024 / 1024;
                fate.hear(format!("(a line of more than {most} MiB)").as_bytes());
                line.truncate(LONGEST_WORD);
                let answer = answers.too_large(&line, None);
                let is_read = answer.is_none_or(|answer| messages.blocking_send(answer).is_ok());
                // The rest of the line would be parsed as messages.
                if !is_read || stdout.skip_until(b'\n').is_err() {
                    return;
                }
            }
            Ok(_) => {
                if lines.send(line).is_err() {
                    return;
                }
            }
        }
    }
}

/// Passes messages on. Other lines are kept for error messages: some programs print a greeting, or
/// their usage. They are not logged, because they can contain names.
fn hear_all(
    lines: &Receiver<Vec<u8>>,
    answers: &Answers,
    messages: &mpsc::Sender<ServerJsonRpcMessage>,
    fate: &Fate,
) {
    lines::read(lines, answers, |output| match output {
        Output::Message(message) => messages.blocking_send(*message).is_ok(),
        Output::Words(words) => {
            tracing::debug!(bytes = words.len(), "a line that is not a message");
            fate.stray(&words);
            true
        }
    });
}

/// Keeps the last lines of stderr.
fn listen(stderr: ChildStderr, fate: &Fate, tap: &Tap) {
    let mut stderr = BufReader::new(stderr);
    loop {
        let mut line = Vec::new();
        match (&mut stderr)
            .take(LONGEST_WORD as u64)
            .read_until(b'\n', &mut line)
        {
            Ok(0) | Err(_) => return,
            Ok(_) => {
                tap.line(&line);
                fate.hear(&line);
            }
        }
    }
}
