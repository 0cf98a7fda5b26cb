//! Photos of an event, and the members tagged in them.

use frontdesk_protocol::id::MemberId;
use frontdesk_tests::blocking::{Organization, world};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Desk, Null, pluck};

const URL: &str = "https://example.org/photo.jpg";

/// Members in the order in which a photo lists them.
fn sorted(members: &[MemberId]) -> Value {
    let mut members = members.to_vec();
    members.sort();
    json!(members)
}

/// The number of the event's photos and of their tags in the database.
fn count(desk: &Desk) -> (i64, i64) {
    let owner = world().owner();
    let statement = "select count(distinct p.id), count(m.member_id) from events.photos p \
         left join events.photo_members m on m.photo_id = p.id where p.event_id = $1";
    let row = owner
        .query_one(statement, &[&desk.event.0])
        .expect("counts");
    (row.get(0), row.get(1))
}

#[test]
fn a_photo_needs_an_event_and_a_url() {
    let mut desk = Desk::open();
    let added = desk.get(
        "add_event_photo",
        json!({ "event_id": desk.event, "url": URL }),
    );
    let photo = &added["photo"];
    assert_eq!(
        *photo,
        json!({
            "id": photo["id"], "event_id": desk.event, "url": URL, "caption": null,
            "sort_order": 0, "member_ids": [],
        })
    );
    let got = desk.get("get_event_photo", json!({ "id": photo["id"] }));
    assert_eq!(got["photo"], *photo);
}

#[test]
fn a_photo_keeps_everything_that_it_is_added_with() {
    let mut desk = Desk::open();
    let members = [desk.organization.member, desk.organization.fellow];
    let given = json!({
        "event_id": desk.event, "url": URL, "caption": "The hall", "sort_order": -1.5,
        "member_ids": sorted(&members),
    });
    let photo = desk.keeps("add_event_photo", "photo", given);
    let got = desk.get("get_event_photo", json!({ "id": photo["id"] }));
    assert_eq!(got["photo"], photo);
    let listed = desk.get("list_event_photos", json!({ "event_id": desk.event }));
    assert_eq!(listed["photos"], json!([photo]));
}

#[test]
fn an_update_changes_the_named_fields_only() {
    let mut desk = Desk::open();
    let added = desk.get(
        "add_event_photo",
        json!({ "event_id": desk.event, "url": URL }),
    );
    let member = desk.organization.member;
    desk.updates(
        "update_event_photo",
        "photo",
        &added["photo"]["id"],
        &[
            ("caption", json!("The garden"), Null::Clears),
            ("sort_order", json!(7), Null::Refused),
            ("member_ids", json!([member]), Null::Refused),
        ],
    );
}

#[test]
fn a_url_is_a_web_address_and_comes_back_as_it_was() {
    let mut desk = Desk::open();
    for url in [
        "https://example.org",
        "http://example.org/a%20b.jpg?size=1&x=%C3%A9#top",
        "HTTPS://Example.ORG/A",
        "https://user@example.org:8443/",
        "http://127.0.0.1/",
        "http://[::1]/a.png",
        "https://exämple.org/ünïcode/日本.jpg",
    ] {
        let added = desk.get(
            "add_event_photo",
            json!({ "event_id": desk.event, "url": url }),
        );
        assert_eq!(added["photo"]["url"], url);
    }
    for url in [
        "",
        "photo",
        "photo.jpg",
        "example.org/photo.jpg",
        "//example.org/photo.jpg",
        "/photo.jpg",
        "https://",
        "https:example.org",
        "https:/example.org",
        "http:\\\\example.org",
        "ftp://example.org/a",
        "javascript:alert(1)",
        "data:image/png;base64,AAAA",
        "file:///etc/passwd",
        " https://example.org",
        "https://example.org ",
        "https://exam ple.org",
        "https://example.org/a b",
        "https://example.org/\n",
        "https://example.org:port/",
        "https://example.org:99999/",
        "https://[::1/",
        "https://?",
    ] {
        let answer = desk.call(
            "add_event_photo",
            json!({ "event_id": desk.event, "url": url }),
        );
        assert_eq!(answer.result()["isError"], true, "{url:?}");
        answer.refuses("invalid_argument", "url");
    }
}

