//! Typed identifiers. All are UUID strings on the wire (specification, section 2).

/// Declares UUID types, one for each kind of record, so the compiler rejects an id of another kind.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident of $kind:literal;)+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
        #[serde(transparent)]
        pub struct $name(pub uuid::Uuid);

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }

        impl crate::wire::Wire for $name {
            fn read(value: &serde_json::Value, reader: &mut crate::wire::Reader) -> Option<Self> {
                Some($name(reader.id(value)?))
            }

            fn write(&self) -> serde_json::Value {
                self.0.write()
            }

            fn schema(_: &mut crate::wire::Schemas) -> serde_json::Value {
                crate::wire::of_id($kind)
            }
        }

        crate::wire::deserialize_by_wire!([] $name);
        crate::value::stored_as!([] $name => $name);

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
    OrganizationId of "organization";
    /// An account that can sign in: the token's subject.
    UserId of "user";
    /// A member, as `lookup_member` returns it.
    MemberId of "member";
    /// A business unit of the strategy schema.
    BusinessUnitId of "business_unit";
    /// An event.
    EventId of "event";
    /// A session of an event.
    SessionId of "session";
    /// A place of an event.
    PlaceId of "place";
    /// An entry of the log of an event's entrances.
    MovementId of "movement";
    /// A guest of an event.
    GuestId of "guest";
    /// A task of an event.
    TaskId of "task";
    /// An expense of an event.
    ExpenseId of "expense";
    /// A photo of an event.
    PhotoId of "photo";
    /// A meeting: a series or a single meeting.
    MeetingId of "meeting";
    /// One occurrence of a series of meetings.
    OccurrenceId of "occurrence";
    /// A cohort.
    CohortId of "cohort";
    /// A course.
    CourseId of "course";
    /// A lesson of a course.
    LessonId of "lesson";
    /// A program.
    ProgramId of "program";
    /// A stage of a program.
    StageId of "stage";
    /// A milestone of a stage.
    MilestoneId of "milestone";
    /// A stage or a milestone.
    NodeId of "node";
    /// A dependency between two stages or milestones.
    DependencyId of "stage_dependency";
    /// A lesson, or material in another system.
    MaterialId of "material";
    /// An article of the wiki.
    ArticleId of "wiki_article";
    /// A kind of article.
    ContentTypeId of "content_type";
    /// A project of the work host.
    ProjectId of "project";
    /// An epic of a project.
    EpicId of "epic";
    /// A delivery of an epic.
    DeliveryId of "delivery";
    /// A task of the work host.
    WorkTaskId of "work_task";
    /// A placement of a member.
    PlacementId of "placement";
    /// A label in meetings that identifies a member.
    AliasId of "member_label_alias";
    /// A plan.
    PlanId of "plan";
    /// A decision.
    AdrId of "adr";
    /// A question.
    QuestionId of "question";
    /// An answer of a question.
    AnswerId of "answer";
    /// A transaction of the payments host.
    TransactionId of "transaction";
    /// A student: the member's id.
    StudentId of "student";
    /// A member of staff: the account's id.
    StaffUserId of "staff_user";
    /// An invitation to the staff.
    InvitationId of "invitation";
    /// An invoice.
    InvoiceId of "invoice";
    /// A video lesson.
    VideoLessonId of "video_lesson";
    /// A slide of a video lesson.
    SlideId of "slide";
    /// A thumbnail.
    ThumbnailId of "thumbnail";
    /// A payment of an invoice.
    PaymentId of "payment";
    /// A payment to a fellow.
    FellowPaymentId of "fellow_payment";
    /// An account of the ledger.
    LedgerAccountId of "financing_account";
    /// An entry of the ledger's journal.
    JournalEntryId of "journal_entry";
    /// A line of a bank statement.
    StatementLineId of "statement_line";
    /// A post of a campaign.
    PostId of "post";
    /// A persona.
    PersonaId of "persona";
    /// A competitor.
    CompetitorId of "competitor";
    /// A run of a specification.
    SpecRunId of "spec_run";
    /// A document of the engineering host.
    DocumentId of "document";
    /// A pull request at a code host.
    PullRequestId of "pull_request";
    /// A public tender.
    TenderId of "tender";
    /// An answer of the library.
    LibraryAnswerId of "library_answer";
    /// A submission to a tender.
    SubmissionId of "submission";
    /// A form.
    FormId of "form";
    /// A quiz.
    QuizId of "quiz";
    /// An attempt at a quiz.
    AttemptId of "attempt";
    /// A form that was sent to a guest.
    DispatchId of "dispatch";
    /// A guest's response to a form.
    ResponseId of "response";
    /// An account of the platform: the same UUID as its user's.
    PlatformAccountId of "platform_account";
    /// An app of the platform.
    AppId of "app";
    /// A registered image, recording or document.
    MediaId of "media";
    /// A sandbox.
    SandboxId of "sandbox";
    /// A message between accounts.
    MessageId of "message";
    /// A skill.
    SkillId of "skill";
    /// An item of the agenda: the id of its record.
    AgendaItemId of "agenda_item";
    /// A call that changed something.
    ChangeId of "change";
    /// A record of any kind.
    RecordId of "record";
}
