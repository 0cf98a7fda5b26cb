//! A board: the records of a list as cards, in columns by the values of a field. The field is the
//! state unless the view names another. Moving a card calls the update tool of the record.

use frontdesk_client::CallError;
use frontdesk_protocol::ErrorCode;
use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use serde_json::{Map, Value};

use super::cards::{Cards, Lane, Word};
use super::contexts::BOARD;
use super::listing::Listing;
use super::listing::groups::{Groups, Left};
use super::record::Record;
use super::view::View;
use crate::app::cx::Cx;
use crate::app::effects::call::Answer;
use crate::app::hits::Hit;
use crate::app::input::command::Context;
use crate::app::owner::RequestId;
use crate::app::shared::Shared;
use crate::fields::Field;
use crate::fields::cell::{self, Cell};
use crate::look::mark::{Mark, spinner};
use crate::look::text::{cells, count, fit};
use crate::look::theme::Theme;
use crate::ui::panel::{self, framed};
use crate::ui::problem::Problem;
use crate::ui::table;

/// Minimum width of a column. If not all columns fit, those around the selected one are shown.
const LEAST: u16 = 26;
/// Width of the selection mark to the left of a card.
const MARK: u16 = 2;

/// A board over a list.
#[derive(Debug)]
pub(crate) struct Board {
    field: &'static Field,
    cards: Cards,
    column: usize,
    /// The list is not loaded yet: its first column will be selected.
    is_new: bool,
    /// The selected record of the list while an empty column is selected.
    resting: Option<String>,
    /// The selected card while records outside the board are shown.
    aside: Option<String>,
    moving: Vec<Moving>,
}

/// A pending move.
#[derive(Debug)]
struct Moving {
    request: RequestId,
    /// The id of the card.
    card: String,
    /// The message after it.
    done: String,
}

impl Board {
    /// A board of the list, if its records can be shown as cards.
    pub(crate) fn of(list: &Listing, shared: &Shared) -> Option<Self> {
        let kind = list.kind;
        let cards = match View::of(kind, shared).board {
            Some(cards) => cards.clone(),
            None => {
                let (field, words) = kind.state_field()?;
                let lanes = words
                    .iter()
                    .map(|word| Lane::of(cell::state(word).text, word));
                Cards {
                    field: &field.name,
                    lanes: lanes.collect(),
                    lines: 1,
                    card: |_, _, _| Vec::new(),
                    context: &BOARD,
                }
            }
        };
        Some(Board {
            field: kind.field(cards.field)?,
            cards,
            column: 0,
            is_new: list.selected().is_none(),
            resting: None,
            aside: None,
            moving: Vec::new(),
        })
    }

    /// Groups the list by the board's columns.
    pub(crate) fn begin(&mut self, list: &mut Listing, shared: &Shared) {
        let lanes = self.cards.lanes.iter().map(Lane::words);
        list.group(Some(Groups::new(self.cards.field, lanes)), shared);
        self.settle(list);
    }

