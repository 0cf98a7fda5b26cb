//! A graph of dependencies from left to right: each node is one level after its last predecessor,
//! and lines connect them.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::look::text::{cells, fit};
use crate::look::theme::Theme;

/// Width between two levels, for the lines.
const GUTTER: u16 = 3;
/// Minimum and maximum width of a level.
const CARD: std::ops::RangeInclusive<u16> = 10..=30;
/// Height of a slot: two lines of text and a gap.
const HEIGHT: u16 = 3;

const NORTH: u8 = 1;
const EAST: u8 = 2;
const SOUTH: u8 = 4;
const WEST: u8 = 8;

/// The content of a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slot {
    Node(usize),
    /// The line of this edge, on its way to a later level.
    Pass(usize),
}

/// Nodes in levels.
#[derive(Debug, Default)]
pub(crate) struct Levels {
    levels: Vec<Vec<Slot>>,
    edges: Vec<(usize, usize)>,
}

/// A node to draw: its text of up to two lines, and its style.
pub(crate) type Drawn = (String, Style);

impl Levels {
    /// Arranges this many nodes in levels. Edges that form a cycle are left out.
    pub(crate) fn new(number: usize, edges: &[(usize, usize)]) -> Self {
        let mut level = vec![0; number];
        // The longest path has at most as many steps as there are nodes.
        for _ in 0..number {
            for (from, to) in edges {
                if from != to {
                    level[*to] = level[*to].max((level[*from] + 1).min(number - 1));
                }
            }
        }
        let edges: Vec<(usize, usize)> = edges
            .iter()
            .copied()
            .filter(|(from, to)| level[*from] < level[*to])
            .collect();
        let depth = level.iter().max().map_or(0, |last| last + 1);
        let mut levels: Vec<Vec<Slot>> = vec![Vec::new(); depth];
        for (node, at) in level.iter().enumerate() {
            levels[*at].push(Slot::Node(node));
        }
        for (edge, (from, to)) in edges.iter().enumerate() {
            for slots in &mut levels[level[*from] + 1..level[*to]] {
                slots.push(Slot::Pass(edge));
            }
        }
        let mut all = Levels { levels, edges };
        for at in 1..depth {
            let mut slots = std::mem::take(&mut all.levels[at]);
            // Near their predecessors, so few lines cross.
            slots.sort_by_key(|slot| all.mean(*slot, at - 1));
            all.levels[at] = slots;
        }
        all
    }

    /// The edges that end at a slot.
    fn into(&self, slot: Slot) -> impl Iterator<Item = usize> {
        let edges = self.edges.iter().enumerate();
        edges.filter_map(move |(edge, (_, to))| match slot {
            Slot::Node(node) => (*to == node).then_some(edge),
            Slot::Pass(own) => (own == edge).then_some(edge),
        })
    }

    /// The row of an edge at a level.
    fn row(&self, edge: usize, level: usize) -> Option<usize> {
        let (from, _) = self.edges[edge];
        let mut slots = self.levels[level].iter();
        slots.position(|slot| *slot == Slot::Pass(edge) || *slot == Slot::Node(from))
    }

    fn mean(&self, slot: Slot, level: usize) -> usize {
        let rows: Vec<usize> = self
            .into(slot)
            .filter_map(|edge| self.row(edge, level))
            .collect();
        rows.iter().sum::<usize>() * 100 / rows.len().max(1)
    }

    fn find(&self, node: usize) -> Option<(usize, usize)> {
        let mut levels = self.levels.iter().enumerate();
        levels.find_map(|(level, slots)| {
            let row = slots.iter().position(|slot| *slot == Slot::Node(node))?;
            Some((level, row))
        })
    }

    /// The node this many levels and rows away, or the nearest one there.
    pub(crate) fn moved(&self, node: usize, levels: isize, rows: isize) -> usize {
        let Some((level, row)) = self.find(node) else {
            return 0;
        };
        let last = self.levels.len().saturating_sub(1);
        let level = level.saturating_add_signed(levels).min(last);
        let nodes = self.levels[level].iter().enumerate();
        let nodes = nodes.filter_map(|(at, slot)| match slot {
            Slot::Node(node) => Some((at, *node)),
            Slot::Pass(_) => None,
        });
        let found = match rows {
            0 => nodes.min_by_key(|(at, _)| at.abs_diff(row)),
            rows if rows > 0 => nodes
                .filter(|(at, _)| *at > row)
                .nth(rows as usize - 1)
                .or(None),
            rows => {
                let before: Vec<_> = nodes.filter(|(at, _)| *at < row).collect();
                before
                    .len()
                    .checked_sub(rows.unsigned_abs())
                    .map(|at| before[at])
            }
        };
        found.map_or(node, |(_, node)| node)
    }

