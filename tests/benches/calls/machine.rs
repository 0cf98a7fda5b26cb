//! What the system says of processes and of itself. Linux alone says it here; elsewhere it is 0.

use std::fs::read_to_string;
use std::time::Duration;

/// Ticks a second of the times in `/proc`: the same on every Linux that Rust runs on.
const TICKS: u64 = 100;

/// The cores, and what else they had to do in the last minute.
pub(crate) fn describe() -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let load = read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or_default();
    format!("{cores} cores; load of the last minute: {load}")
}

/// Processor time of a process so far.
pub(crate) fn processor(pid: u32) -> Duration {
    let fields = stat(pid);
    let ticks = |at: usize| -> u64 {
        let field = fields.get(at).and_then(|field| field.parse().ok());
        field.unwrap_or_default()
    };
    // utime and stime, as the fields come after the name.
    Duration::from_millis((ticks(11) + ticks(12)) * 1000 / TICKS)
}

/// Processor time of a process and its children so far, those that have ended included.
pub(crate) fn processor_of_family(pid: u32) -> Duration {
    let ended: u64 = [13, 14]
        .iter()
        .filter_map(|&at| stat(pid).get(at)?.parse::<u64>().ok())
        .sum();
    let children = std::fs::read_dir("/proc").into_iter().flatten();
    let children = children
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok())
        .filter(|&child| stat(child).get(1).and_then(|of| of.parse().ok()) == Some(pid));
    let children: Duration = children.map(processor).sum();
    processor(pid) + children + Duration::from_millis(ended * 1000 / TICKS)
}

/// The fields of `/proc/PID/stat` after the process's name, which may have spaces in it.
fn stat(pid: u32) -> Vec<String> {
    let stat = read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let fields = stat.rsplit_once(") ").map_or("", |(_, fields)| fields);
    fields.split(' ').map(str::to_owned).collect()
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
