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
    /// What decay leaves of a parameter.
    kept: f32,
    /// Both moments begin with zero: they are divided by what they have seen so far.
    corrections: [f32; 2],
}

impl AdamW {
    /// Step number `step`, from 1.
    pub fn new(step: u64, rate: f32, decay: f32) -> Self {
        let exponent = i32::try_from(step).unwrap_or(i32::MAX);
        let corrections = [BETA_1, BETA_2].map(|beta| 1.0 - beta.powi(exponent));
        Self { rate, kept: 1.0 - rate * decay, corrections }
    }

    /// Moves a parameter against its gradient, not further than [`MAX_PARAMETER`] from zero.
    /// `momentum` and `variance` are the means of the gradient and of its square.
    #[inline]
    pub fn update(&self, value: &mut f32, momentum: &mut f32, variance: &mut f32, gradient: f32) {
        *momentum = BETA_1 * *momentum + (1.0 - BETA_1) * gradient;
        *variance = BETA_2 * *variance + (1.0 - BETA_2) * gradient * gradient;
        let size = (*variance / self.corrections[1]).sqrt() + EPSILON;
        let step = self.rate * (*momentum / self.corrections[0]) / size;
        *value = (self.kept * *value - step).clamp(-MAX_PARAMETER, MAX_PARAMETER);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_have_the_size_of_the_rate_whatever_the_gradient() {
        for gradient in [3.0, 1e-4, -20.0] {
            let (mut value, mut momentum, mut variance) = (0.5_f32, 0.0, 0.0);
            for step in 1..=5 {
                let optimizer = AdamW::new(step, 0.01, 0.0);
                optimizer.update(&mut value, &mut momentum, &mut variance, gradient);
                let moved = 0.5 - step as f32 * 0.01 * gradient.signum();
                assert!((value - moved).abs() < 1e-5, "{gradient}: {value} instead of {moved}");
            }
        }
    }

    #[test]
    fn weights_decay_by_themselves_and_stay_in_bounds() {
        let updated = |value: f32, rate, decay, gradient| {
            let (mut value, mut momentum, mut variance) = (value, 0.0, 0.0);
            AdamW::new(1, rate, decay).update(&mut value, &mut momentum, &mut variance, gradient);
            value
        };
        assert!((updated(1.0, 0.1, 0.5, 0.0) - 0.95).abs() < 1e-6);
        assert_eq!(updated(-1.9, 0.5, 0.0, 1.0), -MAX_PARAMETER);
    }
}
