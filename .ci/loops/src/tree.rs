//! The modules of one target: where each lies, what it defines, imports and names.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use quote::ToTokens;
use syn::{Attribute, Item, ItemMod, ItemUse, Meta, UseTree, Visibility};

use crate::names::{self, Reference};

/// Index into [`Tree::modules`].
pub type ModuleId = usize;
/// Index into [`Tree::files`].
pub type FileId = usize;

/// The root is module 0 in file 0.
pub struct Tree {
    pub modules: Vec<Module>,
    pub files: Vec<PathBuf>,
}

pub struct Module {
    pub file: FileId,
    pub parent: Option<ModuleId>,
    pub children: BTreeMap<String, ModuleId>,
    /// Names of the items defined here.
    pub items: BTreeSet<String>,
    pub imports: Vec<Import>,
    /// Paths in the code.
    pub references: Vec<Reference>,
    /// Names that stand alone in the code.
    pub mentions: BTreeMap<String, usize>,
}

/// One leaf of a `use` item.
pub struct Import {
    /// What it is called here; `None` for `*`.
    pub name: Option<String>,
    pub reference: Reference,
    pub reexported: bool,
}

/// The folder in which the files of child modules are looked for.
type ChildDir = PathBuf;

impl Tree {
    pub fn read(root: &Path) -> Result<Self, Box<dyn Error>> {
        let mut tree = Self { modules: Vec::new(), files: Vec::new() };
        let dir = root.parent().unwrap_or(Path::new(".")).to_owned();
        tree.read_file(root, None, &dir)?;
        Ok(tree)
    }

    fn read_file(
        &mut self,
        path: &Path,
        parent: Option<ModuleId>,
        dir: &ChildDir,
    ) -> Result<ModuleId, Box<dyn Error>> {
        let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let file = syn::parse_file(&text).map_err(|e| format!("{}: {e}", path.display()))?;
        self.files.push(path.to_owned());
        let id = self.add_module(self.files.len() - 1, parent);
        if !is_test_only(&file.attrs) {
            self.read_items(id, &file.items, dir)?;
        }
        Ok(id)
    }

    fn add_module(&mut self, file: FileId, parent: Option<ModuleId>) -> ModuleId {
        self.modules.push(Module {
            file,
            parent,
            children: BTreeMap::new(),
            items: BTreeSet::new(),
            imports: Vec::new(),
            references: Vec::new(),
            mentions: BTreeMap::new(),
        });
        self.modules.len() - 1
    }

    fn read_items(
        &mut self,
        id: ModuleId,
        items: &[Item],
        dir: &ChildDir,
    ) -> Result<(), Box<dyn Error>> {
        for item in items {
            if is_test_only(attributes(item)) {
                continue;
            }
            match item {
                Item::Mod(module) => self.read_child(id, module, dir)?,
                Item::Use(import) => self.add_imports(id, import),
                _ => {
                    self.modules[id].items.extend(name_of(item));
                    let found = names::scan(item.to_token_stream());
                    self.modules[id].references.extend(found.references);
                    self.modules[id].mentions.extend(found.mentions);
                }
            }
        }
        Ok(())
    }

    fn read_child(
        &mut self,
        id: ModuleId,
        module: &ItemMod,
        dir: &ChildDir,
    ) -> Result<(), Box<dyn Error>> {
        let name = plain(&module.ident);
        let child_dir = dir.join(&name);
        let child = match &module.content {
            Some((_, items)) => {
                let child = self.add_module(self.modules[id].file, Some(id));
                self.read_items(child, items, &child_dir)?;
                child
            }
            None => {
                let (path, child_dir) = self.locate(id, module, dir)?;
                self.read_file(&path, Some(id), &child_dir)?
            }
        };
        self.modules[id].children.insert(name, child);
        Ok(())
    }

    /// The file of `mod x;`, and the folder of its own children.
    fn locate(
        &self,
        id: ModuleId,
        module: &ItemMod,
        dir: &ChildDir,
    ) -> Result<(PathBuf, ChildDir), Box<dyn Error>> {
        let name = plain(&module.ident);
        if let Some(given) = given_path(&module.attrs) {
            let here = &self.files[self.modules[id].file];
            let path = here.parent().unwrap_or(Path::new(".")).join(given);
            let dir = path.parent().unwrap_or(Path::new(".")).to_owned();
            return Ok((path, dir));
        }
        let child_dir = dir.join(&name);
        let candidates = [dir.join(format!("{name}.rs")), child_dir.join("mod.rs")];
        let path = candidates.into_iter().find(|path| path.is_file());
        let path = path.ok_or_else(|| format!("no file for module {name} in {}", dir.display()))?;
        Ok((path, child_dir))
    }

    fn add_imports(&mut self, id: ModuleId, import: &ItemUse) {
        let reexported = !matches!(import.vis, Visibility::Inherited);
        let line = import.use_token.span.start().line;
        let mut leaves = Vec::new();
        expand(&import.tree, &mut Vec::new(), &mut leaves);
        for (segments, name) in leaves {
            let reference = Reference { segments, line };
            self.modules[id].imports.push(Import { name, reference, reexported });
        }
    }
}

/// All leaves of a `use` tree: the path, and the name it is given here.
fn expand(
    tree: &UseTree,
    prefix: &mut Vec<String>,
    leaves: &mut Vec<(Vec<String>, Option<String>)>,
) {
    match tree {
        UseTree::Path(path) => {
            prefix.push(plain(&path.ident));
            expand(&path.tree, prefix, leaves);
            prefix.pop();
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| expand(tree, prefix, leaves)),
        UseTree::Glob(_) => leaves.push((prefix.clone(), None)),
        UseTree::Name(leaf) => leaves.push(leaf_of(prefix, &plain(&leaf.ident), None)),
        UseTree::Rename(leaf) => {
            leaves.push(leaf_of(prefix, &plain(&leaf.ident), Some(plain(&leaf.rename))));
        }
    }
}

fn leaf_of(prefix: &[String], last: &str, name: Option<String>) -> (Vec<String>, Option<String>) {
    let mut segments = prefix.to_vec();
    // `use a::b::{self}` is `use a::b`.
    if last != "self" || segments.is_empty() {
        segments.push(last.to_owned());
    }
    let name = name.or_else(|| segments.last().cloned());
    (segments, name)
}

/// Whether the code is compiled for tests only.
fn is_test_only(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let Meta::List(list) = &attribute.meta else { return false };
        list.path.is_ident("cfg") && names::requires_test(list.tokens.clone())
    })
}

fn given_path(attributes: &[Attribute]) -> Option<String> {
    attributes.iter().find_map(|attribute| {
        let Meta::NameValue(pair) = &attribute.meta else { return None };
        let syn::Expr::Lit(value) = &pair.value else { return None };
        match &value.lit {
            syn::Lit::Str(text) if pair.path.is_ident("path") => Some(text.value()),
            _ => None,
        }
    })
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::TraitAlias(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn name_of(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::ExternCrate(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::TraitAlias(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(plain(ident))
}

/// The name without the `r#` of a raw identifier.
fn plain(ident: &proc_macro2::Ident) -> String {
    names::plain(ident)
}
