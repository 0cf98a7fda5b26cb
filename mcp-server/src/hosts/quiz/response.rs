//! Responses to dispatched forms.

use frontdesk_protocol::quiz::response::{ListResponses, Response, SubmitResponse};

use crate::call::{SqlByName, Stored};
use crate::hosts::routes;

/// A column of the response's dispatch.
macro_rules! dispatched {
    ($column:literal) => {
        concat!(
            "(select d.",
            $column,
            " from quiz.dispatches d where d.id = t.dispatch_id)"
        )
    };
}

impl Stored for Response {
    const TABLE: &'static str = "quiz.responses";
    const ORDER: &'static str = "t.created_at desc, t.id";
    const FILTERS: SqlByName = &[
        ("form_id", concat!(dispatched!("form_id"), " = $")),
        ("guest_id", concat!(dispatched!("guest_id"), " = $")),
    ];
    const COMPUTED: SqlByName = &[
        ("form_id", dispatched!("form_id")),
        ("guest_id", dispatched!("guest_id")),
        (
            "guest_name",
            "(select g.name from quiz.dispatches d join events.guests g on g.id = d.guest_id \
              where d.id = t.dispatch_id)",
        ),
        (
            "answers",
            "(select json_agg(json_build_object('label', f.field ->> 'label', 'answer', t.answers[f.place]) \
                              order by f.place) \
              from quiz.dispatches d join quiz.forms o on o.id = d.form_id \
              cross join jsonb_array_elements(o.fields) with ordinality f (field, place) \
              where d.id = t.dispatch_id)",
        ),
    ];
}

routes![SubmitResponse, ListResponses];
