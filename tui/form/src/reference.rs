//! Recognises fields that hold ids of other records, by name.

/// The type of record a field refers to: `event_id` to an `event`, `member_ids` to `member`s,
/// `projectId` to a `project`. `id` is the record itself and refers to nothing.
///
/// This is the naming rule for pickers. It can be wrong for third-party servers, so callers let
/// users turn it off.
/// people turn it off.
pub fn refers_to(field_name: &str) -> Option<&str> {
    let kind = ["_ids", "_id", "-ids", "-id"]
        .into_iter()
        .find_map(|end| field_name.strip_suffix(end))
        .or_else(|| {
            // In camelCase the preceding letter must be lower case: `GRID` does not end with an id.
            ["Ids", "Id", "IDs", "ID"].into_iter().find_map(|end| {
                field_name
                    .strip_suffix(end)
                    .filter(|kind| kind.ends_with(|c: char| c.is_lowercase() || c.is_ascii_digit()))
            })
        })?;
    let kind = kind.trim_matches(['_', '-']);
    (!kind.is_empty()).then_some(kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_what_it_refers_to() {
        for (name, expected) in [
            ("event_id", Some("event")),
            ("member_ids", Some("member")),
            ("owner_id", Some("owner")),
            ("strategy_business_unit_id", Some("strategy_business_unit")),
            ("projectId", Some("project")),
            ("issueIDs", Some("issue")),
            ("thread-id", Some("thread")),
            ("id", None),
            ("ids", None),
            ("_id", None),
            ("Id", None),
            ("paid", None),
            ("GRID", None),
            ("identity", None),
            ("name", None),
            ("", None),
        ] {
            assert_eq!(refers_to(name), expected, "{name}");
        }
    }
}
