//! Profiles of accounts, and fellow slugs.

use super::{ADMINS, EVERYBODY};
use crate::id::{MemberId, UserId};
use crate::record::{List, Maybe, One};
use crate::resource::resource;
use crate::tool::tool;
use crate::value::{Change, Flag, Handle, Limit, Line, Name, Nullable, Offset, Patch, WebUrl};
use crate::wire::Wire;
use crate::words::words;

/// The profile of an account.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Profile {
    pub id: UserId,
    /// The member who owns the account.
    pub member_id: Option<MemberId>,
    pub name: String,
    /// Address of a picture.
    pub avatar_url: Option<String>,
    /// User id on the chat platform.
    pub chat_user_id: Option<String>,
    /// Lower-case letters, digits and '-'; unique.
    pub fellow_slug: Option<String>,
}

/// A fellow slug and its user.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct FellowSlug {
    pub user_id: UserId,
    /// The user's name.
    pub name: String,
    /// The slug.
    pub fellow_slug: String,
}

resource! {
    Profile = "profile", "profiles" (name: name) {
        list: ListProfiles,
        get: GetProfile,
        other: UpdateProfile,
        other: SetProfileFellowSlug,
    }
    FellowSlug = "fellow_slug", "fellow_slugs" (name: name) {
        list: ListProfileFellowSlugs,
    }
}

words! {
    /// The outcome of setting a fellow slug.
    SlugOutcome {
        /// Assigned to the user, or would be.
        Set = "set",
        /// Removed from the user, or would be.
        Cleared = "cleared",
        /// Nothing to change.
        Unchanged = "unchanged",
        /// Another user has the slug; nothing was written.
        SlugTaken = "slug_taken",
    }
}

/// The result of setting a fellow slug.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct FellowSlugSet {
    /// True if this was a dry run: nothing was written.
    pub dry_run: bool,
    pub outcome: SlugOutcome,
    pub user_id: UserId,
    /// The slug before.
    pub before: Option<String>,
    /// The requested slug.
    pub fellow_slug: Option<String>,
    /// The user who has the slug, if it is taken.
    pub held_by: Option<UserId>,
    pub held_by_name: Option<String>,
}

tool! {
    /// Lists profiles by name.
    ListProfiles = "list_profiles" on Learn, READ, for EVERYBODY => List<Profile> {
        opt {
            /// Part of the name, or of an e-mail address of the account or member.
            search: Option<Line>,
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Gets a profile.
    GetProfile = "get_profile" on Learn, READ, for EVERYBODY => Maybe<Profile> {
        req {
            id: UserId,
        }
    }
}

tool! {
    /// Changes your own profile.
    UpdateProfile = "update_profile" on Learn, UPDATE, for EVERYBODY => One<Profile> {
        opt {
            name: Change<Name>,
            /// null removes it.
            avatar_url: Patch<WebUrl>,
        }
    }
}

tool! {
    /// Sets or removes a user's fellow slug. Requires global level 80.
    SetProfileFellowSlug = "set_profile_fellow_slug" on Learn, UPDATE, for ADMINS => FellowSlugSet {
        req {
            user_id: UserId,
            /// null removes it.
            fellow_slug: Nullable<Handle>,
        }
        opt {
            /// Write nothing.
            dry_run: Flag<false>,
        }
    }
}

tool! {
    /// Lists fellow slugs and their users, by slug. Requires global level 80.
    ListProfileFellowSlugs = "list_profile_fellow_slugs" on Learn, READ, for ADMINS => List<FellowSlug> {
        opt {
            limit: Limit,
            offset: Offset,
        }
    }
}
