//! Suggestions for misspelt names.

/// How alike two names must be, from 0 to 1.
const ALIKE: f64 = 0.85;

/// The name that is most like `wrong`, if one is.
pub(super) fn closest<'a>(
    wrong: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let wrong = wrong.to_lowercase();
    let likeness = |name: &str| strsim::jaro_winkler(&wrong, &name.to_lowercase());
    let names = names.into_iter().map(|name| (likeness(name), name));
    let alike = names.filter(|(likeness, _)| *likeness >= ALIKE);
    let (_, name) = alike.max_by(|(one, _), (other, _)| one.total_cmp(other))?;
    Some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_is_recognised_and_another_word_is_not() {
        let names = ["event_id", "name", "phone_number", "role", "tags"];
        for (wrong, expected) in [
            ("nam", Some("name")),
            ("Name", Some("name")),
            ("evnt_id", Some("event_id")),
            ("phone", Some("phone_number")),
            ("tag", Some("tags")),
            ("title", None),
            ("colour", None),
            ("", None),
        ] {
            assert_eq!(closest(wrong, names), expected, "{wrong}");
        }
    }
}
