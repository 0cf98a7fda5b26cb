//! The commands of a tape.

mod settings;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use regex::Regex;

use super::keys;
use super::region::Region;
use super::scan::{Line, duration};
use super::screen::Format;
use super::tape::{Action, Place, Scope, Setup, Step, Tape, TapeError};

/// Every command but keys.
const COMMANDS: [&str; 16] = [
    "Copy",
    "Env",
    "Expect",
    "Hide",
    "Mask",
    "Output",
    "Paste",
    "Region",
    "Require",
    "Screenshot",
    "Set",
    "Show",
    "Sleep",
    "Source",
    "Type",
    "Wait",
];
/// The patience of `Wait`, as in VHS.
const PATIENCE: Duration = Duration::from_secs(15);
/// How often a key can be pressed with one command.
const MOST: usize = 1000;

/// Reads tapes into a set-up and steps.
#[derive(Debug)]
pub(super) struct Parser {
    setup: Setup,
    steps: Vec<Step>,
    /// Files with the screen at the end.
    outputs: Vec<Step>,
    /// The files that are being read: one that names itself would never end.
    open: Vec<PathBuf>,
    /// Whether a step has acted on the app.
    has_begun: bool,
    patience: Duration,
    pattern: Option<Regex>,
}

impl Parser {
    pub(super) fn new() -> Parser {
        Parser {
            setup: Setup::default(),
            steps: Vec::new(),
            outputs: Vec::new(),
            open: Vec::new(),
            has_begun: false,
            patience: PATIENCE,
            pattern: None,
        }
    }

