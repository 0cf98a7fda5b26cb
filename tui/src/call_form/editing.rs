//! Editing the form: focus and keys.

use crossterm::event::{KeyCode, KeyEvent};
use frontdesk_form::kind::{Additional, Format};
use frontdesk_form::{EditError, Entry, Field, FieldError, Kind, Path, Segment, State};
use jiff::Timestamp;

use super::CallScreen;
use super::clock::Clock;
use super::signature::has_dry_run;
use crate::app::cx::Cx;
use crate::app::shared::Shared;
use crate::ui::input::Input;

impl CallScreen {
    /// The focused field.
    pub(super) fn focused(&self) -> Option<&Field> {
        self.form.field(&self.focus)
    }

    /// The errors of a field. Missing values are reported after the first attempt to call.
    pub(super) fn errors_at(
        &self,
        path: &Path,
        field: &Field,
    ) -> impl Iterator<Item = &FieldError> {
        let is_told = self.is_tried || *field.entry() != Entry::Absent;
        self.errors
            .iter()
            .filter(move |error| is_told && error.path == *path)
    }

    /// The fields that can be focused: all that can be changed.
    fn paths(&self) -> Vec<Path> {
        let rows = self.form.rows().into_iter();
        let paths = rows.map(|row| row.path);
        paths.filter(|path| !self.is_locked(path)).collect()
    }

    /// Moves the focus by this many fields, cyclically. It skips ids when wrapping, because a stray
    /// letter there would make the form refer to another record.
    pub(super) fn step_focus(&mut self, by: isize) {
        let paths = self.paths();
        let at = paths.iter().position(|path| *path == self.focus);
        let to = at.and_then(|at| paths.get(at.checked_add_signed(by)?));
        let is_plain = |path: &&Path| !self.form.field(path).is_some_and(is_id);
        let around = || match by < 0 {
            true => paths.iter().rev().find(is_plain).or(paths.last()),
            false => paths.iter().find(is_plain).or(paths.first()),
        };
        if let Some(path) = to.or_else(around).cloned() {
            self.focus_on(path);
        }
    }

    /// Focuses this field.
    pub(super) fn focus_on(&mut self, path: Path) {
        self.focus = path;
        self.load();
    }

    /// Focuses the previous field, or the nearest existing field around it.
    pub(super) fn settle_focus(&mut self) {
        let paths = self.paths();
        while !paths.contains(&self.focus) {
            match self.focus.split_last() {
                Some((above, _)) => self.focus = above,
                None => {
                    self.focus = paths.first().cloned().unwrap_or_default();
                    break;
                }
            }
        }
        self.load();
    }

    /// Loads the text input from the form.
    fn load(&mut self) {
        self.input = self
            .focused()
            .and_then(|field| input_of(field, &self.clock));
    }

    /// Handles a change of the form.
    pub(super) fn edited(&mut self, result: Result<(), EditError>) {
        self.complaint = result.err().map(|error| error.to_string());
        self.keep_record();
        self.errors = self.form.errors();
        self.settle_focus();
    }

    /// Whether the focused field can be changed.
    fn is_free(&self) -> bool {
        !self.is_locked(&self.focus)
    }

    /// Leaves the field out; a list entry or additional key is removed.
    pub(super) fn clear(&mut self) {
        if !self.is_free() {
            return;
        }
        let path = self.focus.clone();
        let is_free = self.focused().is_some_and(|field| !field.is_declared());
        let result = match is_free && !path.is_root() {
            true => self.form.remove(&path),
            false => self.form.clear(&path),
        };
        self.edited(result);
    }

    /// Sets the field to null, which is different from leaving it out.
    pub(super) fn set_null(&mut self) {
        if !self.is_free() {
            return;
        }
        let result = self.form.set_null(&self.focus);
        self.edited(result);
    }

    /// What saving does, for a tool that only reads, or that is tried first.
    pub(super) fn deed(&self) -> Option<String> {
        let deed = match self.asked() {
            Some(_) => return None,
            None if has_dry_run(&self.tool) => "dry run",
            None if self.tool.read_only && self.own_purpose().is_none() => "show",
            None => return None,
        };
        Some(deed.to_owned())
    }

