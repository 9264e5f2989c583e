//! AdamW: Adam with weight decay of its own.
//!
//! Source: I. Loshchilov and F. Hutter, "Decoupled Weight Decay Regularization", 2019.

use super::model::MAX_PARAMETER;

const BETA_1: f32 = 0.9;
const BETA_2: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// One step.
#[derive(Clone, Copy, Debug)]
pub(super) struct AdamW {
    rate: f32,
    /// How much of its distance from the anchor a parameter loses.
    decay: f32,
    /// Both moments begin with zero: they are divided by what they have seen so far.
    corrections: [f32; 2],
}

/// A parameter and what is kept beside it.
pub(super) struct Parameter<'a> {
    pub value: &'a mut f32,
    pub momentum: &'a mut f32,
    pub variance: &'a mut f32,
    /// Where decay pulls it.
    pub anchor: f32,
}

impl AdamW {
    /// Step number `step`, from 1.
    pub fn new(step: u64, rate: f32, decay: f32) -> Self {
        let exponent = i32::try_from(step).unwrap_or(i32::MAX);
        let corrections = [BETA_1, BETA_2].map(|beta| 1.0 - beta.powi(exponent));
        Self { rate, decay: rate * decay, corrections }
    }

    /// Moves a parameter against its gradient, not further than [`MAX_PARAMETER`] from zero, and
    /// towards its anchor. `momentum` and `variance` are the means of the gradient and its square.
    #[inline]
    pub fn update(&self, parameter: Parameter<'_>, gradient: f32) {
        let Parameter { value, momentum, variance, anchor } = parameter;
        *momentum = BETA_1 * *momentum + (1.0 - BETA_1) * gradient;
        *variance = BETA_2 * *variance + (1.0 - BETA_2) * gradient * gradient;
        let size = (*variance / self.corrections[1]).sqrt() + EPSILON;
        let step = self.rate * (*momentum / self.corrections[0]) / size;
        let decayed = *value - self.decay * (*value - anchor);
        *value = (decayed - step).clamp(-MAX_PARAMETER, MAX_PARAMETER);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A parameter after steps with the same gradient.
    fn updated(start: f32, anchor: f32, optimizer: impl Fn(u64) -> AdamW, gradient: f32) -> f32 {
        let (mut value, mut momentum, mut variance) = (start, 0.0, 0.0);
        for step in 1..=3 {
            let [value, momentum, variance] = [&mut value, &mut momentum, &mut variance];
            optimizer(step).update(Parameter { value, momentum, variance, anchor }, gradient);
        }
        value
    }

    #[test]
    fn steps_have_the_size_of_the_rate_whatever_the_gradient() {
        for gradient in [3.0, 1e-4, -20.0] {
            let value = updated(0.5, 0.0, |step| AdamW::new(step, 0.01, 0.0), gradient);
            let moved = 0.5 - 0.03 * gradient.signum();
            assert!((value - moved).abs() < 1e-5, "{gradient}: {value} instead of {moved}");
        }
    }

    #[test]
    fn parameters_decay_towards_their_anchor_and_stay_in_bounds() {
        let decayed = |anchor| updated(1.0, anchor, |step| AdamW::new(step, 0.1, 5.0), 0.0);
        assert!((decayed(0.0) - 0.125).abs() < 1e-6);
        assert!((decayed(-1.0) + 0.75).abs() < 1e-6);
        let bound = updated(-1.9, 0.0, |step| AdamW::new(step, 0.5, 0.0), 1.0);
        assert_eq!(bound, -MAX_PARAMETER);
    }
}
