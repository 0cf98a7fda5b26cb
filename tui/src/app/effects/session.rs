//! The jobs of the account: signing in and out, and the password.

use std::sync::Arc;

use frontdesk_client::{
    Account, CallError, Drafts, GuestLists, Secret, SignInDetails, SignInWays, paths,
};

use super::browser::{Begun, SignInTo, SignedIn};
use super::disk::on_disk;
use super::job::Job;
use super::platform::Platform;
use crate::app::reporter::Reporter;

/// Fetches the signed-in account.
#[derive(Debug)]
pub(crate) struct FetchAccount;

impl Job for FetchAccount {
    type Value = Account;
    type Error = CallError;
    const REACHES: bool = true;

    async fn run(self: Arc<Self>, platform: Platform, _: Reporter) -> Result<Account, CallError> {
        platform.client.account().await
    }
}

/// Signs in with a password.
#[derive(Debug)]
pub(crate) struct SignInByPassword {
    pub(crate) email: String,
    pub(crate) password: Secret,
    pub(crate) details: SignInDetails,
}

impl Job for SignInByPassword {
    type Value = Account;
    type Error = CallError;

    async fn run(self: Arc<Self>, platform: Platform, _: Reporter) -> Result<Account, CallError> {
        let Platform {
            client, api_key, ..
        } = platform;
        let password = self.password.expose();
        let signed_in = client.sign_in_with(&self.details, &api_key, &self.email, password);
        signed_in.await.map(|(account, _)| account)
    }
}

/// Starts a sign-in in a browser, opens its page if possible, and returns the address of the page.
#[derive(Debug)]
pub(crate) struct OpenBrowser(pub(crate) SignInTo);

impl Job for OpenBrowser {
    type Value = String;
    type Error = CallError;

    async fn run(
        self: Arc<Self>,
        platform: Platform,
        reporter: Reporter,
    ) -> Result<String, CallError> {
        let Platform {
            client, api_key, ..
        } = platform;
        let begun = match &self.0 {
            SignInTo::Service(provider) => {
                let begun = client.sign_in_through(provider, &api_key).await?;
                Begun::Service(Box::new(begun))
            }
            SignInTo::Server(name) => {
                let begun = platform.servers.sign_in(name, &reporter).await?;
                Begun::Server(name.clone(), Box::new(begun))
            }
        };
        Ok(platform.browser.open(begun))
    }
}

/// Completes the last sign-in with a redirect address. Without one, waits for the browser.
#[derive(Debug)]
pub(crate) struct FinishInBrowser(pub(crate) Option<Secret>);

impl Job for FinishInBrowser {
    type Value = SignedIn;
    type Error = CallError;

    async fn run(self: Arc<Self>, platform: Platform, _: Reporter) -> Result<SignedIn, CallError> {
        match &self.0 {
            Some(answer) => platform.browser.finish(answer.expose()).await,
            None => platform.browser.wait().await,
        }
    }
}

/// Fetches the ways to sign in.
#[derive(Debug)]
pub(crate) struct FetchWays;

impl Job for FetchWays {
    type Value = SignInWays;
    type Error = CallError;

    async fn run(
        self: Arc<Self>,
        platform: Platform,
        _: Reporter,
    ) -> Result<SignInWays, CallError> {
        platform.client.sign_in_ways(&platform.api_key).await
    }
}

/// Changes the password of the signed-in account.
#[derive(Debug)]
pub(crate) struct ChangePassword {
    pub(crate) current: Secret,
    pub(crate) new: Secret,
}

impl Job for ChangePassword {
    type Value = ();
    type Error = CallError;
    const WRITES: bool = true;

    async fn run(self: Arc<Self>, platform: Platform, _: Reporter) -> Result<(), CallError> {
        let (current, new) = (self.current.expose(), self.new.expose());
        platform.client.change_password(current, new).await
    }
}

/// Signs out, and deletes the credentials, the guest lists and the drafts of the account.
#[derive(Debug)]
pub(crate) struct SignOut;

impl Job for SignOut {
    type Value = ();
    type Error = CallError;
    const WRITES: bool = true;

    async fn run(self: Arc<Self>, platform: Platform, _: Reporter) -> Result<(), CallError> {
        let lists = platform.stored(paths::guest_lists_directory, GuestLists::new);
        let drafts = platform.stored(paths::drafts_directory, Drafts::new);
        let client = platform.client;
        if let (Some(lists), Some(drafts), Some(account)) = (lists, drafts, client.last_account()) {
            let forget = move || lists.forget(account.id).and(drafts.forget(account.id));
            if let Err(error) = on_disk(forget).await {
                tracing::warn!(%error, "what is stored of the account could not be removed");
            }
        }
        client.sign_out().await
    }
}
