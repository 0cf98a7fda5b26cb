//! Skills: what an agent reads before it does something, in all its versions.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{AUTHORS, READERS};
use crate::id::{SkillId, UserId};
use crate::record::{List, Maybe, One, record};
use crate::tool::{tool, tools};
use crate::value::{Limit, Line, Name, Offset, Slug, Text, Whole};
use crate::words::words;

words! {
    /// Whether a skill is to be used.
    SkillStatus {
        Published = "published",
        Retired = "retired",
    }
}

/// What a skill says, in Markdown.
pub type Body = Text<1, 100_000>;

/// A skill.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Skill {
    /// Identifies the skill.
    pub id: SkillId,
    /// Its name for programs; unique in the organisation.
    pub slug: String,
    /// Title.
    pub title: String,
    /// When to use it.
    pub description: String,
    /// The number of its version.
    pub version: u32,
    /// Whether it is to be used.
    pub status: SkillStatus,
    /// When this version was published.
    pub published_at: Timestamp,
    /// Who published it.
    pub published_by: Option<UserId>,
}
record!(Skill, "skill", "skills");

/// A version of a skill.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Version {
    /// Its number, from 1.
    pub version: u32,
    /// When it was published.
    pub published_at: Timestamp,
}

/// A version of a skill, with what it says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SkillText {
    /// The skill as it was in this version.
    #[serde(flatten)]
    pub skill: Skill,
    /// What it says, in Markdown.
    pub body: String,
    /// Its versions, the latest 100 of them, the latest first.
    pub versions: Vec<Version>,
}
record!(SkillText, "skill", "skills");

tool! {
    /// Lists skills by title.
    ListSkills = "list_skills" on Skills, READ, for READERS => List<Skill> {
        opt {
            /// Part of title, slug or description.
            search: Option<Line>,
            /// published where left out.
            status: Option<SkillStatus>,
            /// Most skills to return.
            limit: Limit,
            /// Skills to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Gets what a skill says, by id or by slug.
    GetSkill = "get_skill" on Skills, READ, for READERS => Maybe<SkillText> {
        opt {
            /// The skill.
            id: Option<SkillId>,
            /// Its slug, where id is left out.
            slug: Option<Name>,
            /// The number of a version; the latest where left out.
            version: Option<Whole<1, 1_000_000>>,
        }
    }
}

tool! {
    /// Publishes a skill: a new one, or a new version of the one with this slug. The same text again is no new
    /// version.
    PublishSkill = "publish_skill" on Skills, UPDATE, for AUTHORS => One<Skill> {
        req {
            /// Its name for programs.
            slug: Slug,
            /// Title.
            title: Name,
            /// When to use it.
            description: Text<1, 500>,
            /// What it says, in Markdown.
            body: Body,
        }
    }
}

tool! {
    /// Retires a skill; its versions stay, and publishing it again brings it back.
    RetireSkill = "retire_skill" on Skills, UPDATE, for AUTHORS => One<Skill> {
        req {
            /// The skill.
            id: SkillId,
        }
    }
}

tools![ListSkills, GetSkill, PublishSkill, RetireSkill];