    /// Draws the visible part with the selected node; its lines are emphasised.
    pub(crate) fn draw(
        &self,
        frame: &mut Frame,
        area: Rect,
        theme: &Theme,
        selected: usize,
        node: impl Fn(usize) -> Drawn,
    ) {
        let number = self.levels.len() as u16;
        if area.width <= *CARD.start() || area.height < 2 || number == 0 {
            return;
        }
        let fair = (area.width + GUTTER) / number;
        let card = fair
            .saturating_sub(GUTTER)
            .clamp(*CARD.start(), *CARD.end());
        let (level, row) = self.find(selected).unwrap_or_default();
        let seen = usize::from((area.width + GUTTER) / (card + GUTTER)).max(1);
        let from = level
            .saturating_sub(seen / 2)
            .min(self.levels.len().saturating_sub(seen));
        let rows = usize::from(area.height / HEIGHT).max(1);
        let most = self.levels.iter().map(Vec::len).max().unwrap_or(0);
        let top = row.saturating_sub(rows / 2).min(most.saturating_sub(rows));
        let mut canvas = Canvas {
            area,
            theme,
            frame,
            lines: vec![(0, false); usize::from(area.width) * usize::from(area.height)],
        };
        let y = |row: usize| (row as i32 - top as i32) * i32::from(HEIGHT);
        let x = |level: usize| (level as i32 - from as i32) * i32::from(card + GUTTER);
        let card = i32::from(card);
        for (level, slots) in self.levels.iter().enumerate() {
            for (row, slot) in slots.iter().enumerate() {
                for edge in self.into(*slot).filter(|_| level > 0) {
                    let Some(before) = self.row(edge, level - 1) else {
                        continue;
                    };
                    let (start, end) = self.edges[edge];
                    let is_own = start == selected || end == selected;
                    let (left, middle) = (x(level - 1) + card, x(level - 1) + card + 1);
                    canvas.across(left, middle, y(before), is_own);
                    canvas.down(middle, y(before), y(row), is_own);
                    canvas.across(middle, x(level) - 1, y(row), is_own);
                    if let Slot::Pass(_) = slot {
                        canvas.across(x(level) - 1, x(level) + card, y(row), is_own);
                    }
                }
            }
        }
        for (level, slots) in self.levels.iter().enumerate() {
            for (row, slot) in slots.iter().enumerate() {
                let Slot::Node(at) = *slot else {
                    continue;
                };
                let (text, style) = node(at);
                let style = if at == selected {
                    theme.selected
                } else {
                    style
                };
                let lines = folded(&text, card as usize);
                let width = cells(&lines[0]) as i32;
                let leads = self.edges.iter().any(|(from, _)| *from == at);
                let is_own = at == selected || self.edges.contains(&(at, selected));
                if leads && width + 1 < card {
                    canvas.across(x(level) + width + 1, x(level) + card, y(row), is_own);
                }
                let comes = self.into(*slot).next().is_some();
                canvas.node(x(level), y(row), &lines, style, comes);
            }
        }
        canvas.finish();
    }
}

/// The text on at most two lines, broken between words if possible.
fn folded(text: &str, width: usize) -> [String; 2] {
    if cells(text) <= width {
        return [text.to_owned(), String::new()];
    }
    let mut first = String::new();
    let mut rest = text;
    while let Some((word, after)) = rest.split_once(' ') {
        if cells(&first) + cells(word) + 1 > width {
            break;
        }
        if !first.is_empty() {
            first.push(' ');
        }
        first.push_str(word);
        rest = after;
    }
    // A single glyph is not a line.
    match cells(&first) > 2 {
        true => [first, format!("  {}", fit(rest, width.saturating_sub(2)))],
        false => [fit(text, width), String::new()],
    }
}

/// Lines and nodes to draw; positions are relative to the corner of the area.
struct Canvas<'a, 'b> {
    area: Rect,
    theme: &'a Theme,
    frame: &'a mut Frame<'b>,
    /// The directions of the lines in each cell, and whether they are emphasised.
    lines: Vec<(u8, bool)>,
}

impl Canvas<'_, '_> {
    fn cell(&mut self, x: i32, y: i32, ways: u8, is_own: bool) {
        let is_inside = (0..i32::from(self.area.width)).contains(&x)
            && (0..i32::from(self.area.height)).contains(&y);
        if is_inside {
            let at = y as usize * usize::from(self.area.width) + x as usize;
            let cell = &mut self.lines[at];
            *cell = (cell.0 | ways, cell.1 || is_own);
        }
    }

