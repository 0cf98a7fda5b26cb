//! Skills: versioned instructions for agents.

use jiff::Timestamp;

use super::{AUTHORS, READERS};
use crate::id::{SkillId, UserId};
use crate::record::{Maybe, One, record};
use crate::tool::tool;
use crate::value::{Line, Name, Slug, Text, Whole};
use crate::wire::Wire;
use crate::words::words;

words! {
    /// The status of a skill.
    SkillStatus {
        Published = "published",
        Retired = "retired",
    }
}

/// The text of a skill, in Markdown.
pub type Body = Text<1, 100_000>;

record! {
    /// A skill.
    Skill = "skill", "skills" (name: title, state: status) {
        id: SkillId,
        /// Name for programs; unique in the organisation.
        slug: String,
        title: String,
        /// When to use it.
        description: String,
        /// Version number, from 1.
        version: u32,
        status: SkillStatus,
        /// When this version was published.
        published_at: Timestamp,
        /// The account that published it.
        published_by: Option<UserId>,
        published_by_name: Option<String>,
    }
    form SkillText;
    /// Lists skills by title.
    list ListSkills = "list_skills" on Skills for READERS {
        opt {
            /// Part of title, slug or description.
            search: Option<Line>,
            status: Option<SkillStatus> = "published",
        }
    }
    get GetSkill;
    create PublishSkill;
    other RetireSkill;
}

/// A version of a skill.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Version {
    /// Its number, from 1.
    pub version: u32,
    /// When it was published.
    pub published_at: Timestamp,
}

/// A version of a skill with its text.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct SkillText {
    /// The skill in this version.
    #[wire(flatten)]
    pub skill: Skill,
    /// The text, in Markdown.
    pub body: String,
    /// The latest 100 versions, latest first.
    pub versions: Vec<Version>,
}

tool! {
    /// Gets the text of a skill, by id or slug.
    GetSkill = "get_skill" on Skills, READ, for READERS => Maybe<SkillText> {
        opt {
            id: Option<SkillId>,
            /// If id is omitted.
            slug: Option<Name>,
            /// Default: the latest.
            version: Option<Whole<1, 1_000_000>>,
        }
    }
}

tool! {
    /// Publishes a skill, or a new version if the slug exists. Publishing an unchanged text adds no
    /// version.
    PublishSkill = "publish_skill" on Skills, UPDATE, for AUTHORS => One<Skill> {
        req {
            /// Name for programs.
            slug: Slug,
            title: Name,
            /// When to use it.
            description: Text<1, 500>,
            /// Markdown.
            body: Body,
        }
    }
}

tool! {
    /// Retires a skill. Its versions are kept; publishing it again restores it.
    RetireSkill = "retire_skill" on Skills, UPDATE, for AUTHORS => One<Skill> {
        req {
            id: SkillId,
        }
    }
}
