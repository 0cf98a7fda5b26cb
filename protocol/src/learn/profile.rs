//! Profiles: what those who sign in say of themselves, and fellow slugs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ADMINS, EVERYBODY};
use crate::id::{MemberId, UserId};
use crate::record::{List, Maybe, One, record};
use crate::tool::{tool, tools};
use crate::value::{Change, Flag, Handle, Limit, Line, Name, Nullable, Offset, Patch, WebUrl};
use crate::words::words;

/// The profile of somebody who signs in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Profile {
    /// The account that it belongs to.
    pub id: UserId,
    /// The member whose account it is.
    pub member_id: Option<MemberId>,
    /// Name.
    pub name: String,
    /// Address of a picture.
    pub avatar_url: Option<String>,
    /// User at the chat platform.
    pub chat_user_id: Option<String>,
    /// Lower-case letters, digits and '-'; one user has it.
    pub fellow_slug: Option<String>,
}
record!(Profile, "profile", "profiles");

/// Who has which fellow slug.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FellowSlug {
    /// The user.
    pub user_id: UserId,
    /// The user's name.
    pub name: String,
    /// The slug.
    pub fellow_slug: String,
}
record!(FellowSlug, "fellow_slug", "fellow_slugs");

words! {
    /// How giving a fellow slug ended.
    SlugOutcome {
        /// The user has it now, or would have.
        Set = "set",
        /// The user has none now, or would have none.
        Cleared = "cleared",
        /// It was so before.
        Unchanged = "unchanged",
        /// Another user has it; nothing was written.
        SlugTaken = "slug_taken",
    }
}

/// What giving a fellow slug did, or would do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FellowSlugSet {
    /// Whether this was only tried, and nothing was written.
    pub dry_run: bool,
    /// How it ended.
    pub outcome: SlugOutcome,
    /// The user.
    pub user_id: UserId,
    /// The slug before.
    pub before: Option<String>,
    /// The slug that was asked for.
    pub fellow_slug: Option<String>,
    /// The user who has the slug, where it is taken.
    pub held_by: Option<UserId>,
}

tool! {
    /// Lists profiles by name.
    ListProfiles = "list_profiles" on Learn, READ, for EVERYBODY => List<Profile> {
        opt {
            /// Part of the name, or of an e-mail address of the account or its member.
            search: Option<Line>,
            /// Most profiles to return.
            limit: Limit,
            /// Profiles to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Gets a profile.
    GetProfile = "get_profile" on Learn, READ, for EVERYBODY => Maybe<Profile> {
        req {
            /// The user.
            id: UserId,
        }
    }
}

tool! {
    /// Changes your own profile.
    UpdateProfile = "update_profile" on Learn, UPDATE, for EVERYBODY => One<Profile> {
        opt {
            /// Name.
            name: Change<Name>,
            /// Address of a picture; null removes it.
            avatar_url: Patch<WebUrl>,
        }
    }
}

tool! {
    /// Gives a user a fellow slug, or takes it away. Needs global level 80.
    SetProfileFellowSlug = "set_profile_fellow_slug" on Learn, UPDATE, for ADMINS => FellowSlugSet {
        req {
            /// The user.
            user_id: UserId,
            /// Lower-case letters, digits and '-'; null takes the slug away.
            fellow_slug: Nullable<Handle>,
        }
        opt {
            /// Only say what would change.
            dry_run: Flag<false>,
        }
    }
}

tool! {
    /// Lists who has which fellow slug, by slug. Needs global level 80.
    ListProfileFellowSlugs = "list_profile_fellow_slugs" on Learn, READ, for ADMINS => List<FellowSlug> {
        opt {
            /// Most slugs to return.
            limit: Limit,
            /// Slugs to skip.
            offset: Offset,
        }
    }
}

tools![
    ListProfiles,
    GetProfile,
    UpdateProfile,
    SetProfileFellowSlug,
    ListProfileFellowSlugs
];
