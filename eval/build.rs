//! Chooses the network that is built in: that of the variable `EVALFILE`, or the one of this crate.

use std::env;
use std::path::PathBuf;

fn main() {
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let folder = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("Cargo sets it"));
    let path = match env::var_os("EVALFILE").filter(|path| !path.is_empty()) {
        // Relative to the workspace, as for `make`.
        Some(path) => folder.join("..").join(path),
        None => folder.join("src/network/tamarin.net"),
    };
    match path.canonicalize() {
        Ok(path) => {
            println!("cargo::rerun-if-changed={}", path.display());
            println!("cargo::rustc-env=TAMARIN_NETWORK={}", path.display());
        }
        Err(error) => println!("cargo::error=EVALFILE={}: {error}", path.display()),
    }
}
