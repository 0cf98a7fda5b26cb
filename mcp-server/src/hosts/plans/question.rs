//! Questions and their answers.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::plans::question::{
    AcceptAnswer, AnswerQuestion, AskQuestion, ListQuestions, Question,
};
use frontdesk_protocol::record::One;
use serde_json::json;
use uuid::Uuid;

use crate::call::{Call, Handler, Outcome, SqlByName, Stored};
use crate::database::params;
use crate::hosts::routes;

impl Stored for Question {
    const TABLE: &'static str = "plans.questions";
    const ORDER: &'static str = "t.asked_at desc, t.id";
    const FILTERS: SqlByName = &[
        ("search", "t.title_key like (select app.search_pattern($))"),
        (
            "is_answered",
            "exists (select from plans.answers a where a.question_id = t.id and a.is_accepted) = $",
        ),
    ];
    const COMPUTED: SqlByName = &[(
        "answers",
        "(select coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'answer', a.answer, \
             'answered_by', a.answered_by, 'answered_at', a.answered_at, 'is_accepted', a.is_accepted) \
           order by a.is_accepted desc, a.answered_at, a.id), '[]') \
          from plans.answers a where a.question_id = t.id)",
    )];
}

/// The question, as it is now.
async fn question(call: &mut Call, id: Uuid) -> Outcome<One<Question>> {
    let found = call
        .find_with::<Question, Question>(&json!({ "id": id }), &[])
        .await?;
    Ok(found.one())
}

impl Handler for AnswerQuestion {
    async fn handle(self, call: &mut Call) -> Outcome<One<Question>> {
        let sql = "insert into plans.answers (question_id, answer) values ($1, $2)";
        call.query(sql, params![self.question_id, self.answer])
            .await?;
        question(call, self.question_id.0).await
    }
}

impl Handler for AcceptAnswer {
    async fn handle(self, call: &mut Call) -> Outcome<One<Question>> {
        let rows = call
            .query("select plans.accept($1)", params![self.id])
            .await?;
        let accepted: Option<Uuid> = rows.first().and_then(|row| row.get(0));
        match accepted {
            Some(id) => question(call, id).await,
            None => Err(ToolError::not_found("answer").on("id")),
        }
    }
}

routes![
    ListQuestions => list,
    AskQuestion => create,
    AnswerQuestion,
    AcceptAnswer,
];
