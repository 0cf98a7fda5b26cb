//! `frontdesk-server serve` as a separate process.

use std::io::{BufRead, BufReader, Lines};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use rustix::process::{Pid, Signal, kill_process};

use crate::program::server;

/// The command line of a server on this database, on a free port.
pub fn serve(database: &str) -> Command {
    server(&["serve", "--listen", "127.0.0.1:0", "--database", database])
}

/// A running server. Dropping it kills it.
#[derive(Debug)]
pub struct Process {
    child: Child,
    stdout: Lines<BufReader<ChildStdout>>,
    log: Receiver<String>,
    /// The base address from its output.
    pub url: String,
}

impl Process {
    /// Starts a demo server on this database, without a rate limit, and waits until it listens.
    ///
    /// # Panics
    ///
    /// If it exits instead.
    pub fn demo(database: &str) -> Process {
        Process::start(serve(database).args(["--demo", "--rate-limit", "0"]))
    }

    /// Starts a server, and waits until it listens.
    ///
    /// # Panics
    ///
    /// If it exits instead.
    pub fn start(command: &mut Command) -> Process {
        Process::logging_to(command, Stdio::piped())
    }

    /// As [`Process::start`], with its log there. Only a pipe is read.
    ///
    /// # Panics
    /// As [`Process::start`].
    pub fn logging_to(command: &mut Command, log: Stdio) -> Process {
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .expect("it starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("stdout")).lines();
        let stderr = child.stderr.take();
        let (lines, log) = channel();
        // The log is always read: a program whose pipe is full would block.
        thread::spawn(move || {
            let stderr = stderr.map(|stderr| BufReader::new(stderr).lines());
            let mut stderr = stderr.into_iter().flatten().map_while(Result::ok);
            stderr.try_for_each(|line| lines.send(line))
        });
        let url = match stdout.next() {
            Some(line) => {
                let line = line.expect("text");
                let url = line.strip_prefix("listening on ").map(str::to_owned);
                url.unwrap_or_else(|| panic!("not where it listens: {line}"))
            }
            None => {
                let status = child.wait().expect("its end");
                let log: Vec<_> = log.iter().collect();
                panic!(
                    "it ended ({status}) before it listened:\n{}",
                    log.join("\n")
                );
            }
        };
        Process {
            child,
            stdout,
            log,
            url,
        }
    }

    /// SIGKILL: no handler runs, nothing is flushed.
    ///
    /// # Panics
    /// If it cannot be killed.
    pub fn kill(mut self) {
        self.child.kill().expect("it is killed");
        self.child.wait().expect("its end");
    }

    /// Sends a signal that the process can handle.
    ///
    /// # Panics
    ///
    /// If it cannot be sent.
    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("the signal is sent");
    }

    /// Waits for a line of the log.
    ///
    /// # Panics
    ///
    /// If the process ends without one.
    pub fn wait_for_log(&self, text: &str) {
        self.log_line(text);
    }

    /// Waits for a line of the log, and returns it.
    ///
    /// # Panics
    ///
    /// If the process ends without one.
    pub fn log_line(&self, text: &str) -> String {
        let mut before = Vec::new();
        for line in &self.log {
            if line.contains(text) {
                return line;
            }
            before.push(line);
        }
        panic!("it ended without logging {text:?}:\n{}", before.join("\n"));
    }

    /// Waits for the end of the process; returns its status and remaining output.
    ///
    /// # Panics
    ///
    /// If waiting fails.
    pub fn wait(mut self) -> (ExitStatus, Vec<String>) {
        let status = self.child.wait().expect("its end");
        let mut printed: Vec<String> = self.stdout.by_ref().map_while(Result::ok).collect();
        if !status.success() {
            printed.extend(self.log.iter());
        }
        (status, printed)
    }

    /// Asks the process to stop, waits, and returns its log.
    ///
    /// # Panics
    ///
    /// If it ends in any other way.
    pub fn stop(mut self) -> String {
        self.signal(Signal::TERM);
        let status = self.child.wait().expect("its end");
        let log: Vec<_> = self.log.iter().collect();
        let log = log.join("\n");
        assert_eq!(status.code(), Some(0), "{status}: {log}");
        log
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
