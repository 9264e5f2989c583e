//! The network inside the program.

use std::sync::Arc;

use super::parameters::Network;

impl Network {
    /// The network inside the program, if it has one.
    #[must_use]
    pub const fn embedded() -> Option<Arc<Self>> {
        None
    }
}
