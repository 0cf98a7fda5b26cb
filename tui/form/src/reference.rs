//! Which fields hold the id of another record, by their names.

/// What a field refers to, by its name: `event_id` to an `event`, `member_ids` to `member`s,
/// `projectId` to a `project`. `id` names the record itself, and refers to nothing.
///
/// The naming rule for pickers. It may be wrong about a server that is not ours: a caller lets
/// people turn it off.
pub fn refers_to(field_name: &str) -> Option<&str> {
    let kind = ["_ids", "_id", "-ids", "-id"]
        .into_iter()
        .find_map(|end| field_name.strip_suffix(end))
        .or_else(|| {
            // In camelCase the letter before must be a small one: `GRID` ends with no id.
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
