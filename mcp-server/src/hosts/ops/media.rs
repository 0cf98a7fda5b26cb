//! Media by their addresses.

use frontdesk_protocol::ops::media::{ListMedia, Media, RegisterMedia};

use crate::call::{SqlByName, Stored};
use crate::hosts::routes;

impl Stored for Media {
    const TABLE: &'static str = "ops.media";
    const ORDER: &'static str = "t.name_key, t.id";
    const FILTERS: SqlByName = &[("search", "t.name_key like (select app.search_pattern($))")];
}

routes![ListMedia, RegisterMedia];
