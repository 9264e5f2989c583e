//! What this build calls itself.

/// `X.Y` for a release, `X.Y-dev-<first 8 hex digits of the commit>` for any
/// other build, `X.Y-dev-unknown` when built without git. After `Tamarin ` it
/// makes the `id name` and the answer to `--version`.
pub(crate) const VERSION: &str = env!("TAMARIN_VERSION");
