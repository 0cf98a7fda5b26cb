//! Properties of forms for arbitrary schemas and values.

use frontdesk_form::{Entry, Form, Kind, Path};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::{complaints, given_as_json, person};

/// The meaning of a schema in the supported subset.
#[derive(Debug, Clone)]
enum Model {
    Text {
        min: usize,
        max: usize,
    },
    Format(usize),
    Choice(Vec<Value>),
    Const(Value),
    Integer(i64, i64),
    Number(f64, f64),
    Boolean,
    Anything,
    Nullable(Box<Model>, u8),
    List(Box<Model>, usize),
    Tuple(Vec<Model>),
    Object {
        fields: Vec<(Model, bool)>,
        closed: bool,
        extra: Option<Box<Model>>,
    },
    Map(Box<Model>),
    /// Objects with a discriminator, as `oneOf` or `anyOf`.
    Tagged(Vec<Model>, bool),
    /// At most one of each type.
    Types(Vec<Model>),
    Merged(Vec<(Model, bool)>, Vec<(Model, bool)>),
    Referred(Box<Model>),
    /// A list whose entries are the same list.
    Tree,
}

/// Formats with valid values.
const FORMATS: [(&str, [&str; 2]); 6] = [
    ("date", ["2026-03-12", "2024-02-29"]),
    (
        "date-time",
        ["2026-03-12T18:30:00Z", "2026-03-12T18:30:00.25-03:00"],
    ),
    ("time", ["18:30:00Z", "00:00:00+01:00"]),
    (
        "uuid",
        [
            "0190a1b2-0000-7000-8000-000000000001",
            "0190A1B2-0000-7000-8000-00000000000F",
        ],
    ),
    ("uri", ["https://example.org/?a=b#c", "urn:x:y"]),
    ("email", ["zoe@example.org", "a.b+c@example.org"]),
];

/// Ordinary names, and names with special characters.
const NAMES: [&str; 8] = [
    "name",
    "event_id",
    "a.b",
    "type",
    "$ref",
    "nullable",
    "x y[0]",
    "properties",
];

fn name(at: usize) -> String {
    match NAMES.get(at) {
        Some(name) => (*name).to_owned(),
        None => format!("field_{at}"),
    }
}

fn object_schema(fields: &[(Model, bool)], first: usize, defs: &mut Map<String, Value>) -> Value {
    let properties: Map<String, Value> = fields
        .iter()
        .enumerate()
        .map(|(at, (model, _))| (name(first + at), model.schema(defs)))
        .collect();
    let required = fields
        .iter()
        .enumerate()
        .filter(|(_, (_, required))| *required);
    let required: Vec<_> = required.map(|(at, _)| name(first + at)).collect();
    json!({ "type": "object", "properties": properties, "required": required })
}

fn object_value(fields: &[(Model, bool)], first: usize) -> BoxedStrategy<Map<String, Value>> {
    let fields: Vec<BoxedStrategy<Option<(String, Value)>>> = fields
        .iter()
        .enumerate()
        .map(|(at, (model, required))| {
            let key = name(first + at);
            let value = model.value().prop_map(move |value| (key.clone(), value));
            match required {
                true => value.prop_map(Some).boxed(),
                false => proptest::option::of(value).boxed(),
            }
        })
        .collect();
    fields
        .prop_map(|fields| fields.into_iter().flatten().collect())
        .boxed()
}

fn tag(at: usize) -> String {
    format!("tag {at}")
}

