//! Validates the entered values and assigns each error to a field.

mod words;

use std::sync::Arc;

use frontdesk_protocol::exact;
use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, ValidationError, Validator};
use serde_json::Value;

use crate::field::Field;
use crate::kind::Kind;
use crate::path::{Path, Segment};
use crate::schema::Document;

/// An error of one field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    /// The field itself, or the nearest existing field around it.
    pub path: Path,
    /// The predicate of a sentence that starts with the label of the field: `must be a number`.
    pub message: String,
}

/// The compiled schema.
#[derive(Debug, Clone)]
pub(crate) struct Checker {
    validator: Option<Arc<Validator>>,
    /// False if parts of the schema were invalid and left out.
    is_whole: bool,
}

/// The number of invalid parts that are removed from a schema before it is given up.
const MOST_MISTAKES: usize = 50;

impl Checker {
    /// Removes invalid parts of the schema, so the rest can still be checked.
    pub(crate) fn new(document: &Document) -> Checker {
        let mut schema = document.root().clone();
        if document.is_endless() {
            return Checker {
                validator: None,
                is_whole: false,
            };
        }
        for mistakes in 0..MOST_MISTAKES {
            let wrong = match build(&schema) {
                Ok(validator) => {
                    return Checker {
                        validator: Some(Arc::new(validator)),
                        is_whole: mistakes == 0,
                    };
                }
                Err(wrong) => wrong,
            };
            let is_reference = matches!(wrong.kind(), ValidationErrorKind::Referencing(_));
            let was_mended = match is_reference {
                true => {
                    document.drop_unknown_references(&mut schema)
                        || Document::drop_names(&mut schema)
                }
                false => remove_at(&mut schema, wrong.instance_path().as_str()),
            };
            if !was_mended {
                break;
            }
        }
        Checker {
            validator: None,
            is_whole: false,
        }
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// The errors of `value`, which was built from the fields below `root`.
    pub(crate) fn errors(&self, root: &Field, value: &Value) -> Vec<FieldError> {
        let mut found = Vec::new();
        root.unreadable(&mut Path::root(), &mut found);
        let unreadable = found.len();
        match &self.validator {
            Some(validator) => {
                let value = exact::rounded(value);
                let errors: Vec<_> = validator.iter_errors(&value).collect();
                report_all(root, &errors, &[], &mut found);
            }
            None => missing(root, &mut Path::root(), &mut found),
        }
        // Unreadable text causes further errors in the same field: only the first is reported.
        let (unreadable, rest) = found.split_at(unreadable);
        let mut errors = unreadable.to_vec();
        for error in rest {
            let follows = unreadable
                .iter()
                .any(|one| error.path.starts_with(&one.path));
            if !follows && !errors.contains(error) {
                errors.push(error.clone());
            }
        }
        errors
    }
}

/// How a value contradicts a schema, as sentences with the place: at most this many.
pub fn contradictions(schema: &Value, value: &Value, most: usize) -> Vec<String> {
    let document = Document::new(schema);
    let Some(validator) = Checker::new(&document).validator else {
        return Vec::new();
    };
    let value = exact::rounded(value);
    let errors = validator.iter_errors(&value).take(most);
    let sentences = errors.map(|error| {
        let place = place(error.instance_path().as_str());
        match error.kind() {
            ValidationErrorKind::Required { property } => {
                let key = property.as_str().unwrap_or_default();
                let separator = if place.is_empty() { "" } else { "." };
                format!("{place}{separator}{key} is missing")
            }
            _ if place.is_empty() => format!("the value {}", words::message(&error)),
            _ => format!("{place} {}", words::message(&error)),
        }
    });
    sentences.collect()
}

/// Why this is no valid schema: the first mistake, with its place.
pub fn mistake(schema: &Value) -> Option<String> {
    let error = build(schema).err()?;
    let place = place(error.instance_path().as_str());
    Some(match place.is_empty() {
        true => error.to_string(),
        false => format!("{place}: {error}"),
    })
}

/// A JSON pointer as `files[0].bytes`.
fn place(pointer: &str) -> String {
    let mut place = String::new();
    for step in pointer.split('/').skip(1) {
        let step = step.replace("~1", "/").replace("~0", "~");
        match (step.parse::<usize>(), place.is_empty()) {
            (Ok(at), _) => place.push_str(&format!("[{at}]")),
            (Err(_), true) => place = step,
            (Err(_), false) => place.push_str(&format!(".{step}")),
        }
    }
    place
}

/// Uses the draft that the schema declares; if it is invalid there, one in which it is valid.
fn build(schema: &Value) -> Result<Validator, ValidationError<'static>> {
    let options = || jsonschema::options().should_validate_formats(true);
    let first = match options().build(schema) {
        Ok(validator) => return Ok(validator),
        Err(first) => first,
    };
    if matches!(first.kind(), ValidationErrorKind::Referencing(_)) {
        return Err(first);
    }
    for draft in [Draft::Draft7, Draft::Draft4] {
        if let Ok(validator) = options().with_draft(draft).build(schema) {
            return Ok(validator);
        }
    }
    Err(first)
}

