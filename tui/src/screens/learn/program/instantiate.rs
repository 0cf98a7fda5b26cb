//! The instantiation of a template for a cohort: a preview, then a confirmation.

use frontdesk_client::CallError;
use frontdesk_protocol::Host;
use frontdesk_protocol::id::{CohortId, ProgramId};
use frontdesk_protocol::learn::program::{
    GetProgram, InstantiateProgram, Instantiated, ListPrograms, Program, ProgramTree,
};
use frontdesk_protocol::record::{List, Maybe};
use frontdesk_protocol::value::{Limit, Offset};
use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::text::{Line, Span};
use serde_json::json;

use crate::app::cx::Cx;
use crate::app::effects::call::Answer;
use crate::app::input::command::{Context, commands};
use crate::app::owner::RequestId;
use crate::app::remote::Remote;
use crate::app::screen::Screen;
use crate::app::shared::Shared;
use crate::app::state::State;
use crate::fields::cell;
use crate::look::mark::Mark;
use crate::look::text::{clean, count};
use crate::record_screens::open_record;
use crate::records::kind;
use crate::records::record::Record;
use crate::ui::frame::waiting;
use crate::ui::panel::{self, framed};
use crate::ui::problem::Problem;
use crate::ui::table::{self, Column, Row};

static INSTANTIATE: Context = Context::list("Instantiating a template for a cohort");

commands! {
    pub(crate) const COMMANDS;

    INSTANTIATE: "instantiate.go", ["y"], "Instantiate it, or open the cohort's existing program",
        act Instantiate::go, hint("go on"),
        unless(|state: &State| state.shows::<Instantiate>()?.obstacle(&state.shared));
}

/// The preview of an instantiation.
#[derive(Debug)]
pub(crate) struct Instantiate {
    template: Record,
    cohort: Record,
    tree: Remote<ProgramTree>,
    /// The cohort's programs: at most one.
    own: Remote<Vec<Program>>,
    copying: Remote<()>,
    at: usize,
}

impl Instantiate {
    /// The instantiation of this template for this cohort.
    pub(crate) fn new(template: Record, cohort: Record) -> Self {
        Instantiate {
            template,
            cohort,
            tree: Remote::Idle,
            own: Remote::Idle,
            copying: Remote::Idle,
            at: 0,
        }
    }

    fn names(&self) -> [String; 2] {
        [&self.template, &self.cohort]
            .map(|one| clean(one.text("name").unwrap_or_default()).into_owned())
    }

    fn ids(&self) -> Option<(ProgramId, CohortId)> {
        Some((
            self.template.id().parse().ok()?,
            self.cohort.id().parse().ok()?,
        ))
    }

    /// The cohort's existing program.
    fn existing(&self) -> Option<&Program> {
        self.own.value()?.first()
    }

    /// Why the template cannot be instantiated.
    fn obstacle(&self, shared: &Shared) -> Option<String> {
        if self.own.value().is_none() || self.tree.value().is_none() {
            return Some("the template is still loading".to_owned());
        }
        let writes = self.existing().is_none();
        if writes && shared.mode.is_read_only() {
            return Some(shared.mode.way_out(&shared.settings.keymap));
        }
        let busy = self.copying.is_loading();
        busy.then(|| "the program is being created".to_owned())
    }

    fn ask(&mut self, cx: &mut Cx) {
        let Some((template, cohort)) = self.ids() else {
            return;
        };
        let request = cx.call(GetProgram {
            id: Some(template),
            slug: None,
        });
        self.tree.begin(request);
        let request = cx.call(ListPrograms {
            kind: None,
            cohort_id: Some(cohort),
            search: None,
            limit: Limit::default(),
            offset: Offset::new(0),
        });
        self.own.begin(request);
    }

    fn go(&mut self, cx: &mut Cx) {
        match self.existing().map(|program| program.id) {
            Some(program) => self.open(cx, program),
            None => {
                if let Some((template_id, cohort_id)) = self.ids() {
                    let request = cx.call(InstantiateProgram {
                        template_id,
                        cohort_id,
                    });
                    self.copying.begin(request);
                }
            }
        }
    }

    /// Opens the cohort's program instead of this screen.
    fn open(&self, cx: &mut Cx, program: ProgramId) {
        let [template, cohort] = self.names();
        let record = json!({ "id": program, "name": format!("{template} · {cohort}") });
        if let Some(kind) = kind::find(Host::Learn, "program")
            && let Some(record) = Record::new(&record)
        {
            // Esc goes back to the template.
            cx.back();
            open_record(cx, kind, &record, cx.now());
        }
    }

