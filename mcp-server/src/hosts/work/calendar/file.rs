//! The entries of a calendar file, line by line: a parser that calls itself for each component would end the process
//! where they nest deep, and one bad entry must not cost the others.

use icalendar::parser::Property;

/// The most entries of a file.
const MOST_ENTRIES: usize = 1_000;
/// The deepest nesting of components: an alarm within an entry within a calendar is three levels deep.
const DEEPEST: usize = 8;
/// Components that are entries: one does not begin within another.
const ENTRIES: [&str; 3] = ["VEVENT", "VTODO", "VJOURNAL"];

/// A component of the file.
#[derive(Debug)]
pub(super) struct Part<'a> {
    pub(super) name: String,
    /// The number of its first line.
    pub(super) line: usize,
    properties: Vec<Property<'a>>,
    pub(super) parts: Vec<Part<'a>>,
    /// Why it cannot be read.
    pub(super) wrong: Option<String>,
}

impl<'a> Part<'a> {
    fn new(name: String, line: usize) -> Part<'a> {
        Part {
            name,
            line,
            properties: Vec::new(),
            parts: Vec::new(),
            wrong: None,
        }
    }

    /// The properties of this name, which is in capitals.
    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = &Property<'a>> {
        let is_named = move |one: &&Property<'_>| one.name.as_str() == name;
        self.properties.iter().filter(is_named)
    }

    /// The first property of this name.
    pub(super) fn first(&self, name: &str) -> Option<&Property<'a>> {
        self.all(name).next()
    }

    /// The text of a property, unless it is empty.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        let text = self.first(name)?.val.as_str().trim();
        (!text.is_empty()).then_some(text)
    }

    /// The parts of these names, at any depth.
    pub(super) fn find<'s>(&'s self, names: &[&str], found: &mut Vec<&'s Part<'a>>) {
        for part in &self.parts {
            if names.contains(&part.name.as_str()) {
                found.push(part);
            }
            part.find(names, found);
        }
    }

    /// Its entries.
    pub(super) fn entries(&self) -> Vec<&Part<'a>> {
        let mut found = Vec::new();
        self.find(&ENTRIES, &mut found);
        found
    }
}

/// The value of a parameter without its quotation marks.
pub(super) fn parameter<'a>(property: &'a Property<'_>, name: &str) -> Option<&'a str> {
    let mut params = property.params.iter();
    let found = params.find(|one| one.key.as_str().eq_ignore_ascii_case(name))?;
    Some(found.val.as_ref()?.as_str().trim_matches('"'))
}

/// The lines of a file with their numbers: a line that begins with a space or a tab continues the one before, and a
/// property's name is in capitals. Lines end with CR, LF or both.
pub(super) fn lines(calendar: &str) -> Vec<(usize, String)> {
    let calendar = calendar.trim_start_matches('\u{feff}');
    let calendar = calendar.replace("\r\n", "\n").replace('\r', "\n");
    let mut lines: Vec<(usize, String)> = Vec::new();
    for (number, line) in (1..).zip(calendar.split('\n')) {
        match (line.strip_prefix([' ', '\t']), lines.last_mut()) {
            (Some(more), Some((_, before))) => before.push_str(more),
            _ if line.trim().is_empty() => {}
            _ => lines.push((number, line.to_owned())),
        }
    }
    for (_, line) in &mut lines {
        line.truncate(line.trim_end().len());
        let name = line.find([':', ';']).unwrap_or(0);
        if let Some(name) = line.get_mut(..name) {
            name.make_ascii_uppercase();
        }
    }
    lines
}

/// Reads the components of all calendars in a file, as the parts of one.
///
/// # Errors
/// A message for a file that is no calendar, or is too large.
pub(super) fn parts(lines: &[(usize, String)]) -> Result<Part<'_>, String> {
    let mut open = vec![Part::new(String::new(), 0)];
    let (mut entries, mut is_calendar) = (0, false);
    let end = |open: &mut Vec<Part<'_>>, wrong: Option<String>| {
        if let Some(mut part) = open.pop()
            && let Some(above) = open.last_mut()
        {
            part.wrong = part.wrong.or(wrong);
            above.parts.push(part);
        }
    };
    let unended = |open: &[Part<'_>]| {
        let name = open.last().map(|part| &*part.name).unwrap_or_default();
        Some(format!("it has no END:{name}"))
    };
    for (number, line) in lines {
        if let Some(name) = line.strip_prefix("BEGIN:") {
            let name = name.trim().to_ascii_uppercase();
            is_calendar |= name == "VCALENDAR";
            let is_entry = ENTRIES.contains(&&*name);
            let is_within =
                |part: &Part<'_>| name == "VCALENDAR" || is_entry && ENTRIES.contains(&&*part.name);
            // The one before has no end.
            if let Some(at) = open
                .iter()
                .position(|part| part.line > 0 && is_within(part))
            {
                while open.len() > at {
                    let wrong = unended(&open);
                    end(&mut open, wrong);
                }
            }
            entries += usize::from(is_entry);
            open.push(Part::new(name, *number));
            if open.len() > DEEPEST + 1 {
                return Err(format!(
                    "line {number}: nests more than {DEEPEST} levels deep"
                ));
            }
            if entries > MOST_ENTRIES {
                return Err(format!("it has more than {MOST_ENTRIES} entries"));
            }
        } else if let Some(name) = line.strip_prefix("END:") {
            let name = name.trim().to_ascii_uppercase();
            match open
                .iter()
                .rposition(|part| part.line > 0 && part.name == name)
            {
                Some(at) => {
                    while open.len() > at + 1 {
                        let wrong = unended(&open);
                        end(&mut open, wrong);
                    }
                    end(&mut open, None);
                }
                None if ENTRIES.contains(&&*name) => {
                    open.push(Part::new(name.clone(), *number));
                    end(&mut open, Some(format!("it has no BEGIN:{name}")));
                }
                None => {}
            }
        } else if let Some(part) = open.last_mut().filter(|part| part.line > 0) {
            match Property::try_from(line.as_str()) {
                Ok(property) => part.properties.push(property),
                Err(_) => {
                    let wrong = format!("line {number} must be a name, a colon and a value");
                    part.wrong.get_or_insert(wrong);
                }
            }
        }
    }
    while open.len() > 1 {
        let wrong = unended(&open);
        end(&mut open, wrong);
    }
    match open.pop() {
        Some(file) if is_calendar => Ok(file),
        _ => Err("it has no VCALENDAR".to_owned()),
    }
}
