//! `keep-changes`.

use std::io::Write;

use clap::Args;
use frontdesk_server::retention::{beyond, shorten};

use super::accounts::{as_owner, confirm_removal};
use super::{CliResult, DatabaseArgs};

#[derive(Debug, Args)]
pub(super) struct KeepChanges {
    #[command(flatten)]
    database: DatabaseArgs,
    /// Days with changes to keep; 0 keeps none.
    #[arg(value_name = "DAYS", value_parser = clap::value_parser!(u16).range(0..=3650))]
    days: u16,
    /// Do not ask.
    #[arg(long)]
    yes: bool,
}

impl KeepChanges {
    pub(super) async fn run(self) -> CliResult {
        let beyond = as_owner(&self.database, async |owner| {
            Ok(beyond(owner, self.days).await?)
        });
        let beyond = beyond.await?;
        if let Some((first, last)) = beyond.between {
            let plural = |count: i64, one: &str, many: &str| match count {
                1 => format!("1 {one}"),
                _ => format!("{count} {many}"),
            };
            let what = format!(
                "{} of {}, {first} to {last}",
                plural(beyond.entries, "entry", "entries"),
                plural(beyond.days, "day", "days"),
            );
            confirm_removal(&what, "These changes cannot be undone then.", self.yes)?;
        }
        as_owner(&self.database, async |owner| {
            Ok(shorten(owner, self.days).await?)
        })
        .await?;
        let plural = if self.days == 1 { "" } else { "s" };
        writeln!(
            std::io::stdout(),
            "the history keeps {} day{plural} with changes; servers with a larger --keep-changes lengthen it again",
            self.days
        )?;
        Ok(())
    }
}
