//! The board in a real browser: see `tests`.
