//! Signals of the system, and suspending this process.

use std::io;

/// A signal of the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    /// End the app.
    Terminate,
    /// End the app, from the keyboard; while another program has the terminal, it is meant for
    /// that.
    Interrupt,
    /// Continue after a stop.
    Continue,
    /// The terminal has another size.
    Resized,
}

#[cfg(unix)]
mod system {
    use std::io;

    use rustix::process::{Signal as Raw, getpid, kill_current_process_group, kill_process};
    use tokio::signal::unix::{Signal as Stream, SignalKind, signal};

    use super::Signal;

    /// Signals of the system.
    pub(crate) struct Signals {
        interrupt: Stream,
        terminate: Stream,
        hang_up: Stream,
        go_on: Stream,
        resized: Stream,
    }

    impl Signals {
        pub(crate) fn listen() -> io::Result<Self> {
            Ok(Signals {
                interrupt: signal(SignalKind::interrupt())?,
                terminate: signal(SignalKind::terminate())?,
                hang_up: signal(SignalKind::hangup())?,
                go_on: signal(SignalKind::from_raw(Raw::CONT.as_raw()))?,
                resized: signal(SignalKind::window_change())?,
            })
        }

        /// Requests to end take precedence.
        pub(crate) async fn next(&mut self) -> Signal {
            let ended = tokio::select! {
                biased;
                _ = self.interrupt.recv() => Signal::Interrupt,
                _ = self.terminate.recv() => Signal::Terminate,
                _ = self.hang_up.recv() => Signal::Terminate,
                _ = self.go_on.recv() => Signal::Continue,
                _ = self.resized.recv() => Signal::Resized,
            };
            ended
        }

        pub(crate) fn mark(&self) -> io::Result<bool> {
            kill_process(getpid(), Raw::CONT)?;
            Ok(true)
        }
    }

    pub(crate) fn stop_ourselves() -> io::Result<()> {
        // The whole group, like ctrl-z: `cargo run` stops too.
        kill_current_process_group(Raw::TSTP).map_err(io::Error::from)
    }
}

#[cfg(not(unix))]
mod system {
    use std::io;

    use super::Signal;

    /// Signals of the system: only ctrl-c, which arrives as a key here.
    pub(crate) struct Signals;

    impl Signals {
        pub(crate) fn listen() -> io::Result<Self> {
            Ok(Signals)
        }

        pub(crate) async fn next(&mut self) -> Signal {
            std::future::pending().await
        }

        pub(crate) fn mark(&self) -> io::Result<bool> {
            Ok(false)
        }
    }

    pub(crate) fn stop_ourselves() -> io::Result<()> {
        Ok(())
    }
}

/// Signals of the system, as a stream.
pub(crate) struct Signals(system::Signals);

impl Signals {
    /// Starts listening. Must be called within a tokio runtime.
    pub(crate) fn listen() -> io::Result<Self> {
        system::Signals::listen().map(Signals)
    }

    /// The next signal. Cancel-safe.
    pub(crate) async fn next(&mut self) -> Signal {
        self.0.next().await
    }

    /// Drains earlier signals. Returns whether one requested the end; ctrl-c from the keyboard was
    /// meant for another program.
    pub(crate) async fn catch_up(&mut self) -> io::Result<bool> {
        let mut is_over = false;
        // Simultaneous signals can arrive in any order: everything sent before the first mark has
        // arrived by the second.
        for _ in 0..2 {
            if !self.0.mark()? {
                break;
            }
            loop {
                match self.next().await {
                    Signal::Continue => break,
                    Signal::Terminate => is_over = true,
                    Signal::Interrupt | Signal::Resized => {}
                }
            }
        }
        Ok(is_over)
    }
}

/// Stops this process like ctrl-z in the shell, and returns when it continues. Does nothing on
/// other platforms.
pub(crate) fn stop_ourselves() -> io::Result<()> {
    system::stop_ourselves()
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used)]
mod tests {
    use futures::FutureExt;
    use rustix::process::{Signal as Raw, getpid, kill_process};

    use super::*;

    #[tokio::test]
    async fn nothing_is_left_of_what_was_for_somebody_else() {
        let mut signals = Signals::listen().unwrap();
        // Another thread can be in the middle of taking the signal: it has arrived once somebody has it.
        let mut witness = Signals::listen().unwrap();
        for (sent, is_over) in [(Raw::INT, false), (Raw::TERM, true), (Raw::HUP, true)] {
            kill_process(getpid(), sent).unwrap();
            let arrives = match is_over {
                true => Signal::Terminate,
                false => Signal::Interrupt,
            };
            while witness.next().await != arrives {}
            assert_eq!(signals.catch_up().await.unwrap(), is_over, "{sent:?}");
            assert_eq!(signals.next().now_or_never(), None, "{sent:?}");
        }
    }
}