    pub(super) fn finish(mut self) -> (Setup, Vec<Step>) {
        self.steps.append(&mut self.outputs);
        (self.setup, self.steps)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read, or has a mistake.
    pub(super) fn read(&mut self, path: &Path) -> Result<(), TapeError> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| TapeError::Unreadable(path.to_owned(), error))?;
        self.open.push(path.to_owned());
        self.parse(path, &text)?;
        self.open.pop();
        Ok(())
    }

    pub(super) fn parse(&mut self, path: &Path, text: &str) -> Result<(), TapeError> {
        let file: Arc<Path> = Arc::from(path);
        for (at, text) in text.lines().enumerate() {
            let mut line = Line::new(&file, at + 1, text);
            while !line.is_over() {
                let place = line.place();
                let action = self.command(&mut line, &place)?;
                let (is_output, Some(action)) = action else {
                    continue;
                };
                let step = Step {
                    text: line.since(&place).to_owned(),
                    place,
                    action,
                };
                match is_output {
                    true => self.outputs.push(step),
                    false => {
                        self.has_begun |= acts(&step.action);
                        self.steps.push(step);
                    }
                }
            }
        }
        Ok(())
    }

    /// Reads a command. Returns whether its step comes at the end, and the step.
    fn command(
        &mut self,
        line: &mut Line,
        place: &Place,
    ) -> Result<(bool, Option<Action>), TapeError> {
        let word = line.word();
        if keys::is_combination(word) {
            return match keys::combination(word) {
                Some(key) => Ok((false, Some(Action::Press(key, count(line)?)))),
                None => Err(TapeError::at(
                    place,
                    format!("`{word}` is not a key; write it like Ctrl+x, Alt+Enter or Shift+Tab"),
                )),
            };
        }
        let (name, after) = word
            .split_once('@')
            .map_or((word, None), |(name, after)| (name, Some(after)));
        let speed = after
            .map(|after| self.speed(place, name, after))
            .transpose()?;
        let action = match name {
            "Type" => Action::Type(typed(line)?),
            "Copy" => Action::Copy(line.text("the text to copy")?),
            "Paste" => Action::Paste,
            "Wait" | "Wait+Screen" | "Wait+Line" => {
                let pattern = line.pattern()?.or_else(|| self.pattern.clone());
                Action::Wait(scope(name), speed.unwrap_or(self.patience), pattern)
            }
            "Expect" | "Expect+Screen" | "Expect+Line" => {
                Action::Expect(scope(name), line.some_pattern(name)?)
            }
            "Mask" => Action::Mask(line.some_pattern(name)?),
            "Region" => Action::Region(region(line)?),
            "Screenshot" => Action::Keep(self.files(line, "the screenshot's file")?),
            "Output" => {
                let files = self.files(line, "the output's file")?;
                return Ok((true, Some(Action::Keep(files))));
            }
            "Set" => return Ok((false, self.set(line)?)),
            "Sleep" => {
                line.duration()?;
                return Ok((false, None));
            }
            "Hide" | "Show" => return Ok((false, None)),
            "Env" => return self.variable(line).map(|()| (false, None)),
            "Require" => return required(line).map(|()| (false, None)),
            "Source" => return self.source(line).map(|()| (false, None)),
            name => match keys::named(name) {
                Some(key) => Action::Press(key, count(line)?),
                None => return Err(TapeError::at(place, unknown(name))),
            },
        };
        Ok((false, Some(action)))
    }

    /// The duration behind a command: the patience of `Wait`, or a speed of typing, which has no
    /// effect.
    fn speed(&self, place: &Place, name: &str, after: &str) -> Result<Duration, TapeError> {
        let takes_one = matches!(name, "Type" | "Wait" | "Wait+Screen" | "Wait+Line")
            || keys::named(name).is_some();
        match duration(after) {
            Some(duration) if takes_one => Ok(duration),
            _ if !takes_one && !COMMANDS.contains(&name) => {
                Err(TapeError::at(place, unknown(name)))
            }
            Some(_) => Err(TapeError::at(
                place,
                format!("`{name}` takes no duration; write `{name}`"),
            )),
            None => Err(TapeError::at(
                place,
                format!("`{after}` is not a duration; write `{name}@500ms` or `{name}@2s`"),
            )),
        }
    }

    /// The files of a screen: one by its extension; without any, one in each format.
    fn files(&self, line: &mut Line, what: &str) -> Result<Vec<(PathBuf, Format)>, TapeError> {
        let place = line.place();
        let name = line.text(what)?;
        let path = self.beside(&name);
        let files: Vec<_> = match (path.extension(), Format::of(&path)) {
            (_, Some(format)) => vec![(path, format)],
            (None, None) => Format::ALL
                .map(|format| (path.with_extension(format.extension()), format))
                .into(),
            (Some(_), None) => {
                let message = format!(
                    "`{name}` cannot be written: a screen is stored as .txt, .ansi or .svg"
                );
                return Err(TapeError::at(&place, message));
            }
        };
        let kept = self.steps.iter().chain(&self.outputs);
        for step in kept {
            if let Action::Keep(others) = &step.action
                && let Some((twice, _)) = others.iter().find(|other| files.contains(other))
            {
                let message = format!(
                    "{} is already the screen of line {}",
                    twice.display(),
                    step.place.line
                );
                return Err(TapeError::at(&place, message));
            }
        }
        Ok(files)
    }

    /// A path relative to the folder of the tape that is being read.
    fn beside(&self, name: &str) -> PathBuf {
        let folder = self.open.last().and_then(|tape| tape.parent());
        folder.map_or_else(|| PathBuf::from(name), |folder| folder.join(name))
    }

    fn source(&mut self, line: &mut Line) -> Result<(), TapeError> {
        let place = line.place();
        let name = line.text("the tape")?;
        let path = self.beside(&name);
        if self.open.contains(&path) {
            return Err(TapeError::at(
                &place,
                format!("`{name}` is this tape, or one that it is part of"),
            ));
        }
        self.read(&path).map_err(|error| match error {
            TapeError::Unreadable(path, error) => {
                TapeError::at(&place, format!("{}: {error}", path.display()))
            }
            error => error,
        })
    }
}

/// Whether the app can no longer be set up differently after this step.
fn acts(action: &Action) -> bool {
    !matches!(
        action,
        Action::Mask(_) | Action::Region(_) | Action::Copy(_)
    )
}

fn scope(command: &str) -> Scope {
    match command.ends_with("+Line") {
        true => Scope::Line,
        false => Scope::Screen,
    }
}

/// How often a key is pressed.
fn count(line: &mut Line) -> Result<usize, TapeError> {
    let place = line.place();
    match line.number() {
        None => Ok(1),
        Some(count) if (1..=MOST).contains(&count) => Ok(count),
        Some(count) => Err(TapeError::at(
            &place,
            format!("a key is pressed 1 to {MOST} times, not {count}"),
        )),
    }
}

