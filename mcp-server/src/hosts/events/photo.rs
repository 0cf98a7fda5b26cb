//! Photos of an event, and the members tagged in them.

use frontdesk_protocol::events::photo::{
    AddEventPhoto, DeleteEventPhoto, GetEventPhoto, ListEventPhotos, Photo, UpdateEventPhoto,
};

use crate::call::{Link, Stored};
use crate::hosts::routes;

impl Stored for Photo {
    const TABLE: &'static str = "events.photos";
    const ORDER: &'static str = "t.sort_order, t.id";
    const LINKS: &'static [Link] = &[Link {
        field: "member_ids",
        table: "events.photo_members",
        copied: &[],
    }];
}

routes![
    ListEventPhotos,
    GetEventPhoto,
    AddEventPhoto,
    UpdateEventPhoto,
    DeleteEventPhoto
];
