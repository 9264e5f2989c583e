//! What `license` prints of the libraries in the engine.

use std::path::Path;

use crate::support::{Engine, notices};

#[test]
fn the_notices_are_those_of_the_libraries_in_the_engine() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/notices.txt");
    notices::check("tamarin-chess", &file);
}

#[test]
fn license_prints_the_notices() {
    let mut engine = Engine::ready();
    engine.send("license");
    let text = engine.sync();
    let printed: Vec<&str> = text.iter().map(|line| line.text.as_str()).collect();
    let notices = include_str!("../../src/notices.txt");
    let own = printed.iter().position(|line| Some(*line) == notices.lines().next());
    let own = own.unwrap_or_else(|| panic!("no notices in {printed:?}"));
    assert_eq!(printed[own..own + notices.lines().count()].join("\n"), notices.trim_end());
    engine.quit();
}
