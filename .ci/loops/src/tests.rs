//! Small crates with and without loops.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::tree::Tree;
use crate::{graph, resolve};

/// A crate in a folder of its own, removed when dropped.
struct Fixture(PathBuf);

impl Fixture {
    fn new(files: &[(&str, &str)]) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("loops-{}-{number}", std::process::id()));
        for (name, text) in files {
            let path = dir.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Self(dir)
    }

    fn loops(&self) -> Vec<String> {
        let tree = Tree::read(&self.0.join("lib.rs")).unwrap();
        graph::loops(&tree, &resolve::uses(&tree), &self.0)
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn loops(files: &[(&str, &str)]) -> Vec<String> {
    Fixture::new(files).loops()
}

/// The loops of a crate of two sibling files.
fn siblings(a: &str, b: &str) -> Vec<String> {
    loops(&[("lib.rs", "mod a; mod b; pub use a::A; pub use b::B;"), ("a.rs", a), ("b.rs", b)])
}

#[test]
fn one_way_is_no_loop() {
    assert_eq!(siblings("pub struct A;", "pub struct B(crate::A);"), [] as [&str; 0]);
}

#[test]
fn files_are_named_with_lines() {
    let found = siblings("use crate::b::B;\npub struct A(B);", "\nuse crate::A;\npub struct B(A);");
    let expected = "2 files import from each other:\
        \n  a.rs:1 uses b.rs (crate::b::B)\n  b.rs:2 uses a.rs (crate::A)";
    assert_eq!(found, [expected]);
}

#[test]
fn every_way_of_naming_an_item_counts() {
    let uses_of_b = [
        "use super::b::B;",
        "use super::{b::{B, B as C}};",
        "use super::b; struct Z(b::B);",
        "use super::b::*; struct Z(B);",
        "use crate as all; struct Z(all::B);",
        "fn f() { let _ = crate::b::B; }",
        "fn f() { use crate::{b::{B}}; }",
        "fn f() { assert!(matches!(1, _ if crate::b::made() )); }",
        "macro_rules! m { () => { $crate::b::B } }",
        "impl From<super::B> for u8 { fn from(_: super::B) -> u8 { 0 } }",
        "mod inner { use super::super::B; }",
    ];
    for text in uses_of_b {
        let a = format!("pub struct A;\n{text}");
        assert_eq!(siblings(&a, "use super::A; pub struct B;").len(), 1, "{text}");
        assert_eq!(siblings(&a, "pub struct B;").len(), 0, "{text}");
    }
}

#[test]
fn tests_do_not_count() {
    let uses_of_b = [
        "#[cfg(test)] use crate::B;",
        "#[cfg(test)] mod tests { use crate::B; }",
        "#[cfg(all(test, unix))] mod tests { use crate::B; }",
        "impl A { #[cfg(test)] fn f() { crate::b::f(); } }",
        "fn f() { #[cfg(test)] crate::b::f(); }",
    ];
    for text in uses_of_b {
        let a = format!("pub struct A;\n{text}");
        assert_eq!(siblings(&a, "use super::A; pub struct B;").len(), 0, "{text}");
    }
    let both = "pub struct A;\n#[cfg(any(test, unix))] use crate::B;";
    assert_eq!(siblings(both, "use super::A; pub struct B;").len(), 1);
}

/// The loops of a parent with one child, which uses an item of the parent.
fn parent_and_child(parent: &str) -> Vec<String> {
    let child = "use super::Own; pub struct Child(Own); pub fn made() {}";
    loops(&[("lib.rs", "mod p;"), ("p/mod.rs", parent), ("p/c.rs", child)])
}

#[test]
fn a_parent_may_hand_on_what_its_children_define() {
    let own = "mod c;\npub struct Own;";
    for text in ["", "pub use c::Child;", "pub(crate) use self::c::{Child, made};", "pub use c::*;"]
    {
        assert_eq!(parent_and_child(&format!("{own}\n{text}")).len(), 0, "{text}");
    }
    let uses = [
        "use c::Child;",
        "pub use c::Child; struct S(Child);",
        "pub use c::*; struct S(Child);",
        "pub use c::made; fn f() { made() }",
        "fn f() { c::made() }",
    ];
    for text in uses {
        assert_eq!(parent_and_child(&format!("{own}\n{text}")).len(), 1, "{text}");
    }
}

#[test]
fn names_are_followed_to_the_file_that_defines_them() {
    // b names lib, which hands on an item of c: no file here uses a file that uses it.
    let files = [
        ("lib.rs", "mod b; mod c; pub use c::C; pub fn f() { b::g() }"),
        ("b.rs", "use crate::C; pub fn g() {}"),
        ("c.rs", "pub struct C;"),
    ];
    assert_eq!(loops(&files).len(), 0);
    let own = ("b.rs", "use crate::{C, f}; pub fn g() {}");
    assert_eq!(loops(&[files[0], own, files[2]]).len(), 1);
}

#[test]
fn a_loop_of_three_is_one_loop() {
    let found = loops(&[
        ("lib.rs", "mod a; mod b; mod c; mod d;"),
        ("a.rs", "use crate::b::B; pub struct A;"),
        ("b.rs", "use crate::c::C; pub struct B;"),
        ("c.rs", "use crate::a::A; pub struct C;"),
        ("d.rs", "use crate::a::A;"),
    ]);
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("3 files"), "{}", found[0]);
    assert!(!found[0].contains("d.rs"), "{}", found[0]);
}