    /// What leaving a field out means for a record that exists.
    pub(super) fn leaves_out(&self, shared: &Shared) -> Option<String> {
        let is_declared = self.focused().is_some_and(Field::is_declared);
        let is_change = is_declared && self.subject(shared).is_some();
        is_change.then(|| "leave as it is".to_owned())
    }

    /// Why the field cannot be left out.
    pub(super) fn no_clear(&self) -> Option<String> {
        let field = self.focused()?;
        let is_out = field.is_declared() && field.state() == State::Absent;
        (is_out || !self.is_free()).then(|| "the field is not filled in".to_owned())
    }

    /// Why the value of the record cannot be cleared.
    pub(super) fn no_null(&self) -> Option<String> {
        let is_fine = self.is_free() && self.focused()?.is_nullable();
        (!is_fine).then(|| "this field always has a value".to_owned())
    }

    /// Why nothing can be added here.
    pub(super) fn no_entry(&self) -> Option<String> {
        let is_fine = self.is_free() && (self.list_around().is_some() || self.wants_key());
        (!is_fine).then(|| "this field is no list".to_owned())
    }

    /// The list of the focus: the field itself, also if it can become one, or the nearest one
    /// around it.
    fn list_around(&self) -> Option<Path> {
        let mut path = self.focus.clone();
        loop {
            let kind = self.form.field(&path)?.leaf().kind();
            if matches!(kind, Kind::List(_) | Kind::Variant(_)) {
                return Some(path);
            }
            path = path.split_last()?.0;
        }
    }

    /// Switches to the next alternative.
    pub(super) fn next_variant(&mut self) {
        if !self.is_free() {
            return;
        }
        let Some(field) = self.focused() else {
            return;
        };
        let Kind::Variant(several) = field.kind() else {
            self.complaint = Some("this field has only one type".to_owned());
            return;
        };
        let next = field
            .chosen()
            .map_or(0, |at| (at + 1) % several.len().max(1));
        let result = self.form.choose_variant(&self.focus, next);
        self.edited(result);
    }

    /// Toggles JSON for the field.
    pub(super) fn turn_json(&mut self) {
        if !self.is_free() {
            return;
        }
        let is_json = self.focused().is_some_and(is_json);
        let result = match is_json {
            true => self.form.as_fields(&self.focus),
            false => self.form.as_json(&self.focus),
        };
        self.edited(result);
    }

    /// Whether an added entry needs a key.
    pub(super) fn wants_key(&self) -> bool {
        match self.focused().map(|field| field.leaf().kind()) {
            Some(Kind::Map(_)) => true,
            Some(Kind::Object(object)) => match object.additional {
                Additional::Invited => true,
                Additional::Tolerated => self.list_around().is_none(),
                Additional::Refused => false,
            },
            _ => false,
        }
    }

    /// Adds an entry to the list, or to the list around the field.
    pub(super) fn add_entry(&mut self) {
        if !self.is_free() {
            return;
        }
        let list = self.list_around().unwrap_or_else(|| self.focus.clone());
        let added = self.form.add_item(&list);
        if let Ok(path) = &added {
            self.focus = path.clone();
        }
        self.edited(added.map(drop));
    }

    /// Adds a key to the object.
    pub(super) fn add_key(&mut self, key: &str) -> Result<(), String> {
        let added = self.form.add_key(&self.focus, key);
        self.focus = added.map_err(|error| error.to_string())?;
        self.edited(Ok(()));
        Ok(())
    }

    /// Handles a key that is not a command.
    pub(super) fn pressed(&mut self, cx: &mut Cx, key: KeyEvent) {
        if !self.is_free() {
            return;
        }
        if let Some(input) = &mut self.input {
            let before = input.text();
            if input.key(key) {
                let text = input.text();
                if text != before {
                    self.typed(&text);
                }
                return;
            }
        }
        let word = self.word.take();
        let word = word.and_then(|(path, word)| (path == self.focus).then_some(word));
        match key.code {
            KeyCode::Enter if self.wants_list(cx.shared) => self.pick(cx),
            KeyCode::Enter if self.wants_record(cx.shared) => self.load_record(cx),
            KeyCode::Enter if self.is_quick() && self.paths().last() == Some(&self.focus) => {
                self.go(cx);
            }
            KeyCode::Enter | KeyCode::Down => self.step_focus(1),
            KeyCode::Up => self.step_focus(-1),
            KeyCode::Right if !self.is_choice() => {}
            KeyCode::Char(' ') | KeyCode::Right if self.input.is_none() => {
                let result = self.form.toggle(&self.focus);
                self.edited(result);
            }
            KeyCode::Left if self.is_choice() => {
                let result = self.form.toggle_back(&self.focus);
                self.edited(result);
            }
            KeyCode::Char(letter) if self.input.is_none() && key.modifiers.is_empty() => {
                self.choose(letter, &word.unwrap_or_default());
            }
            _ => {}
        }
    }

