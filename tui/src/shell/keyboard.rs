//! What the user types, pastes and clicks, from the terminal.

#[cfg(unix)]
mod parser;
#[cfg(unix)]
mod rhythm;

#[cfg(unix)]
mod system {
    use std::io::{self, Read, Write};
    use std::os::fd::AsFd;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread::JoinHandle;
    use std::time::{Duration, Instant};

    use filedescriptor::{AsRawFileDescriptor, FileDescriptor, POLLIN, Pipe, poll, pollfd};
    use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

    use super::parser::Parser;
    use super::rhythm::Measure;
    use crate::app::mouse;
    use crate::app::msg::What;

    /// The time after which an unfinished sequence is dropped.
    const UNFINISHED: Duration = Duration::from_millis(100);

    /// The keyboard, read by a thread until this is dropped.
    pub(crate) struct Keyboard {
        inputs: UnboundedReceiver<io::Result<What>>,
        letters_wait: Arc<AtomicBool>,
        stop: FileDescriptor,
        thread: Option<JoinHandle<()>>,
    }

    impl Keyboard {
        /// `esc` is the time after which Esc is the key, and no sequence begins with it.
        pub(crate) fn open(esc: Duration) -> io::Result<Keyboard> {
            let terminal = io::stdin().as_fd().try_clone_to_owned()?;
            let pipe = Pipe::new().map_err(io::Error::other)?;
            let (sender, inputs) = unbounded_channel();
            let letters_wait = Arc::new(AtomicBool::new(true));
            let reader = Reader {
                letters_wait: letters_wait.clone(),
                terminal: FileDescriptor::new(terminal),
                stopped: pipe.read,
                sender,
                esc,
            };
            let thread = std::thread::Builder::new()
                .name("keyboard".to_owned())
                .spawn(move || reader.run())?;
            Ok(Keyboard {
                inputs,
                letters_wait,
                stop: pipe.write,
                thread: Some(thread),
            })
        }

        /// Sets whether letters and digits wait until it is known whether they begin a code.
        pub(crate) fn set_letters_wait(&self, letters_wait: bool) {
            self.letters_wait.store(letters_wait, Ordering::Relaxed);
        }

        /// The next input; `None` once the terminal is closed. Cancel-safe.
        pub(crate) async fn next(&mut self) -> Option<io::Result<What>> {
            self.inputs.recv().await
        }

        /// The next input, if there is one.
        pub(crate) fn try_next(&mut self) -> Option<io::Result<What>> {
            self.inputs.try_recv().ok()
        }
    }

    impl Drop for Keyboard {
        fn drop(&mut self) {
            // The thread must not read what is meant for the next program.
            let _ = self.stop.write_all(b".");
            if let Some(thread) = self.thread.take() {
                let _ = thread.join();
            }
        }
    }

    struct Reader {
        letters_wait: Arc<AtomicBool>,
        terminal: FileDescriptor,
        stopped: FileDescriptor,
        sender: UnboundedSender<io::Result<What>>,
        esc: Duration,
    }

    impl Reader {
        fn run(mut self) {
            if let Err(error) = self.read() {
                let _ = self.sender.send(Err(error));
            }
        }

        fn read(&mut self) -> io::Result<()> {
            let mut parser = Parser::default();
            let mut measure = Measure::default();
            let mut bytes = [0; 4096];
            loop {
                let now = Instant::now();
                let limit = match (parser.is_waiting(), parser.is_esc()) {
                    (true, true) => Some(self.esc),
                    (true, false) => Some(UNFINISHED),
                    (false, _) => measure.left(now),
                };
                let wanted = |fd| pollfd {
                    fd,
                    events: POLLIN,
                    revents: 0,
                };
                let mut ready = [
                    wanted(self.terminal.as_raw_file_descriptor()),
                    wanted(self.stopped.as_raw_file_descriptor()),
                ];
                match poll(&mut ready, limit) {
                    Ok(_) => {}
                    // A signal came.
                    Err(filedescriptor::Error::Poll(error))
                        if error.kind() == io::ErrorKind::Interrupted =>
                    {
                        continue;
                    }
                    Err(error) => return Err(io::Error::other(error)),
                }
                if ready[1].revents != 0 {
                    return Ok(());
                }
                let inputs = match ready[0].revents {
                    0 => parser.end(),
                    _ => match self.terminal.read(&mut bytes) {
                        Ok(0) => return Ok(()),
                        Ok(length) => parser.feed(&bytes[..length]),
                        Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                        Err(error) => return Err(error),
                    },
                };
                if let Some(color) = parser.take_background() {
                    self.send(What::Background(color));
                }
                let now = Instant::now();
                measure.letters_wait = self.letters_wait.load(Ordering::Relaxed);
                for what in inputs.into_iter().flat_map(|input| measure.add(input, now)) {
                    self.send(what);
                }
                if let Some(what) = measure.due(now) {
                    self.send(what);
                }
            }
        }

        fn send(&self, what: What) {
            let is_wanted = match &what {
                What::Mouse(event) => mouse::is_handled(event.kind),
                _ => true,
            };
            if is_wanted {
                let _ = self.sender.send(Ok(what));
            }
        }
    }
}

#[cfg(not(unix))]
mod system {
    use std::io;
    use std::time::Duration;

    use crossterm::event::{self, Event, EventStream};
    use futures::StreamExt;
    use ratatui::layout::Size;

    use crate::app::mouse;
    use crate::app::msg::What;

    /// The keyboard. The console reports keys, not bytes.
    pub(crate) struct Keyboard(EventStream);

    impl Keyboard {
        pub(crate) fn open(_: Duration) -> io::Result<Keyboard> {
            Ok(Keyboard(EventStream::new()))
        }

        /// The console reports no rhythm.
        pub(crate) fn set_letters_wait(&self, _: bool) {}

        pub(crate) async fn next(&mut self) -> Option<io::Result<What>> {
            loop {
                match self.0.next().await?.map(what) {
                    Ok(None) => {}
                    Ok(Some(what)) => return Some(Ok(what)),
                    Err(error) => return Some(Err(error)),
                }
            }
        }

        pub(crate) fn try_next(&mut self) -> Option<io::Result<What>> {
            while matches!(event::poll(Duration::from_micros(50)), Ok(true)) {
                match event::read().map(what) {
                    Ok(None) => {}
                    Ok(Some(what)) => return Some(Ok(what)),
                    Err(error) => return Some(Err(error)),
                }
            }
            None
        }
    }

    fn what(event: Event) -> Option<What> {
        match event {
            Event::Key(key) => Some(What::Key(key, Default::default())),
            Event::Paste(text) => Some(What::Paste(text)),
            Event::Resize(columns, rows) => Some(What::Resize(Size::new(columns, rows))),
            Event::Mouse(event) if mouse::is_handled(event.kind) => Some(What::Mouse(event)),
            Event::Mouse(_) | Event::FocusGained | Event::FocusLost => None,
        }
    }
}

#[cfg(unix)]
pub use parser::fuzz;
pub(crate) use system::Keyboard;
