//! Cohorts: groups of members who take a program together.

use super::{ADMINS, EVERYBODY};
use crate::id::{CohortId, OrganizationId};
use crate::record::record;
use crate::role::Role;
use crate::value::{Change, Day, Line, Name, Patch, Slug, Year};
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

record! {
    /// A cohort.
    Cohort = "cohort", "cohorts" (name: name, state: status) {
        id: CohortId,
        name: Name [create, change],
        /// Default: made from the name.
        slug: Slug [create?],
        year: Option<i32>,
        status: CohortStatus [create = "active", change],
        batch_type: BatchType [create = "fellow", change],
        /// The client organisation.
        organization_id: Option<OrganizationId> [create, change],
        organization_name: Option<Line> [create, change],
        starts_on: Option<Day> [create, change],
    }
    /// Lists cohorts, latest first.
    list ListCohorts = "list_cohorts" on Learn for EVERYBODY.and(&[Role::Automation]) {
        opt {
            status: Option<CohortStatus>,
            batch_type: Option<BatchType>,
            /// Part of the name or slug.
            search: Option<Line>,
        }
    }
    /// Adds a cohort. Global admins only.
    create CreateCohort = "create_cohort" on Learn for ADMINS {
        opt {
            year: Option<Year>,
        }
    }
    /// Changes a cohort. Global admins only.
    change UpdateCohort = "update_cohort" on Learn for ADMINS {
        opt {
            /// Unique in the organisation.
            slug: Change<Slug>,
            year: Patch<Year>,
        }
    }
}
