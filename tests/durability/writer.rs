//! Writers, and the acknowledgements that they got.

use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedSender;

use crate::durability::desk::{Desk, Records, id};

/// The changes that the server acknowledged to a writer.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    /// The records as last acknowledged.
    pub(crate) guests: Records,
    pub(crate) photos: Records,
    pub(crate) sessions: Records,
    /// Records with an unacknowledged change: each can be in the old or the new state.
    uncertain: Vec<String>,
    /// The number of unacknowledged additions.
    additions: usize,
}

/// A photo's caption once its tags were replaced.
const RETAGGED: &str = "retagged";

/// Writes until the server stops acknowledging. Sends each acknowledgement to `acknowledged`.
pub(crate) async fn write(
    mut desk: Desk,
    writer: String,
    acknowledged: UnboundedSender<()>,
) -> Journal {
    let mut journal = Journal::default();
    for number in 0.. {
        if round(&mut desk, &writer, number, &acknowledged, &mut journal)
            .await
            .is_none()
        {
            break;
        }
    }
    journal
}

/// One guest, checked in; one session with the guest; one photo, tagged twice.
async fn round(
    desk: &mut Desk,
    writer: &str,
    number: usize,
    acknowledged: &UnboundedSender<()>,
    journal: &mut Journal,
) -> Option<()> {
    let event = desk.event.clone();
    let members = desk.members.clone();
    // The receiver may be gone.
    let tell = || acknowledged.send(()).unwrap_or_default();

    let guest = json!({ "event_id": event, "name": format!("Guest {writer}.{number}") });
    let guest = journal.added(
        desk.acknowledged("create_event_guest", &guest).await,
        "guest",
    )?;
    let guest_id = id(&guest);
    journal.guests.insert(guest_id.clone(), guest);
    tell();

    let checked_in = desk
        .acknowledged("check_in_guest", &json!({ "id": guest_id }))
        .await;
    let checked_in = journal.changed(checked_in, "guest", &guest_id)?;
    assert!(checked_in["check_in_at"].is_string(), "{checked_in}");
    journal.guests.insert(guest_id.clone(), checked_in);
    tell();

    let session = json!({
        "event_id": event, "title": format!("Session {writer}.{number}"), "guest_ids": [guest_id],
    });
    let session = journal.added(
        desk.acknowledged("create_event_session", &session).await,
        "session",
    )?;
    journal.sessions.insert(id(&session), session);
    tell();

    let photo = json!({
        "event_id": event, "url": format!("https://example.org/{writer}/{number}.jpg"),
        "member_ids": members,
    });
    let photo = journal.added(desk.acknowledged("add_event_photo", &photo).await, "photo")?;
    let photo_id = id(&photo);
    journal.photos.insert(photo_id.clone(), photo);
    tell();

    let change = json!({ "id": photo_id, "caption": RETAGGED, "member_ids": [members[0]] });
    let changed = desk.acknowledged("update_event_photo", &change).await;
    let changed = journal.changed(changed, "photo", &photo_id)?;
    journal.photos.insert(photo_id, changed);
    tell();
    Some(())
}

impl Journal {
    fn added(&mut self, answer: Option<Value>, record: &str) -> Option<Value> {
        self.additions += usize::from(answer.is_none());
        Some(answer?[record].clone())
    }

    fn changed(&mut self, answer: Option<Value>, record: &str, id: &str) -> Option<Value> {
        if answer.is_none() {
            self.uncertain.push(id.to_owned());
        }
        Some(answer?[record].clone())
    }

    /// Adds another writer's acknowledgements.
    pub(crate) fn append(&mut self, mut other: Journal) {
        self.guests.append(&mut other.guests);
        self.photos.append(&mut other.photos);
        self.sessions.append(&mut other.sessions);
        self.uncertain.append(&mut other.uncertain);
        self.additions += other.additions;
    }

    /// The number of records that must exist.
    pub(crate) fn len(&self) -> usize {
        self.guests.len() + self.photos.len() + self.sessions.len()
    }

    /// Asserts that every acknowledged change is stored, and every other one completely or not at
    /// all.
    pub(crate) async fn verify(&self, desk: &mut Desk) {
        let guests = desk.all("list_event_guests", "guests").await;
        let sessions = desk.all("list_event_sessions", "sessions").await;
        let photos = desk.all("list_event_photos", "photos").await;
        let mut unacknowledged = 0;
        for (acknowledged, found) in [
            (&self.guests, &guests),
            (&self.sessions, &sessions),
            (&self.photos, &photos),
        ] {
            for (id, record) in acknowledged {
                let found = found.get(id).unwrap_or_else(|| panic!("lost: {record}"));
                if !self.uncertain.contains(id) {
                    assert_eq!(found, record, "not as it was acknowledged");
                }
            }
            unacknowledged += found.len() - acknowledged.len();
        }
        assert!(
            unacknowledged <= self.additions,
            "{unacknowledged} of {}",
            self.additions
        );

        for session in sessions.values() {
            let guest_ids = session["guest_ids"].as_array().expect("guests");
            assert_eq!(guest_ids.len(), 1, "half a session: {session}");
            let guest = guest_ids[0].as_str().expect("an id");
            assert!(
                guests.contains_key(guest),
                "a session without its guest: {session}"
            );
        }
        for photo in photos.values() {
            let whole = match photo["caption"] == RETAGGED {
                true => json!(desk.members[..1]),
                false => json!(desk.members),
            };
            assert_eq!(photo["member_ids"], whole, "half a photo: {photo}");
        }
    }
}
