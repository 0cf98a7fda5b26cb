//! Responses of guests to the forms that they were sent.

use jiff::Timestamp;

use crate::id::{DispatchId, FormId, GuestId, ResponseId};
use crate::record::{One, record};
use crate::role::{Role, Roles};
use crate::tool::tool;
use crate::value::{Text, UpTo};
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

record! {
    /// A guest's response to a form.
    Response = "response", "responses" (parent: form_id, name: guest_name)
        lasting "a response is final and cannot be undone" {
        id: ResponseId,
        guest_name: Option<String>,
        dispatch_id: DispatchId,
        form_id: FormId,
        guest_id: GuestId,
        /// The fields of the form, in order.
        answers: Vec<Reply>,
        /// When it was submitted.
        created_at: Timestamp,
    }
    create SubmitResponse;
    /// Lists responses, latest first. Respondents see their own.
    list ListResponses = "list_responses" on Quiz for Roles::DESK.and(&[Role::Fellow, Role::Automation]) {
        opt {
            form_id: Option<FormId>,
            guest_id: Option<GuestId>,
        }
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
