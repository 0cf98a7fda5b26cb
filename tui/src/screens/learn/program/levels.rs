//! The dependencies of a program's stages or milestones, in levels from left to right.

use std::collections::HashMap;

use frontdesk_protocol::learn::program::GetProgram;
use frontdesk_protocol::{Host, Tool};
use jiff::Timestamp;
use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::text::{Line, Span};
use serde_json::Map;

use crate::app::cx::{Cx, News};
use crate::app::effects::call::Answer;
use crate::app::input::command::{Context, commands};
use crate::app::owner::RequestId;
use crate::app::remote::Remote;
use crate::app::screen::Screen;
use crate::app::shared::{Session, Shared};
use crate::fields::cell;
use crate::look::text::{clean, count};
use crate::records::names::reading;
use crate::records::record::Record;
use crate::screens::learn::stage::beside;
use crate::ui::frame::waiting;
use crate::ui::levels;
use crate::ui::panel::{self, framed};

static LEVELS: Context = Context::list("Dependencies of a program");

commands! {
    pub(crate) const COMMANDS;

    LEVELS: "levels.right", ["right", "l"], "Go to the next dependent",
        act |screen: &mut Levels, _| screen.go(1, 0);
    LEVELS: "levels.left", ["left", "h"], "Go to the next prerequisite",
        act |screen: &mut Levels, _| screen.go(-1, 0);
    LEVELS: "levels.turn", ["tab"], "Next view: stages or milestones",
        act |screen: &mut Levels, _| screen.turn(), hint("stages or milestones");
}

/// The dependencies of a program.
#[derive(Debug)]
pub(crate) struct Levels {
    program: Remote<Record>,
    id: String,
    /// Whether stages are shown; otherwise milestones.
    of_stages: bool,
    nodes: Vec<Record>,
    levels: levels::Levels,
    edges: usize,
    selected: usize,
}

impl Levels {
    /// The dependencies of this program.
    pub(crate) fn new(program: Record) -> Self {
        let mut screen = Levels {
            id: program.id().to_owned(),
            program: Remote::Idle,
            of_stages: true,
            nodes: Vec::new(),
            levels: levels::Levels::default(),
            edges: 0,
            selected: 0,
        };
        screen.arrange(&program);
        screen
    }

    fn turn(&mut self) {
        self.of_stages = !self.of_stages;
        self.selected = 0;
        if let Some(program) = self.program.value().cloned() {
            self.arrange(&program);
        }
    }

    /// Computes the levels. Milestones without dependencies are omitted.
    fn arrange(&mut self, program: &Record) {
        let selected = self
            .nodes
            .get(self.selected)
            .map(|node| node.id().to_owned());
        let stages = program.get("stages").as_array().into_iter().flatten();
        let mut nodes: Vec<Record> = match self.of_stages {
            true => stages.filter_map(Record::new).collect(),
            false => {
                let milestones = stages.filter_map(|stage| stage["milestones"].as_array());
                milestones.flatten().filter_map(Record::new).collect()
            }
        };
        let kind = if self.of_stages { "stage" } else { "milestone" };
        let edges = program.get("dependencies").as_array().into_iter().flatten();
        let ends: Vec<(&str, &str)> = edges
            .filter(|edge| edge["node_kind"] == kind)
            .filter_map(|edge| {
                Some((
                    edge["predecessor_id"].as_str()?,
                    edge["successor_id"].as_str()?,
                ))
            })
            .collect();
        if !self.of_stages {
            nodes.retain(|node| {
                let mut ends = ends.iter();
                ends.any(|(from, to)| *from == node.id() || *to == node.id())
            });
        }
        let places: HashMap<&str, usize> = nodes
            .iter()
            .enumerate()
            .map(|(at, node)| (node.id(), at))
            .collect();
        let edges: Vec<(usize, usize)> = ends
            .iter()
            .filter_map(|(from, to)| Some((*places.get(from)?, *places.get(to)?)))
            .collect();
        self.levels = levels::Levels::new(nodes.len(), &edges);
        self.edges = edges.len();
        let place = selected.and_then(|id| places.get(id.as_str()).copied());
        self.selected = place.unwrap_or(0);
        self.nodes = nodes;
    }

