//! From names to the files that define what they name.

use std::collections::BTreeMap;

use crate::names::Reference;
use crate::tree::{FileId, Import, Module, ModuleId, Tree};

/// How one file uses another: for each pair, the first place.
pub type Uses = BTreeMap<(FileId, FileId), Reference>;

/// What a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Module(ModuleId),
    /// An item that this module defines.
    Item(ModuleId),
}

/// How many re-exports a name is followed through.
const MAX_STEPS: usize = 32;

pub fn uses(tree: &Tree) -> Uses {
    let mut uses = Uses::new();
    for (id, module) in tree.modules.iter().enumerate() {
        let mut add = |target: Option<Target>, reference: &Reference| {
            let Some(Target::Item(other)) = target else { return };
            let pair = (module.file, tree.modules[other].file);
            if pair.0 != pair.1 {
                uses.entry(pair).or_insert_with(|| reference.clone());
            }
        };
        for reference in &module.references {
            add(tree.resolve(id, &reference.segments, MAX_STEPS), reference);
        }
        for import in &module.imports {
            let target = tree.resolve(id, &import.reference.segments, MAX_STEPS);
            let Some(name) = &import.name else { continue };
            if !tree.hands_on(id, import, target) || module.mentions.contains_key(name) {
                add(target, &import.reference);
            }
        }
        for (name, &line) in &module.mentions {
            if let Some(target) = tree.through_globs(id, name, MAX_STEPS) {
                add(Some(target), &Reference { segments: vec![name.clone()], line });
            }
        }
    }
    uses
}

impl Tree {
    /// Whether a parent merely re-exports what one of its children defines.
    fn hands_on(&self, id: ModuleId, import: &Import, target: Option<Target>) -> bool {
        let (Some(Target::Item(other)), true) = (target, import.reexported) else { return false };
        let mut above = self.modules[other].parent;
        while let Some(module) = above {
            if module == id {
                return true;
            }
            above = self.modules[module].parent;
        }
        false
    }

    /// `None` for other crates, local names and what cannot be resolved.
    fn resolve(&self, from: ModuleId, segments: &[String], steps: usize) -> Option<Target> {
        let steps = steps.checked_sub(1)?;
        let (first, rest) = segments.split_first()?;
        match first.as_str() {
            "crate" => self.walk(0, rest, steps),
            "self" => self.walk(from, rest, steps),
            "super" => {
                let parent = self.modules[from].parent?;
                let nested = rest.first().is_some_and(|next| next == "super");
                if nested {
                    self.resolve(parent, rest, steps)
                } else {
                    self.walk(parent, rest, steps)
                }
            }
            name => match self.lookup(from, name, steps)? {
                Target::Module(module) => self.walk(module, rest, steps),
                item => Some(item),
            },
        }
    }

    /// Follows the path `segments` down from a module.
    fn walk(&self, module: ModuleId, segments: &[String], steps: usize) -> Option<Target> {
        let Some((first, rest)) = segments.split_first() else {
            return Some(Target::Module(module));
        };
        // An item that a macro makes is taken for the module's own.
        match self.lookup(module, first, steps).unwrap_or(Target::Item(module)) {
            Target::Module(child) => self.walk(child, rest, steps),
            item => Some(item),
        }
    }

    /// What `name` means in a module.
    fn lookup(&self, id: ModuleId, name: &str, steps: usize) -> Option<Target> {
        let module: &Module = &self.modules[id];
        if let Some(&child) = module.children.get(name) {
            return Some(Target::Module(child));
        }
        if module.items.contains(name) {
            return Some(Target::Item(id));
        }
        let import = module.imports.iter().find(|import| import.name.as_deref() == Some(name));
        match import {
            Some(import) if import.reference.segments != [name] => {
                self.resolve(id, &import.reference.segments, steps)
            }
            _ => self.through_globs(id, name, steps),
        }
    }

    /// What `name` means by one of the module's `use ...::*`.
    fn through_globs(&self, id: ModuleId, name: &str, steps: usize) -> Option<Target> {
        let steps = steps.checked_sub(1)?;
        let globs = self.modules[id].imports.iter().filter(|import| import.name.is_none());
        globs.filter_map(|glob| self.resolve(id, &glob.reference.segments, steps)).find_map(
            |target| match target {
                Target::Module(module) if module != id => self.lookup(module, name, steps),
                _ => None,
            },
        )
    }
}
