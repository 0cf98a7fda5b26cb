//! Stages of a program: their content and dependencies.

use frontdesk_protocol::Host;
use serde_json::Value;

use crate::app::shared::Shared;
use crate::fields::cell::{self, Cell, Tone};
use crate::look::mark::Mark;
use crate::look::text::count;
use crate::records::columns::Column;
use crate::records::record::Record;
use crate::records::view::View;

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("title", "Stage"),
        Column::field("status", "State"),
        Column::field("milestone_count", "Milestones"),
        Column::field("gated", "Gated"),
        Column::field("position", "Position"),
    ],
    tree_text: Some(|stage, program, shared| {
        let milestones = stage.get("milestones").as_array();
        let milestones = milestones.map_or(&[][..], Vec::as_slice);
        let points = milestones
            .iter()
            .filter_map(|one| one.get("points")?.as_f64());
        // The sum of no numbers is -0.
        let points = points.fold(0.0, |sum, points| sum + points);
        let milestones = count(milestones.len(), "milestone", "milestones");
        let held = format!("{milestones}, {}", worth(points));
        beside(held, stage, program, shared)
    }),
    ..View::new(Host::Learn, "stages")
};

/// The number of points in words.
pub(super) fn worth(points: f64) -> String {
    let word = if points == 1.0 { "point" } else { "points" };
    format!("{points} {word}")
}

/// The line beside a stage or milestone: `first`, then its predecessors and successors.
pub(super) fn beside(first: String, node: &Record, program: &Record, shared: &Shared) -> Cell {
    let edges = program.get("dependencies").as_array();
    let edges = edges.map_or(&[][..], Vec::as_slice);
    let ends = |from: &str, to: &str| -> Vec<String> {
        let own = edges.iter().filter(|edge| edge[from] == *node.get("id"));
        let ends = own.filter_map(|edge| edge[to].as_str());
        ends.map(|id| cell::name(id, shared).text).collect()
    };
    let gates = node.get("gated_by").as_array();
    let gates = gates.into_iter().flatten().filter_map(Value::as_str);
    let gates: Vec<String> = gates.map(|id| cell::name(id, shared).text).collect();
    let is_gated = !gates.is_empty();
    let mut words = match is_gated {
        true => format!(
            "{} waits for {} · {first}",
            Mark::Warn.glyph(),
            gates.join(", ")
        ),
        false => first,
    };
    let mut add = |word: &str, names: Vec<String>| {
        if !names.is_empty() {
            words.push_str(&format!(" · {word} {}", names.join(", ")));
        }
    };
    if !is_gated {
        add("after", ends("successor_id", "predecessor_id"));
    }
    add("before", ends("predecessor_id", "successor_id"));
    Cell {
        tone: if is_gated {
            Tone::Marked(Mark::Warn)
        } else {
            Tone::Dim
        },
        ..Cell::new(words)
    }
}
