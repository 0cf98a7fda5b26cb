//! A key press is cheap: expensive work is done once per form.

use frontdesk_form::{Form, Path};
use serde_json::{Map, Value, json};

#[test]
fn two_hundred_fields_take_thousands_of_key_presses() {
    let properties: Map<String, Value> = (0..200)
        .map(|n| {
            let schema = json!({
                "anyOf": [
                    { "type": "string", "maxLength": 9, "pattern": "^[a-z]*$" },
                    { "type": "object", "properties": { "a": { "type": "string" } } },
                ],
            });
            (format!("field_{n}"), schema)
        })
        .collect();
    let mut form = Form::new(&json!({ "type": "object", "properties": properties }));
    for n in 0..200 {
        form.set_text(&Path::root().key(format!("field_{n}")), "abc")
            .expect("a text");
    }
    // Compiling the schema each time would take minutes.
    for n in 0..500 {
        let text = "abc".repeat(n % 5);
        form.set_text(&Path::from("field_7"), &text)
            .expect("a text");
        assert_eq!(form.errors().len(), usize::from(text.len() > 9), "{text}");
        assert_eq!(form.rows().len(), 200);
    }
}