impl Model {
    fn schema(&self, defs: &mut Map<String, Value>) -> Value {
        match self {
            Model::Text { min, max } => {
                json!({ "type": "string", "minLength": min, "maxLength": max })
            }
            Model::Format(at) => json!({ "type": "string", "format": FORMATS[*at].0 }),
            Model::Choice(values) => json!({ "enum": values }),
            Model::Const(value) => json!({ "const": value }),
            Model::Integer(min, max) => {
                json!({ "type": "integer", "minimum": min, "maximum": max })
            }
            Model::Number(min, max) => json!({ "type": "number", "minimum": min, "maximum": max }),
            Model::Boolean => json!({ "type": "boolean" }),
            Model::Anything => json!({}),
            Model::Nullable(model, spelling) => {
                let mut schema = model.schema(defs);
                match (spelling, schema["type"].take()) {
                    (0, kind @ Value::String(_)) => {
                        schema["type"] = json!([kind, "null"]);
                        schema
                    }
                    (1, kind @ Value::String(_)) => {
                        schema["type"] = kind;
                        schema["nullable"] = json!(true);
                        schema
                    }
                    (spelling, kind) => {
                        match kind {
                            Value::Null => drop(schema.as_object_mut().map(|it| it.remove("type"))),
                            kind => schema["type"] = kind,
                        }
                        match spelling {
                            2 => json!({ "oneOf": [{ "type": "null" }, schema] }),
                            _ => json!({ "anyOf": [schema, { "type": "null" }], "default": null }),
                        }
                    }
                }
            }
            Model::List(model, max) => {
                json!({ "type": "array", "items": model.schema(defs), "maxItems": max })
            }
            Model::Tuple(models) => {
                let items: Vec<_> = models.iter().map(|model| model.schema(defs)).collect();
                json!({ "type": "array", "prefixItems": items, "items": false })
            }
            Model::Object {
                fields,
                closed,
                extra,
            } => {
                let mut schema = object_schema(fields, 0, defs);
                match extra {
                    Some(extra) => schema["additionalProperties"] = extra.schema(defs),
                    None if *closed => schema["additionalProperties"] = json!(false),
                    None => {}
                }
                schema
            }
            Model::Map(model) => {
                json!({ "type": "object", "additionalProperties": model.schema(defs) })
            }
            Model::Tagged(models, exactly) => {
                let alternatives: Vec<_> = models
                    .iter()
                    .enumerate()
                    .map(|(at, model)| {
                        let mut schema = object_schema(&[(model.clone(), true)], 0, defs);
                        schema["properties"]["kind"] = json!({ "const": tag(at) });
                        schema["required"] = json!(["kind", "name"]);
                        schema
                    })
                    .collect();
                match exactly {
                    true => json!({ "oneOf": alternatives }),
                    false => json!({ "anyOf": alternatives }),
                }
            }
            Model::Types(models) => {
                let schemas: Vec<_> = models.iter().map(|model| model.schema(defs)).collect();
                json!({ "anyOf": schemas })
            }
            Model::Merged(one, other) => {
                let one = object_schema(one, 0, defs);
                let other = object_schema(other, 4, defs);
                json!({ "allOf": [one, other], "description": "Both." })
            }
            Model::Referred(model) => {
                let schema = model.schema(defs);
                let name = format!("Type {}/{}", defs.len(), "~");
                defs.insert(name.clone(), schema);
                let escaped = name
                    .replace('~', "~0")
                    .replace('/', "~1")
                    .replace(' ', "%20");
                json!({ "$ref": format!("#/$defs/{escaped}") })
            }
            Model::Tree => {
                let tree = json!({
                    "type": "object", "required": ["name"],
                    "properties": {
                        "name": { "type": "string" },
                        "below": { "type": "array", "items": { "$ref": "#/$defs/Tree" } },
                        "next": { "$ref": "#/$defs/Tree" },
                    },
                });
                defs.insert("Tree".to_owned(), tree);
                json!({ "$ref": "#/$defs/Tree" })
            }
        }
    }

    fn takes_null(&self) -> bool {
        match self {
            Model::Anything | Model::Nullable(..) => true,
            Model::Referred(model) => model.takes_null(),
            _ => false,
        }
    }

