//! The results of tapes, for people and for machines.

use quick_junit::{NonSuccessKind, Report, SerializeError, TestCase, TestCaseStatus, TestSuite};

use super::player::{Check, Outcome, Played};

/// The result of a tape: a line, and a paragraph for each failure.
pub fn summary(played: &Played) -> String {
    let tape = played.path.display();
    let count = |number: usize| match number {
        1 => "1 check".to_owned(),
        number => format!("{number} checks"),
    };
    if played.has_passed() {
        let mut lines = vec![format!("ok      {tape}  {}", count(played.checks.len()))];
        for check in &played.checks {
            if let Outcome::Updated(files) = &check.outcome {
                lines.extend(
                    files
                        .iter()
                        .map(|file| format!("        wrote {}", file.display())),
                );
            }
        }
        return lines.join("\n");
    }
    let mut text = format!("FAILED  {tape}");
    for check in &played.checks {
        if let Outcome::Failed(message) = &check.outcome {
            let message = message.replace('\n', "\n  ");
            text.push_str(&format!(
                "\n\n  {}  {}\n  {message}",
                check.place, check.text
            ));
        }
    }
    text.push('\n');
    text
}

/// The results as JUnit XML: a test suite for each tape, a test case for each check. Without times,
/// so that two runs write the same file.
///
/// # Errors
/// The report cannot be serialized.
pub fn junit(tapes: &[Played]) -> Result<String, SerializeError> {
    let mut report = Report::new("frontdesk play");
    for played in tapes {
        let tape = played.path.display().to_string();
        let mut suite = TestSuite::new(&*tape);
        suite.add_test_cases(played.checks.iter().map(|check| case(&tape, check)));
        if played.checks.is_empty() {
            let mut case = TestCase::new("played", TestCaseStatus::success());
            case.set_classname(&*tape);
            suite.add_test_case(case);
        }
        report.add_test_suite(suite);
    }
    report.to_string()
}

fn case(tape: &str, check: &Check) -> TestCase {
    let status = match &check.outcome {
        Outcome::Passed | Outcome::Updated(_) => TestCaseStatus::success(),
        Outcome::Failed(message) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            let first = message.lines().next().unwrap_or_default();
            status.set_message(first).set_description(message);
            status
        }
    };
    let name = format!("line {}: {}", check.place.line(), check.text);
    let mut case = TestCase::new(name, status);
    case.set_classname(tape);
    case
}