/// The texts of `Type`, with a space between two.
fn typed(line: &mut Line) -> Result<String, TapeError> {
    let mut texts = vec![line.text("the text to type")?];
    while line.is_quoted() {
        texts.push(line.text("the text to type")?);
    }
    Ok(texts.join(" "))
}

fn region(line: &mut Line) -> Result<Region, TapeError> {
    let place = line.place();
    if line.is_quoted() {
        return Ok(Region::Titled(line.text("the title")?));
    }
    let wrong = || {
        TapeError::at(
            &place,
            "write `Region Screen`, `Region Path`, `Region Keys`, `Region \"Title of a box\"`, or \
             `Region COLUMN ROW WIDTH HEIGHT`",
        )
    };
    let mut number = || line.number().and_then(|number| u16::try_from(number).ok());
    if let Some(x) = number() {
        return match (number(), number(), number()) {
            (Some(y), Some(width @ 1..), Some(height @ 1..)) => {
                Ok(Region::Cells(x, y, width, height))
            }
            _ => Err(wrong()),
        };
    }
    match line.word() {
        "Screen" => Ok(Region::Screen),
        "Path" => Ok(Region::Path),
        "Keys" => Ok(Region::Keys),
        _ => Err(wrong()),
    }
}

fn required(line: &mut Line) -> Result<(), TapeError> {
    let place = line.place();
    let program = line.text("the program")?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_there = std::env::split_paths(&path).any(|folder| folder.join(&program).is_file());
    match is_there {
        true => Ok(()),
        false => Err(TapeError::at(
            &place,
            format!("`{program}` is not installed: no directory of PATH has it"),
        )),
    }
}

fn unknown(name: &str) -> String {
    let named = keys::NAMED.iter().map(|(name, _)| name);
    match nearest(name, COMMANDS.iter().chain(named)) {
        Some(near) => format!("there is no command `{name}`; did you mean `{near}`?"),
        None => format!(
            "there is no command `{name}`; there are {}, and keys such as Enter, Down 3 or Ctrl+x",
            COMMANDS.join(", ")
        ),
    }
}

/// The name that is most like this one.
fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a &'a str>) -> Option<&'a str> {
    let folded = name.to_lowercase();
    let known: Vec<&str> = known.copied().collect();
    let same = known.iter().find(|known| known.to_lowercase() == folded);
    same.copied().or_else(|| {
        similar::get_close_matches(name, &known, 1, 0.7)
            .first()
            .copied()
    })
}