    /// Valid values.
    fn value(&self) -> BoxedStrategy<Value> {
        match self {
            Model::Text { min, max } => text(*min, *max).prop_map(Value::from).boxed(),
            Model::Format(at) => prop::sample::select(&FORMATS[*at].1[..])
                .prop_map(Value::from)
                .boxed(),
            Model::Choice(values) => prop::sample::select(values.clone()).boxed(),
            Model::Const(value) => Just(value.clone()).boxed(),
            Model::Integer(min, max) => (*min..=*max).prop_map(Value::from).boxed(),
            Model::Number(min, max) => (*min..=*max).prop_map(Value::from).boxed(),
            Model::Boolean => any::<bool>().prop_map(Value::from).boxed(),
            Model::Anything => any_json().boxed(),
            Model::Nullable(model, _) => {
                prop_oneof![1 => Just(Value::Null), 2 => model.value()].boxed()
            }
            Model::List(model, max) => vec(model.value(), 0..=*max).prop_map(Value::from).boxed(),
            Model::Tuple(models) => {
                let values: Vec<_> = models.iter().map(Model::value).collect();
                values.prop_map(Value::from).boxed()
            }
            Model::Object { fields, extra, .. } => {
                let object = object_value(fields, 0);
                match extra {
                    None => object.prop_map(Value::Object).boxed(),
                    Some(extra) => (object, btree_map("extra [a-z.]{1,3}", extra.value(), 0..3))
                        .prop_map(|(mut object, more)| {
                            object.extend(more);
                            Value::Object(object)
                        })
                        .boxed(),
                }
            }
            Model::Map(model) => btree_map(".{0,4}", model.value(), 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect()))
                .boxed(),
            Model::Tagged(models, _) => {
                let alternatives = models.iter().enumerate().map(|(at, model)| {
                    let value = model.value();
                    value
                        .prop_map(move |value| json!({ "kind": tag(at), "name": value }))
                        .boxed()
                });
                prop::strategy::Union::new(alternatives).boxed()
            }
            Model::Types(models) => {
                prop::strategy::Union::new(models.iter().map(Model::value)).boxed()
            }
            Model::Merged(one, other) => (object_value(one, 0), object_value(other, 4))
                .prop_map(|(mut one, other)| {
                    one.extend(other);
                    Value::Object(one)
                })
                .boxed(),
            Model::Referred(model) => model.value(),
            Model::Tree => tree().boxed(),
        }
    }
}

fn text(min: usize, max: usize) -> impl Strategy<Value = String> {
    let letters = prop::sample::select(vec![
        'a', 'Z', '0', ' ', '\n', 'é', '山', '"', '\\', '{', '.',
    ]);
    vec(letters, min..=max).prop_map(|letters| letters.into_iter().collect())
}

fn tree() -> impl Strategy<Value = Value> {
    let leaf = "[a-z]{0,2}".prop_map(|name| json!({ "name": name }));
    leaf.prop_recursive(3, 12, 3, |inner| {
        (vec(inner.clone(), 0..3), proptest::option::of(inner)).prop_map(|(below, next)| {
            let mut tree = json!({ "name": "", "below": below });
            if let Some(next) = next {
                tree["next"] = next;
            }
            tree
        })
    })
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        "[a-z]{0,3}".prop_map(Value::from),
        (-9i64..9).prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
    ]
}

fn distinct_scalars() -> impl Strategy<Value = Vec<Value>> {
    vec(scalar(), 1..5).prop_map(|mut values| {
        let mut all: Vec<Value> = Vec::new();
        values.retain(|value| {
            let is_new = !all.contains(value);
            all.push(value.clone());
            is_new
        });
        values
    })
}

