//! The system's figures about processes and itself, on Linux; elsewhere they are 0.

use std::collections::HashMap;
use std::fs::read_to_string;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::Duration;

/// The cores, and what else they had to do in the last minute.
pub(crate) fn describe() -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let load = read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or_default();
    format!("{cores} cores; load of the last minute: {load}")
}

/// Processor time of a process so far, all of its threads: to the nanosecond, where the times of
/// `/proc/PID/stat` count a tick of ten milliseconds for whoever is met at its end.
pub(crate) fn processor(pid: u32) -> Duration {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task"));
    let threads = threads.into_iter().flatten();
    let spent = threads.filter_map(|thread| {
        let schedstat = read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        schedstat.split(' ').next()?.parse::<u64>().ok()
    });
    Duration::from_nanos(spent.sum())
}

/// The processor time of a process's children while they are looked at, those that end meanwhile included.
#[derive(Debug)]
pub(crate) struct Children {
    stop: mpsc::Sender<()>,
    looking: JoinHandle<Duration>,
}

impl Children {
    /// How often they are looked at. What a child does after the last look is missed.
    const PAUSE: Duration = Duration::from_millis(20);

    /// Begins to look.
    pub(crate) fn of(pid: u32) -> Children {
        let (stop, stopped) = mpsc::channel();
        let mut seen: HashMap<u32, [Duration; 2]> = children(pid)
            .map(|(child, spent)| (child, [spent; 2]))
            .collect();
        let looking = std::thread::spawn(move || {
            loop {
                let is_over = stopped.recv_timeout(Self::PAUSE) != Err(RecvTimeoutError::Timeout);
                for (child, spent) in children(pid) {
                    seen.entry(child).or_default()[1] = spent;
                }
                if is_over {
                    break;
                }
            }
            seen.values()
                .map(|[from, to]| to.saturating_sub(*from))
                .sum()
        });
        Children { stop, looking }
    }

    /// What they took since.
    pub(crate) fn spent(self) -> Duration {
        drop(self.stop);
        self.looking.join().expect("it looks")
    }
}

fn children(pid: u32) -> impl Iterator<Item = (u32, Duration)> {
    let children = read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    let children: Vec<u32> = children
        .split_whitespace()
        .filter_map(|child| child.parse().ok())
        .collect();
    children.into_iter().map(|child| (child, processor(child)))
}

/// Resident memory of a process, in KiB.
pub(crate) fn memory(pid: u32) -> u64 {
    let status = read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number
        .and_then(|number| number.parse().ok())
        .unwrap_or_default()
}

/// Open files of a process, connections among them.
pub(crate) fn files(pid: u32) -> usize {
    std::fs::read_dir(format!("/proc/{pid}/fd")).map_or(0, Iterator::count)
}
