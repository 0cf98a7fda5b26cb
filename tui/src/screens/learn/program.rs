//! Programs: templates and their instances, as trees of stages and milestones.

pub(crate) mod instantiate;
pub(crate) mod levels;

use frontdesk_protocol::Host;
use ratatui::text::{Line, Span};
use serde_json::Value;

use self::instantiate::Instantiate;
use self::levels::Levels;
use crate::app::cx::Cx;
use crate::app::input::command::{Command, Context};
use crate::app::shared::Shared;
use crate::app::state::State;
use crate::fields::cell::{self, Cell};
use crate::fields::key::Key;
use crate::look::text::fit;
use crate::record_screens::{self, ShowsRecords};
use crate::records::columns::Column;
use crate::records::contexts::{RECORDS, TREE};
use crate::records::record::Record;
use crate::records::view::View;
use crate::records::{chooser, kind};
use crate::ui::gauge;

/// The context of programs.
static PROGRAMS: Context = Context::above("Programs", &RECORDS);
/// The context of one program, shown as a tree.
static PROGRAM: Context = Context::above("One program", &TREE);

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("name", "Program"),
        Column::own("Kind", kind_of, |program, _| {
            Key::text(program.text("kind"))
        }),
        Column::field("status", "State"),
        Column::field("cohort_id", "Cohort"),
        Column::field("source_program_id", "Template"),
    ],
    tabs: &["tree", "progress", "facts"],
    covered: &["dependencies"],
    head: Some(head),
    list: &PROGRAMS,
    record: &PROGRAM,
    ..View::new(Host::Learn, "programs")
};

/// Commands in addition to those of the tools.
pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        &PROGRAM,
        "program.levels",
        "Show dependencies, from left to right",
        &["v"],
        |state, out| {
            record_screens::act(state, out, |screen, cx| {
                if let Some((_, program)) = screen.about() {
                    let levels = Levels::new(program.clone());
                    cx.open(levels);
                }
            });
        },
    )
    .hint("dependencies"),
    instantiate(&PROGRAM, "program.instantiate"),
    instantiate(&PROGRAMS, "programs.instantiate"),
];

const fn instantiate(context: &'static Context, id: &'static str) -> Command {
    Command::new(
        context,
        id,
        "Instantiate the template for a cohort",
        &["i"],
        |state, out| record_screens::act(state, out, choose_cohort),
    )
    .writes()
    .opens()
    .hint("instantiate")
    .unless(no_template)
}

/// The selected program, or the one of the screen.
fn program(screen: &dyn ShowsRecords) -> Option<&Record> {
    let (kind, record) = screen.about().or_else(|| screen.current())?;
    (kind.id == "program").then_some(record)
}

fn no_template(state: &State) -> Option<String> {
    match program(record_screens::shown(state)?) {
        None => Some("no program is selected".to_owned()),
        Some(program) if program.text("kind") != Some("template") => {
            Some("this is an instance; only templates can be instantiated".to_owned())
        }
        Some(_) => None,
    }
}

fn choose_cohort(screen: &mut dyn ShowsRecords, cx: &mut Cx) {
    let Some(program) = program(screen).cloned() else {
        return;
    };
    let Some(cohorts) = kind::find(Host::Learn, "cohort") else {
        return;
    };
    let name = program.text("name").map(|name| Cell::new(name).text);
    let question = format!("{} for which cohort?", name.unwrap_or_default());
    chooser::of_kind(cohorts, question, cx.shared, move |state, out, cohort| {
        let screen = Instantiate::new(program.clone(), cohort.clone());
        state.cx(out).open(screen);
    })
    .open(cx);
}

fn kind_of(program: &Record, _: &Shared) -> Cell {
    match program.text("kind") {
        Some("template") => Cell::new("◇ template"),
        Some(word) => Cell::new(format!("◆ {}", cell::words(word))),
        None => Cell::new(""),
    }
}

/// The milestones delivered, of all: what each member has completed is another number.
fn progress(stages: &[Value], shared: &Shared, width: usize) -> Line<'static> {
    let milestones = stages.iter().filter_map(|one| one["milestones"].as_array());
    let milestones: Vec<_> = milestones.flatten().collect();
    let done = milestones.iter().filter(|one| one["status"] == "done");
    let (done, all) = (done.count() as u64, milestones.len() as u64);
    gauge::line(&shared.settings.theme, width / 5, done, all)
}

/// The milestones done, the kind of program and its cohort.
fn head(program: &Record, shared: &Shared, width: usize) -> Line<'static> {
    // A program in a list comes without its stages.
    let mut line = match program.get("stages").as_array() {
        Some(stages) => progress(stages, shared, width),
        None => Line::styled("loading", shared.settings.theme.dim),
    };
    let cohort = program
        .text("cohort_id")
        .map(|id| cell::name(id, shared).text);
    let words = format!(
        " milestones delivered  {}{}",
        kind_of(program, shared).text,
        cohort
            .map(|cohort| format!(" of {cohort}"))
            .unwrap_or_default()
    );
    let room = width.saturating_sub(line.width());
    line.push_span(Span::styled(fit(&words, room), shared.settings.theme.dim));
    line
}
