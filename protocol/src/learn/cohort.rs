//! Cohorts: groups of members that go through a program together.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ADMINS, EVERYBODY};
use crate::id::{CohortId, OrganizationId};
use crate::record::{List, One, record};
use crate::role::Role;
use crate::tool::{tool, tools};
use crate::value::{Change, Day, Limit, Line, Name, Offset, Patch, Slug, Year};
use crate::words::words;

words! {
    /// How far a cohort is.
    CohortStatus {
        Active = "active",
        Graduated = "graduated",
        Draft = "draft",
        Archived = "archived",
    }
}

words! {
    /// Whom a cohort is for.
    BatchType {
        Fellow = "fellow",
        Organization = "organization",
    }
}

/// A cohort.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cohort {
    /// Identifies the cohort.
    pub id: CohortId,
    /// Name.
    pub name: String,
    /// Unique in the organisation.
    pub slug: String,
    /// Year.
    pub year: Option<i32>,
    /// How far it is.
    pub status: CohortStatus,
    /// Whom it is for.
    pub batch_type: BatchType,
    /// The organisation that it is for.
    pub organization_id: Option<OrganizationId>,
    /// The name of that organisation.
    pub organization_name: Option<String>,
    /// The day on which it begins.
    pub starts_on: Option<Date>,
}
record!(Cohort, "cohort", "cohorts");

tool! {
    /// Lists cohorts, the latest first.
    ListCohorts = "list_cohorts" on Learn, READ, for EVERYBODY.and(&[Role::Automation])
        => List<Cohort> {
        opt {
            /// Only cohorts of this status.
            status: Option<CohortStatus>,
            /// Only cohorts of this type.
            batch_type: Option<BatchType>,
            /// Part of the name or slug.
            search: Option<Line>,
            /// Most cohorts to return.
            limit: Limit,
            /// Cohorts to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Adds a cohort. Global admins only.
    CreateCohort = "create_cohort" on Learn, CREATE, for ADMINS => One<Cohort> {
        req {
            /// Name.
            name: Name,
        }
        opt {
            /// Made from the name where left out.
            slug: Option<Slug>,
            /// Year.
            year: Option<Year>,
            /// active where left out.
            status: Option<CohortStatus>,
            /// fellow where left out.
            batch_type: Option<BatchType>,
            /// The organisation that it is for.
            organization_id: Option<OrganizationId>,
            /// The name of that organisation.
            organization_name: Option<Line>,
            /// The day on which it begins.
            starts_on: Option<Day>,
        }
    }
}

tool! {
    /// Changes a cohort. Fields left out stay; null clears. Global admins only.
    UpdateCohort = "update_cohort" on Learn, UPDATE, for ADMINS => One<Cohort> {
        req {
            /// The cohort.
            id: CohortId,
        }
        opt {
            /// Name.
            name: Change<Name>,
            /// Unique in the organisation.
            slug: Change<Slug>,
            /// Year.
            year: Patch<Year>,
            /// How far it is.
            status: Change<CohortStatus>,
            /// Whom it is for.
            batch_type: Change<BatchType>,
            /// The organisation that it is for.
            organization_id: Patch<OrganizationId>,
            /// The name of that organisation.
            organization_name: Patch<Line>,
            /// The day on which it begins.
            starts_on: Patch<Day>,
        }
    }
}

tools![ListCohorts, CreateCohort, UpdateCohort];
