//! Responses of guests to the forms that they were sent.

use jiff::Timestamp;

use crate::id::{DispatchId, FormId, GuestId, ResponseId};
use crate::record::{List, One};
use crate::resource::resource;
use crate::role::{Role, Roles};
use crate::tool::tool;
use crate::value::{Limit, Offset, Text, UpTo};
use crate::wire::Wire;

/// Guests with an account, and the machine account that sends forms to the others.
const RESPONDENTS: Roles = Roles::of(&[Role::Fellow, Role::Automation]);

/// A field of the form with its answer.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Reply {
    pub label: String,
    /// Empty if there is none.
    pub answer: String,
}

/// A guest's response to a form.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Response {
    pub id: ResponseId,
    pub guest_name: Option<String>,
    pub dispatch_id: DispatchId,
    pub form_id: FormId,
    pub guest_id: GuestId,
    /// The fields of the form, in order.
    pub answers: Vec<Reply>,
    /// When it was submitted.
    pub created_at: Timestamp,
}

resource! {
    Response = "response", "responses" (parent: form_id, name: guest_name)
        lasting "a response is final and cannot be undone"
    {
        create: SubmitResponse,
        list: ListResponses,
    }
}

tool! {
    /// Submits a guest's response to a dispatched form, once. Fellows respond to the forms that they were sent.
    SubmitResponse = "submit_response" on Quiz, CREATE, for RESPONDENTS => One<Response> {
        req {
            dispatch_id: DispatchId,
            /// An answer for each field of the form; empty: none.
            answers: UpTo<Text<0, 4000>, 100>,
        }
    }
}

tool! {
    /// Lists responses, latest first. Respondents see their own.
    ListResponses = "list_responses" on Quiz, READ, for Roles::DESK.and(&[Role::Fellow, Role::Automation])
        => List<Response> {
        opt {
            form_id: Option<FormId>,
            guest_id: Option<GuestId>,
            limit: Limit,
            offset: Offset,
        }
    }
}
