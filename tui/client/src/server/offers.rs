//! What a server offers beside its tools: resources, prompts, and completion of their arguments.

use std::collections::HashMap;

use rmcp::model::{
    ArgumentInfo, ClientRequest, CompleteRequest, CompleteRequestParams, CompletionContext,
    GetPromptRequest, GetPromptRequestParams, ListPromptsRequest, ListResourceTemplatesRequest,
    ListResourcesRequest, PaginatedRequestParams, ReadResourceRequest, ReadResourceRequestParams,
    Reference,
};
use serde_json::{Map, Value};

use super::Server;
use super::listing::List;
use crate::answers::Answer;
use crate::call_result::CallResult;
use crate::catalogue::Listing;
use crate::error::CallError;
use crate::question::{MOST_QUESTIONS, asks_too_often};
use crate::subscribe::Subscription;

/// A list of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offers {
    /// Resources: `uri`, `name`, `title`, `description`, `mimeType`, `size`.
    Resources,
    /// Templates of addresses of resources: `uriTemplate`, otherwise like resources.
    Templates,
    /// Prompts: `name`, `title`, `description`, `arguments`.
    Prompts,
}

impl Offers {
    /// The name of the list, and of the member that identifies an item.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Offers::Resources => ("resources", "uri"),
            Offers::Templates => ("resourceTemplates", "uriTemplate"),
            Offers::Prompts => ("prompts", "name"),
        }
    }

    fn request(self, params: Option<PaginatedRequestParams>) -> ClientRequest {
        macro_rules! list {
            ($request:ident) => {{
                let mut request = $request::default();
                request.params = params;
                ClientRequest::$request(request)
            }};
        }
        match self {
            Offers::Resources => list!(ListResourcesRequest),
            Offers::Templates => list!(ListResourceTemplatesRequest),
            Offers::Prompts => list!(ListPromptsRequest),
        }
    }
}

/// The suggestions for an argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestions {
    /// The values, the best first.
    pub values: Vec<String>,
    /// Whether there are more.
    pub has_more: bool,
}

impl Server {
    /// The items of a list, as received. A server without the list has no items.
    ///
    /// # Errors
    /// As for [`Server::about`], and any error of the server about the first page.
    pub async fn list(&self, offers: Offers) -> Result<Listing<Value>, CallError> {
        let (name, key) = offers.names();
        let list = List {
            name,
            is_announced: self.session().await?.offers(offers),
            meta: None,
            request: |params| offers.request(params),
            item: |item: &Value| match item[key].as_str() {
                Some(_) => Ok(item.clone()),
                None => Err("it has no address or name"),
            },
        };
        self.pages(list).await.map(|(listed, _)| listed)
    }

    /// The contents of a resource.
    ///
    /// # Errors
    /// As for [`Server::list`].
    pub async fn read(&self, uri: &str) -> Result<CallResult, CallError> {
        let params = ReadResourceRequestParams::new(uri);
        let request = ReadResourceRequest::new(params);
        let answer = self
            .ask(ClientRequest::ReadResourceRequest(request))
            .await?;
        CallResult::of_contents(answer)
    }

    /// Subscribes to the changes of a resource ([`Notice::ResourceUpdated`]); `None` if the server
    /// does not offer this.
    ///
    /// [`Notice::ResourceUpdated`]: crate::Notice::ResourceUpdated
    ///
    /// # Errors
    /// As for [`Server::list`].
    pub async fn subscribe(&self, uri: &str) -> Result<Option<Subscription>, CallError> {
        let session = self.session().await?;
        let subscribed = session.subscribe(&self.0.listener, uri).await;
        subscribed.map_err(|trouble| trouble.into_error(&self.0.place, true))
    }

    /// The messages of a prompt, with the content of each as a block.
    ///
    /// # Errors
    /// As for [`Server::list`].
    pub async fn prompt(
        &self,
        name: &str,
        arguments: Map<String, Value>,
    ) -> Result<CallResult, CallError> {
        let mut params = GetPromptRequestParams::new(name).with_arguments(arguments);
        for _ in 0..MOST_QUESTIONS {
            let request = GetPromptRequest::new(params.clone());
            let answer = self.ask(ClientRequest::GetPromptRequest(request)).await?;
            let received = answer.value().map_err(CallError::Protocol)?;
            if received["resultType"] != "input_required" {
                return CallResult::of_messages(answer);
            }
            let answers = self.0.listener.responder.answers(&received).await?;
            params.input_responses = Some(answers.0);
            params.request_state = answers.1;
        }
        Err(asks_too_often("prompt"))
    }

    /// Suggestions for the argument of a prompt, or of the template of an address, which contains
    /// `{`. `given` are the arguments known so far.
    ///
    /// # Errors
    /// As for [`Server::list`].
    pub async fn complete(
        &self,
        of: &str,
        argument: (&str, &str),
        given: HashMap<String, String>,
    ) -> Result<Suggestions, CallError> {
        let of = match of.contains('{') {
            true => Reference::for_resource(of),
            false => Reference::for_prompt(of),
        };
        let argument = ArgumentInfo::new(argument.0, argument.1);
        let mut params = CompleteRequestParams::new(of, argument);
        if !given.is_empty() {
            params = params.with_context(CompletionContext::with_arguments(given));
        }
        let request = ClientRequest::CompleteRequest(CompleteRequest::new(params));
        let answer = self
            .ask(request)
            .await?
            .value()
            .map_err(CallError::Protocol)?;
        let completion = &answer["completion"];
        let values = completion["values"].as_array();
        let values = values.ok_or_else(|| CallError::Protocol("it suggests nothing".to_owned()))?;
        Ok(Suggestions {
            values: values
                .iter()
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect(),
            has_more: completion["hasMore"] == true,
        })
    }

    pub(super) async fn ask(&self, request: ClientRequest) -> Result<Answer, CallError> {
        self.request(request, None, true, |_| {}).await
    }
}
