//! What all requests share.

use std::sync::Arc;

use super::guard::Guard;
use crate::hall::Hall;

/// What all requests share.
pub struct App {
    /// The tables.
    pub hall: Arc<Hall>,
    /// Who may ask.
    pub guard: Guard,
}
