//! Commands of the user's own: a program that runs with the fields of a record.

use super::cx::{Cx, News};
use super::log::LogLine;
use crate::app::effects::program::{Ran, RunProgram};
use crate::look::mark::Mark;
use crate::look::text::{clean, count};

/// Runs a program for the command with this name.
pub(crate) fn run(cx: &mut Cx, name: String, line: Vec<String>) {
    cx.toast(Mark::Busy, running(&name));
    cx.run_then(RunProgram { name, line }, |cx, ended| {
        self::ended(cx, &ended.job.name, &ended.result);
    });
}

fn running(name: &str) -> String {
    format!("Running “{}”", clean(name))
}

/// Says how a program ended. Its output is among the messages of servers.
fn ended(cx: &mut Cx, name: &str, result: &Result<Ran, String>) {
    cx.withdraw(Mark::Busy, &running(name));
    let name = clean(name);
    let (mark, mut words, lines) = match result {
        Err(reason) => {
            let words = format!("“{name}” did not run: {}", clean(reason));
            (Mark::Bad, words, &[][..])
        }
        Ok(Ran { failure, lines }) => match failure {
            Some(why) => (Mark::Bad, format!("“{name}” failed: {why}"), &lines[..]),
            None => (Mark::Good, format!("“{name}” is done"), &lines[..]),
        },
    };
    if let Some(last) = lines.last() {
        words.push_str(&format!(": {}", clean(last)));
    }
    if lines.len() > 1 {
        let number = count(lines.len(), "line", "lines");
        words.push_str(&format!(" ({number}: Messages in the palette)"));
    }
    let level = match mark {
        Mark::Bad => "error",
        _ => "info",
    };
    for line in lines {
        let line = LogLine::new(cx.now(), &name, level, None, &line.as_str().into());
        cx.shared.log.push(line);
    }
    if !lines.is_empty() {
        cx.tell(News::Log);
    }
    cx.toast(mark, words);
}