    /// Whether the field has few values, which the arrows go through.
    fn is_choice(&self) -> bool {
        let kind = self.focused().map(|field| field.leaf().kind());
        matches!(kind, Some(Kind::Boolean | Kind::Choice(_)))
    }

    /// Text was pasted.
    pub(super) fn pasted(&mut self, cx: &mut Cx, text: &str) {
        if !self.is_free() {
            return;
        }
        match &mut self.input {
            Some(input) => {
                input.paste_here(cx, text);
                let text = input.text();
                self.typed(&text);
            }
            None => {
                let result = self.form.set_text(&self.focus, text.trim());
                self.edited(result);
            }
        }
    }

    /// Enters the typed text in the form; the text input keeps its cursor. What is typed and erased is left out, unless
    /// a loaded record has the field.
    fn typed(&mut self, text: &str) {
        let is_loaded = || {
            let values = self.record.as_ref().map(|loaded| &loaded.found.record);
            let key = self.focus.segments().first();
            values.zip(key).is_some_and(|(values, key)| match key {
                Segment::Key(key) => values.contains_key(key),
                Segment::Index(_) => false,
            })
        };
        let is_never_empty = || self.focused().is_some_and(is_never_empty);
        let result = match text.is_empty() && (is_never_empty() || !is_loaded()) {
            true => self.form.clear(&self.focus),
            false => self.enter(text),
        };
        self.complaint = result.err().map(|error| error.to_string());
        self.keep_record();
        self.errors = self.form.errors();
    }

    /// Enters a text in the focused field. Two times in a field before another time fill both.
    fn enter(&mut self, text: &str) -> Result<(), EditError> {
        let is_time = self.focused().is_some_and(Clock::is_time);
        let rows = self.form.rows();
        let times = rows.iter().filter(|row| Clock::is_time(row.field));
        let times: Vec<_> = times.map(|row| row.path.clone()).collect();
        let at = times.iter().position(|path| *path == self.focus);
        let next = at.and_then(|at| times.get(at + 1)).cloned();
        let before = at.and_then(|at| times.get(at.checked_sub(1)?)).cloned();
        let start = before.and_then(|path| Clock::at(self.form.field(&path)?));
        if let (true, Some(next), Some((first, last))) = (is_time, next, Clock::span(text)) {
            let focus = self.focus.clone();
            self.enter_time(&focus, first, start)?;
            let start = self.form.field(&focus).and_then(Clock::at);
            return self.enter_time(&next, last, start);
        }
        let focus = self.focus.clone();
        self.enter_time(&focus, text, start)
    }

    fn enter_time(
        &mut self,
        path: &Path,
        text: &str,
        start: Option<Timestamp>,
    ) -> Result<(), EditError> {
        let field = self.form.field(path);
        let meant = field.and_then(|field| self.clock.read(field, text, start));
        self.form.set_text(path, meant.as_deref().unwrap_or(text))
    }

    /// A letter in a field without text input: selects the choice that begins with the letters typed so far, and with the
    /// same letter again the next one; or the alternative into which it can be typed.
    fn choose(&mut self, letter: char, word: &str) {
        let Some(field) = self.focused() else {
            return;
        };
        let words = match field.leaf().kind() {
            Kind::Choice(choices) => {
                let labels: Vec<&str> = choices.iter().map(|one| one.label.as_str()).collect();
                let typed = format!("{word}{letter}").to_lowercase();
                let (found, word) = chosen(&labels, &field.leaf().summary(), &typed);
                let Some(found) = found.map(str::to_owned) else {
                    self.complaint = Some(format!("no value begins with “{typed}”"));
                    return;
                };
                self.word = Some((self.focus.clone(), word));
                Some(found)
            }
            Kind::Boolean | Kind::Variant(_) => Some(letter.to_string()),
            _ => None,
        };
        if let Some(words) = words {
            let result = self.form.set_text(&self.focus, &words);
            self.edited(result);
        }
    }
}

