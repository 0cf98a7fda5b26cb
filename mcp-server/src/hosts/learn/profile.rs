//! Profiles and fellow slugs.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::id::UserId;
use frontdesk_protocol::learn::profile::{
    FellowSlug, FellowSlugSet, GetProfile, ListProfileFellowSlugs, ListProfiles, Profile,
    SetProfileFellowSlug, SlugOutcome, UpdateProfile,
};
use frontdesk_protocol::record::{List, One, Record};

use crate::call::{Answer, Call, Handler, Outcome, SqlByName, Stored};
use crate::database::params;
use crate::hosts::routes;

impl Stored for Profile {
    const TABLE: &'static str = "learn.profiles";
    const ORDER: &'static str = "t.name_key, t.id";
    const FILTERS: SqlByName = &[(
        "search",
        "t.id = any ((select learn.find_profiles($))::uuid[])",
    )];
}

impl Handler for UpdateProfile {
    async fn handle(self, call: &mut Call) -> Outcome<One<Profile>> {
        let own = call.caller;
        call.finally().change(own, &self).await
    }
}

impl Handler for SetProfileFellowSlug {
    /// Of two calls with the same slug, one waits for the other and then finds the slug in use.
    async fn handle(self, call: &mut Call) -> Outcome<FellowSlugSet> {
        call.set_dry_run(self.dry_run);
        let wanted = self.fellow_slug.0.as_ref().map(|slug| slug.as_str());
        let lock = "select app.require_level(80), \
                    pg_advisory_xact_lock(hashtextextended(app.caller_org() || coalesce($1, ''), 80))";
        call.query(lock, params![wanted]).await?;
        let look = "select h.id, t.fellow_slug, h.name from learn.profiles t \
                    left join learn.profiles h on h.fellow_slug = $2 and h.id <> t.id \
                    where t.id = $1 for update of t";
        let rows = call.query(look, params![self.user_id, wanted]).await?;
        let Some(row) = rows.first() else {
            return Err(ToolError::not_found(Profile::SINGULAR).on("user_id"));
        };
        let held_by: Option<uuid::Uuid> = row.get(0);
        let before: Option<String> = row.get(1);
        let outcome = match wanted {
            _ if held_by.is_some() => SlugOutcome::SlugTaken,
            wanted if wanted == before.as_deref() => SlugOutcome::Unchanged,
            Some(_) => SlugOutcome::Set,
            None => SlugOutcome::Cleared,
        };
        if matches!(outcome, SlugOutcome::Set | SlugOutcome::Cleared) {
            let write = "update learn.profiles set fellow_slug = $2 where id = $1";
            call.query(write, params![self.user_id, wanted]).await?;
        }
        Answer::of(&FellowSlugSet {
            dry_run: self.dry_run.0,
            outcome,
            user_id: self.user_id,
            before,
            fellow_slug: wanted.map(str::to_owned),
            held_by: held_by.map(UserId),
            held_by_name: row.get(2),
        })
    }
}

impl Handler for ListProfileFellowSlugs {
    async fn handle(self, call: &mut Call) -> Outcome<List<FellowSlug>> {
        call.query("select app.require_level(80)", &[]).await?;
        let select = |limit: &str, offset: &str| {
            format!(
                "select t.id as user_id, t.name, t.fellow_slug from learn.profiles t \
                 where t.fellow_slug is not null order by t.fellow_slug limit {limit} + 1 offset {offset}"
            )
        };
        call.page(select, Vec::new(), self.limit, self.offset).await
    }
}

routes![
    ListProfiles,
    GetProfile,
    UpdateProfile => own,
    SetProfileFellowSlug => own,
    ListProfileFellowSlugs => own,
];
