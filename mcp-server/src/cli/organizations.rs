//! `list-organizations`, `rename-organization` and `remove-organization`.

use std::io::Write;

use clap::Args;
use frontdesk_server::accounts;

use super::accounts::{as_owner, confirm, tell_none};
use super::{CliResult, DatabaseArgs};

#[derive(Debug, Args)]
pub(super) struct ListOrganizations {
    #[command(flatten)]
    database: DatabaseArgs,
}

#[derive(Debug, Args)]
pub(super) struct RenameOrganization {
    #[command(flatten)]
    database: DatabaseArgs,
    /// Name or slug of the organisation.
    #[arg(value_name = "NAME")]
    organization: String,
    /// New name.
    #[arg(long, value_name = "NAME", required_unless_present_any = ["slug", "currency"])]
    to: Option<String>,
    /// New slug: its name in public addresses, such as /learn/wiki/~SLUG.
    #[arg(long, value_name = "SLUG")]
    slug: Option<String>,
    /// New currency of its amounts: a code such as BRL. Amounts stay as they are.
    #[arg(long, value_name = "CODE")]
    currency: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct RemoveOrganization {
    #[command(flatten)]
    database: DatabaseArgs,
    /// Name or slug of the organisation.
    #[arg(value_name = "NAME")]
    organization: String,
    /// Do not ask.
    #[arg(long)]
    yes: bool,
}

impl ListOrganizations {
    pub(super) async fn run(self) -> CliResult {
        let listed = as_owner(&self.database, async |owner| {
            accounts::organizations(owner).await
        })
        .await?;
        if listed.is_empty() {
            return tell_none("organisation");
        }
        let mut out = std::io::stdout().lock();
        for organization in listed {
            let accounts = organization.accounts;
            let plural = if accounts == 1 { "" } else { "s" };
            writeln!(
                out,
                "{}\t{}\t{accounts} account{plural}",
                organization.name, organization.slug
            )?;
        }
        Ok(())
    }
}

impl RenameOrganization {
    pub(super) async fn run(self) -> CliResult {
        let (name, slug) = (self.to.as_deref(), self.slug.as_deref());
        let currency = self.currency.as_deref();
        as_owner(&self.database, async |owner| {
            accounts::rename_organization(owner, &self.organization, name, slug, currency).await
        })
        .await?;
        let mut out = std::io::stdout();
        if let Some(name) = name {
            writeln!(out, "renamed {} to {name}", self.organization)?;
        }
        if let Some(slug) = slug {
            writeln!(
                out,
                "the slug of {} is {slug}",
                name.unwrap_or(&self.organization)
            )?;
        }
        if let Some(currency) = currency {
            let name = name.unwrap_or(&self.organization);
            writeln!(out, "the currency of {name} is {currency}")?;
        }
        Ok(())
    }
}

impl RemoveOrganization {
    pub(super) async fn run(self) -> CliResult {
        let removal = as_owner(&self.database, async |owner| {
            accounts::organization_to_remove(owner, &self.organization).await
        })
        .await?;
        confirm(&removal, self.yes)?;
        as_owner(&self.database, async |owner| {
            accounts::remove_organization(owner, &removal).await
        })
        .await?;
        writeln!(std::io::stdout(), "removed {}", removal.what)?;
        Ok(())
    }
}