    fn copied(&mut self, cx: &mut Cx, request: RequestId, result: Result<Instantiated, CallError>) {
        if !self.copying.waits_for(request) {
            return;
        }
        let [template, cohort] = self.names();
        match &result {
            Ok(copied) => {
                let words = match copied.created {
                    true => format!("Instantiated {template} for {cohort}"),
                    false => format!("{cohort} already had a program: nothing was created"),
                };
                cx.toast(Mark::Good, words);
                cx.tell_outdated("program");
                self.open(cx, copied.program_id);
            }
            Err(error) => {
                let problem = Problem::of_write(error);
                cx.toast(Mark::Bad, format!("Not created. {}", problem.line()));
                self.ask(cx);
            }
        }
        self.copying.finish(request, cx.now(), result.map(drop));
    }
}

impl Screen for Instantiate {
    fn context(&self) -> &'static Context {
        &INSTANTIATE
    }

    fn crumb(&self) -> String {
        let [_, cohort] = self.names();
        format!("For {cohort}")
    }

    fn refresh(&mut self, cx: &mut Cx) {
        self.ask(cx);
    }

    fn tool_answered(&mut self, cx: &mut Cx, request: RequestId, answer: Answer) {
        if let Some(result) = answer.of::<GetProgram>() {
            let result = result.and_then(|Maybe(tree)| {
                tree.ok_or_else(|| {
                    CallError::Tool(frontdesk_protocol::ToolError::not_found("program"))
                })
            });
            self.tree.finish(request, cx.now(), result);
        } else if let Some(result) = answer.of::<ListPrograms>() {
            let result = result.map(|List { items, .. }| items);
            self.own.finish(request, cx.now(), result);
        } else if let Some(result) = answer.of::<InstantiateProgram>() {
            self.copied(cx, request, result);
        }
    }

    fn step(&mut self, _: &mut Cx, by: isize) {
        let stages = self.tree.value().map_or(0, |tree| tree.stages.len());
        self.at = table::moved(stages, Some(self.at), by).unwrap_or(0);
    }

    fn is_busy(&self) -> bool {
        self.tree.is_loading() || self.own.is_loading() || self.copying.is_loading()
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.settings.theme;
        let [head, body] = Layout::vertical([Length(5), Fill(1)]).areas(area);
        let [template, cohort] = self.names();
        let key = panel::key(shared, "instantiate.go");
        let next = match (self.existing(), self.own.value()) {
            (Some(program), _) => {
                let name = clean(&program.name);
                Line::from(vec![
                    Mark::Warn.span(
                        theme,
                        &format!("{cohort} already has “{name}”: nothing would be created. "),
                    ),
                    key,
                    Span::raw(" open it"),
                ])
            }
            (None, Some(_)) => Line::from(vec![key, Span::raw(" create it")]),
            (None, None) => match self.own.error() {
                Some(error) => Mark::Bad.span(theme, Problem::of(error).title).into(),
                None => waiting(shared, "asking whether the cohort has a program"),
            },
        };
        let what = self.tree.value().map(|tree| {
            let milestones: usize = tree.stages.iter().map(|one| one.milestones.len()).sum();
            format!(
                "A separate program: {}, {} and {}. Completions are not copied.",
                count(tree.stages.len(), "stage", "stages"),
                count(milestones, "milestone", "milestones"),
                count(tree.dependencies.len(), "dependency", "dependencies"),
            )
        });
        let title = Line::styled(format!("{template} for {cohort}"), theme.title);
        let lines = vec![title, Line::raw(what.unwrap_or_default()), next];
        panel::text(frame, head, lines);
        let inside = framed(frame, body, " Contents ", theme.border);
        match (self.tree.value(), self.tree.error()) {
            (Some(tree), _) => {
                let columns = [
                    Column::share("Stage", 2),
                    Column::fixed("State", 12),
                    Column::fixed("Milestones", 10).right(),
                    Column::fixed("Points", 8).right(),
                ];
                let row = |at: usize| {
                    let stage = &tree.stages[at];
                    // The sum of no numbers is -0.
                    let points = stage
                        .milestones
                        .iter()
                        .fold(0.0, |sum, one| sum + one.points);
                    let state = cell::state(stage.stage.status.name());
                    Row::new()
                        .cell(stage.stage.title.clone())
                        .styled(state.text, state.tone.style(theme))
                        .cell(stage.milestones.len().to_string())
                        .cell(points.to_string())
                };
                let (len, at) = (tree.stages.len(), Some(self.at));
                table::draw(frame, inside, shared, &columns, len, at, row);
            }
            (None, Some(error)) => panel::failed(frame, shared, inside, error),
            (None, None) => {}
        }
    }
}