/// Removes the value at the JSON pointer. Returns whether it existed.
fn remove_at(schema: &mut Value, pointer: &str) -> bool {
    let Some((above, last)) = pointer.rsplit_once('/') else {
        return false;
    };
    let last = last.replace("~1", "/").replace("~0", "~");
    match schema.pointer_mut(above) {
        Some(Value::Object(words)) => words.remove(&last).is_some(),
        // A list entry is replaced by `true`, so the indices of the others stay; or removed if the
        // replacement is also invalid.
        Some(Value::Array(values)) => match last.parse() {
            Ok(at) if at < values.len() => {
                if std::mem::replace(&mut values[at], Value::Bool(true)) == true {
                    values.remove(at);
                }
                true
            }
            _ => false,
        },
        _ => false,
    }
}

/// Reports missing required fields. Used if the schema cannot be compiled.
fn missing(field: &Field, path: &mut Path, found: &mut Vec<FieldError>) {
    for child in field.leaf().children() {
        let Some(segment) = child.segment().cloned() else {
            continue;
        };
        path.push(segment);
        if child.is_required() && child.value().is_none() {
            found.push(FieldError {
                path: path.clone(),
                message: "is required".to_owned(),
            });
        }
        missing(child, path, found);
        path.pop();
    }
}

/// Reports these errors. A value of the wrong type gets no further errors.
///
/// `within`: the variants whose alternatives the errors are about, outermost first.
fn report_all(
    root: &Field,
    errors: &[ValidationError<'_>],
    within: &[Path],
    found: &mut Vec<FieldError>,
) {
    let is_type =
        |error: &ValidationError<'_>| matches!(error.kind(), ValidationErrorKind::Type { .. });
    let of_type: Vec<&str> = errors
        .iter()
        .filter(|error| is_type(error))
        .map(|error| error.instance_path().as_str())
        .collect();
    for error in errors {
        if is_type(error) || !of_type.contains(&error.instance_path().as_str()) {
            report(root, error, within, found);
        }
    }
}

/// Reports one error on its field.
fn report(root: &Field, error: &ValidationError<'_>, within: &[Path], found: &mut Vec<FieldError>) {
    let path = path_of(error.instance_path().as_str(), root);
    let mut add = |path: Path, message: String| found.push(nearest(root, path, message));
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            let key = property.as_str().unwrap_or_default();
            add(path.key(key), "is required".to_owned());
        }
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            for key in unexpected {
                add(path.key(key), "is not known to this tool".to_owned());
            }
        }
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            let field = at(root, &path).0;
            let level = within.iter().filter(|variant| **variant == path).count();
            match branch(root, &path, level, context) {
                Some(errors) if !errors.is_empty() && !matches!(field.kind(), Kind::Choice(_)) => {
                    let within = [within, std::slice::from_ref(&path)].concat();
                    report_all(root, errors, &within, found);
                }
                _ => {
                    let message = words::wanted(field);
                    add(path, message);
                }
            }
        }
        _ => add(path, words::message(error)),
    }
}

/// The errors of the chosen alternative of the choice at this level.
fn branch<'a>(
    root: &Field,
    path: &Path,
    level: usize,
    context: &'a [Vec<ValidationError<'static>>],
) -> Option<&'a Vec<ValidationError<'static>>> {
    let field = at(root, path).0;
    if let (Kind::Variant(several), Some(chosen)) = (field.kind(), field.chosen())
        && let Some(at) = several.get(chosen).and_then(|one| one.branch.get(level))
    {
        return context.get(*at);
    }
    // If none is chosen: the alternative of the right type with the fewest errors.
    let is_of_other_type = |errors: &[ValidationError<'_>]| {
        errors.iter().any(|error| {
            matches!(error.kind(), ValidationErrorKind::Type { .. })
                && path_of(error.instance_path().as_str(), root) == *path
        })
    };
    context
        .iter()
        .filter(|errors| !is_of_other_type(errors))
        .min_by_key(|errors| errors.len())
}

/// The field at the path, or the nearest around it, and the number of steps to it.
pub(crate) fn at<'a>(root: &'a Field, path: &Path) -> (&'a Field, usize) {
    let mut field = root;
    for (depth, segment) in path.segments().iter().enumerate() {
        match field.child(segment) {
            Some(child) => field = child,
            None => return (field, depth),
        }
    }
    (field, path.segments().len())
}

/// An error on the nearest existing field. The message names the rest of the path.
pub(crate) fn nearest(root: &Field, path: Path, message: String) -> FieldError {
    let (_, depth) = at(root, &path);
    let below = path.below(depth);
    if below.is_root() {
        return FieldError { path, message };
    }
    let shown = path.segments().iter().take(depth);
    let path = shown.fold(Path::root(), |path, segment| path.join(segment.clone()));
    FieldError {
        path,
        message: format!("{below} {message}"),
    }
}

/// Converts a JSON pointer into a path. In a list, digits are an index.
fn path_of(pointer: &str, root: &Field) -> Path {
    let mut path = Path::root();
    let mut field = Some(root);
    for step in pointer.split('/').skip(1) {
        let step = step.replace("~1", "/").replace("~0", "~");
        let key = Segment::Key(step.clone());
        let index = step.parse().ok().map(Segment::Index);
        let segment = match (field.and_then(|field| field.child(&key)), index) {
            (Some(_), _) | (None, None) => key,
            (None, Some(index)) => {
                let is_list = |field: &Field| matches!(field.leaf().kind(), Kind::List(_));
                // In a field edited as JSON, digits are usually an index.
                if field.is_none_or(|field| is_list(field) || !field.leaf().kind().is_container()) {
                    index
                } else {
                    key
                }
            }
        };
        field = field.and_then(|field| field.child(&segment));
        path.push(segment);
    }
    path
}
