//! A calendar file in parts, each for a call that takes well below a second.

use std::collections::BTreeMap;

/// The most entries, and the most series, of a part.
const MOST_ENTRIES: usize = 200;
const MOST_SERIES: usize = 24;
/// The maximum size of the entries of a part in bytes.
const MOST_BYTES: usize = 400_000;

/// The parts of a calendar: each has all that is no entry, and the entries of some UIDs. The other lines are empty, so that
/// lines keep their numbers.
pub(super) fn parts(text: &str) -> Vec<String> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let lines: Vec<&str> = text.split('\n').collect();
    // The entry of each line: those of one UID are one.
    let mut entries: BTreeMap<String, (Vec<std::ops::Range<usize>>, usize, bool)> = BTreeMap::new();
    let mut order = Vec::new();
    let mut start = None;
    for (at, line) in lines.iter().enumerate() {
        let line = line.trim_end().to_ascii_uppercase();
        if line == "BEGIN:VEVENT" {
            start.get_or_insert(at);
        }
        let Some(first) = start.filter(|_| line == "END:VEVENT") else {
            continue;
        };
        start = None;
        let own = &lines[first..=at];
        let begins = |name: &str| {
            let mut own = own.iter();
            own.position(|line| {
                line.get(..name.len())
                    .is_some_and(|begin| begin.eq_ignore_ascii_case(name))
            })
        };
        let uid = begins("UID").map_or_else(|| format!("#{first}"), |uid| own[uid].to_owned());
        let is_series = begins("RRULE").or(begins("RDATE")).is_some();
        let entry = entries.entry(uid.clone()).or_insert_with(|| {
            order.push(uid);
            Default::default()
        });
        entry.0.push(first..at + 1);
        entry.1 += own.iter().map(|line| line.len() + 2).sum::<usize>();
        entry.2 |= is_series;
    }
    let mut parts: Vec<Vec<std::ops::Range<usize>>> = vec![Vec::new()];
    let (mut count, mut series, mut size) = (0, 0, 0);
    for uid in order {
        let Some((ranges, bytes, is_series)) = entries.remove(&uid) else {
            continue;
        };
        count += ranges.len();
        series += usize::from(is_series);
        size += bytes;
        let is_full = count > MOST_ENTRIES || series > MOST_SERIES || size > MOST_BYTES;
        if is_full && parts.last().is_some_and(|part| !part.is_empty()) {
            (count, series, size) = (ranges.len(), usize::from(is_series), bytes);
            parts.push(Vec::new());
        }
        if let Some(part) = parts.last_mut() {
            part.extend(ranges);
        }
    }
    if parts.len() == 1 {
        return vec![text];
    }
    let mut is_entry = vec![false; lines.len()];
    for range in parts.iter().flatten() {
        is_entry[range.clone()].fill(true);
    }
    let part = |ranges: &Vec<std::ops::Range<usize>>| {
        let mut is_shown: Vec<bool> = is_entry.iter().map(|is_entry| !is_entry).collect();
        for range in ranges {
            is_shown[range.clone()].fill(true);
        }
        let shown = lines.iter().zip(is_shown);
        let shown: Vec<_> = shown
            .map(|(line, is_shown)| if is_shown { line } else { "" })
            .collect();
        shown.join("\n")
    };
    parts.iter().map(part).collect()
}
