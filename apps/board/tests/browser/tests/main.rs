//! What users do, and what they see then. Run it by `make test-board`; without a browser it prints a
//! SKIP. Words after `--` choose scenarios by their names.

mod analysis;
mod everyone;
mod familiar;
mod layout;
mod play;
mod variants;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::Instant;

use tamarin_board_browser::{Driver, Page, Server, program};

/// Something that users do.
type Scenario = (&'static str, fn(&Page));

fn main() -> ExitCode {
    let browser = program(&["chromium", "chromium-browser", "google-chrome", "chrome"]);
    let (Some(browser), Some(driver)) = (browser, program(&["chromedriver"])) else {
        println!("SKIP: no browser for the board: chromium and chromedriver are not installed");
        return ExitCode::SUCCESS;
    };
    if !Server::program().is_file() {
        let path = Server::program();
        eprintln!("there is no {}: build it first, or use make test-board", path.display());
        return ExitCode::FAILURE;
    }
    let words: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let chosen = |(name, _): &Scenario| {
        words.is_empty() || words.iter().any(|word| name.contains(word.as_str()))
    };
    let state = tempfile::tempdir().expect("there is room");
    let server = Server::start(state.path());
    let driver = Driver::start(&driver);
    let browser = driver.browser(&browser);
    let page = Page { browser: &browser, address: &server.address };
    let (mut passed, mut failed) = (0, 0);
    let scenarios =
        [play::ALL, familiar::ALL, layout::ALL, analysis::ALL, variants::ALL, everyone::ALL]
            .concat();
    for (name, scenario) in scenarios.into_iter().filter(chosen) {
        let begin = Instant::now();
        browser.resize(1280, 800);
        let result = catch_unwind(AssertUnwindSafe(|| {
            page.load();
            scenario(&page);
            everyone::check_log(&page);
            page.forget_settings();
        }));
        let verdict = if result.is_ok() { "ok" } else { "FAILED" };
        println!("test {name} ... {verdict} ({} ms)", begin.elapsed().as_millis());
        if result.is_ok() { passed += 1 } else { failed += 1 }
    }
    let verdict = if failed == 0 { "ok" } else { "FAILED" };
    println!("test result: {verdict}. {passed} passed; {failed} failed");
    if failed == 0 && passed > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