/// The choice for the letters typed so far, in lower case, and the letters that count from then on. `now` is the choice
/// that is selected.
fn chosen<'a>(labels: &[&'a str], now: &str, typed: &str) -> (Option<&'a str>, String) {
    let begins = |label: &&str, start: &str| label.to_lowercase().starts_with(start);
    let at = labels.iter().position(|label| *label == now);
    let (before, after) = labels.split_at(at.map_or(0, |at| at + 1));
    let mut after_this = after.iter().chain(before);
    let mut letters = typed.chars();
    let first = letters.next().map(String::from).unwrap_or_default();
    if letters.as_str().is_empty() {
        return (
            after_this.find(|label| begins(label, typed)).copied(),
            first,
        );
    }
    let this = at.map(|at| labels[at]);
    let this = this.filter(|label| begins(label, typed));
    let found = this.or_else(|| labels.iter().find(|label| begins(label, typed)).copied());
    match found {
        None if typed.chars().all(|letter| first.contains(letter)) => (
            after_this.find(|label| begins(label, &first)).copied(),
            first,
        ),
        found => (found, typed.to_owned()),
    }
}

/// Whether the field is a single id.
fn is_id(field: &Field) -> bool {
    matches!(field.kind(), Kind::Text(text) if text.format == Some(Format::Uuid))
}

/// Whether an empty text is invalid for the field, so it means that the field is left out: numbers,
/// dates.
fn is_never_empty(field: &Field) -> bool {
    let is_written_so = match field.kind() {
        Kind::Number(_) => true,
        Kind::Text(text) => text.format.is_some(),
        _ => false,
    };
    is_written_so && field.is_declared() && !is_json(field)
}

/// Whether the field is edited as JSON.
pub(super) fn is_json(field: &Field) -> bool {
    matches!(field.leaf().entry(), Entry::Json(_))
}

/// The text input for a field, if it needs one.
fn input_of(field: &Field, clock: &Clock) -> Option<Input> {
    let leaf = field.leaf();
    if let Some(text) = clock.show(field) {
        return Some(Input::line(&text));
    }
    match (leaf.entry(), leaf.kind()) {
        (Entry::Json(json), _) => Some(Input::prose(json.text())),
        (entry, Kind::Text(_) | Kind::Number(_)) => {
            let text = match entry {
                Entry::Text(text) => text.as_str(),
                _ => "",
            };
            Some(match leaf.kind() {
                Kind::Text(kind) if kind.multiline || text.contains('\n') => Input::prose(text),
                Kind::Text(kind) if kind.secret => {
                    let mut input = Input::secret();
                    input.paste(text);
                    input
                }
                _ => Input::line(text),
            })
        }
        (_, Kind::Raw) => Some(Input::prose("")),
        _ => None,
    }
}

/// Whether the text input has several lines.
pub(super) fn has_lines(field: &Field) -> bool {
    let leaf = field.leaf();
    is_json(field)
        || match leaf.kind() {
            // A text with several lines, e.g. from an editor, keeps them.
            Kind::Text(kind) => {
                kind.multiline || matches!(leaf.entry(), Entry::Text(text) if text.contains('\n'))
            }
            Kind::Raw => true,
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use super::chosen;

    #[test]
    fn a_choice_is_found_by_the_letters_of_its_word() {
        let roles = ["owner", "admin", "staff", "student", "teacher", "finance"];
        for (typed, found) in [
            ("staff", "staff"),
            ("student", "student"),
            ("s", "staff"),
            ("ss", "student"),
            ("sss", "staff"),
            ("F", "finance"),
        ] {
            let (mut now, mut word) = ("owner", String::new());
            for letter in typed.to_lowercase().chars() {
                word.push(letter);
                let (next, kept) = chosen(&roles, now, &word);
                (now, word) = (next.expect(typed), kept);
            }
            assert_eq!(now, found, "{typed}");
        }
        assert_eq!(chosen(&roles, "staff", "stx").0, None);
        assert_eq!(chosen(&roles, "staff", "x").0, None);
    }
}
