//! Enums whose variants have the same name in arguments, results and the database.

/// Declares an enum of words: `Done = "done"`. A set with a default derives `Default`.
macro_rules! words {
    (
        $(#[$doc:meta])*
        $name:ident { $( $(#[$word_doc:meta])* $variant:ident = $word:literal, )+ }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $( $(#[$word_doc])* $variant, )+
        }

        impl $name {
            /// All variants, in declaration order.
            pub const ALL: [$name; [$($word),+].len()] = [$($name::$variant),+];

            /// The word.
            pub const fn name(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)+
                }
            }

            /// The variant of this word.
            pub fn from_name(word: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.name() == word)
            }

            const WORDS: &'static [&'static str] = &[$($word),+];
        }

        impl crate::wire::Wire for $name {
            fn read(value: &serde_json::Value, reader: &mut crate::wire::Reader) -> Option<Self> {
                let at = reader.word(value, Self::WORDS)?;
                Self::ALL.get(at).copied()
            }

            fn write(&self) -> serde_json::Value {
                self.name().into()
            }

            fn schema(_: &mut crate::wire::Schemas) -> serde_json::Value {
                crate::wire::of_words(Self::WORDS)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        crate::wire::deserialize_by_wire!([] $name);
        crate::value::stored_as!([] $name => $name);
    };
}
pub(crate) use words;

#[cfg(test)]
#[allow(unreachable_pub, reason = "the macro declares public items")]
mod tests {
    words! {
        /// A season.
        #[derive(Default)]
        Season {
            #[default]
            Spring = "spring",
            /// Leaves fall.
            LateAutumn = "late_autumn",
        }
    }

    #[test]
    fn a_word_is_the_same_everywhere() {
        for season in Season::ALL {
            let written = serde_json::to_value(season).expect("JSON");
            assert_eq!(written, season.name());
            assert_eq!(Season::from_name(season.name()), Some(season));
        }
        assert_eq!(Season::from_name("summer"), None);
    }
}
