//! Typed identifiers. All are UUID strings on the wire (specification, section 2).

/// Declares identifiers: a UUID that cannot be mistaken for another record's.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)+) => {$(
        $(#[$doc])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash,
            serde::Serialize, serde::Deserialize, schemars::JsonSchema,
        )]
        #[serde(transparent)]
        pub struct $name(
            /// The UUID itself.
            pub uuid::Uuid,
        );

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }

        impl std::str::FromStr for $name {
            type Err = uuid::Error;
            fn from_str(text: &str) -> Result<Self, uuid::Error> {
                text.parse().map($name)
            }
        }
    )+};
}

ids! {
    /// An organisation.
    OrganizationId;
    /// A person who can sign in: the token's subject.
    UserId;
    /// A member, as `lookup_member` returns it.
    MemberId;
    /// A business unit of the strategy schema.
    BusinessUnitId;
    /// An event.
    EventId;
    /// A session of an event.
    SessionId;
    /// A guest of an event.
    GuestId;
    /// A task of an event.
    TaskId;
    /// An expense of an event.
    ExpenseId;
    /// A photo of an event.
    PhotoId;
    /// A meeting: a series, or one that stands alone.
    MeetingId;
    /// One occurrence of a series of meetings.
    OccurrenceId;
}
