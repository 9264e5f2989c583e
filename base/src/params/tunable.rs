//! How a parameter is declared, and how a table of them becomes constants or variables.

/// Where the value of a parameter comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// Set by hand, within what strong engines use; never tested by itself.
    ByHand,
    /// Taken from this version of this engine; what stands there, if it was rounded or
    /// converted, follows in parentheses.
    Engine(&'static str),
    /// Decided by the run with this id in `docs/results`.
    Run(&'static str),
}

/// A parameter of the search and the range it may be tuned in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tunable {
    /// The name, also that of the UCI spin under the feature `tune`.
    pub name: &'static str,
    /// The value in play.
    pub default: i32,
    /// The smallest value worth trying.
    pub min: i32,
    /// The greatest value worth trying.
    pub max: i32,
    /// The step of a tuner at the end of its run.
    pub step: i32,
    /// Where the value comes from.
    pub origin: Origin,
}

/// A parameter could not be set.
#[cfg(feature = "tune")]
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParameterError {
    /// No parameter has this name.
    #[error("there is no search parameter {0:?}")]
    Unknown(String),
    /// The value is out of the parameter's range.
    #[error("{name} must be from {min} to {max}, not {value}")]
    Range {
        /// The parameter.
        name: &'static str,
        /// Its smallest value.
        min: i32,
        /// Its greatest value.
        max: i32,
        /// What was asked for.
        value: i32,
    },
}

/// Makes the table of parameters and, under one name each, the accessors:
/// constants in a plain build, fields under the feature `tune`.
macro_rules! tunables {
    ($($(#[$doc:meta])* $name:ident = $default:expr, $min:expr => $max:expr, step $step:expr, from $origin:expr;)*) => {
        /// Every parameter of the search, in the order of the table.
        pub const fn parameters() -> &'static [Tunable] {
            &[$(Tunable {
                name: stringify!($name),
                default: $default,
                min: $min,
                max: $max,
                step: $step,
                origin: $origin,
            }),*]
        }

        /// The values that searches use.
        #[cfg(not(feature = "tune"))]
        #[derive(Clone, Copy, Default)]
        pub struct Params(());

        #[cfg(not(feature = "tune"))]
        impl Params {
            /// The numbers of the table.
            pub const fn new() -> Self {
                Self(())
            }

            $($(#[$doc])* #[inline(always)] pub const fn $name(self) -> i32 { $default })*
        }

        /// The values that searches use.
        #[cfg(feature = "tune")]
        #[derive(Clone, Copy)]
        pub struct Params { $($name: i32),* }

        #[cfg(feature = "tune")]
        impl Default for Params {
            fn default() -> Self {
                Self::new()
            }
        }

        #[cfg(feature = "tune")]
        impl Params {
            /// The numbers of the table.
            pub const fn new() -> Self {
                Self { $($name: $default),* }
            }

            $($(#[$doc])* #[inline(always)] pub const fn $name(&self) -> i32 { self.$name })*

            /// Sets a number by its name.
            ///
            /// # Errors
            /// If there is no such number, or the value is out of its range.
            pub fn set(&mut self, name: &str, value: i32) -> Result<(), ParameterError> {
                let known = parameters().iter().find(|tunable| tunable.name == name);
                let Some(&Tunable { name, min, max, .. }) = known else {
                    return Err(ParameterError::Unknown(name.to_owned()));
                };
                if !(min..=max).contains(&value) {
                    return Err(ParameterError::Range { name, min, max, value });
                }
                $(if name == stringify!($name) { self.$name = value; })*
                Ok(())
            }
        }
    };
}

pub(super) use tunables;