fn model() -> impl Strategy<Value = Model> {
    let leaf = prop_oneof![
        (0usize..3, 0usize..6).prop_map(|(min, more)| Model::Text {
            min,
            max: min + more
        }),
        (0..FORMATS.len()).prop_map(Model::Format),
        distinct_scalars().prop_map(Model::Choice),
        scalar().prop_map(Model::Const),
        (any::<i64>(), any::<i64>()).prop_map(|(a, b)| Model::Integer(a.min(b), a.max(b))),
        (-1e9..1e9, 0.0..1e3).prop_map(|(min, more)| Model::Number(min, min + more)),
        Just(Model::Boolean),
        Just(Model::Anything),
        Just(Model::Tree),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let fields = || vec((inner.clone(), any::<bool>()), 0..4);
        let boxed = || inner.clone().prop_map(Box::new);
        prop_oneof![
            (boxed(), 0u8..4).prop_map(|(model, spelling)| match model.takes_null() {
                // `oneOf` with two nulls does not match null.
                true => Model::Nullable(Box::new(Model::Boolean), spelling),
                false => Model::Nullable(model, spelling),
            }),
            (boxed(), 0usize..4).prop_map(|(model, max)| Model::List(model, max)),
            vec(inner.clone(), 1..3).prop_map(Model::Tuple),
            (fields(), any::<bool>(), proptest::option::of(boxed())).prop_map(
                |(fields, closed, extra)| Model::Object {
                    fields,
                    closed,
                    extra
                }
            ),
            boxed().prop_map(Model::Map),
            (vec(inner.clone(), 2..4), any::<bool>())
                .prop_map(|(models, exactly)| Model::Tagged(models, exactly)),
            (boxed(), fields(), (0i64..5)).prop_map(|(model, fields, max)| {
                let object = Model::Object {
                    fields,
                    closed: true,
                    extra: None,
                };
                let list = Model::List(model, 3);
                let text = Model::Text { min: 0, max: 5 };
                Model::Types(vec![text, Model::Integer(0, max), list, object])
            }),
            (fields(), fields()).prop_map(|(one, other)| Model::Merged(one, other)),
            boxed().prop_map(Model::Referred),
        ]
    })
}

