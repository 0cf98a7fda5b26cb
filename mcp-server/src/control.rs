//! The embedded database that a running server has open: other commands of this machine use it through that server.

#[cfg(all(unix, feature = "embedded"))]
mod socket;

#[cfg(all(unix, feature = "embedded"))]
pub(crate) use socket::{Control, copy};

use crate::database::{Database, Location, OpenError};

/// As [`Database::open_existing`]; uses an embedded database through the server that has it open, if there is one. Its
/// calls wait meanwhile, so this is for short work.
///
/// # Errors
/// [`OpenError`], with advice.
pub async fn reach(location: &Location) -> Result<Database, OpenError> {
    or_through_its_server(Database::open_existing(location).await).await
}

/// The same, but creates and migrates the database as [`Database::open`].
///
/// # Errors
/// [`OpenError`], with advice.
pub async fn reach_or_create(location: &Location) -> Result<Database, OpenError> {
    or_through_its_server(Database::open(location, 1).await).await
}

async fn or_through_its_server(opened: Result<Database, OpenError>) -> Result<Database, OpenError> {
    #[cfg(all(unix, feature = "embedded"))]
    if let Err(OpenError::Embedded(frontdesk_embedded::Error::InUse { path })) = &opened
        && socket::is_served(path).await
    {
        return Database::elsewhere(socket::sessions(path.clone())).await;
    }
    opened
}

/// Whether a running server answers for this embedded database.
pub async fn is_served(location: &Location) -> bool {
    match location {
        #[cfg(all(unix, feature = "embedded"))]
        Location::Directory(directory) => socket::is_served(directory).await,
        _ => false,
    }
}
