//! Submissions to tenders.

use frontdesk_protocol::id::SubmissionId;
use frontdesk_protocol::proposals::submission::{
    Answered, CreateSubmission, ExportSubmission, Exported, GetSubmission, ListSubmissionAnswers,
    ListSubmissions, SetSubmissionAnswer, Submission, SubmissionAnswers, SubmitSubmission,
};
use frontdesk_protocol::record::{List, Maybe, One, Record};
use frontdesk_protocol::{Tool, ToolError};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::json;

use crate::call::{
    Answer, Call, Handler, Outcome, PAGE_BYTES, SqlByName, Stored, columns, cut, missing, named,
};
use crate::database::{internal, params};
use crate::hosts::routes;

/// Selects from the questions of the tender of `t`, each with its answer.
macro_rules! of_questions {
    ($select:literal) => {
        concat!(
            "select ",
            $select,
            " from proposals.tenders d, \
               unnest(d.questions) with ordinality q (question, number) \
             left join proposals.submission_answers a \
               on a.submission_id = t.id and a.question = q.question \
             where d.id = t.tender_id"
        )
    };
}

impl Stored for Submission {
    const TABLE: &'static str = "proposals.submissions";
    const ORDER: &'static str = "t.created_at desc, t.id";
    const FILTERS: SqlByName = &[(
        "search",
        "(t.title_key like (select app.search_pattern($)) \
          or exists (select from proposals.tenders d \
                     where d.id = t.tender_id and d.found_by like (select app.search_pattern($))))",
    )];
    const COMPUTED: SqlByName = &[
        named!("submitted_by_name": account "submitted_by"),
        (
            "title",
            "coalesce(t.title, (select d.title from proposals.tenders d where d.id = t.tender_id))",
        ),
        (
            "unanswered",
            concat!(
                "(",
                of_questions!("count(*) filter (where a.answer is null)::integer"),
                ")"
            ),
        ),
    ];
}

/// The questions of the submission `t` with their answers, in their order.
const ANSWERS: &str = concat!(
    of_questions!("q.question, a.answer, a.answer_id"),
    " order by q.number"
);

/// The submission with its questions and answers, if the caller sees it.
async fn with_answers<T>(
    call: &mut Call,
    id: SubmissionId,
) -> Result<Option<Answer<T>>, ToolError> {
    let sql = format!(
        "select json_build_object('submission', row_to_json(r))::text from ( \
           select t.*, c.items as answers, array_remove(array[{}], null) as missing \
           from (select {} from proposals.submissions t where t.id = $1) t cross join lateral {} c) r",
        missing(
            "answers",
            ListSubmissionAnswers::NAME,
            "submission_id",
            "t.id",
            "c"
        ),
        columns::<Submission>(),
        cut(ANSWERS, PAGE_BYTES)
    );
    call.json(&sql, params![id]).await
}

impl Handler for GetSubmission {
    async fn handle(self, call: &mut Call) -> Outcome<Maybe<SubmissionAnswers>> {
        match with_answers(call, self.id).await? {
            Some(submission) => Ok(submission),
            None => Answer::of(&Maybe(None)),
        }
    }
}

impl Handler for ListSubmissionAnswers {
    async fn handle(self, call: &mut Call) -> Outcome<List<Answered>> {
        let select = |limit: &str, offset: &str| {
            format!(
                "select a.* from proposals.submissions t cross join lateral ({ANSWERS}) a where t.id = $1 \
                 limit {limit} + 1 offset {offset}"
            )
        };
        let of = self.submission_id.0;
        call.page(select, vec![&of], self.limit, self.offset).await
    }
}

impl Handler for SetSubmissionAnswer {
    async fn handle(self, call: &mut Call) -> Outcome<One<SubmissionAnswers>> {
        if self.answer.is_some() == self.answer_id.is_some() {
            return Err(ToolError::invalid(
                "answer",
                "give either answer or answer_id",
            ));
        }
        let set = "select proposals.set_answer($1, $2, $3, $4)";
        let params = params![self.id, self.question, self.answer, self.answer_id];
        call.query(set, params).await?;
        let submission = with_answers(call, self.id).await?;
        submission.ok_or_else(|| ToolError::not_found(Submission::SINGULAR).on("id"))
    }
}

impl Handler for SubmitSubmission {
    async fn handle(self, call: &mut Call) -> Outcome<One<Submission>> {
        call.finally()
            .change(self.id, &json!({ "status": "submitted" }))
            .await
    }
}

/// What the export of a submission contains.
#[derive(Deserialize)]
struct Content {
    title: String,
    issuer: String,
    reference: Option<String>,
    submitted_at: Option<Timestamp>,
    answers: Vec<Answered>,
}

/// The text of a heading, in which Markdown finds no markup.
fn plain(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .chars()
    {
        if character.is_ascii_punctuation() && "\\`*_[]<>#|~&".contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

impl Content {
    fn to_markdown(&self) -> String {
        let mut text = format!(
            "# {}\n\n- Issuer: {}\n",
            plain(&self.title),
            plain(&self.issuer)
        );
        if let Some(reference) = &self.reference {
            text += &format!("- Reference: {}\n", plain(reference));
        }
        text += &match self.submitted_at {
            Some(at) => format!("- Submitted: {at}\n"),
            None => "- Draft, not submitted\n".to_owned(),
        };
        for (number, one) in (1..).zip(&self.answers) {
            let answer = one.answer.as_deref().unwrap_or("*Unanswered*");
            text += &format!(
                "\n## {number}. {}\n\n{}\n",
                plain(&one.question),
                answer.trim()
            );
        }
        text
    }
}

impl Handler for ExportSubmission {
    async fn handle(self, call: &mut Call) -> Outcome<Exported> {
        let sql = format!(
            "select json_build_object('title', coalesce(t.title, d.title), 'issuer', d.issuer, \
               'reference', d.reference, 'submitted_at', t.submitted_at, \
               'answers', (select coalesce(json_agg(row_to_json(a)), '[]') from ({ANSWERS}) a))::text \
             from proposals.submissions t join proposals.tenders d on d.id = t.tender_id where t.id = $1"
        );
        let rows = call.query(&sql, params![self.id]).await?;
        let Some(row) = rows.first() else {
            return Err(ToolError::not_found(Submission::SINGULAR).on("id"));
        };
        let content: Content = serde_json::from_str(row.get(0)).map_err(internal)?;
        Answer::of(&Exported {
            markdown: content.to_markdown(),
        })
    }
}

routes![
    ListSubmissions,
    GetSubmission => own,
    CreateSubmission,
    SetSubmissionAnswer => own,
    SubmitSubmission => own,
    ExportSubmission => own,
    ListSubmissionAnswers => own,
];
