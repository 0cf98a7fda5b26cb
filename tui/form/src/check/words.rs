//! Messages for the errors of the validator.

use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::types::JsonType;
use serde_json::Value;

use crate::field::{Field, counted};
use crate::kind::{Format, Kind, plain, written};

/// The predicate of a sentence that starts with the label of the field.
pub(super) fn message(error: &ValidationError<'_>) -> String {
    use ValidationErrorKind as Wrong;
    match error.kind() {
        Wrong::Type { kind } => format!("must be {}", types(kind)),
        Wrong::Enum { options } => match options.as_array() {
            Some(options) => {
                let options: Vec<_> = options.iter().map(plain).collect();
                format!("must be one of {}", options.join(", "))
            }
            None => "is not one of the choices".to_owned(),
        },
        Wrong::Constant { expected_value } => format!("must be {}", plain(expected_value)),
        Wrong::Format { format } => of_format(format),
        Wrong::Minimum { limit } => format!("must be at least {limit}"),
        Wrong::Maximum { limit } => format!("must be at most {limit}"),
        Wrong::ExclusiveMinimum { limit } => format!("must be more than {limit}"),
        Wrong::ExclusiveMaximum { limit } => format!("must be less than {limit}"),
        Wrong::MultipleOf { multiple_of } => {
            let multiple_of = Value::from(*multiple_of).to_string();
            let multiple_of = multiple_of.strip_suffix(".0").unwrap_or(&multiple_of);
            format!("must be a multiple of {multiple_of}")
        }
        Wrong::MinLength { limit: 1 } => "must not be empty".to_owned(),
        Wrong::MinLength { limit } => at_least(*limit, "character", "characters"),
        Wrong::MaxLength { limit } => {
            let length = error
                .instance()
                .as_str()
                .map_or(0, |text| text.chars().count());
            format!(
                "{}, not {length}",
                at_most(*limit, "character", "characters")
            )
        }
        Wrong::MinItems { limit } => at_least(*limit, "entry", "entries"),
        Wrong::MaxItems { limit } => at_most(*limit, "entry", "entries"),
        Wrong::AdditionalItems { limit } => at_most(*limit as u64, "entry", "entries"),
        Wrong::MinProperties { limit } => at_least(*limit, "key", "keys"),
        Wrong::MaxProperties { limit } => at_most(*limit, "key", "keys"),
        Wrong::Pattern { pattern } => format!("must be written like {}", written(pattern)),
        Wrong::UniqueItems => "must not have an entry twice".to_owned(),
        Wrong::Contains => "lacks an entry that must be in it".to_owned(),
        Wrong::OneOfMultipleValid { .. } => "could be more than one of what it can be".to_owned(),
        Wrong::FalseSchema => "must be left out".to_owned(),
        Wrong::Not { .. } => "is one of the values that are not allowed".to_owned(),
        Wrong::PropertyNames { error } => {
            format!("has a key that {}", message(error))
        }
        Wrong::UnevaluatedItems { .. } => "has more entries than are allowed".to_owned(),
        _ => error.to_string(),
    }
}

/// The expected values, for an input that matches none.
pub(super) fn wanted(field: &Field) -> String {
    let labels = |labels: Vec<&str>| format!("one of {}", labels.join(", "));
    let wanted = match field.kind() {
        Kind::Choice(choices) => {
            labels(choices.iter().map(|choice| choice.label.as_str()).collect())
        }
        Kind::Variant(several) => labels(several.iter().map(|one| one.label.as_str()).collect()),
        Kind::Text(_) => noun(JsonType::String).to_owned(),
        Kind::Number(bounds) if bounds.integer => noun(JsonType::Integer).to_owned(),
        Kind::Number(_) => noun(JsonType::Number).to_owned(),
        Kind::Boolean => noun(JsonType::Boolean).to_owned(),
        Kind::List(_) => noun(JsonType::Array).to_owned(),
        Kind::Object(_) | Kind::Map(_) => noun(JsonType::Object).to_owned(),
        Kind::Const(value) => plain(value),
        Kind::Raw => return "matches none of the allowed values".to_owned(),
    };
    format!("must be {wanted}")
}

fn at_least(limit: u64, one: &str, many: &str) -> String {
    format!("must have at least {}", counted(limit as usize, one, many))
}

fn at_most(limit: u64, one: &str, many: &str) -> String {
    format!("must have at most {}", counted(limit as usize, one, many))
}

fn of_format(name: &str) -> String {
    let (format, noun) = match name {
        "date" => (Format::Date, "a date"),
        "date-time" => (Format::DateTime, "a date and time"),
        "time" => (Format::Time, "a time"),
        "uuid" => (Format::Uuid, "an id"),
        "uri" => (Format::Uri, "an address"),
        "email" => (Format::Email, "an e-mail address"),
        other => return format!("must be written as {other}"),
    };
    let example = format.example().unwrap_or_default();
    format!("must be {noun} such as {example}")
}

fn types(kind: &TypeKind) -> String {
    let kinds: Vec<&str> = match kind {
        TypeKind::Single(kind) => vec![noun(*kind)],
        TypeKind::Multiple(kinds) => kinds.iter().map(noun).collect(),
    };
    kinds.join(" or ")
}

fn noun(kind: JsonType) -> &'static str {
    match kind {
        JsonType::String => "text",
        JsonType::Number => "a number",
        JsonType::Integer => "a whole number",
        JsonType::Boolean => "yes or no",
        JsonType::Array => "a list",
        JsonType::Object => "an object",
        JsonType::Null => "null",
    }
}
