//! Checks what was entered, and says what is wrong on the field where it is wrong.

mod words;

use std::sync::Arc;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, ValidationError, Validator};
use serde_json::Value;

use crate::field::Field;
use crate::kind::Kind;
use crate::path::{Path, Segment};
use crate::schema::Document;

/// What is wrong with a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    /// The field: one that is there, or the nearest that lies around it.
    pub path: Path,
    /// What is wrong, to be read after the name of the field: `must be a number`.
    pub message: String,
}

/// The schema, made ready for checking.
#[derive(Debug, Clone)]
pub(crate) struct Checker {
    validator: Option<Arc<Validator>>,
    /// Whether everything that the schema says is checked.
    is_whole: bool,
}

/// A schema with more mistakes than this is not mended any further.
const MOST_MISTAKES: usize = 50;

impl Checker {
    /// What in the schema itself is wrong is left out, so that the rest can be checked.
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

    /// What is wrong with the value that the fields below `root` make.
    pub(crate) fn errors(&self, root: &Field, value: &Value) -> Vec<FieldError> {
        let mut found = Vec::new();
        root.unreadable(&mut Path::root(), &mut found);
        let unreadable = found.len();
        match &self.validator {
            Some(validator) => {
                let errors: Vec<_> = validator.iter_errors(value).collect();
                report_all(root, &errors, &[], &mut found);
            }
            None => missing(root, &mut Path::root(), &mut found),
        }
        // Of a text that cannot be read everything else that is wrong follows.
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

/// In the draft that a schema says it is; where that is wrong, in one that it is valid in.
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

/// Removes what stands at the JSON pointer; whether there was something.
fn remove_at(schema: &mut Value, pointer: &str) -> bool {
    let Some((above, last)) = pointer.rsplit_once('/') else {
        return false;
    };
    let last = last.replace("~1", "/").replace("~0", "~");
    match schema.pointer_mut(above) {
        Some(Value::Object(words)) => words.remove(&last).is_some(),
        // An entry keeps its place, where anything is valid then; unless that is no better.
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

/// Without a validator: what is required and not there.
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

/// Adds what the errors say. Of a value of another type nothing else is worth saying.
///
/// `within`: the variant whose alternative they are about, once for each choice within a choice.
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

/// Adds what the error says, in words, where it is.
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

/// The errors of the alternative that was meant, in the choice at this level.
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
    // Without a choice it is the one of the right type that has the fewest errors.
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

/// The field at the path, or the nearest around it, and how many steps lead there.
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

/// The error on the nearest field that is there. What lies further in is named in the message.
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

/// A JSON pointer into the value as a path. Digits are an index where there is a list.
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
                // In what is given as JSON digits are an index more often than not.
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
