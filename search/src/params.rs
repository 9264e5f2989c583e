//! Every number of the search that a match could improve, named once.

/// One number of the search and the range it may be tuned in.
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

/// Makes the table of tunables and, under one name each, the accessors:
/// constants in a plain build, fields under the feature `tune`.
macro_rules! tunables {
    ($($(#[$doc:meta])* $name:ident = $default:expr, $min:expr => $max:expr, step $step:expr;)*) => {
        /// Every tunable number of the search, in the order of the table.
        #[must_use]
        pub const fn parameters() -> &'static [Tunable] {
            &[$(Tunable {
                name: stringify!($name),
                default: $default,
                min: $min,
                max: $max,
                step: $step,
            }),*]
        }

        /// The numbers in force.
        #[cfg(not(feature = "tune"))]
        #[derive(Clone, Copy, Default)]
        pub(crate) struct Params {}

        #[cfg(not(feature = "tune"))]
        impl Params {
            $($(#[$doc])* #[inline(always)] pub(crate) const fn $name(self) -> i32 { $default })*
        }

        /// The numbers in force.
        #[cfg(feature = "tune")]
        #[derive(Clone, Copy)]
        pub(crate) struct Params { $($name: i32),* }

        #[cfg(feature = "tune")]
        impl Default for Params {
            fn default() -> Self {
                Self { $($name: $default),* }
            }
        }

        #[cfg(feature = "tune")]
        impl Params {
            $($(#[$doc])* #[inline(always)] pub(crate) const fn $name(&self) -> i32 { self.$name })*

            /// Sets a number by its name.
            pub(crate) fn set(&mut self, name: &str, value: i32) -> Result<(), ParameterError> {
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

tunables! {
    /// Aspiration: half width of the first window, in score units.
    aspiration_width = 12, 5 => 50, step 3;
    /// Aspiration: growth of the window after each failure, 1/1024.
    aspiration_growth = 1400, 1100 => 2048, step 60;

    /// Optimism: what a won root adds to evaluations at most, in score units.
    optimism = 36, 0 => 100, step 5;
    /// Optimism: the score of the root that adds half of that, in score units.
    optimism_half = 75, 20 => 300, step 15;

    /// Razoring: greatest depth, in plies.
    razor_depth = 4, 1 => 8, step 1;
    /// Razoring: margin at depth zero.
    razor_base = 200, 50 => 500, step 25;
    /// Razoring: margin by the square of the depth.
    razor_factor = 150, 50 => 400, step 20;
    /// Reverse futility: greatest depth, in plies.
    reverse_futility_depth = 8, 4 => 14, step 1;
    /// Reverse futility: margin by depth.
    reverse_futility_factor = 78, 30 => 160, step 6;
    /// Null move: how far above beta the static evaluation has to be at depth zero.
    null_margin_base = 140, 0 => 300, step 15;
    /// Null move: by how much less so with each ply of depth.
    null_margin_factor = 13, 0 => 40, step 2;
    /// Null move: reduction besides a quarter of the depth, in plies.
    null_reduction = 4, 2 => 6, step 1;
    /// Null move: evaluation above beta for one more ply of reduction, up to three.
    null_lead = 220, 80 => 400, step 15;
    /// Null move: from this depth on it is verified. Long time controls only.
    null_verification_depth = 14, 8 => 20, step 1;

    /// Internal reduction: from this depth on a node without a table move loses a ply.
    internal_reduction_depth = 4, 2 => 8, step 1;
    /// ProbCut: smallest depth, in plies.
    probcut_depth = 5, 4 => 8, step 1;
    /// ProbCut: how far above beta a capture has to be.
    probcut_margin = 170, 60 => 350, step 14;
    /// ProbCut: how much less far if the position improves.
    probcut_improving = 50, 0 => 150, step 6;

    /// Singular extension: smallest depth, in plies; one more on a principal line.
    singular_depth = 6, 4 => 10, step 1;
    /// Singular extension: margin by depth, in 1/64.
    singular_factor = 64, 24 => 160, step 6;
    /// Singular extension: margin by depth on a principal line, in 1/64.
    singular_principal_factor = 96, 24 => 200, step 8;
    /// Singular extension: two plies if the others are worse by more than this.
    double_margin = 18, 4 => 60, step 3;
    /// Singular extension: three plies for a quiet move if by more than this.
    triple_margin = 100, 40 => 250, step 8;

    /// Captures at the leaves: what they have to bring to come near alpha, with the victim.
    leaf_margin = 170, 60 => 350, step 12;
    /// Captures at the leaves: after so many only recaptures are tried.
    leaf_moves = 3, 2 => 8, step 1;

    /// Late moves: how many are tried at depth zero, in 1/64.
    late_moves_base = 192, 64 => 512, step 20;
    /// Late moves: how many more by the square of the depth, in 1/64.
    late_moves_factor = 64, 24 => 160, step 6;
    /// Futility: greatest reduced depth, in plies.
    futility_depth = 9, 4 => 14, step 1;
    /// Futility: margin at reduced depth zero.
    futility_base = 110, 30 => 300, step 12;
    /// Futility: margin by reduced depth.
    futility_factor = 95, 30 => 200, step 8;
    /// Futility of captures: greatest reduced depth, in plies.
    noisy_futility_depth = 6, 3 => 12, step 1;
    /// Futility of captures: margin at reduced depth zero.
    noisy_futility_base = 230, 60 => 500, step 20;
    /// Futility of captures: margin by reduced depth.
    noisy_futility_factor = 250, 60 => 500, step 20;
    /// History pruning: greatest reduced depth, in plies.
    history_depth = 5, 2 => 10, step 1;
    /// History pruning: how bad a move's history must be, by depth.
    history_factor = 4000, 1000 => 8000, step 300;
    /// Exchange pruning of quiet moves: loss allowed by the square of the reduced depth.
    quiet_exchange_factor = 22, 6 => 60, step 3;
    /// Exchange pruning of captures: loss allowed by depth.
    noisy_exchange_factor = 95, 30 => 200, step 8;

    /// Reductions of quiet moves: the constant part, 1/1024 ply.
    quiet_reduction_base = 820, 0 => 2048, step 80;
    /// Reductions of quiet moves: divisor of the product of the logarithms, 1/1024.
    quiet_reduction_divisor = 2150, 1200 => 4000, step 120;
    /// Reductions of captures: the constant part, 1/1024 ply.
    noisy_reduction_base = 200, -512 => 1536, step 80;
    /// Reductions of captures: divisor of the product of the logarithms, 1/1024.
    noisy_reduction_divisor = 3500, 1800 => 6000, step 200;
    /// Reductions: more where a cutoff is expected, 1/1024 ply.
    reduction_cut = 1300, 0 => 3072, step 100;
    /// Reductions: less on a line that is or was principal, 1/1024 ply.
    reduction_principal = 1200, 0 => 3072, step 100;
    /// Reductions: more if the position does not improve, 1/1024 ply.
    reduction_not_improving = 900, 0 => 2048, step 80;
    /// Reductions: less for a move that gives check, 1/1024 ply.
    reduction_check = 900, 0 => 2048, step 80;
    /// Reductions: less for the killer, 1/1024 ply.
    reduction_killer = 900, 0 => 2048, step 80;
    /// Reductions: more if the table's move is a capture, 1/1024 ply.
    reduction_noisy_table_move = 900, 0 => 2048, step 80;
    /// Reductions: more if children of the node fail high often, 1/1024 ply.
    reduction_cutoffs = 900, 0 => 2048, step 80;
    /// Reductions: history that is worth a ply, by which it grows or shrinks.
    reduction_history = 9000, 3000 => 24000, step 700;
    /// Search again one ply deeper if the reduced search was better by so much.
    deeper_margin = 45, 10 => 120, step 6;
    /// Search again one ply less deep if the reduced search was better by less.
    shallower_margin = 8, 0 => 30, step 2;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_consistent() {
        for (index, tunable) in parameters().iter().enumerate() {
            assert!(tunable.min <= tunable.default, "{}", tunable.name);
            assert!(tunable.default <= tunable.max, "{}", tunable.name);
            assert!(tunable.step > 0, "{}", tunable.name);
            let doubled = parameters()[..index].iter().any(|other| other.name == tunable.name);
            assert!(!doubled, "{} is named twice", tunable.name);
        }
    }

    #[cfg(feature = "tune")]
    #[test]
    fn parameters_are_set_by_name() {
        let mut params = Params::default();
        assert_eq!(params.set("aspiration_width", 20), Ok(()));
        assert_eq!(params.aspiration_width(), 20);
        assert!(matches!(params.set("aspiration_width", 2000), Err(ParameterError::Range { .. })));
        assert!(matches!(params.set("no_such", 1), Err(ParameterError::Unknown(_))));
        assert_eq!(params.aspiration_width(), 20);
    }
}
