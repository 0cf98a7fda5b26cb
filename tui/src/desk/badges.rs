//! Badges of guests as a PDF: name, role, and the code that the desk scans.

#[cfg(feature = "badges")]
mod drawing;
#[cfg(feature = "badges")]
mod face;
pub(crate) mod printing;
#[cfg(feature = "badges")]
mod sheets;

#[cfg(feature = "badges")]
pub use drawing::pdf;

/// Why there are no badges.
#[derive(Debug, thiserror::Error)]
pub enum BadgeError {
    /// The PDF could not be written.
    #[error("the PDF cannot be written: {0}")]
    Pdf(String),
    /// This build has no badges.
    #[error("this build of frontdesk prints no badges; one with the feature “badges” does")]
    LeftOut,
}

/// The paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paper {
    /// Sheets of A4 with eight badges each.
    A4,
    /// A page of the size of a badge for each.
    A7,
}

/// No badges.
///
/// # Errors
/// [`BadgeError::LeftOut`].
#[cfg(not(feature = "badges"))]
pub fn pdf(
    _: &str,
    _: &[frontdesk_protocol::events::guest::Guest],
    _: Paper,
) -> Result<Vec<u8>, BadgeError> {
    Err(BadgeError::LeftOut)
}
