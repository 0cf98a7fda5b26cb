//! Questions and their answers.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::plans::question::{
    AcceptAnswer, Answer, AnswerQuestion, AskQuestion, ListAnswers, ListQuestions, Question,
};
use frontdesk_protocol::record::One;
use serde_json::json;
use uuid::Uuid;

use crate::call::{Call, Handler, Outcome, SqlByName, Stored, named};
use crate::database::params;
use crate::hosts::routes;

/// The answers of the question `t` as JSON (`j`), with their number (`n`) and whether they fit: a page has room for at
/// least one question.
macro_rules! answers {
    () => {
        "(select a.j, a.n, a.n <= 2000 and sum(octet_length(a.j::text)) over (order by a.n) <= 500000 as fits \
          from (select a.n, json_build_object('id', a.id, 'answer', a.answer, 'answered_by', a.answered_by, \
                  'answered_by_name', (select p.name from learn.profiles p where p.id = a.answered_by), \
                  'answered_at', a.answered_at, 'is_accepted', a.is_accepted) as j \
                from (select a.*, row_number() over (order by a.is_accepted desc, a.answered_at, a.id) as n \
                      from plans.answers a where a.question_id = t.id) a where a.n <= 2001) a)"
    };
}

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
    const COMPUTED: SqlByName = &[
        named!("asked_by_name": account "asked_by"),
        (
            "answers",
            concat!(
                "(select coalesce(json_agg(a.j order by a.n) filter (where a.fits), '[]') from ",
                answers!(),
                " a)"
            ),
        ),
        (
            "missing",
            concat!(
                "(select case when bool_or(not a.fits) then json_build_array(json_build_object( \
                   'field', 'answers', 'tool', 'list_answers', 'arguments', json_build_object( \
                   'question_id', t.id, 'offset', count(*) filter (where a.fits)))) else '[]' end from ",
                answers!(),
                " a)"
            ),
        ),
    ];
}

impl Stored for Answer {
    const TABLE: &'static str = "plans.answers";
    const ORDER: &'static str = "t.is_accepted desc, t.answered_at, t.id";
    const COMPUTED: SqlByName = &[named!("answered_by_name": account "answered_by")];
}

/// The question's current state.
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
    ListQuestions,
    AskQuestion,
    AnswerQuestion => own,
    AcceptAnswer => own,
    ListAnswers,
];