    /// Whether the host has answered, or the program came with its stages.
    fn is_known(&self) -> bool {
        self.program.value().is_some() || !self.nodes.is_empty()
    }

    fn go(&mut self, levels: isize, rows: isize) {
        self.selected = self.levels.moved(self.selected, levels, rows);
    }

    fn ask(&mut self, cx: &mut Cx) {
        if matches!(cx.shared.session, Session::In(_)) {
            let id = Map::from_iter([("id".to_owned(), self.id.clone().into())]);
            let request = cx.send(reading(Host::Learn, GetProgram::NAME, id));
            self.program.begin(request);
        }
    }
}

impl Screen for Levels {
    fn context(&self) -> &'static Context {
        &LEVELS
    }

    fn crumb(&self) -> String {
        "Dependencies".to_owned()
    }

    fn refresh(&mut self, cx: &mut Cx) {
        self.ask(cx);
    }

    fn as_of(&self) -> Option<Timestamp> {
        Some(self.program.seen()?.at)
    }

    fn tool_answered(&mut self, cx: &mut Cx, request: RequestId, answer: Answer) {
        let result = answer
            .result
            .map(|reply| reply.value.get("program").and_then(Record::new));
        let program = result.as_ref().ok().cloned().flatten();
        let result = result.and_then(|program| {
            program.ok_or_else(|| {
                let gone = frontdesk_protocol::ToolError::not_found("program");
                frontdesk_client::CallError::Tool(gone)
            })
        });
        if self.program.finish(request, cx.now(), result)
            && let Some(program) = program
        {
            self.arrange(&program);
        }
    }

    fn notified(&mut self, cx: &mut Cx, news: &News) {
        let kinds = ["program", "stage", "milestone", "dependency"];
        if kinds.iter().any(|kind| news.outdates(kind)) {
            self.ask(cx);
        }
    }

    fn step(&mut self, _: &mut Cx, by: isize) {
        self.go(0, by.clamp(-1, 1));
    }

    fn gives_way(&self) -> bool {
        true
    }

    fn awaits(&self) -> bool {
        self.program.is_loading() && !self.is_known()
    }

    fn is_busy(&self) -> bool {
        self.program.is_loading()
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.settings.theme;
        let [body, foot] = Layout::vertical([Fill(1), Length(3)]).areas(area);
        let words = match self.of_stages {
            true => count(self.nodes.len(), "stage", "stages"),
            false => count(self.nodes.len(), "milestone", "milestones"),
        };
        let edges = count(self.edges, "dependency", "dependencies");
        let title = match self.is_known() {
            true => format!(" {words}, {edges} "),
            false => String::new(),
        };
        let inside = framed(frame, body, title, theme.border);
        if self.nodes.is_empty() {
            match self.program.error() {
                Some(error) => panel::failed(frame, shared, inside, error),
                None if !self.is_known() => panel::note(frame, inside, waiting(shared, "loading")),
                None => panel::note(frame, inside, Line::styled("No dependencies.", theme.dim)),
            }
            return;
        }
        let inner = inside.inner(panel::INSET);
        self.levels.draw(frame, inner, theme, self.selected, |at| {
            let node = &self.nodes[at];
            let state = cell::state(node.text("status").unwrap_or_default());
            let glyph = state.text.chars().next().unwrap_or(' ');
            let title = clean(node.text("title").unwrap_or_default());
            (format!("{glyph} {title}"), state.tone.style(theme))
        });
        let (Some(node), Some(program)) = (self.nodes.get(self.selected), self.program.value())
        else {
            return;
        };
        let state = cell::state(node.text("status").unwrap_or_default());
        let told = beside(state.text.clone(), node, program, shared);
        let title = clean(node.text("title").unwrap_or_default()).into_owned();
        let lines = vec![
            Line::from(Span::styled(title, theme.title)),
            Line::styled(told.text, told.tone.style(theme)),
        ];
        panel::text(frame, foot.inner(ratatui::layout::Margin::new(1, 0)), lines);
    }
}
