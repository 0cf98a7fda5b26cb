//! Adding, removing, moving and renaming entries and keys.

use super::edit::Misuse;
use super::make::spoken;
use super::{Entry, Field, Maker};
use crate::kind::Kind;
use crate::path::Segment;

impl Field {
    /// Includes an optional field, empty or with the entries it had before.
    pub(crate) fn include(&mut self, maker: &mut Maker<'_>) -> Result<(), Misuse> {
        self.container(maker, Kind::is_container)
            .ok_or(Misuse::Kind("only lists and objects are included empty"))
    }

    /// Adds an entry at the end of the list. Returns its segment.
    pub(crate) fn add_item(&mut self, maker: &mut Maker<'_>) -> Result<Segment, Misuse> {
        self.container(maker, |kind| matches!(kind, Kind::List(_)))
            .ok_or(Misuse::Kind("entries are added to lists"))?;
        Ok(self.on_leaf(|list| {
            let at = list.children.len();
            let entry = list.list_entry(maker, at);
            list.children.push(entry);
            Segment::Index(at)
        }))
    }

    /// Adds a key. Returns its segment.
    pub(crate) fn add_key(&mut self, maker: &mut Maker<'_>, key: &str) -> Result<Segment, Misuse> {
        self.container(maker, |kind| matches!(kind, Kind::Map(_) | Kind::Object(_)))
            .ok_or(Misuse::Kind("keys are added to objects"))?;
        self.on_leaf(|object| {
            if !object.takes_keys() {
                return Err(Misuse::NoMoreKeys);
            }
            if object.children.iter().any(|child| child.key() == Some(key)) {
                return Err(Misuse::KeyTaken(key.to_owned()));
            }
            let child = object.free_child(maker, key);
            object.children.push(child);
            Ok(Segment::Key(key.to_owned()))
        })
    }

    /// Opens this container, or its first alternative that `fits`.
    fn container(&mut self, maker: &mut Maker<'_>, fits: fn(&Kind) -> bool) -> Option<()> {
        if matches!(self.entry, Entry::Json(_)) {
            return None;
        }
        if let Kind::Variant(several) = &self.kind {
            let count = several.len();
            if self.chosen().is_none() {
                let (was_chosen, before) = (self.chosen, self.entry.clone());
                for at in 0..count {
                    self.choose(maker, at);
                    if let Some(Some(body)) = self.bodies.get_mut(at)
                        && body.container(maker, fits).is_some()
                    {
                        return Some(());
                    }
                }
                (self.chosen, self.entry) = (was_chosen, before);
                return None;
            }
            let body = self.chosen.and_then(|at| self.bodies.get_mut(at));
            return body?.as_mut()?.container(maker, fits);
        }
        if !fits(&self.kind) {
            return None;
        }
        if self.entry != Entry::Open {
            self.open(maker);
        }
        Some(())
    }

    /// Removes a list entry or an additional key.
    pub(crate) fn remove(&mut self, step: &Segment) -> Result<(), Misuse> {
        self.on_leaf(|leaf| {
            let is_it = |child: &Field| child.segment.as_ref() == Some(step);
            let at = leaf.children.iter().position(is_it);
            let at = at.ok_or(Misuse::Nothing)?;
            if leaf.children[at].declared {
                return Err(Misuse::Kind(
                    "it belongs to the tool and can only be left out",
                ));
            }
            leaf.children.remove(at);
            leaf.renumber();
            Ok(())
        })
    }

    /// Moves a list entry.
    pub(crate) fn move_item(&mut self, from: usize, to: usize) -> Result<(), Misuse> {
        self.on_leaf(|leaf| {
            let is_list = matches!(leaf.kind, Kind::List(_));
            if !is_list || from >= leaf.children.len() || to >= leaf.children.len() {
                return Err(Misuse::Nothing);
            }
            let entry = leaf.children.remove(from);
            leaf.children.insert(to, entry);
            leaf.renumber();
            Ok(())
        })
    }

    fn renumber(&mut self) {
        if !matches!(self.kind, Kind::List(_)) {
            return;
        }
        for (at, child) in self.children.iter_mut().enumerate() {
            child.place_at(at);
        }
    }

    fn place_at(&mut self, at: usize) {
        let was_counted = match &self.segment {
            Some(Segment::Index(before)) => self.label == (before + 1).to_string(),
            _ => false,
        };
        if was_counted {
            self.label = (at + 1).to_string();
        }
        self.segment = Some(Segment::Index(at));
        for body in self.bodies.iter_mut().flatten() {
            body.place_at(at);
        }
    }

    /// Renames an additional key.
    pub(crate) fn rename_key(&mut self, from: &str, to: &str) -> Result<(), Misuse> {
        self.on_leaf(|leaf| {
            if from != to && leaf.children.iter().any(|child| child.key() == Some(to)) {
                return Err(Misuse::KeyTaken(to.to_owned()));
            }
            let mut children = leaf.children.iter_mut();
            match children.find(|child| child.key() == Some(from)) {
                None => Err(Misuse::Nothing),
                Some(child) if child.declared => Err(Misuse::Kind("its name belongs to the tool")),
                Some(child) => {
                    child.rename(to);
                    Ok(())
                }
            }
        })
    }

    fn rename(&mut self, key: &str) {
        let segment = Segment::Key(key.to_owned());
        if Some(&self.label) == self.key().map(|key| spoken(key, &self.kind)).as_ref() {
            self.label = spoken(key, &self.kind);
        }
        self.segment = Some(segment);
        for body in self.bodies.iter_mut().flatten() {
            body.rename(key);
        }
    }
}
