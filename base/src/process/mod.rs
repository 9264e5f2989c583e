//! What a program needs of the process that it runs in: the processor, signals, an end in time, and
//! whether its output is read.

pub mod processor;
pub mod shutdown;

pub use shutdown::Writing;