#[test]
fn the_tagged_members_are_replaced_by_exactly_those_given() {
    let mut desk = Desk::open();
    let members = [desk.organization.member, desk.organization.fellow];
    let arguments = json!({ "event_id": desk.event, "url": URL, "member_ids": [members[0]] });
    let added = desk.get("add_event_photo", arguments);
    let id = &added["photo"]["id"];
    for ids in [
        &members[1..],
        &members[..1],
        &[],
        &members[..],
        &members[..],
    ] {
        let updated = desk.get("update_event_photo", json!({ "id": id, "member_ids": ids }));
        assert_eq!(updated["photo"]["member_ids"], sorted(ids));
        let got = desk.get("get_event_photo", json!({ "id": id }));
        assert_eq!(got["photo"]["member_ids"], sorted(ids));
        let listed = desk.get("list_event_photos", json!({ "event_id": desk.event }));
        assert_eq!(listed["photos"][0]["member_ids"], sorted(ids));
        assert_eq!(count(&desk), (1, ids.len() as i64));
    }
    let kept = desk.get(
        "update_event_photo",
        json!({ "id": id, "caption": "The hall" }),
    );
    assert_eq!(kept["photo"]["member_ids"], sorted(&members));
}

#[test]
fn a_member_who_is_tagged_twice_is_tagged_once() {
    let mut desk = Desk::open();
    let member = desk.organization.member;
    let arguments = json!({ "event_id": desk.event, "url": URL, "member_ids": [member, member] });
    let added = desk.get("add_event_photo", arguments);
    assert_eq!(added["photo"]["member_ids"], json!([member]));
}

#[test]
fn a_member_who_cannot_be_tagged_leaves_nothing_written() {
    let mut desk = Desk::open();
    let member = desk.organization.member;
    let foreign = Organization::create().member;
    let arguments = json!({ "event_id": desk.event, "url": URL, "member_ids": [member] });
    let added = desk.get("add_event_photo", arguments);
    let id = &added["photo"]["id"];
    for nobody in [foreign, MemberId(Uuid::now_v7())] {
        for ids in [
            vec![nobody],
            vec![member, nobody],
            vec![desk.organization.fellow, nobody],
        ] {
            let arguments = json!({ "event_id": desk.event, "url": URL, "member_ids": ids });
            desk.call("add_event_photo", arguments)
                .refuses("not_found", "member_ids");
            assert_eq!(count(&desk), (1, 1), "not even the photo");
            let arguments =
                json!({ "id": id, "caption": "Never", "sort_order": 9, "member_ids": ids });
            desk.call("update_event_photo", arguments)
                .refuses("not_found", "member_ids");
            let got = desk.get("get_event_photo", json!({ "id": id }));
            assert_eq!(got["photo"], added["photo"]);
        }
    }
}

#[test]
fn a_photo_takes_at_most_200_members() {
    let mut desk = Desk::open();
    let ids: Vec<_> = (0..201).map(|_| Uuid::now_v7()).collect();
    let arguments = json!({ "event_id": desk.event, "url": URL, "member_ids": ids });
    desk.call("add_event_photo", arguments)
        .refuses("invalid_argument", "member_ids");
}

#[test]
fn photos_are_listed_in_display_order() {
    let mut desk = Desk::open();
    for (caption, order) in [
        ("third", 2.0),
        ("first", -1.0),
        ("second", 1.5),
        ("fourth", 10.0),
    ] {
        let arguments =
            json!({ "event_id": desk.event, "url": URL, "caption": caption, "sort_order": order });
        desk.get("add_event_photo", arguments);
    }
    let listed = desk.get("list_event_photos", json!({ "event_id": desk.event }));
    assert_eq!(
        pluck(&listed["photos"], "caption"),
        ["first", "second", "third", "fourth"]
    );
}