impl Tape {
    /// Reads a tape, and those that it names with `Source`.
    ///
    /// # Errors
    /// A file cannot be read, or has a mistake.
    pub fn read(path: &Path) -> Result<Tape, TapeError> {
        let mut parser = Parser::new();
        parser.read(path)?;
        let (setup, steps) = parser.finish();
        Ok(Tape {
            path: path.to_owned(),
            setup,
            steps,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<(Setup, Vec<Step>), TapeError> {
        let mut parser = Parser::new();
        parser.parse(Path::new("flow.tape"), text)?;
        Ok(parser.finish())
    }

    fn steps(text: &str) -> Vec<String> {
        let (_, steps) = parsed(text).expect("a tape");
        steps
            .iter()
            .map(|step| format!("{:?}", step.action))
            .collect()
    }

    #[test]
    fn commands_stand_on_lines_of_their_own_or_beside_each_other() {
        let text =
            "# A comment\nType@50ms \"a 'b'\" `c` Sleep 500ms Enter@1s 2 # more\n\tCtrl+Alt+X\n";
        let (_, steps) = parsed(text).expect("a tape");
        let texts: Vec<_> = steps
            .iter()
            .map(|step| (step.place.to_string(), step.text.as_str()))
            .collect();
        assert_eq!(
            texts,
            [
                ("flow.tape:2:1".to_owned(), "Type@50ms \"a 'b'\" `c`"),
                ("flow.tape:2:35".to_owned(), "Enter@1s 2"),
                ("flow.tape:3:2".to_owned(), "Ctrl+Alt+X"),
            ]
        );
        let Action::Type(text) = &steps[0].action else {
            panic!("{steps:?}");
        };
        assert_eq!(text, "a 'b' c");
    }

    #[test]
    fn settings_before_the_first_step_set_the_app_up() {
        let text = "Set Width 100\nSet Height 30\nSet FontSize 14\nSet TypingSpeed 50ms\n\
                    Set Clock 2026-03-05T09:45-03:00\nSet Theme dark\nEnv TZ America/Sao_Paulo\n\
                    Hide\nEnter\nShow\nSet Width 80\nSet Clock +75s";
        let (setup, steps) = parsed(text).expect("a tape");
        assert_eq!(setup.size, (100, 30));
        let clock = setup.clock.expect("a time");
        assert_eq!(clock.to_string(), "2026-03-05T09:45:00-03:00[-03:00]");
        assert_eq!(setup.theme.as_deref(), Some("dark"));
        let steps: Vec<_> = steps.iter().map(|step| step.text.as_str()).collect();
        assert_eq!(steps, ["Enter", "Set Width 80", "Set Clock +75s"]);
    }

    #[test]
    fn a_pattern_may_hold_a_slash() {
        let found = &steps(r"Wait+Line@2s /^a\/b$/")[0];
        assert!(
            found.contains("Line, 2s") && found.contains("^a/b$"),
            "{found}"
        );
    }

    #[test]
    fn a_screenshot_without_an_extension_is_stored_in_each_format() {
        let found = &steps("Screenshot board")[0];
        for file in ["board.txt", "board.ansi", "board.svg"] {
            assert!(found.contains(file), "{found}");
        }
    }

    #[test]
    fn an_output_is_the_screen_at_the_end() {
        let (_, steps) = parsed("Output end.txt\nEnter").expect("a tape");
        let steps: Vec<_> = steps.iter().map(|step| step.text.as_str()).collect();
        assert_eq!(steps, ["Enter", "Output end.txt"]);
    }

    #[test]
    fn a_mistake_names_its_place_and_what_is_right() {
        for (text, message) in [
            (
                "Enter\n  Enterr",
                "flow.tape:2:3: there is no command `Enterr`; did you mean `Enter`?",
            ),
            (
                "enter",
                "flow.tape:1:1: there is no command `enter`; did you mean `Enter`?",
            ),
            (
                "Set Widht 80",
                "flow.tape:1:5: there is no setting `Widht`; did you mean `Width`?",
            ),
            (
                "Set Width 1200",
                "flow.tape:1:11: `Set Width` takes 20 to 400 columns, not `1200`",
            ),
            ("Type \"a", "flow.tape:1:6: \" is not closed on this line"),
            ("Type", "flow.tape:1:5: the text to type is missing"),
            ("Expect CHECKED", "flow.tape:1:8: write `Expect /pattern/`"),
            (
                "Output demo.gif",
                "flow.tape:1:8: `demo.gif` cannot be written: a screen is stored as .txt, .ansi or .svg",
            ),
            (
                "Enter\nSet Theme dark",
                "flow.tape:2:5: `Set Theme` must come before the first step",
            ),
            (
                "Screenshot a.txt\nScreenshot a.txt",
                "flow.tape:2:12: a.txt is already the screen of line 1",
            ),
            (
                "Env HOME /",
                "flow.tape:1:5: the app does not read `HOME`; it reads EDITOR, NO_COLOR, TZ, VISUAL",
            ),
            (
                "Ctrl+Entr",
                "flow.tape:1:1: `Ctrl+Entr` is not a key; write it like Ctrl+x, Alt+Enter or Shift+Tab",
            ),
            (
                "Type@fast \"a\"",
                "flow.tape:1:1: `fast` is not a duration; write `Type@500ms` or `Type@2s`",
            ),
            (
                "Down 0",
                "flow.tape:1:6: a key is pressed 1 to 1000 times, not 0",
            ),
            (
                "Require no-such-program",
                "flow.tape:1:9: `no-such-program` is not installed: no directory of PATH has it",
            ),
        ] {
            let error = parsed(text).expect_err(text).to_string();
            assert_eq!(error, message);
        }
        let error = parsed("Expect /(/").expect_err("a pattern").to_string();
        assert!(
            error.starts_with("flow.tape:1:8: the pattern cannot be used: "),
            "{error}"
        );
        let error = parsed("Set Clock noon").expect_err("a time").to_string();
        assert!(
            error.contains("`noon` is not a time; write it like 2026-03-05T09:45"),
            "{error}"
        );
    }
}
