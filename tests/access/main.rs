//! Who may what, cell by cell: docs/access.md as tests.
