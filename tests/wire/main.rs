//! The wire, with a plain HTTP client: every row of the specification's sections 4.1, 5, 7 and 8
//! that concerns these hosts.

mod events;
mod transport;