/// The arguments of a tool: an object of supported fields, with valid values.
fn arguments() -> impl Strategy<Value = (Value, Vec<Value>)> {
    vec((model(), any::<bool>()), 1..5).prop_flat_map(|fields| {
        let model = Model::Object {
            fields,
            closed: true,
            extra: None,
        };
        let mut defs = Map::new();
        let mut schema = model.schema(&mut defs);
        schema["$defs"] = Value::Object(defs);
        (Just(schema), vec(model.value(), 1..4))
    })
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        scalar(),
        any::<f64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        ".{0,5}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(Value::from),
            btree_map(".{0,5}", inner, 0..5)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// JSON that resembles a schema more often than random JSON.
fn odd_schema() -> impl Strategy<Value = Value> {
    let keyword = prop::sample::select(vec![
        "type",
        "properties",
        "required",
        "items",
        "enum",
        "const",
        "anyOf",
        "oneOf",
        "allOf",
        "not",
        "$ref",
        "$defs",
        "a",
        "additionalProperties",
        "patternProperties",
        "nullable",
        "default",
        "minimum",
        "maxLength",
        "pattern",
        "format",
        "if",
        "then",
        "prefixItems",
        "$id",
        "$anchor",
        "$schema",
        "title",
        "description",
        "examples",
        "minItems",
        "uniqueItems",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3i64..100).prop_map(Value::from),
        prop::sample::select(vec![
            "string",
            "object",
            "array",
            "integer",
            "null",
            "number",
            "boolean",
            "a",
            "#",
            "#/properties/a",
            "#/$defs/a",
            "#/allOf/0",
            "#a",
            "date",
            "([",
            "",
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 48, 5, move |inner| {
        prop_oneof![
            1 => vec(inner.clone(), 0..4).prop_map(Value::from),
            4 => btree_map(keyword.clone(), inner, 0..6).prop_map(|map| {
                Value::Object(map.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
            }),
        ]
    })
}

/// Applies every edit to every visible field.
fn handle_everything(form: &mut Form) {
    let paths: Vec<Path> = form.rows().into_iter().map(|row| row.path).collect();
    for path in paths.into_iter().take(40) {
        // The edit can fail; only a panic is an error.
        let _ = form.toggle(&path);
        let _ = form.set_text(&path, "1");
        let _ = form.add_item(&path);
        let _ = form.add_key(&path, "key");
        let _ = form.set_null(&path);
        let _ = form.choose_variant(&path, 1);
        let _ = form.include(&path);
        let _ = form.as_json(&path);
        let _ = form.as_fields(&path);
        for row in form.rows() {
            row.field.hint();
            row.field.summary();
        }
        form.errors();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_form_sends_the_value_that_it_was_filled_with((schema, values) in arguments()) {
        let mut form = Form::new(&schema);
        prop_assert!(form.is_checked(), "{schema}");
        // Fill the same form repeatedly: earlier values must not leave traces.
        for value in values {
            form.fill(&value);
            prop_assert_eq!(form.value(), value.clone());
            prop_assert_eq!(complaints(&form), [""; 0], "{} in {}", value, schema);
            prop_assert_eq!(given_as_json(&form), [""; 0], "{} in {}", value, schema);
        }
    }

    #[test]
    fn a_person_can_enter_every_valid_value((schema, values) in arguments()) {
        for value in values {
            let mut form = Form::new(&schema);
            let entered = person::enters(&mut form, &Path::root(), &value);
            prop_assert!(entered, "{} in {}", value, schema);
            prop_assert_eq!(form.value(), value.clone());
            prop_assert_eq!(complaints(&form), [""; 0], "{} in {}", value, schema);
        }
    }

    #[test]
    fn an_update_sends_what_makes_the_record_what_was_entered((schema, values) in arguments()) {
        let object = |value: &Value| value.as_object().expect("an object").clone();
        let record = object(&values[0]);
        let wanted = object(&values[values.len() - 1]);
        let required = schema["required"].as_array().expect("names").clone();
        let is_needed = |key: &String| required.iter().any(|name| name == key);

        let mut form = Form::update(&schema, &record);
        let sent = object(&form.value());
        prop_assert!(sent.iter().all(|(key, value)| is_needed(key) && record[key] == *value));

        form.fill(&values[values.len() - 1]);
        let sent = object(&form.value());
        let is_new = |key: &String, value: &Value| record.get(key) != Some(value);
        prop_assert!(sent.iter().all(|(key, value)| is_needed(key) || is_new(key, value)));
        let over = |more: Map<String, Value>| {
            let mut all = record.clone();
            all.extend(more);
            all
        };
        prop_assert_eq!(over(sent), over(wanted), "{}", schema);
    }

    #[test]
    fn anything_is_a_schema_and_anything_can_be_sent(schema in odd_schema(), value in any_json()) {
        let mut form = Form::new(&schema);
        form.errors();
        handle_everything(&mut form);
        form.fill(&value);
        prop_assert_eq!(form.value(), value.clone());
        form.errors();
        let text = value.to_string();
        let mut form = Form::new(&schema);
        form.set_json(&Path::root(), &text).expect("the form itself");
        prop_assert_eq!(form.value().to_string(), serde_json::from_str::<Value>(&text).expect("JSON").to_string());
    }

    #[test]
    fn a_text_that_is_no_json_is_kept_and_reported(text in ".{0,12}") {
        let schema = json!({ "type": "object", "properties": { "odd": { "$ref": "#/gone" } } });
        let mut form = Form::new(&schema);
        let path = Path::from("odd");
        prop_assert!(matches!(form.field(&path).map(|field| field.kind()), Some(Kind::Raw)));
        form.set_text(&path, &text).expect("a field");
        let kept = match form.field(&path).map(|field| field.entry()) {
            Some(Entry::Json(json)) => json.text().to_owned(),
            other => panic!("{other:?}"),
        };
        prop_assert_eq!(&kept, &text);
        let is_json = serde_json::from_str::<Value>(&text).is_ok();
        prop_assert_eq!(form.errors().is_empty(), is_json, "{}", text);
    }

    #[test]
    fn a_path_reads_as_it_is_written(steps in vec(prop_oneof![
        "[a-z._\\[\\]\"0-9é]{0,4}".prop_map(Ok), (0usize..99).prop_map(Err)], 0..5))
    {
        let path = steps.iter().fold(Path::root(), |path, step| match step {
            Ok(key) => path.key(key.clone()),
            Err(index) => path.index(*index),
        });
        prop_assert_eq!(Path::from(&path.to_string()), path);
    }
}