    fn across(&mut self, from: i32, to: i32, y: i32, is_own: bool) {
        for x in from..=to {
            let west = if x > from { WEST } else { 0 };
            let east = if x < to { EAST } else { 0 };
            self.cell(x, y, west | east, is_own);
        }
    }

    fn down(&mut self, x: i32, from: i32, to: i32, is_own: bool) {
        let (top, bottom) = (from.min(to), from.max(to));
        for y in top..=bottom {
            let north = if y > top { NORTH } else { 0 };
            let south = if y < bottom { SOUTH } else { 0 };
            self.cell(x, y, north | south, is_own);
        }
    }

    fn node(&mut self, x: i32, y: i32, lines: &[String; 2], style: Style, comes: bool) {
        for (line, text) in lines.iter().enumerate() {
            self.put(x, y + line as i32, text, style);
        }
        if comes {
            self.put(x - 1, y, "▸", self.theme.dim);
        }
    }

    /// Writes a text inside the area, over any line.
    fn put(&mut self, x: i32, y: i32, text: &str, style: Style) {
        let is_inside = (0..i32::from(self.area.height)).contains(&y)
            && x >= 0
            && x < i32::from(self.area.width);
        if !is_inside || text.is_empty() {
            return;
        }
        let room = (i32::from(self.area.width) - x) as usize;
        let text = fit(text, room);
        for cell in x..x + cells(&text) as i32 {
            let at = y as usize * usize::from(self.area.width) + cell as usize;
            self.lines[at].0 = 0;
        }
        let place = (self.area.x + x as u16, self.area.y + y as u16);
        let buffer = self.frame.buffer_mut();
        buffer.set_string(place.0, place.1, text, style);
    }

    fn finish(self) {
        let buffer = self.frame.buffer_mut();
        for (at, (ways, is_own)) in self.lines.iter().enumerate() {
            let sign = match *ways {
                0 => continue,
                ways if ways == NORTH | SOUTH => "│",
                ways if ways == EAST | SOUTH => "╭",
                ways if ways == WEST | SOUTH => "╮",
                ways if ways == EAST | NORTH => "╰",
                ways if ways == WEST | NORTH => "╯",
                ways if ways == NORTH | SOUTH | EAST => "├",
                ways if ways == NORTH | SOUTH | WEST => "┤",
                ways if ways == EAST | WEST | SOUTH => "┬",
                ways if ways == EAST | WEST | NORTH => "┴",
                ways if ways == NORTH | EAST | SOUTH | WEST => "┼",
                _ => "─",
            };
            let style = match is_own {
                true => self.theme.focus,
                false => self.theme.dim,
            };
            let width = usize::from(self.area.width);
            let x = self.area.x + (at % width) as u16;
            let y = self.area.y + (at / width) as u16;
            buffer.set_string(x, y, sign, style);
        }
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    use super::*;

    fn drawn(names: &[&str], edges: &[(usize, usize)], size: (u16, u16)) -> String {
        let mut terminal = Terminal::new(TestBackend::new(size.0, size.1)).expect("draws");
        let levels = Levels::new(names.len(), edges);
        terminal
            .draw(|frame| {
                let theme = Theme::default();
                levels.draw(frame, frame.area(), &theme, 0, |at| {
                    (names[at].to_owned(), Style::new())
                });
            })
            .expect("draws");
        let lines = terminal.backend().to_string();
        let lines = lines.lines().map(|line| line.trim_matches('"').trim_end());
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn what_comes_after_stands_further_right() {
        let names = ["Begin", "Learn", "Build", "Show it"];
        let edges = [(0, 1), (0, 2), (1, 3), (2, 3), (0, 3)];
        assert_snapshot!(drawn(&names, &edges, (50, 9)), @r"
        Begin ─────────┬▸Learn ─────────┬▸Show it
                       │                │
                       │                │
                       ├▸Build ─────────┤
                       │                │
                       │                │
                       ╰────────────────╯
        ");
    }

    #[test]
    fn a_circle_is_no_way_on() {
        let levels = Levels::new(2, &[(0, 1), (1, 0)]);
        assert!(levels.levels.len() <= 2, "{levels:?}");
        assert_eq!(Levels::new(0, &[]).levels.len(), 0);
    }

    #[test]
    fn one_goes_from_node_to_node() {
        let levels = Levels::new(4, &[(0, 1), (0, 2), (1, 3)]);
        assert_eq!(levels.moved(0, 1, 0), 1);
        assert_eq!(levels.moved(1, 0, 1), 2);
        assert_eq!(levels.moved(2, 0, 1), 2);
        assert_eq!(levels.moved(2, 0, -1), 1);
        assert_eq!(levels.moved(1, 9, 0), 3);
    }
}
