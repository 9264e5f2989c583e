//! What pages are sent.

use std::sync::Arc;

/// Something that pages are sent.
#[derive(Clone, Debug)]
pub struct Event {
    /// What kind of event it is.
    pub name: &'static str,
    pub data: Arc<str>,
}
