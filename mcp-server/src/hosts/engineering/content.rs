//! Checks the texts of sheets and diagrams, so that what is stored can be shown.

use frontdesk_protocol::engineering::document::DocumentKind;
use frontdesk_protocol::{ToolError, csv};

use crate::permits::Permit;

/// The first words of Mermaid diagrams.
const DIAGRAMS: &[&str] = &[
    "C4Component",
    "C4Container",
    "C4Context",
    "C4Deployment",
    "C4Dynamic",
    "architecture",
    "architecture-beta",
    "block",
    "block-beta",
    "classDiagram",
    "classDiagram-v2",
    "erDiagram",
    "flowchart",
    "flowchart-elk",
    "gantt",
    "gitGraph",
    "graph",
    "journey",
    "kanban",
    "mindmap",
    "packet",
    "packet-beta",
    "pie",
    "quadrantChart",
    "radar-beta",
    "requirementDiagram",
    "sankey",
    "sankey-beta",
    "sequenceDiagram",
    "stateDiagram",
    "stateDiagram-v2",
    "timeline",
    "treemap-beta",
    "xychart",
    "xychart-beta",
    "zenuml",
];

/// Checks the text of a document of this kind. An empty text is a document that is yet to be written.
///
/// # Errors
/// `invalid_argument`, with the wrong line and what it must be.
pub(in crate::hosts) fn check(
    _: &Permit,
    kind: DocumentKind,
    content: &str,
) -> Result<(), ToolError> {
    let checked = match kind {
        _ if content.trim().is_empty() => Ok(()),
        DocumentKind::Sheet => sheet(content),
        DocumentKind::Diagram => diagram(content),
        DocumentKind::Document | DocumentKind::UxMap => Ok(()),
    };
    checked.map_err(|why| ToolError::invalid("content", why))
}

/// CSV whose lines all have the same number of fields.
fn sheet(content: &str) -> Result<(), String> {
    let mut expected = None;
    for row in csv::rows(content, ',') {
        let row = row.map_err(|error| format!("line {}: {error}", error.line))?;
        let count = row.cells.len();
        let expected = *expected.get_or_insert(count);
        if count != expected {
            return Err(format!(
                "line {}: must have as many fields as the first line, {expected}, not {count}",
                row.line
            ));
        }
    }
    Ok(())
}

/// Mermaid, by the type that it begins with, or PlantUML, by its first and last lines.
fn diagram(content: &str) -> Result<(), String> {
    let lines = (1..).zip(content.lines().map(str::trim));
    let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with("%%"));
    let mut first = lines.next();
    if first.is_some_and(|(_, line)| line == "---") {
        // The settings before a Mermaid diagram.
        first = lines.by_ref().skip_while(|(_, line)| *line != "---").nth(1);
    }
    let Some((number, line)) = first else {
        return Err("must have a diagram below its comments and settings".to_owned());
    };
    if let Some(name) = line.strip_prefix("@start") {
        let name = name.split_whitespace().next().unwrap_or_default();
        let end = format!("@end{name}");
        let last = lines.last().map(|(_, line)| line);
        return match last == Some(end.as_str()) {
            true => Ok(()),
            false => Err(format!("the last line must be {end}")),
        };
    }
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let word = line.split(|c| !is_letter(c)).next().unwrap_or_default();
    match DIAGRAMS.contains(&word) {
        true => Ok(()),
        false => Err(format!(
            "line {number}: must begin with the type of a Mermaid diagram, such as flowchart or \
             sequenceDiagram, or with @startuml"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_has_the_same_fields_in_each_line() {
        for content in ["", "a,b\n1,2\n", "a,b\n\"1, or\n2\",\"\"\"x\"\"\"\n", "a"] {
            assert_eq!(
                check(&Permit::ALONE, DocumentKind::Sheet, content),
                Ok(()),
                "{content}"
            );
        }
        let refused =
            check(&Permit::ALONE, DocumentKind::Sheet, "a,b\n1,2\n3\n").expect_err("two fields");
        assert_eq!(
            refused.message,
            "line 3: must have as many fields as the first line, 2, not 1"
        );
        let refused =
            check(&Permit::ALONE, DocumentKind::Sheet, "a,b\n1,\"2\n3,4\n").expect_err("a mark");
        assert!(
            refused
                .message
                .starts_with("line 2: no quotation mark closes the cell that begins with \"2;"),
            "{}",
            refused.message
        );
    }

    #[test]
    fn a_diagram_begins_with_its_type() {
        for content in [
            "",
            "graph TD",
            "%% drawn by hand\n\nflowchart LR\n  a --> b",
            "---\ntitle: Order\n---\nerDiagram\n  A ||--o{ B : has",
            "gitGraph:\n  commit",
            "pie title Guests",
            "@startuml\nAna -> Ben\n@enduml\n",
            "@startmindmap\n* a\n@endmindmap",
        ] {
            assert_eq!(
                check(&Permit::ALONE, DocumentKind::Diagram, content),
                Ok(()),
                "{content}"
            );
        }
        for (content, part) in [
            ("grpah TD\n a --> b", "line 1: must begin with the type"),
            ("%% only a comment", "below its comments"),
            ("---\ntitle: x\n---\n", "below its comments"),
            ("---\ntitle: x\n---\n\nboxes", "line 5: must begin"),
            ("@startuml\nAna -> Ben", "the last line must be @enduml"),
        ] {
            let refused = check(&Permit::ALONE, DocumentKind::Diagram, content).expect_err(content);
            assert!(refused.message.contains(part), "{}", refused.message);
        }
    }
}
