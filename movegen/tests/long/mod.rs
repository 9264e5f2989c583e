//! The two sizes of a test; the tests of all crates share this file.

/// The full size of a test where `TAMARIN_LONG_TESTS` is set, as `make prove` does, or else the
/// usual size.
pub fn long_or<T>(full: T, usual: T) -> T {
    if std::env::var_os("TAMARIN_LONG_TESTS").is_some() { full } else { usual }
}
