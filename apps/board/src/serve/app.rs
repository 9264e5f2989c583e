//! What all requests share.

use std::sync::Arc;

use super::guard::Guard;
use crate::hall::Hall;

/// What all requests share.
pub struct App {
    pub hall: Arc<Hall>,
    pub guard: Guard,
}
