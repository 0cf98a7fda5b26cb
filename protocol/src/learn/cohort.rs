//! Cohorts: groups of members who take a program together.

use jiff::civil::Date;

use super::{ADMINS, EVERYBODY};
use crate::id::{CohortId, OrganizationId};
use crate::record::{List, One};
use crate::resource::resource;
use crate::role::Role;
use crate::tool::tool;
use crate::value::{Change, Day, Limit, Line, Name, Offset, Patch, Slug, Year};
use crate::wire::Wire;
use crate::words::words;

words! {
    /// The status of a cohort.
    CohortStatus {
        Active = "active",
        Graduated = "graduated",
        Draft = "draft",
        Archived = "archived",
    }
}

words! {
    /// The audience of a cohort: individual fellows or a client organisation.
    BatchType {
        Fellow = "fellow",
        Organization = "organization",
    }
}

/// A cohort.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Cohort {
    pub id: CohortId,
    pub name: String,
    /// Unique in the organisation.
    pub slug: String,
    pub year: Option<i32>,
    pub status: CohortStatus,
    /// Audience: fellow or organization.
    pub batch_type: BatchType,
    /// The client organisation.
    pub organization_id: Option<OrganizationId>,
    /// Name of the client organisation.
    pub organization_name: Option<String>,
    /// First day.
    pub starts_on: Option<Date>,
}

resource! {
    Cohort = "cohort", "cohorts" (name: name, state: status) {
        list: ListCohorts,
        create: CreateCohort,
        change: UpdateCohort,
    }
}

tool! {
    /// Lists cohorts, latest first.
    ListCohorts = "list_cohorts" on Learn, READ, for EVERYBODY.and(&[Role::Automation])
        => List<Cohort> {
        opt {
            status: Option<CohortStatus>,
            batch_type: Option<BatchType>,
            /// Part of the name or slug.
            search: Option<Line>,
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Adds a cohort. Global admins only.
    CreateCohort = "create_cohort" on Learn, CREATE, for ADMINS => One<Cohort> {
        req {
            name: Name,
        }
        opt {
            /// Default: made from the name.
            slug: Option<Slug>,
            year: Option<Year>,
            status: Option<CohortStatus> = "active",
            batch_type: Option<BatchType> = "fellow",
            /// The client organisation.
            organization_id: Option<OrganizationId>,
            organization_name: Option<Line>,
            starts_on: Option<Day>,
        }
    }
}

tool! {
    /// Changes a cohort. Global admins only.
    UpdateCohort = "update_cohort" on Learn, UPDATE, for ADMINS => One<Cohort> {
        req {
            id: CohortId,
        }
        opt {
            name: Change<Name>,
            /// Unique in the organisation.
            slug: Change<Slug>,
            year: Patch<Year>,
            status: Change<CohortStatus>,
            batch_type: Change<BatchType>,
            /// The client organisation.
            organization_id: Patch<OrganizationId>,
            organization_name: Patch<Line>,
            starts_on: Patch<Day>,
        }
    }
}
