#![no_main]

#[path = "../../checks/position.rs"]
#[allow(dead_code)]
mod checks;

libfuzzer_sys::fuzz_target!(|data: &[u8]| checks::uci_move(data));
