//! The wire, with a plain HTTP client: every row of the specification's sections 4.1, 5, 7 and 8
//! that concerns these hosts.

mod account;
mod arguments;
mod authentication;
mod business_unit;
mod caller;
mod campaigns;
mod code_host;
mod engineering;
mod events;
mod financing;
mod hook;
mod invitation;
mod learn;
mod limit;
mod message;
mod oauth;
mod once;
mod ops;
mod overload;
mod paging;
mod payments;
mod property;
mod proposals;
mod quiz;
mod refresh;
mod resource;
mod revision;
mod session;
mod sessionless;
mod skills;
mod staff;
mod strategy;
mod studio;
mod transport;
mod work;