    /// The context of the board's commands.
    pub(crate) fn context(&self) -> &'static Context {
        self.cards.context
    }

    /// The positions of a column's cards in the list.
    fn places<'a>(&self, list: &'a Listing, column: usize) -> &'a [usize] {
        list.groups().map_or(&[], |groups| groups.places(column))
    }

    /// The position of the selected card in its column.
    fn at(&self, list: &Listing) -> Option<usize> {
        let selected = list.place()?;
        self.places(list, self.column).binary_search(&selected).ok()
    }

    /// The selected card.
    pub(crate) fn selected<'a>(&self, list: &'a Listing) -> Option<&'a Record> {
        self.at(list).and_then(|_| list.selected())
    }

    /// Updates the selection after the list changed: selects the column of the selected record,
    /// unless the user has selected an empty column.
    pub(crate) fn settle(&mut self, list: &mut Listing) {
        let Some(selected) = list.selected() else {
            return;
        };
        if std::mem::take(&mut self.is_new) {
            return self.select(list, 0, 0);
        }
        let is_resting = self.resting.as_deref() == Some(selected.id())
            && self.places(list, self.column).is_empty();
        if is_resting {
            return;
        }
        self.resting = None;
        let group = list.groups().and_then(|groups| groups.of(selected));
        match group {
            Some(column) => self.column = column,
            None => self.select(list, self.column, 0),
        }
    }

    /// Switches between the records outside the board and the board.
    pub(crate) fn turn_aside(&mut self, list: &mut Listing, shared: &Shared) {
        let is_aside = list.groups().is_some_and(Groups::shows_left);
        if !is_aside {
            self.aside = self.selected(list).map(|card| card.id().to_owned());
        }
        list.show_left(!is_aside, shared);
        if is_aside {
            list.select_record(self.aside.take(), shared);
            self.settle(list);
        }
    }

    fn select(&mut self, list: &mut Listing, column: usize, at: usize) {
        self.column = column;
        let places = self.places(list, column);
        let place = places.get(at).or(places.last()).copied();
        self.resting = None;
        match place {
            Some(place) => list.select(place),
            None => self.resting = list.selected().map(|record| record.id().to_owned()),
        }
    }

    /// Selects the card at this place in this column. Returns whether it was selected before.
    pub(crate) fn point(&mut self, list: &mut Listing, column: usize, at: usize) -> bool {
        let was_selected = self.column == column && self.at(list) == Some(at);
        self.select(list, column, at);
        was_selected
    }

    /// Moves the selection up or down in the column.
    pub(crate) fn step(&mut self, list: &mut Listing, by: isize) {
        let cards = self.places(list, self.column).len();
        if let Some(at) = table::moved(cards, self.at(list), by) {
            self.select(list, self.column, at);
        }
    }

    /// Moves the selection to another column.
    pub(crate) fn step_column(&mut self, list: &mut Listing, by: isize) {
        let at = self.at(list).unwrap_or(0);
        let last = self.cards.lanes.len().saturating_sub(1);
        let column = self.column.saturating_add_signed(by).min(last);
        self.select(list, column, at);
    }

    /// All values in the order of progress.
    fn words(&self) -> impl Iterator<Item = Word> {
        self.cards
            .lanes
            .iter()
            .flat_map(|lane| lane.words().iter().copied())
    }

    /// The board's field and its value for a record added at the selection.
    pub(crate) fn given(&self, list: &Listing) -> (String, Value) {
        let beside = self
            .selected(list)
            .and_then(|card| card.text(self.cards.field));
        let first = self.cards.lanes.get(self.column);
        let first = first.and_then(|lane| lane.words().first());
        let word = beside.or(first.map(|(word, _)| *word));
        (self.field.name.clone(), word.into())
    }

    /// The column of a value, with its badge: `QA / Test · Design`.
    fn named(&self, word: &str) -> String {
        let mut lanes = self.cards.lanes.iter();
        let found = lanes.find_map(|lane| Some((lane.title(), lane.badge(word)?)));
        let words = cell::words(word);
        match found {
            // Without the glyph of a state.
            Some((title, "")) if !title.ends_with(&words) => title.to_owned(),
            Some((title, badge)) if !badge.is_empty() => format!("{title} · {badge}"),
            _ => words,
        }
    }

    /// Whether a move of this card is pending.
    fn is_moving(&self, card: &Record) -> bool {
        self.moving.iter().any(|one| one.card == card.id())
    }

    /// Moves the selected card to the next or previous value, unless a move is pending.
    pub(crate) fn move_card(&mut self, cx: &mut Cx, list: &Listing, by: isize) {
        let Some(card) = self.selected(list).filter(|card| !self.is_moving(card)) else {
            return;
        };
        let now = card.text(self.cards.field);
        let at = self.words().position(|(word, _)| Some(word) == now);
        let to = at.and_then(|at| at.checked_add_signed(by));
        let to = to.and_then(|to| self.words().nth(to));
        let (Some((word, _)), Some(update)) = (to, &list.kind.update) else {
            return;
        };
        let arguments = Map::from_iter([
            (update.argument.clone(), card.id().into()),
            (self.field.name.clone(), word.into()),
        ]);
        self.moving.push(Moving {
            request: cx.write(update.tool.writing(arguments)),
            card: card.id().to_owned(),
            done: format!("Moved “{}” to {}", card.label(list.kind), self.named(word)),
        });
    }

    /// Handles the answer to a move. The card itself moves when the write is announced to all
    /// screens.
    pub(crate) fn answered(
        &mut self,
        cx: &mut Cx,
        list: &mut Listing,
        request: RequestId,
        answer: &Answer,
    ) -> bool {
        let mut moving = self.moving.iter();
        let Some(at) = moving.position(|one| one.request == request) else {
            return false;
        };
        let done = self.moving.remove(at).done;
        match &answer.result {
            Ok(reply) => cx.toast_done(&done, reply),
            Err(error) => {
                let (mark, words) = Problem::message(error, "Not moved");
                cx.toast(mark, words);
                let is_gone =
                    matches!(error, CallError::Tool(error) if error.code == ErrorCode::NotFound);
                if is_gone || error.may_be_done() {
                    list.load(cx);
                }
            }
        }
        true
    }

    /// Whether a move is pending.
    pub(crate) fn is_busy(&self) -> bool {
        !self.moving.is_empty()
    }

    /// Draws as many columns as fit, around the selected one.
    pub(crate) fn draw(&self, list: &Listing, shared: &Shared, frame: &mut Frame, area: Rect) {
        if list.shown().next().is_none() && !list.is_known() {
            return list.draw(shared, frame, area);
        }
        let left = list.groups().map(Groups::left).unwrap_or_default();
        let has_left = u16::from(left != Left::default());
        let [head, body, foot] =
            Layout::vertical([Length(1), Fill(1), Length(has_left)]).areas(area);
        let lanes = self.cards.lanes.len();
        let room = usize::from(area.width / LEAST).clamp(1, lanes.max(1));
        let seen = table::visible(lanes, Some(self.column), room);
        self.draw_head(list, &seen, shared, frame, head);
        let body = list.draw_search(shared, frame, body);
        self.draw_left(list, left, shared, frame, foot);
        let places = Layout::horizontal(seen.clone().map(|_| Fill(1))).split(body);
        for (column, place) in seen.zip(places.iter()) {
            self.draw_lane(list, column, shared, frame, *place);
        }
    }

    /// The title with the count: "Shaping 12".
    fn title(&self, list: &Listing, column: usize) -> String {
        let more = if list.has_more() { "+" } else { "" };
        let number = self.places(list, column).len();
        format!("{} {number}{more}", self.cards.lanes[column].title())
    }

    /// Draws the number of records and the titles of hidden columns on both sides.
    fn draw_head(
        &self,
        list: &Listing,
        seen: &std::ops::Range<usize>,
        shared: &Shared,
        frame: &mut Frame,
        area: Rect,
    ) {
        let theme = &shared.settings.theme;
        frame.render_widget(list.title(shared), area);
        let titles = |columns: std::ops::Range<usize>| {
            let titles: Vec<String> = columns.map(|at| self.title(list, at)).collect();
            titles.join(" · ")
        };
        let mut beyond = Vec::new();
        if seen.start > 0 {
            beyond.push(format!("‹ {}", titles(0..seen.start)));
        }
        if seen.end < self.cards.lanes.len() {
            beyond.push(format!("{} ›", titles(seen.end..self.cards.lanes.len())));
        }
        let beyond = format!("{} ", beyond.join("  "));
        let taken = list.title(shared).width();
        let width = cells(&beyond).min(usize::from(area.width).saturating_sub(taken + 1)) as u16;
        let place = Rect {
            x: area.right() - width,
            width,
            ..area
        };
        frame.render_widget(Line::styled(fit(&beyond, width.into()), theme.dim), place);
    }

    /// Draws how many records are not on the board, and why.
    fn draw_left(
        &self,
        list: &Listing,
        left: Left,
        shared: &Shared,
        frame: &mut Frame,
        area: Rect,
    ) {
        let theme = &shared.settings.theme;
        let kind = list.kind;
        let more = if list.has_more() { "+" } else { "" };
        let number = left.empty + left.other;
        let records = count(
            number,
            &format!("{more}{}", kind.one),
            &format!("{more}{}", kind.many),
        );
        let field = self.field.title.to_lowercase();
        let why = match left.other {
            0 => format!("no {field}"),
            _ => format!("no column for the {field}"),
        };
        let words = format!("{records} not on the board: {why} · ");
        let line = Line::from(vec![
            Span::raw(" "),
            Mark::Warn.span(theme, &words),
            panel::key(shared, "board.left_out"),
            Span::raw(" show"),
        ]);
        frame.render_widget(line, area);
    }

    fn draw_lane(
        &self,
        list: &Listing,
        column: usize,
        shared: &Shared,
        frame: &mut Frame,
        area: Rect,
    ) {
        let theme = &shared.settings.theme;
        let is_here = column == self.column;
        let border = if is_here { theme.focus } else { theme.border };
        let title = format!(" {} ", self.title(list, column));
        let inside = framed(frame, area, title, border);
        let places = self.places(list, column);
        let selected = self.at(list).filter(|_| is_here);
        let height = self.cards.lines.max(1);
        let room = usize::from(inside.height / height).max(1);
        for (at, row) in table::visible(places.len(), selected, room).zip(0u16..) {
            let Some(card) = list.record(places[at]) else {
                continue;
            };
            let y = inside.y + row * height;
            let place = Rect {
                y,
                height: height.min(inside.bottom().saturating_sub(y)),
                ..inside
            };
            shared.hits.add(place, Hit::Card(column, at));
            self.draw_card(list, card, selected == Some(at), shared, frame, place);
        }
    }

    fn draw_card(
        &self,
        list: &Listing,
        card: &Record,
        is_selected: bool,
        shared: &Shared,
        frame: &mut Frame,
        area: Rect,
    ) {
        let theme: &Theme = &shared.settings.theme;
        let word = card.text(self.cards.field);
        let mut lanes = self.cards.lanes.iter();
        let badge = word.and_then(|word| lanes.find_map(|lane| lane.badge(word)));
        let mut lines = (self.cards.card)(card, badge.unwrap_or(""), shared);
        if lines.is_empty() {
            lines.push(Cell::new(card.label(list.kind)));
        }
        if list.is_marked(card.id())
            && let Some(first) = lines.first_mut()
        {
            first.text = format!("{} {}", Mark::tick(true), first.text);
        }
        let is_moving = self.is_moving(card);
        if is_moving && let Some(first) = lines.first_mut() {
            first.text = format!("{} {}", spinner(shared.spin), first.text);
        }
        if is_selected {
            frame.buffer_mut().set_style(area, theme.selected);
            frame.render_widget(Span::styled("▸ ", theme.selected), area);
            shared.hits.select(area.as_position());
        }
        let mut inside = Rect {
            x: area.x + MARK,
            width: area.width.saturating_sub(MARK),
            height: 1,
            ..area
        };
        for line in lines.iter().take(area.height.into()) {
            let style = match (is_selected, is_moving) {
                // One style for the whole card: colours on a reversed one are hard to read.
                (true, _) => theme.selected,
                (false, true) => theme.busy,
                (false, false) => line.tone.style(theme),
            };
            let text = fit(&line.text, inside.width.into());
            frame.render_widget(Line::styled(text, Style::new().patch(style)), inside);
            inside.y += 1;
        }
    }
}
