//! Each planted defect is found by the model that is made for it.

use std::env;
use std::process::Command;

use crate::sync::{PLANT, Plant};

/// The model that finds a defect, and what it says.
const fn finder(plant: Plant) -> (&'static str, &'static str) {
    match plant {
        Plant::TornEntry => {
            ("slot::no_half_of_a_write_is_an_entry_of_a_key_that_was_written", "torn entry")
        }
        Plant::LostWakeUp => {
            ("signals::a_search_that_waits_is_released_by_stop_or_ponder_hit", "deadlock")
        }
        Plant::RelaxedFlag => (
            "signals::what_a_search_wrote_is_there_once_it_is_finished",
            "finished before its answer is seen",
        ),
        Plant::UncountedThreads => {
            ("threads::a_search_of_two_threads_ends_whenever_it_is_stopped", "deadlock")
        }
    }
}

/// Each in a process of its own: a model that has panicked may panic once more when its threads
/// are given up, which ends the process.
#[test]
fn every_planted_defect_is_found() {
    for plant in Plant::ALL {
        let (model, message) = finder(plant);
        let output = Command::new(env::current_exe().unwrap())
            .args([&format!("models::{model}"), "--exact", "--nocapture"])
            .env(PLANT, plant.name())
            .output()
            .unwrap();
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text);
        assert!(text.contains("running 1 test"), "there is no model {model}: {text}");
        let found = !output.status.success() && text.contains(message);
        assert!(found, "{} is not found: {text}", plant.name());
        println!("planted {}: found, \"{message}\"", plant.name());
    }
}
