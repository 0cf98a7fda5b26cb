//! The options of the code-hosting provider for sign-in.

use clap::Args;
use frontdesk_server::identity::{CodeHostAddresses, CodeHostError, CodeHostSettings};
use url::Url;

use super::invalid;

const SECRET: &str = "--provider-client-secret";

/// The `--provider` options.
#[derive(Debug, Args)]
pub(super) struct Provider {
    /// Also sign people in through this code-hosting provider. `github` is predefined; any other name needs the
    /// provider's addresses.
    #[arg(
        long,
        env = "FRONTDESK_PROVIDER",
        value_name = "NAME",
        requires = "provider_client_id",
        conflicts_with_all = ["jwks_url", "jwt_secret"]
    )]
    provider: Option<String>,
    /// Client id of this server at the provider.
    #[arg(long, env = "FRONTDESK_PROVIDER_CLIENT_ID", value_name = "ID")]
    provider_client_id: Option<String>,
    /// Client secret; prefer the environment variable, because other users of the machine can read options.
    #[arg(
        long,
        env = "FRONTDESK_PROVIDER_CLIENT_SECRET",
        value_name = "SECRET",
        hide_env_values = true
    )]
    provider_client_secret: Option<String>,
    /// Address of the provider's sign-in page.
    #[arg(long, env = "FRONTDESK_PROVIDER_AUTHORIZE_URL", value_name = "URL")]
    provider_authorize_url: Option<Url>,
    /// Address at which the provider exchanges codes for tokens.
    #[arg(long, env = "FRONTDESK_PROVIDER_TOKEN_URL", value_name = "URL")]
    provider_token_url: Option<Url>,
    /// Address at which the provider returns e-mail addresses: a list of {email, primary, verified}, or an object with
    /// `email` and `email_verified`.
    #[arg(long, env = "FRONTDESK_PROVIDER_EMAIL_URL", value_name = "URL")]
    provider_email_url: Option<Url>,
    /// Scopes to request from the provider, separated by spaces [default: `user:email` for github]
    #[arg(long, env = "FRONTDESK_PROVIDER_SCOPE", value_name = "SCOPES")]
    provider_scope: Option<String>,
}

impl Provider {
    /// The settings, or `None` without a provider. Exits if they are invalid.
    pub(super) fn settings(self) -> Option<CodeHostSettings> {
        let name = self.provider?;
        let known = CodeHostAddresses::known(&name);
        let address = |given: Option<Url>, option: &str, known: Option<&Url>| {
            given.or_else(|| known.cloned()).unwrap_or_else(|| {
                let message = format!("the provider {name} is not known; give its address");
                invalid(option, &*Box::<dyn std::error::Error>::from(message))
            })
        };
        let addresses = CodeHostAddresses {
            authorize: address(
                self.provider_authorize_url,
                "--provider-authorize-url",
                known.as_ref().map(|known| &known.authorize),
            ),
            token: address(
                self.provider_token_url,
                "--provider-token-url",
                known.as_ref().map(|known| &known.token),
            ),
            emails: address(
                self.provider_email_url,
                "--provider-email-url",
                known.as_ref().map(|known| &known.emails),
            ),
            scope: (self.provider_scope)
                .or(known.map(|known| known.scope))
                .unwrap_or_default(),
        };
        let id = self.provider_client_id.unwrap_or_default();
        let secret = self.provider_client_secret.unwrap_or_default();
        let settings = CodeHostSettings::new(&name, &id, &secret, addresses);
        Some(settings.unwrap_or_else(|error| match error {
            CodeHostError::Client => invalid(SECRET, &error),
            _ => invalid("--provider", &error),
        }))
    }
}
