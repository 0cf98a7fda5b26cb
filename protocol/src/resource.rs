//! A resource: its kinds of records, and its tools with what they do with them.

use crate::tool::{Declaration, Tool};

/// The tools of a file, with the kinds of records that they read and write.
#[derive(Debug, Clone, Copy)]
pub struct Resource {
    /// The tools, in listing order.
    pub tools: &'static [Declaration],
    pub kinds: &'static [Kind],
}

/// A kind of record.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// The key of one record in a result: `guest`.
    pub singular: &'static str,
    /// The key of a list in a result: `guests`.
    pub plural: &'static str,
    pub fields: Fields,
    /// Why adding one of them cannot be undone; `None` if it can.
    pub lasting: Option<&'static str>,
    pub uses: &'static [Use],
}

/// The names of the fields with a meaning of their own.
#[derive(Debug, Clone, Copy)]
pub struct Fields {
    /// The id of the record that it belongs to. If results omit the field, it is only an argument.
    pub parent: Option<&'static str>,
    /// Its name for people.
    pub name: Option<&'static str>,
    /// One of a few words, by which people group the records.
    pub state: Option<&'static str>,
    /// Its place among the records of the same parent.
    pub position: Option<&'static str>,
}

impl Fields {
    /// No field.
    pub const NONE: Fields = Fields {
        parent: None,
        name: None,
        state: None,
        position: None,
    };
}

/// A tool of a kind.
#[derive(Debug, Clone, Copy)]
pub struct Use {
    pub verb: Verb,
    /// The name of the tool.
    pub tool: &'static str,
    /// The argument with the id of the record, if the verb needs one.
    pub id: &'static str,
}

/// What a tool does with records of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// Returns a page of them.
    List,
    Get,
    Create,
    /// Changes the fields that people edit.
    Change,
    /// Changes the fields that it takes, for one purpose.
    Set,
    Delete,
    /// Anything else.
    Other,
}

/// A tool whose verb says all that it does with the stored records of its kind.
pub trait Act: Tool {
    /// The verb.
    const VERB: Verb;
    /// The argument with the id of the record, if the verb needs one.
    const ID: &'static str;
}

/// Declares the kinds of records of a resource. Each has its type (and the types of shorter and longer forms), its keys
/// in results, its fields with a meaning, and its tools in listing order, each with its verb. The argument for the id of
/// the record is `id`, unless it stands in parentheses after the tool. If adding one cannot be undone, `lasting` says
/// why, in the words of `app.lasting` in the database.
///
/// A field with the id of a person or a business unit has another one with the name beside it, called after it:
/// `owner_name` for `owner_id`, `started_by_name` for `started_by`. It is null if the caller cannot read the person.
///
/// ```text
/// resource! {
///     Lesson, LessonSummary = "lesson", "lessons" (parent: course_id, name: title, position: position) {
///         list: ListLessons,
///         delete: RemoveLesson(lesson_id),
///         other: ImportLessons,
///     }
/// }
/// ```
macro_rules! resource {
    ($(
        $record:ident $(, $form:ident)* = $singular:literal, $plural:literal
        $(($($role:ident: $field:ident),+))? $(lasting $why:literal)? {
            $($verb:ident: $tool:ident $(($id:ident))?,)*
        }
    )+) => {
        $(
            crate::record::keys!($record, $singular, $plural);
            $(crate::record::keys!($form, $singular, $plural);)*
            $($(crate::resource::resource!(@field $role $record $field);)+)?
            $(crate::resource::resource!(@act $verb $tool $($id)?);)*
        )+

        /// The tools of this resource.
        #[allow(clippy::needless_update, reason = "a kind can have all fields")]
        pub const RESOURCE: crate::resource::Resource = crate::resource::Resource {
            tools: &[$($(crate::tool::Declaration::of::<$tool>(),)*)+],
            kinds: &[$(crate::resource::Kind {
                singular: $singular,
                plural: $plural,
                fields: crate::resource::Fields {
                    $($($role: Some(stringify!($field)),)+)?
                    ..crate::resource::Fields::NONE
                },
                lasting: crate::resource::resource!(@lasting $($why)?),
                uses: &[$(crate::resource::Use {
                    verb: crate::resource::resource!(@verb $verb),
                    tool: <$tool as crate::tool::Tool>::NAME,
                    id: crate::resource::resource!(@id $($id)?),
                },)*],
            },)+],
        };
    };
    (@lasting) => { None };
    (@lasting $why:literal) => { Some($why) };
    (@id) => { "id" };
    (@id $id:ident) => { stringify!($id) };
    (@verb list) => { crate::resource::Verb::List };
    (@verb get) => { crate::resource::Verb::Get };
    (@verb create) => { crate::resource::Verb::Create };
    (@verb change) => { crate::resource::Verb::Change };
    (@verb set) => { crate::resource::Verb::Set };
    (@verb delete) => { crate::resource::Verb::Delete };
    (@verb other) => { crate::resource::Verb::Other };
    // A record need not have the id of its parent.
    (@field parent $record:ident $field:ident) => {};
    (@field $role:ident $record:ident $field:ident) => {
        const _: fn(&$record) = |record| {
            let _ = &record.$field;
        };
    };
    (@act other $tool:ident $($id:ident)?) => {};
    (@act $verb:ident $tool:ident $($id:ident)?) => {
        impl crate::resource::Act for $tool {
            const VERB: crate::resource::Verb = crate::resource::resource!(@verb $verb);
            const ID: &'static str = crate::resource::resource!(@id $($id)?);
        }
    };
}
pub(crate) use resource;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Host;

    /// Every tool of every kind.
    fn uses() -> impl Iterator<Item = (&'static Kind, &'static Use, &'static Declaration)> {
        let kinds = Host::ALL
            .into_iter()
            .flat_map(|host| host.kinds().map(move |kind| (host, kind)));
        kinds.flat_map(|(host, kind)| {
            let tool = move |one: &'static Use| host.tool(one.tool).expect("a tool of the host");
            kind.uses.iter().map(move |one| (kind, one, tool(one)))
        })
    }

    #[test]
    fn a_verb_fits_the_tool() {
        for (kind, one, tool) in uses() {
            let effect = tool.effect;
            let returned = tool.returns();
            let key = returned.first().map(|one| one.key.as_str());
            let fits = match one.verb {
                Verb::List => effect.read_only && key == Some(kind.plural),
                Verb::Get => effect.read_only && !tool.returns().iter().any(|one| one.is_list),
                Verb::Delete => effect.destructive,
                Verb::Create => !effect.read_only && !effect.destructive,
                Verb::Change | Verb::Set => !effect.read_only,
                Verb::Other => true,
            };
            assert!(fits, "{tool:?} does not {:?} {}", one.verb, kind.plural);
        }
    }

    #[test]
    fn a_list_takes_the_parent_of_its_records() {
        for (kind, _, tool) in uses().filter(|(_, one, _)| one.verb == Verb::List) {
            let references = tool.references();
            let takes = |parent: &str| references.iter().any(|(name, _)| name == parent);
            assert!(kind.fields.parent.is_none_or(takes), "{tool:?}");
        }
    }

    #[test]
    fn a_position_can_be_written() {
        for (kind, _, tool) in uses().filter(|(_, one, _)| one.verb == Verb::Change) {
            let Some(position) = kind.fields.position else {
                continue;
            };
            let schema = tool.input_schema();
            assert!(schema["properties"].get(position).is_some(), "{tool:?}");
        }
    }
}
