//! Presets on disk.

use frontdesk_client::presets::{Kept, Preset, Presets};
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use crate::support::files;

fn presets() -> (TempDir, Presets) {
    let place = tempfile::tempdir().expect("a directory");
    let presets = Presets::new(place.path().join("new/presets.json"));
    (place, presets)
}

fn arguments(value: Value) -> Map<String, Value> {
    value.as_object().cloned().expect("an object")
}

fn preset(tool: &str, name: &str, value: Value) -> Preset {
    Preset {
        peer: "events".to_owned(),
        tool: tool.to_owned(),
        name: name.to_owned(),
        arguments: arguments(value),
        saved_at: "2026-03-12T09:45:00Z".parse().expect("a time"),
    }
}

fn names(kept: &Kept) -> Vec<&str> {
    kept.presets
        .iter()
        .map(|preset| preset.name.as_str())
        .collect()
}

#[test]
fn arguments_are_kept_replaced_and_forgotten() {
    let (_place, presets) = presets();
    assert_eq!(
        presets.of("events", "list_events").expect("reads"),
        Kept::default()
    );
    for (name, limit) in [("many", 100), ("Few", 5), ("many", 50)] {
        let preset = preset(
            "list_events",
            name,
            json!({ "limit": limit, "search": null }),
        );
        presets.save(&preset).expect("is written");
    }
    presets
        .save(&preset("get_event", "other", json!({})))
        .expect("is written");
    let kept = presets.of("events", "list_events").expect("reads");
    assert_eq!(names(&kept), ["Few", "many"]);
    // Null and the order of keys are kept.
    let written = serde_json::to_string(&kept.presets[1].arguments).expect("JSON");
    assert_eq!(written, r#"{"limit":50,"search":null}"#);
    let kept = presets
        .remove("events", "list_events", "many")
        .expect("is written");
    assert_eq!(names(&kept), ["Few"]);
    assert_eq!(
        names(&presets.of("events", "get_event").expect("reads")),
        ["other"]
    );
    assert_eq!(
        names(&presets.of("work", "list_events").expect("reads")),
        [""; 0]
    );
}

#[cfg(unix)]
#[test]
fn the_file_is_its_owners_alone() {
    let (place, presets) = presets();
    presets
        .save(&preset("get_event", "one", json!({})))
        .expect("is written");
    assert_eq!(files::mode(&place.path().join("new/presets.json")), 0o600);
    assert_eq!(files::mode(&place.path().join("new")), 0o700);
}

#[test]
fn what_is_no_file_of_ours_is_put_aside_and_not_lost() {
    let (place, presets) = presets();
    let path = place.path().join("new/presets.json");
    std::fs::create_dir(place.path().join("new")).expect("a directory");
    for (damaged, aside) in [
        ("{\"presets\": [{\"pe", "presets.damaged.json"),
        ("[]", "presets.damaged-2.json"),
    ] {
        std::fs::write(&path, damaged).expect("is written");
        let kept = presets
            .save(&preset("get_event", "one", json!({})))
            .expect("is written");
        let aside = place.path().join("new").join(aside);
        assert_eq!(kept.aside.as_deref(), Some(aside.as_path()));
        assert_eq!(std::fs::read_to_string(&aside).expect("is there"), damaged);
        assert_eq!(names(&kept), ["one"]);
        assert_eq!(
            presets.of("events", "get_event").expect("reads").aside,
            None
        );
    }
}

#[test]
fn what_another_version_wrote_stays() {
    let (place, presets) = presets();
    std::fs::create_dir(place.path().join("new")).expect("a directory");
    let path = place.path().join("new/presets.json");
    let newer = json!({ "presets": [{ "peer": "events", "tool": "get_event", "shape": 2 }] });
    std::fs::write(&path, newer.to_string()).expect("is written");
    let kept = presets
        .save(&preset("get_event", "one", json!({})))
        .expect("is written");
    assert_eq!(names(&kept), ["one"]);
    let text = std::fs::read_to_string(&path).expect("is there");
    assert!(text.contains("\"shape\": 2"), "{text}");
}
