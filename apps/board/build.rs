//! The files of the page are part of the program: a change of one builds it anew.

fn main() {
    println!("cargo:rerun-if-changed=page");
}
