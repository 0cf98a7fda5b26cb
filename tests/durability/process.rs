//! `frontdesk-server` as a child process.

use std::io::{BufRead, BufReader, Lines};
use std::process::{Child, ChildStdout, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use frontdesk_tests::program::{Ended, server};
use rustix::process::{Pid, Signal, kill_process};

/// Runs the program to its end.
pub(crate) fn run(args: &[&str]) -> Ended {
    Ended::of(server(args).output().expect("it runs"))
}

/// A server that listens. It is killed when this is dropped.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    stdout: Lines<BufReader<ChildStdout>>,
    log: Receiver<String>,
    /// The base address that it printed.
    pub(crate) url: String,
}

impl Process {
    /// Starts a server for the demo over this database, and waits until it listens.
    pub(crate) fn serve(database: &str) -> Process {
        let mut child = server(&["serve", "--listen", "127.0.0.1:0", "--demo"])
            .args(["--rate-limit", "0", "--database", database])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("stdout")).lines();
        let stderr = BufReader::new(child.stderr.take().expect("stderr")).lines();
        let (lines, log) = channel();
        // Read all the time: a program whose log nobody reads would wait for its reader.
        thread::spawn(move || {
            stderr
                .map_while(Result::ok)
                .try_for_each(|line| lines.send(line))
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
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("it is killed");
        self.child.wait().expect("its end");
    }

    /// Sends a signal that it can handle.
    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("the signal is sent");
    }

    /// Waits for a line of the log.
    pub(crate) fn wait_for_log(&self, text: &str) {
        let mut before = Vec::new();
        for line in &self.log {
            if line.contains(text) {
                return;
            }
            before.push(line);
        }
        panic!("it ended without logging {text:?}:\n{}", before.join("\n"));
    }

    /// Waits for its end; what it printed meanwhile comes along.
    pub(crate) fn wait(mut self) -> (ExitStatus, Vec<String>) {
        let status = self.child.wait().expect("its end");
        let printed = self.stdout.by_ref().map_while(Result::ok).collect();
        (status, printed)
    }

    /// Asks it to stop, and waits until it has.
    pub(crate) fn stop(self) {
        self.signal(Signal::TERM);
        let (status, _) = self.wait();
        assert_eq!(status.code(), Some(0), "{status}");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
